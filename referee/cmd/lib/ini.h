#ifndef REFEREE_CMD_LIB_INI_H
#define REFEREE_CMD_LIB_INI_H

/*
 * ini.h - ini files by tables.
 *
 * A kind of section is a table, and each of its keys is a row: the name, what
 * a value looks like, the default, one line of help, and who reads the value
 * to where. The same rows read a file, fill in the defaults and print the
 * help.
 *
 *     static const struct ini_key keys[] = {
 *         KEY("port", "PORT", "7000", "where to listen",
 *             INI_INT(struct door, port, 1, 65535)),
 *         {0},
 *     };
 *
 * Nothing stops at a mistake. All of them are kept, each a sentence with file
 * and line, until ini_report() puts them in the order of the lines. A warning
 * is a remark that does not spoil the file.
 */

#include "base/err.h"
#include "base/lines.h"
#include "base/pool.h"

#include <stddef.h>
#include <stdint.h>

enum {
    INI_KEYS_MAX = 32,
    INI_LINE_MAX = 64 * 1024, /* bytes; as long as a command needs */
    INI_VALUES_MAX = 1 << 20, /* bytes of a key that is given again */
    INI_REMARKS_MAX = 200,    /* what comes after these is only counted */
};

struct ini;
struct ini_key;

/* A value on its way to where it belongs. */
struct ini_value {
    struct ini *ini;
    const struct ini_key *key;
    const char *text;
    void *to; /* the section's struct, `at` bytes on */
};

struct ini_key {
    const char *name;
    const char *form;   /* "TIME", or all that is allowed: "tcp|tls|unix" */
    const char *preset; /* read where the key is not given; or NULL */
    const char *help;
    bool (*read)(const struct ini_value *value, struct err *err);
    size_t at;
    int64_t min, max; /* of numbers and times */
    bool again;       /* may be given several times */
    bool is_secret;   /* its value is not shown to anybody */
    bool is_refused;  /* known, but only to say what is right instead */
};

struct ini_kind {
    const char *name;
    const char *argument; /* "NAME" for sections such as [bot NAME], or NULL */
    const char *about;
    const struct ini_key *keys; /* ends with a NULL name */
    /* The struct of a new section, zeroed; or NULL with a reason. */
    void *(*begin)(struct ini *ini, const char *name, struct err *err);
};

/* A section of the file. */
struct ini_section {
    const struct ini_kind *kind;
    const char *name; /* "" for kinds without */
    int line;
    void *to;
    int key_line[INI_KEYS_MAX]; /* 0: not given */
    bool key_wrong[INI_KEYS_MAX];
    const char *value[INI_KEYS_MAX]; /* as given, all of them; or NULL */
    struct ini_section *next;
};

struct ini_remark {
    int line;
    int number;
    bool is_warning;
    const char *text;
};

struct ini {
    const char *path;
    const struct ini_kind *kinds; /* ends with a NULL name */
    void *user;                   /* of begin() and the readers */
    struct pool *pool;            /* for every text */
    int line;                     /* that is being read */
    struct ini_section *first, **end;
    struct ini_section *now; /* NULL: before the first, or in a wrong one */
    int mistakes;
    int remarks;
    struct ini_remark remark[INI_REMARKS_MAX];
};

/* Read it all; what is wrong becomes remarks. `pool` outlives the ini. */
void ini_read(struct ini *ini, const char *path, const struct ini_kind *kinds,
              void *user, struct pool *pool);

/* Line 0: of the whole file. */
void ini_mistake(struct ini *ini, int line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void ini_warning(struct ini *ini, int line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Every remark, with file and line, in the order of the lines. */
void ini_report(struct ini *ini, struct lines *out);

/* The line where the key is given, or that of the section. */
int ini_line(const struct ini_section *section, const char *key);
bool ini_has(const struct ini_section *section, const char *key);

/* It is given, but its value was refused. */
bool ini_is_wrong(const struct ini_section *section, const char *key);

/* The section of that kind and name, or NULL. */
struct ini_section *ini_find(const struct ini *ini, const char *kind,
                             const char *name);

/* What another reading of the same file has changed: one sentence for each
 * section that is new or gone, and for each key. */
void ini_changes(const struct ini *old, const struct ini *now,
                 struct lines *out);

/* Give a struct the defaults of its kind. */
void ini_preset(struct ini *ini, const struct ini_kind *kind, void *to);

/* What may stand in such a file. */
void ini_help(const struct ini_kind *kinds, struct buf *out);

/* Readers, and the type that stands at `to`. */
bool ini_text(const struct ini_value *v, struct err *err);   /* const char * */
bool ini_choice(const struct ini_value *v, struct err *err); /* const char * */
bool ini_int(const struct ini_value *v, struct err *err);    /* int */
bool ini_yes(const struct ini_value *v, struct err *err);    /* bool */
bool ini_time(const struct ini_value *v, struct err *err);   /* int64_t */

/* "2026-12-18T23:59:00Z", as a const char *; such texts compare like times. */
bool ini_date(const struct ini_value *v, struct err *err);

/* A row of a table, and the ends of one. */
#define KEY(key, looks, otherwise, says, ...)                          \
    {                                                                  \
        .name = key, .form = looks, .preset = otherwise, .help = says, \
        __VA_ARGS__                                                    \
    }
#define INI(type, field, reader) .read = reader, .at = offsetof(type, field)
#define INI_TEXT(type, field)    INI(type, field, ini_text)
#define INI_CHOICE(type, field)  INI(type, field, ini_choice)
#define INI_YES(type, field)     INI(type, field, ini_yes)
#define INI_INT(type, field, least, most) \
    INI(type, field, ini_int), .min = least, .max = most
#define INI_TIME(type, field, least, most) \
    INI(type, field, ini_time), .min = least, .max = most

/* The next of "a, b, c"; NULL at the end. */
const char *next_name(const char **at, struct pool *pool);

/* "yes" or "no", in one of their spellings. */
bool yes_read(const char *text, bool *value, struct err *err) MUST_CHECK;

#endif
