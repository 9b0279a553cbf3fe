/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/trace_file.h"
#include "text/json.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 65536, LONGEST = 4096, KEPT_NS = 100000000 };

/* A buffer of our own: what stdio holds would be written once more by the child of a fork. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all of this */
static char path[4096], buffer[ROOM];
static size_t length;
static int file = -1;
static int failure; /* errno of the first write that failed: nothing is written after it */
static bool any;    /* an event is in the file */
static const accel_tool_host *host;
static uint64_t written_at; /* when the buffer was written last: a program that is killed leaves what is older */

/* A limit of the size of files, and a pipe without a reader, send a signal that would end the program. It comes to the
 * thread that writes, where it is held back meanwhile and taken away; one that was pending before stays. */
typedef struct held_signals {
    sigset_t held, before, pending;
} held_signals;

static void hold_signals(held_signals *h)
{
    sigemptyset(&h->held);
    sigaddset(&h->held, SIGXFSZ);
    sigaddset(&h->held, SIGPIPE);
    sigpending(&h->pending);
    pthread_sigmask(SIG_BLOCK, &h->held, &h->before);
}

static void take_signal(const held_signals *h, int number)
{
    const struct timespec at_once = {0, 0};
    sigset_t one;

    if (sigismember(&h->pending, number) != 0)
        return;
    sigemptyset(&one);
    sigaddset(&one, number);
    while (sigtimedwait(&one, NULL, &at_once) < 0 && errno == EINTR)
        ;
}

static void flush(void)
{
    held_signals signals;

    hold_signals(&signals);
    for (size_t done = 0; done < length && failure == 0;) {
        ssize_t written = write(file, buffer + done, length - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            failure = errno;
        if (failure == EFBIG || failure == EPIPE)
            take_signal(&signals, failure == EPIPE ? SIGPIPE : SIGXFSZ);
    }
    pthread_sigmask(SIG_SETMASK, &signals.before, NULL);
    length = 0;
    written_at = host->clock();
}

/* The name with the process's number; false if it is too long. */
static bool expand(const char *name)
{
    size_t used = 0;

    for (; *name != '\0' && used < sizeof(path) - 24; ++name) {
        if (name[0] == '%' && name[1] == 'p') {
            used += (size_t)snprintf(path + used, sizeof(path) - used, "%ld", (long)getpid());
            ++name;
        } else {
            path[used++] = *name;
        }
    }
    path[used] = '\0';
    return *name == '\0';
}

accel_status trace_file_open(const accel_tool_host *given, const char *name)
{
    host = given;
    if (!expand(name))
        return host->error(ACCEL_IO, "ACCEL_TRACE: the name of the file is longer than %zu bytes", sizeof(path) - 24);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    if (file < 0)
        return host->error(ACCEL_IO, "ACCEL_TRACE: \"%s\" cannot be opened for writing: %s", path, strerror(errno));
    buffer[length++] = '[';
    flush();
    if (failure != 0)
        return host->error(ACCEL_IO, "ACCEL_TRACE: \"%s\" cannot be written: %s", path, strerror(failure));
    return ACCEL_OK;
}

void trace_file_lock(void)
{
    pthread_mutex_lock(&lock);
}

void trace_file_unlock(void)
{
    if (file >= 0 && host->clock() - written_at > KEPT_NS)
        flush();
    pthread_mutex_unlock(&lock);
}

void trace_file_add(const char *format, ...)
{
    va_list list;

    if (file < 0 || failure != 0)
        return;
    if (length > ROOM - LONGEST)
        flush();
    va_start(list, format);
    int added = vsnprintf(buffer + length, LONGEST, format, list);
    va_end(list);
    if (added > 0)
        length += (size_t)added < LONGEST ? (size_t)added : LONGEST - 1;
}

void trace_file_add_text(const char *text)
{
    char character[JSON_CHARACTER];
    trace_file_add("\"");
    for (const char *end = text + strlen(text); text != end; trace_file_add("%s", character))
        text += json_character(text, (size_t)(end - text), character);
    trace_file_add("\"");
}

void trace_file_begin(void)
{
    trace_file_add("%s\n", any ? "," : "");
    any = true;
}

void trace_file_end(void)
{
    trace_file_add("\n]\n");
    flush();
    if (file >= 0 && close(file) != 0 && failure == 0)
        failure = errno;
    file = -1;
    if (failure != 0)
        fprintf(stderr, "libaccel: ACCEL_TRACE: \"%s\" is not complete: %s\n", path, strerror(failure));
}
