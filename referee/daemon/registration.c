/* Newcomers who register with an invitation. */

#include "daemon/api.h"
#include "daemon/server_state.h"
#include "store/shelf.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const int64_t hour_us = INT64_C(3600000000);

static enum invite refuse(struct connection *n, enum invite end,
                          const char *fmt, ...) PRINTF_LIKE(3, 4);

static enum invite refuse(struct connection *n, enum invite end,
                          const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(n->refusal, sizeof n->refusal, fmt, args);
    va_end(args);
    return end;
}

/* Names that differ only in case could be confused. */
static bool is_alike(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

/* Its token may be revoked, and its games still be on their way to the index.
 */
static bool has_come(const struct invitations *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        for (int k = 0; k < all->one[i].used; k++)
            if (is_alike(name, all->one[i].bot[k]))
                return true;
    return false;
}

/* A name stays taken as long as anything about it is stored. */
static bool is_taken(struct server *s, const char *name)
{
    const struct serve_config *c = config_of(s);
    struct disk_names handed_in = {0};
    bool taken = is_alike(name, guest_name) || has_come(&s->invitations, name);
    struct err err;
    json_t *bot;

    for (int i = 0; i < c->key_count && !taken; i++)
        taken = is_alike(name, c->key[i].name);
    for (int i = 0; i < c->bots && !taken; i++)
        taken = is_alike(name, c->bot[i].bot.name);
    for (size_t i = 0; i < s->orders.count && !taken; i++)
        taken = is_alike(name, s->orders.order[i].name);
    for (const struct connection *n = doors_connections(s->doors); n && !taken;
         n = n->next)
        taken = n->phase == CONNECTION_REGISTERING && is_alike(name, n->name);
    if (!taken && c->handins.folder)
        taken = !shelf_names(c->handins.folder, &handed_in, &err);
    for (size_t i = 0; i < handed_in.count && !taken; i++)
        taken = is_alike(name, handed_in.name[i]);
    disk_names_free(&handed_in);
    if (taken)
        return true;
    bot = api_bot(s, name, 1, &err);
    taken = !bot || json_array_size(bot) > 0;
    json_decref(bot);
    return taken;
}

/* May one more newcomer register in this hour? */
static bool is_in_time(struct server *s)
{
    int64_t now = now_us();

    if (now - s->registered_us >= hour_us) {
        s->registered_us = now;
        s->registered = 0;
    }
    return s->registered < config_of(s)->registrations_max;
}

static int minutes_left(const struct server *s)
{
    return (int)((s->registered_us + hour_us - now_us()) / 60000000) + 1;
}

/* The invitation, if the proof matches its key. */
static const struct invitation *find(struct server *s,
                                     const struct connection *n,
                                     const char *name, const char *proof)
{
    static const struct login_key nobody;
    const struct invitation *i =
        invitations_find(&s->invitations, n->invitation);
    bool holds = register_holds(i ? &i->key : &nobody, name, n->nonce, proof);

    return holds ? i : NULL;
}

/* The key of the token, which both sides compute. */
static bool put_key(const struct server *s, const struct invitation *i,
                    const struct connection *n, const char *name,
                    struct err *err)
{
    char token[TOKEN_TEXT + 1];
    struct login_key key;
    bool ok;

    register_token(&i->key, name, n->nonce, token);
    token_key(token, &key);
    ok = keys_put(config_of(s)->keys, name, &key, i->owner[0] ? i->owner : name,
                  false, err);
    sodium_memzero(token, sizeof token);
    sodium_memzero(&key, sizeof key);
    return ok;
}

static enum invite take(struct server *s, const struct invitation *i,
                        struct connection *n, const char *name)
{
    const char *path = config_of(s)->invitations;
    char who[ORDER_WHO_MAX + 1];
    struct err err;

    if (!invitations_use(path, &s->invitations, i->id, name, &err)) {
        log_line(&s->log, LOG_ERROR, NULL, "nobody can register: %s", err.text);
        return refuse(n, INVITE_REFUSED,
                      "the server cannot write; that is not your fault. Try "
                      "again later");
    }
    if (!put_key(s, i, n, name, &err)) {
        struct err again;

        log_line(&s->log, LOG_ERROR, NULL, "%s has no key: %s", name, err.text);
        if (!invitations_return(path, &s->invitations, i->id, name, &again))
            log_line(&s->log, LOG_ERROR, NULL, "%s", again.text);
        return refuse(n, INVITE_REFUSED,
                      "the server cannot write; that is not your fault. Try "
                      "again later");
    }
    s->registered++;
    log_line(&s->log, LOG_INFO, NULL,
             "%s registered with invitation %s from %s", name, i->id,
             n->address);
    snprintf(who, sizeof who, "invitation %s", i->id);
    organise_note(s, ORDER_REGISTER, name, who, "");
    return INVITE_TAKEN;
}

enum invite server_invited(void *owner, struct connection *n, const char *name,
                           const char *proof)
{
    struct server *s = owner;
    const struct serve_config *c = config_of(s);
    const struct invitation *i;
    struct date date = {0};
    const char *why;
    struct err err;

    if (!c->invitations)
        return refuse(n, INVITE_REFUSED,
                      "this server takes no registrations; ask the organiser "
                      "for a token");
    if (s->phase == SERVER_STOPPING)
        return refuse(n, INVITE_REFUSED, "stopping");
    if (!invitations_read(c->invitations, &s->invitations, &err)) {
        log_line(&s->log, LOG_ERROR, NULL, "nobody can register: %s", err.text);
        return refuse(n, INVITE_REFUSED,
                      "the server cannot read its invitations; that is not "
                      "your fault. Tell the organiser");
    }
    i = find(s, n, name, proof);
    if (!i)
        return refuse(n, INVITE_WRONG,
                      "wrong invitation: there is no such code here");
    why = invitation_why_not(i, date_text(&date, time(NULL)));
    if (why)
        return refuse(n, INVITE_REFUSED, "this invitation %s", why);
    if (!is_bot_name(name) || strchr("._+-", name[0]))
        return refuse(n, INVITE_REFUSED,
                      "\"%.40s\" is not a name: use 1 to %d letters, digits, "
                      "or any of ._+-, with a letter or digit first",
                      name, BOT_NAME_MAX);
    if (is_taken(s, name))
        return refuse(n, INVITE_REFUSED,
                      "the name %s is taken; choose another one", name);
    if (!is_in_time(s))
        return refuse(n, INVITE_REFUSED,
                      "%d newcomers have registered in this hour, which is "
                      "the limit; try again in %d min",
                      s->registered, minutes_left(s));
    return take(s, i, n, name);
}
