/* The page that a student reads. */

#include "cmd/grade/course.h"
#include "cmd/ladder/view.h"

#include "web/page.h"

#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";

static const char style[] =
    "</title>\n<style>\n"
    "body { font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 44em;\n"
    "  padding: 0 1em; color: #222; background: #fff; }\n"
    "h1 small { font-weight: normal; color: #777; }\n"
    ".level { border: 1px solid #ccc; border-left: 6px solid #c80;\n"
    "  border-radius: 6px; padding: .6em 1em; margin: 1em 0; }\n"
    ".passed { border-left-color: #282; } .failed { border-left-color: #b22; }\n"
    ".level h2 { font-size: 1.1em; margin: 0; display: flex;\n"
    "  justify-content: space-between; margin-bottom: .3em; }\n"
    ".level p { margin: .4em 0; } .level a { margin-right: 1em; }\n"
    ".bar { display: flex; height: .7em; border-radius: 4px; overflow: hidden;\n"
    "  background: #ddd; }\n"
    ".bar i { background: #282; } .bar u { background: #999; }\n"
    ".bar b { background: #b22; }\n"
    "code { background: #eee; padding: 0 .3em; border-radius: 3px; }\n"
    "a { color: #06c; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  body { color: #ddd; background: #181818; } a { color: #6bf; }\n"
    "  .level { border-top-color: #444; border-right-color: #444;\n"
    "    border-bottom-color: #444; } code { background: #333; } }\n"
    "</style>\n</head>\n<body>\n";

/* Why a bot left games, and what its author can do. */
static const struct {
    const char *fault, *advice;
} advices[] = {
    {"time", "The bot was too slow. Look at the clocks of the lost game, "
             "and make it stop thinking earlier."},
    {"illegal", "The bot played a move that is not legal. Ask for "
                "<code>legal_moves</code>, and play one of them."},
    {"exit", "The bot exited during a game. Run <code>referee check</code>: "
             "it shows what the bot wrote to standard error."},
    {"protocol",
     "The bot sent a line that is not an answer. Print only answers "
     "to standard output, and everything else to standard error."},
    {"start", "The bot was not ready in time. Load less at the start."},
    {"refuse", "The bot refused to play this game."},
    {"input", "The bot stopped reading its input. Read every line, even "
              "when it is not your turn."},
    {"flood", "The bot wrote far too much to standard output."},
};

static void advise(const json_t *trial, struct buf *out)
{
    const char *fault = view_text(trial, "fault");

    if (view_int(trial, "forfeits") == 0)
        return;
    buf_add(out, "<p>%lld of the games were lost by forfeit (",
            view_int(trial, "forfeits"));
    html_text(out, fault);
    buf_str(out, "). ");
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (strcmp(advices[i].fault, fault) == 0)
            buf_str(out, advices[i].advice);
    buf_str(out, "</p>\n");
}

/* The results as a bar. */
static void draw_bar(const json_t *trial, struct buf *out)
{
    buf_add(out,
            "<div class=\"bar\" role=\"img\" aria-label=\"%lld won, %lld tied, "
            "%lld lost\"><i style=\"flex:%lld\"></i><u style=\"flex:%lld\">"
            "</u><b style=\"flex:%lld\"></b></div>\n",
            view_int(trial, "wins"), view_int(trial, "ties"),
            view_int(trial, "losses"), view_int(trial, "wins"),
            view_int(trial, "ties"), view_int(trial, "losses"));
}

static const char *sentence(const char *verdict)
{
    if (strcmp(verdict, "passed") == 0)
        return "Your bot is better than this level.";
    if (strcmp(verdict, "failed") == 0)
        return "Your bot is not better than this level.";
    return "The games do not show clearly enough whether your bot is better.";
}

static void link_game(const json_t *trial, const char *kind, const char *text,
                      const char *name, struct buf *out)
{
    if (!view_has(trial, kind))
        return;
    buf_str(out, " <a href=\"");
    html_text(out, name);
    buf_str(out, "-games.html#game=");
    html_text(out, view_text(trial, kind));
    buf_add(out, "\">%s</a>", text);
}

static void tell_times(const json_t *grades, const json_t *trial,
                       struct buf *out)
{
    const json_t *time = json_object_get(trial, "time");

    if (!time)
        return;
    buf_add(out,
            "<p class=\"time\">Time: %.3g ms per move on average, %.3g ms at "
            "most; the clock is ",
            json_real_value(json_object_get(time, "mean_ms")),
            json_real_value(json_object_get(time, "most_ms")));
    html_text(out, view_text(grades, "time"));
    buf_str(out, ".</p>\n");
}

static void add_level(const json_t *grades, const json_t *trial, size_t k,
                      const char *name, bool has_games, struct buf *out)
{
    const json_t *level = json_array_get(json_object_get(grades, "levels"), k);
    const char *verdict = view_text(trial, "verdict");

    buf_add(out, "<section class=\"level %s\">\n<h2><span>", verdict);
    html_text(out, view_text(trial, "level"));
    buf_add(out, ": %s</span><span>%lld of %lld points</span></h2>\n", verdict,
            view_int(trial, "points"), view_int(level, "points"));
    draw_bar(trial, out);
    buf_add(out, "<p>%lld won, %lld tied, %lld lost of %lld games. %s</p>\n",
            view_int(trial, "wins"), view_int(trial, "ties"),
            view_int(trial, "losses"), view_int(trial, "games"),
            sentence(verdict));
    tell_times(grades, trial, out);
    advise(trial, out);
    if (has_games) {
        buf_str(out, "<p>");
        link_game(trial, "lost", "Look at a lost game", name, out);
        link_game(trial, "won", "Look at a won game", name, out);
        buf_str(out, "</p>\n");
    }
    if (*view_text(level, "command")) {
        buf_str(out, "<p>Try it yourself: <code>referee match --game ");
        html_text(out, view_text(grades, "game"));
        buf_str(out, " ./mybot \"");
        html_text(out, view_text(level, "command"));
        buf_str(out, "\"</code></p>\n");
    }
    buf_str(out, "</section>\n");
}

static void add_place(const json_t *grades, const json_t *student,
                      struct buf *out)
{
    const json_t *places = json_object_get(grades, "places");
    const json_t *place = json_object_get(student, "place");
    const json_t *most = json_array_get(json_object_get(places, "points"), 0);

    if (!places)
        return;
    buf_str(out, "<section class=\"level\">\n<h2><span>place on ");
    html_text(out, view_text(places, "ladder"));
    if (view_has(place, "place"))
        buf_add(out, ": %lld", view_int(place, "place"));
    else
        buf_str(out, ": none");
    buf_add(out, "</span><span>%lld of %lld points</span></h2>\n",
            view_int(place, "points"), (long long)json_integer_value(most));
    if (view_has(place, "place"))
        buf_add(out,
                "<p>This version had the rating %lld after %lld games, place "
                "%lld of the %lld students with one. Places depend on the "
                "bots of the other students; the levels do not.</p>\n",
                view_int(place, "rating"), view_int(place, "games"),
                view_int(place, "place"), view_int(places, "students"));
    else
        buf_str(out, "<p>This version has no rating on the ladder, so it has "
                     "no place there.</p>\n");
    buf_str(out, "</section>\n");
}

void student_page(const json_t *grades, const json_t *student, bool has_games,
                  struct buf *out)
{
    size_t k;
    json_t *trial;

    buf_str(out, head);
    html_text(out, view_text(student, "name"));
    buf_str(out, style);
    buf_str(out, "<h1>");
    html_text(out, view_text(student, "name"));
    buf_str(out, " <small>");
    html_text(out, view_text(grades, "course"));
    buf_add(out, "</small></h1>\n<p><strong>%lld of %lld points</strong></p>\n",
            view_int(student, "points"), view_int(grades, "max_points"));
    if (*view_text(student, "version"))
        buf_add(out,
                "<p>Graded: version <code>%s</code>, handed in at %s.</p>\n",
                view_text(student, "version"), view_text(student, "handed_in"));
    if (*view_text(student, "problem")) {
        buf_str(out, "<p>No games were played: ");
        html_text(out, view_text(student, "problem"));
        buf_str(out, ".</p>\n");
    }
    json_array_foreach(json_object_get(student, "levels"), k, trial)
        add_level(grades, trial, k, view_text(student, "name"), has_games, out);
    add_place(grades, student, out);
    buf_add(out,
            "<p>You pass a level when your bot is better than the level's "
            "bot with %lld %% confidence. Every deal is played from both "
            "seats, and all students get the same deals.</p>\n"
            "</body>\n"
            "</html>\n",
            view_int(grades, "confidence"));
}
