#include "daemon/shares.h"

#include <string.h>

enum { SECOND_US = 1000000 };

/* The row of an address. Addresses without a row share the last one. */
static struct share *share_of(struct shares *shares, const char *address)
{
    struct share *s = shares->share;
    char origin[ORIGIN_MAX];

    tcp_origin(address, origin);
    for (; s < shares->share + shares->count; s++)
        if (strcmp(s->origin, origin) == 0)
            return s;
    if (shares->count == SHARES_MAX)
        return s - 1;
    shares->count++;
    *s = (struct share){0};
    memcpy(s->origin, origin, sizeof s->origin);
    return s;
}

static bool has_had_turn(struct shares *shares, int64_t turn_us)
{
    if (shares->turn_us != turn_us)
        shares->used_in_turn_us = 0;
    shares->turn_us = turn_us;
    return turn_us != 0 && shares->used_in_turn_us > SHARE_OF_TURN_US;
}

struct share *shares_admit(struct shares *shares, const char *address,
                           int64_t now_us, int64_t turn_us)
{
    struct share *share;

    if (now_us - shares->since_us >= SECOND_US)
        *shares = (struct shares){.since_us = now_us};
    share = share_of(shares, address);
    if (shares->used_us > SHARE_OF_ALL_US ||
        share->used_us > SHARE_OF_ADDRESS_US || has_had_turn(shares, turn_us))
        return NULL;
    return share;
}

void shares_charge(struct shares *shares, struct share *share, int64_t used_us)
{
    share->used_us += used_us;
    shares->used_us += used_us;
    shares->used_in_turn_us += used_us;
}
