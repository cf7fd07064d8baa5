#include "daemon/trouble.h"

#include "run/loop.h"

#include <stdarg.h>
#include <stdio.h>

enum { TRY_AGAIN_US = 1000000 };

static const char *const well_again[TROUBLES] = {
    [TROUBLE_RECORD] = "records can be written again",
    [TROUBLE_INDEX] = "games are taken into the index again",
    [TROUBLE_START] = "games can be started again",
};

void trouble_begin(struct troubles *troubles, enum trouble_kind kind,
                   const char *fmt, ...)
{
    struct trouble *t = &troubles->of[kind];
    va_list args;

    t->again_us = now_us() + TRY_AGAIN_US;
    if (t->is_on)
        return;
    t->is_on = true;
    va_start(args, fmt);
    vsnprintf(t->text, sizeof t->text, fmt, args);
    va_end(args);
    log_line(troubles->log, LOG_ERROR, NULL,
             "%s; no game starts until that is over, nothing is lost", t->text);
}

void trouble_end(struct troubles *troubles, enum trouble_kind kind)
{
    if (!troubles->of[kind].is_on)
        return;
    troubles->of[kind].is_on = false;
    log_line(troubles->log, LOG_INFO, NULL, "%s", well_again[kind]);
    troubles->on_over(troubles->owner);
}

const char *trouble_text(const struct troubles *troubles)
{
    for (int i = 0; i < TROUBLES; i++)
        if (troubles->of[i].is_on)
            return troubles->of[i].text;
    return NULL;
}

bool trouble_allows_start(const struct troubles *troubles)
{
    const struct trouble *start = &troubles->of[TROUBLE_START];

    return !troubles->of[TROUBLE_RECORD].is_on &&
           !troubles->of[TROUBLE_INDEX].is_on &&
           (!start->is_on || now_us() >= start->again_us);
}
