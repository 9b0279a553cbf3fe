/* SPDX-License-Identifier: Apache-2.0 */
/* accel-check - runs a program on the backend cpu-check, and shows the errors of its kernels. */
#include "../words.h"

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
    "A value may also be the next word: --share 100.\n"
    "Exit status: the program's if it is not 0 (128 and the signal's number if one ended it); else 1 if there are errors\n"
    "or no kernel was checked, 0 if not; 2 wrong usage; 127 the program cannot be run.\n";

typedef struct check_options {
    bool stop, leaks, late, host, traps;
    const char *order, *share, *limit, *like, *warp, *json, *suppress; /* NULL: as the environment says */
} check_options;

/* What the report says. */
typedef struct check_result {
    bool checked; /* a process has run kernels */
    bool loaded;  /* or has loaded objects for target check */
    bool refused; /* or cpu-check did not open in it */
    bool failed;  /* what was found could not be written in full */
    size_t errors, suppressed;
    int signalled; /* the signal that ended the program; 0: none */
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

/* The program's exit status, as a shell tells it; *signalled: the signal that ended it, else 0. */
static int run(char *arguments[], int *signalled)
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
    *signalled = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return *signalled != 0 ? STATUS_SIGNAL + *signalled : WEXITSTATUS(status);
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
        if (begins(line, "cpu-check loaded: ")) {
            result.loaded = true;
            continue;
        }
        if (begins(line, "cpu-check refused: ")) {
            result.refused = true;
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
    if (!result->checked && result->loaded)
        fprintf(stderr, "accel-check: no kernel was checked: the program has loaded objects for target check, but no "
                        "kernel had begun when it ended; let it wait for its queues\n");
    else if (!result->checked && result->refused)
        fprintf(stderr,
                "accel-check: no kernel was checked: cpu-check refused a setting; run accel-info --backends with "
                "the same options, which says why\n");
    else if (!result->checked)
        fprintf(stderr,
                "accel-check: no kernel was checked; if the program runs any, make its objects for target check: "
                "accelcc --targets=default,check\n");
    else if (result->errors == 0)
        fprintf(stderr, "accel-check: no errors of kernels were found%s\n",
                result->signalled != 0 ? " before the program died" : "");
    if (result->errors != 0)
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
    int signalled = 0, status = run(arguments, &signalled);
    check_result result = {0};
    if (status != STATUS_ABSENT)
        result = show();
    result.signalled = signalled;
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

static bool is_amount(const char *text)
{
    return is_number(text) && strtoul(text, NULL, 10) != 0;
}

static bool is_warp(const char *text)
{
    return strcmp(text, "1") == 0 || strcmp(text, "32") == 0 || strcmp(text, "64") == 0;
}

/* words_value; *wrong after a message that the value is missing. */
static const char *value_of(const char *option, words *line, bool *wrong)
{
    bool missing = false;
    const char *value = words_value(line, option, &missing);
    if (missing)
        fprintf(stderr, "accel-check: %s needs a value; see accel-check --help\n", option);
    *wrong = *wrong || missing;
    return value;
}

static bool read_switch(const char *word, check_options *options)
{
    const struct {
        const char *name;
        bool *where;
    } switches[] = {
        {"--stop", &options->stop}, {"--leaks", &options->leaks}, {"--late", &options->late},
        {"--host", &options->host}, {"--traps", &options->traps},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; ++i) {
        if (strcmp(word, switches[i].name) == 0) {
            *switches[i].where = true;
            return true;
        }
    }
    return false;
}

/* Returns false if the word is no option with a value; *wrong after a message. */
static bool read_value(words *line, check_options *options, bool *wrong)
{
    const struct {
        const char *name, **where;
        bool (*is_right)(const char *); /* NULL: any text is */
        const char *what;               /* the value ought to be */
    } values[] = {
        {"--order", &options->order, is_order, "order: forwards, backwards, or a number"},
        {"--share", &options->share, is_amount, "share: a number of blocks, of which one is checked for races"},
        {"--limit", &options->limit, is_amount, "limit: a number of seconds, at least 1"},
        {"--like", &options->like, NULL, NULL},
        {"--warp", &options->warp, is_warp, "number of a warp's threads: 1, 32 or 64"},
        {"--json", &options->json, NULL, NULL},
        {"--suppress", &options->suppress, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0] && !*wrong; ++i) {
        const char *value = value_of(values[i].name, line, wrong);
        if (value == NULL)
            continue;
        *values[i].where = value;
        *wrong = values[i].is_right != NULL && !values[i].is_right(value);
        if (*wrong)
            fprintf(stderr, "accel-check: \"%s\" is no %s\n", value, values[i].what);
        return true;
    }
    return false;
}

/* false after a message: the word is no option, or has no right value. */
static bool read_option(words *line, check_options *options)
{
    bool wrong = false;
    if (read_switch(line->items[line->next], options) || read_value(line, options, &wrong) || wrong)
        return !wrong;
    fprintf(stderr, "accel-check: unknown option \"%s\"; see accel-check --help\n", line->items[line->next]);
    return false;
}

/* 0, or STATUS_FOUND after a message. */
static int end_answer(void)
{
    if (fflush(stdout) == 0)
        return 0;
    fputs("accel-check: standard output could not be written\n", stderr);
    return STATUS_FOUND;
}

int main(int count, char *arguments[])
{
    check_options options = {0};
    words line = {arguments, count, 1};
    for (; line.next < count && arguments[line.next][0] == '-'; ++line.next) {
        if (strcmp(arguments[line.next], "--") == 0) {
            ++line.next;
            break;
        }
        if (strcmp(arguments[line.next], "--help") == 0) {
            fputs(usage, stdout);
            return end_answer();
        }
        if (strcmp(arguments[line.next], "--version") == 0) {
            printf("accel-check (libaccel) %d.%d.%d\n", ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR, ACCEL_VERSION_PATCH);
            return end_answer();
        }
        if (!read_option(&line, &options))
            return STATUS_USAGE;
    }
    if (line.next == count) {
        fprintf(stderr, "accel-check: name the program to be run; see accel-check --help\n");
        return STATUS_USAGE;
    }
    return check(arguments + line.next, &options);
}
