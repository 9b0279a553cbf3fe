/* SPDX-License-Identifier: Apache-2.0 */
/* accel-check - runs a program on the backend cpu-check, and shows the errors of its kernels. */
#include <accel/accel.h>

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { STATUS_FOUND = 1, STATUS_USAGE = 2, STATUS_ABSENT = 127, STATUS_SIGNAL = 128 };

static const char usage[] =
    "Usage: accel-check [--stop] [--order=ORDER] PROGRAM [ARGUMENT]...\n"
    "\n"
    "Runs a program, which need not be changed, on the backend cpu-check. It finds races, accesses outside memory and other\n"
    "errors of kernels, and names their lines. The program needs its kernels for target check:\n"
    "    accelcc --targets=default,check ...\n"
    "\n"
    "  --stop           a launch with an error fails its queue (ACCEL_KERNEL_FAULT); else the program goes on\n"
    "  --order=ORDER    blocks and threads run forwards, backwards, or shuffled by a number; the program's results should\n"
    "                   be the same\n"
    "  --version, --help\n"
    "\n"
    "Exit status: the program's if it is not 0 (128 and the signal's number if one ended it); else 1 if there are errors\n"
    "or no kernel was checked, 0 if not; 2 wrong usage; 127 the program cannot be run.\n";

/* Removed at the end. */
static char report[4096];

static bool make_report(void)
{
    const char *directory = getenv("TMPDIR");
    snprintf(report, sizeof report, "%s/accel-check-XXXXXX",
             directory != NULL && *directory == '/' ? directory : "/tmp");
    int file = mkstemp(report);
    if (file < 0) {
        fprintf(stderr, "accel-check: \"%s\" cannot be made: %s; name another directory in TMPDIR\n", report,
                strerror(errno));
        return false;
    }
    close(file);
    return true;
}

/* The program's exit status, as a shell tells it. */
static int run(char *arguments[])
{
    pid_t child;
    int status;
    signal(SIGINT, SIG_IGN); /* they are for the program; it gets the default, below */
    signal(SIGQUIT, SIG_IGN);
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawnp(&child, arguments[0], NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        fprintf(stderr, "accel-check: \"%s\" cannot be run: %s\n", arguments[0], strerror(error));
        return STATUS_ABSENT;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Shows the report. *checked: a process has run kernels. Returns the number of errors. */
static size_t show(bool *checked)
{
    static const char process[] = "cpu-check: process ", error[] = "cpu-check: ";
    char line[4096];
    size_t errors = 0;
    FILE *file = fopen(report, "r");
    *checked = false;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, process, sizeof process - 1) == 0) {
            *checked = true;
            continue;
        }
        errors += strncmp(line, error, sizeof error - 1) == 0;
        fputs(line, stderr);
    }
    if (file != NULL)
        fclose(file);
    return errors;
}

/* order: NULL leaves it to the environment. */
static int check(char *arguments[], bool stop, const char *order)
{
    bool checked;
    if (!make_report())
        return STATUS_USAGE;
    setenv("ACCEL_BACKEND", "cpu-check", 1);
    setenv("ACCEL_CHECK_REPORT", report, 1);
    setenv("ACCEL_CHECK_STOP", stop ? "1" : "0", 1);
    if (order != NULL)
        setenv("ACCEL_CHECK_ORDER", order, 1);
    int status = run(arguments);
    size_t errors = status == STATUS_ABSENT ? 0 : show(&checked);
    unlink(report);
    if (status == STATUS_ABSENT)
        return status;
    if (!checked)
        fprintf(stderr,
                "accel-check: no kernel was checked; if the program runs any, make its objects for target check: "
                "accelcc --targets=default,check\n");
    else if (errors == 0)
        fprintf(stderr, "accel-check: no errors of kernels were found\n");
    else
        fprintf(stderr, "accel-check: errors of kernels at %zu place%s\n", errors, errors == 1 ? "" : "s");
    return status != 0 ? status : errors != 0 || !checked ? STATUS_FOUND : 0;
}

static bool is_order(const char *text)
{
    const size_t length = strlen(text);
    return strcmp(text, "forwards") == 0 || strcmp(text, "backwards") == 0 ||
           (length != 0 && length < 19 && strspn(text, "0123456789") == length);
}

int main(int count, char *arguments[])
{
    static const char order_option[] = "--order=";
    const char *order = NULL;
    bool stop = false;
    int first = 1;
    for (; first < count && arguments[first][0] == '-'; ++first) {
        if (strcmp(arguments[first], "--stop") == 0) {
            stop = true;
        } else if (strncmp(arguments[first], order_option, sizeof order_option - 1) == 0) {
            order = arguments[first] + sizeof order_option - 1;
            if (!is_order(order)) {
                fprintf(stderr, "accel-check: \"%s\" is no order: forwards, backwards, or a number\n", order);
                return STATUS_USAGE;
            }
        } else if (strcmp(arguments[first], "--help") == 0) {
            fputs(usage, stdout);
            return fflush(stdout) == 0 ? 0 : STATUS_FOUND;
        } else if (strcmp(arguments[first], "--version") == 0) {
            printf("accel-check (libaccel) %d.%d.%d\n", ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR, ACCEL_VERSION_PATCH);
            return fflush(stdout) == 0 ? 0 : STATUS_FOUND;
        } else {
            fprintf(stderr, "accel-check: unknown option \"%s\"; see accel-check --help\n", arguments[first]);
            return STATUS_USAGE;
        }
    }
    if (first == count) {
        fprintf(stderr, "accel-check: name the program to be run; see accel-check --help\n");
        return STATUS_USAGE;
    }
    return check(arguments + first, stop, order);
}
