#include "web/markdown.h"

#include "web/page.h"

#include <stdbool.h>
#include <string.h>

static const char fence[] = "```";

/* A piece of text. */
struct span {
    const char *at, *end;
};

static bool begins(struct span s, const char *with)
{
    size_t n = strlen(with);

    return (size_t)(s.end - s.at) >= n && memcmp(s.at, with, n) == 0;
}

/* The next place where this occurs, or NULL. */
static const char *find(struct span s, const char *what)
{
    for (; s.at < s.end; s.at++)
        if (begins(s, what))
            return s.at;
    return NULL;
}

static void add_text(struct buf *out, struct span s)
{
    for (; s.at < s.end; s.at++) {
        char one[2] = {*s.at, '\0'};

        html_text(out, one);
    }
}

/* Within a line. */

static void add_inline(struct buf *out, struct span s);

/* "**strong**" and the like; false if it has no end. */
static bool take_marked(struct buf *out, struct span *s, const char *mark,
                        const char *element)
{
    size_t n = strlen(mark);
    struct span rest = {s->at + n, s->end};
    const char *end = begins(*s, mark) ? find(rest, mark) : NULL;

    if (!end || end == rest.at || *rest.at == ' ')
        return false;
    buf_add(out, "<%s>", element);
    if (*mark == '`')
        add_text(out, (struct span){rest.at, end});
    else
        add_inline(out, (struct span){rest.at, end});
    buf_add(out, "</%s>", element);
    s->at = end + n;
    return true;
}

/* "[text](elsewhere)" */
static bool take_link(struct buf *out, struct span *s)
{
    const char *middle = *s->at == '[' ? find(*s, "](") : NULL;
    const char *end = middle ? find((struct span){middle, s->end}, ")") : NULL;

    if (!end)
        return false;
    add_inline(out, (struct span){s->at + 1, middle});
    s->at = end + 1;
    return true;
}

static void add_inline(struct buf *out, struct span s)
{
    while (s.at < s.end) {
        if (take_marked(out, &s, "`", "code") ||
            take_marked(out, &s, "**", "strong") ||
            take_marked(out, &s, "*", "em") || take_link(out, &s))
            continue;
        add_text(out, (struct span){s.at, s.at + 1});
        s.at++;
    }
}

/* Lines. */

static struct span next_line(struct span *text)
{
    const char *feed = find(*text, "\n");
    struct span line = {text->at, feed ? feed : text->end};

    text->at = feed ? feed + 1 : text->end;
    return line;
}

static bool is_blank(struct span line)
{
    while (line.at < line.end && *line.at == ' ')
        line.at++;
    return line.at == line.end;
}

/* True if this line begins something other than a paragraph. */
static bool begins_block(struct span line)
{
    return is_blank(line) || begins(line, "|") || begins(line, "* ") ||
           begins(line, "### ") || begins(line, fence);
}

/* Join the lines up to the next block. */
static void add_lines(struct buf *out, struct span first, struct span *text)
{
    struct span all = first, ahead = *text;

    while (ahead.at < ahead.end && !begins_block(next_line(&ahead)))
        text->at = ahead.at;
    all.end = text->at > first.end ? text->at : first.end;
    while (all.end > all.at && all.end[-1] == '\n')
        all.end--;
    add_inline(out, all);
}

static void add_fence(struct buf *out, struct span *text)
{
    buf_str(out, "<pre tabindex=\"0\">");
    while (text->at < text->end) {
        struct span line = next_line(text);

        if (begins(line, fence))
            break;
        add_text(out, line);
        buf_char(out, '\n');
    }
    buf_str(out, "</pre>\n");
}

static void add_list(struct buf *out, struct span line, struct span *text)
{
    buf_str(out, "<ul>\n");
    for (;;) {
        struct span ahead = *text;

        line.at += strlen("* ");
        buf_str(out, "<li>");
        add_lines(out, line, text);
        buf_str(out, "</li>\n");
        ahead = *text;
        line = next_line(&ahead);
        if (!begins(line, "* "))
            break;
        *text = ahead;
    }
    buf_str(out, "</ul>\n");
}

/* "| one | two |" with the element for its cells. */
static void add_row(struct buf *out, struct span line, const char *cell)
{
    buf_str(out, "<tr>");
    line.at++;
    while (line.at < line.end) {
        const char *bar = find(line, "|");
        struct span one = {line.at, bar ? bar : line.end};

        if (is_blank(one) && !bar)
            break;
        while (one.at < one.end && *one.at == ' ')
            one.at++;
        while (one.end > one.at && one.end[-1] == ' ')
            one.end--;
        buf_add(out, "<%s>", cell);
        add_inline(out, one);
        buf_add(out, "</%s>", cell);
        line.at = bar ? bar + 1 : line.end;
    }
    buf_str(out, "</tr>\n");
}

/* A head without words is none. */
static bool has_words(struct span head)
{
    for (; head.at < head.end; head.at++)
        if (*head.at != '|' && *head.at != ' ')
            return true;
    return false;
}

static void add_table(struct buf *out, struct span head, struct span *text)
{
    buf_str(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
    if (has_words(head)) {
        buf_str(out, "<thead>");
        add_row(out, head, "th");
        buf_str(out, "</thead>");
    }
    next_line(text); /* |---|---| */
    buf_str(out, "<tbody>\n");
    while (begins(*text, "|"))
        add_row(out, next_line(text), "td");
    buf_str(out, "</tbody></table></div>\n");
}

void markdown_write(const char *start, size_t len, struct buf *out)
{
    struct span text = {start, start + len};

    while (text.at < text.end) {
        struct span line = next_line(&text);

        if (is_blank(line))
            continue;
        if (begins(line, fence)) {
            add_fence(out, &text);
        } else if (begins(line, "|")) {
            add_table(out, line, &text);
        } else if (begins(line, "* ")) {
            add_list(out, line, &text);
        } else if (begins(line, "### ")) {
            line.at += strlen("### ");
            buf_str(out, "<h3>");
            add_inline(out, line);
            buf_str(out, "</h3>\n");
        } else {
            buf_str(out, "<p>");
            add_lines(out, line, &text);
            buf_str(out, "</p>\n");
        }
    }
}
