#include "cmd/check/report.h"

#include "base/paint.h"
#include "base/readable.h"
#include "cmd/lib/term.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, LABEL_AT = 10, TEXT_AT = 18 };

static const struct {
    const char *word;
    const char *key; /* in JSON */
    enum paint paint;
} verdicts[VERDICTS] = {
    [VERDICT_PASSED] = {"ok", "ok", PAINT_GREEN},
    [VERDICT_REMARK] = {"remark", "remark", PAINT_YELLOW},
    [VERDICT_FAULT] = {"FAULT", "fault", PAINT_RED},
};

const char *short_time(int64_t us)
{
    static char text[4][32];
    static int next;
    char *out = text[next++ % 4];

    if (us < 10000)
        snprintf(out, sizeof *text, "%.1f ms", (double)us / 1e3);
    else if (us < 1000000)
        snprintf(out, sizeof *text, "%d ms", (int)(us / 1000));
    else
        snprintf(out, sizeof *text, "%.1f s", (double)us / 1e6);
    return out;
}

static void print(struct report *r)
{
    if (!r->as_json) {
        fputs(r->out.text, stdout);
        fflush(stdout);
    }
    buf_reset(&r->out);
}

void report_begin(struct report *r, const struct report_words *words,
                  const char *name, bool as_json)
{
    *r = (struct report){
        .as_json = as_json,
        .colour = !as_json && term_colours(stdout),
        .words = words,
        .name = name,
        .checks = json_array(),
    };
    buf_init(&r->out, 1 << 20);
    buf_add(&r->out, "Checking %s\n", name);
    print(r);
}

void report_section(struct report *r, const char *title)
{
    snprintf(r->section, sizeof r->section, "%s", title);
    buf_char(&r->out, '\n');
    painted(&r->out, r->colour, PAINT_BOLD, title);
    buf_char(&r->out, '\n');
    print(r);
}

/* Text for people. */

static void add_blanks(struct buf *out, int count)
{
    buf_add(out, "%*s", count, "");
}

/* Wrap words into lines that start at a column. */
static void add_wrapped(struct buf *out, const char *text, int column)
{
    int at = column;

    while (*text) {
        int n = (int)strcspn(text, " ");

        if (at > column && at + 1 + n > WIDTH) {
            buf_char(out, '\n');
            add_blanks(out, column);
            at = column;
        } else if (at > column) {
            buf_char(out, ' ');
            at++;
        }
        buf_put(out, text, (size_t)n);
        at += n;
        text += n;
        text += strspn(text, " ");
    }
    buf_char(out, '\n');
}

static void add_label(struct report *r, const char *label)
{
    add_blanks(&r->out, LABEL_AT);
    paint(&r->out, r->colour, PAINT_DIM);
    buf_add(&r->out, "%-*s", TEXT_AT - LABEL_AT, label);
    paint(&r->out, r->colour, PAINT_PLAIN);
}

static void add_labelled(struct report *r, const char *label, const char *text)
{
    if (!*text)
        return;
    add_label(r, label);
    add_wrapped(&r->out, text, TEXT_AT);
}

/* Do not wrap quotes: every byte may matter. */
static void add_lines(struct report *r, const char *label, const char *text)
{
    while (*text) {
        int n = (int)strcspn(text, "\n");

        add_label(r, label);
        buf_add(&r->out, "%.*s\n", n, text);
        label = "";
        text += n + (text[n] == '\n');
    }
}

static void add_wanted(struct report *r, const struct finding *f)
{
    char text[sizeof f->wanted + 40];

    if (!*f->wanted)
        return;
    snprintf(text, sizeof text, f->where ? "%s (protocol.md %s)" : "%s",
             f->wanted, f->where);
    add_labelled(r, "wanted", text);
}

static void add_text(struct report *r, const struct finding *f)
{
    struct buf *out = &r->out;

    buf_str(out, "  ");
    paint(out, r->colour, verdicts[f->verdict].paint);
    buf_add(out, "%-*s", LABEL_AT - 2, verdicts[f->verdict].word);
    paint(out, r->colour, PAINT_PLAIN);
    buf_add(out, "%-18s ", f->check);
    add_wrapped(out, f->text, LABEL_AT + 19);
    for (int i = 0; i < f->quotes; i++)
        add_lines(r, f->quote[i].sent ? "sent" : "came", f->quote[i].text);
    add_lines(r, "stderr", f->last_words);
    add_wanted(r, f);
    add_labelled(r, "hint", f->hint);
}

/* For machines. */

/* A bot may print bytes that are not UTF-8; JSON cannot hold them. */
static json_t *json_text(const char *text)
{
    struct buf plain;
    json_t *json;

    buf_init(&plain, 1 << 16);
    buf_readable(&plain, text, strlen(text));
    json = json_string(plain.text);
    buf_release(&plain);
    return json;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text && *text)
        json_object_set_new(object, key, json_text(text));
}

static void add_json(struct report *r, const struct finding *f)
{
    json_t *object = json_object(), *talk = json_array();

    set_text(object, "section", r->section);
    set_text(object, "check", f->check);
    set_text(object, "verdict", verdicts[f->verdict].key);
    set_text(object, "text", f->text);
    for (int i = 0; i < f->quotes; i++) {
        json_t *line = json_object();

        set_text(line, "from", f->quote[i].sent ? "referee" : "bot");
        json_object_set_new(line, "line", json_text(f->quote[i].text));
        json_array_append_new(talk, line);
    }
    if (f->quotes > 0)
        json_object_set(object, "talk", talk);
    json_decref(talk);
    set_text(object, "stderr", f->last_words);
    set_text(object, "wanted", f->wanted);
    set_text(object, "protocol", f->where);
    set_text(object, "hint", f->hint);
    if (f->facts)
        json_object_set(object, "facts", f->facts);
    json_array_append_new(r->checks, object);
}

void report_add(struct report *r, const struct finding *f)
{
    r->count[f->verdict]++;
    if (r->as_json)
        add_json(r, f);
    else
        add_text(r, f);
    json_decref(f->facts);
    print(r);
}

void report_ok(struct report *r, const char *check, const char *fmt, ...)
{
    struct finding f = {.verdict = VERDICT_PASSED};
    va_list ap;

    snprintf(f.check, sizeof f.check, "%s", check);
    va_start(ap, fmt);
    vsnprintf(f.text, sizeof f.text, fmt, ap);
    va_end(ap);
    report_add(r, &f);
}

static void end_json(const struct report *r, bool passed, bool complete)
{
    json_t *all = json_pack(
        "{s:o, s:b, s:b, s:i, s:i, s:i, s:O}", r->words->what,
        json_text(r->name), "passed", passed, "complete", complete, "ok",
        r->count[VERDICT_PASSED], "remarks", r->count[VERDICT_REMARK], "faults",
        r->count[VERDICT_FAULT], "checks", r->checks);

    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static void end_text(struct report *r, bool passed, bool complete)
{
    if (!complete)
        buf_str(&r->out, "\nThe rest was not tried: fix this first.\n");
    buf_add(&r->out,
            "\n%d ok, %d remark%s, %d fault%s: ", r->count[VERDICT_PASSED],
            r->count[VERDICT_REMARK], plural(r->count[VERDICT_REMARK]),
            r->count[VERDICT_FAULT], plural(r->count[VERDICT_FAULT]));
    painted(&r->out, r->colour, passed ? PAINT_GREEN : PAINT_RED,
            passed ? r->words->good : r->words->bad);
    buf_char(&r->out, '\n');
    print(r);
}

bool report_end(struct report *r, bool complete)
{
    bool passed = r->count[VERDICT_FAULT] == 0 && complete;

    if (r->as_json)
        end_json(r, passed, complete);
    else
        end_text(r, passed, complete);
    json_decref(r->checks);
    buf_release(&r->out);
    return passed;
}
