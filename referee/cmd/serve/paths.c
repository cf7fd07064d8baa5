/* What referee.ini names: folders, files, sockets, addresses. */

#include "base/text.h"
#include "cmd/serve/parsed.h"
#include "many/verify.h"
#include "store/disk.h"
#include "store/keys.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    SOCKET_PATH_MAX = sizeof((struct sockaddr_un *)0)->sun_path - 1,
    DATA_PATH_MAX = 255,
};

/* Addresses. */

/* An IPv4 address in its IPv6 form. */
/* Files and folders. */

/* The folder that contains a path. */
static const char *folder_of(const char *path, struct pool *pool)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n ? pool_part(pool, path, n) : ".";
}

static bool is_same_folder(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);

    while (n > 1 && a[n - 1] == '/')
        n--;
    while (m > 1 && b[m - 1] == '/')
        m--;
    return n == m && memcmp(a, b, n) == 0;
}

static bool may_be_read(struct parsed_config *d, int line, const char *key,
                        const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0 || access(path, R_OK) != 0)
        ini_mistake(&d->ini, line, "%s: %.200s cannot be read: %s", key, path,
                    strerror(errno));
    else if (!S_ISREG(st.st_mode))
        ini_mistake(&d->ini, line, "%s: %.200s is not a file", key, path);
    else
        return true;
    return false;
}

static void warn_if_open(struct parsed_config *d, int line, const char *key,
                         const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0 && (st.st_mode & S_IROTH))
        ini_warning(&d->ini, line,
                    "%s: everybody can read %.200s; run \"chmod o-r\" on it",
                    key, path);
}

/* Create the data folder if it does not exist. */
static void check_data(struct parsed_config *d, int line)
{
    const char *data = d->config.data;
    const char *above = folder_of(data, &d->pool);

    if (strlen(data) > DATA_PATH_MAX) {
        ini_mistake(&d->ini, line, "data: a path of %zu bytes; at most %d",
                    strlen(data), DATA_PATH_MAX);
    } else if (disk_is_folder(data)) {
        if (access(data, W_OK | X_OK) != 0)
            ini_mistake(&d->ini, line, "data: %.200s cannot be written: %s",
                        data, strerror(errno));
    } else if (access(data, F_OK) == 0) {
        ini_mistake(&d->ini, line, "data: %.200s is not a folder", data);
    } else if (!disk_is_folder(above)) {
        ini_mistake(&d->ini, line,
                    "data: there is no folder %.200s to create %.200s in",
                    above, data);
    } else if (access(above, W_OK | X_OK) != 0) {
        ini_mistake(&d->ini, line,
                    "data: %.200s cannot be created in %.200s: %s", data, above,
                    strerror(errno));
    }
}

/* Sockets. */

/* The daemon replaces an old socket, but no other file. */
static void check_socket(struct parsed_config *d, const char *who, int line,
                         const char *key, const char *path)
{
    const char *folder = folder_of(path, &d->pool);
    struct stat st;

    if (strlen(path) > SOCKET_PATH_MAX)
        ini_mistake(&d->ini, line,
                    "%s: a path of %zu bytes; a Unix socket allows %d", key,
                    strlen(path), SOCKET_PATH_MAX);
    else if (stat(path, &st) == 0 && !S_ISSOCK(st.st_mode))
        ini_mistake(&d->ini, line, "%s: %s exists, and is not a socket", key,
                    path);
    else if (!disk_is_folder(folder) && !is_same_folder(folder, d->config.data))
        ini_mistake(&d->ini, line, "%s: there is no folder %s", key, folder);
    for (int i = 0; i < d->sockets; i++)
        if (strcmp(d->socket[i].address, path) == 0)
            ini_mistake(&d->ini, line,
                        "%s: %.120s is already taken by %s in line %d", key,
                        path, d->socket[i].who, d->socket[i].line);
    d->socket[d->sockets++] =
        (struct endpoint){.who = who, .address = path, .line = line};
}

/* True if listening on one prevents listening on the other. */
static bool overlap(const struct endpoint *a, const struct endpoint *b)
{
    static const struct in6_addr v4_any = {
        .s6_addr = {[10] = 0xff, [11] = 0xff}};
    struct in6_addr x, y;
    bool both_v4;

    if (a->port != b->port || a->port == 0 || !ip_read(a->address, &x) ||
        !ip_read(b->address, &y))
        return false;
    if (IN6_IS_ADDR_UNSPECIFIED(&x) || IN6_IS_ADDR_UNSPECIFIED(&y))
        return true;
    both_v4 = IN6_IS_ADDR_V4MAPPED(&x) && IN6_IS_ADDR_V4MAPPED(&y);
    return memcmp(&x, &y, sizeof x) == 0 ||
           (both_v4 && (memcmp(&x, &v4_any, sizeof x) == 0 ||
                        memcmp(&y, &v4_any, sizeof y) == 0));
}

static void check_endpoint(struct parsed_config *d, struct endpoint new)
{
    for (int i = 0; i < d->endpoints; i++) {
        const struct endpoint *old = &d->endpoint[i];

        if (overlap(old, &new))
            ini_mistake(&d->ini, new.line,
                        "port %d on %s is already taken by %s on %s in line "
                        "%d",
                        new.port, new.address, old->who, old->address,
                        old->line);
    }
    d->endpoint[d->endpoints++] = new;
}

static bool is_loopback(const char *text)
{
    struct in6_addr a;

    return ip_read(text, &a) &&
           (IN6_IS_ADDR_LOOPBACK(&a) ||
            (IN6_IS_ADDR_V4MAPPED(&a) && a.s6_addr[12] == 127));
}

/* [server] */

static void check_keys(struct parsed_config *d, int line)
{
    const char *path = d->config.keys;
    struct err err;

    if (access(path, F_OK) != 0 && d->config.invitations)
        return; /* the first newcomer creates it */
    if (access(path, F_OK) != 0) {
        ini_mistake(&d->ini, line,
                    "keys: there is no file %.200s; \"referee token NAME\" "
                    "creates it",
                    path);
        return;
    }
    if (!may_be_read(d, line, "keys", path))
        return;
    if (!keys_read(path, &d->config.key, &d->config.key_count, &err)) {
        ini_mistake(&d->ini, line, "keys: %s", err.text);
        d->config.key_count = 0;
        return;
    }
    warn_if_open(d, line, "keys", path);
    if (d->config.key_count == 0)
        ini_warning(&d->ini, line,
                    "keys: %.200s has no keys yet, so nobody can log in; "
                    "\"referee token NAME\" adds one",
                    path);
}

static void check_worker_keys(struct parsed_config *d,
                              const struct ini_section *s)
{
    const char *path = d->config.worker_keys;
    int line = ini_line(s, "worker-keys");
    struct worker_keys keys = {0};
    struct err err;

    if (!d->config.database)
        return;
    if (!path)
        ini_mistake(&d->ini, ini_line(s, "database"),
                    "database: name the keys of the workers with "
                    "worker-keys = FILE; \"referee key DIR/key\" prints a "
                    "worker's key");
    else if (!worker_keys_read(&keys, path, &err))
        ini_mistake(&d->ini, line, "worker-keys: %s", err.text);
    else if (keys.count == 0)
        ini_warning(&d->ini, line,
                    "worker-keys: %.200s has no keys yet, so games that "
                    "workers play do not count",
                    path);
    worker_keys_free(&keys);
}

/* Without a listener nobody logs in, so no keys are needed. */
static bool has_listener(const struct parsed_config *d)
{
    for (const struct ini_section *s = d->ini.first; s; s = s->next)
        if (strcmp(s->kind->name, "listen") == 0)
            return true;
    return false;
}

void preset_server(struct parsed_config *d)
{
    struct serve_config *c = &d->config;
    struct buf path;

    if (!ini_find(&d->ini, "server", ""))
        ini_preset(&d->ini, serve_kinds, c);
    if (c->control)
        return;
    buf_init(&path, 1 << 16);
    buf_add(&path, "%s/control", c->data);
    c->control = pool_text(&d->pool, path.text);
    buf_release(&path);
}

void check_server(struct parsed_config *d)
{
    static const struct ini_section none = {.kind = serve_kinds};
    const struct ini_section *s = ini_find(&d->ini, "server", "");
    struct serve_config *c = &d->config;

    preset_server(d);
    if (!s)
        s = &none;
    check_data(d, ini_line(s, "data"));
    check_worker_keys(d, s);
    if (has_listener(d) || ini_has(s, "keys"))
        check_keys(d, ini_line(s, "keys"));
    if (strcmp(c->control, "off") == 0) /* the same as for http */
        ini_mistake(&d->ini, ini_line(s, "control"),
                    "control: the socket cannot be turned off; without this "
                    "line it is %.200s/control",
                    c->data);
    else
        check_socket(d, "control", ini_line(s, "control"), "control",
                     c->control);
    if (c->http)
        check_endpoint(d, (struct endpoint){.who = "http",
                                            .address = c->http,
                                            .port = c->http_port,
                                            .line = ini_line(s, "http")});
}

/* [listen NAME] */

/* A key that this kind of listener requires or has no use for. */
static void check_use(struct parsed_config *d, const struct ini_section *s,
                      const char *kind, const char *key, bool needed,
                      const char *example)
{
    bool given = ini_has(s, key);

    if (needed && !given)
        ini_mistake(&d->ini, s->line,
                    "[listen %s] has no %s, which kind = %s needs; for "
                    "example: %s = %s",
                    s->name, key, kind, key, example);
    else if (!needed && given)
        ini_mistake(&d->ini, ini_line(s, key),
                    "%s: a listener of kind = %s has none", key, kind);
}

static int no_password(char *out, int size, int writing, void *user)
{
    return 0;
}

static void check_pair(struct parsed_config *d, const struct ini_section *s,
                       const struct listener_config *l)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());

    if (!tls)
        return;
    SSL_CTX_set_default_passwd_cb(tls, no_password);
    if (SSL_CTX_use_certificate_chain_file(tls, l->certificate) != 1)
        ini_mistake(&d->ini, ini_line(s, "certificate"),
                    "certificate: %.200s contains no certificate in PEM",
                    l->certificate);
    else if (SSL_CTX_use_PrivateKey_file(tls, l->private_key,
                                         SSL_FILETYPE_PEM) != 1)
        ini_mistake(&d->ini, ini_line(s, "private-key"),
                    "private-key: %.120s contains no key without a password "
                    "that belongs to %.120s",
                    l->private_key, l->certificate);
    SSL_CTX_free(tls);
    ERR_clear_error();
}

static void check_tls(struct parsed_config *d, const struct ini_section *s,
                      const struct listener_config *l)
{
    int line = ini_line(s, "private-key");
    bool certificate =
        l->certificate && may_be_read(d, ini_line(s, "certificate"),
                                      "certificate", l->certificate);
    bool key =
        l->private_key && may_be_read(d, line, "private-key", l->private_key);

    if (key)
        warn_if_open(d, line, "private-key", l->private_key);
    if (certificate && key)
        check_pair(d, s, l);
}

static const char *title(struct parsed_config *d, const struct ini_section *s)
{
    char text[80];

    snprintf(text, sizeof text, "[listen %.40s]", s->name);
    return pool_text(&d->pool, text);
}

static void check_port(struct parsed_config *d, const struct ini_section *s,
                       const struct listener_config *l)
{
    check_endpoint(d, (struct endpoint){.who = title(d, s),
                                        .address = l->address,
                                        .port = l->port,
                                        .line = ini_line(s, "port")});
    if (l->kind == LISTEN_TCP && d->config.plain_tokens &&
        !is_loopback(l->address))
        ini_warning(&d->ini, s->line,
                    "[listen %s] is not limited to this machine and has no "
                    "TLS, so plain-tokens shows tokens to the network",
                    s->name);
}

/*
 * The kind of listener decides which keys are required, allowed and forbidden.
 */
static void check_uses(struct parsed_config *d, const struct ini_section *s,
                       const char *kind)
{
    bool tls = strcmp(kind, "tls") == 0, is_unix = strcmp(kind, "unix") == 0;

    check_use(d, s, kind, "port", !is_unix, "7000");
    check_use(d, s, kind, "path", is_unix, "data/socket");
    check_use(d, s, kind, "certificate", tls, "cert.pem");
    check_use(d, s, kind, "private-key", tls, "key.pem");
    if (is_unix && ini_has(s, "address"))
        check_use(d, s, kind, "address", false, "");
}

void check_listener(struct parsed_config *d, const struct ini_section *s)
{
    struct parsed_listener *parsed = s->to;
    struct listener_config *l = &parsed->listener;

    l->kind = (enum listener_kind)words_find("tcp|tls|unix", parsed->kind);
    if (!ini_is_wrong(s, "kind"))
        check_uses(d, s, parsed->kind);
    check_tls(d, s, l);
    if (parsed->path)
        check_socket(d, title(d, s), ini_line(s, "path"), "path", parsed->path);
    if (ini_has(s, "port") && !ini_is_wrong(s, "address"))
        check_port(d, s, l);
    if (l->kind == LISTEN_UNIX)
        l->address = parsed->path;
    d->config.listener[d->config.listeners++] = *l;
}
