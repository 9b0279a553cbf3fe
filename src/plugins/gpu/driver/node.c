/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/driver/node.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Opens, because access() does not ask the device cgroup of a container. */
static int check_one(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);

    if (file >= 0) {
        close(file);
        return GPU_NODE_FINE;
    }
    int error = errno;
    if (error != EACCES && error != EPERM && error != ENOENT)
        return GPU_NODE_FINE; /* the driver's own words say more */
    snprintf(text, size, "%s: %s", path, strerror(error));
    return error == ENOENT ? GPU_NODE_ABSENT : GPU_NODE_REFUSED;
}

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* All nodes "STEM" and a number. */
static int check_numbered(const char *stem, char *text, size_t size)
{
    char directory[PATH_MAX], path[PATH_MAX];
    const char *slash = strrchr(stem, '/');
    int result = GPU_NODE_FINE;

    snprintf(directory, sizeof(directory), "%.*s", (int)(slash - stem), stem);
    DIR *entries = opendir(directory);
    if (entries == NULL)
        return GPU_NODE_FINE;
    size_t length = strlen(slash + 1);
    for (struct dirent *entry = readdir(entries); entry != NULL && result == GPU_NODE_FINE; entry = readdir(entries)) {
        if (strncmp(entry->d_name, slash + 1, length) != 0 || !is_number(entry->d_name + length))
            continue;
        int written = snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        if (written > 0 && (size_t)written < sizeof(path) && check_one(path, text, size) == GPU_NODE_REFUSED)
            result = GPU_NODE_REFUSED;
    }
    closedir(entries);
    return result;
}

int gpu_node_check(const char *root, const char *const paths[], char *text, size_t size)
{
    char absent[PATH_MAX + 64] = "", path[PATH_MAX];

    for (size_t i = 0; paths[i] != NULL; ++i) {
        int result;
        size_t length = (size_t)snprintf(path, sizeof(path), "%s%s", root, paths[i]);
        if (length < sizeof(path) && path[length - 1] == '#') {
            path[length - 1] = '\0';
            result = check_numbered(path, text, size);
        } else {
            result = check_one(path, text, size);
        }
        if (result == GPU_NODE_REFUSED)
            return result;
        if (result == GPU_NODE_ABSENT && i == 0)
            snprintf(absent, sizeof(absent), "%s", text);
    }
    snprintf(text, size, "%s", absent);
    return absent[0] != '\0' ? GPU_NODE_ABSENT : GPU_NODE_FINE;
}

bool gpu_node_exists(const char *root, const char *const paths[])
{
    char path[PATH_MAX];

    for (size_t i = 0; paths[i] != NULL; ++i) {
        int written = snprintf(path, sizeof(path), "%s%s", root, paths[i]);
        if (written > 0 && (size_t)written < sizeof(path) && access(path, F_OK) == 0)
            return true;
    }
    return false;
}
