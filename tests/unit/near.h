#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

/* For tests of statistics: numbers that are nearly right, seeded chance. */

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#define ASSERT_NEAR(value, wanted, margin)                                  \
    cr_assert(fabs((value) - (wanted)) <= (margin), "%s is %.9f, not %.9f", \
              #value, (double)(value), (double)(wanted))

/* SplitMix64; a uniform number between 0 and 1, never one of them. */
static inline double chance(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

#endif
