/*
 * null_bot [-a] [-l] [-r] [-c COUNT] [-t PORT:NAME:TOKEN] [FILE] - a bot that
 * answers at once, to measure the referee.
 *
 * With FILE it plays games again. All lines there have one length: the first
 * is that length and the number of games, and then for every game come the
 * moves of its seats, one line each:
 *
 *     23 500
 *     pass a1:xR c3:2
 *     b1:2 c1:2B
 *
 * so that 2000 of us find a game without looking at the others. Without FILE
 * it plays a random one of the legal moves. It lists legal_moves, and so is
 * told them, in this case and with -l. With -a it does not say what it
 * understands, and gets all events and times. With -c it counts its moves in a
 * file of one 64-bit number, which all bots may share. With -r it plays its
 * game again and again, for one who does not know when it is over. With -t it
 * talks over TCP on this machine, to a referee that takes plain tokens.
 */

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_MAX = 4 << 20, OUT_MAX = 4096, SEATS = 2 };

static char in[IN_MAX], out[OUT_MAX];
static size_t in_len, obeyed, out_len;
static int from = 0, to = 1;
static bool lists_legal_moves, lists_nothing, repeats;
static char login[512];
static const char *games, *first_move, *next_move, *legal;
static size_t line_bytes, game_count;
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

/* "new_game GAME match=game-000012 seats=2 seat=1 ..." */
static void find_moves(const char *line)
{
    const char *id = value_of(line, " match=");
    size_t seat = strtoul(value_of(line, " seat="), NULL, 10) - 1, game;

    id += word_len(id);
    while (id[-1] >= '0' && id[-1] <= '9')
        id--;
    game = (strtoul(id, NULL, 10) - 1) % game_count;
    first_move = games + line_bytes * (1 + SEATS * game + seat);
    next_move = first_move;
}

/* By hand: what the bot needs is no cost of the referee. */
static void replay_move(void)
{
    const char *end = next_move;

    while (*end != ' ' && *end != '\n')
        end++;
    answer(next_move, (size_t)(end - next_move));
    next_move = end + (*end == ' ');
    if (repeats && (*next_move == ' ' || *next_move == '\n'))
        next_move = first_move;
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

/* What is asked once, or seldom. */
static void obey_other(const char *at)
{
    if (takes(&at, "legal_moves"))
        legal = games ? NULL : at;
    else if (takes(&at, "new_game") && games)
        find_moves(at);
    if (takes(&at, "protocol_version"))
        answer("2", 1);
    else if (takes(&at, "login"))
        answer(login, strlen(login));
    else if (lists_nothing && takes(&at, "list_commands"))
        say("?\n\n", 3);
    else if (lists_legal_moves && takes(&at, "list_commands"))
        answer("legal_moves", 11);
    else
        answer("", 0);
    if (takes(&at, "quit"))
        exit(0);
}

static void obey(const char *line)
{
    const char *at = line;

    while ((*at >= '0' && *at <= '9') || *at == ' ')
        at++;
    if (!takes(&at, "genmove")) {
        obey_other(at);
        return;
    }
    if (games)
        replay_move();
    else
        random_move();
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
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
    if (out_len > 0 && write(to, out, out_len) != (ssize_t)out_len)
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

static void read_games(const char *path)
{
    char *end;

    games = map(path, O_RDONLY, PROT_READ);
    line_bytes = strtoul(games, &end, 10);
    game_count = strtoul(end, NULL, 10);
    if (line_bytes == 0 || game_count == 0)
        exit(1);
}

/* "PORT:NAME:TOKEN" */
static void call(char *where)
{
    const char *port = strsep(&where, ":"), *name = strsep(&where, ":");
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;

    at.sin_port = htons((uint16_t)atoi(port));
    snprintf(login, sizeof login, "%s token:%s", name, where);
    from = to = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(to, (struct sockaddr *)&at, sizeof at) != 0)
        exit(1);
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int main(int argc, char **argv)
{
    int option;
    ssize_t n;

    while ((option = getopt(argc, argv, "alrc:t:")) != -1)
        if (option == 'a')
            lists_nothing = true;
        else if (option == 'l')
            lists_legal_moves = true;
        else if (option == 'r')
            repeats = true;
        else if (option == 'c')
            count = map(optarg, O_RDWR, PROT_READ | PROT_WRITE);
        else if (option == 't')
            call(optarg);
        else
            return 2;
    if (optind < argc)
        read_games(argv[optind]);
    else
        lists_legal_moves = true;
    while ((n = read(from, in + in_len, IN_MAX - 1 - in_len)) > 0) {
        in_len += (size_t)n;
        obey_all();
    }
    return 0;
}
