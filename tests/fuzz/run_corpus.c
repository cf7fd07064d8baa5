/*
 * Without libFuzzer: run a fuzz target over files, and over copies of them
 * with a few bytes changed. Linked to each target as tests/fuzz/corpus_NAME.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 60, FILE_MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The same changes in every run: a plain linear congruence. */
static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void change(uint8_t *data, size_t size, uint32_t *state)
{
    static const char alphabet[] = "0123456789abcdeixyEWNSUDRPGBYO:,;/=-| @\n";

    for (uint32_t i = 0; i <= next(state) % 3; i++) {
        size_t at = next(state) % size;

        if (next(state) % 8 == 0)
            data[at] = (uint8_t)next(state);
        else
            data[at] = (uint8_t)alphabet[next(state) % (sizeof alphabet - 1)];
    }
}

static void run_file(const char *path, uint8_t *data, uint8_t *copy)
{
    FILE *file = fopen(path, "rb");
    uint32_t state = 1;
    size_t size;

    if (!file) {
        perror(path);
        exit(1);
    }
    size = fread(data, 1, FILE_MAX, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    for (int i = 0; size > 0 && i < COPIES; i++) {
        memcpy(copy, data, size);
        change(copy, size, &state);
        LLVMFuzzerTestOneInput(copy, size);
        LLVMFuzzerTestOneInput(copy, next(&state) % size);
    }
}

int main(int argc, char **argv)
{
    uint8_t *data = malloc(FILE_MAX), *copy = malloc(FILE_MAX);

    if (!data || !copy || argc < 2)
        return 1;
    for (int i = 1; i < argc; i++)
        run_file(argv[i], data, copy);
    printf("%d files\n", argc - 1);
    free(data);
    free(copy);
    return 0;
}
