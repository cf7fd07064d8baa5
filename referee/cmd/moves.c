/* referee moves - list the legal moves at the end of a record. */

#include "cmd/cmd.h"
#include "lib/referee.h"
#include "match/replay.h"
#include "store/records.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { HINT_PLAYOUTS = 1000, HINT_MS = 3000, NICE = 10, TOLD_MAX = 64 << 20 };

static int seat_number;
static const char *wanted;
static bool as_hint;

static const struct opt opts[] = {
    {"seat", "K", "the seat, if several seats owe a move", OPT_INT,
     &seat_number, 1, SEATS_MAX},
    {"id", "ID", "of which game, if the file holds several", OPT_TEXT, &wanted,
     0, 0},
    {"hint", NULL, "one move: what the built-in bot would play", OPT_FLAG,
     &as_hint, 0, 0},
    {0},
};

static void print_moves(const struct replay *replay, int seat)
{
    struct moves moves = {0};
    struct buf text;

    buf_init(&text, MOVE_TEXT_MAX);
    replay->record.game->list(replay->state, seat, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        buf_reset(&text);
        replay->record.game->format(replay->state, seat, &moves.move[i], &text);
        puts(text.text);
    }
    buf_release(&text);
    moves_release(&moves);
}

/* The requested seat, or the only one that owes a move; or -1. */
static int choose_seat(const struct replay *replay, struct err *err)
{
    seat_set owing = replay->record.game->to_move(replay->state);
    struct buf seats;
    int seat = 0;

    buf_init(&seats, 64);
    seats_write(owing, &seats);
    if (seat_number)
        seat = seat_number - 1;
    else
        while (!(owing & SEAT(seat)))
            seat++;
    if (!(owing & SEAT(seat))) {
        fail(err, "seat %d does not owe a move now; seats that do: %s",
             seat + 1, seats.text);
        seat = -1;
    } else if (!seat_number && owing != SEAT(seat)) {
        fail(err, "seats %s all owe a move: choose one with --seat",
             seats.text);
        seat = -1;
    }
    buf_release(&seats);
    return seat;
}

/* "board=red komi=0.5" */
static void write_options(const struct record *record, struct buf *out)
{
    const struct game_option *o = record->game->options;

    for (int i = 0; o && o[i].name; i++)
        if (record->setup.option[i])
            buf_add(out, "%s%s=%s", out->len ? " " : "", o[i].name,
                    record->setup.option[i]);
}

/* A bot knows only what its seat was told. */
static referee_seat *seat_of(const referee_rules *rules,
                             const struct lines *told, int seat)
{
    referee_seat *knows = referee_seat_new(rules, seat + 1, "hint", NULL);

    for (size_t i = 0; i < told->count; i++)
        if (told->line[i].to & SEAT(seat))
            referee_seat_told(knows, lines_text(told, i), NULL);
    return knows;
}

static int print_hint(const struct replay *replay, const struct lines *told,
                      int seat)
{
    const struct record *record = &replay->record;
    char move[MOVE_TEXT_MAX + 1];
    referee_error err;
    referee_rules *rules;
    referee_seat *knows;
    struct buf options;
    int playouts = -1;

    buf_init(&options, RECORD_FILE_MAX);
    write_options(record, &options);
    /* Server games go first, unless the kernel schedules by session. */
    setpriority(PRIO_PROCESS, 0, NICE);
    rules = referee_rules_new(record->game->name, record->setup.seats,
                              options.text, &err);
    buf_release(&options);
    if (!rules)
        return complain("%s", err.text);
    knows = seat_of(rules, told, seat);
    playouts = referee_search(knows, HINT_PLAYOUTS, HINT_MS, "hint", move,
                              sizeof move, &err);
    referee_seat_free(knows);
    referee_rules_free(rules);
    if (playouts < 0)
        return complain("%s", err.text);
    puts(move);
    return 0;
}

static int list_moves(const struct replay *replay, const struct lines *told)
{
    struct err err;
    int seat;

    if (replay_over(replay)) {
        fputs("referee: the game is over: there are no moves\n", stderr);
        return 0;
    }
    seat = choose_seat(replay, &err);
    if (seat < 0)
        return complain("%s", err.text);
    if (as_hint)
        return print_hint(replay, told, seat);
    print_moves(replay, seat);
    return 0;
}

/* The only record in the file, or the requested one. */
static bool choose_record(struct records *file, struct buf *text,
                          struct err *err)
{
    char name[RECORD_NAME_MAX + 1], short_name[RECORD_NAME_MAX + 1];
    bool failed, is_only;

    while (records_next(file, text, &failed, err)) {
        record_name(text->text, name);
        record_match_name(text->text, short_name);
        if (wanted &&
            (strcmp(wanted, name) == 0 || strcmp(wanted, short_name) == 0))
            return true;
        if (wanted)
            continue;
        return records_is_only(file, &is_only, err) &&
               (is_only || fail(err,
                                "%s contains several records: choose one "
                                "with --id%s%s",
                                file->path, name[0] ? ", such as " : "", name));
    }
    return !failed && fail(err, "--id: %s has no record of a game %.80s",
                           file->path, wanted);
}

static int moves_of(const struct records *file, struct buf *text)
{
    struct replay replay;
    struct lines told;
    struct err err;
    int code = 1;

    replay_init(&replay);
    lines_init(&told, TOLD_MAX);
    if (replay_told(&replay, file->path, file->lines_before, text->text,
                    text->len, &told, &err))
        code = list_moves(&replay, &told);
    else
        complain("%s", err.text);
    lines_release(&told);
    replay_release(&replay);
    return code;
}

static int run(int argc, char **argv)
{
    struct records file;
    struct buf text;
    struct err err;
    int code;

    if (argc != 1)
        return complain("moves takes one record file, not %d", argc);
    if (!records_open(&file, argv[0], &err))
        return complain("%s", err.text);
    buf_init(&text, RECORD_FILE_MAX);
    if (choose_record(&file, &text, &err))
        code = moves_of(&file, &text);
    else
        code = complain("%s", err.text);
    records_close(&file);
    buf_release(&text);
    return code;
}

const struct subcommand cmd_moves = {
    .name = "moves",
    .args = "FILE [--seat K] [--id ID] [--hint]",
    .about = "list the legal moves at the end of a record",
    .more =
        "Replays the record, however far it goes, and writes the legal "
        "moves that follow,\none per line, in canonical order. FILE may be "
        "- for standard input. With --hint, the built-in bot searches for a "
        "good move, knowing\nno more than the seat.",
    .opts = opts,
    .run = run,
};
