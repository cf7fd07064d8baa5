#include "cmd/play/web.h"

#include "base/err.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4300 };

static bool write_config(const struct web_play *play, const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return false;
    fprintf(file,
            "# Written by referee play --web.\n"
            "[server]\n"
            "data = %s\n"
            "http = 127.0.0.1:0\n"
            "stop-limit = 0\n"
            "walls = %s\n",
            play->folder, play->walls);
    for (int i = 0; i < play->bots; i++)
        fprintf(file, "[bot bot-%d]\ncommand = %s\n", i + 1, play->bot[i]);
    fprintf(file, "[play]\ngames = %s\n", play->game ? play->game : "all");
    if (play->time)
        fprintf(file, "time = %s\n", play->time);
    for (int i = 0; i < play->bots; i++)
        fprintf(file, "bots = bot-%d\n", i + 1);
    return fclose(file) == 0;
}

/* The daemon; the pipe carries its log. */
static pid_t start_daemon(const struct web_play *play, const char *config,
                          int *log)
{
    pid_t parent = getpid(), pid;
    int ends[2];

    if (pipe(ends) != 0)
        return -1;
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(1);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(play->self, "referee", "serve", config, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *log = ends[0];
    return pid;
}

/* Show errors and the address; the rest of the log is not for players. */
static void read_log(FILE *log)
{
    static const char http[] = " http on 127.0.0.1 port ";
    char line[2048];
    int port = 0;

    while (fgets(line, sizeof line, log)) {
        const char *found = strstr(line, http);

        if (found)
            port = atoi(found + strlen(http));
        else if (strstr(line, " error ") || strncmp(line, "referee: ", 9) == 0)
            fputs(line, stderr);
        if (port && strstr(line, " ready"))
            printf("Open http://127.0.0.1:%d/play in your browser. Ctrl-C "
                   "ends it.\n",
                   port);
        fflush(stdout);
    }
}

int web_play(const struct web_play *play)
{
    char config[PATH_BYTES];
    int status = 0, log;
    FILE *file;
    pid_t pid;

    snprintf(config, sizeof config, "%s/referee.ini", play->folder);
    if ((mkdir(play->folder, 0777) != 0 && errno != EEXIST) ||
        !write_config(play, config))
        return complain("%.200s cannot be written", config);
    signal(SIGINT, SIG_IGN); /* it ends when the daemon ends */
    pid = start_daemon(play, config, &log);
    file = pid > 0 ? fdopen(log, "r") : NULL;
    if (!file)
        return complain("the server cannot be started");
    read_log(file);
    fclose(file);
    while (waitpid(pid, &status, 0) == -1 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
