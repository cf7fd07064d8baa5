#include "store/session.h"

#include "base/text.h"
#include "games/game.h"
#include "store/disk.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_OF_DAY = 86400, PATH_BYTES = 1024 };

void session_name(long long second, char name[SESSION_TEXT + 1])
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char *at;

    date_name(second, name);
    at = name + strlen(name);
    *at++ = '-';
    for (int i = 0; i < SESSION_LETTERS; i++)
        *at++ = letters[randombytes_uniform(sizeof letters - 1)];
    *at = '\0';
}

/* The name of the last one; "" if there was none. */
static void read_last(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd == -1 ? 0 : read(fd, out, size - 1);

    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (fd != -1)
        close(fd);
}

/* If a clock was set back by more than a day, do not follow it. */
bool session_open(const char *data, long long now, char name[SESSION_TEXT + 1],
                  struct err *err)
{
    char path[PATH_BYTES], last[SESSION_TEXT + 1];
    long long second = now;

    snprintf(path, sizeof path, "%s/session", data);
    read_last(path, last, sizeof last);
    do
        session_name(second++, name);
    while (strncmp(name, last, DATE_NAME_TEXT) <= 0 &&
           second < now + SECONDS_OF_DAY);
    return disk_write(path, name, strlen(name), err);
}

void part_id(const char *unit, int part, char id[PART_ID_MAX + 1])
{
    snprintf(id, PART_ID_MAX + 1, "%.*s-%d", PART_ID_MAX - 2, unit, part);
}

int part_in(const char *id, char unit[PART_ID_MAX + 1])
{
    const char *dash = strrchr(id, '-'), *at = dash ? dash + 1 : "";
    int part;

    snprintf(unit, PART_ID_MAX + 1, "%.*s", (int)(dash ? dash - id : 0), id);
    return strlen(at) == 1 && take_int(&at, 1, SEATS_MAX, &part) && at_end(at)
               ? part
               : 0;
}
