/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for the libraries of NVTX and roctx: each call is a line in the file RANGES_FILE. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

static int tell(const char *function, const char *name)
{
    const char *path = getenv("RANGES_FILE");
    int file = open(path != NULL ? path : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

    dprintf(file, "%s %s\n", function, name);
    return close(file);
}

API int nvtxRangePushA(const char *name);
API int nvtxRangePop(void);
API int roctxRangePushA(const char *name);
API int roctxRangePop(void);

int nvtxRangePushA(const char *name)
{
    return tell("nvtx push", name);
}

int nvtxRangePop(void)
{
    return tell("nvtx pop", "");
}

int roctxRangePushA(const char *name)
{
    return tell("roctx push", name);
}

int roctxRangePop(void)
{
    return tell("roctx pop", "");
}
