/* The local bots of a unit: started for each of its games, and sent home. */

#include "daemon/server_state.h"

/* The answers that it still owed from the game before. */
static void on_bot_line(void *owner, struct bot *bot, char *line, size_t len)
{
    struct answer answer;

    talk_line(&bot->talk, line, len, &answer);
}

static void on_bot_sent(void *owner, struct bot *bot)
{
}

static void on_bot_lost(void *owner, struct bot *bot, enum why why,
                        const char *detail)
{
    bot_kill(bot);
}

static void on_bot_ended(void *owner, struct bot *bot)
{
    struct generation *g = owner;

    g->bots--;
    g->server->bots_alive--;
    bot_free(bot);
    end_if_done(g->server);
}

static const struct bot_owner at_home = {on_bot_line, on_bot_sent, on_bot_lost,
                                         on_bot_ended};

static void send_home(struct generation *g, struct bot *bot)
{
    bot_listen(bot, &at_home, g);
    if (bot->phase == ENDED)
        on_bot_ended(g, bot);
    else if (bot->lost)
        bot_kill(bot);
    else
        bot_quit(bot);
}

static void bot_dismiss(struct unit *u, struct member *m)
{
    if (m->bot)
        send_home(u->generation, m->bot);
    m->bot = NULL;
}

static void set_log(struct unit *u, struct member *m)
{
    char path[PATH_BYTES];
    struct err err;

    if (archive_log_path(u->server->archive, u->ladder->name, u->start, u->game,
                         m->name, path, sizeof path, &err))
        bot_set_log(m->bot, path);
    else
        bot_set_log(m->bot, "");
}

/* A new one for every game: who has played a deal must not remember it. */
static bool start_bot(struct unit *u, struct member *m, struct err *err)
{
    bot_dismiss(u, m);
    m->bot = bot_new(&u->server->loop, &m->player->bot, err);
    if (!m->bot)
        return false;
    u->server->bots_alive++;
    u->generation->bots++;
    set_log(u, m);
    bot_listen(m->bot, NULL, NULL);
    return true;
}

/* Who broke down before the break has none. */
bool bots_start(struct unit *u, struct err *err)
{
    for (int i = 0; i < u->config->setup.seats; i++) {
        struct member *m = &u->member[i];

        if (m->player && !m->connection && !start_bot(u, m, err))
            return false;
    }
    return true;
}

void bots_dismiss(struct unit *u)
{
    for (int i = 0; i < u->config->setup.seats; i++)
        bot_dismiss(u, &u->member[i]);
}
