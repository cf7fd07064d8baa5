#ifndef REFEREE_CMD_PLAY_WEB_H
#define REFEREE_CMD_PLAY_WEB_H

/*
 * web.h - "referee play --web": a daemon for one person, on this machine.
 *
 * It runs "referee serve" in the records folder, with a configuration that has
 * only a [play] section. It prints the address of the page when the page is
 * ready; Ctrl-C ends both.
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
