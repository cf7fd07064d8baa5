#include "web/page.h"

#include "base/alloc.h"
#include "base/sha256.h"
#include "web/files.h"
#include "web/pieces.h"
#include "web/steps.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPTS_MAX = 1 << 20 };

static const char start_script[] = "Referee.start(document);\n";

void page_init(struct page *page)
{
    page->games = json_array();
}

void page_release(struct page *page)
{
    json_decref(page->games);
}

static const json_t *head_of(const json_t *entry)
{
    return json_object_get(json_object_get(entry, "game"), "head");
}

void page_add(struct page *page, json_t *document, const char *file,
              const char *record)
{
    json_t *entry = json_object();

    json_object_set_new(entry, "game", document);
    json_object_set_new(entry, "file", text_json(file));
    if (strcmp(text_at(head_of(entry), "audience"), "all") == 0)
        json_object_set_new(entry, "record", text_json(record));
    json_array_append_new(page->games, entry);
}

size_t page_count(const struct page *page)
{
    return json_array_size(page->games);
}

void html_text(struct buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            buf_str(out, "&amp;");
            break;
        case '<':
            buf_str(out, "&lt;");
            break;
        case '>':
            buf_str(out, "&gt;");
            break;
        case '"':
            buf_str(out, "&quot;");
            break;
        case '\'':
            buf_str(out, "&#39;");
            break;
        default:
            buf_char(out, *text);
        }
}

static bool is_needed(const struct page *page, const struct web_file *file)
{
    const json_t *entry;
    size_t i;

    if (web_file_is_for_site(file))
        return false;
    json_array_foreach(page->games, i, entry)
    {
        if (!web_file_is_for_other(file, text_at(head_of(entry), "game")))
            return true;
    }
    return false;
}

static void write_files(const struct page *page, const char *ending,
                        struct buf *out)
{
    for (size_t i = 0; i < web_file_count(); i++) {
        const struct web_file *file = web_file_at(i);
        const char *dot = strrchr(file->name, '.');

        if (strcmp(dot, ending) == 0 && is_needed(page, file))
            buf_put(out, file->text, file->len);
    }
}

/* 'sha256-...' for the policy. */
static void write_hash(const struct buf *text, struct buf *out)
{
    uint8_t digest[SHA256_BYTES];
    char base64[sodium_base64_ENCODED_LEN(SHA256_BYTES,
                                          sodium_base64_VARIANT_ORIGINAL)];

    sha256_of(text->text, text->len, digest);
    sodium_bin2base64(base64, sizeof base64, digest, sizeof digest,
                      sodium_base64_VARIANT_ORIGINAL);
    buf_add(out, "'sha256-%s'", base64);
}

static void write_policy(const struct buf *style, const struct buf *script,
                         struct buf *out)
{
    buf_str(out, "<meta http-equiv=\"Content-Security-Policy\" content=\""
                 "default-src 'none'; style-src ");
    write_hash(style, out);
    buf_str(out, "; script-src ");
    write_hash(script, out);
    buf_str(out, "; base-uri 'none'; form-action 'none'\">\n");
}

/* A JSON text may stand in a script element if it has no '<'. */
static void write_data(const json_t *entry, struct buf *out)
{
    char *text = must_alloc(json_dumps(entry, JSON_COMPACT));

    buf_str(out, "<script type=\"application/json\">");
    for (const char *at = text; *at; at++)
        if (*at == '<')
            buf_str(out, "\\u003c");
        else
            buf_char(out, *at);
    buf_str(out, "</script>\n");
    free(text);
}

static void write_players(const json_t *head, struct buf *out)
{
    const json_t *players = json_object_get(head, "players");
    const json_t *player;
    size_t i;

    json_array_foreach(players, i, player)
    {
        buf_str(out, i ? " \xe2\x80\x93 " : "");
        if (json_is_string(json_object_get(player, "name")))
            html_text(out, text_at(player, "name"));
        else
            buf_add(out, "seat %zu", i + 1);
    }
}

static void log_events(const json_t *step, struct buf *out)
{
    const json_t *event, *to;
    size_t i;

    json_array_foreach(json_object_get(step, "events"), i, event)
    {
        to = json_object_get(event, "to");
        buf_str(out, "    ");
        html_text(out, text_at(event, "text"));
        if (to)
            buf_add(out, "   (told to %s)", json_string_value(to));
        buf_char(out, '\n');
    }
}

static void log_result(const json_t *end, struct buf *out)
{
    const json_t *result = json_object_get(end, "result");
    const json_t *rank;
    size_t i;

    if (!json_is_object(result)) {
        buf_add(out, "%s\n", text_at(end, "status"));
        return;
    }
    buf_add(out, "Result: %s\n", text_at(result, "reason"));
    json_array_foreach(json_object_get(result, "ranks"), i, rank)
    {
        const json_t *score =
            json_array_get(json_object_get(result, "scores"), i);

        buf_add(out, "    seat %zu: rank %d, score %d\n", i + 1,
                (int)json_integer_value(rank), (int)json_integer_value(score));
    }
}

/* The game for a reader without scripts. */
static void write_log(const json_t *document, struct buf *out)
{
    const json_t *head = json_object_get(document, "head");
    const json_t *step;
    size_t i;

    buf_str(out, "<section class=\"log\">\n<h2>");
    html_text(out, text_at(head, "title"));
    buf_str(out, ": ");
    write_players(head, out);
    buf_str(out, "</h2>\n<pre>");
    json_array_foreach(json_object_get(document, "steps"), i, step)
    {
        buf_add(out, "Step %zu\n", i);
        log_events(step, out);
    }
    log_result(json_object_get(document, "end"), out);
    buf_str(out, "</pre>\n</section>\n");
}

static void write_title(const struct page *page, struct buf *out)
{
    const json_t *entry = json_array_get(page->games, 0);
    const json_t *head = head_of(entry);

    buf_str(out, "<title>");
    html_text(out, text_at(head, "title"));
    buf_str(out, ": ");
    write_players(head, out);
    buf_str(out, "</title>\n");
}

static void write_head(const struct page *page, const struct buf *style,
                       const struct buf *script, struct buf *out)
{
    buf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n");
    write_policy(style, script, out);
    buf_str(out, "<meta name=\"viewport\" content=\"width=device-width, "
                 "initial-scale=1\">\n<meta name=\"referrer\" "
                 "content=\"no-referrer\">\n");
    write_title(page, out);
    buf_str(out, "<style>");
    buf_put(out, style->text, style->len);
    buf_str(out, "</style>\n</head>\n");
}

void page_write(const struct page *page, struct buf *out)
{
    struct buf style, script;
    const json_t *entry;
    size_t i;

    buf_init(&style, SCRIPTS_MAX);
    buf_init(&script, SCRIPTS_MAX);
    write_files(page, ".css", &style);
    write_files(page, ".js", &script);
    buf_str(&script, start_script);
    write_head(page, &style, &script, out);
    buf_str(out, "<body>\n<div id=\"viewer\"></div>\n");
    json_array_foreach(page->games, i, entry)
        write_log(json_object_get(entry, "game"), out);
    json_array_foreach(page->games, i, entry) write_data(entry, out);
    buf_str(out, "<script>");
    buf_put(out, script.text, script.len);
    buf_str(out, "</script>\n</body>\n</html>\n");
    buf_release(&style);
    buf_release(&script);
}
