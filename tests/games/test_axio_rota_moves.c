/* AXIO rota: reading, refusing and listing moves, and the drawing. */

#include "axio_rota_table.h"

/* Moves. */

Test(axio_rota, refuses_what_is_no_move)
{
    static const char *const texts[] = {
        "x",       "2",       "2,0",      "2,0,",   ",0,3",   "2,,3",
        "+2,0,3",  "-0,0,1",  "02,0,3",   "2,00,3", "2,0,03", "2,0,33",
        "100,0,0", "0,100,0", "-100,0,0", "2,0,-1", "2,0,3=", "2,0,3=RR",
        "2,0,3=1", "2,0,3=.", "2,0,3==R", "2,0,3R", "2;0;3",  "2,0,3,",
        "2.0,0,3", "- 2,0,3", "0x2,0,3",  "2,0,a",  "pass",   "2,0,3=R,",
        "2,0,3\t", "",        "2, 0,3",   "=R",     "2,0=R",  "2147483648,0,0"};
    struct table t;

    begin(&t, 2, NULL, deal_of("1,2,3,4,51", "0000"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect(strstr(refusal(&t, 0, texts[i]), "move"), "\"%s\": \"%s\"",
                  texts[i], refusal(&t, 0, texts[i]));
    cr_expect_str_eq(refusal(&t, 0, "2,0"),
                     "\"2,0\" is not a move: write X,Y,R, or X,Y,R=C to name a "
                     "colour, such as 2,0,3 or -1,1,0=P");
    end(&t);
}

/* Says the refusal this? Nothing to say means that the move is legal. */
static void expect_refusal(const struct table *t, const char *text,
                           const char *says)
{
    const char *why = refusal(t, 0, text);

    cr_expect(*says ? strstr(why, says) != NULL : !*why, "%s: \"%s\"", text,
              why);
}

Test(axio_rota, refuses_in_the_order_of_the_rules)
{
    struct table t;

    begin(&t, 2, NULL, deal_of("1,2,3,4,5", "0000"));
    cr_expect_str_eq(refusal(&t, 1, "x"), "seat 2 does not owe a move now");
    expect_refusal(&t, "0,0,4=1", "is not a move");
    expect_refusal(&t, "0,0,4=X", "turned by 4");
    expect_refusal(&t, "9,9,9=X", "turned by 9");
    expect_refusal(&t, "2,0,4", "turned by 4");
    expect_refusal(&t, "0,0,0=X", "0,0 already has a tile");
    expect_refusal(&t, "1,1,3", "1,1 already has a tile");
    expect_refusal(&t, "9,9,0=X", "9,9 shares no side");
    expect_refusal(&t, "2,2,0", "2,2 shares no side");
    expect_refusal(&t, "-1,-1,0", "-1,-1 shares no side");
    expect_refusal(&t, "-1,2,0=R", "-1,2 shares no side");
    expect_refusal(&t, "99,-99,0", "99,-99 shares no side");
    expect_refusal(&t, "64,0,0", "64,0 shares no side");   /* as 0,0 in a */
    expect_refusal(&t, "64,-1,2", "64,-1 shares no side"); /* 64-bit column */
    expect_refusal(&t, "2,64,0", "2,64 shares no side");
    expect_refusal(&t, "-62,0,0", "-62,0 shares no side");
    expect_refusal(&t, "0,-64,0", "0,-64 shares no side");
    expect_refusal(&t, "2,0,0=X", "no empty corner");
    expect_refusal(&t, "2,0,0=R", "no empty corner");
    expect_refusal(&t, "2,0,0", "");
    leave(&t, SEAT(0));
    cr_expect_str_eq(refusal(&t, 1, "x"), "the game is over");
    end(&t);
}

Test(axio_rota, refuses_names_last)
{
    struct table t;

    begin(&t, 2, NULL, deal_of("1,2,3,4,51", "0000"));
    expect_refusal(&t, "0,0,4=X", "turned by 4");
    expect_refusal(&t, "0,0,0=X", "0,0 already has a tile");
    expect_refusal(&t, "9,9,0=X", "9,9 shares no side");
    expect_refusal(&t, "2,0,0=X", "no colour X");
    expect_refusal(&t, "2,0,0=r", "no colour r");
    expect_refusal(&t, "2,0,0=R", "");
    expect_refusal(&t, "2,0,0=P", "");
    expect_refusal(&t, "2,0,0", "");
    end(&t);
}

Test(axio_rota, says_what_would_be_right)
{
    struct table t;

    begin(&t, 1, NULL, deal_of("1,2,3,4,5", "0000"));
    cr_expect_str_eq(refusal(&t, 0, "2,0,5"), "a tile cannot be turned by 5 "
                                              "quarters: write 0, 1, 2 or 3");
    cr_expect_str_eq(refusal(&t, 0, "1,0,0"),
                     "1,0 already has a tile: choose an empty cell");
    cr_expect_str_eq(
        refusal(&t, 0, "2,2,0"),
        "2,2 shares no side with a tile on the table: choose a cell "
        "beside, above or below one");
    cr_expect_str_eq(refusal(&t, 0, "2,0,0=B"),
                     "your tile has no empty corner to name a colour for: "
                     "leave out =B");
    end(&t);
    begin(&t, 1, NULL, deal_of("1,2,3,4,51", "0000"));
    cr_expect_str_eq(refusal(&t, 0, "2,0,0=b"),
                     "there is no colour b: name R, G, B, O or P");
    end(&t);
}

/* The legal moves, joined by blanks. */
static const char *listed(const struct table *t, int seat, size_t *count)
{
    static struct buf text;
    struct moves moves = {0};

    if (!text.max)
        buf_init(&text, 1 << 20);
    buf_reset(&text);
    game->list(t->state, seat, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        buf_str(&text, i ? " " : "");
        game->format(t->state, seat, &moves.move[i], &text);
    }
    *count = moves.count;
    moves_release(&moves);
    return text.text;
}

Test(axio_rota, lists_by_cell_then_rotation)
{
    struct table t;
    size_t count;

    begin(&t, 1, "RRRR RRRR RRRR RRRR RRRR", deal_of("", "0000"));
    cr_assert_str_eq(listed(&t, 0, &count),
                     "-1,0,0 -1,0,1 -1,0,2 -1,0,3 -1,1,0 -1,1,1 -1,1,2 -1,1,3 "
                     "0,-1,0 0,-1,1 0,-1,2 0,-1,3 0,2,0 0,2,1 0,2,2 0,2,3 "
                     "1,-1,0 1,-1,1 1,-1,2 1,-1,3 1,2,0 1,2,1 1,2,2 1,2,3 "
                     "2,0,0 2,0,1 2,0,2 2,0,3 2,1,0 2,1,1 2,1,2 2,1,3");
    end(&t);
}

Test(axio_rota, lists_no_name_before_the_five_names)
{
    static const char first[] =
        "-1,0,0 -1,0,0=R -1,0,0=G -1,0,0=B -1,0,0=O -1,0,0=P -1,0,1 -1,0,1=R ";
    struct table t;
    size_t count;

    begin(&t, 1, NULL, deal_of("1,2,3,4,51", "0000"));
    cr_assert_eq(strncmp(listed(&t, 0, &count), first, strlen(first)), 0);
    cr_assert_eq(count, 8 * 4 * 6);
    end(&t);
}

/* Lines as long as four seats can lay without bonus turns. */
Test(axio_rota, reaches_as_far_as_a_game_can)
{
    struct table t;
    char move[32];
    size_t count;

    begin(&t, 4, "RRRR RRRR RRRR RRRR", deal_of("", "0000"));
    for (int i = 0; i < 48; i++) {
        sprintf(move, "%d,%d,0", i % 2 ? 0 : 1, i % 2 ? -1 - i / 2 : 2 + i / 2);
        listed(&t, turn(&t), &count);
        cr_expect_leq(count, (size_t)(2 * (4 + i) + 2) * 4);
        cr_expect_eq(count, (size_t)(i < 2 ? 8 + i : 6 + 2 * i) * 4);
        play(&t, move);
    }
    cr_expect_eq(turn(&t), -1);
    end(&t);
    begin(&t, 4, "", deal_of("", "0000"));
    for (int i = 0; i < 48; i++) {
        sprintf(move, "%d,0,%d", -1 - i, i % 4);
        cr_expect_eq(strncmp(listed(&t, turn(&t), &count), move, 4), 0);
        cr_expect_eq(count, (size_t)(i < 1 ? 8 : 7 + 2 * i) * 4);
        play(&t, move);
    }
    cr_expect(strstr(seen(&t, AUDIENCE_PUBLIC, "tiles"), ";-48,0:"));
    end(&t);
}

/* The drawing. */

static void draw(const struct table *t, int viewer, bool colour,
                 struct buf *out)
{
    buf_init(out, 1 << 20);
    game_show(game, t->state, viewer, colour, out);
    cr_assert(buf_ok(out));
}

Test(axio_rota, draws_the_start)
{
    struct table t;
    struct buf out;

    begin(&t, 2, NULL, deal_of("22,32,21,45,41", "0003"));
    draw(&t, 0, false, &out);
    cr_assert_str_eq(out.text,
                     "     +-----+-----+\n"
                     "   1 |R   G|R   G|\n"
                     "     |P   O|P   B|\n"
                     "     +-----+-----+\n"
                     "   0 |B * G|R   G|\n"
                     "     |R   O|P   O|\n"
                     "     +-----+-----+\n"
                     " y/x    0     1\n"
                     "\n"
                     "             R  G  B  O  P  lowest  hand  stack\n"
                     "  > seat 1   0  0  0  0  0       0  RGBO     11\n"
                     "    seat 2   0  0  0  0  0       0  ?        11\n"
                     "    supply 32\n"
                     "    seat 1 lays the tile in hand\n"
                     "    turned    0       1       2       3\n"
                     "            R   G   O   R   B   O   G   B\n"
                     "            O   B   B   G   G   R   R   O\n");
    buf_release(&out);
    end(&t);
}

Test(axio_rota, draws_no_hand_that_the_viewer_may_not_see)
{
    struct table t;
    struct buf out;

    begin(&t, 2, NULL, deal_of("22,32,21,45,41", "0003"));
    for (int viewer = AUDIENCE_PUBLIC; viewer < 2; viewer++) {
        draw(&t, viewer, false, &out);
        cr_expect_eq(strstr(out.text, "RGBO") != NULL, viewer == 0);
        cr_expect_eq(strstr(out.text, "turned") != NULL, viewer == 0);
        cr_expect_eq(strstr(out.text, "RBOP") != NULL, viewer == 1);
        buf_release(&out);
    }
    end(&t);
}

Test(axio_rota, draws_bonus_turns_and_the_end)
{
    struct table t;
    struct buf out;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    play(&t, "4,0,3=R");
    draw(&t, AUDIENCE_PUBLIC, false, &out);
    cr_expect(strstr(out.text, "  > seat 2  12 12  5  5 12       5  ROPB"));
    cr_expect(strstr(out.text, "seat 2 lays a bonus tile, 1 more earned\n"));
    buf_release(&out);
    leave(&t, SEAT(2));
    play(&t, "-3,3,0");
    play(&t, "-4,3,2=B");
    draw(&t, AUDIENCE_PUBLIC, false, &out);
    cr_expect(strstr(out.text, " -         0  left\n"));
    cr_expect(strstr(out.text, "over (tiles), first: seat 4\n"));
    buf_release(&out);
    end(&t);
}

static void drop_colours(char *text)
{
    char *out = text;

    for (; *text; text++)
        if (*text == '\033')
            text = strchr(text, 'm');
        else
            *out++ = *text;
    *out = '\0';
}

/* A long line is drawn in parts; colours change no letter. */
Test(axio_rota, draws_within_100_columns)
{
    struct table t;
    struct buf plain, coloured;
    int x = 2;

    begin(&t, 4, "", deal_of("", "0000"));
    play_rounds(&t, &x, 48);
    draw(&t, AUDIENCE_PUBLIC, false, &plain);
    draw(&t, AUDIENCE_PUBLIC, true, &coloured);
    for (const char *at = plain.text; *at; at += strcspn(at, "\n") + 1)
        cr_expect_leq(strcspn(at, "\n"), 100);
    for (const char *at = plain.text; *at; at++)
        cr_expect(*at == '\n' || (*at >= ' ' && *at <= '~' && *at != '#'));
    cr_expect_gt(coloured.len, plain.len);
    drop_colours(coloured.text);
    cr_expect_str_eq(coloured.text, plain.text);
    buf_release(&plain);
    buf_release(&coloured);
    end(&t);
}
