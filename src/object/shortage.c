/* SPDX-License-Identifier: Apache-2.0 */
#include "object/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

accel_status shortage_status(int number)
{
    if (number == ENOMEM)
        return ACCEL_OUT_OF_MEMORY;
    return number == EMFILE || number == ENFILE ? ACCEL_IO : ACCEL_OK;
}

const char *shortage_remedy(int number)
{
    return number == ENOMEM ? "free some memory" : "close files, or raise the limit of open files (ulimit -n)";
}

int shortage_in(const char *words)
{
    static const int numbers[] = {EMFILE, ENFILE, ENOMEM};

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
