#include "cmd/lib/bots.h"

#include "base/text.h"
#include "cmd/lib/bot_walls.h"
#include "cmd/lib/files.h"
#include "cmd/lib/luggage.h"
#include "match/clock.h"
#include "run/environment.h"
#include "store/digest.h"

#include <ctype.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Log at most this many bytes of a bot's stderr in one game. */
static const int64_t log_max_bytes = 1 << 20;
static const int64_t quit_preset_us = 2000000;

static const char blanks[] = " \t";

bool duration_read(const char *text, int64_t *us, struct err *err)
{
    struct time_control control;
    char move[64];

    if (strcmp(text, "0") == 0) {
        *us = 0;
        return true;
    }
    snprintf(move, sizeof move, "move:%.40s", text);
    if (!time_control_parse(move, &control, err) || control.cpu)
        return fail(err,
                    "\"%.40s\" is not a duration; write it like 500ms or 2s",
                    text);
    *us = control.main_us;
    return true;
}

bool duration_within(const char *text, int64_t min_us, int64_t max_us,
                     int64_t *us, struct err *err)
{
    struct buf range;
    int64_t value;

    if (!duration_read(text, &value, err))
        return false;
    if (value >= min_us && value <= max_us) {
        *us = value;
        return true;
    }
    buf_init(&range, 64);
    duration_write(min_us, &range);
    buf_str(&range, " to ");
    duration_write(max_us, &range);
    fail(err, "must be from %s, not \"%.40s\"", range.text, text);
    buf_release(&range);
    return false;
}

static struct bot_entry *find_entry(struct bot_book *book, const char *name)
{
    for (int i = 0; i < book->count; i++)
        if (strcmp(book->entry[i].name, name) == 0)
            return &book->entry[i];
    return NULL;
}

struct bot_entry *bot_book_add(struct bot_book *book, const char *name)
{
    struct bot_entry *entry;

    if (book->count == BOTS_MAX)
        return NULL;
    entry = &book->entry[book->count++];
    *entry = (struct bot_entry){.name = name, .quit_us = quit_preset_us};
    return entry;
}

/* Command lines. */

/* "FOO=1 ./bot" sets a variable; the length of "FOO=1 ", or 0. */
static size_t assignment(const char *command)
{
    size_t n = environment_name(command);

    if (n == 0 || command[n] != '=')
        return 0;
    n += strcspn(command + n, blanks);
    return command[n] ? n + strspn(command + n, blanks) : 0;
}

/* Words that only a shell understands. */
static bool needs_shell(const char *command)
{
    if (assignment(command) > 0)
        return true;
    return strpbrk(command, "|&;<>()$`\\\"'*?[]#~{}\n") != NULL;
}

/* Split at blanks. */
static char **split(const char *command, struct pool *pool)
{
    size_t words_max = strlen(command) / 2 + 1;
    char **argv = pool_take(pool, (words_max + 1) * sizeof *argv);
    char *at = pool_text(pool, command), *word;
    size_t n = 0;

    while ((word = strsep(&at, " \t")) != NULL)
        if (*word)
            argv[n++] = word;
    return argv;
}

static char **shell(const char *command, struct pool *pool)
{
    char **argv = pool_take(pool, 4 * sizeof *argv);

    argv[0] = pool_text(pool, "sh");
    argv[1] = pool_text(pool, "-c");
    argv[2] = pool_text(pool, command);
    return argv;
}

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           access(path, X_OK) == 0;
}

static bool is_in_path(const char *name)
{
    const char *dirs = getenv("PATH");
    char path[4096];

    while (dirs && *dirs) {
        size_t n = strcspn(dirs, ":");

        snprintf(path, sizeof path, "%.*s/%s", (int)n, dirs, name);
        if (is_program(path))
            return true;
        dirs += n + (dirs[n] == ':');
    }
    return false;
}

/* Relative to the entry's folder. */
static void place(const struct bot_entry *entry, const char *program, int len,
                  char *path, size_t size)
{
    bool below = entry->directory && program[0] != '/';

    snprintf(path, size, "%s%s%.*s", below ? entry->directory : "",
             below ? "/" : "", len, program);
}

/*
 * "my dir/exe bot" begins with a program whose name has a blank, where it was
 * split. The length of that name; 0: there is no such program.
 */
static size_t cut_name(const struct bot_entry *entry)
{
    const char *command = entry->command ? entry->command : "";
    size_t n = strcspn(command, blanks);
    char path[4096];

    while (command[n]) {
        n += 1 + strcspn(command + n + 1, blanks);
        place(entry, command, (int)n, path, sizeof path);
        if (memchr(command, '/', n) && is_program(path))
            return n;
    }
    return 0;
}

/* Is "python3 bot.py" a command that was taken for one word? */
static bool is_command(const char *program)
{
    char first[4096];

    if (!strpbrk(program, blanks))
        return false;
    if (!strchr(program, '/'))
        return true;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(program, blanks),
             program);
    return strchr(first, '/') ? is_program(first) : is_in_path(first);
}

/* Interpreters, which run bots. */
static const char *const interpreters[] = {
    "python3", "python", "pypy3", "node",   "deno", "java",
    "ruby",    "perl",   "lua",   "tclsh",  "sh",   "bash",
    "php",     "guile",  "mono",  "dotnet", NULL,
};

static bool is_interpreter(const char *word)
{
    for (const char *const *name = interpreters; *name; name++)
        if (strcmp(word, *name) == 0)
            return true;
    return false;
}

/* "pyhton3" */
static bool fail_misspelt(const struct bot_entry *entry, const char *program,
                          struct err *err)
{
    struct guess guess;

    guess_begin(&guess, program);
    for (const char *const *name = interpreters; *name; name++)
        guess_add(&guess, "", *name);
    if (guess.nearest)
        fail(err, "bot %s: there is no program \"%.80s\"; did you mean \"%s\"?",
             entry->name, program, guess.nearest);
    else
        fail(err,
             "bot %s: there is no program \"%.80s\"; for a program in "
             "this folder write ./%.80s",
             entry->name, program, program);
    guess_end(&guess);
    return false;
}

/* The kernel runs binaries, and scripts that name their interpreter. */
static bool lacks_interpreter(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char head[64];
    ssize_t n;

    if (fd == -1)
        return false;
    n = read(fd, head, sizeof head);
    close(fd);
    if (n <= 0 || (n >= 2 && head[0] == '#' && head[1] == '!'))
        return n == 0;
    for (ssize_t i = 0; i < n; i++)
        if (head[i] == '\0' || head[i] == 0x7f)
            return false;
    return true;
}

static bool fail_missing(const struct bot_entry *entry, const char *program,
                         const char *path, struct err *err)
{
    size_t n = cut_name(entry);

    if (n > 0)
        return fail(err,
                    "bot %s: there is no program \"%.80s\"; a name with "
                    "blanks needs quotes of its own: '%.*s'%.80s",
                    entry->name, program, (int)n, entry->command,
                    entry->command + n);
    if (is_command(program))
        return fail(err,
                    "bot %s: there is no program \"%.80s\"; leave out the "
                    "quotes around the command",
                    entry->name, program);
    if (strchr(program, '/'))
        return fail(err, "bot %s: there is no %.200s", entry->name, path);
    if (access(program, F_OK) == 0)
        return fail(err,
                    "bot %s: there is no program \"%.80s\" in PATH; for the "
                    "file in this folder write ./%.80s",
                    entry->name, program, program);
    return fail_misspelt(entry, program, err);
}

/* Better to fail now than to lose a game. */
bool can_be_run(const struct bot_entry *entry, char *const *argv,
                struct err *err)
{
    char path[4096];
    const char *program = argv[0];
    struct stat st;

    if (!program)
        return fail(err, "a bot has an empty command");
    if (!strchr(program, '/'))
        return is_in_path(program) || fail_missing(entry, program, NULL, err);
    place(entry, program, (int)strlen(program), path, sizeof path);
    if (is_program(path))
        return !lacks_interpreter(path) ||
               fail(err,
                    "bot %s: %.200s is a script whose first line names no "
                    "interpreter; add such a line, or start the script with "
                    "its interpreter, such as \"python3 %.200s\"",
                    entry->name, path, program);
    if (stat(path, &st) != 0)
        return fail_missing(entry, program, path, err);
    if (S_ISDIR(st.st_mode))
        return fail(err, "bot %s: %.200s is a folder; name a program in it",
                    entry->name, path);
    return fail(err,
                "bot %s: %.200s is not executable; run \"chmod +x\" on "
                "it, or name its interpreter in the command",
                entry->name, path);
}

/* The files and words that make up the bot. */

/* If this word names a file. */
static void add_named(struct digest *all, const struct bot_entry *entry,
                      const char *name, size_t len)
{
    char path[4096];

    place(entry, name, (int)len, path, sizeof path);
    if (len > 0)
        digest_contents(all, path);
}

/* A file after '>' is the bot's output, and no part of it. */
static void add_files_of_shell(struct digest *all,
                               const struct bot_entry *entry, const char *line)
{
    static const char gaps[] = " \t;&|<>(){}`", ends[] = " \t;&|<>(){}`'\"";

    while (*line) {
        size_t gap = strspn(line, gaps), len;
        bool is_written = memchr(line, '>', gap);
        char quote[2] = {0};

        line += gap;
        if (*line == '\'' || *line == '"')
            quote[0] = *line++;
        len = strcspn(line, quote[0] ? quote : ends);
        if (!is_written)
            add_named(all, entry, line, len);
        line += len;
        line += quote[0] && *line;
    }
}

/* The words of the command and the files that they name. */
static void add_command(struct digest *all, const struct bot_entry *entry,
                        char *const *argv)
{
    bool is_line = needs_shell(entry->command);

    for (; *argv; argv++) {
        digest_word(all, *argv);
        if (!is_line)
            add_named(all, entry, *argv, strlen(*argv));
    }
    if (is_line)
        add_files_of_shell(all, entry, entry->command);
    for (int i = 0; i < entry->environment_count; i++) {
        digest_word(all, ""); /* no word of the command */
        digest_word(all, entry->environment[i]);
    }
}

static bool add_listed(struct digest *all, const struct bot_entry *entry,
                       struct err *err)
{
    for (const char *at = entry->files; at && *at; at += strspn(at, blanks)) {
        size_t len = strcspn(at, blanks);
        char name[4096], path[4096];

        snprintf(name, sizeof name, "%.*s", (int)len, at);
        place(entry, name, (int)len, path, sizeof path);
        if (!digest_file(all, path, name, err))
            return fail_at(err, "bot %s: files", entry->name);
        at += len;
    }
    return true;
}

/* NULL, with a reason, if a file of the bot cannot be read. */
static const char *version_of(const struct bot_entry *entry, char *const *argv,
                              struct pool *pool, struct err *err)
{
    char *hex = pool_take(pool, DIGEST_HEX + 1);
    struct digest all;

    if (entry->version)
        return entry->version;
    digest_begin(&all);
    add_command(&all, entry, argv);
    if (entry->folder && !digest_folder(&all, entry->folder, err)) {
        fail_at(err, "bot %s: folder", entry->name);
        return NULL;
    }
    if (!add_listed(&all, entry, err))
        return NULL;
    digest_end(&all, hex);
    return hex;
}

/* Names. */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* "bots/x", or "x.py", but not "0.5" */
static bool looks_like_file(const char *word)
{
    const char *ending = strrchr(word, '.');

    if (*word == '-')
        return false;
    return strchr(word, '/') ||
           (ending && ending > word && isalpha((unsigned char)ending[1]));
}

/* Rank how well a word of a command names the bot. */
static int fitness(const char *word)
{
    if (access(word, F_OK) == 0)
        return 2;
    return looks_like_file(word) ? 1 : 0;
}

/* The last of the best-ranked words; the first one if none fits. */
static const char *naming_word(char *words)
{
    const char *chosen = NULL;
    char *word;
    int best = 0;

    while ((word = strsep(&words, " \t")) != NULL) {
        int fit = fitness(word);

        if (!*word || (chosen && (fit < best || fit == 0)))
            continue;
        chosen = word;
        best = fit;
    }
    return chosen ? chosen : "bot";
}

/* The bot built into the program: "./referee bot" */
static bool is_own_bot(const char *command)
{
    const char *end = strstr(command, "referee bot");

    return end && end == base_name(command) &&
           at_end(end + strlen("referee bot"));
}

/* Names for a command, from short to long: "bot", "bot.lua", "v2-bot". */
enum name_form { STEM, WITH_ENDING, WITH_FOLDER, NAME_FORMS };

/* The last folder of a path: "v2" of "bots/v2/bot.py". */
static const char *with_folder(const char *path)
{
    const char *end = strrchr(path, '/'), *at = end;

    while (at && at > path && at[-1] != '/')
        at--;
    return at && at < end && *at != '.' ? at : base_name(path);
}

static void name_of_command(const char *command, enum name_form form,
                            char name[BOT_NAME_MAX + 1])
{
    char words[1024];
    const char *chosen;
    size_t n = 0;

    while (assignment(command) > 0)
        command += assignment(command);
    snprintf(words, sizeof words, "%s", command);
    chosen = is_own_bot(command) ? "referee-bot" : naming_word(words);
    chosen = form == WITH_FOLDER ? with_folder(chosen) : base_name(chosen);
    for (; *chosen && n < BOT_NAME_MAX - 3; chosen++) {
        if (n > 0 && *chosen == '.' && form != WITH_ENDING)
            break;
        name[n++] = strchr(bot_name_bytes, *chosen) ? *chosen : '-';
    }
    name[n] = '\0';
    if (n == 0)
        strcpy(name, "bot");
}

static bool is_taken(const struct player *players, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(players[i].bot.name, name) == 0)
            return true;
    return false;
}

/* "random", "random-2", "random-3" */
static const char *free_name(const struct player *players, int count,
                             const char *wish, struct pool *pool)
{
    char name[BOT_NAME_MAX + 16];

    snprintf(name, sizeof name, "%s", wish);
    for (int i = 2; is_taken(players, count, name); i++)
        snprintf(name, sizeof name, "%.28s-%d", wish, i);
    return pool_text(pool, name);
}

static bool has_walls(const struct bot_entry *entry)
{
    return entry->wall.kind && strcmp(entry->wall.kind, "none") != 0;
}

bool player_make(const struct bot_entry *entry, const struct time_control *time,
                 struct pool *pool, struct player *player, struct err *err)
{
    char **argv = needs_shell(entry->command) ? shell(entry->command, pool)
                                              : split(entry->command, pool);

    *player = (struct player){.bot = {.name = entry->name,
                                      .argv = argv,
                                      .directory = entry->directory,
                                      .environment = environment_make(
                                          entry->is_foreign || has_walls(entry),
                                          entry->environment, pool),
                                      .quit_us = entry->quit_us,
                                      .log_max = log_max_bytes,
                                      .cores = entry->cores,
                                      .freezes = entry->freezes,
                                      .restarts = entry->restart},
                              .time = *time,
                              .owner = entry->owner};
    if (!can_be_run(entry, argv, err))
        return false;
    if (entry->time && !time_control_parse(entry->time, &player->time, err))
        return fail_at(err, "bot %s", entry->name);
    player->bot.counts_cpu = player->time.cpu;
    player->digest = version_of(entry, argv, pool, err);
    return player->digest != NULL && player_wall(player, entry, pool, err);
}

/* The shortest form that no other command uses. */
static void choose_name(const char *const *words, int count, int i,
                        char name[BOT_NAME_MAX + 1])
{
    char other[BOT_NAME_MAX + 1];

    for (int form = STEM; form < NAME_FORMS; form++) {
        bool is_alone = true;

        name_of_command(words[i], (enum name_form)form, name);
        for (int j = 0; j < count && is_alone; j++) {
            name_of_command(words[j], (enum name_form)form, other);
            is_alone = j == i || strcmp(name, other) != 0;
        }
        if (is_alone)
            return;
    }
    name_of_command(words[i], STEM, name);
}

/* Can the first word be executed from here? */
static bool begins_with_program(const char *command)
{
    char word[4096];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(command, blanks), command);
    return strchr(word, '/') ? access(word, F_OK) == 0 : is_in_path(word);
}

/*
 * Split "NAME=COMMAND" into name and command. "FOO=1 ./bot" sets a variable: no
 * program follows the sign directly.
 */
static const char *take_name(const char *word, char name[BOT_NAME_MAX + 1])
{
    size_t n = strspn(word, bot_name_bytes);

    if (n == 0 || n > BOT_NAME_MAX || word[n] != '=' ||
        (assignment(word) && !begins_with_program(word + n + 1)))
        return NULL;
    snprintf(name, BOT_NAME_MAX + 1, "%.*s", (int)n, word);
    return word + n + 1;
}

/* "NAME=COMMAND", but the name is not allowed. */
static bool fail_long_name(const char *word, struct err *err)
{
    size_t n = strspn(word, bot_name_bytes);

    if (n <= BOT_NAME_MAX || word[n] != '=')
        return true;
    return fail(err,
                "the name \"%.*s\" has %zu letters; at most %d are allowed",
                (int)(n < 80 ? n : 80), word, n, BOT_NAME_MAX);
}

/* python3 mybot.py without quotes: the shell made two words of it. */
static bool fail_unquoted(const char *const *words, int count, int i,
                          struct err *err)
{
    struct stat st;

    if (i + 1 >= count || strpbrk(words[i], " \t/=") || !is_in_path(words[i]) ||
        stat(words[i + 1], &st) != 0 || !S_ISREG(st.st_mode) ||
        (access(words[i + 1], X_OK) == 0 && !is_interpreter(words[i])))
        return true;
    return fail(err,
                "\"%.80s\" and \"%.80s\" are taken for two bots; quote the "
                "command: \"%.80s %.80s\"",
                words[i], words[i + 1], words[i], words[i + 1]);
}

/* A word that is not a program may have been meant as a section. */
static bool fail_typed(const struct bot_book *book, const char *word,
                       struct err *err)
{
    struct err why = *err;

    if (book->count == 0 || !is_bot_name(word))
        return false;
    return fail(err, "%s; nor is there a [bot %s]", why.text, word);
}

/* A copy that lives as long as the pool. */
static const struct bot_entry *entry_to_keep(const struct bot_entry *entry,
                                             struct pool *keep)
{
    struct bot_entry *copy = pool_take(keep, sizeof *copy);

    *copy = *entry;
    copy->name = pool_text(keep, entry->name);
    return copy;
}

bool players_make(struct bot_book *book, const char *const *words, int count,
                  const struct time_control *time, struct player *players,
                  struct err *err)
{
    static struct pool pool;

    for (int i = 0; i < count; i++) {
        struct bot_entry *entry = find_entry(book, words[i]);
        struct bot_entry typed = {.command = words[i],
                                  .quit_us = quit_preset_us};
        char name[BOT_NAME_MAX + 1];
        const char *command = take_name(words[i], name);

        if (!entry) {
            if (!fail_long_name(words[i], err) ||
                !fail_unquoted(words, count, i, err))
                return false;
            if (command)
                typed.command = pool_text(&pool, command);
            else
                choose_name(words, count, i, name);
            typed.name = name;
            entry = &typed;
        }
        if (!entry->wall.kind)
            entry->wall.kind = book->walls;
        if (entry->cores == 0)
            entry->cores = book->cores;
        if (!player_make(entry, time, &pool, &players[i], err))
            return entry == &typed ? fail_typed(book, words[i], err) : false;
        players[i].bot.name = free_name(players, i, entry->name, &pool);
        if (book->travels &&
            !player_pack(&players[i], entry_to_keep(entry, &pool), &pool, err))
            return false;
    }
    return true;
}
