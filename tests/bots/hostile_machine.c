/* What there is once for all programs of a machine, and who else is there. */
#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Does this hold for any process that is not ours? */
static bool for_others(bool (*holds)(int pid))
{
    int self = getpid();

    for (int pid = self - NEAR; pid < self + NEAR; pid++)
        if (pid > 1 && pid != self && holds(pid))
            return true;
    return false;
}

/* How long a rival has thought: the clock of its processor time. */
static bool has_clock(int pid)
{
    struct timespec time;

    return clock_gettime((clockid_t)((~(unsigned)pid << 3) | 2), &time) == 0;
}

bool clocks_of_others(const char *unused)
{
    return for_others(has_clock);
}

/* A descriptor tells who its parent is, and how it ends. */
static bool has_descriptor(int pid)
{
    return syscall(SYS_pidfd_open, pid, 0) != -1;
}

bool descriptor_of_others(const char *unused)
{
    return for_others(has_descriptor);
}

static bool has_group(int pid)
{
    return getpgid(pid) != -1 || getsid(pid) != -1;
}

bool groups_of_others(const char *unused)
{
    return for_others(has_group);
}

/* A signal that comes when there is something to read, to whom we like. */
bool signal_by_file(const char *unused)
{
    struct {
        int type, pid;
    } owner = {1, getppid()}; /* F_OWNER_PID */
    int fd[2], target = getppid();

    return (pipe(fd) == 0 && fcntl(fd[0], F_SETOWN_EX, &owner) == 0) ||
           (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0 &&
            ioctl(fd[0], FIOSETOWN, &target) == 0);
}

/* The machine has so many requests for asynchronous input. */
bool take_all_aio(const char *unused)
{
    unsigned long context = 0;

    return syscall(SYS_io_setup, 1, &context) == 0;
}

/* And huge pages, which no control group counts. */
bool huge_pages(const char *unused)
{
    return memfd_create("huge", MFD_HUGETLB) != -1;
}

/* Everybody waits for a disk that has to write everything. */
bool sync_all(const char *unused)
{
    return syscall(SYS_syncfs, -1) == -1 && errno == EBADF;
}

/* What a file's owner may change of it without opening it for writing. */
bool change_flags(const char *path)
{
    int fd = open(path, O_RDONLY), flags = 0;

    return ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 &&
           (flags ^= FS_NODUMP_FL, ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0);
}

/* To have both threads of a core. */
bool core_of_its_own(const char *unused)
{
    return prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 0, 1, 0) == 0 ||
           errno == ENODEV || errno == EBUSY;
}
