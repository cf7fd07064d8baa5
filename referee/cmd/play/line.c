#include "cmd/play/line.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { TYPED_MAX = 256, WORDS_BYTES = 1 << 20, SHOWN_MAX = 40 };

#ifdef HAVE_LIBEDIT

#include <histedit.h>

struct line_reader {
    EditLine *edit;
    History *history;
    FILE *out;
    const char *prompt;
    line_words *words;
    void *arg;
    struct buf found;
    char typed[TYPED_MAX];
};

static char *prompt_of(EditLine *edit)
{
    struct line_reader *r;

    el_get(edit, EL_CLIENTDATA, &r);
    return (char *)(size_t)r->prompt; /* libedit does not change it */
}

/* The number of bytes that all words have in common. */
static size_t common_length(const char *words)
{
    const char *end = strchr(words, '\n');
    size_t most = end ? (size_t)(end - words) : 0;

    for (const char *at = words; end && *at; at = end + 1) {
        size_t n = 0;

        end = strchr(at, '\n');
        while (n < most && at[n] == words[n])
            n++;
        most = n;
    }
    return most;
}

static void show_words(struct line_reader *r)
{
    const char *at = r->found.text;
    int count = 0;

    fputc('\n', r->out);
    for (; *at && count < SHOWN_MAX; count++) {
        size_t n = strcspn(at, "\n");

        fprintf(r->out, "%.*s%s", (int)n, at, count % 6 == 5 ? "\n" : "  ");
        at += n + 1;
    }
    fputs(*at ? "...\n" : count % 6 ? "\n" : "", r->out);
    fflush(r->out);
}

/*
 * Tab: add what all matching words continue with; if that is nothing, list
 * them.
 */
static unsigned char complete(EditLine *edit, int key)
{
    const LineInfo *line = el_line(edit);
    size_t n = (size_t)(line->cursor - line->buffer), all;
    char start[TYPED_MAX], rest[TYPED_MAX];
    struct line_reader *r;

    el_get(edit, EL_CLIENTDATA, &r);
    if (n >= sizeof start)
        return CC_ERROR;
    memcpy(start, line->buffer, n);
    start[n] = '\0';
    buf_reset(&r->found);
    r->words(r->arg, start, &r->found);
    all = common_length(r->found.text);
    if (r->found.len == 0 || all >= sizeof rest)
        return CC_ERROR;
    if (all > n) {
        snprintf(rest, sizeof rest, "%.*s", (int)(all - n), r->found.text + n);
        return el_insertstr(edit, rest) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (r->found.len == all + 1) /* it is complete */
        return CC_NORM;
    show_words(r);
    return CC_REDISPLAY;
}

struct line_reader *line_new(FILE *in, FILE *out, const char *prompt,
                             line_words *words, void *arg)
{
    struct line_reader *r = must_alloc(calloc(1, sizeof *r));
    HistEvent event;

    *r = (struct line_reader){
        .out = out, .prompt = prompt, .words = words, .arg = arg};
    buf_init(&r->found, WORDS_BYTES);
    r->history = history_init();
    history(r->history, &event, H_SETSIZE, 100);
    r->edit = must_alloc(el_init("referee", in, out, out));
    el_set(r->edit, EL_CLIENTDATA, r);
    el_set(r->edit, EL_PROMPT, prompt_of);
    el_set(r->edit, EL_EDITOR, "emacs");
    el_set(r->edit, EL_HIST, history, r->history);
    el_set(r->edit, EL_ADDFN, "complete", "complete a move", complete);
    el_set(r->edit, EL_BIND, "^I", "complete", NULL);
    return r;
}

void line_free(struct line_reader *r)
{
    if (!r)
        return;
    el_end(r->edit);
    history_end(r->history);
    buf_release(&r->found);
    free(r);
}

const char *line_read(struct line_reader *r)
{
    HistEvent event;
    int count = 0;
    const char *line = el_gets(r->edit, &count);

    if (!line || count <= 0)
        return NULL;
    snprintf(r->typed, sizeof r->typed, "%s", line);
    r->typed[strcspn(r->typed, "\r\n")] = '\0';
    if (r->typed[0])
        history(r->history, &event, H_ENTER, r->typed);
    return r->typed;
}

#else

struct line_reader {
    FILE *in, *out;
    const char *prompt;
    char typed[TYPED_MAX];
};

struct line_reader *line_new(FILE *in, FILE *out, const char *prompt,
                             line_words *words, void *arg)
{
    struct line_reader *r = must_alloc(calloc(1, sizeof *r));

    *r = (struct line_reader){.in = in, .out = out, .prompt = prompt};
    return r;
}

void line_free(struct line_reader *r)
{
    free(r);
}

const char *line_read(struct line_reader *r)
{
    fputs(r->prompt, r->out);
    fflush(r->out);
    if (!fgets(r->typed, sizeof r->typed, r->in))
        return NULL;
    r->typed[strcspn(r->typed, "\r\n")] = '\0';
    return r->typed;
}

#endif
