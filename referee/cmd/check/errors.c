/*
 * A bot that catches its own exceptions continues with worse or random moves,
 * and nobody notices. Its stderr and its '?' answers give it away.
 */

#include "cmd/check/advice.h"
#include "cmd/check/parts.h"

#include <stdio.h>
#include <string.h>

enum { TRACE_BYTES = 3500 };

/* What languages print when something goes wrong. */
static const char *const signs[] = {
    "Traceback (most recent call last)",
    "Exception in thread",
    "Error: ",
    "Exception: ",
    "panicked at",
    "panic: ",
    "stack traceback:",
    "terminate called",
    "Segmentation fault",
    "runtime error:",
    "Sanitizer",
    "Unhandled exception",
    "core dumped",
};

static const char *line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

const char *find_error(const char *text)
{
    const char *first = NULL;

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = strstr(text, signs[i]);

        if (at && (!first || at < first))
            first = at;
    }
    return first ? line_start(text, first) : NULL;
}

const char *find_last_error(const char *text)
{
    const char *found = find_error(text), *at = found;

    /*
     * Count only these errors outside tracebacks, which contain "Error: " too.
     */
    while (at && (at = strstr(at + 1, signs[0])) != NULL)
        found = line_start(text, at);
    return found;
}

/* Read a traceback up to the next one, or up to a limit. */
static size_t trace_length(const char *trace)
{
    const char *next = strstr(trace + 1, signs[0]);
    size_t n = next ? (size_t)(line_start(trace, next) - trace) : strlen(trace);

    return n < TRACE_BYTES ? n : TRACE_BYTES;
}

static void report_stderr(struct check *c)
{
    const struct stderr_tally *errors = &c->exam.errors;
    const char *trace = find_error(errors->head.text);
    const char *lines = errors->lines == 1 ? "line" : "lines";
    struct finding f;

    if (errors->lines == 0) {
        report_ok(&c->report, "standard error", "nothing was written");
        return;
    }
    if (trace) {
        finding_begin(&f, VERDICT_FAULT, "standard error",
                      "the bot wrote %lld %s; the first error is below",
                      (long long)errors->lines, lines);
        quote_stderr(&f, trace, trace_length(trace));
        snprintf(f.wanted, sizeof f.wanted, "no errors, caught or not");
        snprintf(f.hint, sizeof f.hint,
                 "the bot continued after an error, so its moves may not be "
                 "the ones you intended. Fix the error; do not catch it");
    } else {
        finding_begin(&f, VERDICT_REMARK, "standard error",
                      "the bot wrote %lld %s; the first is below",
                      (long long)errors->lines, lines);
        quote_stderr(&f, errors->head.text, strcspn(errors->head.text, "\n"));
        snprintf(f.hint, sizeof f.hint,
                 "harmless if this is your own log; match --records DIR "
                 "keeps it");
    }
    report_add(&c->report, &f);
}

static void report_refused(struct check *c)
{
    const struct exam *e = &c->exam;
    struct finding f;

    if (e->refusals == 0)
        return;
    finding_begin(&f, VERDICT_FAULT, "failed commands",
                  "\"?\" in answer to %d command%s that the bot lists",
                  e->refusals, e->refusals == 1 ? "" : "s");
    f.quotes = 1;
    f.quote[0] = e->refusal;
    f.where = "6.2";
    snprintf(f.wanted, sizeof f.wanted, "\"=\" to every command it lists");
    snprintf(f.hint, sizeof f.hint,
             "an error inside the bot is answered with \"?\", and the game "
             "continues without it. Fix the error, or do not list the command");
    report_add(&c->report, &f);
}

/* What the walls blocked, from their messages on stderr; each item once. */
static void report_walls(struct check *c)
{
    static const char told[] = "referee: the walls stopped this bot: it ";
    const struct walls *walls = c->exam.config->walls;
    const char *text = c->exam.errors.head.text, *at = text;
    struct finding f;
    int count = 0;

    if (!walls)
        return;
    finding_begin(&f, VERDICT_REMARK, "walls", "%s stopped the bot",
                  wall_word(walls->wall));
    while ((at = strstr(at, told)) != NULL) {
        size_t n = strcspn(at += sizeof told - 1, "\n");
        char line[QUOTE_BYTES];

        snprintf(line, sizeof line, "it %.*s", (int)n, at);
        if (count < QUOTES_MAX && !strstr(f.hint, line))
            snprintf(f.hint + strlen(f.hint), sizeof f.hint - strlen(f.hint),
                     "%s%s", count++ ? "; " : "", line);
    }
    if (count > 0)
        report_add(&c->report, &f);
    else
        report_ok(&c->report, "walls", "%s, and nothing was stopped",
                  wall_word(walls->wall));
}

void check_errors(struct check *c)
{
    report_refused(c);
    report_walls(c);
    report_stderr(c);
}
