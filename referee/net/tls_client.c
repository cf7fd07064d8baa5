#include "net/tls_client.h"

#include "base/alloc.h"

#include <errno.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *openssl_error(unsigned long code)
{
    const char *text = ERR_reason_error_string(code);

    return text ? text : "the connection was closed";
}

/* OpenSSL would not say why not. */
static bool can_be_read(const char *ca, struct err *err)
{
    struct stat st;

    if (access(ca, R_OK) != 0 || stat(ca, &st) != 0)
        return fail(err, "--ca: %s cannot be opened: %s", ca, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return fail(err,
                    "--ca: %s is a folder; name a file of PEM "
                    "certificates in it",
                    ca);
    return true;
}

static bool load_authorities(SSL_CTX *context, const char *ca, struct err *err)
{
    int ok;

    if (ca && !can_be_read(ca, err))
        return false;
    ok = ca ? SSL_CTX_load_verify_locations(context, ca, NULL)
            : SSL_CTX_set_default_verify_paths(context);
    if (ok == 1)
        return true;
    if (!ca)
        return fail(err, "the CA certificates of the system cannot be read: %s",
                    openssl_error(ERR_peek_error()));
    return fail(err, "--ca: %s is not a file of PEM certificates: %s", ca,
                openssl_error(ERR_peek_error()));
}

bool tls_client_init(struct tls_client *tls, const char *host, bool is_number,
                     const char *ca, struct err *err)
{
    *tls = (struct tls_client){SSL_CTX_new(TLS_client_method()),
                               must_alloc(strdup(host)), is_number};
    if (!tls->context)
        return fail(err, "OpenSSL does not start: %s",
                    openssl_error(ERR_peek_error()));
    SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION);
    SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, NULL);
#ifdef SSL_OP_IGNORE_UNEXPECTED_EOF
    /* A connection may break at any byte: lines show what is whole. */
    SSL_CTX_set_options(tls->context, SSL_OP_IGNORE_UNEXPECTED_EOF);
#endif
    if (load_authorities(tls->context, ca, err))
        return true;
    tls_client_release(tls);
    return false;
}

void tls_client_release(struct tls_client *tls)
{
    SSL_CTX_free(tls->context);
    free(tls->host);
    *tls = (struct tls_client){0};
}

static bool demand_host(const struct tls_client *tls, SSL *ssl)
{
    X509_VERIFY_PARAM *param = SSL_get0_param(ssl);

    if (tls->is_number)
        return X509_VERIFY_PARAM_set1_ip_asc(param, tls->host) == 1;
    X509_VERIFY_PARAM_set_hostflags(param,
                                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(param, tls->host, 0) == 1 &&
           SSL_set_tlsext_host_name(ssl, tls->host) == 1;
}

struct bufferevent *tls_client_open(const struct tls_client *tls,
                                    struct loop *loop, int fd)
{
    SSL *ssl = SSL_new(tls->context);
    struct bufferevent *net = NULL;

    if (ssl && demand_host(tls, ssl))
        net = bufferevent_openssl_socket_new(
            loop->base, fd, ssl, BUFFEREVENT_SSL_CONNECTING,
            BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
    if (!net) {
        SSL_free(ssl);
        close(fd);
        return NULL;
    }
    bufferevent_openssl_set_allow_dirty_shutdown(net, 1);
    return net;
}

static const char *advice(long result, unsigned long code)
{
    switch (result) {
    case X509_V_OK:
        break;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return "; --name-check HOST gives the name in the certificate";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return "; --ca FILE gives the certificate of its signer";
    default:
        return "";
    }
    return ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER
               ? "; perhaps this port speaks without TLS"
               : "";
}

void tls_client_why(const struct tls_client *tls, struct bufferevent *net,
                    struct err *err)
{
    long result = SSL_get_verify_result(bufferevent_openssl_get_ssl(net));
    unsigned long code = bufferevent_get_openssl_error(net);

    if (result != X509_V_OK)
        fail(err, "the certificate of %s is not valid: %s%s", tls->host,
             X509_verify_cert_error_string(result), advice(result, code));
    else
        fail(err, "no TLS with %s: %s%s", tls->host, openssl_error(code),
             advice(result, code));
}

const char *tls_version(struct bufferevent *net)
{
    return SSL_get_version(bufferevent_openssl_get_ssl(net));
}

void tls_end(struct bufferevent *net)
{
    SSL_shutdown(bufferevent_openssl_get_ssl(net));
    ERR_clear_error();
}
