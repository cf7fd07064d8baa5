#include "daemon/person.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char resign[] = "resign";
const char guest_name[] = "guest";

static struct person *person_of(struct peer *peer)
{
    return (struct person *)peer; /* its first member */
}

/* Called from the loop, because the table may be in the middle of writing. */
static void say(struct person *p, const char *id, const char *text)
{
    buf_add(&p->answers, "=%s %s\n\n", id, text);
    loop_later(p->loop, &p->tell);
}

static void on_tell(void *arg)
{
    struct person *p = arg;
    char *at = p->answers.text, *end = at + p->answers.len;

    p->loop->read_us = loop_now(p->loop);
    while (at < end) {
        size_t len = strcspn(at, "\n");

        at[len] = '\0';
        if (p->peer.calls)
            p->peer.calls->on_line(p->peer.owner, &p->peer, at, len);
        at += len + 1;
    }
    buf_reset(&p->answers);
}

/* "ID COMMAND ARGUMENTS". It asks for no events: its page has the record. */
static void hear(struct person *p, const char *line)
{
    static const struct reply {
        const char *command, *answer;
    } replies[] = {
        {"protocol_version", "2"},
        {"list_commands", "genmove"},
        {"name", guest_name},
        {"version", "person"},
    };
    size_t digits = strspn(line, "0123456789");
    const char *at = line + digits + strspn(line + digits, " ");
    const char *answer = "";
    char id[PERSON_ID_MAX + 1];

    snprintf(id, sizeof id, "%.*s", (int)digits, line);
    if (take_word(&at, "genmove")) {
        strcpy(p->asked, id);
        if (p->resigns)
            person_answer(p, resign);
        return;
    }
    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++)
        if (take_word(&at, replies[i].command))
            answer = replies[i].answer;
    say(p, id, answer);
}

static bool flush(struct peer *peer)
{
    struct person *p = person_of(peer);
    size_t n = talk_unsent(&p->talk), done = 0;

    while (done < n) {
        char *line = p->talk.out.text + p->talk.sent + done;
        size_t len = strcspn(line, "\n");

        line[len] = '\0';
        hear(p, line);
        done += len + 1;
    }
    talk_sent(&p->talk, n);
    return true;
}

static int64_t no_time(struct peer *peer)
{
    return 0;
}

static void watch_cpu(struct peer *peer, bool on)
{
}

static void cut_off(struct peer *peer)
{
    person_of(peer)->asked[0] = '\0';
}

static const struct peer_kind person_kind = {flush, no_time, watch_cpu, no_time,
                                             cut_off};

void person_answer(struct person *p, const char *move)
{
    say(p, p->asked, move);
    p->asked[0] = '\0';
    hint_end(&p->hint); /* others may be waiting for theirs */
}

void person_resign(struct person *p)
{
    p->resigns = true;
    if (person_is_asked(p))
        person_answer(p, resign);
}

void person_leave(struct person *p)
{
    p->resigns = true;
    if (p->peer.calls)
        p->peer.calls->on_lost(p->peer.owner, &p->peer, WHY_EXIT,
                               "its page was closed");
}

struct person *person_new(struct loop *loop, const char *origin)
{
    struct person *p = must_alloc(calloc(1, sizeof *p));

    talk_init(&p->talk);
    p->peer = (struct peer){.kind = &person_kind, .talk = &p->talk};
    p->loop = loop;
    p->seen_us = now_us();
    p->tell = (struct deferred){.run = on_tell, .arg = p};
    snprintf(p->origin, sizeof p->origin, "%s", origin);
    buf_init(&p->answers, 64 << 10);
    return p;
}

void person_free(struct person *p)
{
    if (!p)
        return;
    hint_end(&p->hint);
    loop_cancel(&p->tell);
    talk_release(&p->talk);
    buf_release(&p->answers);
    free(p);
}
