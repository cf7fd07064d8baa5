#include "daemon/http_state.h"

#include "base/alloc.h"
#include "daemon/metrics.h"
#include "net/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netdb.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>
#include <sys/socket.h>

enum {
    QUEUE = 128, /* of the kernel */
    /* evhttp has no limit of its own for chunked bodies */
    INPUT_MAX = 16 << 10,
    REQUEST_US = 10000000,  /* for a request and its answer, ... */
    CROWDED_US = 1000000,   /* ... if all places are taken */
    LOOK_US = 100000,       /* between two looks at the connections, ... */
    LOOK_IDLE_US = 1000000, /* ... if there are none */
};

static bool is_crowded(const struct http *http)
{
    return http->guests >= HTTP_CONNECTIONS_MAX;
}

/* The paths: each writes its answer and returns the status code. */

static int answer_health(struct http *http, struct buf *out)
{
    const char *complaint = http->calls->complaint(http->owner);

    buf_add(out, "%s%s\n", complaint ? "not ready: " : "ok",
            complaint ? complaint : "");
    return complaint ? HTTP_SERVUNAVAIL : HTTP_OK;
}

static int answer_metrics(struct http *http, struct buf *out)
{
    http->calls->write_metrics(http->owner, out);
    return HTTP_OK;
}

const char http_plain_type[] = "text/plain; charset=utf-8";
static const char json_type[] = "application/json";
static const char html_type[] = "text/html; charset=utf-8";

/*
 * Nothing is loaded from elsewhere, nothing is inline, and no page may frame
 * ours.
 */
static const char content_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";
static const char api_path[] = "/api/";

static const struct route {
    const char *path;
    const char *type;
    int (*answer)(struct http *http, struct buf *out);
} routes[] = {
    {"/healthz", http_plain_type, answer_health},
    {"/metrics", metrics_type, answer_metrics},
};

enum { ROUTES = sizeof routes / sizeof *routes };

static const struct route *find_route(const char *path)
{
    for (int i = 0; path && i < ROUTES; i++)
        if (strcmp(path, routes[i].path) == 0)
            return &routes[i];
    return NULL;
}

/* Answers. */

static const char *status_text(int code)
{
    switch (code) {
    case HTTP_OK:
        return "OK";
    case HTTP_MOVETEMP:
        return "Found";
    case HTTP_NOTMODIFIED:
        return "Not Modified";
    case HTTP_BADREQUEST:
        return "Bad Request";
    case HTTP_FORBIDDEN:
        return "Forbidden";
    case HTTP_NOTFOUND:
        return "Not Found";
    case HTTP_BADMETHOD:
        return "Method Not Allowed";
    case HTTP_CONFLICT:
        return "Conflict";
    case HTTP_SERVUNAVAIL:
        return "Service Unavailable";
    default:
        return "Internal Server Error";
    }
}

void http_set_header(struct evhttp_request *request, const char *name,
                     const char *value)
{
    evhttp_add_header(evhttp_request_get_output_headers(request), name, value);
}

void http_set_safety(struct evhttp_request *request)
{
    http_set_header(request, "X-Content-Type-Options", "nosniff");
    http_set_header(request, "Content-Security-Policy", content_policy);
    http_set_header(request, "Referrer-Policy", "no-referrer");
}

/*
 * Browsers and proxies may keep the owner's answer for a second, and then ask
 * whether it is still current. The tag is a hash of the bytes.
 */
static void set_cache(struct evhttp_request *request,
                      const struct http_ask *ask)
{
    if (!ask || !ask->etag[0] || ask->is_private) {
        http_set_header(request, "Cache-Control", "no-store");
        return;
    }
    http_set_header(request, "ETag", ask->etag);
    http_set_header(request, "Cache-Control",
                    ask->is_fixed ? "public, max-age=31536000, immutable"
                                  : "public, max-age=1");
}

static void count_answer(struct http *http, int code)
{
    int class = code / 100 - 1;

    if (class >= 0 && class < HTTP_CODES)
        http->metrics->answers[class]++;
}

/* evhttp would send a body in answer to HEAD, too, so do not give it one. */
static void send_answer(struct http *http, struct evhttp_request *request,
                        int code, const char *type, const struct buf *text,
                        const struct http_ask *ask)
{
    bool head = evhttp_request_get_command(request) == EVHTTP_REQ_HEAD;
    struct evbuffer *body = head ? NULL : evbuffer_new();
    char length[24];

    count_answer(http, code);
    snprintf(length, sizeof length, "%zu", text->len);
    http_set_header(request, "Content-Length", length);
    http_set_header(request, "Content-Type", type);
    http_set_safety(request);
    set_cache(request, ask);
    if (is_crowded(http)) /* other connections wait for the place */
        http_set_header(request, "Connection", "close");
    if (body)
        evbuffer_add(body, text->text, text->len);
    evhttp_send_reply(request, code, status_text(code), body);
    if (body)
        evbuffer_free(body);
}

static void send_plain(struct http *http, struct evhttp_request *request,
                       int code, const char *text)
{
    buf_reset(&http->answer);
    buf_str(&http->answer, text);
    send_answer(http, request, code, http_plain_type, &http->answer, NULL);
}

static void send_route(struct http *http, struct evhttp_request *request,
                       const struct route *route)
{
    int code;

    buf_reset(&http->answer);
    code = route->answer(http, &http->answer);
    if (buf_ok(&http->answer))
        send_answer(http, request, code, route->type, &http->answer, NULL);
    else
        send_plain(http, request, HTTP_INTERNAL, "the answer is too long\n");
}

/* /api/... */

const char *http_value(const struct http_ask *ask, const char *key)
{
    return evhttp_find_header(ask->query, key);
}

static bool is_api(const struct http *http, const char *path)
{
    return http->calls->answer_api && path &&
           strncmp(path, api_path, strlen(api_path)) == 0;
}

static bool is_page(const struct http *http, const char *path)
{
    return http->calls->answer_page && path && path[0] == '/' &&
           !is_api(http, path);
}

/* All lines of the header: some proxies append a line instead of a word. */
static void join_forwarded(struct evhttp_request *request, struct buf *out)
{
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(request);
    const struct evkeyval *header;

    TAILQ_FOREACH(header, headers, next)
    {
        if (strcasecmp(header->key, "X-Forwarded-For") == 0)
            buf_add(out, "%s%s", out->len > 0 ? "," : "", header->value);
    }
}

static void find_address(const struct http *http,
                         struct evhttp_request *request,
                         char address[PROXY_ADDRESS_MAX])
{
    const struct proxies *proxies = http->calls->proxies(http->owner);
    char *peer = NULL;
    ev_uint16_t port;
    struct buf forwarded;

    evhttp_connection_get_peer(evhttp_request_get_connection(request), &peer,
                               &port);
    buf_init(&forwarded, HTTP_HEADERS_MAX);
    if (proxies->count > 0)
        join_forwarded(request, &forwarded);
    proxies_client(proxies, peer ? peer : "", forwarded.text, address);
    buf_release(&forwarded);
}

static const char *header_of(struct evhttp_request *request, const char *name)
{
    return evhttp_find_header(evhttp_request_get_input_headers(request), name);
}

/*
 * A browser names the site of the page in "Origin". Programs that are not
 * browsers send none.
 */
static bool is_foreign(struct evhttp_request *request)
{
    const char *origin = header_of(request, "Origin");
    const char *host = header_of(request, "Host");
    const char *after = origin ? strstr(origin, "://") : NULL;

    return origin && (!after || !host || strcmp(after + 3, host) != 0);
}

static void take_body(struct evhttp_request *request, char *body,
                      struct http_ask *ask)
{
    ev_ssize_t n = 0;

    if (evhttp_request_get_command(request) != EVHTTP_REQ_POST)
        return;
    n = evbuffer_copyout(evhttp_request_get_input_buffer(request), body,
                         HTTP_BODY_MAX);
    body[n > 0 ? n : 0] = '\0';
    ask->body = body;
}

static bool has_this(struct evhttp_request *request, const char *etag)
{
    const char *known = header_of(request, "If-None-Match");

    return etag[0] && known && strcmp(known, etag) == 0;
}

static void make_tag(const struct buf *text, char *etag)
{
    uint8_t hash[crypto_generichash_BYTES_MIN];

    crypto_generichash(hash, sizeof hash, (const uint8_t *)text->text,
                       text->len, NULL, 0);
    etag[0] = '"';
    sodium_bin2hex(etag + 1, HTTP_ETAG_MAX - 1, hash, sizeof hash);
    strcat(etag, "\"");
}

static void send_405(struct http *http, struct evhttp_request *request)
{
    http_set_header(request, "Allow", "GET, HEAD");
    send_plain(http, request, HTTP_BADMETHOD, "only GET and HEAD\n");
}

static void send_asked(struct http *http, struct http_ask *ask, int code)
{
    struct evhttp_request *request = ask->request;

    if (ask->is_stream)
        return;
    if (code == HTTP_BADMETHOD && ask->body) {
        send_405(http, request);
        return;
    }
    if (code == HTTP_OK && !ask->body)
        make_tag(&http->answer, ask->etag);
    if (code == HTTP_OK && has_this(request, ask->etag)) {
        buf_reset(&http->answer);
        code = HTTP_NOTMODIFIED;
    }
    if (buf_ok(&http->answer))
        send_answer(http, request, code, ask->type, &http->answer, ask);
    else
        send_plain(http, request, HTTP_INTERNAL, "the answer is too long\n");
}

/* A NUL in the path would hide what follows it. */
static void send_from_owner(struct http *http, struct evhttp_request *request,
                            const struct evhttp_uri *uri)
{
    bool api = is_api(http, evhttp_uri_get_path(uri));
    const char *coded = evhttp_uri_get_path(uri) + (api ? strlen(api_path) : 1);
    const char *query = evhttp_uri_get_query(uri);
    struct evkeyvalq pairs;
    struct http_ask ask = {.query = &pairs,
                           .type = api ? json_type : html_type,
                           .http = http,
                           .request = request};
    size_t len = 0;
    char *path = evhttp_uridecode(coded, 0, &len);
    char body[HTTP_BODY_MAX + 1];
    int code;

    if (!path || strlen(path) != len ||
        evhttp_parse_query_str(query ? query : "", &pairs) != 0) {
        free(path);
        send_plain(http, request, HTTP_BADREQUEST, "not a URL\n");
        return;
    }
    ask.path = path;
    ask.target = evhttp_request_get_uri(request);
    find_address(http, request, ask.address);
    ask.host = header_of(request, "Host");
    ask.last_event = header_of(request, "Last-Event-ID");
    ask.key = header_of(request, "Referee-Key");
    ask.token = header_of(request, "Referee-Token");
    take_body(request, body, &ask);
    buf_reset(&http->answer);
    code = (api ? http->calls->answer_api
                : http->calls->answer_page)(http->owner, &ask, &http->answer);
    send_asked(http, &ask, code);
    evhttp_clear_headers(&pairs);
    free(path);
}

static void note_request(struct http *http, struct evhttp_request *request)
{
    struct bufferevent *bev = evhttp_connection_get_bufferevent(
        evhttp_request_get_connection(request));

    for (int i = 0; i < http->guests; i++)
        if (http->guest[i].bev == bev) {
            http->guest[i].since_us = now_us();
            http->guest[i].has_asked = true;
        }
}

static void on_request(struct evhttp_request *request, void *me)
{
    struct http *http = me;
    enum evhttp_cmd_type command = evhttp_request_get_command(request);
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
    const char *path = evhttp_uri_get_path(uri);
    const struct route *route = find_route(path);

    loop_now(http->loop); /* the time this takes is lag for the bots */
    note_request(http, request);
    if (!route && !is_api(http, path) && !is_page(http, path)) {
        send_plain(http, request, HTTP_NOTFOUND,
                   "not found; there are /healthz, /metrics, /api/ladders, "
                   "/api/bots and /api/games\n");
    } else if (command == EVHTTP_REQ_POST && is_foreign(request)) {
        http->metrics->refused[HTTP_FOREIGN]++;
        send_plain(http, request, HTTP_FORBIDDEN,
                   "this comes from a page of another site\n");
    } else if (command != EVHTTP_REQ_GET && command != EVHTTP_REQ_HEAD &&
               !(command == EVHTTP_REQ_POST && is_api(http, path))) {
        send_405(http, request);
    } else if (route) {
        send_route(http, request, route);
    } else {
        send_from_owner(http, request, uri);
    }
}

/* Connections. */

static void look_again(struct http *http)
{
    int64_t wait = http->guests || http->streams ? LOOK_US : LOOK_IDLE_US;

    loop_alarm(http->loop, &http->look, now_us() + wait);
}

static bool is_let_go(struct bufferevent *bev)
{
    bufferevent_event_cb on_event;

    bufferevent_getcb(bev, NULL, NULL, &on_event, NULL);
    return on_event == NULL;
}

static void forget_those_let_go(struct http *http)
{
    int kept = 0;

    for (int i = 0; i < http->guests; i++)
        if (is_let_go(http->guest[i].bev))
            bufferevent_decref(http->guest[i].bev);
        else
            http->guest[kept++] = http->guest[i];
    http->guests = kept;
}

/*
 * evhttp wants more bytes, but the buffer is full: for example, a chunk size
 * that never ends. libevent would then try again forever, and its loop would
 * not return.
 */
static bool is_stuck(const struct guest *guest)
{
    bufferevent_data_cb on_read;

    bufferevent_getcb(guest->bev, &on_read, NULL, NULL, NULL);
    return on_read &&
           evbuffer_get_length(bufferevent_get_input(guest->bev)) >= INPUT_MAX;
}

void http_hang_up(struct bufferevent *bev)
{
    bufferevent_trigger_event(bev, BEV_EVENT_TIMEOUT | BEV_EVENT_READING, 0);
}

static void drop_the_late(struct http *http)
{
    int64_t now = now_us(), limit = is_crowded(http) ? CROWDED_US : REQUEST_US;

    for (int i = 0; i < http->guests; i++)
        if (now - http->guest[i].since_us > limit) {
            http->metrics->refused[HTTP_SLOW] += !http->guest[i].has_asked;
            http_hang_up(http->guest[i].bev);
        }
}

static void on_look(void *me)
{
    struct http *http = me;

    forget_those_let_go(http);
    drop_the_late(http);
    http_drop_streams(http);
    if (http->guests < 2 * HTTP_CONNECTIONS_MAX)
        evconnlistener_enable(http->listener);
    look_again(http);
}

static void on_full(evutil_socket_t fd, short what, void *me)
{
    struct http *http = me;

    for (int i = 0; i < http->guests; i++)
        if (is_stuck(&http->guest[i]))
            http_hang_up(http->guest[i].bev);
}

/* evhttp has not seen these bytes yet, and may well accept them. */
static void on_input(struct evbuffer *input,
                     const struct evbuffer_cb_info *change, void *me)
{
    struct http *http = me;

    loop_now(http->loop);
    if (evbuffer_get_length(input) >= INPUT_MAX)
        event_active(http->full, 0, 0);
}

/* evhttp knows its address only when it has its bufferevent. */
static const char *origin_of(struct guest *guest)
{
    struct sockaddr_storage at;
    socklen_t len = sizeof at;
    char address[NI_MAXHOST];

    if (!guest->origin[0] &&
        getpeername(bufferevent_getfd(guest->bev), (struct sockaddr *)&at,
                    &len) == 0 &&
        getnameinfo((struct sockaddr *)&at, len, address, sizeof address, NULL,
                    0, NI_NUMERICHOST) == 0)
        tcp_origin(address, guest->origin);
    return guest->origin;
}

static int guests_from(struct http *http, const char *origin)
{
    int count = 0;

    for (int i = 0; i < http->guests; i++)
        count += strcmp(origin_of(&http->guest[i]), origin) == 0;
    return count;
}

/*
 * All places are taken and a connection arrives. Close the one that has been
 * silent longest, of the address with the most connections. So every address
 * gets a share, and a monitor, which sends its request at once, is answered at
 * once.
 */
static void make_room(struct http *http)
{
    int most = 0, goes = 0;

    for (int i = 0; i < http->guests; i++) {
        int count = guests_from(http, origin_of(&http->guest[i]));

        if (http->guest[i].is_leaving)
            continue;
        if (count > most || (count == most && http->guest[i].since_us <
                                                  http->guest[goes].since_us)) {
            most = count;
            goes = i;
        }
    }
    http->guest[goes].is_leaving = true;
    http->metrics->refused[HTTP_CROWDED]++;
    http_hang_up(http->guest[goes].bev);
    forget_those_let_go(http);
}

/* evhttp asks for a bufferevent after it has accepted a connection. */
static struct bufferevent *on_guest(struct event_base *base, void *me)
{
    struct http *http = me;
    struct bufferevent *bev;

    if (is_crowded(http))
        make_room(http);
    bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
    if (!bev)
        return NULL;
    bufferevent_setwatermark(bev, EV_READ, 0, INPUT_MAX);
    if (!evbuffer_add_cb(bufferevent_get_input(bev), on_input, http))
        abort();
    bufferevent_incref(bev);
    http->guest[http->guests++] =
        (struct guest){.bev = bev, .since_us = now_us()};
    if (http->guests == 2 * HTTP_CONNECTIONS_MAX)
        evconnlistener_disable(http->listener);
    if (http->guests == 1)
        look_again(http);
    return bev;
}

/* For example, out of descriptors: the next look tries again. */
static void on_accept_error(struct evconnlistener *listener, void *unused)
{
    evconnlistener_disable(listener);
}

/* Start and end. */

static struct evconnlistener *listen_on(struct event_base *base,
                                        const char *address, int port,
                                        struct err *err)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct evconnlistener *listener;
    struct addrinfo *found;
    char service[12];
    int wrong;

    snprintf(service, sizeof service, "%d", port);
    wrong = getaddrinfo(address, service, &hints, &found);
    if (wrong) {
        fail(err, "http: \"%s\" is not an address to listen on: %s", address,
             gai_strerror(wrong));
        return NULL;
    }
    listener = evconnlistener_new_bind(
        base, NULL, NULL,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE,
        QUEUE, found->ai_addr, (int)found->ai_addrlen);
    if (!listener) {
        fail(err, "http: cannot listen on %s port %d: %s", address, port,
             strerror(errno));
        err->passes = errno == EADDRINUSE || errno == EADDRNOTAVAIL;
    }
    freeaddrinfo(found);
    return listener;
}

static void set_up(struct http *http)
{
    evhttp_set_allowed_methods(http->evhttp, 0xffff); /* to answer 405 */
    evhttp_set_max_headers_size(http->evhttp, HTTP_HEADERS_MAX);
    evhttp_set_max_body_size(http->evhttp, HTTP_BODY_MAX);
    evhttp_set_bevcb(http->evhttp, on_guest, http);
    evhttp_set_gencb(http->evhttp, on_request, http);
    evhttp_bind_listener(http->evhttp, http->listener);
    evconnlistener_set_error_cb(http->listener, on_accept_error);
    look_again(http);
}

struct http *http_new(struct loop *loop, const char *address, int port,
                      const struct http_calls *calls, void *owner,
                      struct http_metrics *metrics, struct err *err)
{
    struct evconnlistener *listener = listen_on(loop->base, address, port, err);
    struct http *http;

    if (!listener)
        return NULL;
    http = must_alloc(calloc(1, sizeof *http));
    http->listener = listener;
    http->calls = calls;
    http->owner = owner;
    http->metrics = metrics;
    buf_init(&http->answer, HTTP_ANSWER_MAX);
    http->loop = loop;
    alarm_init(&http->look, on_look, http);
    http->full = evtimer_new(loop->base, on_full, http);
    http->evhttp = evhttp_new(loop->base);
    if (!http->evhttp || !http->full)
        abort();
    set_up(http);
    return http;
}

void http_free(struct http *http)
{
    if (!http)
        return;
    evhttp_free(http->evhttp);
    forget_those_let_go(http);
    event_free(http->full);
    alarm_stop(http->loop, &http->look);
    buf_release(&http->answer);
    free(http);
}

int http_port(const struct http *http)
{
    struct sockaddr_storage at;
    socklen_t len = sizeof at;

    if (getsockname(evconnlistener_get_fd(http->listener),
                    (struct sockaddr *)&at, &len) == -1)
        return 0;
    return at.ss_family == AF_INET6
               ? ntohs(((struct sockaddr_in6 *)&at)->sin6_port)
               : ntohs(((struct sockaddr_in *)&at)->sin_port);
}

int http_connections(const struct http *http)
{
    return http->guests;
}
