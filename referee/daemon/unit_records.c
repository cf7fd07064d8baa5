/*
 * The records of a unit: in running/ while a part is played, in the file of the
 * day when it is over, and then in the index. An empty file in running/ means
 * that a unit continues with that part.
 */

#include "base/alloc.h"
#include "daemon/units_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void unit_queue_for_index(struct unit *u)
{
    struct closed_game game = {.ladder = u->ladder, .seats = seats_of(u)};

    if (!u->closed[0])
        return;
    strcpy(game.id, u->closed);
    strcpy(game.location, u->location);
    game.has_file = u->has_file;
    memcpy(game.entrant, u->entrant, sizeof game.entrant);
    game.summary = u->summary;
    u->closed[0] = u->location[0] = '\0';
    u->summary = NULL;
    u->ladder->closing++;
    closing_add(u->its->closing, &game);
}

void unit_on_trouble(void *owner, struct table *table, const char *why)
{
    struct unit *u = unit_of(owner);
    struct units *units = u->units;

    u->in_doubt = true;
    units->stuck += why ? 1 : -1;
    if (why)
        trouble_begin(units->its.troubles, TROUBLE_RECORD,
                      "records cannot be written: %s", why);
    else if (units->stuck == 0)
        trouble_end(units->its.troubles, TROUBLE_RECORD);
}

static void on_synced(void *arg, int error)
{
    struct unit *u = arg;

    table_stored(u->group.table, error);
}

bool unit_on_keep(void *owner, struct table *table, int record, struct err *err)
{
    struct unit *u = unit_of(owner);
    struct record_writer *w = match_record(table_match(table));
    const struct record_bytes bytes = {record, w->taken, &w->text};
    char path[PATH_BYTES];

    u->has_file = record != -1;
    if (!archive_keep(u->its->archive, u->ladder->name, &bytes, u->location,
                      err))
        return false;
    if (u->generation->config->durable) {
        archive_file(u->its->archive, u->location, path, sizeof path);
        syncer_ask(u->its->syncer, path, on_synced, u);
    } else {
        table_stored(table, 0);
    }
    return true;
}

/* Its file in running/; with what is there of it, or empty. */
static int open_running(const struct unit *u, bool keeps)
{
    char path[PATH_BYTES];

    archive_running_path(u->its->archive, u->group.id, path, sizeof path);
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | (keeps ? 0 : O_TRUNC),
                0600);
}

/* Keep the whole lines; cut off the rest. */
bool unit_open_record(struct unit *u, size_t whole, struct err *err)
{
    u->record = open_running(u, whole > 0);
    if (u->record == -1)
        return fail(err, "running/%s.rec cannot be opened: %s", u->group.id,
                    strerror(errno));
    if (whole == 0)
        return true;
    if (ftruncate(u->record, (off_t)whole) == 0 &&
        lseek(u->record, 0, SEEK_END) == (off_t)whole)
        return true;
    fail(err, "running/%s.rec cannot be cut: %s", u->group.id, strerror(errno));
    close(u->record);
    u->record = -1;
    return false;
}

int unit_on_store(void *owner, struct table *table)
{
    return open_running(unit_of(owner), false);
}

void unit_unlink_record(const struct unit *u)
{
    char path[PATH_BYTES];

    archive_running_path(u->its->archive, u->group.id, path, sizeof path);
    unlink(path);
}

bool unit_open_part(struct unit *u, struct err *err)
{
    if ((u->group.last > 0 || u->was_broken_off) && u->record == -1 &&
        !unit_open_record(u, 0, err))
        return false;
    unit_queue_for_index(u);
    return true;
}

/*
 * An empty file means that the unit continues with this part. If it cannot be
 * made, the file of the part before means the same, so that one is not handed
 * in yet.
 */
void unit_mark_next_part(struct unit *u)
{
    struct err err;

    if (!unit_open_part(u, &err))
        log_line(u->its->log, LOG_WARNING, u->group.id, "%s", err.text);
}

/* Keep the summary, so that the record just written need not be read again. */
void unit_keep_summary(struct unit *u, const struct match *match)
{
    if (u->in_doubt)
        return;
    u->summary = must_alloc(malloc(sizeof *u->summary));
    if (match_summary(match, u->summary))
        return;
    free(u->summary);
    u->summary = NULL;
}

void unit_mark_hand(struct unit *u, const struct hand *hand)
{
    char id[GROUP_ID_MAX + 1], path[PATH_BYTES];
    int fd;

    if (hand->part > u->hands.parts)
        return;
    part_id(hand->id, hand->part, id);
    archive_running_path(u->its->archive, id, path, sizeof path);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd == -1)
        log_line(u->its->log, LOG_WARNING, id, "%s cannot be made: %s", path,
                 strerror(errno));
    else
        close(fd);
}

void unit_unmark_hand(const struct unit *u, const struct hand *hand)
{
    char id[GROUP_ID_MAX + 1], path[PATH_BYTES];

    part_id(hand->id, hand->part, id);
    archive_running_path(u->its->archive, id, path, sizeof path);
    unlink(path);
}
