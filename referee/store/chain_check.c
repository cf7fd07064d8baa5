#include "store/chain_check.h"

#include "base/alloc.h"
#include "base/text.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A record of a chain. They are sorted by chain, key and number. */
struct link {
    char chain[SEAL_CHAIN_MAX + 1];
    uint8_t key[SEAL_KEY_BYTES];
    int number;
    uint8_t before[SHA256_BYTES], link[SHA256_BYTES];
    char *place;
};

static int by_chain(const struct link *a, const struct link *b)
{
    int order = strcmp(a->chain, b->chain);

    return order ? order : memcmp(a->key, b->key, sizeof a->key);
}

static int by_number(const void *p, const void *q)
{
    const struct link *a = p, *b = q;
    int order = by_chain(a, b);

    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static void free_link(void *p)
{
    struct link *l = p;

    free(l->place);
    free(l);
}

void chain_check_release(struct chain_check *c)
{
    tdestroy(c->tree, free_link);
    c->tree = NULL;
}

bool chain_trusts(const struct chain_check *c,
                  const uint8_t key[SEAL_KEY_BYTES])
{
    for (int i = 0; i < c->keys; i++)
        if (memcmp(c->key[i], key, SEAL_KEY_BYTES) == 0)
            return true;
    return false;
}

static bool is_known(const struct chain_check *c, const struct seal *s,
                     const char *place, struct err *why)
{
    char hex[SEAL_KEY_HEX + 1];

    text_hex(hex, s->key, sizeof s->key);
    if (!chain_trusts(c, s->key))
        return fail(why, "%s: it is signed with another key: %s", place, hex);
    return seal_holds(s) ||
           fail(why, "%s: it was changed: %s has not signed this", place, hex);
}

bool chain_check_add(struct chain_check *c, const struct seal *s,
                     const char *place, struct err *why)
{
    struct link *l, **found;

    if (!s)
        return fail(why, "%s: it is unsigned", place);
    if (!is_known(c, s, place, why))
        return false;
    l = must_alloc(calloc(1, sizeof *l));
    memcpy(l->chain, s->chain, sizeof l->chain);
    memcpy(l->key, s->key, sizeof l->key);
    memcpy(l->before, s->before, sizeof l->before);
    l->number = s->number;
    seal_link(s, l->link);
    found = must_alloc(tsearch(l, &c->tree, by_number));
    if (*found != l) {
        free(l);
        return fail(why,
                    "%s: it is a duplicate: number %d of the chain %s is "
                    "already in %s",
                    place, s->number, s->chain, (*found)->place);
    }
    l->place = must_alloc(strdup(place));
    c->good++;
    return true;
}

/* Walking through them in their order. */

struct walk {
    const struct link *last; /* of the same chain, or NULL */
    bool whole;
    int wrong;
    chain_say *say;
    void *arg;
};

static void tell(struct walk *w, const struct err *err)
{
    w->wrong++;
    w->say(w->arg, err->text);
}

static void tell_gap(struct walk *w, const struct link *l, int from)
{
    struct err err;

    if (from == l->number - 1)
        fail(&err, "the chain %s has a gap: its record number %d is missing",
             l->chain, from);
    else
        fail(&err,
             "the chain %s has a gap: its records number %d to %d are missing",
             l->chain, from, l->number - 1);
    tell(w, &err);
}

static void compare(struct walk *w, const struct link *l)
{
    static const uint8_t zeros[SHA256_BYTES];
    const struct link *last = w->last;
    struct err err;

    if (!last && w->whole && l->number > 1)
        tell_gap(w, l, 1);
    if (last && l->number > last->number + 1)
        tell_gap(w, l, last->number + 1);
    if ((l->number == 1 && memcmp(l->before, zeros, sizeof zeros) != 0) ||
        (last && l->number == last->number + 1 &&
         memcmp(l->before, last->link, sizeof last->link) != 0)) {
        fail(&err,
             "%s: it does not follow number %d of the chain %s, which has "
             "changed",
             l->place, l->number - 1, l->chain);
        tell(w, &err);
    }
}

static void visit(const void *node, VISIT which, void *arg)
{
    const struct link *l = *(struct link *const *)node;
    struct walk *w = arg;

    if (which != postorder && which != leaf)
        return;
    if (w->last && by_chain(w->last, l) != 0)
        w->last = NULL;
    compare(w, l);
    w->last = l;
}

int chain_check_end(struct chain_check *c, bool whole, chain_say *say,
                    void *arg)
{
    struct walk w = {.whole = whole, .say = say, .arg = arg};

    twalk_r(c->tree, visit, &w);
    return w.wrong;
}

bool chain_check_head(const struct chain_check *c, const char *chain,
                      int number, const uint8_t link[SHA256_BYTES],
                      struct err *why)
{
    struct link wanted = {.number = number};
    struct link **found = NULL;

    strncpy(wanted.chain, chain, sizeof wanted.chain - 1);
    for (int i = 0; i < c->keys && !found; i++) {
        memcpy(wanted.key, c->key[i], sizeof wanted.key);
        found = tfind(&wanted, &c->tree, by_number);
    }
    if (!found)
        return fail(why, "number %d of the chain %s is missing", number, chain);
    return memcmp((*found)->link, link, SHA256_BYTES) == 0 ||
           fail(why,
                "%s: history was changed: the head contradicts number %d of "
                "the chain %s or an earlier record",
                (*found)->place, number, chain);
}

struct heads {
    const struct link *last;
    chain_each *each;
    void *arg;
};

static void tell_head(const struct heads *h)
{
    struct chain chain = {.number = h->last->number};

    memcpy(chain.name, h->last->chain, sizeof chain.name);
    memcpy(chain.link, h->last->link, sizeof chain.link);
    h->each(h->arg, &chain, h->last->key);
}

static void visit_head(const void *node, VISIT which, void *arg)
{
    const struct link *l = *(struct link *const *)node;
    struct heads *h = arg;

    if (which != postorder && which != leaf)
        return;
    if (h->last && by_chain(h->last, l) != 0)
        tell_head(h);
    h->last = l;
}

void chain_check_heads(const struct chain_check *c, chain_each *each, void *arg)
{
    struct heads h = {.each = each, .arg = arg};

    twalk_r(c->tree, visit_head, &h);
    if (h.last)
        tell_head(&h);
}
