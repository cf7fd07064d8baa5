#ifndef REFEREE_NET_TLS_CLIENT_H
#define REFEREE_NET_TLS_CLIENT_H

/*
 * tls_client.h - TLS to a server whose certificate must be valid.
 *
 * Nothing here can switch the checks off. The certificate must lead to a CA of
 * the system, or to one in a given file, and must be for the requested host.
 */

#include "base/err.h"
#include "run/loop.h"

#include <event2/bufferevent.h>
#include <openssl/ssl.h>

struct tls_client {
    SSL_CTX *context;
    char *host;     /* the certificate must name it */
    bool is_number; /* an IP address: not sent as a server name */
};

/* `ca` is a file of certificates, or NULL for the system's. */
bool tls_client_init(struct tls_client *tls, const char *host, bool is_number,
                     const char *ca, struct err *err) MUST_CHECK;
void tls_client_release(struct tls_client *tls);

/* Begin the handshake over a connected socket, which this takes over. */
struct bufferevent *tls_client_open(const struct tls_client *tls,
                                    struct loop *loop, int fd);

/* Why the handshake failed, and what might help. */
void tls_client_why(const struct tls_client *tls, struct bufferevent *net,
                    struct err *err);

/* "TLSv1.3" */
const char *tls_version(struct bufferevent *net);

/* Say goodbye; nothing can be written after that. */
void tls_end(struct bufferevent *net);

#endif
