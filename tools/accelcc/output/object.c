/* SPDX-License-Identifier: Apache-2.0 */
#include "output/object.h"

#include "base/arena.h"
#include "base/message.h"
#include "object/checksum.h"
#include "object/elf.h"

#include <accel/object.h>

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const unsigned char *object_read(const char *path, size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        message_error("\"%s\" cannot be read: %s", path, strerror(errno));
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    size_t expected = (size_t)status.st_size;
    unsigned char *data = arena_alloc(expected);
    size_t got = fread(data, 1, expected, file);
    fclose(file);
    if (got != expected) {
        message_error("\"%s\" cannot be read: %zu of %zu bytes", path, got, expected);
        return NULL;
    }
    *size = got;
    return data;
}

static void count_one(void *user, const char *name, const void *bytes, size_t size)
{
    (void)name, (void)bytes, (void)size;
    ++*(size_t *)user;
}

static bool has_descriptors(const accel_elf *elf)
{
    size_t count = 0;
    accel_elf_visit(elf, ACCEL_DESCRIPTOR_PREFIX, count_one, &count);
    return count != 0;
}

/* Opens what the compiler made. false after a message that ends with the hint. */
static bool open_made(const accelcc_job *job, const char *path, const char *hint, accel_elf *elf)
{
    size_t size = 0;
    char reason[128];
    const unsigned char *data = object_read(path, &size);
    if (data == NULL)
        return false;
    if (accel_elf_open(data, size, elf, reason, sizeof reason))
        return true;
    message_error("%s made no 64-bit ELF object for %s (%s)%s", job->compiler->command.items[0], job->name, reason,
                  hint);
    return false;
}

bool object_check(const accelcc_job *job, const char *path)
{
    accel_elf elf;
    if (!open_made(job, path, "; look at the -m flags", &elf))
        return false;
    if (elf.machine != job->target->architecture->elf_machine || elf.type != ET_DYN) {
        message_error("%s made an object for ELF machine %u (type %u), but %s is machine %u; look at the -m flags",
                      job->compiler->command.items[0], elf.machine, elf.type, job->name,
                      job->target->architecture->elf_machine);
        return false;
    }
    if (has_descriptors(&elf))
        return true;
    object_no_kernels(job);
    return false;
}

bool object_add_checksum(const char *path)
{
    size_t size = 0;
    unsigned char checksum[CHECKSUM_SIZE];
    const unsigned char *data = object_read(path, &size);
    if (data == NULL)
        return false;
    checksum_make(data, size, checksum);
    FILE *file = fopen(path, "ab");
    bool good = file != NULL && fwrite(checksum, 1, sizeof checksum, file) == sizeof checksum;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (!good)
        message_error("\"%s\" cannot be written: %s", path, strerror(errno));
    return good;
}

void object_no_kernels(const accelcc_job *job)
{
    message_error("no kernels in %s: nothing exports a symbol \"" ACCEL_DESCRIPTOR_PREFIX
                  "NAME\"; define one with ACCEL_KERNEL",
                  list_join(&job->options->sources, ", "));
}

bool object_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool object_check_gpu(const accelcc_job *job, const char *path)
{
    accel_elf elf;
    if (!open_made(job, path, "", &elf))
        return false;
    if (has_descriptors(&elf))
        return true;
    object_no_kernels(job);
    return false;
}
