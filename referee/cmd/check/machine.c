/* How fair is this machine? One function for each thing to check. */

#include "cmd/check/machine.h"

#include "base/text.h"
#include "cmd/check/advice.h"
#include "cmd/check/machine_look.h"
#include "run/cores.h"
#include "run/jitter.h"
#include "run/walls/cgroup.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void ok(struct finding *f, const char *check, const char *text)
{
    finding_begin(f, VERDICT_PASSED, check, "%s", text);
}

static void advice(struct finding *f, const char *hint)
{
    snprintf(f->hint, sizeof f->hint, "%s", hint);
}

/* Processors. */

static void look_at_processors(const struct look *l, struct finding *f)
{
    int cores = cores_count(l->cores), all = cores_processors(l->cores);
    int pairs = (cores - 1) / 2;
    bool few = pairs < 1;

    finding_begin(f, few ? VERDICT_REMARK : VERDICT_PASSED, "processors",
                  "%d processor%s in %d core%s", all, all == 1 ? "" : "s",
                  cores, cores == 1 ? "" : "s");
    f->facts = json_pack("{s:i, s:i}", "processors", all, "cores", cores);
    if (few)
        advice(f, "too few for cores = 1 with two bots, which needs three: "
                  "set ponder = no, so that a waiting bot does not slow "
                  "down the other, and play one game at a time");
    else
        snprintf(f->text + strlen(f->text), sizeof f->text - strlen(f->text),
                 "; cores = 1 gives every bot its own core in %d game%s of "
                 "two bots at once",
                 pairs, pairs == 1 ? "" : "s");
}

static void look_at_threads(const struct look *l, struct finding *f)
{
    bool on = look_number(l, "/sys/devices/system/cpu/smt/active", 0) == 1;

    if (!on) {
        ok(f, "hyper-threads", "off, or none");
        return;
    }
    finding_begin(f, VERDICT_REMARK, "hyper-threads",
                  "on: two bots on one core slow each other down");
    advice(f, "as root: echo off >/sys/devices/system/cpu/smt/control; or "
              "set cores = N, which never splits a core");
}

/* Every processor has one, and they are usually the same. */
static void look_at_governor(const struct look *l, struct finding *f)
{
    glob_t found = {0};
    char pattern[LOOK_PATH], other[40] = "";

    snprintf(pattern, sizeof pattern,
             "%s/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
             l->root);
    glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char text[40];

        look_text(l, found.gl_pathv[i] + strlen(l->root), text, sizeof text);
        if (strcmp(text, "performance") != 0)
            snprintf(other, sizeof other, "%s", text);
    }
    if (found.gl_pathc == 0) {
        ok(f, "clock rate",
           "cannot be set here, as usual in virtual "
           "machines");
    } else if (!*other) {
        ok(f, "clock rate", "the governor is performance");
    } else {
        finding_begin(f, VERDICT_REMARK, "clock rate",
                      "the governor is %s: a bot that has waited finds a "
                      "slow processor when its turn comes",
                      other);
        advice(f, "as root: cpupower frequency-set -g performance");
    }
    globfree(&found);
}

static void look_at_turbo(const struct look *l, struct finding *f)
{
    bool intel =
        look_number(l, "/sys/devices/system/cpu/intel_pstate/no_turbo", 1) == 0;
    bool boost =
        look_number(l, "/sys/devices/system/cpu/cpufreq/boost", 0) == 1;

    if (!intel && !boost) {
        ok(f, "turbo", "off, or cannot be set here");
        return;
    }
    finding_begin(f, VERDICT_REMARK, "turbo",
                  "on: a bot is faster while others rest");
    advice(f, intel ? "as root: echo 1 "
                      ">/sys/devices/system/cpu/intel_pstate/no_turbo"
                    : "as root: echo 0 >/sys/devices/system/cpu/cpufreq/boost");
}

static void look_at_clock(const struct look *l, struct finding *f)
{
    static const char path[] =
        "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    char name[40];
    bool slow;

    look_text(l, path, name, sizeof name);
    slow = strcmp(name, "hpet") == 0 || strcmp(name, "acpi_pm") == 0 ||
           strcmp(name, "jiffies") == 0;
    finding_begin(f, slow ? VERDICT_FAULT : VERDICT_PASSED, "clock",
                  *name ? "%s" : "not told", name);
    if (slow)
        advice(f, "this clock is slow or coarse, and so are all measured "
                  "times; the kernel's log says why it abandoned tsc");
}

/* Processor time that other programs take. */

static void look_at_quota(const struct look *l, struct finding *f)
{
    double processors = look_quota(l);

    if (processors <= 0) {
        ok(f, "CPU quota", "none");
        return;
    }
    finding_begin(f, VERDICT_FAULT, "CPU quota",
                  "a control group stops all processes when they have used "
                  "%.2f processors, while clocks continue to run",
                  processors);
    f->facts = json_pack("{s:f}", "processors", processors);
    advice(f, "start the referee without a quota: no --cpus for Docker, no "
              "CPUQuota= for systemd, no CPU limit in Kubernetes; give it "
              "whole processors instead (--cpuset-cpus, AllowedCPUs=)");
}

static void look_at_load(const struct look *l, struct finding *f)
{
    char text[100];
    double load;
    bool busy;

    look_text(l, "/proc/loadavg", text, sizeof text);
    load = strtod(text, NULL);
    busy = load > 0.5 * cores_processors(l->cores);
    finding_begin(f, busy ? VERDICT_REMARK : VERDICT_PASSED, "load",
                  "%.2f in the last minute", load);
    f->facts = json_pack("{s:f}", "last_minute", load);
    if (busy)
        advice(f, "other programs run here; bots with wall clocks lose the "
                  "time that these take. Stop them, or count CPU time: "
                  "--time 10s,cpu");
}

/* Totals since the machine started. */
static void look_at_host(const struct look *l, struct finding *f)
{
    char text[512], *at = text + 4;
    double all = 0, stolen = 0;
    bool much;

    look_text(l, "/proc/stat", text, sizeof text);
    for (int i = 0; strncmp(text, "cpu ", 4) == 0 && i < 8; i++) {
        double ticks = strtod(at, &at);

        all += ticks;
        stolen = ticks; /* the eighth */
    }
    stolen = all > 0 ? 100 * stolen / all : 0;
    much = stolen >= 1;
    finding_begin(f, much ? VERDICT_REMARK : VERDICT_PASSED, "host",
                  "lost %.1f %% of the time to other virtual machines", stolen);
    f->facts = json_pack("{s:f}", "percent", stolen);
    if (much)
        advice(f, "rent dedicated processors, or count CPU time");
}

static bool is_within(const struct jitter *j, int percent)
{
    return j->p99_ns * 100 <= j->half_ns * (100 + percent);
}

static void look_at_jitter(const struct look *l, struct finding *f)
{
    struct jitter j;

    if (l->is_copy) {
        ok(f, "jitter", "not measured: this is a copy of a machine");
        return;
    }
    j = jitter_measure(&l->processors);
    finding_begin(f,
                  is_within(&j, 5)    ? VERDICT_PASSED
                  : is_within(&j, 50) ? VERDICT_REMARK
                                      : VERDICT_FAULT,
                  "jitter",
                  "a fixed loop takes %.3f ms; 1 in 100 takes %.3f ms or "
                  "more (%.2f times as long), the longest %.3f ms",
                  (double)j.half_ns / 1e6, (double)j.p99_ns / 1e6,
                  (double)j.p99_ns / (double)j.half_ns,
                  (double)j.worst_ns / 1e6);
    f->facts =
        json_pack("{s:i, s:I, s:I, s:I}", "processor", j.processor, "half_ns",
                  (json_int_t)j.half_ns, "p99_ns", (json_int_t)j.p99_ns,
                  "worst_ns", (json_int_t)j.worst_ns);
    if (f->verdict != VERDICT_PASSED)
        advice(f, "a move that takes a bot 1 s may take that much longer by "
                  "chance: look at the other findings, and give clocks some "
                  "--lenience");
}

/* Memory. */

static void look_at_swap(const struct look *l, struct finding *f)
{
    char text[2000];
    const char *second;

    look_raw(l, "/proc/swaps", text, sizeof text);
    second = strchr(text, '\n');
    if (!second || !second[1]) {
        ok(f, "swap", "none");
        return;
    }
    finding_begin(f, VERDICT_REMARK, "swap",
                  "on: a bot whose memory was swapped out loses time");
    advice(f, "as root: swapoff -a. Bots with walls get no swap if control "
              "groups limit memory");
}

static void look_at_memory(const struct look *l, struct finding *f)
{
    char text[2000];
    const char *at;
    long long mib;

    look_raw(l, "/proc/meminfo", text, sizeof text);
    at = strstr(text, "MemAvailable:");
    mib = at ? strtoll(at + strlen("MemAvailable:"), NULL, 10) >> 10 : 0;
    finding_begin(f, mib < 2048 ? VERDICT_REMARK : VERDICT_PASSED, "memory",
                  "%lld MiB are free for bots", mib);
    f->facts = json_pack("{s:I}", "free_mib", (json_int_t)mib);
    if (mib < 2048)
        advice(f, "too little for two bots with 1 GiB each, which is what "
                  "walls allow by default: set memory = 512m, or less");
}

static void look_at_pages(const struct look *l, struct finding *f)
{
    char text[100];

    look_text(l, "/sys/kernel/mm/transparent_hugepage/enabled", text,
              sizeof text);
    if (!strstr(text, "[always]")) {
        ok(f, "huge pages", "only if a program asks for them, or none");
        return;
    }
    finding_begin(f, VERDICT_REMARK, "huge pages",
                  "always: the kernel creates them at any time, and a bot "
                  "waits for it");
    advice(f, "as root: echo madvise "
              ">/sys/kernel/mm/transparent_hugepage/enabled");
}

/* The kernel. */

static void look_at_addresses(const struct look *l, struct finding *f)
{
    if (look_number(l, "/proc/sys/kernel/randomize_va_space", 2) != 0) {
        ok(f, "addresses",
           "are random (ASLR), as they should be if untrusted bots run "
           "here; the speed of a bot may vary slightly from start to start");
        return;
    }
    finding_begin(f, VERDICT_REMARK, "addresses",
                  "are the same in every start (ASLR is off)");
    advice(f, "good for measurements, but holes in programs are easier to "
              "exploit. For untrusted bots, as root: sysctl "
              "kernel.randomize_va_space=2");
}

static void look_at_sessions(const struct look *l, struct finding *f)
{
    if (look_number(l, "/proc/sys/kernel/sched_autogroup_enabled", 0) == 1) {
        ok(f, "sessions",
           "share the processors evenly (autogroup), however many threads a "
           "bot has");
        return;
    }
    finding_begin(f, VERDICT_REMARK, "sessions",
                  "do not share the processors evenly: a bot with many "
                  "threads takes more than the others");
    advice(f, "as root: sysctl kernel.sched_autogroup_enabled=1; or set "
              "cores = N");
}

static void look_at_kernel(const struct look *l, struct finding *f)
{
    static const struct {
        int major, minor;
        enum verdict verdict;
        const char *hint;
    } before[] = {
        {5, 13, VERDICT_REMARK,
         "before 5.13 there is no Landlock: without namespaces there are no "
         "walls for untrusted bots"},
        {6, 3, VERDICT_REMARK,
         "before 6.3 the locks of control groups can block everything for "
         "seconds if many bots start and exit: run few games at once"},
        {6, 12, VERDICT_REMARK,
         "before 6.12 Landlock does not block signals: run the referee as "
         "root or with namespaces, or bots behind landlock cannot use "
         "signals at all"},
    };
    char text[100];
    const char *at = text;
    int major = 0, minor = 0;

    look_text(l, "/proc/sys/kernel/osrelease", text, sizeof text);
    if (take_int(&at, 0, 1000, &major) && take_char(&at, '.'))
        take_int(&at, 0, 1000, &minor);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (major < before[i].major ||
            (major == before[i].major && minor < before[i].minor)) {
            finding_begin(f, before[i].verdict, "kernel", "Linux %s", text);
            advice(f, before[i].hint);
            return;
        }
    finding_begin(f, VERDICT_PASSED, "kernel", "Linux %s", text);
}

/* Walls. */

/* What is mounted, when we only have a copy, ... */
static void look_at_mounts(const struct look *l, struct finding *f)
{
    char text[8192];
    bool two, one;

    look_raw(l, "/proc/mounts", text, sizeof text);
    two = strstr(text, " cgroup2 ") != NULL;
    one = strstr(text, " cgroup ") != NULL;
    finding_begin(f, two || one ? VERDICT_PASSED : VERDICT_REMARK,
                  "control groups", "%s",
                  two && one ? "version 2 and version 1"
                  : two      ? "version 2"
                  : one      ? "version 1"
                             : "none are mounted");
}

/* ... and what we can create on this machine. */
static void look_at_groups(const struct look *l, struct finding *f)
{
    static const char *const part[CGROUP_PARTS] = {"memory", "processes",
                                                   "CPU time", "freezing"};
    struct cgroup_host host;
    int have = 0;

    if (l->is_copy) {
        look_at_mounts(l, f);
        return;
    }
    cgroup_probe(&host);
    finding_begin(f, VERDICT_PASSED, "control groups", "%s", "");
    for (int i = 0; i < CGROUP_PARTS; i++)
        if (cgroup_has(&host, (enum cgroup_part)i))
            snprintf(f->text + strlen(f->text),
                     sizeof f->text - strlen(f->text), "%s%s (version %d)",
                     have++ ? ", " : "", part[i], host.is_v2[i] ? 2 : 1);
    if (have == CGROUP_PARTS)
        return;
    if (have == 0)
        snprintf(f->text, sizeof f->text, "%s", host.why);
    f->verdict = VERDICT_REMARK;
    advice(f, "resource limits, signals and a check ten times a second "
              "replace what is missing, which is less exact. Start the "
              "referee as root, or as a systemd service with Delegate=yes, "
              "or with systemd-run --user --scope -p Delegate=yes");
}

static void look_at_spaces(const struct look *l, struct finding *f)
{
    static const struct {
        const char *path;
        long off;
        const char *hint;
    } switches[] = {
        {"/proc/sys/user/max_user_namespaces", 0,
         "as root: sysctl user.max_user_namespaces=10000"},
        {"/proc/sys/kernel/unprivileged_userns_clone", 0,
         "as root: sysctl kernel.unprivileged_userns_clone=1"},
        {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
         "as root: sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
    };

    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (look_number(l, switches[i].path, -1) == switches[i].off) {
            finding_begin(f, VERDICT_REMARK, "namespaces",
                          "%s is %ld: ordinary users have none",
                          switches[i].path, switches[i].off);
            advice(f, switches[i].hint);
            return;
        }
    ok(f, "namespaces", "are not switched off for ordinary users");
}

static void look_at_wall(const struct look *l, enum wall wall,
                         struct finding *f)
{
    const char *why = walls_why_not(l->walls, wall);
    bool other = !walls_why_not(l->walls, wall == WALL_BWRAP ? WALL_LANDLOCK
                                                             : WALL_BWRAP);

    if (!why) {
        finding_begin(f, VERDICT_PASSED, wall_word(wall), "works");
        return;
    }
    finding_begin(f, other ? VERDICT_REMARK : VERDICT_FAULT, wall_word(wall),
                  "does not work: %s", why);
    advice(f, other ? "the other wall works, so untrusted bots can be "
                      "confined; security.md explains the difference"
                    : "without landlock or bwrap untrusted bots can read "
                      "your files, deals and keys: use a kernel from 5.13 "
                      "on with Landlock, or allow namespaces; in Docker, "
                      "add --security-opt seccomp=unconfined");
}

static void look_at_landlock(const struct look *l, struct finding *f)
{
    look_at_wall(l, WALL_LANDLOCK, f);
}

static void look_at_bwrap(const struct look *l, struct finding *f)
{
    look_at_wall(l, WALL_BWRAP, f);
}

static void look_at_users(const struct look *l, struct finding *f)
{
    if (walls_give_users(l->walls))
        ok(f, "users", "each bot behind walls gets its own at each start");
    else
        ok(f, "users", "the bots run as you; walls keep them apart");
}

static void look_at_descriptors(const struct look *l, struct finding *f)
{
    struct rlimit limit = {0, 0};
    long long games;

    getrlimit(RLIMIT_NOFILE, &limit);
    games = limit.rlim_max > 128 ? ((long long)limit.rlim_max - 128) / 12 : 0;
    finding_begin(f, games < 100 ? VERDICT_REMARK : VERDICT_PASSED,
                  "open files", "enough for %lld games of two bots at once",
                  games);
    if (games < 100)
        advice(f, "raise the hard limit: ulimit -Hn, LimitNOFILE= for systemd");
}

/* Run every check. `here` marks checks that make no sense for a copy. */
static const struct {
    const char *section;
    void (*look)(const struct look *look, struct finding *finding);
    bool here;
} points[] = {
    {"Processors", look_at_processors, false},
    {NULL, look_at_threads, false},
    {NULL, look_at_governor, false},
    {NULL, look_at_turbo, false},
    {NULL, look_at_clock, false},
    {"What others use", look_at_quota, false},
    {NULL, look_at_load, false},
    {NULL, look_at_host, false},
    {NULL, look_at_jitter, false},
    {"Memory", look_at_memory, false},
    {NULL, look_at_swap, false},
    {NULL, look_at_pages, false},
    {"Kernel", look_at_kernel, false},
    {NULL, look_at_addresses, false},
    {NULL, look_at_sessions, false},
    {NULL, look_at_descriptors, true},
    {"Walls", look_at_groups, false},
    {NULL, look_at_spaces, false},
    {NULL, look_at_landlock, true},
    {NULL, look_at_bwrap, true},
    {NULL, look_at_users, true},
};

bool machine_check(const char *root, bool as_json)
{
    static const struct report_words words = {
        "machine", "games on this machine are decided by the bots.",
        "games on this machine may be decided by chance, or by intruders."};
    struct report r;
    struct look l;

    look_begin(&l, root);
    report_begin(&r, &words, root ? root : "this machine", as_json);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        struct finding f;

        if (points[i].section)
            report_section(&r, points[i].section);
        if (points[i].here && l.is_copy)
            continue;
        points[i].look(&l, &f);
        report_add(&r, &f);
    }
    look_end(&l);
    return report_end(&r, true);
}
