#include "daemon/budget.h"

#include <criterion/criterion.h>

static const struct budget_limits limits = {10, 35};

static bool allows(struct budget *b, const char *name, const char *owner,
                   int64_t now_us)
{
    bool is_news;

    return budget_allows(b, name, owner, &limits, now_us, &is_news);
}

Test(budget, a_bot_has_one_of_its_own)
{
    struct budget b = {0};
    bool is_news;

    budget_charge(&b, "anna", NULL, 9, 0);
    cr_assert(allows(&b, "anna", "", 0));
    budget_charge(&b, "anna", "", 1, 0);
    cr_assert_not(budget_allows(&b, "anna", "", &limits, 0, &is_news));
    cr_assert(is_news);
    cr_assert_not(budget_allows(&b, "anna", "", &limits, 0, &is_news));
    cr_assert_not(is_news);
    cr_assert(allows(&b, "bob", "", 0));
    budget_charge(&b, "anna", "", -1, 0);
    cr_assert(allows(&b, "anna", "", 0), "what is given back can be used");
    budget_release(&b);
}

Test(budget, an_owner_has_that_of_two_bots)
{
    struct budget b = {0};

    budget_charge(&b, "anna1", "Anna", 9, 0);
    budget_charge(&b, "anna2", "Anna", 9, 0);
    cr_assert(allows(&b, "anna3", "Anna", 0));
    budget_charge(&b, "anna3", "Anna", 2, 0);
    cr_assert_not(allows(&b, "anna3", "Anna", 0));
    cr_assert_not(allows(&b, "anna4", "Anna", 0), "another name is no help");
    cr_assert(allows(&b, "bob", "Bob", 0));
    budget_release(&b);
}

Test(budget, all_have_one)
{
    static const char *const name[] = {"a", "b", "c", "d"};
    struct budget b = {0};

    for (int i = 0; i < 4; i++)
        budget_charge(&b, name[i], "", 9, 0);
    cr_assert_not(allows(&b, "e", "", 0));
    budget_release(&b);
}

Test(budget, a_window_ends)
{
    struct budget b = {.window_us = 100};
    bool is_news;

    budget_charge(&b, "anna", "Anna", 20, 1000);
    cr_assert_not(allows(&b, "anna", "Anna", 1099));
    cr_assert(allows(&b, "anna", "Anna", 1100));
    cr_assert_eq(b.names.count, 1, "others are forgotten with the window");
    budget_charge(&b, "anna", "Anna", 20, 1100);
    cr_assert_not(budget_allows(&b, "anna", "Anna", &limits, 1100, &is_news));
    cr_assert(is_news);
    budget_release(&b);
}
