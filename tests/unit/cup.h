#ifndef TESTS_CUP_H
#define TESTS_CUP_H

/*
 * cup.h - tournaments whose results are made up from known strengths.
 */

#include "league/schedule.h"

/* How many entrants: even, odd, a power of two, and not. */
enum { CUP_SIZES = 4 };
extern const int cup_sizes[CUP_SIZES];

struct cup {
    struct schedule schedule;
    int strength[SCHEDULE_ENTRANTS_MAX]; /* a permutation: 0 is the strongest */
    double noise;                        /* 0: the stronger always wins */
    uint64_t chance;
};

/* A number below n. */
int cup_chance(uint64_t *chance, int n);

/* The config must be right. Seeds are as the strengths, until shuffled. */
void cup_init(struct cup *cup, struct schedule_config config, uint64_t chance);
void cup_release(struct cup *cup);
void cup_shuffle(struct cup *cup);

/* Play on: a round, or to the end, or that in an order left to chance. */
void cup_play_round(struct cup *cup);
void cup_play(struct cup *cup);
void cup_play_at_random(struct cup *cup);

/* All of one kind; the seeds shuffled. */
void cup_run(struct cup *cup, struct schedule_config config, double noise,
             uint64_t chance);

/* Spearman's: 1 if the standings are in the order of the strengths. */
double cup_correlation(const struct cup *cup);

/* How often any two met beyond the first time. */
int cup_rematches(const struct cup *cup);

#endif
