#include "daemon/hint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void end_search(struct hint *h)
{
    if (!h->is_sought)
        return;
    h->is_sought = false;
    event_free(h->has_news);
    child_close(&h->child);
}

void hint_end(struct hint *h)
{
    end_search(h);
    *h = (struct hint){0};
}

/* It printed a move, or nothing. */
static void take_move(struct hint *h)
{
    ssize_t n = read(h->child.from, h->move, sizeof h->move - 1);

    h->move[n > 0 ? n : 0] = '\0';
    h->move[strcspn(h->move, "\n")] = '\0';
}

static void on_news(evutil_socket_t fd, short what, void *arg)
{
    struct hint *h = arg;
    int error;

    loop_now(h->loop);
    switch (child_news(&h->child, &error)) {
    case CHILD_EXITED:
        take_move(h);
        child_kill(&h->child);
        break;
    case CHILD_GONE:
        end_search(h);
        break;
    default:
        break;
    }
}

/* Write everything at once, because the loop cannot wait. */
static bool hand_over(int fd, const struct buf *record, struct err *err)
{
    int size = (int)record->len;

    if (fcntl(fd, F_SETPIPE_SZ, size) == -1 ||
        write(fd, record->text, record->len) != (ssize_t)record->len)
        return fail(err, "the game is too long for a hint");
    return true;
}

bool hint_seek(struct hint *h, struct loop *loop, int at, int seat,
               const struct buf *record, struct err *err)
{
    char program[] = "/proc/self/exe", command[] = "moves", file[] = "-";
    char option[] = "--hint", which[] = "--seat", number[12];
    char *argv[] = {program, command, option, which, number, file, NULL};
    const struct child_config child = {.argv = argv};
    bool ok;

    hint_end(h);
    snprintf(number, sizeof number, "%d", seat + 1);
    if (!child_start(&h->child, &loop->children, &child, err))
        return false;
    ok = hand_over(h->child.to, record, err);
    close(h->child.to);
    h->child.to = -1;
    if (!ok) {
        child_close(&h->child);
        return false;
    }
    h->loop = loop;
    h->at = at;
    h->is_sought = h->was_sought = true;
    h->has_news = event_new(loop->base, h->child.control, EV_READ | EV_PERSIST,
                            on_news, h);
    loop_watch(h->has_news);
    return true;
}
