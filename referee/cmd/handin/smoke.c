#include "cmd/handin/smoke.h"

#include "games/game.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ARGS_MAX = 32 + 2 * OPTIONS_MAX + SEATS_MAX, SAID_MAX = 1 << 20 };

enum { LATE_US = 5000000 }; /* on a busy machine */

static const char opponent[] = "opponent-1";

/* The command line of "referee match". */
struct words {
    char *argv[ARGS_MAX + 1];
    int count;
    struct pool *pool;
};

static void add(struct words *w, const char *word)
{
    if (w->count < ARGS_MAX)
        w->argv[w->count++] = pool_text(w->pool, word);
}

static void add_pair(struct words *w, const char *option, const char *value)
{
    add(w, option);
    add(w, value);
}

static void add_ms(struct words *w, const char *option, int64_t us)
{
    char text[40];

    snprintf(text, sizeof text, "%lldms", (long long)(us / 1000));
    add_pair(w, option, text);
}

static void add_options(struct words *w, const struct ladder_config *l)
{
    struct buf text;

    buf_init(&text, 1 << 20);
    for (int i = 0; i < OPTIONS_MAX && l->game->options; i++) {
        if (!l->game->options[i].name)
            break;
        if (!l->setup.option[i])
            continue;
        buf_reset(&text);
        buf_add(&text, "%s=%s", l->game->options[i].name, l->setup.option[i]);
        add_pair(w, "--set", text.text);
    }
    buf_release(&text);
}

static void add_times(struct words *w, const struct ladder_config *l,
                      int patience)
{
    int64_t lenience_us = l->lenience_us + (patience - 1) * LATE_US;
    char retry[24];
    struct buf text;

    buf_init(&text, 200);
    time_control_write(&l->time, &text);
    add_pair(w, "--time", text.text);
    buf_release(&text);
    add_ms(w, "--start-limit", patience * l->start_us);
    if (lenience_us > 0)
        add_ms(w, "--lenience", lenience_us);
    add_ms(w, "--move-cap", l->none_us);
    snprintf(retry, sizeof retry, "retry:%d", l->retries);
    if (l->retries > 0)
        add_pair(w, "--illegal", retry);
}

static void add_bots(struct words *w, const struct ladder_config *l,
                     const char *name, const char *command)
{
    char self[512];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct buf text;

    self[len > 0 ? len : 0] = '\0';
    buf_init(&text, 1 << 16);
    buf_add(&text, "%s=%s", name, command);
    add(w, text.text);
    for (int i = 1; i < l->setup.seats; i++) {
        buf_reset(&text);
        buf_add(&text, "opponent-%d='%s' bot", i, self);
        add(w, text.text);
    }
    buf_release(&text);
}

static void make_words(struct words *w, const struct ladder_config *l,
                       const struct smoke_bot *bot, int patience)
{
    char seats[8];

    snprintf(seats, sizeof seats, "%d", l->setup.seats);
    add(w, "/proc/self/exe");
    add_pair(w, "match", "--json");
    add_pair(w, "--game", l->game->name);
    add_pair(w, "--games", "1");
    add_pair(w, "--walls", "auto");
    add(w, "--quiet");
    add_options(w, l);
    add_times(w, l, patience);
    add_bots(w, l, bot->name, bot->command);
}

/* The text after the prefix on standard error, or NULL. */
static json_t *find_table(const char *said)
{
    const char *at = *said == '{' ? said : strstr(said, "\n{");

    return at ? json_loads(at, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
}

/* "game 1: anna is out (time): used 10.2 s" */
static void tell_fault(const char *said, const char *name, const char *ladder,
                       struct err *sentence)
{
    char start[80];
    const char *at;

    snprintf(start, sizeof start, "%s is out (", name);
    at = strstr(said, start);
    if (at)
        fail(sentence, "failed in a game on ladder %s: %.*s", ladder,
             (int)strcspn(at + strlen(start), "\n"), at + strlen(start));
    else
        fail(sentence, "failed in a game on ladder %s", ladder);
}

static const json_t *find_bot(const json_t *bots, const char *name)
{
    const json_t *bot;
    size_t i;

    json_array_foreach(bots, i, bot)
    {
        const char *its = json_string_value(json_object_get(bot, "name"));

        if (its && strcmp(its, name) == 0)
            return bot;
    }
    return NULL;
}

static double score_of(const json_t *bots, const char *name)
{
    return json_real_value(json_object_get(find_bot(bots, name), "mean_score"));
}

static void tell_score(const json_t *bots, const char *name,
                       const struct ladder_config *l, struct err *sentence)
{
    if (l->setup.seats == 1)
        fail(sentence, "%s: score %.0f", l->name, score_of(bots, name));
    else
        fail(sentence, "%s: %.0f to %.0f against a bot that plays at random",
             l->name, score_of(bots, name), score_of(bots, opponent));
}

static enum smoke judge(const char *said, const struct ladder_config *l,
                        const char *name, struct err *sentence)
{
    json_t *table = find_table(said);
    const json_t *bots = json_object_get(table, "bots");
    const json_t *forfeits = json_object_get(find_bot(bots, name), "forfeits");
    enum smoke came = SMOKE_PLAYED;

    if (!forfeits) {
        fail(sentence, "no game could be played on ladder %s: %.200s", l->name,
             said);
        came = SMOKE_OURS;
    } else if (json_object_size(forfeits) > 0) {
        tell_fault(said, name, l->name, sentence);
        came = SMOKE_FAULT;
    } else {
        tell_score(bots, name, l, sentence);
    }
    json_decref(table);
    return came;
}

enum smoke smoke_game(const struct ladder_config *ladder,
                      const struct smoke_bot *bot, int patience,
                      int64_t time_us, struct pool *pool, struct err *sentence)
{
    const struct step_limits limits = {
        .time_us = time_us,
        .memory_bytes = INT64_C(8) << 30,
        .file_bytes = 512 << 20,
        .processes = 4096,
    };
    struct words words = {.pool = pool};
    enum step_end end;
    enum smoke came;
    struct buf said;

    buf_init(&said, SAID_MAX);
    make_words(&words, ladder, bot, patience);
    if (!step_run(words.argv, bot->folder, &limits, &said, &end, sentence)) {
        came = SMOKE_OURS;
    } else if (end == STEP_TIMED_OUT) {
        fail(sentence, "%s: no fault in the first %lld s of a game",
             ladder->name, (long long)(time_us / 1000000));
        came = SMOKE_UNFINISHED;
    } else {
        came = judge(said.len ? said.text : "", ladder, bot->name, sentence);
    }
    buf_release(&said);
    return came;
}
