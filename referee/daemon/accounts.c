#include "daemon/accounts.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const int64_t hour_us = INT64_C(3600000000);

int64_t streak_count(struct streak *s, int free, bool failed, int64_t began_us,
                     int64_t now_us)
{
    int64_t rest = REST_FIRST_US;

    if (failed && began_us < s->failed_us)
        return 0;
    if (failed)
        s->failed_us = now_us;
    s->failures = failed ? s->failures + 1 : 0;
    if (s->failures <= free)
        return 0;
    for (int i = s->failures; i > free + 1 && rest < REST_MAX_US; i--)
        rest *= 2;
    if (rest > REST_MAX_US)
        rest = REST_MAX_US;
    s->rests_us = now_us + rest;
    return rest;
}

/* FNV-1a; the slot in which this key is, or belongs. */
static int find_slot(const struct accounts *a, const char *key)
{
    uint32_t hash = 2166136261u, mask = (uint32_t)(a->slot_cap - 1);
    int i;

    for (const char *c = key; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    i = (int)(hash & mask);
    while (a->slot[i] != NO_ACCOUNT &&
           strcmp(a->account[a->slot[i]].key, key) != 0)
        i = (int)(((uint32_t)i + 1) & mask);
    return i;
}

static void grow(struct accounts *a)
{
    a->slot_cap = a->slot_cap ? 2 * a->slot_cap : 64;
    a->slot = must_resize(a->slot, (size_t)a->slot_cap, sizeof *a->slot);
    for (int i = 0; i < a->slot_cap; i++)
        a->slot[i] = NO_ACCOUNT;
    for (int i = 0; i < a->count; i++)
        a->slot[find_slot(a, a->account[i].key)] = i;
}

int accounts_of(struct accounts *a, const char *key)
{
    int slot;

    if (2 * a->count >= a->slot_cap)
        grow(a);
    slot = find_slot(a, key);
    if (a->slot[slot] != NO_ACCOUNT)
        return a->slot[slot];
    if (a->count == a->cap) {
        a->cap = a->cap ? 2 * a->cap : 32;
        a->account =
            must_resize(a->account, (size_t)a->cap, sizeof *a->account);
    }
    a->account[a->count] = (struct account){.key = must_alloc(strdup(key))};
    return a->slot[slot] = a->count++;
}

struct account *accounts_at(const struct accounts *a, int number)
{
    return number == NO_ACCOUNT ? NULL : &a->account[number];
}

void accounts_release(struct accounts *a)
{
    for (int i = 0; i < a->count; i++)
        free(a->account[i].key);
    free(a->account);
    free(a->slot);
    *a = (struct accounts){0};
}

void account_fresh(struct account *a, int64_t now_us)
{
    if (now_us - a->fresh_us >= hour_us) {
        a->fresh_us = now_us;
        a->fresh = 0;
    }
    a->fresh++;
}

int64_t account_full_until(const struct account *a, int most, int64_t now_us)
{
    if (most == 0 || a->fresh < most || now_us - a->fresh_us >= hour_us)
        return 0;
    return a->fresh_us + hour_us;
}
