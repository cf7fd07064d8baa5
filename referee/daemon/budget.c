#include "daemon/budget.h"

enum { OWNER_FACTOR = 2 };

void budget_release(struct budget *b)
{
    accounts_release(&b->names);
    accounts_release(&b->owners);
    b->all = 0;
}

/*
 * A name that used something in the last window is forgotten with that window.
 */
static void begin_window(struct budget *b, int64_t now_us)
{
    if (b->window_us == 0 || now_us - b->since_us < b->window_us)
        return;
    budget_release(b);
    b->since_us = now_us;
}

static struct account *account_of(struct accounts *accounts, const char *key)
{
    return accounts_at(accounts, key && key[0] ? accounts_of(accounts, key)
                                               : (int)NO_ACCOUNT);
}

static void charge(struct account *account, int64_t amount)
{
    if (account)
        account->used += amount;
}

void budget_charge(struct budget *b, const char *name, const char *owner,
                   int64_t amount, int64_t now_us)
{
    begin_window(b, now_us);
    charge(account_of(&b->names, name), amount);
    charge(account_of(&b->owners, owner), amount);
    b->all += amount;
}

bool budget_allows(struct budget *b, const char *name, const char *owner,
                   const struct budget_limits *limits, int64_t now_us,
                   bool *is_news)
{
    struct account *a, *o;
    bool allows;

    begin_window(b, now_us);
    a = account_of(&b->names, name);
    o = account_of(&b->owners, owner);
    allows = b->all < limits->all && a->used < limits->each &&
             (!o || o->used < OWNER_FACTOR * limits->each);
    *is_news = !allows && !a->is_out;
    a->is_out = !allows;
    return allows;
}
