#!/bin/sh
# Is every C file as .clang-format wants it?

cd "${srcdir:-.}" || exit 1
if [ -z "$CLANG_FORMAT" ]; then
    echo "clang-format was not found by configure"
    exit 77
fi
find referee tests -name '*.[ch]' ! -path '*/build/*' ! -name list.h |
    xargs "$CLANG_FORMAT" --dry-run --Werror
