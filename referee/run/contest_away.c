/* A contest that is played elsewhere. */

#include "base/alloc.h"
#include "base/text.h"
#include "run/contest_state.h"

#include "store/disk.h"

#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Only up to a game that has been played, because the seed is revealed after
 * the last.
 */
static int games_in_row(const struct slot *s)
{
    int count = 1;

    while (count < AWAY_GAMES_MAX && s->group.game + count <= s->group.last &&
           !has_closed_record(s, s->group.game + count))
        count++;
    return count;
}

static int number_of(const struct slot *s)
{
    return (int)(s - s->contest->slot);
}

void hand_out(struct slot *s)
{
    const struct contest_away *away = s->contest->config.away;
    int games = games_in_row(s);
    struct game_names *names = must_alloc(calloc((size_t)games, sizeof *names));

    for (int i = 0; i < games; i++) {
        int number = s->group.game + i;

        name_of_game(s, number, names[i].name);
        about_game(s, number, names[i].name, names[i].about);
        text_join(names[i].id, sizeof names[i].id, s->contest->session, "-",
                  names[i].name, NULL);
    }
    buf_reset(&s->old);
    s->away = games;
    s->contest->running += games;
    away->hand_out(away->owner, number_of(s), &s->group, names, games);
    free(names);
}

static void copy(struct buf *to, const char *text, size_t len)
{
    buf_init(to, RECORD_FILE_MAX);
    buf_put(to, text, len);
}

void contest_played(struct contest *c, int slot, const struct away_game *game,
                    int games)
{
    struct slot *s = &c->slot[slot];

    assert(s->away == games && !s->brought);
    s->brought = must_alloc(calloc((size_t)games, sizeof *s->brought));
    s->brought_from = s->group.game;
    s->brought_to = s->group.game + games - 1;
    for (int i = 0; i < games; i++) {
        copy(&s->brought[i].record, game[i].record->text, game[i].record->len);
        for (int m = 0; m < seats(s); m++)
            copy(&s->brought[i].log[m], game[i].log[m], strlen(game[i].log[m]));
    }
    contest_gave_back(c, slot);
}

void contest_gave_back(struct contest *c, int slot)
{
    struct slot *s = &c->slot[slot];

    c->running -= s->away;
    s->away = 0;
    go_on(s);
}

void forget_brought(struct slot *s)
{
    for (int i = 0; s->brought && i <= s->brought_to - s->brought_from; i++) {
        buf_release(&s->brought[i].record);
        for (int m = 0; m < seats(s); m++)
            buf_release(&s->brought[i].log[m]);
    }
    free(s->brought);
    s->brought = NULL;
}

/* "@- fault 2 exit exited with code 3" */
static void find_details(struct brought *b, int seats)
{
    const char *feed;

    for (const char *at = b->record.text; (feed = strchr(at, '\n')) != NULL;
         at = feed + 1) {
        int seat;
        const char *why = after_seat(at, "fault", seats, &seat);
        const char *detail = why ? strchr(why + strspn(why, " "), ' ') : NULL;

        if (detail && detail < feed)
            snprintf(b->detail[seat - 1], sizeof b->detail[0], "%.*s",
                     (int)(feed - detail - 1), detail + 1);
    }
}

/* From the start of a line. */
static const char *last_words(const struct buf *log)
{
    const char *text = log->text ? log->text : "";
    const char *at;

    if (log->len <= BOT_LAST_WORDS)
        return text;
    at = strchr(text + log->len - BOT_LAST_WORDS, '\n');
    return at && at[1] ? at + 1 : text + log->len - BOT_LAST_WORDS;
}

/*
 * A failure here does not stop the contest, just as for games played locally.
 */
static void keep_log(struct slot *s, int member, const struct buf *log)
{
    char path[PATH_MAX];
    int fd;

    log_path(&s->group, member, path, sizeof path);
    if (!path[0] || log->len == 0)
        return;
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd == -1)
        return;
    disk_put(fd, log->text, log->len);
    close(fd);
}

void tell_brought(struct slot *s, struct game_report *report)
{
    struct brought *b = &s->brought[s->group.game - s->brought_from];

    find_details(b, seats(s));
    for (int i = 0; i < seats(s); i++) {
        int member = group_member_at(&s->group, i);

        keep_log(s, member, &b->log[member]);
        report->detail[i] = b->detail[i];
        report->last_words[i] = last_words(&b->log[member]);
    }
}

void drop_brought(struct slot *s)
{
    const struct contest_away *away = s->contest->config.away;

    if (!s->brought || s->group.game < s->brought_to)
        return;
    forget_brought(s);
    away->counted(away->owner, number_of(s));
}
