/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/driver/library.h"

#include "object/shortage.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The linker says "NAME: cannot open shared object file: No such file or directory" both for the library itself and, with
 * another NAME, for a library that it needs. */
static bool is_absent(const char *name, const char *words)
{
    size_t length = strlen(name);

    return strncmp(words, name, length) == 0 && words[length] == ':' && strstr(words, "No such file") != NULL;
}

int gpu_library_open(gpu_library *library, const char *const names[], char *text, size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; names[i] != NULL; ++i) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (handle != NULL) {
            library->handle = handle;
            library->name = names[i];
            return GPU_LIBRARY_OPEN;
        }
        const char *words = dlerror();
        if (words == NULL || !is_absent(names[i], words)) {
            bool named = words != NULL && strncmp(words, names[i], strlen(names[i])) == 0;
            snprintf(text, size, "%s%s%s", named ? "" : names[i], named ? "" : ": ",
                     words != NULL ? words : "cannot be loaded");
            errno = shortage_in(words);
            return errno != 0 ? GPU_LIBRARY_SHORT : GPU_LIBRARY_UNUSABLE;
        }
        int added = snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", names[i]);
        if (added > 0 && (size_t)added < size - length)
            length += (size_t)added;
    }
    return GPU_LIBRARY_ABSENT;
}

void *gpu_library_symbol(const gpu_library *library, const char *name)
{
    return dlsym(library->handle, name);
}
