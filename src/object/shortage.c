/* SPDX-License-Identifier: Apache-2.0 */
#include "object/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

accel_status shortage_status(int number)
{
    if (number == ENOMEM)
        return ACCEL_OUT_OF_MEMORY;
    return number == EMFILE || number == ENFILE ? ACCEL_IO : ACCEL_OK;
}

const char *shortage_remedy(int number)
{
    return number == ENOMEM ? "free some memory, or raise the limit (ulimit -v, a control group)"
                            : "close files, or raise the limit of open files (ulimit -n)";
}

/* Can a library hardly be mapped? */
static bool lacks_addresses(void)
{
    enum { LIBRARY = 8 << 20 };
    void *probe = mmap(NULL, LIBRARY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED)
        return errno == ENOMEM;
    munmap(probe, LIBRARY);
    return false;
}

/* The GNU C library's words for a lack of memory that end with no error of the system. The first stands for other reasons, too, as a
 * file system that allows no code. */
static bool is_dynamic_linkers(const char *words)
{
    return (strstr(words, "failed to map segment from shared object") != NULL && lacks_addresses()) ||
           strstr(words, "cannot create shared object descriptor") != NULL || strstr(words, ": out of memory") != NULL;
}

int shortage_in(const char *words)
{
    static const int numbers[] = {EMFILE, ENFILE, ENOMEM};

    if (words != NULL && is_dynamic_linkers(words))
        return ENOMEM;
    for (size_t i = 0; words != NULL && i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        const char *text = strerror(numbers[i]);
        size_t length = strlen(words), own = strlen(text);
        if (length >= own && strcmp(words + length - own, text) == 0)
            return numbers[i];
    }
    return 0;
}

int shortage_of_descriptors(unsigned needed)
{
    int files[64], error = 0;
    unsigned count = 0;

    while (count < needed && (files[count] = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
        ++count;
    if (count < needed && shortage_status(errno) != ACCEL_OK)
        error = errno;
    while (count > 0)
        close(files[--count]);
    return error;
}
