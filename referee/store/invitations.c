#include "store/invitations.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/disk.h"
#include "store/json_lines.h"
#include "store/keys.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* No 0, 1, o or l, which look alike. */
static const char signs[] = "23456789abcdefghijkmnpqrstuvwxyz";

static const char *text_of(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));

    return text ? text : "";
}

/* Reading. */

static void release_one(struct invitation *i)
{
    for (int k = 0; k < i->used; k++)
        free(i->bot[k]);
    free(i->bot);
    free(i->owner);
}

void invitations_release(struct invitations *all)
{
    for (size_t i = 0; i < all->count; i++)
        release_one(&all->one[i]);
    free(all->one);
    json_decref(all->by_id);
    *all = (struct invitations){0};
}

static struct invitation *find(const struct invitations *all, const char *id)
{
    const json_t *place = json_object_get(all->by_id, id);

    return place ? &all->one[json_integer_value(place)] : NULL;
}

const struct invitation *invitations_find(const struct invitations *all,
                                          const char *id)
{
    return find(all, id);
}

static bool take_made(struct invitations *all, const json_t *line,
                      struct err *err)
{
    json_int_t uses = json_integer_value(json_object_get(line, "uses"));
    struct invitation *made;

    if (all->count == all->cap) {
        all->cap = all->cap ? 2 * all->cap : 64;
        all->one = must_resize(all->one, all->cap, sizeof *all->one);
    }
    made = &all->one[all->count];
    *made = (struct invitation){.uses = (int)uses};
    snprintf(made->id, sizeof made->id, "%s", text_of(line, "id"));
    snprintf(made->at, sizeof made->at, "%s", text_of(line, "at"));
    snprintf(made->until, sizeof made->until, "%s", text_of(line, "until"));
    if (strlen(made->id) != INVITATION_ID || uses < 1 ||
        uses > INVITATION_USES_MAX || invitations_find(all, made->id) ||
        !login_key_read(&made->key, text_of(line, "key")))
        return fail(err,
                    "it needs a new id of %d signs, a key of %d hex "
                    "digits, and uses from 1 to %d",
                    INVITATION_ID, KEY_HEX, INVITATION_USES_MAX);
    if (!key_owner_check(text_of(line, "owner"), err))
        return false;
    made->owner = must_alloc(strdup(text_of(line, "owner")));
    json_object_set_new(all->by_id, made->id,
                        json_integer((json_int_t)all->count++));
    return true;
}

static void take_used(struct invitation *i, const char *bot)
{
    i->bot = must_resize(i->bot, (size_t)i->used + 1, sizeof *i->bot);
    i->bot[i->used++] = must_alloc(strdup(bot));
}

static void take_returned(struct invitation *i, const char *bot)
{
    for (int k = i->used; k-- > 0;)
        if (strcmp(i->bot[k], bot) == 0) {
            free(i->bot[k]);
            i->bot[k] = i->bot[--i->used];
            return;
        }
}

static bool take_line(struct invitations *all, const json_t *line,
                      struct err *err)
{
    static const char events[] = "made|used|returned|revoked";
    struct invitation *one = find(all, text_of(line, "id"));
    int event = words_find(events, text_of(line, "event"));

    if (event == 0)
        return take_made(all, line, err);
    if (event < 0 || !one)
        return fail(err, "it must be one of %s, with the id of an invitation",
                    events);
    if (event == 1)
        take_used(one, text_of(line, "bot"));
    else if (event == 2)
        take_returned(one, text_of(line, "bot"));
    else
        one->is_revoked = true;
    return true;
}

static void note_file(const char *path, struct invitations *all)
{
    struct stat st = {0};

    if (stat(path, &st) == 0)
        all->changed = st.st_mtim;
    all->size = st.st_size;
}

static bool is_same_file(const struct invitations *a,
                         const struct invitations *b)
{
    return a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

bool invitations_read(const char *path, struct invitations *all,
                      struct err *err)
{
    struct invitations now = {0};
    json_t *lines, *line;
    bool ok = true;
    size_t i;

    note_file(path, &now);
    if (all->by_id && is_same_file(all, &now))
        return true;
    if (!json_lines_read(path, INVITATIONS_BYTES_MAX, &lines, err))
        return false;
    now.by_id = json_object();
    json_array_foreach(lines, i, line)
    {
        ok = take_line(&now, line, err) || fail_at(err, "%s:%zu", path, i + 1);
        if (!ok)
            break;
    }
    json_decref(lines);
    invitations_release(ok ? all : &now);
    if (ok)
        *all = now;
    return ok;
}

bool invitation_id(const char *code, char id[INVITATION_ID + 1])
{
    snprintf(id, INVITATION_ID + 1, "%s", code);
    return strspn(id, signs) == INVITATION_ID &&
           strlen(code) == INVITATION_CODE && code[INVITATION_ID] == '-';
}

const char *invitation_why_not(const struct invitation *i, const char *now)
{
    if (i->is_revoked)
        return "was revoked";
    if (i->until[0] && strcmp(now, i->until) > 0)
        return "has expired";
    return i->used >= i->uses ? "is used up" : NULL;
}

/* Writing. */

static bool add(const char *path, const char *event, const char *id,
                json_t *more, struct err *err)
{
    json_t *line = json_pack("{s:s, s:s, s:s}", "at",
                             date_text(&(struct date){0}, time(NULL)), "event",
                             event, "id", id);
    bool ok;

    json_object_update(line, more);
    json_decref(more);
    ok = json_lines_add(path, line, err);
    json_decref(line);
    return ok;
}

static void make_code(char code[INVITATION_CODE + 1])
{
    for (int i = 0; i < INVITATION_CODE; i++)
        code[i] = i >= INVITATION_ID && (i - INVITATION_ID) % 5 == 0
                      ? '-'
                      : signs[randombytes_uniform(sizeof signs - 1)];
    code[INVITATION_CODE] = '\0';
}

bool invitation_make(const char *path, int uses, const char *until,
                     const char *owner, char code[INVITATION_CODE + 1],
                     struct err *err)
{
    char id[INVITATION_ID + 1], hex[KEY_HEX + 1];
    struct login_key key;
    bool ok;

    make_code(code);
    snprintf(id, sizeof id, "%s", code);
    token_key(code, &key);
    login_key_write(&key, hex);
    ok = add(path, "made", id,
             json_pack("{s:s, s:i, s:s*, s:s*}", "key", hex, "uses", uses,
                       "until", *until ? until : NULL, "owner",
                       *owner ? owner : NULL),
             err);
    sodium_memzero(&key, sizeof key);
    sodium_memzero(hex, sizeof hex);
    return ok;
}

bool invitation_revoke(const char *path, const char *id, struct err *err)
{
    return add(path, "revoked", id, NULL, err);
}

bool invitations_use(const char *path, struct invitations *all, const char *id,
                     const char *bot, struct err *err)
{
    if (!add(path, "used", id, json_pack("{s:s}", "bot", bot), err))
        return false;
    take_used(find(all, id), bot);
    return true;
}

bool invitations_return(const char *path, struct invitations *all,
                        const char *id, const char *bot, struct err *err)
{
    if (!add(path, "returned", id, json_pack("{s:s}", "bot", bot), err))
        return false;
    take_returned(find(all, id), bot);
    return true;
}
