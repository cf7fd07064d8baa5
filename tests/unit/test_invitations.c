/* The file of invitations, which the server and commands write to. */

#include "store/invitations.h"

#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>

static char *folder, path[256], code[INVITATION_CODE + 1];
static char id[INVITATION_ID + 1];
static struct invitations all;
static struct err err;

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(path, sizeof path, "%s", scratch_path(folder, "invitations"));
    cr_assert(invitation_make(path, 2, "", "", code, &err));
    cr_assert(invitation_id(code, id));
    cr_assert(invitations_read(path, &all, &err), "%s", err.text);
}

static void end_test(void)
{
    invitations_release(&all);
    scratch_free(folder);
}

TestSuite(invitations, .init = begin_test, .fini = end_test, .timeout = 60);

static const char *why_not(void)
{
    return invitation_why_not(invitations_find(&all, id),
                              "2026-01-01T00:00:00Z");
}

Test(invitations, each_use_counts_at_once)
{
    cr_assert_null(why_not());
    cr_assert(invitations_use(path, &all, id, "dora", &err));
    cr_assert(invitations_use(path, &all, id, "emil", &err));
    cr_assert_str_eq(why_not(), "is used up");
    cr_assert(invitations_return(path, &all, id, "dora", &err));
    cr_assert_null(why_not());
    cr_assert(invitations_read(path, &all, &err));
    cr_assert_eq(invitations_find(&all, id)->used, 1);
    cr_assert_str_eq(invitations_find(&all, id)->bot[0], "emil");
}

/* The organiser's command writes between the server's reading and writing. */
Test(invitations, what_others_write_meanwhile_is_not_missed)
{
    cr_assert(invitation_revoke(path, id, &err));
    cr_assert(invitations_use(path, &all, id, "dora", &err));
    cr_assert(invitations_read(path, &all, &err));
    cr_assert_str_eq(why_not(), "was revoked");
    cr_assert_eq(invitations_find(&all, id)->used, 1);
}
