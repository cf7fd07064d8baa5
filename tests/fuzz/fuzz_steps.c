/*
 * Any bytes as a record, told step by step as JSON to every audience. What can
 * be read must be valid JSON with every step in its place.
 */

#include "fuzz/fuzz.h"
#include "web/steps.h"

static void tell_all(const uint8_t *data, size_t size, int viewer)
{
    char *text = fuzz_text(data, size);
    json_t *document = NULL;
    struct err err = {0};
    struct steps steps;
    bool ok;

    steps_init(&steps, viewer);
    ok = steps_read(&steps, "fuzz", 0, text, size, &document, &err);
    insist_on_reason(ok, &err);
    if (ok) {
        char *bytes = json_dumps(document, JSON_ENSURE_ASCII);
        json_t *list = json_object_get(document, "steps"), *one;
        size_t i;

        insist(bytes != NULL && is_plain(bytes));
        json_array_foreach(list, i, one) insist(
            json_integer_value(json_object_get(one, "n")) == (json_int_t)i);
        free(bytes);
        json_decref(document);
    }
    steps_release(&steps);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int viewer = AUDIENCE_REFEREE; viewer < 2; viewer++)
        tell_all(data, size, viewer);
    return 0;
}
