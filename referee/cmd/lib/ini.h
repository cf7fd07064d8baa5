#ifndef REFEREE_CMD_LIB_INI_H
#define REFEREE_CMD_LIB_INI_H

/*
 * ini.h - read ini files, driven by tables.
 *
 * A kind of section is a table, and each of its keys is a row: the name, the
 * form of a value, the default, one line of help, the reader and its target.
 * The same rows read a file, fill in the defaults and print the help.
 *
 *     static const struct ini_key keys[] = {
 *         KEY("port", "PORT", "7000", "where to listen",
 *             INI_INT(struct door, port, 1, 65535)),
 *         {0},
 *     };
 *
 * Reading does not stop at a mistake. Each mistake becomes a sentence with file
 * and line, and ini_report() sorts them by line. A warning is a remark that
 * does not make the file invalid.
 */

#include "base/err.h"
#include "base/lines.h"
#include "base/pool.h"

#include <stddef.h>
#include <stdint.h>

enum {
    INI_KEYS_MAX = 32,
    INI_LINE_MAX = 64 * 1024, /* bytes; the longest that any command needs */
    INI_VALUES_MAX = 1 << 20, /* bytes of all values of a repeated key */
    INI_REMARKS_MAX = 200,    /* further remarks are only counted */
};

struct ini;
struct ini_key;

/* A value and its target. */
struct ini_value {
    struct ini *ini;
    const struct ini_key *key;
    const char *text;
    void *to; /* the target: `at` bytes into the section's struct */
};

struct ini_key {
    const char *name;
    const char *form;   /* "TIME", or all allowed values: "tcp|tls|unix" */
    const char *preset; /* used where the key is missing; or NULL */
    const char *help;
    bool (*read)(const struct ini_value *value, struct err *err);
    size_t at;
    int64_t min, max; /* range of numbers and times */
    bool again;       /* may be given several times */
    bool is_secret;   /* the value is secret */
    bool is_refused;  /* known only to say what to use */
};

struct ini_kind {
    const char *name;
    const char *argument; /* "NAME" for sections such as [bot NAME], or NULL */
    const char *about;
    const struct ini_key *keys; /* ends with a NULL name */
    /* Make the zeroed struct of a new section; or NULL with a reason. */
    void *(*begin)(struct ini *ini, const char *name, struct err *err);
};

/* A section of the file. */
struct ini_section {
    const struct ini_kind *kind;
    const char *name; /* "" for kinds without a name */
    int line;
    void *to;
    int key_line[INI_KEYS_MAX]; /* line; 0: not given */
    bool key_wrong[INI_KEYS_MAX];
    const char *value[INI_KEYS_MAX]; /* all the values given; or NULL */
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
    void *user;                   /* for begin() and the readers */
    struct pool *pool;            /* owns every text */
    int line;                     /* the line being read */
    struct ini_section *first, **end;
    struct ini_section *now; /* NULL: in none, or in an unknown one */
    int mistakes;
    int remarks;
    struct ini_remark remark[INI_REMARKS_MAX];
};

/* Read the whole file; mistakes become remarks. `pool` outlives the ini. */
void ini_read(struct ini *ini, const char *path, const struct ini_kind *kinds,
              void *user, struct pool *pool);

/* Line 0 means the whole file. */
void ini_mistake(struct ini *ini, int line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void ini_warning(struct ini *ini, int line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Write every remark, with file and line, in line order. */
void ini_report(struct ini *ini, struct lines *out);

/* The line that sets the key, or the section's line. */
int ini_line(const struct ini_section *section, const char *key);
bool ini_has(const struct ini_section *section, const char *key);

/* True if it was given, but its value was refused. */
bool ini_is_wrong(const struct ini_section *section, const char *key);

/* The section of that kind and name, or NULL. */
struct ini_section *ini_find(const struct ini *ini, const char *kind,
                             const char *name);

/* The changes since an earlier reading of the same file: one sentence for each
 * section added or removed, and for each changed key. */
void ini_changes(const struct ini *old, const struct ini *now,
                 struct lines *out);

/* Set a struct to the defaults of its kind. */
void ini_preset(struct ini *ini, const struct ini_kind *kind, void *to);

/* Help: every section and key. */
void ini_help(const struct ini_kind *kinds, struct buf *out);

/* Readers, and the type of the variable at `to`. */
bool ini_text(const struct ini_value *v, struct err *err);   /* const char * */
bool ini_choice(const struct ini_value *v, struct err *err); /* const char * */
bool ini_int(const struct ini_value *v, struct err *err);    /* int */
bool ini_yes(const struct ini_value *v, struct err *err);    /* bool */
bool ini_time(const struct ini_value *v, struct err *err);   /* int64_t */

/* "2026-12-18T23:59:00Z", as a const char *; such texts sort by time. */
bool ini_date(const struct ini_value *v, struct err *err);

/* One row of a table, and the last row. */
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

/* The next item of "a, b, c"; NULL at the end. */
const char *next_name(const char **at, struct pool *pool);

/* "yes" or "no", in any accepted spelling. */
bool yes_read(const char *text, bool *value, struct err *err) MUST_CHECK;

#endif
