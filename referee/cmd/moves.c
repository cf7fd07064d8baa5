/* referee moves - the legal moves at the end of a record. */

#include "cmd/cmd.h"
#include "match/replay.h"
#include "store/records.h"

#include <stdio.h>
#include <string.h>

static int seat_number;
static const char *wanted;

static const struct opt opts[] = {
    {"seat", "K", "whose moves, if several seats owe one", OPT_INT,
     &seat_number, 1, SEATS_MAX},
    {"id", "ID", "of which game, if the file holds several", OPT_TEXT, &wanted,
     0, 0},
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

/* The seat that was asked for, or the only one that owes a move; or -1. */
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
        fail(err, "seat %d does not owe a move now; owing: %s", seat + 1,
             seats.text);
        seat = -1;
    } else if (!seat_number && owing != SEAT(seat)) {
        fail(err, "seats %s all owe a move: choose one with --seat",
             seats.text);
        seat = -1;
    }
    buf_release(&seats);
    return seat;
}

static int list_moves(struct replay *replay)
{
    struct err err;
    int seat;

    if (!replay_all(replay, &err)) {
        complain("%s", err.text);
        return 1;
    }
    if (replay_over(replay)) {
        fputs("referee: the game is over: there are no moves\n", stderr);
        return 0;
    }
    seat = choose_seat(replay, &err);
    if (seat < 0)
        return complain("%s", err.text);
    print_moves(replay, seat);
    return 0;
}

/* The only record in the file, or the one that is wanted. */
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
                                "%s holds several records: choose one with "
                                "--id%s%s",
                                file->path, name[0] ? ", such as " : "", name));
    }
    return !failed && fail(err, "--id: %s has no record of a game %.80s",
                           file->path, wanted);
}

static int moves_of(const struct records *file, struct buf *text)
{
    struct replay replay;
    struct err err;
    int code = 1;

    replay_init(&replay);
    if (replay_open_after(&replay, file->path, file->lines_before, text->text,
                          text->len, &err))
        code = list_moves(&replay);
    else
        complain("%s", err.text);
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
    .args = "FILE [--seat K] [--id ID]",
    .about = "list the legal moves at the end of a record",
    .more = "Replays the record, however far it goes, and writes the legal "
            "moves that follow,\none per line, in canonical order. FILE may be "
            "- for standard input.",
    .opts = opts,
    .run = run,
};
