#include "run/walls/calls.h"

#include "base/alloc.h"
#include "run/walls/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef HAVE_SECCOMP
#include <seccomp.h>

/*
 * Linux 6.1 and libseccomp 2.5 know all calls that a bot of today needs. Newer
 * calls are refused.
 */
enum { FIRST_UNKNOWN = 451, LAST_UNKNOWN = 511 };

/* The row is needed only if this wall is missing. */
enum need {
    ALWAYS,
    /* other processes could see its processes and what they create */
    WITHOUT_PIDS,
    /*
     * the bot runs as the user that owns files outside, which can be changed
     * without being opened
     */
    WITHOUT_MOUNTS,
    WITHOUT_SPACES,  /* what others may write to can be reached by name */
    WITHOUT_SIGNALS, /* nothing else keeps signals in */
};

static const char network[] = "tried to open a socket: bots have no network";
static const char spying[] =
    "tried to look into another process: a bot is alone";
static const char signals[] =
    "tried to signal a process: this kernel cannot tell its own from others";
static const char keys[] = "tried to use the kernel's keyrings, which bots "
                           "would share";
static const char ipc[] =
    "tried to use System V or POSIX message queues or shared memory, which "
    "bots would share: use threads, pipes or files in $HOME";
static const char locks[] =
    "asked for locks or signals of a file: bots could pass messages by them";
static const char watches[] =
    "tried to watch files for changes: bots could pass messages by that";
static const char system_[] =
    "tried to change the machine: only its administrator may";
static const char rings[] = "tried to use io_uring: use ordinary reads and "
                            "writes";
static const char spaces[] = "tried to make or join namespaces, or to mount";
static const char priorities[] =
    "tried to change priorities or processors: the organiser sets them";
static const char owners[] =
    "tried to change the owner, mode or times of a file by its name";

static const struct {
    int number;
    const char *words;
    enum need need;
} refused[] = {
    {SCMP_SYS(bind), network, ALWAYS},
    {SCMP_SYS(connect), network, ALWAYS},
    {SCMP_SYS(listen), network, ALWAYS},
    {SCMP_SYS(accept), network, ALWAYS},
    {SCMP_SYS(accept4), network, ALWAYS},
    {SCMP_SYS(ptrace), spying, ALWAYS},
    {SCMP_SYS(process_vm_readv), spying, ALWAYS},
    {SCMP_SYS(process_vm_writev), spying, ALWAYS},
    {SCMP_SYS(process_madvise), spying, ALWAYS},
    {SCMP_SYS(process_mrelease), spying, ALWAYS},
    {SCMP_SYS(pidfd_getfd), spying, ALWAYS},
    {SCMP_SYS(kcmp), spying, ALWAYS},
    {SCMP_SYS(perf_event_open), spying, ALWAYS},
    {SCMP_SYS(move_pages), spying, ALWAYS},
    {SCMP_SYS(migrate_pages), spying, ALWAYS},
    {SCMP_SYS(kill), signals, WITHOUT_SIGNALS},
    {SCMP_SYS(tkill), signals, WITHOUT_SIGNALS},
    {SCMP_SYS(tgkill), signals, WITHOUT_SIGNALS},
    {SCMP_SYS(rt_sigqueueinfo), signals, WITHOUT_SIGNALS},
    {SCMP_SYS(rt_tgsigqueueinfo), signals, WITHOUT_SIGNALS},
    {SCMP_SYS(pidfd_send_signal), signals, WITHOUT_SIGNALS},
    {SCMP_SYS(add_key), keys, ALWAYS},
    {SCMP_SYS(request_key), keys, ALWAYS},
    {SCMP_SYS(keyctl), keys, ALWAYS},
    {SCMP_SYS(shmget), ipc, ALWAYS},
    {SCMP_SYS(shmat), ipc, ALWAYS},
    {SCMP_SYS(shmctl), ipc, ALWAYS},
    {SCMP_SYS(msgget), ipc, ALWAYS},
    {SCMP_SYS(msgsnd), ipc, ALWAYS},
    {SCMP_SYS(msgrcv), ipc, ALWAYS},
    {SCMP_SYS(msgctl), ipc, ALWAYS},
    {SCMP_SYS(semget), ipc, ALWAYS},
    {SCMP_SYS(semop), ipc, ALWAYS},
    {SCMP_SYS(semtimedop), ipc, ALWAYS},
    {SCMP_SYS(semctl), ipc, ALWAYS},
    {SCMP_SYS(mq_open), ipc, ALWAYS},
    {SCMP_SYS(mq_unlink), ipc, ALWAYS},
    {SCMP_SYS(inotify_init), watches, ALWAYS},
    {SCMP_SYS(inotify_init1), watches, ALWAYS},
    {SCMP_SYS(inotify_add_watch), watches, ALWAYS},
    {SCMP_SYS(fanotify_init), watches, ALWAYS},
    {SCMP_SYS(fanotify_mark), watches, ALWAYS},
    {SCMP_SYS(io_uring_setup), rings, ALWAYS},
    {SCMP_SYS(io_uring_enter), rings, ALWAYS},
    {SCMP_SYS(io_uring_register), rings, ALWAYS},
    {SCMP_SYS(unshare), spaces, ALWAYS},
    {SCMP_SYS(setns), spaces, ALWAYS},
    {SCMP_SYS(mount), spaces, ALWAYS},
    {SCMP_SYS(umount2), spaces, ALWAYS},
    {SCMP_SYS(pivot_root), spaces, ALWAYS},
    {SCMP_SYS(chroot), spaces, ALWAYS},
    {SCMP_SYS(fsopen), spaces, ALWAYS},
    {SCMP_SYS(fsmount), spaces, ALWAYS},
    {SCMP_SYS(fspick), spaces, ALWAYS},
    {SCMP_SYS(fsconfig), spaces, ALWAYS},
    {SCMP_SYS(move_mount), spaces, ALWAYS},
    {SCMP_SYS(open_tree), spaces, ALWAYS},
    {SCMP_SYS(mount_setattr), spaces, ALWAYS},
    {SCMP_SYS(bpf), system_, ALWAYS},
    {SCMP_SYS(userfaultfd), system_, ALWAYS},
    {SCMP_SYS(open_by_handle_at), system_, ALWAYS},
    {SCMP_SYS(name_to_handle_at), system_, ALWAYS},
    {SCMP_SYS(acct), system_, ALWAYS},
    {SCMP_SYS(quotactl), system_, ALWAYS},
    {SCMP_SYS(quotactl_fd), system_, ALWAYS},
    {SCMP_SYS(syslog), system_, ALWAYS},
    {SCMP_SYS(reboot), system_, ALWAYS},
    {SCMP_SYS(swapon), system_, ALWAYS},
    {SCMP_SYS(swapoff), system_, ALWAYS},
    {SCMP_SYS(sethostname), system_, ALWAYS},
    {SCMP_SYS(setdomainname), system_, ALWAYS},
    {SCMP_SYS(kexec_load), system_, ALWAYS},
    {SCMP_SYS(kexec_file_load), system_, ALWAYS},
    {SCMP_SYS(init_module), system_, ALWAYS},
    {SCMP_SYS(finit_module), system_, ALWAYS},
    {SCMP_SYS(delete_module), system_, ALWAYS},
    {SCMP_SYS(settimeofday), system_, ALWAYS},
    {SCMP_SYS(clock_settime), system_, ALWAYS},
    {SCMP_SYS(clock_adjtime), system_, ALWAYS},
    {SCMP_SYS(adjtimex), system_, ALWAYS},
    {SCMP_SYS(lookup_dcookie), system_, ALWAYS},
    {SCMP_SYS(mknod), system_, ALWAYS},
    {SCMP_SYS(mknodat), system_, ALWAYS},
    {SCMP_SYS(vhangup), system_, ALWAYS},
    {SCMP_SYS(sched_setaffinity), priorities, ALWAYS},
    {SCMP_SYS(sched_setattr), priorities, WITHOUT_PIDS},
    {SCMP_SYS(sched_setparam), priorities, WITHOUT_PIDS},
    {SCMP_SYS(sched_setscheduler), priorities, WITHOUT_PIDS},
    {SCMP_SYS(setpriority), priorities, WITHOUT_PIDS},
    {SCMP_SYS(ioprio_set), priorities, WITHOUT_PIDS},
    {SCMP_SYS(chmod), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(fchmod), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(fchmodat), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(chown), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(fchown), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(lchown), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(fchownat), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(utime), owners, WITHOUT_SPACES},
    {SCMP_SYS(utimes), owners, WITHOUT_SPACES},
    {SCMP_SYS(futimesat), owners, WITHOUT_SPACES},
    {SCMP_SYS(utimensat), owners, WITHOUT_SPACES},
    {SCMP_SYS(setxattr), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(lsetxattr), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(fsetxattr), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(removexattr), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(lremovexattr), owners, WITHOUT_MOUNTS},
    {SCMP_SYS(fremovexattr), owners, WITHOUT_MOUNTS},
};

enum { REFUSED = sizeof refused / sizeof *refused };

/* Calls that are refused only with certain arguments. */
static const struct {
    int number;
    const char *words;
} in_part[] = {
    {SCMP_SYS(socket), network},   {SCMP_SYS(socketpair), network},
    {SCMP_SYS(fcntl), locks},      {SCMP_SYS(clone), spaces},
    {SCMP_SYS(ioctl), system_},    {SCMP_SYS(prlimit64), spying},
    {SCMP_SYS(prctl), priorities},
};

const char *calls_words(int number)
{
    for (int i = 0; i < REFUSED; i++)
        if (refused[i].number == number)
            return refused[i].words;
    for (size_t i = 0; i < sizeof in_part / sizeof *in_part; i++)
        if (in_part[i].number == number)
            return in_part[i].words;
    return "made a system call that bots do not have";
}

static bool is_needed(enum need need, const struct calls_needs *has)
{
    switch (need) {
    case WITHOUT_PIDS:
        return !has->own_pids;
    case WITHOUT_MOUNTS:
        return !has->own_user && !has->own_mounts;
    case WITHOUT_SPACES:
        return !has->own_mounts;
    case WITHOUT_SIGNALS:
        return !has->own_user && !has->own_pids &&
               has->landlock_abi < LANDLOCK_SCOPES;
    default:
        return true;
    }
}

/* A rule with a condition on one argument, or 0. */
#define WHEN(arg, op, ...)             \
    1, (struct scmp_arg_cmp[])         \
    {                                  \
        SCMP_CMP(arg, op, __VA_ARGS__) \
    }

static int refuse_if(scmp_filter_ctx f, int number, unsigned count,
                     const struct scmp_arg_cmp *when)
{
    return seccomp_rule_add_array(f, SCMP_ACT_NOTIFY, number, count, when);
}

static int refuse_whole(scmp_filter_ctx f, const struct calls_needs *needs)
{
    int error = 0;

    for (int i = 0; i < REFUSED && error == 0; i++)
        if (is_needed(refused[i].need, needs))
            error = refuse_if(f, refused[i].number, 0, NULL);
    for (int n = FIRST_UNKNOWN; n <= LAST_UNKNOWN && error == 0; n++)
        error = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), n, 0);
    return error;
}

/*
 * The C library asks a daemon for user names, but works without it. bash and
 * other programs open its socket at their start, so refuse that without a
 * report.
 */
static int refuse_network(scmp_filter_ctx f)
{
    const int quiet = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int error = refuse_if(f, SCMP_SYS(socket), WHEN(0, SCMP_CMP_NE, AF_UNIX));

    if (error == 0)
        error = refuse_if(f, SCMP_SYS(socket),
                          WHEN(1, SCMP_CMP_NE, (scmp_datum_t)quiet));
    if (error == 0)
        error = seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 2,
                                 SCMP_CMP(0, SCMP_CMP_EQ, AF_UNIX),
                                 SCMP_CMP(1, SCMP_CMP_EQ, (scmp_datum_t)quiet));
    return error;
}

/*
 * A connected pair of sockets is like a pipe, so allow it, but not a kind that
 * can send to another address.
 */
static int refuse_pairs(scmp_filter_ctx f)
{
    static const unsigned kinds[] = {SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_DCCP,
                                     SOCK_PACKET};
    int error =
        refuse_if(f, SCMP_SYS(socketpair), WHEN(0, SCMP_CMP_NE, AF_UNIX));

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && error == 0; i++)
        error = refuse_if(f, SCMP_SYS(socketpair),
                          WHEN(1, SCMP_CMP_MASKED_EQ, 0xf, kinds[i]));
    return error;
}

/*
 * Java locks a file of its own when it starts, and would complain on its
 * standard output. So pretend that the lock succeeds, although nothing is
 * locked.
 */
static int ignore_locks(scmp_filter_ctx f)
{
    static const unsigned commands[] = {F_SETLK, F_SETLKW, F_OFD_SETLK,
                                        F_OFD_SETLKW};
    const uint32_t succeed = SCMP_ACT_ERRNO(0);
    int error = seccomp_rule_add(f, succeed, SCMP_SYS(flock), 0);

    for (size_t i = 0; i < sizeof commands / sizeof *commands && error == 0;
         i++)
        error = seccomp_rule_add_array(
            f, succeed, SCMP_SYS(fcntl),
            WHEN(1, SCMP_CMP_MASKED_EQ, 0xffffffff, commands[i]));
    return error;
}

static int refuse_locks(scmp_filter_ctx f)
{
    static const unsigned commands[] = {F_GETLK,    F_OFD_GETLK, F_SETLEASE,
                                        F_GETLEASE, F_NOTIFY,    F_SETOWN,
                                        F_SETSIG,   F_SETOWN_EX};
    int error = ignore_locks(f);

    for (size_t i = 0; i < sizeof commands / sizeof *commands && error == 0;
         i++)
        error = refuse_if(f, SCMP_SYS(fcntl),
                          WHEN(1, SCMP_CMP_MASKED_EQ, 0xffffffff, commands[i]));
    return error;
}

/*
 * clone3() passes its flags in memory, where a filter cannot read them. If it
 * fails, the C library uses clone().
 */
static int refuse_spaces(scmp_filter_ctx f)
{
    static const unsigned flags[] = {CLONE_NEWUSER,  CLONE_NEWNS,  CLONE_NEWPID,
                                     CLONE_NEWNET,   CLONE_NEWIPC, CLONE_NEWUTS,
                                     CLONE_NEWCGROUP};
    int error =
        seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

    for (size_t i = 0; i < sizeof flags / sizeof *flags && error == 0; i++)
        error = refuse_if(f, SCMP_SYS(clone),
                          WHEN(0, SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    return error;
}

/*
 * Whether a file is in the kernel's cache shows whether another bot has read
 * it. So a bot can neither query nor change that. Reading without waiting fails
 * as on a file system that does not support it. Advice is only advice, so it
 * seems to succeed.
 */
static int hide_cache(scmp_filter_ctx f)
{
    int error = seccomp_rule_add_array(
        f, SCMP_ACT_ERRNO(EOPNOTSUPP), SCMP_SYS(preadv2),
        WHEN(5, SCMP_CMP_MASKED_EQ, RWF_NOWAIT, RWF_NOWAIT));

    if (error == 0)
        error = seccomp_rule_add_array(
            f, SCMP_ACT_ERRNO(0), SCMP_SYS(fadvise64),
            WHEN(3, SCMP_CMP_MASKED_EQ, 0xffffffff, POSIX_FADV_DONTNEED));
    return error;
}

/*
 * Resources that are limited for all users together: one bot could take them
 * all, and another could notice. Programs that use them can do without, because
 * not every kernel has them. And a sync of the whole disk would keep others
 * waiting.
 */
static int refuse_common(scmp_filter_ctx f)
{
    static const int aio[] = {SCMP_SYS(io_setup), SCMP_SYS(io_submit)};
    static const int syncs[] = {SCMP_SYS(sync), SCMP_SYS(syncfs)};
    int error = seccomp_rule_add_array(
        f, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap),
        WHEN(3, SCMP_CMP_MASKED_EQ, MAP_HUGETLB, MAP_HUGETLB));

    if (error == 0)
        error = seccomp_rule_add_array(
            f, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(memfd_create),
            WHEN(1, SCMP_CMP_MASKED_EQ, MFD_HUGETLB, MFD_HUGETLB));
    for (size_t i = 0; i < 2 && error == 0; i++)
        error = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), aio[i], 0);
    for (size_t i = 0; i < 2 && error == 0; i++)
        error = seccomp_rule_add(f, SCMP_ACT_ERRNO(0), syncs[i], 0);
    return error;
}

/*
 * Calls that show other processes, their groups and their CPU time. The clock
 * of another process is a negative number without the bit that means a thread
 * of our own.
 */
static int hide_others(scmp_filter_ctx f)
{
    static const int clocks[] = {
        SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
        SCMP_SYS(clock_nanosleep), SCMP_SYS(timer_create)};
    static const int groups[] = {SCMP_SYS(getpgid), SCMP_SYS(getsid)};
    const uint32_t negative = UINT32_C(1) << 31, of_thread = 4;
    int error =
        seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(pidfd_open), 0);

    for (size_t i = 0; i < 4 && error == 0; i++)
        error = seccomp_rule_add_array(
            f, SCMP_ACT_ERRNO(EINVAL), clocks[i],
            WHEN(0, SCMP_CMP_MASKED_EQ, negative | of_thread, negative));
    for (size_t i = 0; i < 2 && error == 0; i++)
        error = seccomp_rule_add_array(f, SCMP_ACT_ERRNO(ESRCH), groups[i],
                                       WHEN(0, SCMP_CMP_NE, 0));
    return error;
}

/*
 * Typing into a terminal; setting which process a descriptor signals; changes
 * that the owner of a file can make without opening it for writing.
 */
static int refuse_requests(scmp_filter_ctx f)
{
    static const uint32_t requests[] = {TIOCSTI,           TIOCLINUX,
                                        FIOSETOWN,         SIOCSPGRP,
                                        FS_IOC_SETFLAGS,   FS_IOC32_SETFLAGS,
                                        FS_IOC_FSSETXATTR, FS_IOC_SETVERSION};
    int error = 0;

    for (size_t i = 0; i < sizeof requests / sizeof *requests && error == 0;
         i++)
        error = refuse_if(f, SCMP_SYS(ioctl),
                          WHEN(1, SCMP_CMP_MASKED_EQ, 0xffffffff, requests[i]));
    return error;
}

/*
 * Setting limits of others; taking a core of which no other process may use the
 * other half.
 */
static int refuse_rest(scmp_filter_ctx f)
{
    int error = refuse_if(f, SCMP_SYS(prlimit64), WHEN(0, SCMP_CMP_NE, 0));

    if (error == 0)
        error =
            refuse_if(f, SCMP_SYS(prctl),
                      WHEN(0, SCMP_CMP_MASKED_EQ, 0xffffffff, PR_SCHED_CORE));
    return error == 0 ? refuse_requests(f) : error;
}

/* Landlock before version 3 lets a process that may read a file truncate it. */
static int refuse_truncation(scmp_filter_ctx f)
{
    const unsigned mask = O_TRUNC | O_ACCMODE;
    int error = refuse_if(f, SCMP_SYS(truncate), 0, NULL);

    if (error == 0)
        error =
            seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
    if (error == 0)
        error = refuse_if(f, SCMP_SYS(open),
                          WHEN(1, SCMP_CMP_MASKED_EQ, mask, O_TRUNC));
    if (error == 0)
        error = refuse_if(f, SCMP_SYS(openat),
                          WHEN(2, SCMP_CMP_MASKED_EQ, mask, O_TRUNC));
    return error;
}

static int add_rules(scmp_filter_ctx f, const struct calls_needs *needs)
{
    int error = refuse_whole(f, needs);

    if (error == 0)
        error = refuse_network(f);
    if (error == 0)
        error = refuse_pairs(f);
    if (error == 0)
        error = refuse_locks(f);
    if (error == 0)
        error = refuse_spaces(f);
    if (error == 0)
        error = hide_cache(f);
    if (error == 0)
        error = refuse_common(f);
    if (error == 0 && !needs->own_pids)
        error = hide_others(f);
    if (error == 0)
        error = refuse_rest(f);
    if (error == 0 && !needs->own_mounts &&
        needs->landlock_abi < LANDLOCK_TRUNCATE)
        error = refuse_truncation(f);
    return error;
}

/* The library can export a filter only to a file. */
static bool export_to(scmp_filter_ctx f, struct calls_filter *filter)
{
    int fd = memfd_create("filter", MFD_CLOEXEC);
    struct stat st;
    bool done = false;

    if (fd == -1)
        return false;
    if (seccomp_export_bpf(f, fd) == 0 && fstat(fd, &st) == 0) {
        filter->code = must_alloc(malloc((size_t)st.st_size + 1));
        filter->len =
            (unsigned short)((size_t)st.st_size / sizeof *filter->code);
        done = pread(fd, filter->code, (size_t)st.st_size, 0) == st.st_size;
    }
    close(fd);
    return done;
}

bool calls_build(struct calls_filter *filter, const struct calls_needs *needs,
                 struct err *err)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    int error;

    *filter = (struct calls_filter){0};
    if (!f)
        return fail(err, "libseccomp has no memory");
    seccomp_attr_set(f, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    error = add_rules(f, needs);
    if (error != 0)
        fail(err, "libseccomp refuses a rule: %s", strerror(-error));
    else if (!export_to(f, filter))
        error = -1, fail(err, "libseccomp cannot write its filter");
    seccomp_release(f);
    return error == 0;
}

bool calls_are_known(void)
{
    return true;
}

#else

bool calls_build(struct calls_filter *filter, const struct calls_needs *needs,
                 struct err *err)
{
    return fail(err, "this referee was built without libseccomp");
}

const char *calls_words(int number)
{
    return "";
}

bool calls_are_known(void)
{
    return false;
}

#endif

void calls_release(struct calls_filter *filter)
{
    free(filter->code);
    *filter = (struct calls_filter){0};
}

int calls_restrict(const struct calls_filter *filter)
{
    const struct sock_fprog program = {filter->len, filter->code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                        SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

bool calls_end_messages(void)
{
    static struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmmsg, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof *code, code};

    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
