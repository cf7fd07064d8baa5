/* run/cores: which processors make a core, and who gets which. */

#include "base/err.h"
#include "run/child.h"
#include "run/cores.h"
#include "run/loop.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/referee-cores-XXXXXX");
    cr_assert(mkdtemp(root));
}

static void remove_root(void)
{
    char command[100];

    snprintf(command, sizeof command, "rm -rf %s", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(cores, .init = make_root, .fini = remove_root);

/* What the machine says of one processor. */
static void say_siblings(int processor, const char *list)
{
    char command[300];

    snprintf(command, sizeof command,
             "d=%s/sys/devices/system/cpu/cpu%d/topology; mkdir -p $d && "
             "echo %s >$d/thread_siblings_list",
             root, processor, list);
    cr_assert_eq(system(command), 0);
}

/* Processors 0 to count - 1. */
static struct cores *machine(int count)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int i = 0; i < count; i++)
        CPU_SET((size_t)i, &set);
    return cores_look(root, &set);
}

static void hyper_threads(void)
{
    for (int i = 0; i < 8; i++) {
        char list[16];

        snprintf(list, sizeof list, "%d,%d", i % 4, i % 4 + 4);
        say_siblings(i, list);
    }
}

static const char *text_of(const struct core_share *share)
{
    static char text[CORES_TEXT];

    cores_text(&share->set, text);
    return text;
}

Test(cores, without_a_topology_each_processor_is_a_core)
{
    struct cores *c = machine(3);

    cr_assert_eq(cores_count(c), 3);
    cr_assert_eq(cores_processors(c), 3);
    cores_free(c);
}

Test(cores, the_threads_of_a_core_go_to_one_bot)
{
    struct cores *c;
    struct core_share a, b;

    hyper_threads();
    c = machine(8);
    cr_assert_eq(cores_count(c), 4);
    cr_assert_eq(cores_processors(c), 8);
    cores_split(c, 2);
    cores_take(c, 1, &a);
    cr_assert_str_eq(text_of(&a), "1,5");
    cores_take(c, 1, &b);
    cr_assert_str_eq(text_of(&b), "2,6");
    cores_free(c);
}

Test(cores, ranges_of_siblings_are_read)
{
    struct cores *c;

    for (int i = 0; i < 4; i++)
        say_siblings(i, "0-3");
    c = machine(4);
    cr_assert_eq(cores_count(c), 1);
    cores_free(c);
}

/* The sibling of a processor that we may not use is not ours either. */
Test(cores, only_processors_that_may_be_used_count)
{
    struct cores *c;
    struct core_share a;

    hyper_threads();
    c = machine(4);
    cr_assert_eq(cores_count(c), 4);
    cr_assert_eq(cores_processors(c), 4);
    cores_split(c, 3);
    cores_take(c, 2, &a);
    cr_assert_str_eq(text_of(&a), "1-2");
    cores_free(c);
}

Test(cores, what_does_not_fit_is_refused_with_the_numbers)
{
    struct cores *c = machine(2);
    struct err err;

    cr_assert(cores_fit(c, 1, false, &err));
    cr_assert_not(cores_fit(c, 1, true, &err));
    cr_assert(strstr(err.text, "1 for bots, 1 for bots without their own and "
                               "1 for the referee make 3 cores, but this "
                               "machine offers 2"),
              "%s", err.text);
    cr_assert_not(cores_fit(c, 2, false, &err));
    cores_free(c);
}

Test(cores, nobody_shares_and_nobody_gets_that_of_the_referee)
{
    struct cores *c = machine(6);
    struct core_share own[3], rest;

    cores_split(c, 4);
    cores_take(c, 2, &own[0]);
    cores_take(c, 1, &own[1]);
    cores_take(c, 1, &own[2]);
    cores_take(c, 0, &rest);
    cr_assert_str_eq(text_of(&own[0]), "1-2");
    cr_assert_str_eq(text_of(&own[1]), "3");
    cr_assert_str_eq(text_of(&own[2]), "4");
    cr_assert_str_eq(text_of(&rest), "5");
    cores_free(c);
}

/* The last bot of a core may still be ending: take the one that is free
 * longest. */
Test(cores, what_was_given_back_first_is_taken_first)
{
    struct cores *c = machine(4);
    struct core_share a, b, next;

    cores_split(c, 2);
    cores_take(c, 1, &a);
    cores_take(c, 1, &b);
    cores_give_back(c, &b);
    cores_give_back(c, &a);
    cores_take(c, 1, &next);
    cr_assert_str_eq(text_of(&next), "2");
    cores_free(c);
}

Test(cores, where_none_is_free_the_one_with_the_fewest_bots_is_shared)
{
    struct cores *c = machine(3);
    struct core_share a, b, third, fourth;

    cores_split(c, 2);
    cores_take(c, 1, &a);
    cores_take(c, 1, &b);
    cores_take(c, 1, &third);
    cores_take(c, 1, &fourth);
    cr_assert_eq(CPU_COUNT(&third.set), 1);
    cr_assert_not(CPU_EQUAL(&third.set, &fourth.set));
    cores_give_back(c, &third);
    cores_take(c, 1, &third);
    cr_assert_not(CPU_EQUAL(&third.set, &fourth.set));
    cores_free(c);
}

/* All that a child prints, up to its end. */
static void read_all(struct child *child, char *out, size_t size)
{
    struct pollfd from = {.fd = child->from, .events = POLLIN};
    size_t len = 0;
    ssize_t n;

    do {
        poll(&from, 1, -1);
        n = read(child->from, out + len, size - 1 - len);
        len += n > 0 ? (size_t)n : 0;
    } while (n > 0);
    out[len] = '\0';
}

/* A hint or a build, for example. */
Test(cores, what_is_no_bot_keeps_off_the_core_of_the_referee, .timeout = 30)
{
    char program[] = "grep", what[] = "Cpus_allowed_list", out[200];
    char where[] = "/proc/self/status";
    char *argv[] = {program, what, where, NULL};
    const struct child_config config = {.argv = argv};
    cpu_set_t ours;
    struct cores *c = machine(2);
    struct child child;
    struct loop loop;
    struct err err;

    cr_assert_eq(sched_getaffinity(0, sizeof ours, &ours), 0);
    if (!CPU_ISSET(0, &ours) || !CPU_ISSET(1, &ours))
        cr_skip_test("this needs the processors 0 and 1");
    loop_init(&loop);
    loop.children.cores = c;
    cores_split(c, 0);
    cr_assert(child_start(&child, &loop.children, &config, &err));
    read_all(&child, out, sizeof out);
    cr_assert_str_eq(out, "Cpus_allowed_list:\t1\n");
    child_close(&child);
    loop_release(&loop);
    cores_free(c);
}
