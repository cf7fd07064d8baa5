/*
 * hostile - a bot that attacks before it plays, for tests/e2e/walls.sh.
 *
 *     hostile PLAN BOT [ARGUMENT...]
 *
 * PLAN is a file with one ATTACK[=ARGUMENT] per line: what a command names, a
 * bot may read. Each attack writes one line to stderr, "attack NAME worked" or
 * "attack NAME stopped". Then it becomes BOT and plays.
 */
#include "hostile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

void tell(const char *name, bool worked)
{
    char line[200];
    int n = snprintf(line, sizeof line, "attack %s %s\n", name,
                     worked ? "worked" : "stopped");

    if (write(2, line, (size_t)n) < 0)
        _exit(3);
}

enum { PLAN_FD = 3 };

/* Alone. */

static bool read_file(const char *path)
{
    int fd = open(path, O_RDONLY);
    char byte;

    return fd != -1 && read(fd, &byte, 1) >= 0;
}

static bool list(const char *path)
{
    return opendir(path) != NULL;
}

static bool write_file(const char *path)
{
    return open(path, O_WRONLY | O_CREAT, 0600) != -1;
}

static bool truncate_file(const char *path)
{
    return truncate(path, 0) == 0 || open(path, O_RDONLY | O_TRUNC) != -1;
}

static bool change_mode(const char *path)
{
    return chmod(path, 0) == 0;
}

static bool touch(const char *path)
{
    return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

/* Processes that started when we did, whether we can see them or not; process
 * 1 of a namespace belongs to the walls. */

/* A file of any process that is not ours. */
static bool look_into(const char *file, int flags)
{
    int self = getpid();
    char path[64];

    for (int pid = self - NEAR; pid < self + NEAR; pid++) {
        snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
        if (pid > 1 && pid != self && open(path, flags) != -1)
            return true;
    }
    return false;
}

static bool spy_environment(const char *unused)
{
    return look_into("environ", O_RDONLY) || read_file("/proc/1/environ");
}

static bool spy_memory(const char *unused)
{
    return look_into("mem", O_RDWR) || open("/proc/1/mem", O_RDONLY) != -1;
}

static bool spy_command(const char *unused)
{
    return look_into("cmdline", O_RDONLY);
}

/* Of the rival, the guard, the referee. */
static bool write_pipe(const char *unused)
{
    return look_into("fd/0", O_WRONLY) || look_into("fd/1", O_WRONLY) ||
           open("/proc/1/fd/3", O_WRONLY) != -1;
}

static bool trace(const char *unused)
{
    return ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0;
}

static bool read_memory(const char *unused)
{
    char byte;
    struct iovec to = {&byte, 1}, from = {(void *)&errno, 1};

    return process_vm_readv(getppid(), &to, 1, &from, 1, 0) == 1;
}

/* Signal 0 asks only whether it could be sent. */
static bool send_signal(const char *unused)
{
    int self = getpid();

    for (int pid = self - NEAR; pid < self + NEAR; pid++)
        if (pid > 1 && pid != self && kill(pid, 0) == 0)
            return true;
    return false;
}

static bool open_socket(int family, int type)
{
    return socket(family, type, 0) != -1;
}

static bool sockets(const char *unused)
{
    return open_socket(AF_INET, SOCK_STREAM) ||
           open_socket(AF_INET6, SOCK_DGRAM) ||
           open_socket(AF_UNIX, SOCK_STREAM) ||
           open_socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK) ||
           open_socket(AF_UNIX, SOCK_DGRAM) ||
           open_socket(AF_NETLINK, SOCK_RAW) ||
           open_socket(AF_PACKET, SOCK_RAW) ||
           open_socket(AF_VSOCK, SOCK_STREAM) ||
           open_socket(AF_ALG, SOCK_SEQPACKET);
}

/* A pair of datagram sockets can be told another address. */
static bool pair(const char *unused)
{
    int fd[2];

    return socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) == 0;
}

static bool io_uring(const char *unused)
{
    char params[256] = {0};

    return syscall(SYS_io_uring_setup, 4, params) != -1;
}

static bool new_spaces(const char *unused)
{
    return unshare(CLONE_NEWUSER) == 0;
}

static bool perf(const char *unused)
{
    char attr[128] = {0};

    attr[4] = 64;
    return syscall(SYS_perf_event_open, attr, getppid(), -1, -1, 0) != -1;
}

static bool limits_of_others(const char *unused)
{
    struct rlimit_like {
        unsigned long cur, max;
    } limit;

    return syscall(SYS_prlimit64, getppid(), 7, NULL, &limit) == 0;
}

static bool priorities(const char *unused)
{
    return syscall(SYS_sched_setaffinity, getppid(), sizeof(long),
                   &(long){1}) == 0;
}

/* What the guard forgot to close. */
static bool inherited(const char *unused)
{
    for (int fd = PLAN_FD + 1; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            return true;
    return false;
}

/* Who is connected to this machine, and what others do there. */
static bool spy_network(const char *unused)
{
    return read_file("/proc/self/net/unix") || read_file("/proc/net/tcp") ||
           read_file("/proc/thread-self/net/dev");
}

static bool spy_kernel(const char *unused)
{
    static const char *const files[] = {
        "/proc/loadavg",
        "/proc/stat",
        "/proc/vmstat",
        "/proc/locks",
        "/proc/uptime",
        "/proc/interrupts",
        "/proc/schedstat",
        "/proc/pressure/cpu",
        "/proc/sys/fs/file-nr",
        "/proc/sys/fs/inode-nr",
        "/proc/sys/kernel/ns_last_pid",
        "/proc/key-users",
        "/proc/diskstats",
        "/proc/slabinfo",
        "/sys/class/net/lo/statistics/rx_bytes",
        "/sys/kernel/uevent_seqnum",
        "/sys/kernel/mm/transparent_hugepage/khugepaged/pages_collapsed",
    };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (read_file(files[i]))
            return true;
    return false;
}

/* Out of its control group, or into that of another. */
static bool groups(const char *unused)
{
    return list("/sys/fs/cgroup") ||
           write_file("/sys/fs/cgroup/cgroup.procs") ||
           write_file("/sys/fs/cgroup/memory/cgroup.procs");
}

static bool mounts(const char *unused)
{
    int fd = open("/proc/self/ns/mnt", O_RDONLY);

    return mount("none", getenv("HOME"), "tmpfs", 0, NULL) == 0 ||
           umount2("/proc", MNT_DETACH) == 0 || chroot(getenv("HOME")) == 0 ||
           setns(fd, 0) == 0 || syscall(SYS_fsopen, "tmpfs", 0) != -1 ||
           syscall(SYS_open_tree, AT_FDCWD, "/", 1) != -1;
}

static bool kernel_tools(const char *unused)
{
    char attr[128] = {0};

    return syscall(SYS_bpf, 0, attr, sizeof attr) != -1 ||
           syscall(SYS_userfaultfd, 0) != -1 ||
           syscall(SYS_syslog, 3, attr, sizeof attr) != -1 ||
           syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0) != -1 ||
           mknod("node", S_IFCHR | 0666, 259) == 0;
}

static bool keyrings(const char *unused)
{
    return syscall(SYS_add_key, "user", "referee-test", "1", 1, -4) != -1 ||
           syscall(SYS_keyctl, 0, -3, 1) != -1 ||
           syscall(SYS_request_key, "user", "referee-test", NULL, -4) != -1;
}

static bool raise_limits(const char *unused)
{
    struct rlimit limit = {1 << 20, 1 << 20};

    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ||
           setpriority(PRIO_PROCESS, 0, -5) == 0;
}

/* Another name for a file of others, where we may write. */
static bool hard_link(const char *path)
{
    char name[4096];

    snprintf(name, sizeof name, "%s/link", getenv("HOME"));
    return link(path, name) == 0;
}

/* Whoever tidies up must not follow it. */
static bool lure(const char *path)
{
    char name[4096];

    snprintf(name, sizeof name, "%s/lure", getenv("HOME"));
    if (symlink(path, name) == -1)
        return false;
    return write_file(name);
}

static bool terminal(const char *unused)
{
    int fd = open("/dev/tty", O_RDWR);

    return fd != -1 && ioctl(fd, TIOCSTI, "x") == 0;
}

/* Too much. */

static char *scratch_file(const char *stem, long number)
{
    static char name[4096];

    snprintf(name, sizeof name, "%s/%s-%ld", getenv("HOME"), stem, number);
    return name;
}

/* Files that have no name, and so are not found in a folder. */
static bool fill_unlinked(const char *mebibytes)
{
    static char piece[1 << 20];

    signal(SIGXFSZ, SIG_IGN);
    for (long i = atol(mebibytes); i > 0; i--) {
        int fd = open(scratch_file("gone", i), O_RDWR | O_CREAT, 0600);

        if (fd == -1 || unlink(scratch_file("gone", i)) == -1 ||
            write(fd, piece, sizeof piece) != sizeof piece)
            return false;
        usleep(5000);
    }
    return true;
}

/* The same, and not even a descriptor: one page of each is mapped. */
static bool fill_mapped(const char *mebibytes)
{
    static char piece[1 << 20];

    for (long i = atol(mebibytes); i > 0; i--) {
        int fd = open(scratch_file("map", i), O_RDWR | O_CREAT, 0600);

        if (fd == -1 || unlink(scratch_file("map", i)) == -1 ||
            write(fd, piece, sizeof piece) != sizeof piece ||
            mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
            return false;
        close(fd);
        usleep(5000);
    }
    return true;
}

/* Memory that belongs to no process. */
static bool fill_memfd(const char *mebibytes)
{
    static char piece[4 << 20];

    memset(piece, 1, sizeof piece);
    for (long i = atol(mebibytes); i > 0; i -= 4) {
        int fd = memfd_create("hostile", 0);

        if (fd == -1 || write(fd, piece, sizeof piece) != sizeof piece)
            return false;
        usleep(5000);
    }
    return true;
}

/* Nor do the buffers of sockets. */
static bool fill_sockets(const char *mebibytes)
{
    static char piece[1 << 16];
    long bytes = 0;
    int fd[2];

    while (bytes >> 20 < atol(mebibytes)) {
        ssize_t n;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == -1) {
            if (errno != EMFILE)
                break;
            if (fork() > 0) { /* who holds these; the child takes more */
                wait(NULL);
                _exit(0);
            }
            close_range(16, ~0u, 0);
            continue;
        }
        while ((n = write(fd[0], piece, sizeof piece)) > 0)
            bytes += n;
        usleep(2000);
    }
    return bytes >> 20 >= atol(mebibytes);
}

/* In the hope that somebody survives. */
static bool fork_bomb(const char *unused)
{
    int forks = 0;

    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 5000; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            sleep(20);
            _exit(0);
        }
        forks += pid > 0;
    }
    return forks == 5000;
}

static bool eat_memory(const char *mebibytes)
{
    for (long i = atol(mebibytes); i > 0; i--) {
        char *piece = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (piece == MAP_FAILED)
            return false;
        memset(piece, 1, 1 << 20);
        usleep(200); /* as those do who are not noticed */
    }
    return true;
}

static bool fill_disk(const char *mebibytes)
{
    static char piece[1 << 20];
    char name[4096];

    signal(SIGXFSZ, SIG_IGN);
    for (long i = atol(mebibytes); i > 0; i--) {
        int fd;

        snprintf(name, sizeof name, "%s/fill-%ld", getenv("HOME"), i);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd == -1 || write(fd, piece, sizeof piece) != sizeof piece)
            return false;
        close(fd);
        usleep(1000);
    }
    return true;
}

static bool fill_inodes(const char *count)
{
    char name[4096];

    for (long i = atol(count); i > 0; i--) {
        int fd;

        snprintf(name, sizeof name, "%s/inode-%ld", getenv("HOME"), i);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd == -1)
            return false;
        close(fd);
        usleep(20);
    }
    return true;
}

static bool eat_descriptors(const char *unused)
{
    int first = dup(0), fds = 1;

    while (fds < 5000 && dup(0) != -1)
        fds++;
    close_range((unsigned)first, ~0u, 0);
    return fds == 5000;
}

/* They are counted for all programs of a user. */
static bool eat_watches(const char *unused)
{
    int fd = inotify_init();

    return fd != -1 || inotify_add_watch(fd, "/usr/bin", IN_OPEN) != -1;
}

static bool flood_log(const char *mebibytes)
{
    static char piece[1 << 16];

    memset(piece, '.', sizeof piece);
    piece[sizeof piece - 1] = '\n';
    for (long i = 16 * atol(mebibytes); i > 0; i--)
        if (write(2, piece, sizeof piece) < 0)
            return false;
    return true;
}

/* It outlives its parent, in a session of its own, under this name. */
static bool linger(const char *name)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close_range(0, ~0u, 0);
            prctl(PR_SET_NAME, name);
            sleep(600);
        }
        _exit(0);
    }
    return false; /* the test looks who is left */
}

/* It thinks while others are to move. */
static bool spin(const char *unused)
{
    if (fork() == 0)
        for (volatile int i = 0;;)
            i = !i;
    return false;
}

static const struct {
    const char *name;
    bool (*run)(const char *argument);
} attacks[] = {
    {"read", read_file},
    {"list", list},
    {"write", write_file},
    {"truncate", truncate_file},
    {"chmod", change_mode},
    {"touch", touch},
    {"environment", spy_environment},
    {"memory-of-others", spy_memory},
    {"command-lines", spy_command},
    {"pipe", write_pipe},
    {"ptrace", trace},
    {"process-vm", read_memory},
    {"signal", send_signal},
    {"socket", sockets},
    {"pair", pair},
    {"io-uring", io_uring},
    {"namespaces", new_spaces},
    {"perf", perf},
    {"limits-of-others", limits_of_others},
    {"priorities", priorities},
    {"inherited", inherited},
    {"network-of-others", spy_network},
    {"work-of-others", spy_kernel},
    {"groups", groups},
    {"mounts", mounts},
    {"kernel-tools", kernel_tools},
    {"keyrings", keyrings},
    {"raise-limits", raise_limits},
    {"hard-link", hard_link},
    {"lure", lure},
    {"terminal", terminal},
    {"fill-unlinked", fill_unlinked},
    {"fill-mapped", fill_mapped},
    {"fill-memfd", fill_memfd},
    {"fill-sockets", fill_sockets},
    {"fork-bomb", fork_bomb},
    {"eat-memory", eat_memory},
    {"fill-disk", fill_disk},
    {"fill-inodes", fill_inodes},
    {"descriptors", eat_descriptors},
    {"watches", eat_watches},
    {"flood-log", flood_log},
    {"linger", linger},
    {"spin", spin},
    {"fill-undumpable", fill_undumpable},
    {"fill-in-thread", fill_in_thread},
    {"fill-posted", fill_posted},
    {"fill-shared", fill_shared},
    {"fill-headless", fill_headless},
    {"fill-unreadable", fill_unreadable},
    {"clocks-of-others", clocks_of_others},
    {"descriptor-of-others", descriptor_of_others},
    {"groups-of-others", groups_of_others},
    {"signal-by-file", signal_by_file},
    {"aio", take_all_aio},
    {"huge-pages", huge_pages},
    {"sync", sync_all},
    {"flags", change_flags},
    {"core-of-its-own", core_of_its_own},
    {"send", send_all},
    {"take", take_all},
};

static void attack(char *word)
{
    const char *argument = strchr(word, '=');
    size_t n = strcspn(word, "=");

    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++)
        if (strlen(attacks[i].name) == n &&
            strncmp(word, attacks[i].name, n) == 0) {
            tell(word, attacks[i].run(argument ? argument + 1 : ""));
            return;
        }
    tell("unknown", true);
}

int main(int argc, char **argv)
{
    char line[4096];
    FILE *plan = argc > 2 ? fopen(argv[1], "r") : NULL; /* PLAN_FD */

    if (!plan)
        return 2;
    while (fgets(line, sizeof line, plan)) {
        line[strcspn(line, "\n")] = '\0';
        attack(line);
    }
    fclose(plan);
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 2;
}
