#ifndef REFEREE_DAEMON_API_H
#define REFEREE_DAEMON_API_H

/*
 * api.h - /api/...: what the daemon tells over HTTP.
 *
 * api.c finds the answer to a question in a table of paths and stays within the
 * asker's share of time (shares.h). An answer is a function: it writes to `out`
 * and returns the status. A failure is a JSON object with one sentence, made by
 * answer_error() and its relatives.
 *
 *     api_ladders.c    standings, results, bots
 *     api_games.c      games under way and over
 *     api_tournaments.c
 *     owner.c          what only the owner of a bot may see
 *     submissions.c    what was handed in
 *     play.c           tables for visitors
 */

#include "daemon/server_state.h"

/* `word` are the words of the path after /api/. */
typedef int api_answer(struct server *server, struct http_ask *ask,
                       const char *const *word, struct buf *out);

int answer_json(struct buf *out, json_t *json); /* takes over the JSON */
int answer_error(struct buf *out, int code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
int no_game(struct buf *out, const char *id);
int no_index(struct buf *out, const struct err *err);
int bad_request(struct buf *out, const struct err *err);

int server_api(void *server, struct http_ask *ask, struct buf *out);
int server_page(void *server, struct http_ask *ask, struct buf *out);

/* api_ladders.c */
api_answer api_get_ladders, api_get_ladder, api_get_ladder_games,
    api_get_ladder_head, api_get_bots, api_get_bot;

/* The same for pages; store/report.h says what is in it. */
json_t *api_ladders(struct server *server, struct err *err);
json_t *api_ladder(struct server *server, const char *name,
                   const struct report_page *page, struct err *err);
json_t *api_bot(struct server *server, const char *name, int limit,
                struct err *err);

/* api_games.c */
api_answer api_get_games, api_get_game, api_get_record, api_get_steps,
    api_get_stream, api_get_live;
extern const struct live_calls server_live;

int api_moves(const struct server *server, const char *id); /* -1: not now */
bool api_knows(struct server *server, const char *id);      /* a game */

/* The record of a game so far; empty if it has not begun. */
bool api_record(struct server *server, const char *id, struct buf *bytes,
                struct err *err);

/* "?seat=K|public|all"; PUBLIC by default. */
bool api_audience(const struct http_ask *ask, int *viewer, struct err *err);

/* A game as this viewer may see it, who must be allowed to. */
bool api_steps(struct server *server, const char *id, int viewer,
               json_t **document, struct err *err);

/* Do others still play the deal of this game, which is over? */
bool api_deal_in_play(const struct server *server, const json_t *game);

/* api_tournaments.c */
api_answer api_get_tournaments, api_get_tournament, api_get_match_steps,
    api_get_match_record;

/* owner.c */
api_answer owner_games, owner_log, owner_steps;
bool is_owner(struct server *server, struct http_ask *ask, const char *bot,
              struct err *why);

/* submissions.c: for all, and for the owner */
api_answer api_submissions, owner_submissions;

/* play.c */
api_answer play_sit, play_moves, play_move, play_leave, play_hint, play_stream;
json_t *play_json(const struct server *server); /* what is offered */

#endif
