#ifndef TESTS_SHIM_CRITERION_H
#define TESTS_SHIM_CRITERION_H

/*
 * Criterion's names for tests that run in one process, one after the other:
 * Criterion itself does not start under the thread sanitizer. Only what
 * tests/lib/test_lib.c needs.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_test {
    const char *name;
    void (*run)(void);
    struct plain_test *next;
};

static struct plain_test *plain_tests;

#define Test(suite, label, ...)                                        \
    static void plain_##label(void);                                   \
    __attribute__((constructor)) static void plain_add_##label(void)   \
    {                                                                  \
        static struct plain_test test = {#label, plain_##label, NULL}; \
                                                                       \
        test.next = plain_tests;                                       \
        plain_tests = &test;                                           \
    }                                                                  \
    static void plain_##label(void)

#define plain_assert(condition, text)                                 \
    do {                                                              \
        if (!(condition)) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text); \
            abort();                                                  \
        }                                                             \
    } while (0)

#define cr_assert(condition, ...)      plain_assert(condition, #condition)
#define cr_assert_not(condition, ...)  plain_assert(!(condition), #condition)
#define cr_assert_null(p, ...)         plain_assert((p) == NULL, #p)
#define cr_assert_not_null(p, ...)     plain_assert((p) != NULL, #p)
#define cr_assert_eq(a, b, ...)        plain_assert((a) == (b), #a " == " #b)
#define cr_assert_neq(a, b, ...)       plain_assert((a) != (b), #a " != " #b)
#define cr_assert_lt(a, b, ...)        plain_assert((a) < (b), #a " < " #b)
#define cr_assert_leq(a, b, ...)       plain_assert((a) <= (b), #a " <= " #b)
#define cr_assert_gt(a, b, ...)        plain_assert((a) > (b), #a " > " #b)
#define cr_assert_geq(a, b, ...)       plain_assert((a) >= (b), #a " >= " #b)
#define cr_assert_arr_eq(a, b, n, ...) plain_assert(memcmp(a, b, n) == 0, #a)
#define cr_assert_str_eq(a, b, ...)    plain_assert(strcmp(a, b) == 0, #a)
#define cr_assert_str_neq(a, b, ...)   plain_assert(strcmp(a, b) != 0, #a)
#define cr_assert_float_eq(a, b, e, ...) \
    plain_assert((a) - (b) <= (e) && (b) - (a) <= (e), #a " = " #b)

/* All tests, or those named. */
int main(int argc, char **argv)
{
    int count = 0;

    for (struct plain_test *t = plain_tests; t; t = t->next) {
        int wanted = argc < 2;

        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], t->name) == 0;
        if (!wanted)
            continue;
        t->run();
        count++;
    }
    printf("%d tests passed\n", count);
    return count > 0 ? 0 : 2;
}

#endif
