/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/host/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is read of /proc/self/maps: lines "begin-end rwxp ...". */
typedef struct reader {
    int file;
    char bytes[1024];
    ssize_t count, at;
} reader;

/* -1: the end. */
static int next(reader *self)
{
    if (self->at == self->count) {
        do
            self->count = read(self->file, self->bytes, sizeof(self->bytes));
        while (self->count < 0 && errno == EINTR);
        self->at = 0;
        if (self->count <= 0)
            return self->count = 0, -1;
    }
    return (unsigned char)self->bytes[self->at++];
}

/* A hexadecimal number and the character behind it. */
static uintptr_t read_number(reader *self, int *behind)
{
    uintptr_t value = 0;
    for (;;) {
        const int c = next(self);
        if (c >= '0' && c <= '9') {
            value = value * 16 + (uintptr_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            value = value * 16 + (uintptr_t)(c - 'a' + 10);
        } else {
            *behind = c;
            return value;
        }
    }
}

/* Lines are ordered by address. */
static bool covers(reader *self, uintptr_t begin, uintptr_t end, bool written)
{
    uintptr_t reached = begin;
    int c = 0;
    while (reached < end && c >= 0) {
        const uintptr_t first = read_number(self, &c), last = read_number(self, &c);
        const bool readable = next(self) == 'r', writable = next(self) == 'w';
        while (c >= 0 && c != '\n')
            c = next(self);
        if (last <= reached)
            continue;
        if (first > reached || !readable || (written && !writable))
            return false;
        reached = last;
    }
    return reached >= end;
}

bool check_pages_allow(uintptr_t begin, uintptr_t end, bool written)
{
    const int error = errno;
    reader self = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    bool allowed = false;
    if (self.file >= 0) {
        allowed = covers(&self, begin, end, written);
        close(self.file);
    }
    errno = error;
    return allowed;
}

bool check_pages_set(uintptr_t begin, uintptr_t end, int rights)
{
    const int error = errno;
    const bool done = begin == end || mprotect((void *)begin, end - begin, rights) == 0;
    errno = error;
    return done;
}
