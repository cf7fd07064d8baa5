#include "daemon/hands.h"

#include <criterion/criterion.h>
#include <string.h>

static struct hands hands_of(int count, int parts)
{
    struct hands h = {.parts = parts};
    char id[] = "A";

    for (int i = 0; i < count; i++, id[0]++)
        cr_assert(hands_add(&h, id, 1, ""));
    return h;
}

/* The order in which all is played, such as "A1 B1 A2 B2". */
static const char *order(struct hands *h)
{
    static char text[200];
    bool more = true;

    for (text[0] = '\0'; more; more = hands_next(h))
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%d",
                 *text ? " " : "", hands_now(h)->id, hands_now(h)->part);
    return text;
}

Test(hands, no_part_follows_another_of_its_deal)
{
    struct hands h = hands_of(4, 2);

    cr_assert_eq(hands_left(&h), 8);
    cr_assert_str_eq(order(&h), "A1 B1 C1 D1 A2 B2 C2 D2");
    cr_assert_eq(hands_left(&h), 0);
    h = hands_of(2, 3);
    cr_assert_str_eq(order(&h), "A1 B1 A2 B2 A3 B3");
    h = hands_of(1, 3);
    cr_assert_str_eq(order(&h), "A1 A2 A3");
}

Test(hands, those_that_were_begun_in_another_run_go_on)
{
    struct hands h = {.parts = 2};

    hands_add(&h, "C", 1, "");
    hands_add(&h, "A", 2, "ab");
    hands_add(&h, "B", 2, "");
    cr_assert(hands_have_begun(&h));
    cr_assert_str_eq(order(&h), "C1 A2 B2 C2");
}

Test(hands, what_was_not_begun_can_be_dropped)
{
    struct hands h = hands_of(4, 2);

    cr_assert_not(hands_have_begun(&h));
    hands_next(&h);
    cr_assert(hands_have_begun(&h));
    cr_assert_str_eq(hands_now(&h)->id, "B");
    cr_assert_eq(hands_drop_new(&h), 4);
    cr_assert_str_eq(hands_now(&h)->id, "B", "it is being played");
    cr_assert_str_eq(order(&h), "B1 A2 B2");
}

Test(hands, there_is_a_limit)
{
    struct hands h = hands_of(HANDS_MAX, 2);

    cr_assert_not(hands_add(&h, "X", 1, ""));
}
