#include "base/text.h"
#include "daemon/reception_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <unistd.h>

enum { SENDERS_MAX = 64 }; /* at the same time; the others wait */

static int count_senders(const struct reception *r)
{
    int count = 0;

    for (const struct visit *v = r->visits; v; v = v->next)
        count += v->state == VISIT_SENDS;
    return count;
}

void sending_stop(struct visit *v)
{
    if (v->fd == -1)
        return;
    close(v->fd);
    v->fd = -1;
    unlink(v->path);
}

static bool open_file(struct visit *v, struct err *err)
{
    const char *shelf = rules_of(v->reception)->folder;
    char own[DISK_PATH_MAX], file[40];

    shelf_path(shelf, v->connection->name, ".", own);
    snprintf(file, sizeof file, SENDING "%u", ++v->reception->uploads);
    shelf_path(shelf, v->connection->name, file, v->path);
    own[strlen(own) - 2] = '\0';
    if (!disk_folder(shelf, err) || !disk_folder(own, err))
        return false;
    v->fd = open(v->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return v->fd != -1 || fail(err, "%s: %s", v->path, strerror(errno));
}

static void our_fault(struct visit *v, const char *why)
{
    log_line(v->reception->log, LOG_ERROR, NULL,
             "what %s hands in cannot be kept: %s", v->connection->name, why);
    sending_stop(v);
    visit_turn_away(v,
                    "the server cannot keep it now; that is not your fault and "
                    "does not count. Try again later");
}

static void begin_sending(struct visit *v)
{
    struct err err;

    if (!open_file(v, &err)) {
        our_fault(v, err.text);
        return;
    }
    v->state = VISIT_SENDS;
    v->heard_us = now_us();
    v->got = 0;
    sha256_begin(&v->hash);
    connection_tell(v->connection, "send", "now");
}

/* Another client may send now. */
void sending_let(struct reception *r)
{
    struct visit *oldest = NULL;

    if (count_senders(r) >= SENDERS_MAX)
        return;
    for (struct visit *v = r->visits; v; v = v->next) /* the newest is first */
        if (v->state == VISIT_WAITS)
            oldest = v;
    if (oldest)
        begin_sending(oldest);
}

static bool write_piece(struct visit *v)
{
    bool ok = v->piece.len == 0 || disk_put(v->fd, v->piece.text, v->piece.len);

    if (!ok)
        our_fault(v, strerror(errno));
    buf_reset(&v->piece);
    return ok;
}

/* The archive is complete: is it what was announced? */
static void end_sending(struct visit *v)
{
    unsigned char digest[SHA256_BYTES];
    char hex[HANDIN_DIGEST_HEX + 1], file[HANDIN_DIGEST_HEX + 8];
    char path[DISK_PATH_MAX];

    if (!write_piece(v))
        return;
    sha256_end(&v->hash, digest);
    text_hex(hex, digest, sizeof digest);
    if (strcmp(hex, v->digest) != 0) {
        sending_stop(v);
        visit_turn_away(
            v, "what came has not the SHA-256 that was announced; send "
               "it again");
        return;
    }
    snprintf(file, sizeof file, SHELF_SENT "%s", hex);
    shelf_path(rules_of(v->reception)->folder, v->connection->name, file, path);
    if (rename(v->path, path) != 0) {
        our_fault(v, strerror(errno));
        return;
    }
    close(v->fd);
    v->fd = -1;
    visit_watch(
        v, reception_enqueue(v->reception, v->connection->name, path, hex));
    sending_let(v->reception);
}

/* "#part BASE64" */
void sending_take(struct visit *v, const char *text)
{
    unsigned char bytes[PIECE_MAX];
    size_t len;

    if (v->state != VISIT_SENDS) {
        visit_turn_away(v, "a #part comes after the line \"# send\"");
    } else if (sodium_base642bin(bytes, sizeof bytes, text, strlen(text), NULL,
                                 &len, NULL, sodium_base64_VARIANT_ORIGINAL) ||
               len == 0) {
        sending_stop(v);
        visit_turn_away(v, "a #part is base64, of 1 to %d bytes", PIECE_MAX);
    } else if (v->got + (long long)len > v->bytes) {
        sending_stop(v);
        visit_turn_away(v, "more came than the %lld bytes that were announced",
                        v->bytes);
    } else {
        v->heard_us = now_us();
        v->got += (long long)len;
        sha256_add(&v->hash, bytes, len);
        buf_put(&v->piece, (char *)bytes, len);
        if (v->got == v->bytes)
            end_sending(v);
        else if (v->piece.len + PIECE_MAX > WRITE_BYTES)
            write_piece(v);
    }
}
