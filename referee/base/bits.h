#ifndef REFEREE_BASE_BITS_H
#define REFEREE_BASE_BITS_H

/*
 * bits.h - sets of up to 128 small numbers, such as the squares of a grid.
 *
 *     for (bits rest = free; rest; rest &= rest - 1)
 *         visit(bits_first(rest));
 */

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 bits;

static inline bits bit(int i)
{
    return (bits)1 << i;
}

static inline bool bits_has(bits set, int i)
{
    return (set >> i & 1) != 0;
}

/* The numbers 0 .. n-1; n is at most 127. */
static inline bits bits_below(int n)
{
    return bit(n) - 1;
}

/* The smallest member of a set that is not empty. */
static inline int bits_first(bits set)
{
    uint64_t low = (uint64_t)set;

    return low ? __builtin_ctzll(low)
               : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

/* The largest member of a set that is not empty. */
static inline int bits_last(bits set)
{
    uint64_t high = (uint64_t)(set >> 64);

    return high ? 127 - __builtin_clzll(high)
                : 63 - __builtin_clzll((uint64_t)set);
}

/* By pairs, fours and eights of bits: not every processor has a popcount. */
static inline int bits_count(bits set)
{
    const uint64_t ones = ~UINT64_C(0), pairs = ones / 3, fours = ones / 5;
    uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64), sum;

    low -= low >> 1 & pairs;
    high -= high >> 1 & pairs;
    low = (low & fours) + (low >> 2 & fours);
    high = (high & fours) + (high >> 2 & fours);
    sum = low + high;
    sum = (sum & ones / 17) + (sum >> 4 & ones / 17);
    return (int)(sum * (ones / 255) >> 56);
}

#endif
