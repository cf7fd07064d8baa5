#include "run/walls/files.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Debian 12 has the headers of Linux 6.1. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP    (1ULL << 0)
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (1ULL << 1)
#endif
#ifndef LANDLOCK_SCOPE_SIGNAL
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define LANDLOCK_SCOPE_SIGNAL               (1ULL << 1)
#endif

/* As in the newest kernel; older kernels read only the first words. */
struct rules_attr {
    uint64_t handled_fs, handled_net, scoped;
};

static const uint64_t reading = LANDLOCK_ACCESS_FS_EXECUTE |
                                LANDLOCK_ACCESS_FS_READ_FILE |
                                LANDLOCK_ACCESS_FS_READ_DIR;
/* The rights that make sense for something that is not a folder. */
static const uint64_t for_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;
static const uint64_t never =
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_IOCTL_DEV;

/*
 * Of /proc, only our own entries (see files_restrict()) and files that never
 * change. Numbers that change with what others do would leak information about
 * them.
 */
static const char *const patterns[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/debian_version",
    "/etc/default/locale",
    "/etc/dotnet*",
    "/etc/fonts",
    "/etc/group",
    "/etc/host.conf",
    "/etc/inputrc",
    "/etc/java*",
    "/etc/ld.so.*",
    "/etc/locale*",
    "/etc/localtime",
    "/etc/lua*",
    "/etc/mime.types",
    "/etc/mono*",
    "/etc/node*",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl*",
    "/etc/php*",
    "/etc/profile",
    "/etc/protocols",
    "/etc/python*",
    "/etc/R",
    "/etc/ruby*",
    "/etc/services",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/version",
    "/proc/sys/kernel/cap_last_cap",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/mm/transparent_hugepage/defrag",
    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
    "/sys/kernel/mm/transparent_hugepage/shmem_enabled",
    NULL,
};

/*
 * Entries of our own process. Not /proc/self/net or any folder that contains
 * one, because that shows the sockets of all processes in the network.
 */
static const char *const of_ourselves[] = {
    "/proc/self/auxv",
    "/proc/self/cgroup",
    "/proc/self/cmdline",
    "/proc/self/comm",
    "/proc/self/environ",
    "/proc/self/fd",
    "/proc/self/limits",
    "/proc/self/maps",
    "/proc/self/mountinfo",
    "/proc/self/mounts",
    "/proc/self/smaps",
    "/proc/self/smaps_rollup",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
    "/proc/self/uid_map",
    "/proc/self/gid_map",
    "/proc/self/oom_score_adj",
    NULL,
};

const char *const files_devices[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", NULL,
};

int files_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
                       LANDLOCK_CREATE_RULESET_VERSION);

    return abi > 0 ? (int)abi : 0;
}

const char *const *files_of_system(struct pool *pool)
{
    glob_t found = {0};
    const char **list;

    for (int i = 0; patterns[i]; i++)
        glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &found);
    list = pool_take(pool, (found.gl_pathc + 1) * sizeof *list);
    for (size_t i = 0; i < found.gl_pathc; i++)
        list[i] = pool_text(pool, found.gl_pathv[i]);
    globfree(&found);
    return list;
}

static uint64_t handled(int abi)
{
    uint64_t all = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

    if (abi >= LANDLOCK_REFER)
        all |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= LANDLOCK_TRUNCATE)
        all |= LANDLOCK_ACCESS_FS_TRUNCATE;
    if (abi >= LANDLOCK_IOCTL)
        all |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    return all;
}

static int new_rules(int abi)
{
    struct rules_attr attr = {.handled_fs = handled(abi)};
    size_t words = abi >= LANDLOCK_SCOPES ? 3 : abi >= LANDLOCK_TCP ? 2 : 1;

    if (abi >= LANDLOCK_TCP)
        attr.handled_net =
            LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
    if (abi >= LANDLOCK_SCOPES)
        attr.scoped =
            LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
    return (int)syscall(SYS_landlock_create_ruleset, &attr,
                        words * sizeof(uint64_t), 0);
}

/* A path that does not exist needs no rule. */
static bool add_rule(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = rights,
        .parent_fd = open(path, O_PATH | O_CLOEXEC),
    };
    struct stat st;
    bool done;

    if (rule.parent_fd == -1)
        return true;
    if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.allowed_access &= for_files;
    done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
                   &rule, 0) == 0;
    close(rule.parent_fd);
    return done;
}

static bool add_rules(int rules, const char *const *paths, uint64_t rights)
{
    for (; *paths; paths++)
        if (!add_rule(rules, *paths, rights))
            return false;
    return true;
}

int files_rules(int abi, const char *const *system, const struct walls *walls,
                const char *const *writable)
{
    int rules = new_rules(abi), error;
    uint64_t all = handled(abi) & ~never;

    if (rules == -1)
        return -1;
    if (add_rules(rules, system, reading) &&
        add_rules(rules, walls->readable, reading) &&
        add_rules(rules, files_devices,
                  all & (LANDLOCK_ACCESS_FS_READ_FILE |
                         LANDLOCK_ACCESS_FS_WRITE_FILE)) &&
        add_rules(rules, writable, all))
        return rules;
    error = errno;
    close(rules);
    errno = error;
    return -1;
}

/* Interpreters look at their own memory map and limits. */
bool files_restrict(int rules)
{
    return add_rules(rules, of_ourselves, reading) &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}
