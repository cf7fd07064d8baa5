#include "web/pieces.h"

#include "base/sha256.h"
#include "games/game.h"
#include "match/clock.h"
#include "web/files.h"
#include "web/site.h"

#include <stdio.h>
#include <string.h>

enum { PATH_HASH = 8 }; /* hexadecimal digits of a file's hash in its address */

/* JSON. */

const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

long long int_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

double real_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

bool is_true_at(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

const json_t *list_at(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

bool has_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value && !json_is_null(value);
}

/* Addresses. */

void add_path(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (strchr("-._~", *text) || (*text >= '0' && *text <= '9') ||
            (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'))
            buf_char(out, *text);
        else
            buf_add(out, "%%%02X", (unsigned char)*text);
}

void add_link(struct buf *out, const char *folder, const char *name)
{
    buf_add(out, "<a href=\"/%s/", folder);
    add_path(out, name);
    buf_str(out, "\">");
    html_text(out, name);
    buf_str(out, "</a>");
}

void add_rules_link(struct buf *out, const char *name)
{
    const struct game *game = game_find(name);

    buf_str(out, "<a href=\"/rules/");
    add_path(out, name);
    buf_str(out, "\">");
    html_text(out, game ? game->title : name);
    buf_str(out, "</a>");
}

/* Rare time controls stay in the words of the configuration. */
void add_time_control(struct buf *out, const char *text)
{
    struct time_control c;
    struct err err;

    if (!time_control_parse(text, &c, &err) || c.cpu ||
        (c.system != TIME_NONE && c.system != TIME_MOVE &&
         c.system != TIME_FISCHER)) {
        html_text(out, text);
        return;
    }
    if (c.system == TIME_NONE) {
        buf_str(out, "no limit");
        return;
    }
    duration_write(c.main_us, out);
    if (c.system == TIME_FISCHER) {
        buf_str(out, " + ");
        duration_write(c.extra_us, out);
    }
    buf_str(out, " a move");
}

static void add_pair(struct buf *out, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    buf_add(out, "&amp;%s=", key);
    add_path(out, value);
}

void add_games_path(struct buf *out, const struct site_games_of *of)
{
    buf_str(out, "/games?ladder=");
    add_path(out, of->ladder);
    add_pair(out, "bot", of->bot);
    add_pair(out, "opponent", of->opponent);
    if (of->seat)
        buf_add(out, "&amp;seat=%d", of->seat);
    add_pair(out, "result", of->result);
    add_pair(out, "fault", of->fault);
}

void add_count(struct buf *out, const struct site_games_of *of, long long count)
{
    if (count == 0) {
        buf_str(out, "0");
        return;
    }
    buf_str(out, "<a class=\"count\" href=\"");
    add_games_path(out, of);
    buf_add(out, "\">%lld</a>", count);
}

void site_file_path(const char *name, struct buf *out)
{
    const struct web_file *file = web_file_find(name);
    uint8_t digest[SHA256_BYTES] = {0};

    if (file)
        sha256_of(file->text, file->len, digest);
    buf_str(out, "/web/");
    for (int i = 0; i < PATH_HASH / 2; i++)
        buf_add(out, "%02x", digest[i]);
    buf_add(out, "/%s", name);
}

/* The frame. */

static const char play_path[] = "/play";

static const struct tab {
    const char *path, *name;
    unsigned part; /* of the site, which may lack it; 0: always there */
} tabs[] = {
    {"/", "Home", 0},
    {"/live", "Live", 0},
    {play_path, "Play", SITE_PLAY},
    {"/tournaments", "Tournaments", SITE_TOURNAMENTS},
    {"/games", "Games", 0},
    {"/join", "Join", 0},
};

static void add_tabs(struct buf *out, const struct site *site, const char *here)
{
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++)
        if ((tabs[i].part & ~site->parts) == 0)
            buf_add(out, "<a href=\"%s\"%s>%s</a>\n", tabs[i].path,
                    strcmp(tabs[i].path, here) == 0 ? " aria-current=\"page\""
                                                    : "",
                    tabs[i].name);
}

/* With a game, include only the scripts that draw it. */
static void add_scripts(struct buf *out, bool play, const char *game)
{
    for (size_t i = 0; i < web_file_count(); i++) {
        const struct web_file *file = web_file_at(i);

        if (!strstr(file->name, ".js") ||
            (web_file_is_for_play(file) && !play) ||
            (game && web_file_is_for_other(file, game)))
            continue;
        buf_str(out, "<script defer src=\"");
        site_file_path(file->name, out);
        buf_str(out, "\"></script>\n");
    }
}

static void begin(struct buf *out, const struct site *site, const char *title,
                  const char *here, const char *game)
{
    buf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(out, title);
    buf_str(out, " \xc2\xb7 referee</title>\n<link rel=\"icon\" "
                 "href=\"data:,\">\n<link rel=\"stylesheet\" href=\"");
    site_file_path("style.css", out);
    buf_str(out, "\">\n");
    add_scripts(out, strcmp(here, play_path) == 0, game);
    buf_str(out, "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to "
                 "the content</a>\n<header class=\"site\"><nav "
                 "aria-label=\"Site\"><a class=\"brand\" href=\"/\">referee"
                 "</a>\n<span class=\"tabs\">");
    add_tabs(out, site, here);
    buf_str(out,
            "</span><span class=\"tools\" id=\"tools\"></span></nav></header>\n"
            "<main class=\"site\" id=\"main\">\n");
}

void frame_begin(struct buf *out, const struct site *site, const char *title,
                 const char *here)
{
    begin(out, site, title, here, NULL);
}

void frame_begin_game(struct buf *out, const struct site *site,
                      const char *title, const char *game)
{
    begin(out, site, title, "", game);
}

void frame_end(struct buf *out)
{
    buf_str(out, "</main>\n</body>\n</html>\n");
}

void add_heading(struct buf *out, const char *text, const char *sub)
{
    buf_str(out, "<h1>");
    html_text(out, text);
    if (sub && *sub) {
        buf_str(out, " <span class=\"sub\">");
        html_text(out, sub);
        buf_str(out, "</span>");
    }
    buf_str(out, "</h1>\n");
}

/* Tables. */

static void add_column(struct buf *out, const char *name)
{
    bool is_text = *name == '<', is_wide;

    name += is_text;
    is_wide = *name == '~';
    name += is_wide;
    buf_add(out, "<th role=\"columnheader\" scope=\"col\"%s>%s</th>",
            is_text && is_wide ? " class=\"t w\""
            : is_text          ? " class=\"t\""
            : is_wide          ? " class=\"w\""
                               : "",
            name);
}

/* The roles stay when a phone shows a row as a block. */
void table_open(struct buf *out, const char *label, const char *class,
                const char *const *columns)
{
    buf_add(out,
            "<div class=\"card scroll\"><table role=\"table\" class=\"list "
            "%s\" data-of=\"%s\"><caption class=\"unseen\">%s</caption><thead "
            "role=\"rowgroup\"><tr role=\"row\">",
            class, label, label);
    for (; *columns; columns++)
        add_column(out, *columns);
    buf_str(out, "</tr></thead><tbody role=\"rowgroup\">\n");
}

void table_close(struct buf *out)
{
    buf_str(out, "</tbody></table></div>\n");
}

void add_number(struct buf *out, long long number)
{
    buf_add(out, "<td>%lld</td>", number);
}

/* 2026-11-16T10:00:00Z as people read it. */
void add_time(struct buf *out, const char *date)
{
    if (strlen(date) < 16)
        return;
    buf_str(out, "<time datetime=\"");
    html_text(out, date);
    buf_add(out, "\">%.10s %.5s</time>", date, date + 11);
}

void date_cell(struct buf *out, const char *date)
{
    buf_str(out, "<td class=\"t w\">");
    add_time(out, date);
    buf_str(out, "</td>");
}

void add_version(struct buf *out, const char *version)
{
    char text[13];

    snprintf(text, sizeof text, "%s", version);
    if (strlen(version) >= 40)
        text[8] = '\0';
    buf_str(out, "<span class=\"soft\" title=\"");
    html_text(out, version);
    buf_str(out, "\">");
    html_text(out, text);
    buf_str(out, "</span>");
}

void add_command(struct buf *out, const char *text)
{
    buf_str(out, "<code class=\"command\">");
    html_text(out, text);
    buf_str(out, "</code>\n");
}
