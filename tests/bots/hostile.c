/*
 * hostile - a bot that attacks before it plays, for tests/e2e/walls.sh.
 *
 *     hostile PLAN BOT [ARGUMENT...]
 *
 * PLAN is a file with one ATTACK[=ARGUMENT] per line: what a command names, a
 * bot may read. Each attack writes one line to stderr, "attack NAME worked" or
 * "attack NAME stopped". Then it becomes BOT and plays.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { TRIES = 16, PAUSE_US = 100000, KEY = 0x52454645 };

static const char shared[] = "/usr/bin/env"; /* a file that all can read */

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
enum { NEAR = 4000 };

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

/* Too much. */

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
    int fds = 0;

    while (fds < 5000 && dup(0) != -1)
        fds++;
    close_range(3, ~0u, 0);
    return fds == 5000;
}

static bool eat_watches(const char *unused)
{
    int fd = inotify_init();

    return inotify_add_watch(fd, "/usr/bin", IN_OPEN) != -1;
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

/* It outlives its parent, in a session of its own. */
static bool linger(const char *seconds)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close_range(0, ~0u, 0);
            prctl(PR_SET_NAME, "lingerer");
            sleep((unsigned)atoi(seconds));
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

/* Two seats, one of which sends a bit: "send:CHANNEL", "take:CHANNEL". */

static bool send_file(const char *path)
{
    return open(path, O_WRONLY | O_CREAT, 0666) != -1;
}

static bool take_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

static bool send_shm(void)
{
    return shmget(KEY, 4096, IPC_CREAT | 0666) != -1;
}

static bool take_shm(void)
{
    int id = shmget(KEY, 4096, 0);

    return id != -1 && shmctl(id, IPC_RMID, NULL) == 0;
}

static bool send_queue(void)
{
    return msgget(KEY, IPC_CREAT | 0666) != -1;
}

static bool take_queue(void)
{
    int id = msgget(KEY, 0);

    return id != -1 && msgctl(id, IPC_RMID, NULL) == 0;
}

static socklen_t abstract(struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path + 1, 32, "referee-test-channel");
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 21);
}

static bool send_abstract(void)
{
    struct sockaddr_un address;
    socklen_t len = abstract(&address);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    return bind(fd, (struct sockaddr *)&address, len) == 0 &&
           listen(fd, 1) == 0;
}

static bool take_abstract(void)
{
    struct sockaddr_un address;
    socklen_t len = abstract(&address);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    bool taken = connect(fd, (struct sockaddr *)&address, len) == 0;

    close(fd);
    return taken;
}

static bool send_key(void)
{
    return syscall(SYS_add_key, "user", "referee-test-bit", "1", 1,
                   KEY_SPEC_USER_KEYRING) != -1;
}

static bool take_key(void)
{
    return syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user",
                   "referee-test-bit", 0) != -1;
}

static bool send_lock(void)
{
    return flock(open(shared, O_RDONLY), LOCK_EX) == 0;
}

static bool take_lock(void)
{
    int fd = open(shared, O_RDONLY);
    bool taken = flock(fd, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK;

    close(fd);
    return taken;
}

static bool send_name(void)
{
    return prctl(PR_SET_NAME, "channel-bit") == 0;
}

static bool take_name(void)
{
    for (int pid = getpid() - NEAR; pid < getpid() + NEAR; pid++) {
        char path[64], name[32] = "";
        int fd;

        snprintf(path, sizeof path, "/proc/%d/comm", pid);
        fd = open(path, O_RDONLY);
        if (fd == -1)
            continue;
        if (read(fd, name, sizeof name - 1) > 0 &&
            strncmp(name, "channel-bit", 11) == 0)
            return true;
        close(fd);
    }
    return false;
}

static const struct {
    const char *name;
    bool (*send)(void);
    bool (*take)(void);
} channels[] = {
    {"shm", send_shm, take_shm},
    {"queue", send_queue, take_queue},
    {"abstract", send_abstract, take_abstract},
    {"key", send_key, take_key},
    {"lock", send_lock, take_lock},
    {"name", send_name, take_name},
};

enum { CHANNELS = sizeof channels / sizeof *channels };

static bool send_all(const char *unused)
{
    for (int i = 0; i < CHANNELS; i++)
        channels[i].send();
    send_file("/dev/shm/referee-test-bit");
    send_file("/tmp/referee-test-bit");
    send_file("/var/tmp/referee-test-bit");
    usleep(TRIES * PAUSE_US); /* hold them */
    return false;
}

static void tell(const char *name, bool worked)
{
    char line[200];
    int n = snprintf(line, sizeof line, "attack %s %s\n", name,
                     worked ? "worked" : "stopped");

    if (write(2, line, (size_t)n) < 0)
        _exit(3);
}

/* Each channel, again and again while the other sends. */
static bool take_all(const char *unused)
{
    bool got[CHANNELS + 1] = {false};

    for (int try = 0; try < TRIES / 2; try++) {
        for (int i = 0; i < CHANNELS; i++)
            got[i] |= channels[i].take();
        got[CHANNELS] |= take_file("/dev/shm/referee-test-bit") ||
                         take_file("/tmp/referee-test-bit") ||
                         take_file("/var/tmp/referee-test-bit");
        usleep(PAUSE_US);
    }
    for (int i = 0; i < CHANNELS; i++) {
        char name[40];

        snprintf(name, sizeof name, "channel-%s", channels[i].name);
        tell(name, got[i]);
    }
    tell("channel-file", got[CHANNELS]);
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
    {"fork-bomb", fork_bomb},
    {"eat-memory", eat_memory},
    {"fill-disk", fill_disk},
    {"fill-inodes", fill_inodes},
    {"descriptors", eat_descriptors},
    {"watches", eat_watches},
    {"flood-log", flood_log},
    {"linger", linger},
    {"spin", spin},
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
    FILE *plan = argc > 2 ? fopen(argv[1], "r") : NULL;

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
