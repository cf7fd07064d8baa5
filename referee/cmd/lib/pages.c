#include "cmd/lib/pages.h"

#include "store/disk.h"
#include "store/records.h"
#include "web/steps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PAGES_MAX = 1 << 30 }; /* bytes of a page */

/* Keep a copy of the text, because reading splits it into lines. */
bool pages_add(struct page *page, const char *file, int lines_before,
               struct buf *text, struct err *err)
{
    struct steps steps;
    struct buf copy;
    json_t *document;
    bool ok;

    buf_init(&copy, text->max);
    buf_put(&copy, text->text, text->len);
    steps_init(&steps, AUDIENCE_REFEREE);
    ok = steps_read(&steps, file, lines_before, text->text, text->len,
                    &document, err);
    if (ok)
        page_add(page, document, file, copy.text);
    steps_release(&steps);
    buf_release(&copy);
    return ok;
}

static bool add_file(struct page *page, const char *path, struct err *err)
{
    struct records file;
    struct buf text;
    bool failed = false;

    if (!records_open(&file, path, err))
        return false;
    buf_init(&text, RECORD_FILE_MAX);
    while (!failed && records_next(&file, &text, &failed, err))
        failed = !pages_add(page, path, file.lines_before, &text, err);
    buf_release(&text);
    records_close(&file);
    return !failed;
}

bool pages_add_folder(struct page *page, const char *folder, struct err *err)
{
    struct disk_names names = {0};
    char path[2 * DISK_PATH_MAX];
    bool ok = disk_walk(folder, "", ".rec", &names, err);

    for (size_t i = 0; ok && i < names.count; i++) {
        snprintf(path, sizeof path, "%s%s", folder, names.name[i]);
        ok = add_file(page, path, err);
    }
    disk_names_free(&names);
    return ok;
}

bool pages_save_text(const struct buf *text, const char *path, struct err *err)
{
    bool to_stdout = strcmp(path, "-") == 0;
    FILE *file = to_stdout ? stdout : fopen(path, "w");
    bool ok;

    if (!file)
        return fail(err, "%s cannot be written: %s", path, strerror(errno));
    ok = buf_ok(text) && fwrite(text->text, 1, text->len, file) == text->len;
    ok = (to_stdout ? fflush(file) : fclose(file)) == 0 && ok;
    return ok || fail(err, "%s was not completely written", path);
}

bool pages_save(const struct page *page, const char *path, struct err *err)
{
    struct buf text;
    bool ok;

    buf_init(&text, PAGES_MAX);
    page_write(page, &text);
    ok = pages_save_text(&text, path, err);
    buf_release(&text);
    return ok;
}

void pages_name(const char *path, struct buf *out)
{
    const char *dot = strrchr(path, '.');
    size_t stem =
        dot && strcmp(dot, ".html") == 0 ? (size_t)(dot - path) : strlen(path);

    buf_put(out, path, stem);
    buf_str(out, "-games.html");
}

void pages_link(struct buf *out, const char *file, const char *id)
{
    const char *slash = file ? strrchr(file, '/') : NULL;

    if (!file) {
        html_text(out, id);
        return;
    }
    buf_str(out, "<a href=\"");
    html_text(out, slash ? slash + 1 : file);
    buf_str(out, "#game=");
    html_text(out, id);
    buf_str(out, "\">");
    html_text(out, id);
    buf_str(out, "</a>");
}
