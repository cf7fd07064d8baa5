#include "web/files.h"

#include "games/game.h"

#include <stdio.h>
#include <string.h>

#define WEB_FILE(name, text) {name, text, sizeof(text) - 1},
static const struct web_file files[] = {
#include "web/list.h"
};

size_t web_file_count(void)
{
    return sizeof files / sizeof *files;
}

const struct web_file *web_file_at(size_t i)
{
    return &files[i];
}

const struct web_file *web_file_find(const char *name)
{
    for (size_t i = 0; i < web_file_count(); i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

bool web_file_is_for_play(const struct web_file *file)
{
    return strncmp(file->name, "play", 4) == 0;
}

bool web_file_is_for_site(const struct web_file *file)
{
    return strncmp(file->name, "site", 4) == 0 || web_file_is_for_play(file);
}

/* "play_axio_rota.js" and "axio_rota.js" are of axio-rota. */
static const struct game *game_of(const struct web_file *file)
{
    static const char play[] = "play_";
    const char *at = file->name;
    char name[64];

    if (strncmp(at, play, sizeof play - 1) == 0)
        at += sizeof play - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "."), at);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = '-';
    return game_find(name);
}

bool web_file_is_for_other(const struct web_file *file, const char *game)
{
    const struct game *own = game_of(file);

    return own && strcmp(own->name, game) != 0;
}

const char *web_file_type(const struct web_file *file)
{
    const char *dot = strrchr(file->name, '.');

    return strcmp(dot, ".css") == 0 ? "text/css; charset=utf-8"
                                    : "text/javascript; charset=utf-8";
}
