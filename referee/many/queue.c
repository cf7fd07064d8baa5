#include "many/queue.h"

#include <stdio.h>

void queue_put(struct db *db, const char *client, const struct order *order,
               const char *text, db_take *take, void *arg)
{
    char speed[32];
    const struct pg_value values[] = {PG_TEXT(client), PG_TEXT(order->unit),
                                      PG_TEXT(order->day), PG_TEXT(speed),
                                      PG_TEXT(text)};

    snprintf(speed, sizeof speed, "%.0f", order->min_speed);
    db_ask(db, "SELECT referee.put_unit($1, $2, $3::date, $4::real, $5)",
           values, 5, take, arg);
}

void queue_ask(struct db *db, const char *client, int most, db_take *take,
               void *arg)
{
    char count[16];
    const struct pg_value values[] = {PG_TEXT(client), PG_TEXT(count)};

    snprintf(count, sizeof count, "%d", most);
    db_ask(db,
           "SELECT a.unit, u.why, r.worker, r.bytes, u.orders, t.original,"
           " CASE WHEN r.part = 1 THEN s.said END FROM"
           " (SELECT seq, unit FROM referee.arrivals WHERE client = $1"
           "  ORDER BY seq LIMIT $2::int) a"
           " JOIN referee.units u ON u.id = a.unit"
           " LEFT JOIN referee.records r ON r.day = u.day AND r.unit = a.unit"
           " LEFT JOIN referee.twins t ON t.unit = a.unit"
           " LEFT JOIN referee.said s ON s.unit = a.unit"
           " ORDER BY a.seq, r.part",
           values, 2, take, arg);
}

void queue_ask_counted(struct db *db, const char *unit, db_take *take,
                       void *arg)
{
    const struct pg_value value = PG_TEXT(unit);

    db_ask(db,
           "SELECT r.unit, NULL, r.worker, r.bytes, '', NULL, NULL"
           " FROM referee.records r"
           " WHERE r.unit = $1 AND NOT EXISTS"
           " (SELECT 1 FROM referee.units u WHERE u.id = $1) ORDER BY r.part",
           &value, 1, take, arg);
}

void queue_put_twin(struct db *db, const char *client, const struct twin *twin)
{
    char speed[32];
    const struct pg_value values[] = {
        PG_TEXT(client),       PG_TEXT(twin->unit), PG_TEXT(twin->day),
        PG_TEXT(speed),        PG_TEXT(twin->text), PG_TEXT(twin->original),
        PG_TEXT(twin->worker), PG_TEXT(twin->names)};

    snprintf(speed, sizeof speed, "%.0f", twin->min_speed);
    db_ask(db,
           "SELECT referee.put_twin($1, $2, $3::date, $4::real, $5, $6, $7,"
           " $8)",
           values, 8, NULL, NULL);
}

void queue_twin_done(struct db *db, const char *unit, const char *worker,
                     const char *bot, const char *differs)
{
    const struct pg_value values[] = {PG_TEXT(unit), PG_TEXT(worker),
                                      PG_TEXT(bot), PG_TEXT(differs)};

    if (db_is_ready(db))
        db_ask(db, "SELECT referee.twin_done($1, $2, $3, $4)", values, 4, NULL,
               NULL);
}

void queue_refuse(struct db *db, const char *unit, const char *worker,
                  const char *why)
{
    const struct pg_value values[] = {PG_TEXT(unit), PG_TEXT(worker),
                                      PG_TEXT(why)};

    if (db_is_ready(db))
        db_ask(db, "SELECT referee.refuse($1, $2, $3)", values, 3, NULL, NULL);
}

void queue_drop(struct db *db, const char *unit)
{
    const struct pg_value value = PG_TEXT(unit);

    if (db_is_ready(db))
        db_ask(db, "SELECT referee.drop_unit($1)", &value, 1, NULL, NULL);
}
