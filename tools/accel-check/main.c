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
    "Usage: accel-check [--stop] [--order=ORDER] [--share=N] [--limit=SECONDS] [--like=TARGET]\n"
    "                   [--warp=LANES] [--leaks] [--late] [--host] [--traps] [--json=FILE]\n"
    "                   [--suppress=FILE] PROGRAM [ARGUMENT]...\n"
    "\n"
    "Runs a program, which need not be changed, on the backend cpu-check. It finds races, accesses outside memory and other\n"
    "errors of kernels, and names their lines. The program needs its kernels for target check:\n"
    "    accelcc --targets=default,check ...\n"
    "\n"
    "  --stop           a launch with an error fails its queue (ACCEL_KERNEL_FAULT); else the program goes on\n"
    "  --order=ORDER    blocks and threads run forwards, backwards, or shuffled by a number; the program's results should\n"
    "                   be the same\n"
    "  --share=N        one of N blocks is checked for everything, the others for accesses outside memory: far faster\n"
    "  --limit=SECONDS  a block that runs for longer is an error, and its launch ends there\n"
    "  --like=TARGET    launches with more memory, threads or registers than that GPU has (sm_90, gfx90a) are errors\n"
    "  --warp=LANES     warps have 32 or 64 threads, as on GPUs; else one\n"
    "  --leaks          buffers and other objects that the program does not release are errors, too\n"
    "  --host           report a host that reads results, or changes what pending work uses, before it has waited; queues\n"
    "                   begin late, too\n"
    "  --late           queues begin when the host waits, or after 200 ms; the program's results should be the same\n"
    "  --traps          divisions by zero, integer overflows, conversions out of range and new NaNs are errors, too\n"
    "  --json=FILE      the errors as JSON, an object in each line, are written to FILE\n"
    "  --suppress=FILE  errors at these places are not reported: [KIND] FILE[:LINE] in each line\n"
    "  --version, --help\n"
    "\n"
    "Exit status: the program's if it is not 0 (128 and the signal's number if one ended it); else 1 if there are errors\n"
    "or no kernel was checked, 0 if not; 2 wrong usage; 127 the program cannot be run.\n";

typedef struct check_options {
    bool stop, leaks, late, host, traps;
    const char *order, *share, *limit, *like, *warp, *json, *suppress; /* NULL: as the environment says */
} check_options;

/* What the report says. */
typedef struct check_result {
    bool checked; /* a process has run kernels */
    bool failed;  /* what was found could not be written in full */
    size_t errors, suppressed;
} check_result;

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

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Shows the report, but not what was suppressed. */
static check_result show(void)
{
    char line[4096];
    check_result result = {0};
    FILE *file = fopen(report, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (begins(line, "cpu-check: process ")) {
            result.checked = true;
            continue;
        }
        if (begins(line, "cpu-check suppressed: ")) {
            ++result.suppressed;
            continue;
        }
        result.failed = result.failed || begins(line, "cpu-check failed: ");
        result.errors += begins(line, "cpu-check: ");
        fputs(line, stderr);
    }
    if (file != NULL)
        fclose(file);
    return result;
}

static void sum_up(const check_result *result)
{
    if (!result->checked)
        fprintf(stderr,
                "accel-check: no kernel was checked; if the program runs any, make its objects for target check: "
                "accelcc --targets=default,check\n");
    else if (result->errors == 0)
        fprintf(stderr, "accel-check: no errors of kernels were found\n");
    else
        fprintf(stderr, "accel-check: errors of kernels at %zu place%s\n", result->errors,
                result->errors == 1 ? "" : "s");
    if (result->suppressed != 0)
        fprintf(stderr, "accel-check: errors at %zu more place%s were suppressed\n", result->suppressed,
                result->suppressed == 1 ? "" : "s");
}

/* Sets a variable to the file's absolute path: the program may go to another directory. false after a message. */
static bool set_file(const char *variable, const char *file)
{
    char *path = realpath(file, NULL);
    if (path == NULL) {
        fprintf(stderr, "accel-check: \"%s\" cannot be found: %s\n", file, strerror(errno));
        return false;
    }
    setenv(variable, path, 1);
    free(path);
    return true;
}

/* cpu-check appends, and the file is to have the errors of this run. */
static bool set_json(const char *file)
{
    FILE *made = fopen(file, "w");
    if (made == NULL) {
        fprintf(stderr, "accel-check: \"%s\" cannot be written: %s\n", file, strerror(errno));
        return false;
    }
    fclose(made);
    return set_file("ACCEL_CHECK_JSON", file);
}

static int check(char *arguments[], const check_options *options)
{
    if ((options->json != NULL && !set_json(options->json)) ||
        (options->suppress != NULL && !set_file("ACCEL_CHECK_SUPPRESS", options->suppress)) || !make_report())
        return STATUS_USAGE;
    setenv("ACCEL_BACKEND", "cpu-check", 1);
    setenv("ACCEL_CHECK_REPORT", report, 1);
    setenv("ACCEL_CHECK_STOP", options->stop ? "1" : "0", 1);
    if (options->share != NULL)
        setenv("ACCEL_CHECK_SHARE", options->share, 1);
    if (options->limit != NULL)
        setenv("ACCEL_CHECK_LIMIT", options->limit, 1);
    if (options->like != NULL)
        setenv("ACCEL_CHECK_LIKE", options->like, 1);
    if (options->warp != NULL)
        setenv("ACCEL_CHECK_WARP", options->warp, 1);
    if (options->leaks)
        setenv("ACCEL_CHECK_LEAKS", "1", 1);
    if (options->late)
        setenv("ACCEL_CHECK_LATE", "1", 1);
    if (options->host)
        setenv("ACCEL_CHECK_HOST", "1", 1);
    if (options->traps)
        setenv("ACCEL_CHECK_TRAPS", "1", 1);
    if (options->order != NULL)
        setenv("ACCEL_CHECK_ORDER", options->order, 1);
    int status = run(arguments);
    check_result result = {0};
    if (status != STATUS_ABSENT)
        result = show();
    unlink(report);
    if (status == STATUS_ABSENT)
        return status;
    sum_up(&result);
    return status != 0 ? status : result.errors != 0 || result.failed || !result.checked ? STATUS_FOUND : 0;
}

static bool is_number(const char *text)
{
    const size_t length = strlen(text);
    return length != 0 && length < 19 && strspn(text, "0123456789") == length;
}

static bool is_order(const char *text)
{
    return strcmp(text, "forwards") == 0 || strcmp(text, "backwards") == 0 || is_number(text);
}

/* The value if the argument is this option; else NULL. */
static const char *value_of(const char *argument, const char *option)
{
    return begins(argument, option) ? argument + strlen(option) : NULL;
}

/* false after a message: the argument is no option, or has no right value. */
static bool read_option(const char *argument, check_options *options)
{
    const char *order = value_of(argument, "--order="), *share = value_of(argument, "--share="),
               *limit = value_of(argument, "--limit="), *like = value_of(argument, "--like="),
               *warp = value_of(argument, "--warp="), *json = value_of(argument, "--json="),
               *suppress = value_of(argument, "--suppress=");
    if (strcmp(argument, "--stop") == 0) {
        options->stop = true;
    } else if (strcmp(argument, "--leaks") == 0) {
        options->leaks = true;
    } else if (strcmp(argument, "--late") == 0) {
        options->late = true;
    } else if (strcmp(argument, "--host") == 0) {
        options->host = true;
    } else if (strcmp(argument, "--traps") == 0) {
        options->traps = true;
    } else if (order != NULL) {
        options->order = order;
        if (!is_order(order)) {
            fprintf(stderr, "accel-check: \"%s\" is no order: forwards, backwards, or a number\n", order);
            return false;
        }
    } else if (share != NULL) {
        options->share = share;
        if (!is_number(share) || strtoul(share, NULL, 10) == 0) {
            fprintf(stderr, "accel-check: \"%s\" is no share: a number of blocks, of which one is checked for races\n",
                    share);
            return false;
        }
    } else if (limit != NULL) {
        options->limit = limit;
        if (!is_number(limit) || strtoul(limit, NULL, 10) == 0) {
            fprintf(stderr, "accel-check: \"%s\" is no limit: a number of seconds, at least 1\n", limit);
            return false;
        }
    } else if (like != NULL) {
        options->like = like;
    } else if (warp != NULL) {
        options->warp = warp;
        if (strcmp(warp, "1") != 0 && strcmp(warp, "32") != 0 && strcmp(warp, "64") != 0) {
            fprintf(stderr, "accel-check: \"%s\" is no number of a warp's threads: 1, 32 or 64\n", warp);
            return false;
        }
    } else if (json != NULL) {
        options->json = json;
    } else if (suppress != NULL) {
        options->suppress = suppress;
    } else {
        fprintf(stderr, "accel-check: unknown option \"%s\"; see accel-check --help\n", argument);
        return false;
    }
    return true;
}

int main(int count, char *arguments[])
{
    check_options options = {0};
    int first = 1;
    for (; first < count && arguments[first][0] == '-'; ++first) {
        if (strcmp(arguments[first], "--help") == 0) {
            fputs(usage, stdout);
            return fflush(stdout) == 0 ? 0 : STATUS_FOUND;
        }
        if (strcmp(arguments[first], "--version") == 0) {
            printf("accel-check (libaccel) %d.%d.%d\n", ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR, ACCEL_VERSION_PATCH);
            return fflush(stdout) == 0 ? 0 : STATUS_FOUND;
        }
        if (!read_option(arguments[first], &options))
            return STATUS_USAGE;
    }
    if (first == count) {
        fprintf(stderr, "accel-check: name the program to be run; see accel-check --help\n");
        return STATUS_USAGE;
    }
    return check(arguments + first, &options);
}
