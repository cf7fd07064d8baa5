/*
 * new_keys - a peer that sends nothing but new keys, once TLS stands.
 *
 *     new_keys TLS_PORT PORT COUNT
 *     new_keys TLS_PORT
 *
 * Meanwhile it knocks at PORT, time and again, and at the end it prints how
 * long that had to wait for an answer at most, in percent of the whole time.
 * Without PORT and COUNT it goes on until the other side hangs up.
 */
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void give_up(const char *why)
{
    fprintf(stderr, "new_keys: %s\n", why);
    exit(1);
}

static int dial(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd == -1 || connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        give_up("no connection");
    return fd;
}

static SSL *shake_hands(int fd)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    SSL *ssl;

    if (!tls || SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION) != 1)
        give_up("no TLS 1.3");
    ssl = SSL_new(tls);
    if (!ssl || SSL_set_fd(ssl, fd) != 1 || SSL_connect(ssl) != 1)
        give_up("no handshake");
    return ssl;
}

/* The messages, in memory, so that they can be sent without a pause. */
static BIO *new_keys(SSL *ssl, int count)
{
    BIO *out = BIO_new(BIO_s_mem());

    if (!out)
        give_up("out of memory");
    BIO_up_ref(out);
    SSL_set0_wbio(ssl, out);
    for (int i = 0; i < count; i++)
        if (SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) != 1 ||
            SSL_do_handshake(ssl) != 1)
            give_up("no new keys");
    return out;
}

static void go_on(SSL *ssl)
{
    while (SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 &&
           SSL_do_handshake(ssl) == 1)
        continue;
}

static void flood(int fd, BIO *bytes)
{
    char *at;
    long len = BIO_get_mem_data(bytes, &at);

    while (len > 0) {
        ssize_t n = write(fd, at, (size_t)len);

        if (n <= 0)
            break; /* it has heard enough */
        at += n;
        len -= n;
    }
    shutdown(fd, SHUT_WR);
    while (read(fd, (char[1024]){0}, 1024) > 0)
        continue;
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double knock(int port)
{
    int fd = dial(port);
    double from = now_s();
    char c;

    if (read(fd, &c, 1) != 1)
        give_up("nobody answers");
    close(fd);
    return now_s() - from;
}

int main(int argc, char **argv)
{
    double began, longest = 0;
    BIO *bytes;
    int fd;
    pid_t pid;

    if (argc != 2 && argc != 4)
        give_up("TLS_PORT [PORT COUNT]");
    signal(SIGPIPE, SIG_IGN);
    fd = dial(atoi(argv[1]));
    if (argc == 2) {
        go_on(shake_hands(fd));
        return 0;
    }
    bytes = new_keys(shake_hands(fd), atoi(argv[3]));
    began = now_s();
    pid = fork();
    if (pid == 0) {
        flood(fd, bytes);
        _exit(0);
    }
    close(fd);
    do {
        double s = knock(atoi(argv[2]));

        longest = s > longest ? s : longest;
        usleep(10000);
    } while (waitpid(pid, NULL, WNOHANG) == 0);
    printf("%.0f\n", 100 * longest / (now_s() - began));
    return 0;
}
