#include "cmd/people/invite.h"

#include "base/alloc.h"
#include "base/date.h"
#include "cmd/lib/csv.h"
#include "store/disk.h"
#include "store/invitations.h"
#include "store/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Making invitations. */

/* As in referee.ini; a day without a time means its end. */
static bool read_until(const char *text, char until[DATE_TEXT + 1],
                       struct err *err)
{
    bool is_day = strlen(text) == strlen("0000-00-00");

    snprintf(until, DATE_TEXT + 1, "%s%s", text, is_day ? "T23:59:59Z" : "");
    return (strlen(text) <= DATE_TEXT && date_is(until)) ||
           fail(err,
                "--until must be a time in UTC such as 2026-12-18T23:59:00Z, "
                "or a day, not \"%.40s\"",
                text);
}

bool invite_make(const struct invite_words *w, int argc, char **argv,
                 struct err *err)
{
    const char *owner = w->owner ? w->owner : "";
    char code[INVITATION_CODE + 1], until[DATE_TEXT + 1] = "";

    if (argc > 0)
        return fail(err, "invite takes options only, not \"%.40s\"", argv[0]);
    if ((w->until && !read_until(w->until, until, err)) ||
        !key_owner_check(owner, err))
        return false;
    for (int i = 0; i < w->count; i++) {
        if (!invitation_make(w->invitations, w->uses, until, owner, code, err))
            return false;
        puts(code);
    }
    fflush(stdout);
    fprintf(stderr,
            "%d invitation%s, for %d bot%s%s%s%s. The codes are shown only "
            "here. A server with\n\"invitations = %s\" takes them at once:\n\n"
            "    referee register HOST:PORT --code %s --name NAME\n",
            w->count, w->count == 1 ? "" : "s", w->uses,
            w->uses == 1 ? "" : "s", w->count == 1 ? "" : " each",
            *until ? ", until " : "", until, w->invitations, code);
    return true;
}

/* A mistyped file name would look like a file without invitations. */
static bool read_file(const char *path, struct invitations *all,
                      struct err *err)
{
    if (!disk_has(path))
        return fail(err,
                    "%s does not exist; name the file of invitations with "
                    "--invitations, or make some with \"referee people "
                    "invite\"",
                    path);
    return invitations_read(path, all, err);
}

/* Listing invitations. */

static const char *state_of(const struct invitation *i)
{
    struct date date = {0};
    const char *why = invitation_why_not(i, date_text(&date, time(NULL)));

    return why ? why : "is open";
}

/* "is used up": a table shows only the last words. */
static const char *word_of(const struct invitation *i)
{
    return strchr(state_of(i), ' ') + 1;
}

static void list_json(const struct invitations *all)
{
    json_t *list = json_array();

    for (size_t k = 0; k < all->count; k++) {
        const struct invitation *i = &all->one[k];
        json_t *bots = json_array();

        for (int b = 0; b < i->used; b++)
            json_array_append_new(bots, json_string(i->bot[b]));
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:o}", "id", i->id,
                      "made", i->at, "state", word_of(i), "uses", i->uses,
                      "until", i->until, "owner", i->owner, "bots", bots));
    }
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(list);
}

static void add_bots(struct buf *out, const struct invitation *i)
{
    buf_reset(out);
    for (int b = 0; b < i->used; b++)
        buf_add(out, "%s%s", b ? " " : "", i->bot[b]);
}

static void list_csv(const struct invitations *all)
{
    struct buf out, bots;

    buf_init(&out, CSV_BYTES_MAX);
    buf_init(&bots, CSV_BYTES_MAX);
    buf_str(&out, "id,made,state,uses,used,until,owner,bots\n");
    for (size_t k = 0; k < all->count; k++) {
        const struct invitation *i = &all->one[k];

        buf_add(&out, "%s,%s,%s,%d,%d,%s,", i->id, i->at, word_of(i), i->uses,
                i->used, i->until);
        csv_cell(&out, i->owner);
        buf_char(&out, ',');
        add_bots(&bots, i);
        csv_cell(&out, bots.len ? bots.text : "");
        buf_char(&out, '\n');
    }
    fputs(out.text, stdout);
    buf_release(&out);
    buf_release(&bots);
}

static void list_text(const struct invitations *all)
{
    struct buf bots;

    buf_init(&bots, CSV_BYTES_MAX);
    printf("%-6s  %-8s  %-9s  %-20s  bots\n", "id", "state", "used", "until");
    for (size_t k = 0; k < all->count; k++) {
        const struct invitation *i = &all->one[k];

        add_bots(&bots, i);
        printf("%-6s  %-8s  %4d/%-4d  %-20s  %s\n", i->id, word_of(i), i->used,
               i->uses, i->until, bots.len ? bots.text : "");
    }
    buf_release(&bots);
}

bool invite_list(const struct invite_words *w, int argc, char **argv,
                 struct err *err)
{
    struct invitations all = {0};

    if (argc > 0)
        return fail(err, "invitations takes options only, not \"%.40s\"",
                    argv[0]);
    if (!read_file(w->invitations, &all, err))
        return false;
    if (w->as_json)
        list_json(&all);
    else if (w->as_csv)
        list_csv(&all);
    else
        list_text(&all);
    invitations_release(&all);
    return true;
}

/* Revoking invitations. */

/* A word may be an id or a whole code. */
static bool is_meant(const struct invitation *i, const char *word)
{
    char id[INVITATION_ID + 1];

    return strcmp(word, i->id) == 0 ||
           (invitation_id(word, id) && strcmp(id, i->id) == 0);
}

static bool find_meant(const struct invitations *all,
                       const struct invite_words *w, int argc, char **argv,
                       bool *meant, struct err *err)
{
    if (argc == 0 && !w->all)
        return fail(err, "name invitations by their ids, or say --all");
    for (size_t i = 0; i < all->count; i++)
        meant[i] = w->all;
    for (int k = 0; k < argc; k++) {
        bool found = false;

        for (size_t i = 0; i < all->count; i++)
            if (is_meant(&all->one[i], argv[k]))
                found = meant[i] = true;
        if (!found)
            return fail(err, "%s has no invitation \"%.40s\"", w->invitations,
                        argv[k]);
    }
    return true;
}

static bool revoke_meant(const struct invitations *all,
                         const struct invite_words *w, const bool *meant,
                         struct err *err)
{
    int revoked = 0, tokens = 0, removed;

    for (size_t k = 0; k < all->count; k++) {
        const struct invitation *i = &all->one[k];

        if (!meant[k])
            continue;
        if (!i->is_revoked && !invitation_revoke(w->invitations, i->id, err))
            return false;
        revoked += !i->is_revoked;
        if (w->with_bots && i->used > 0 && disk_has(w->keys)) {
            if (!keys_remove(w->keys, (const char *const *)i->bot, i->used,
                             &removed, err))
                return false;
            tokens += removed;
        }
    }
    printf("%d invitation%s revoked", revoked, revoked == 1 ? "" : "s");
    if (w->with_bots)
        printf(", and %d token%s; \"referee reload\" lets a running server "
               "know",
               tokens, tokens == 1 ? "" : "s");
    puts(".");
    return true;
}

bool invite_revoke(const struct invite_words *w, int argc, char **argv,
                   struct err *err)
{
    struct invitations all = {0};
    bool *meant;
    bool ok;

    if (!read_file(w->invitations, &all, err))
        return false;
    meant = must_alloc(calloc(all.count + 1, sizeof *meant));
    ok = find_meant(&all, w, argc, argv, meant, err) &&
         revoke_meant(&all, w, meant, err);
    free(meant);
    invitations_release(&all);
    return ok;
}
