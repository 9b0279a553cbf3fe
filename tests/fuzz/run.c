/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls the target with every file of the directories that are named: a corpus as a plain test, for any compiler. With
 * libFuzzer, whose main function then counts, this file is left out.
 */
#include "target.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* A copy that is exactly as long as the file, so that sanitizers see every step beyond it. */
static bool run_file(const char *path)
{
    struct stat about;
    bool good = false;
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;

    if (file == NULL || fstat(fileno(file), &about) != 0)
        goto done;
    size_t size = (size_t)about.st_size;
    data = malloc(size != 0 ? size : 1);
    if (data == NULL || fread(data, 1, size, file) != size)
        goto done;
    good = LLVMFuzzerTestOneInput(data, size) == 0;
done:
    free(data);
    if (file != NULL)
        fclose(file);
    if (!good)
        fprintf(stderr, "%s: cannot be read, or was refused\n", path);
    return good;
}

static bool run_directory(const char *directory, size_t *count)
{
    DIR *entries = opendir(directory);
    bool good = entries != NULL;

    if (!good)
        fprintf(stderr, "%s: no such directory\n", directory);
    for (struct dirent *entry; good && (entry = readdir(entries)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        good = run_file(path);
        ++*count;
    }
    if (entries != NULL)
        closedir(entries);
    return good;
}

int main(int argc, char **argv)
{
    size_t count = 0;

    for (int i = 1; i < argc; ++i) {
        if (!run_directory(argv[i], &count))
            return EXIT_FAILURE;
    }
    printf("%zu inputs\n", count);
    return count != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
