/* A random player for every game of the referee; README.md says more. */
#define _POSIX_C_SOURCE 200809L /* getline reads lines of any length */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char blanks[] = " \t\r\n", digits[] = "0123456789";
static const char all[] = "protocol_version\nlist_commands\nname\nversion\n"
                          "new_game\nlegal_moves\ngenmove\nquit";
static char chosen[128] = "resign"; /* until legal_moves offers better */
static const char *const answers[][2] = {
    {"protocol_version", "2"       },
    {"list_commands",    all       },
    {"name",             "random-c"},
    {"version",          "1"       },
    {"new_game",         ""        },
    {"legal_moves",      ""        },
    {"genmove",          chosen    },
    {"quit",             ""        },
};

/* Your strategy goes here. The n-th move replaces the choice with chance 1/n:
 * in the end all moves were equally likely, and no list had to be kept. */
static void choose(void)
{
    int n = 0;
    for (char *move; (move = strtok(NULL, blanks)) != NULL;)
        if (rand() % ++n == 0)
            snprintf(chosen, sizeof chosen, "%s", move);
}

static void answer(const char *id, const char *command)
{
    size_t i = 0, n = sizeof answers / sizeof *answers;
    while (i < n && strcmp(command, answers[i][0]) != 0)
        i++;
    if (i == n)
        printf("?%s unknown command\n\n", id);
    else
        printf("=%s%s%s\n\n", id, *answers[i][1] ? " " : "", answers[i][1]);
    fflush(stdout); /* or the answer would wait here for more */
}

int main(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC); /* nanoseconds: no two bots start alike */
    srand((unsigned)(now.tv_sec ^ now.tv_nsec));

    char *line = NULL;
    for (size_t size = 0; getline(&line, &size, stdin) > 0;) {
        const char *id = "", *command = strtok(line, blanks);
        if (command && strspn(command, digits) == strlen(command)) {
            id = command;
            command = strtok(NULL, blanks);
        }
        if (!command)
            continue;
        if (strcmp(command, "legal_moves") == 0)
            choose();
        answer(id, command);
        if (strcmp(command, "quit") == 0)
            break;
    }
    free(line);
}
