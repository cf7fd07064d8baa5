#include "daemon/lockouts.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { SECOND_US = 1000000, BEGIN_US = 1000 * SECOND_US };

static const char home[] = "10.0.0.1", elsewhere[] = "10.0.0.2";

/* As the doors count a wrong login. */
static void fail_once(struct lockouts *l, const char *origin, const char *name,
                      int64_t now_us)
{
    lockouts_count(l, origin, name, 1, now_us);
    lockouts_count(l, origin, "", FAILED_LOGIN, now_us);
}

Test(lockouts, a_name_is_refused_where_it_failed)
{
    struct lockouts l = {.failures_max = 3};

    fail_once(&l, home, "anna", BEGIN_US);
    fail_once(&l, home, "anna", BEGIN_US);
    cr_expect_eq(lockouts_left_s(&l, home, "anna", BEGIN_US), 0);
    cr_expect_eq(lockouts_count(&l, home, "anna", 1, BEGIN_US), 60,
                 "the one that locks it out says for how long");
    cr_expect_eq(lockouts_count(&l, home, "anna", 1, BEGIN_US), 0,
                 "and only that");
    cr_expect_eq(lockouts_left_s(&l, home, "anna", BEGIN_US), 60);
    cr_expect_eq(lockouts_left_s(&l, home, "bob", BEGIN_US), 0);
    cr_expect_eq(lockouts_left_s(&l, elsewhere, "anna", BEGIN_US), 0);
    cr_expect_eq(lockouts_left_s(&l, home, "", BEGIN_US), 0);
}

Test(lockouts, a_minute_later_it_begins_anew)
{
    struct lockouts l = {.failures_max = 2};

    fail_once(&l, home, "anna", BEGIN_US);
    fail_once(&l, home, "anna", BEGIN_US);
    cr_expect_eq(lockouts_left_s(&l, home, "anna", BEGIN_US + 59 * SECOND_US),
                 1);
    cr_expect_eq(lockouts_left_s(&l, home, "anna", BEGIN_US + 60 * SECOND_US),
                 0);
    fail_once(&l, home, "anna", BEGIN_US + 61 * SECOND_US);
    cr_expect_eq(lockouts_left_s(&l, home, "anna", BEGIN_US + 61 * SECOND_US),
                 0, "old failures do not count any more");
}

Test(lockouts, an_address_takes_ten_times_as_many)
{
    struct lockouts l = {.failures_max = 3};
    char name[8];

    for (int i = 0; i < 30; i++) {
        cr_expect_eq(lockouts_left_s(&l, home, "", BEGIN_US), 0);
        snprintf(name, sizeof name, "bot%d", i);
        fail_once(&l, home, name, BEGIN_US);
    }
    cr_expect_eq(lockouts_left_s(&l, home, "", BEGIN_US), 60);
    cr_expect_eq(lockouts_left_s(&l, elsewhere, "", BEGIN_US), 0);
}

Test(lockouts, a_unix_socket_is_never_refused_altogether)
{
    struct lockouts l = {.failures_max = 1};

    for (int i = 0; i < 100; i++)
        fail_once(&l, "unix", "anna", BEGIN_US);
    cr_expect_eq(lockouts_left_s(&l, "unix", "anna", BEGIN_US), 60);
    cr_expect_eq(lockouts_left_s(&l, "unix", "", BEGIN_US), 0);
}

Test(lockouts, the_oldest_makes_room)
{
    struct lockouts l = {.failures_max = 1};
    char name[16];

    for (int i = 0; i <= LOCKOUT_ROOM; i++) {
        snprintf(name, sizeof name, "bot%d", i);
        lockouts_count(&l, home, name, 1, BEGIN_US + i);
    }
    cr_expect_eq(lockouts_left_s(&l, home, "bot0", BEGIN_US + LOCKOUT_ROOM), 0);
    cr_expect_gt(lockouts_left_s(&l, home, "bot1", BEGIN_US + LOCKOUT_ROOM), 0);
    cr_expect_gt(lockouts_left_s(&l, home, name, BEGIN_US + LOCKOUT_ROOM), 0);
}
