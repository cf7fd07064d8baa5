#ifndef REFEREE_NET_UNIX_SOCKET_H
#define REFEREE_NET_UNIX_SOCKET_H

/*
 * unix_socket.h - a Unix socket that we listen on, and its file.
 *
 * Only the user of this process may use the file. A file left by a killed
 * process is replaced. A file that is not a socket, or a socket on which
 * somebody listens, is not.
 */

#include "base/err.h"

#include <sys/stat.h>
#include <sys/un.h>

struct unix_socket {
    struct sockaddr_un at;
    struct stat file; /* so that no other file is removed */
};

/* The name, if it is short enough. */
bool unix_socket_name(struct unix_socket *socket, const char *path,
                      struct err *err) MUST_CHECK;

/* Listen on the name: a non-blocking descriptor, or -1. */
int unix_socket_open(struct unix_socket *socket, int backlog, struct err *err);

/* Unless somebody else has put a file there since. */
void unix_socket_remove(const struct unix_socket *socket);

#endif
