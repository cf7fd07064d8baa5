#!/bin/sh
# Each folder of referee/ may include itself and the folders named after it.

cd "${srcdir:-.}/referee" || exit 1
bad=0

may_include() {
    folder=$1
    shift
    for file in $(find "$folder" -name '*.[ch]'); do
        for seen in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file"); do
            case " $folder $* " in
            *" $seen "*) ;;
            *) echo "$file may not include $seen/" && bad=1 ;;
            esac
        done
    done
}

may_include base
may_include games base
may_include match base games
may_include league base
may_include lib base games
may_include store base games match league
may_include web base games match
may_include run base games match league store
may_include net base games match league store run
may_include many base games match league store run
may_include daemon base games match league store web run net many
may_include cmd base games match league lib store web run net many daemon

# The core does no I/O: no event loop, no POSIX, no clock, no files. (Only the
# log, which nothing of the core uses, may look at the clock; dates are told
# the time.)
if grep -nE '#include <(event2/|unistd|fcntl|sys/|poll|signal|time|pthread)' \
    -r base games match league | grep -v '^base/\(date\|log\).c:.*<time.h>'; then
    echo "the core must not include these"
    bad=1
fi
if grep -nE '\b(fopen|printf|time|rand|getenv|system)\(' \
    -r games match league --include='*.c' | grep -vE 'v?snprintf'; then
    echo "the core must not call these"
    bad=1
fi
exit $bad
