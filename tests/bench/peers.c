#include "peers.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_SIZE 512

/* The child's end; doesn't return. */
static void become(const char *path, int in, int out)
{
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    close(in);
    close(out);
    execl(path, path, (char *)NULL);
    printf("error can't be run\n");
    fflush(stdout);
    _exit(127);
}

static bool start(const char *path, struct peers *peers)
{
    int to[2], from[2];
    if (pipe(to) != 0)
        return false;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(NULL);
    signal(SIGPIPE, SIG_IGN);
    peers->process = fork();
    if (peers->process == 0) {
        close(to[1]);
        close(from[0]);
        become(path, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    peers->to = fdopen(to[1], "w");
    peers->from = fdopen(from[0], "r");
    return peers->process > 0 && peers->to && peers->from;
}

static bool read_line(struct peers *peers, char *line)
{
    if (!fgets(line, LINE_SIZE, peers->from))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

bool peers_open(const char *path, struct peers *peers)
{
    char line[LINE_SIZE];
    memset(peers, 0, sizeof *peers);
    if (!start(path, peers) || !read_line(peers, line))
        snprintf(line, sizeof line, "error gave no answer");
    if (strncmp(line, "ready ", 6) == 0) {
        snprintf(peers->device, sizeof peers->device, "%.127s", line + 6);
        return true;
    }
    fprintf(stderr, "bench: --peers: %s: %s; going on without\n", path,
            strncmp(line, "error ", 6) == 0 ? line + 6 : line);
    peers_close(peers);
    return false;
}

void peers_close(struct peers *peers)
{
    if (peers->to)
        fclose(peers->to);
    if (peers->from)
        fclose(peers->from);
    if (peers->process > 0)
        waitpid(peers->process, NULL, 0);
    memset(peers, 0, sizeof *peers);
}

void peers_ask(struct peers *peers, const struct timer_effort *effort, bool verify,
               const struct inputs *inputs)
{
    char line[128];
    inputs_write(inputs, line, sizeof line);
    fprintf(peers->to, "case %g %d %d %s\n", effort->warm_up, effort->repetitions, verify, line);
    fflush(peers->to);
}

static bool read_time(const char *line, struct peers_time *time)
{
    struct spread *spread = &time->time.milliseconds;
    unsigned long long scratch;
    int verified;
    memset(time, 0, sizeof *time);
    if (sscanf(line, "time %31s %llu %d %u %d %lf %lf %lf %lf %lf", time->name, &scratch, &verified,
               &time->time.clock, &spread->repetitions, &spread->median, &spread->least,
               &spread->most, &spread->tenth, &spread->ninetieth) != 10)
        return false;
    time->scratch_bytes = scratch;
    time->verified = verified != 0;
    return true;
}

bool peers_next(struct peers *peers, struct peers_time *time)
{
    char line[LINE_SIZE];
    while (peers->process > 0) {
        if (!read_line(peers, line)) {
            fprintf(stderr, "bench: the peers' program ended in mid-case; going on without\n");
            peers_close(peers);
        } else if (strcmp(line, "done") == 0) {
            return false;
        } else if (read_time(line, time)) {
            return true;
        } else {
            fprintf(stderr, "bench: peers: %s\n", line);
        }
    }
    return false;
}
