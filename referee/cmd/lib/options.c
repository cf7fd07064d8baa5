#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/bots.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTS_MAX = 32,
    FIRST_CODE = 256, /* index of the option, after all letters and 0 */
    HELP_CODE = 1000,
    HELP_COLUMN = 17,
    USAGE_MAX = 40,
};

int complain(const char *fmt, ...)
{
    va_list ap;

    fflush(stdout);
    fputs("referee: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    return 2;
}

int complain_of(const struct err *err)
{
    complain("%s", err->text);
    return err->passes ? 1 : 2;
}

/* The length of "--time CONTROL". */
static int write_usage(const struct opt *o, char text[USAGE_MAX])
{
    return snprintf(text, USAGE_MAX, "--%s%s%s", o->name, o->arg ? " " : "",
                    o->arg ? o->arg : "");
}

static int help_column(const struct opt *opts)
{
    char text[USAGE_MAX];
    int column = HELP_COLUMN;

    for (const struct opt *o = opts; o->name; o++)
        if (write_usage(o, text) > column)
            column = write_usage(o, text);
    return column;
}

static int help(const struct subcommand *command)
{
    int column = help_column(command->opts);
    char left[USAGE_MAX];

    printf("Usage: referee %s%s%s\n\n%s\n", command->name,
           *command->args ? " " : "", command->args,
           command->more ? command->more : command->about);
    printf("\nOptions:\n");
    for (const struct opt *o = command->opts; o->name; o++) {
        write_usage(o, left);
        printf("  %-*s  %s\n", column, left, o->help);
    }
    printf("  %-*s  %s\n", column, "--help", "show this help");
    return 0;
}

/* "--gmaes", or "--gmaes=3". */
static int unknown(const struct subcommand *command, const char *given)
{
    struct guess guess;
    char name[48];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
    guess_begin(&guess, name + strspn(name, "-"));
    for (const struct opt *o = command->opts; o->name; o++)
        guess_add(&guess, "--", o->name);
    guess_add(&guess, "--", "help");
    if (guess.nearest)
        complain("%s has no option \"%.40s\"; did you mean --%s?",
                 command->name, name, guess.nearest);
    else
        complain("%s has no option \"%.40s\"; its options are %s",
                 command->name, name, guess.all.text);
    guess_end(&guess);
    return 2;
}

/* A known option that takes no value was given one; no option is a letter. */
static int refuse(const struct subcommand *command, const char *given,
                  int known)
{
    const char letter[] = {'-', (char)(known > ' ' ? known : '?'), '\0'};
    const char *value = strchr(given, '=');

    if (known < FIRST_CODE)
        return unknown(command, known ? letter : given);
    assert(value);
    return complain("%s: %.*s takes no value: leave out \"%.40s\"",
                    command->name, (int)(value - given), given, value);
}

bool opt_take(const struct opt *o, const char *value, struct err *err)
{
    struct texts *texts = o->to;

    switch (o->kind) {
    case OPT_FLAG:
        *(bool *)o->to = true;
        return true;
    case OPT_TEXT:
        *(const char **)o->to = value;
        return true;
    case OPT_INT:
        if (take_int(&value, o->min, o->max, o->to) && at_end(value))
            return true;
        return fail(err, "must be a number from %d to %d", o->min, o->max);
    case OPT_TIME:
        if (!duration_read(value, o->to, err))
            return fail(err,
                        "must be a duration such as 500ms or 2s, not "
                        "\"%.40s\"",
                        value);
        return duration_within(value, INT64_C(1000) * o->min,
                               INT64_C(1000) * o->max, o->to, err);
    case OPT_LIST:
        if (texts->count == TEXTS_MAX)
            return fail(err, "may be given at most %d times", TEXTS_MAX);
        texts->text[texts->count++] = value;
        return true;
    }
    return false;
}

static bool given[OPTS_MAX];

const bool *opts_given(void)
{
    return given;
}

static int fill(const struct subcommand *command, struct option *longs)
{
    int n = 0;

    for (; command->opts[n].name; n++) {
        assert(n < OPTS_MAX);
        longs[n] = (struct option){
            command->opts[n].name,
            command->opts[n].kind == OPT_FLAG ? no_argument : required_argument,
            NULL, FIRST_CODE + n};
    }
    longs[n++] = (struct option){"help", no_argument, NULL, HELP_CODE};
    return n;
}

/* "-game" is accepted for "--game". */
static char *with_two_dashes(const struct subcommand *command, char *word)
{
    size_t n = strcspn(word, "=");
    char *longer;

    if (word[0] != '-' || word[1] == '-' || n < 3)
        return word;
    for (const struct opt *o = command->opts; o->name; o++)
        if (strlen(o->name) == n - 1 && strncmp(o->name, word + 1, n - 1) == 0)
            return asprintf(&longer, "-%s", word) > 0 ? longer : word;
    return word;
}

int run_command(const struct subcommand *command, int argc, char **argv)
{
    struct option longs[OPTS_MAX + 2] = {0};
    struct err err;
    int code;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        argv[i] = with_two_dashes(command, argv[i]);

    fill(command, longs);
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":h", longs, NULL)) != -1) {
        if (code == HELP_CODE || code == 'h')
            return help(command);
        if (code == ':')
            return complain("%s needs a value", argv[optind - 1]);
        if (code == '?')
            return refuse(command, argv[optind - 1], optopt);
        code -= FIRST_CODE;
        given[code] = true;
        if (!opt_take(&command->opts[code], optarg, &err))
            return complain("%s: --%s %s", command->name,
                            command->opts[code].name, err.text);
    }
    return command->run(argc - optind, argv + optind);
}
