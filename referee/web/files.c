#include "web/files.h"

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

const char *web_file_type(const struct web_file *file)
{
    const char *dot = strrchr(file->name, '.');

    return strcmp(dot, ".css") == 0 ? "text/css; charset=utf-8"
                                    : "text/javascript; charset=utf-8";
}
