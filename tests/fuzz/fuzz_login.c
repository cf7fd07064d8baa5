/*
 * Any bytes as what a stranger sends to a server that asks for a login. The
 * connection must end, whatever comes, and nobody may get in without a proof.
 */

#include "fuzz/fuzz.h"
#include "net/connection.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct loop loop;
static struct handshakes handshakes;
static bool is_gone;

static bool on_login(void *owner, struct connection *n, const char *name,
                     const char *proof)
{
    insist(name[0] && is_plain(name) && is_plain(proof));
    return strcmp(proof, "right") == 0;
}

static bool on_known(void *owner, struct connection *n)
{
    insist(n->name[0]);
    return true;
}

static void on_ready(void *owner, struct connection *n)
{
    insist(n->phase == CONNECTION_IDLE && n->name[0]);
}

static void on_gone(void *owner, struct connection *n, const char *why)
{
    insist(why[0]);
    is_gone = true;
    connection_free(n);
    loop_stop(&loop);
}

/* Nothing that could break: reception.c has a test of its own. */
static void on_submitter(void *owner, struct connection *n)
{
}

static void on_submission(void *owner, struct connection *n, char *line,
                          size_t len)
{
}

static const struct connection_owner owner = {
    .on_login = on_login,
    .on_known = on_known,
    .on_ready = on_ready,
    .on_gone = on_gone,
    .on_submitter = on_submitter,
    .on_submission = on_submission,
    .on_room = on_submitter,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_ready;
    struct connection *n;
    int ends[2];

    if (!is_ready) {
        loop_init(&loop);
        handshakes_init(&handshakes, &loop);
        is_ready = true;
    }
    insist(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    insist(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    insist(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    n = connection_new(&handshakes, LISTEN_UNIX, ends[0], NULL, "unix",
                       3600 * 1000000LL, &owner, NULL);
    n->greet_us = n->grace_us = 3600 * 1000000LL;
    is_gone = false;
    /* What does not fit would wait for the server, as it may. */
    if (size > 0 && write(ends[1], data, size) < 0)
        insist(size > 0);
    shutdown(ends[1], SHUT_WR);
    loop_run(&loop);
    insist(is_gone);
    close(ends[1]);
    return 0;
}
