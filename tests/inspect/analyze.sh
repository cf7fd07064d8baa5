#!/bin/sh
# What the analyzers of gcc, clang and cppcheck say about the program, without
# what analyze_known.txt explains. Fails if anything is left.
#
#   analyze.sh [gcc|clang-tidy|cppcheck...]
#
# They work in a folder analyze/ of the build folder; what each said is there.

set -eu
src=$(cd "${srcdir:-.}" && pwd)
known=$src/tests/inspect/analyze_known.txt

stop() {
    printf 'analyze: %s\n' "$*" >&2
    exit 2
}

mkdir -p analyze
cd analyze
[ -f Makefile ] || "$src/configure" -q --disable-lto ||
    stop "configure failed"
make -s generated
echo '#define PACKAGE_VERSION "0"' >version.h
# Cppcheck does not read the headers of the system.
echo '#define json_array_foreach(a, i, v) \
    for (i = 0, v = json_array_get(a, 0); v; v = json_array_get(a, ++i))' \
    >loops.h
echo '#define json_object_foreach(o, k, v) for (v = json_next(o, &k); v;)' \
    >>loops.h
# As the program is compiled.
flags="-I$src/referee -Ireferee -I. -D_GNU_SOURCE -DHAVE_SECCOMP -DHAVE_LIBPQ
    -DHAVE_LIBEDIT -include $PWD/version.h -std=gnu17 $(pkg-config --cflags libsodium libcrypto \
    jansson libevent_core inih libarchive libedit openssl sqlite3 \
    libseccomp libpq)"
files=$(cd "$src" && find referee -name '*.c' | sort)

each() { # COMMAND...: with each file of the program as its last word
    # shellcheck disable=SC2086 # words
    printf '%s\n' $files | sed "s|^|$src/|" |
        xargs -P"${JOBS:-2}" -n1 "$@" 2>&1 || :
}

# shellcheck disable=SC2086 # words
run() {
    case $1 in
    gcc) each gcc $flags -O2 -fanalyzer -S -o /dev/null ;;
    clang-tidy)
        printf '%s\n' $files | sed "s|^|$src/|" | xargs -P"${JOBS:-2}" -I{} \
            clang-tidy --quiet --checks="$(grep -v '^#' \
            "$src/tests/inspect/clang_tidy.txt" | tr -d '\n')" {} -- $flags \
            2>&1 || :
        ;;
    cppcheck)
        cppcheck --quiet --enable=warning,portability -j"${JOBS:-2}" \
            --inline-suppr --library=posix --std=c11 -I"$src/referee" \
            -D_GNU_SOURCE -DHAVE_SECCOMP -DHAVE_LIBPQ -DHAVE_LIBEDIT \
            --include="$PWD/loops.h" \
            --template='{file}:{line}: warning: {message} [{id}]' \
            "$src/referee" 2>&1 || :
        ;;
    *) stop "there is no $1; there are gcc, clang-tidy, cppcheck" ;;
    esac
}

left=0
for tool in ${*:-gcc clang-tidy cppcheck}; do
    command -v "$tool" >/dev/null || stop "$tool is missing"
    run "$tool" >"$tool.log"
    sed "s|^$src/||" "$tool.log" | grep -E ' (warning|error): ' | sort -u >found
    # "TOOL PATTERN  # why"
    sed -n "s/^$tool  *\(.*[^ ]\)  *# .*/\1/p" "$known" >patterns
    if [ -s patterns ]; then
        grep -vEf patterns found >"$tool.left" || :
    else
        cp found "$tool.left"
    fi
    echo "$tool: $(wc -l <"$tool.left") of $(wc -l <found) are not explained"
    cat "$tool.left"
    left=$((left + $(wc -l <"$tool.left")))
done
[ "$left" = 0 ]
