#!/bin/sh
# referee check --machine: what it says of copies of /proc and /sys in which one
# thing is wrong at a time, and of this machine.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
shown="out err"
cpu=sys/devices/system/cpu

# put FILE TEXT: below the copy.
put() {
    mkdir -p "copy/$(dirname "$1")"
    printf '%s\n' "$2" >"copy/$1"
}

# A good machine: eight processors in eight cores.
good() {
    rm -rf copy
    put $cpu/online 0-7
    put $cpu/smt/active 0
    for i in 0 1 2 3 4 5 6 7; do
        put $cpu/cpu$i/cpufreq/scaling_governor performance
        put $cpu/cpu$i/topology/thread_siblings_list $i
    done
    put $cpu/intel_pstate/no_turbo 1
    put sys/devices/system/clocksource/clocksource0/current_clocksource tsc
    put sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
    put proc/loadavg '0.10 0.10 0.10 1/100 1000'
    put proc/stat 'cpu  1000 0 1000 8000 0 0 0 10 0 0'
    put proc/meminfo 'MemAvailable:    8000000 kB'
    put proc/swaps 'Filename Type Size Used Priority'
    put proc/mounts 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0'
    put proc/self/cgroup '0::/user.slice/a.scope'
    put proc/sys/kernel/osrelease 6.12.3-amd64
    put proc/sys/kernel/randomize_va_space 2
    put proc/sys/kernel/sched_autogroup_enabled 1
    put proc/sys/user/max_user_namespaces 100000
}

examine() {
    "$referee" check --machine --root copy "$@" >report 2>err
    code=$?
    tr -s ' \n' '  ' <report >out
}

good
examine
same "a good machine: exit code" 0 $code
hasnt "a good machine" out '(remark|FAULT) '
has "a good machine" out '8 processors in 8 cores; cores = 1 gives every bot its own core in 3 games'
has "a good machine" out '0 remarks, 0 faults: games on this machine are dec'

# spoilt CODE TEXT FILE VALUE [FILE VALUE...]: with these in place it must say
# this, and nothing else that is wrong.
spoilt() {
    code_wanted=$1 text=$2
    shift 2
    good
    while [ $# -gt 0 ]; do
        put "$1" "$2"
        shift 2
    done
    examine
    same "$text: exit code" "$code_wanted" $code
    has "$text" out "$text"
    same "$text: points that are wrong" 1 "$(grep -cE '^  (remark|FAULT) ' report)"
    same "$text: hints" 1 "$(grep -c '^ *hint ' report)"
}

spoilt 0 'remark processors 2 processors in 2 cores hint too few' $cpu/online 0-1
spoilt 0 'remark hyper-threads on: .* echo off' $cpu/smt/active 1
spoilt 0 'remark clock rate the governor is powersave' \
    $cpu/cpu3/cpufreq/scaling_governor powersave
spoilt 0 'remark turbo on: .* echo 1 >/sys.*no_turbo' $cpu/intel_pstate/no_turbo 0
spoilt 0 'remark turbo on: .* echo 0 >/sys.*boost' $cpu/cpufreq/boost 1
spoilt 1 'FAULT clock hpet hint this clock is slow' \
    sys/devices/system/clocksource/clocksource0/current_clocksource hpet
spoilt 1 'FAULT CPU quota .* have used 1\.50 processors' \
    sys/fs/cgroup/user.slice/cpu.max '150000 100000'
spoilt 1 'FAULT CPU quota .* have used 2\.00 processors' \
    sys/fs/cgroup/user.slice/cpu.max '500000 100000' \
    sys/fs/cgroup/user.slice/a.scope/cpu.max '200000 100000'
spoilt 1 'FAULT CPU quota .* have used 0\.50 processors' \
    proc/self/cgroup '3:cpu,cpuacct:/docker/17' \
    sys/fs/cgroup/cpu/docker/17/cpu.cfs_quota_us 50000 \
    sys/fs/cgroup/cpu/docker/17/cpu.cfs_period_us 100000
spoilt 0 'remark load 6\.00 in the last minute' proc/loadavg '6.00 1 1 1/1 1'
spoilt 0 'remark host lost 10\.0 %' \
    proc/stat 'cpu  1000 0 1000 7000 0 0 0 1000 0 0'
spoilt 0 'remark swap on' proc/swaps "Filename Type Size Used Priority
/dev/sda2 partition 100 0 -2"
spoilt 0 'remark memory 976 MiB' proc/meminfo 'MemAvailable: 1000000 kB'
spoilt 0 'remark huge pages always' \
    sys/kernel/mm/transparent_hugepage/enabled '[always] madvise never'
spoilt 0 'remark kernel Linux 6\.1\.0-18-amd64 hint before 6\.3 the locks' \
    proc/sys/kernel/osrelease 6.1.0-18-amd64
spoilt 0 'remark kernel Linux 6\.8\.0 hint before 6\.12 Landlock' \
    proc/sys/kernel/osrelease 6.8.0
spoilt 0 'remark kernel Linux 4\.19 hint before 5\.13 there is no Landlock' \
    proc/sys/kernel/osrelease 4.19
spoilt 0 'remark addresses are the same' proc/sys/kernel/randomize_va_space 0
spoilt 0 'remark sessions do not share' proc/sys/kernel/sched_autogroup_enabled 0
spoilt 0 'remark namespaces .*/max_user_namespaces is 0' \
    proc/sys/user/max_user_namespaces 0
spoilt 0 'remark namespaces .*apparmor_restrict_unprivileged_userns is 1' \
    proc/sys/kernel/apparmor_restrict_unprivileged_userns 1

# Two threads to a core, and a group without a limit.
good
put $cpu/smt/active 1
for i in 0 1 2 3; do
    put $cpu/cpu$i/topology/thread_siblings_list $i,$((i + 4))
    put $cpu/cpu$((i + 4))/topology/thread_siblings_list $i,$((i + 4))
done
put sys/fs/cgroup/user.slice/cpu.max 'max 100000'
examine
has "threads" out '8 processors in 4 cores; cores = 1 gives every bot its own core in 1 game'
has "no limit" out 'ok CPU quota none'

# Version 1, and no control groups at all.
put proc/mounts 'cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0'
examine
has "version 1" out 'ok control groups version 1'
put proc/mounts 'proc /proc proc rw 0 0'
examine
has "no groups" out 'remark control groups none are mounted'

# An empty copy crashes nothing.
rm -rf copy
mkdir copy
examine
hasnt "an empty copy" err .

# For machines.
good
put $cpu/intel_pstate/no_turbo 0
examine --json
python3 - report >out 2>&1 <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["passed"] and r["machine"] == "copy" and r["remarks"] == 1, r
by_name = {c["check"]: c for c in r["checks"]}
assert by_name["processors"]["facts"] == {"processors": 8, "cores": 8}
assert by_name["turbo"]["verdict"] == "remark" and by_name["turbo"]["hint"]
END
same "JSON" "" "$(cat out)"

# This machine: measured and tried, for whoever asks.
"$referee" check --machine --json >report 2>err
code=$?
python3 - report $code >out 2>&1 <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["passed"] == (sys.argv[2] == "0"), r
by_name = {c["check"]: c for c in r["checks"]}
j = by_name["jitter"]["facts"]
assert 0 < j["half_ns"] <= j["p99_ns"] <= j["worst_ns"], j
for name in "control groups", "landlock", "bwrap", "users", "kernel":
    assert by_name[name]["text"], name
END
same "this machine" "" "$(cat out)"

# Where user namespaces are off, bwrap does not work, and it says why.
if [ "$(id -u)" = 0 ]; then
    cp "$referee" .
    chmod 755 . referee
    setpriv --reuid=65534 --regid=65534 --clear-groups \
        unshare -r sh -c 'echo 0 >/proc/sys/user/max_user_namespaces &&
            exec setpriv --inh-caps=-all --bounding-set=-all "$@"' sh \
        ./referee check --machine >report 2>err
    tr -s ' \n' '  ' <report >out
    has "no namespaces" out 'remark namespaces .* is 0: ordinary users'
    has "no namespaces" out '(remark|FAULT) bwrap does not work: no more name'
    has "an ordinary user" out 'users the bots run as you'
fi

# Wrong use.
"$referee" check --machine ./bot >out 2>err
same "a bot: exit code" 2 $?
"$referee" check --root copy ./bot >out 2>err
same "--root alone: exit code" 2 $?
has "--root alone" err '--root belongs to --machine'
"$referee" check --machine --root nowhere >out 2>err
same "no folder: exit code" 2 $?
has "no folder" err 'there is no folder nowhere'

echo "$count checks, $failed wrong"
[ "$failed" = 0 ]
