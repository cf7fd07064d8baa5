/*
 * bad - a bot that plays random legal moves as it should, but for one fault.
 *
 *     bad MODE [SEED [AMOUNT]]
 *
 * Its moves follow from SEED and the legal moves alone, so the same deal gives
 * the same game again, also if the bot was killed and started anew meanwhile.
 * A mode is a row of the table below: at which command of a game the fault
 * strikes, at which occurrence of it (0: at each), and what is done in place of
 * the proper answer. "" strikes at the start, "*" at every command. "bad"
 * alone lists the modes.
 */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024, NOTES_MAX = 1000 };

struct request {
    const char *id, *command;
    char *rest;
};

struct mode {
    const char *name;
    const char *at;
    int turn;
    void (*act)(const struct request *r);
    const char *text; /* for it */
};

static const struct mode *mode;
static uint64_t seed = 1;
static int amount; /* of the mode's own meaning; 0: its preset */
static char move[128] = "resign";

static int amount_or(int preset)
{
    return amount ? amount : preset;
}

static void rest_ms(int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};

    while (nanosleep(&t, &t) == -1)
        continue;
}

static void rest_for_ever(void)
{
    for (;;)
        pause();
}

/* Unbuffered: what is said is in the pipe, in one piece if it is small. */
static void put(const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t wrote = write(STDOUT_FILENO, bytes, n);

        if (wrote == -1)
            _exit(1);
        bytes += wrote;
        n -= (size_t)wrote;
    }
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char text[4 * LINE_MAX_BYTES];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put(text, (size_t)n);
}

static void say_for_ever(const char *text)
{
    char many[4096];
    size_t one = strlen(text), n = 0;

    for (; n + one <= sizeof many; n += one)
        memcpy(many + n, text, one);
    for (;;)
        put(many, n);
}

/* The proper bot. */

static const char commands[] = "protocol_version\nlist_commands\nname\n"
                               "version\nnew_game\nlegal_moves\ngenmove\n"
                               "play\nleave\ngame_over\nquit";

static const char *const answers[][2] = {
    {"protocol_version", "2"},
    {"list_commands", commands},
    {"name", "bad"},
    {"version", "1"},
    {"genmove", move},
    {"new_game", ""},
    {"legal_moves", ""},
    {"play", ""},
    {"leave", ""},
    {"game_over", ""},
    {"quit", ""},
};

static const char *proper_answer(const char *command)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(command, answers[i][0]) == 0)
            return answers[i][1];
    return NULL;
}

static void answer(const struct request *r, char sign, const char *text)
{
    say("%c%s%s%s\n\n", sign, r->id, *text ? " " : "", text);
}

static void answer_properly(const struct request *r)
{
    const char *text = proper_answer(r->command);

    answer(r, text ? '=' : '?', text ? text : "unknown command");
}

static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u ^ seed * 0x9e3779b97f4a7c15u;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h ^ h >> 29;
}

static void choose(char *moves)
{
    size_t count = 0, chosen;
    char *at = moves, *word;

    for (const char *c = moves; *c; c++)
        count += *c == ' ';
    if (*moves == '\0')
        return;
    chosen = (size_t)(hash(moves) % (count + 1));
    while ((word = strsep(&at, " ")) != NULL && chosen-- > 0)
        continue;
    snprintf(move, sizeof move, "%s", word);
}

/* Faults: silence. */

static void hang(const struct request *r)
{
    rest_for_ever();
}

static void ignore(const struct request *r)
{
}

static void stop(const struct request *r)
{
    kill(getpid(), SIGSTOP);
}

static void half_a_line(const struct request *r)
{
    say("=%s %.1s", r->id, move);
    rest_for_ever();
}

static void close_output(const struct request *r)
{
    close(STDOUT_FILENO);
    rest_for_ever();
}

static void close_input(const struct request *r)
{
    answer_properly(r);
    close(STDIN_FILENO);
    rest_for_ever();
}

/* Faults: slowness. */

static void answer_late(const struct request *r)
{
    rest_ms(amount_or(1000));
    answer_properly(r);
}

static void answer_slowly(const struct request *r)
{
    rest_ms(amount_or(10));
    answer_properly(r);
}

static void drip(const struct request *r)
{
    char text[160];
    int n = snprintf(text, sizeof text, "=%s %s\n\n", r->id, move);

    for (int i = 0; i < n; i++) {
        put(text + i, 1);
        rest_ms(1);
    }
}

static void burn_ms(int ms)
{
    clock_t end = clock() + (clock_t)ms * (CLOCKS_PER_SEC / 1000);

    while (clock() < end)
        continue;
}

static void burn(const struct request *r)
{
    burn_ms(amount_or(1000));
    answer_properly(r);
}

static void burn_in_children(const struct request *r)
{
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            burn_ms(amount_or(1000) / 4);
            _exit(0);
        }
        wait(NULL);
    }
    answer_properly(r);
}

/*
 * Children that nobody waits for. Each says at its end what it has used, and
 * the bot adds it up, with its own; so a note tells how much it all was.
 */

static int64_t cpu_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void burn_and_report(int ms, int to)
{
    int64_t used;

    burn_ms(ms);
    used = cpu_us();
    if (write(to, &used, sizeof used) == -1)
        _exit(1);
    _exit(0);
}

/* The next starts when the last has reported, and so has all but ended. */
static int64_t burn_in_many(int count, int ms)
{
    int64_t sum = 0, used;
    int ends[2];

    if (pipe(ends) == -1)
        _exit(1);
    for (int i = 0; i < count; i++) {
        if (fork() == 0)
            burn_and_report(ms, ends[1]);
        if (read(ends[0], &used, sizeof used) == sizeof used)
            sum += used;
    }
    close(ends[0]);
    close(ends[1]);
    return sum;
}

static void answer_with_sum(const struct request *r, int64_t others,
                            int64_t own)
{
    say("# used %lld\n", (long long)(others + own));
    answer_properly(r);
}

static void burn_ignored(const struct request *r)
{
    int64_t begin = cpu_us(), others;

    signal(SIGCHLD, SIG_IGN);
    others = burn_in_many(4, amount_or(1000) / 4);
    answer_with_sum(r, others, cpu_us() - begin);
}

static void wake_up(int number)
{
    (void)number;
}

static void burn_unwaited(const struct request *r)
{
    const struct sigaction action = {.sa_handler = wake_up,
                                     .sa_flags = SA_NOCLDWAIT | SA_RESTART};
    int64_t begin = cpu_us(), others;

    sigaction(SIGCHLD, &action, NULL);
    others = burn_in_many(4, amount_or(1000) / 4);
    answer_with_sum(r, others, cpu_us() - begin);
}

/* Each lives for a millisecond. */
static void burn_briefly(const struct request *r)
{
    int64_t begin = cpu_us(), others;

    signal(SIGCHLD, SIG_IGN);
    others = burn_in_many(amount_or(1000), 1);
    answer_with_sum(r, others, cpu_us() - begin);
}

/* In a session of its own, below one that does not wait either. */
static void burn_in_daemon(const struct request *r)
{
    int64_t begin = cpu_us(), used = 0;
    int ends[2];

    signal(SIGCHLD, SIG_IGN);
    if (pipe(ends) == -1)
        _exit(1);
    if (fork() == 0) {
        setsid();
        used = burn_in_many(2, amount_or(1000) / 2) + cpu_us();
        if (write(ends[1], &used, sizeof used) == -1)
            _exit(1);
        _exit(0);
    }
    if (read(ends[0], &used, sizeof used) == -1)
        _exit(1);
    close(ends[0]);
    close(ends[1]);
    answer_with_sum(r, used, cpu_us() - begin);
}

/* clock() counts all threads. */
static void *burn_in_thread(void *arg)
{
    (void)arg;
    burn_ms(amount_or(1000) / 4);
    return NULL;
}

static void burn_in_threads(const struct request *r)
{
    int64_t begin = cpu_us();
    pthread_t thread;

    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread, NULL, burn_in_thread, NULL) == 0)
            pthread_join(thread, NULL);
    answer_with_sum(r, 0, cpu_us() - begin);
}

static void burn_and_wait(const struct request *r)
{
    int64_t begin = cpu_us(), others;

    others = burn_in_many(4, amount_or(1000) / 4);
    while (wait(NULL) > 0)
        continue;
    answer_with_sum(r, others, cpu_us() - begin);
}

/* The grandchild is nobody's child when it ends; a pipe tells when. */
static void burn_in_orphan(const struct request *r)
{
    char byte;
    int ends[2];

    if (pipe(ends) == -1)
        _exit(1);
    if (fork() == 0) {
        if (fork() == 0)
            burn_ms(amount_or(1000));
        _exit(0);
    }
    close(ends[1]);
    wait(NULL);
    if (read(ends[0], &byte, 1) == -1)
        _exit(1);
    rest_ms(100);
    close(ends[0]);
    answer_properly(r);
}

/* Faults: too much. */

static void endless(const struct request *r)
{
    say_for_ever(mode->text);
}

static void endless_line(const struct request *r)
{
    say("=%s ", r->id);
    say_for_ever("x");
}

/* Without the empty line they belong to the answer. */
static void endless_answer(const struct request *r)
{
    say("=%s\n", r->id);
    say_for_ever("y\n");
}

static void err_for_ever(const struct request *r)
{
    static const char line[] = "I am not well\n";

    while (write(STDERR_FILENO, line, sizeof line - 1) > 0)
        continue;
}

/* Several times what a log keeps. */
static void much_stderr(const struct request *r)
{
    static char bytes[64 * 1024];

    memset(bytes, '\n', sizeof bytes);
    for (int i = 0; i < 48; i++)
        if (write(STDERR_FILENO, bytes, sizeof bytes) == -1)
            _exit(1);
    answer_properly(r);
}

static void many_notes(const struct request *r)
{
    for (int i = 0; i < amount_or(NOTES_MAX + 1); i++)
        say("# %d\n", i);
    answer_properly(r);
}

static void long_notes(const struct request *r)
{
    for (int i = 0; i < amount_or(66); i++)
        say("#%*d\n", LINE_MAX_BYTES - 1, i);
    answer_properly(r);
}

static void padded_answer(const struct request *r, int bytes)
{
    char text[LINE_MAX_BYTES + 2];
    int n = snprintf(text, sizeof text, "=%s %s", r->id, move);

    say("%s%*s\n\n", text, bytes - n, "");
}

static void longest_line(const struct request *r)
{
    padded_answer(r, LINE_MAX_BYTES);
}

static void too_long_line(const struct request *r)
{
    padded_answer(r, LINE_MAX_BYTES + 1);
}

static void many_commands(const struct request *r)
{
    say("=%s\n", r->id);
    for (int i = 0; i < 300; i++)
        say("command_%d\n", i);
    say("\n");
}

static void long_title(const struct request *r)
{
    char text[LINE_MAX_BYTES - 15];

    memset(text, 'n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    answer(r, '=', text);
}

/* Faults: ends. */

static void exit_now(const struct request *r)
{
    _exit(3);
}

static void exit_half(const struct request *r)
{
    say("=%s %s", r->id, move);
    _exit(0);
}

static void move_and_exit(const struct request *r)
{
    answer_properly(r);
    _exit(0);
}

/* More than one read, and the move at its end counts. */
static void notes_move_and_exit(const struct request *r)
{
    for (int i = 0; i < 60; i++)
        say("#%*d\n", LINE_MAX_BYTES - 1, i);
    move_and_exit(r);
}

static void crash(const struct request *r)
{
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

/* Faults: company. */

static void start_child(void (*then)(void))
{
    if (fork() != 0)
        return;
    then();
    rest_for_ever();
}

static void stay(void)
{
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

static void leave_session(void)
{
    stay();
    setsid();
    if (fork() != 0)
        _exit(0);
    setsid();
}

/* Each link starts the next and ends: no process is there for long. */
static void walk_away(void)
{
    for (int i = 0; i < 300; i++) {
        rest_ms(2);
        if (fork() != 0)
            _exit(0);
        setsid();
    }
}

static void crowd(void)
{
    stay();
    for (int i = 0; i < 5; i++)
        if (fork() == 0)
            setsid();
}

static void (*const kinds_of_children[])(void) = {stay, leave_session,
                                                  walk_away, crowd};

static void start_children(void)
{
    for (size_t i = 0; i < 4; i++)
        start_child(kinds_of_children[i]);
}

static void have_children(const struct request *r)
{
    start_children();
    answer_properly(r);
}

static void have_children_and_hang(const struct request *r)
{
    start_children();
    rest_for_ever();
}

static void have_children_and_exit(const struct request *r)
{
    start_children();
    _exit(0);
}

/* Not even quit, the end of the input and SIGTERM end it. */
static void never_end(const struct request *r)
{
    signal(SIGTERM, SIG_IGN);
    answer_properly(r);
    rest_for_ever();
}

static void stop_parent(const struct request *r)
{
    kill(getppid(), SIGSTOP);
    answer_properly(r);
}

static void kill_parent(const struct request *r)
{
    kill(getppid(), SIGKILL);
    rest_for_ever();
}

/* What has left the session outlives the parent. */
static void orphan_children(const struct request *r)
{
    start_children();
    rest_ms(50);
    kill_parent(r);
}

/* Not for ever, or a failure would keep the machine busy. */
static time_t soon(void)
{
    return time(NULL) + 30;
}

/* There is always one of them, but never for long; and not as fast as it goes,
 * or a few of them on a busy machine would use up the process numbers. */
static void fork_on(void)
{
    time_t end = soon();

    setsid();
    while (time(NULL) < end) {
        usleep(500);
        if (fork() != 0)
            _exit(0);
    }
    _exit(0);
}

static void orphan_forks(const struct request *r)
{
    prctl(PR_SET_PDEATHSIG, 0);
    for (int i = 0; i < 3; i++)
        start_child(fork_on);
    kill(getppid(), SIGKILL);
    fork_on();
}

/* The parent gets no chance to do anything. */
static void stop_parent_for_ever(const struct request *r)
{
    time_t end = soon();
    pid_t parent = getppid();

    if (fork() == 0) {
        setsid();
        while (time(NULL) < end && kill(parent, SIGSTOP) == 0)
            continue;
        _exit(0);
    }
    answer_properly(r);
}

/* The parent of the parent. */
static void kill_referee(const struct request *r)
{
    char path[64];
    int pid = 0;
    FILE *in;

    start_children();
    rest_ms(50);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
    in = fopen(path, "r");
    if (in && fscanf(in, "%*d (%*[^)]) %*c %d", &pid) == 1 && pid > 1)
        kill(pid, SIGKILL);
    rest_for_ever();
}

/* Faults: words. */

static void wrong_id(const struct request *r)
{
    say("=%s0 %s\n\n", r->id, move);
}

static void answer_twice(const struct request *r)
{
    say("=%s %s\n\n=%s %s\n\n", r->id, move, r->id, move);
}

static void answer_more(const struct request *r)
{
    say("=%s %s\n\n= %s\n\n", r->id, proper_answer(r->command), move);
}

static void refuse(const struct request *r)
{
    answer(r, '?', "I would rather not");
}

static void two_words(const struct request *r)
{
    say("=%s %s %s\n\n", r->id, move, move);
}

static void answer_text(const struct request *r)
{
    answer(r, '=', mode->text);
}

static void glued(const struct request *r)
{
    say("=%s\n\n", move);
}

static void not_ascii(const struct request *r)
{
    say("=%s %s\xc3\xa9\n\n", r->id, move);
}

static void note_not_ascii(const struct request *r)
{
    say("# d\xc3\xa9j\xc3\xa0 vu \xff\xfe\n");
    answer_properly(r);
}

static void control_bytes(const struct request *r)
{
    put("\0\0", 2);
    say("\a=%s\t\x01", r->id);
    put("\0", 1);
    say("%s\x7f \n\x02\n", move);
}

static void crlf(const struct request *r)
{
    const char *text = proper_answer(r->command);

    if (!text)
        say("?%s\r\n\r\n", r->id);
    else if (text == commands)
        say("=%s legal_moves\r\ngenmove\r\nquit\r\n\r\n", r->id);
    else
        say("=%s %s\r\n\r\n", r->id, text);
}

static void no_ids(const struct request *r)
{
    say("= %s\n\n", proper_answer(r->command));
}

static void no_empty_line(const struct request *r)
{
    say("=%s %s\n", r->id, proper_answer(r->command));
}

static void remarks(const struct request *r)
{
    say("=%s %s\nas I said\nand so on\n\n# and a note\n", r->id, move);
}

static const struct mode modes[] = {
    {"none", "-", 0, ignore, NULL},
    {"hang_start", "", 0, hang, NULL},
    {"exit_start", "", 0, exit_now, NULL},
    {"flood_start", "", 0, endless_line, NULL},
    {"answers_start", "", 0, endless, "=\n\n"},
    {"old_version", "protocol_version", 0, answer_text, "1"},
    {"list_refused", "list_commands", 0, refuse, NULL},
    {"list_long", "list_commands", 0, many_commands, NULL},
    {"name_refused", "name", 0, refuse, NULL},
    {"name_long", "name", 0, long_title, NULL},
    {"refuse", "new_game", 0, refuse, NULL},
    {"hang_new_game", "new_game", 0, hang, NULL},
    {"early", "new_game", 0, answer_more, NULL},

    {"silent", "genmove", 2, ignore, NULL},
    {"hang", "genmove", 2, hang, NULL},
    {"hang_first", "genmove", 1, hang, NULL},
    {"stop", "genmove", 2, stop, NULL},
    {"half", "genmove", 2, half_a_line, NULL},
    {"close_output", "genmove", 2, close_output, NULL},
    {"close_input", "genmove", 2, close_input, NULL},
    {"late", "genmove", 2, answer_late, NULL},
    {"slow", "*", 0, answer_slowly, NULL},
    {"drip", "genmove", 0, drip, NULL},
    {"burn", "genmove", 2, burn, NULL},
    {"burn_children", "genmove", 2, burn_in_children, NULL},
    {"burn_orphan", "genmove", 2, burn_in_orphan, NULL},
    {"burn_wait", "genmove", 2, burn_and_wait, NULL},
    {"burn_ignored", "genmove", 2, burn_ignored, NULL},
    {"burn_unwaited", "genmove", 2, burn_unwaited, NULL},
    {"burn_briefly", "genmove", 2, burn_briefly, NULL},
    {"burn_daemon", "genmove", 2, burn_in_daemon, NULL},
    {"burn_threads", "genmove", 2, burn_in_threads, NULL},

    {"endless_line", "genmove", 2, endless_line, NULL},
    {"endless_lines", "genmove", 2, endless, "y\n"},
    {"endless_answer", "legal_moves", 2, endless_answer, NULL},
    {"endless_blanks", "genmove", 2, endless, "\n"},
    {"endless_notes", "genmove", 2, endless, "# thinking\n"},
    {"endless_answers", "genmove", 2, endless, "=\n\n"},
    {"endless_stderr", "genmove", 2, err_for_ever, NULL},
    {"stderr", "genmove", 2, much_stderr, NULL},
    {"notes", "genmove", 2, many_notes, NULL},
    {"long_notes", "genmove", 2, long_notes, NULL},
    {"line_1024", "genmove", 0, longest_line, NULL},
    {"line_1025", "genmove", 2, too_long_line, NULL},

    {"exit", "genmove", 2, exit_now, NULL},
    {"exit_first", "genmove", 1, exit_now, NULL},
    {"exit_half", "genmove", 2, exit_half, NULL},
    {"exit_later", "play", 2, exit_now, NULL},
    {"exit_over", "game_over", 0, exit_now, NULL},
    {"move_exit", "genmove", 2, move_and_exit, NULL},
    {"notes_move_exit", "genmove", 2, notes_move_and_exit, NULL},
    {"crash", "genmove", 2, crash, NULL},

    {"children", "genmove", 2, have_children, NULL},
    {"children_hang", "genmove", 2, have_children_and_hang, NULL},
    {"children_exit", "genmove", 2, have_children_and_exit, NULL},
    {"never_end", "quit", 0, never_end, NULL},
    {"stop_parent", "genmove", 2, stop_parent, NULL},
    {"kill_parent", "genmove", 2, kill_parent, NULL},
    {"orphans", "genmove", 2, orphan_children, NULL},
    {"orphans_fork", "genmove", 2, orphan_forks, NULL},
    {"stop_always", "genmove", 2, stop_parent_for_ever, NULL},
    {"kill_referee", "genmove", 2, kill_referee, NULL},

    {"wrong_id", "genmove", 2, wrong_id, NULL},
    {"twice", "genmove", 2, answer_twice, NULL},
    {"unasked", "genmove", 2, answer_more, NULL},
    {"fail", "genmove", 2, refuse, NULL},
    {"illegal", "genmove", 2, answer_text, "xyzzy"},
    {"two_words", "genmove", 2, two_words, NULL},
    {"empty", "genmove", 2, answer_text, ""},
    {"resign", "genmove", 2, answer_text, "resign"},
    {"glued", "genmove", 2, glued, NULL},
    {"not_ascii", "genmove", 2, not_ascii, NULL},
    {"note_not_ascii", "genmove", 0, note_not_ascii, NULL},
    {"control", "genmove", 0, control_bytes, NULL},
    {"crlf", "*", 0, crlf, NULL},
    {"no_ids", "*", 0, no_ids, NULL},
    {"no_empty_line", "*", 0, no_empty_line, NULL},
    {"remarks", "genmove", 0, remarks, NULL},
};

static const struct mode *find_mode(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(name, modes[i].name) == 0)
            return &modes[i];
    return NULL;
}

static int list_modes(void)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        puts(modes[i].name);
    return 2;
}

/* The commands that the mode waits for count anew in every game. */
static int strikes(const char *command)
{
    static int count;

    if (strcmp(command, "new_game") == 0)
        count = 0;
    if (*mode->at != '*' && strcmp(command, mode->at) != 0)
        return 0;
    return ++count == mode->turn || mode->turn == 0;
}

static struct request read_request(char *line)
{
    struct request r = {"", "", line};

    line[strcspn(line, "\r\n")] = '\0';
    if (*line >= '0' && *line <= '9')
        r.id = strsep(&r.rest, " ");
    r.command = r.rest ? strsep(&r.rest, " ") : "";
    return r;
}

int main(int argc, char **argv)
{
    static const struct request start = {"", "", NULL};
    char *line = NULL;
    size_t size = 0;

    mode = argc > 1 ? find_mode(argv[1]) : NULL;
    if (!mode)
        return list_modes();
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    if (argc > 3)
        amount = atoi(argv[3]);
    if (!*mode->at)
        mode->act(&start);
    while (getline(&line, &size, stdin) > 0) {
        struct request r = read_request(line);

        if (strcmp(r.command, "legal_moves") == 0 && r.rest)
            choose(r.rest);
        (strikes(r.command) ? mode->act : answer_properly)(&r);
        if (strcmp(r.command, "quit") == 0)
            break;
    }
    free(line);
    return 0;
}
