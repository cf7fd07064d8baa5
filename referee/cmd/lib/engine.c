#include "cmd/lib/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    END_MS = 2000, /* from closing its input to TERM, and then to KILL */
    END_STEP_MS = 10,
    READ_BYTES = 4096,
};

extern char **environ;

/* Its start. */

static bool open_pipes(int in[2], int out[2], int error[2])
{
    in[0] = in[1] = out[0] = out[1] = error[0] = error[1] = -1;
    return pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
           pipe2(error, O_CLOEXEC) == 0 &&
           fcntl(in[1], F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(out[0], F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(error[0], F_SETFL, O_NONBLOCK) == 0;
}

static void close_pair(const int fd[2])
{
    for (int i = 0; i < 2; i++)
        if (fd[i] != -1)
            close(fd[i]);
}

static int spawn(pid_t *pid, char *const *argv, int in, int out, int error)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t pipe_signal;
    int code;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_adddup2(&files, error, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    code = posix_spawnp(pid, argv[0], &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

static void pipe_init(struct engine_pipe *pipe, int fd)
{
    *pipe = (struct engine_pipe){.fd = fd};
    buf_init(&pipe->bytes, ENGINE_LINE_MAX);
}

bool engine_start(struct engine *e, char *const *argv,
                  void (*on_error)(void *owner, const char *line), void *owner,
                  struct err *err)
{
    int in[2], out[2], error[2], code;

    *e = (struct engine){.pid = -1, .on_error = on_error, .owner = owner};
    signal(SIGPIPE, SIG_IGN);
    if (open_pipes(in, out, error))
        code = spawn(&e->pid, argv, in[0], out[1], error[1]);
    else
        code = errno;
    if (code != 0) {
        close_pair(in);
        close_pair(out);
        close_pair(error);
        return fail(err, "%.200s cannot be run: %s", argv[0], strerror(code));
    }
    close(in[0]);
    close(out[1]);
    close(error[1]);
    e->to = in[1];
    pipe_init(&e->out, out[0]);
    pipe_init(&e->error, error[0]);
    return true;
}

/* Lines. */

static void pipe_close(struct engine_pipe *pipe)
{
    if (pipe->fd != -1)
        close(pipe->fd);
    pipe->fd = -1;
}

static void pipe_read(struct engine_pipe *pipe)
{
    char bytes[READ_BYTES];
    ssize_t n = read(pipe->fd, bytes, sizeof bytes);

    if (n == -1 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0)
        buf_put(&pipe->bytes, bytes, (size_t)n);
    if (n <= 0 || !buf_ok(&pipe->bytes))
        pipe_close(pipe);
}

/* Drop the lines already returned, to make room. */
static void pipe_shift(struct engine_pipe *pipe)
{
    size_t left = pipe->bytes.len - pipe->read;

    if (pipe->read == 0)
        return;
    memmove(pipe->bytes.text, pipe->bytes.text + pipe->read, left);
    buf_cut(&pipe->bytes, left);
    pipe->read = 0;
}

static void drop_return(char *line)
{
    size_t n = strlen(line);

    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = '\0';
}

/* The next whole line; at the end of the pipe, the rest; or NULL. */
static char *pipe_line(struct engine_pipe *pipe)
{
    char *line, *end;

    if (pipe->bytes.len == pipe->read)
        return NULL;
    line = pipe->bytes.text + pipe->read;
    end = memchr(line, '\n', pipe->bytes.len - pipe->read);
    if (!end && pipe->fd != -1)
        return NULL;
    if (end)
        *end = '\0';
    pipe->read = end ? (size_t)(end + 1 - pipe->bytes.text) : pipe->bytes.len;
    drop_return(line);
    return line;
}

static void hand_out_errors(struct engine *e)
{
    const char *line;

    while ((line = pipe_line(&e->error)) != NULL)
        e->on_error(e->owner, line);
    pipe_shift(&e->error);
}

/* Wait until something can be read, or `events` occur on its input. */
static bool engine_wait(struct engine *e, short events, int limit_ms)
{
    struct pollfd fds[] = {
        {e->to, events, 0},
        {e->out.fd, POLLIN, 0},
        {e->error.fd, POLLIN, 0},
    };

    if (!events)
        fds[0].fd = -1;
    if (poll(fds, 3, limit_ms) < 0)
        return false;
    if (fds[1].revents)
        pipe_read(&e->out);
    if (fds[2].revents) {
        pipe_read(&e->error);
        hand_out_errors(e);
    }
    return fds[0].revents != 0;
}

bool engine_write(struct engine *e, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(e->to, bytes, len);

        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (errno != EAGAIN && errno != EINTR) {
            return false;
        } else {
            engine_wait(e, POLLOUT, -1);
        }
    }
    return true;
}

char *engine_line(struct engine *e)
{
    char *line;

    pipe_shift(&e->out);
    while ((line = pipe_line(&e->out)) == NULL && e->out.fd != -1)
        engine_wait(e, 0, -1);
    return line;
}

/* Questions. */

/* Take the first line of an answer; skip anything before it. */
static char *answer_line(struct engine *e)
{
    char *line;

    do
        line = engine_line(e);
    while (line && *line != '=' && *line != '?');
    return line;
}

enum engine_answer engine_ask(struct engine *e, const char *command,
                              struct buf *text)
{
    enum engine_answer answer;
    const char *line;

    buf_reset(text);
    if (!engine_write(e, command, strlen(command)) || !engine_write(e, "\n", 1))
        return ENGINE_GONE;
    line = answer_line(e);
    if (!line)
        return ENGINE_GONE;
    answer = *line == '=' ? ENGINE_SAYS : ENGINE_REFUSES;
    line++;
    line += strspn(line, " ");
    buf_str(text, line);
    while ((line = engine_line(e)) != NULL && *line)
        buf_add(text, "\n%s", line);
    return line ? answer : ENGINE_GONE;
}

/* Its end. */

static bool has_ended(struct engine *e, int limit_ms)
{
    for (int waited = 0; waited <= limit_ms; waited += END_STEP_MS) {
        if (waitpid(e->pid, NULL, WNOHANG) != 0)
            return true;
        engine_wait(e, 0, END_STEP_MS);
        pipe_shift(&e->out);
        e->out.read = e->out.bytes.len;
    }
    return false;
}

void engine_end(struct engine *e)
{
    close(e->to);
    if (!has_ended(e, END_MS)) {
        kill(e->pid, SIGTERM);
        if (!has_ended(e, END_MS)) {
            kill(e->pid, SIGKILL);
            waitpid(e->pid, NULL, 0);
        }
    }
    pipe_close(&e->out);
    pipe_close(&e->error);
    buf_release(&e->out.bytes);
    buf_release(&e->error.bytes);
}
