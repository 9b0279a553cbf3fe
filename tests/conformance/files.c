/* SPDX-License-Identifier: Apache-2.0 */
/* Files that tests make, and whether times mean anything. */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_root[256];
static pid_t scratch_owner;

static int scratch_remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void scratch_remove(void)
{
    if (getpid() == scratch_owner)
        (void)nftw(scratch_root, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool scratch_begin(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(scratch_root, sizeof scratch_root, "%s/accel-test-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(scratch_root) == NULL) {
        perror(scratch_root);
        return false;
    }
    scratch_owner = getpid();
    return atexit(scratch_remove) == 0;
}

const char *scratch_directory(void)
{
    static char path[300];
    static unsigned count;
    snprintf(path, sizeof path, "%s/%ld.%u", scratch_root, (long)getpid(), count++);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    return path;
}

unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    ck_assert_int_ge(length, 0);
    rewind(file);
    unsigned char *data = malloc((size_t)length + 1);
    ck_assert_ptr_nonnull(data);
    *size = fread(data, 1, (size_t)length, file);
    ck_assert_uint_eq(*size, (size_t)length);
    fclose(file);
    return data;
}

void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

void copy_file(const char *from, const char *to)
{
    size_t size;
    unsigned char *data = read_file(from, &size);
    write_file(to, data, size);
    free(data);
}

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif

bool timing_counts(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) ||               \
    __has_feature(thread_sanitizer)
    return false;
#else
    const char *preload = getenv("LD_PRELOAD");
    return preload == NULL || strstr(preload, "vgpreload") == NULL;
#endif
}
