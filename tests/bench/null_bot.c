/*
 * null_bot [-l] [-c COUNT] [FILE] - a bot that answers at once, to measure the
 * referee.
 *
 * With FILE it plays games again: a line there is a match, a seat and its
 * moves, in the order in which the matches come, such as
 *
 *     game-000001 2 pass a1:xR c3:2
 *
 * and a NUL ends the file, which is not copied: there may be 2000 of us.
 * Without FILE it plays a random one of the legal moves. It lists legal_moves,
 * and so is told them, in this case and with -l. With -c it counts its moves in
 * a file of one 64-bit number, which all bots may share.
 */

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_MAX = 4 << 20, OUT_MAX = 4096 };

static char in[IN_MAX], out[OUT_MAX];
static size_t in_len, obeyed, out_len;
static bool lists_legal_moves;
static const char *games, *next_move, *legal;
static _Atomic uint64_t uncounted, *count = &uncounted;
static unsigned long long dice = 88172645463325252;

static void say(const char *text, size_t len)
{
    if (out_len + len > OUT_MAX)
        exit(1);
    memcpy(out + out_len, text, len);
    out_len += len;
}

static void answer(const char *text, size_t len)
{
    say("= ", 2);
    say(text, len);
    say("\n\n", 2);
}

static size_t word_len(const char *text)
{
    return strcspn(text, " \n");
}

/* What stands behind NAME= in the line. */
static const char *value_of(const char *line, const char *name)
{
    const char *at = strstr(line, name);

    if (!at)
        exit(1);
    return at + strlen(name);
}

/* "new_game GAME match=ID seats=2 seat=1 ..." */
static void find_moves(const char *line)
{
    const char *id = value_of(line, " match="), *seat;
    char key[64];

    seat = value_of(line, " seat=");
    snprintf(key, sizeof key, "%.*s %.*s ", (int)word_len(id), id,
             (int)word_len(seat), seat);
    games = strstr(games, key);
    if (!games)
        exit(1);
    next_move = games + strlen(key);
}

static void replay_move(void)
{
    size_t len = word_len(next_move);

    answer(next_move, len);
    next_move += len + (next_move[len] == ' ');
}

/* xorshift */
static unsigned long long roll(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice;
}

static void random_move(void)
{
    size_t words = 0, chosen;
    const char *at;

    for (at = legal; *at; at++)
        words += *at == ' ';
    chosen = roll() % words;
    for (at = legal; chosen > 0 || *at != ' '; at++)
        chosen -= *at == ' ';
    answer(at + 1, word_len(at + 1));
    legal = NULL;
}

static bool takes(const char **at, const char *command)
{
    size_t n = strlen(command);

    if (strncmp(*at, command, n) != 0)
        return false;
    *at += n;
    return true;
}

static void obey(const char *line)
{
    const char *at = line + strspn(line, "0123456789 ");

    if (takes(&at, "genmove")) {
        if (games)
            replay_move();
        else
            random_move();
        atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
        return;
    }
    if (takes(&at, "legal_moves"))
        legal = games ? NULL : at;
    else if (takes(&at, "new_game") && games)
        find_moves(at);
    if (takes(&at, "protocol_version"))
        answer("2", 1);
    else if (takes(&at, "list_commands") && lists_legal_moves)
        answer("legal_moves", 11);
    else
        answer("", 0);
    if (takes(&at, "quit"))
        exit(0);
}

/* The bytes move to the front only when no move has to be chosen from them. */
static void obey_all(void)
{
    char *feed;

    while ((feed = memchr(in + obeyed, '\n', in_len - obeyed)) != NULL) {
        char *line = in + obeyed;

        *feed = '\0';
        obeyed = (size_t)(feed + 1 - in);
        obey(line);
    }
    if (obeyed == in_len && !legal)
        obeyed = in_len = 0;
    if (out_len > 0 && write(1, out, out_len) != (ssize_t)out_len)
        exit(1);
    out_len = 0;
}

static void *map(const char *path, int mode, int protection)
{
    int fd = open(path, mode);
    struct stat st;
    void *bytes;

    if (fd == -1 || fstat(fd, &st) == -1)
        exit(1);
    bytes = mmap(NULL, (size_t)st.st_size, protection, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        exit(1);
    close(fd);
    return bytes;
}

int main(int argc, char **argv)
{
    int option;
    ssize_t n;

    while ((option = getopt(argc, argv, "lc:")) != -1)
        if (option == 'l')
            lists_legal_moves = true;
        else if (option == 'c')
            count = map(optarg, O_RDWR, PROT_READ | PROT_WRITE);
        else
            return 2;
    if (optind < argc)
        games = map(argv[optind], O_RDONLY, PROT_READ);
    else
        lists_legal_moves = true;
    while ((n = read(0, in + in_len, IN_MAX - 1 - in_len)) > 0) {
        in_len += (size_t)n;
        obey_all();
    }
    return 0;
}
