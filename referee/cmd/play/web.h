#ifndef REFEREE_CMD_PLAY_WEB_H
#define REFEREE_CMD_PLAY_WEB_H

/*
 * web.h - "referee play --web": a daemon for one person, on this machine.
 *
 * It is "referee serve" with a configuration that has nothing but a [play]
 * section, in the folder where the records go. The address of its page is
 * printed once it is there; Ctrl-C ends both.
 */

struct web_play {
    const char *self; /* this program */
    const char *folder;
    const char *game; /* NULL: all of them */
    const char *time; /* NULL: the default */
    const char *walls;
    char *const *bot; /* commands */
    int bots;
};

/* Returns the exit code. */
int web_play(const struct web_play *play);

#endif
