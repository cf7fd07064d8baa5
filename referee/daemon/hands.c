#include "daemon/hands.h"

#include <stdio.h>

bool hands_add(struct hands *h, const char *id, int part, const char *entropy)
{
    struct hand *hand = &h->hand[h->count];

    if (h->count == HANDS_MAX)
        return false;
    *hand = (struct hand){.part = part};
    snprintf(hand->id, sizeof hand->id, "%s", id);
    snprintf(hand->entropy, sizeof hand->entropy, "%s", entropy);
    h->count++;
    return true;
}

static int parts_left(const struct hands *h, int i)
{
    return h->parts - h->hand[i].part + 1;
}

int hands_left(const struct hands *h)
{
    int left = 0;

    for (int i = 0; i < h->count; i++)
        left += parts_left(h, i);
    return left;
}

bool hands_have_begun(const struct hands *h)
{
    for (int i = 0; i < h->count; i++)
        if (h->hand[i].part > 1)
            return true;
    return false;
}

bool hands_next(struct hands *h)
{
    int next;

    h->hand[h->at].part++;
    next = (h->at + 1) % h->count;
    for (int i = 1; i < h->count; i++) {
        int other = (h->at + 1 + i) % h->count;

        if (h->hand[other].part < h->hand[next].part)
            next = other;
    }
    h->at = next;
    return parts_left(h, next) > 0;
}

int hands_drop_new(struct hands *h)
{
    int kept = 0, games = 0;

    for (int i = 0; i < h->count; i++) {
        if (h->hand[i].part == 1 && i != h->at) {
            games += h->parts;
            continue;
        }
        if (i == h->at)
            h->at = kept;
        h->hand[kept++] = h->hand[i];
    }
    h->count = kept;
    return games;
}
