#ifndef REFEREE_NET_UNIX_SOCKET_H
#define REFEREE_NET_UNIX_SOCKET_H

/*
 * unix_socket.h - a Unix socket that we listen on, and its file.
 *
 * The file is for the user of this process alone. What another process has left
 * there when it was killed is replaced; what is no socket, and a socket on
 * which somebody listens, is not.
 */

#include "base/err.h"

#include <sys/stat.h>
#include <sys/un.h>

struct unix_socket {
    struct sockaddr_un at;
    struct stat file; /* to remove no other */
};

/* The name, if it is not too long for one. */
bool unix_socket_name(struct unix_socket *socket, const char *path,
                      struct err *err) MUST_CHECK;

/* Listen on the name: a descriptor that does not block, or -1. */
int unix_socket_open(struct unix_socket *socket, int backlog, struct err *err);

/* Unless somebody else has put his own there since. */
void unix_socket_remove(const struct unix_socket *socket);

#endif
