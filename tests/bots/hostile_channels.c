/*
 * Two seats that know each other try to pass one bit. Each row of the table is
 * a way; "send" goes them all, and "take" tells which of them arrived.
 */
#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { TRIES = 16, PAUSE_US = 100000, KEY = 0x52454645, NICE = 7 };

/* Files that all can read. */
static const char shared[] = "/usr/bin/env";
static const char seldom[] = "/usr/share/common-licenses/GPL-3";

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

static bool send_semaphore(void)
{
    return semget(KEY, 1, IPC_CREAT | 0666) != -1;
}

static bool take_semaphore(void)
{
    int id = semget(KEY, 0, 0);

    return id != -1 && semctl(id, 0, IPC_RMID) == 0;
}

static bool send_posix_queue(void)
{
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 1};

    return syscall(SYS_mq_open, "referee-test-bit", O_RDWR | O_CREAT, 0666,
                   &attr) != -1;
}

static bool take_posix_queue(void)
{
    return syscall(SYS_mq_open, "referee-test-bit", O_RDONLY, 0, NULL) != -1 &&
           syscall(SYS_mq_unlink, "referee-test-bit") == 0;
}

/* How nice a process is can be asked by everybody. */
static bool send_nice(void)
{
    return setpriority(PRIO_PROCESS, 0, NICE) == 0;
}

static bool take_nice(void)
{
    for (int pid = getpid() - NEAR; pid < getpid() + NEAR; pid++)
        if (pid > 1 && pid != getpid() &&
            getpriority(PRIO_PROCESS, (id_t)pid) == NICE)
            return true;
    return false;
}

/* A lease is broken, and told, when another opens the file. */
static bool send_lease(void)
{
    return fcntl(open(shared, O_RDONLY), F_SETLEASE, F_RDLCK) == 0;
}

static bool take_lease(void)
{
    return fcntl(open(shared, O_RDONLY), F_SETLEASE, F_WRLCK) == -1 &&
           errno == EAGAIN;
}

/*
 * What a file has in the kernel's cache: the taker drops it, and looks whether
 * it comes back.
 */
static bool is_cached(int fd)
{
    char byte;
    struct iovec to = {&byte, 1};

    return preadv2(fd, &to, 1, 0, RWF_NOWAIT) == 1;
}

static bool send_cache(void)
{
    int fd = open(seldom, O_RDONLY);
    char byte;
    bool sent = pread(fd, &byte, 1, 0) == 1;

    close(fd);
    return sent;
}

static bool take_cache(void)
{
    int fd = open(seldom, O_RDONLY);
    bool taken = false;

    if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0 && !is_cached(fd)) {
        usleep(PAUSE_US / 2);
        taken = is_cached(fd);
    }
    close(fd);
    return taken;
}

/* A child in a group of its own, or in none. */
static bool send_group(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        setpgid(0, 0);
        sleep(2);
        _exit(0);
    }
    return pid > 0;
}

static bool take_group(void)
{
    for (int pid = getpid() - NEAR; pid < getpid() + NEAR; pid++)
        if (pid > 1 && pid != getpid() && getpgid(pid) == pid)
            return true;
    return false;
}

/* One takes all that the machine has, and the other gets none. */
static bool send_aio(void)
{
    static unsigned long context[16];
    int taken = 0;

    for (unsigned events = 1 << 15; events > 0; events /= 2)
        taken += syscall(SYS_io_setup, events, &context[taken]) == 0;
    return taken > 0;
}

static bool take_aio(void)
{
    unsigned long context = 0;

    if (syscall(SYS_io_setup, 64, &context) == -1)
        return errno == EAGAIN;
    syscall(SYS_io_destroy, context);
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
    {"semaphore", send_semaphore, take_semaphore},
    {"posix-queue", send_posix_queue, take_posix_queue},
    {"nice", send_nice, take_nice},
    {"lease", send_lease, take_lease},
    {"cache", send_cache, take_cache},
    {"group", send_group, take_group},
    {"aio", send_aio, take_aio},
};

enum { CHANNELS = sizeof channels / sizeof *channels };

bool send_all(const char *unused)
{
    for (int i = 0; i < CHANNELS; i++)
        channels[i].send();
    send_file("/dev/shm/referee-test-bit");
    send_file("/tmp/referee-test-bit");
    send_file("/var/tmp/referee-test-bit");
    for (int i = 0; i < 10 * TRIES; i++) { /* hold them */
        send_cache();
        usleep(PAUSE_US / 10);
    }
    return false;
}

/* Each channel, again and again while the other sends. */
bool take_all(const char *unused)
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
