#ifndef REFEREE_STEADY_H
#define REFEREE_STEADY_H

/*
 * steady.h - exp and log that give the same bits on every machine.
 *
 * Those of the C library may differ in the last bit from one processor or
 * version to the next, and ratings that are published must not. These use
 * nothing but + - * /, which IEEE 754 defines to the bit (with contraction
 * switched off, see Makefile.am), in one fixed order. They are right to about
 * 1e-15 of their value.
 */

/* 0 where it would be less than 1e-308; x is at most 700. */
double steady_exp(double x);

/* x is positive and finite. */
double steady_log(double x);

#endif
