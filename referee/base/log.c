#include "base/log.h"

#include "base/buf.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *word;
    int priority; /* syslog's number for it */
} levels[LOG_LEVELS] = {
    [LOG_ERROR] = {"error", 3},
    [LOG_WARNING] = {"warning", 4},
    [LOG_INFO] = {"info", 6},
    [LOG_DEBUG] = {"debug", 7},
};

bool log_level_read(const char *word, enum log_level *level)
{
    for (int i = 0; i < LOG_LEVELS; i++)
        if (strcmp(word, levels[i].word) == 0) {
            *level = (enum log_level)i;
            return true;
        }
    return false;
}

void log_init(struct log *log, FILE *to, enum log_level level)
{
    const char *journal = getenv("JOURNAL_STREAM");

    *log = (struct log){.to = to, .level = level};
    log->journal = journal && *journal;
}

/* Builds the line in place, so that logging allocates nothing. */
struct entry {
    char text[LOG_LINE_MAX];
    size_t len;
    bool cut;
};

static const char cut_mark[] = "...\n";

static size_t room_in(const struct entry *entry)
{
    return sizeof entry->text - sizeof cut_mark - entry->len;
}

static void put(struct entry *entry, const char *bytes, size_t len)
{
    if (entry->cut || len > room_in(entry)) {
        entry->cut = true;
        return;
    }
    memcpy(entry->text + entry->len, bytes, len);
    entry->len += len;
}

static void put_plain(struct entry *entry, const char *text, size_t len)
{
    size_t room = room_in(entry);

    put(entry, text, len < room ? len : room);
    entry->cut = entry->cut || len > room;
}

static void put_text(struct entry *entry, const char *text)
{
    static const char hex[] = "0123456789abcdef";

    for (;;) {
        const char *from = text;
        unsigned char c;

        while (*text >= ' ' && *text <= '~')
            text++;
        put_plain(entry, from, (size_t)(text - from));
        c = (unsigned char)*text++;
        if (c == '\0')
            return;
        put(entry, (char[]){'\\', 'x', hex[c >> 4], hex[c & 15]}, 4);
    }
}

static void put_stamp(struct entry *entry, struct log *log)
{
    struct timespec now;
    const char *date;
    char ms[16];

    timespec_get(&now, TIME_UTC);
    date = date_text(&log->date, now.tv_sec);
    ms[0] = '.';
    memcpy(jot_padded(ms + 1, now.tv_nsec / 1000000, 3), "Z ", 3);
    put_plain(entry, date, date[0] ? DATE_SECONDS : 0);
    put_text(entry, ms);
}

static void put_head(struct entry *entry, struct log *log, enum log_level level,
                     const char *game)
{
    char priority[8];

    if (log->journal) {
        snprintf(priority, sizeof priority, "<%d>", levels[level].priority);
        put_text(entry, priority);
    } else {
        put_stamp(entry, log);
    }
    put_text(entry, levels[level].word);
    put_text(entry, " ");
    if (game) {
        put_text(entry, "[");
        put_text(entry, game);
        put_text(entry, "] ");
    }
}

static void blot_out_tokens(char *text)
{
    static const char sign[] = "token:";

    while ((text = strstr(text, sign)) != NULL)
        for (text += sizeof sign - 1; *text && *text != ' '; text++)
            *text = '*';
}

static void finish(struct entry *entry, FILE *to)
{
    const char *end = entry->cut ? cut_mark : "\n";

    memcpy(entry->text + entry->len, end, strlen(end));
    entry->len += strlen(end);
    fwrite(entry->text, 1, entry->len, to);
    fflush(to);
}

void log_line(struct log *log, enum log_level level, const char *game,
              const char *fmt, ...)
{
    struct entry entry;
    char text[LOG_LINE_MAX];
    va_list ap;

    if (level > log->level)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    blot_out_tokens(text);
    entry.len = 0;
    entry.cut = false;
    put_head(&entry, log, level, game);
    put_text(&entry, text);
    finish(&entry, log->to);
}
