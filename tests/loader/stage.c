/* SPDX-License-Identifier: Apache-2.0 */
#include "stage.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char stage[64];
bool stage_secure;

/* The hook of config.c. */
bool accel_environment_pretend_secure(void);
bool accel_environment_pretend_secure(void)
{
    return stage_secure;
}

static bool is_ours(const char *entry)
{
    static const char *const prefixes[] = {"ACCEL_", "FAKE_", "OMPI_", "MPI_",  "MV2_",
                                           "MVP_",   "PMI_",  "PALS_", "FLUX_", "SLURM_"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); ++i) {
        if (strncmp(entry, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

static void clear_environment(void)
{
    for (char **entry = environ; *entry != NULL;) {
        char name[256];
        size_t length = strcspn(*entry, "=");
        if (!is_ours(*entry) || length >= sizeof(name)) {
            ++entry;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = '\0';
        unsetenv(name);
        entry = environ;
    }
}

static void setup(void)
{
    clear_environment();
    snprintf(stage, sizeof(stage), "/tmp/accel-stage-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(stage));
    ck_assert_int_eq(chmod(stage, 0755), 0);
    char trace[80];
    snprintf(trace, sizeof(trace), "%s/trace", stage);
    setenv("FAKE_TRACE", trace, 1);
}

static int remove_one(const char *path, const struct stat *entry, int kind, struct FTW *where)
{
    (void)entry, (void)kind, (void)where;
    return remove(path);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    nftw(stage, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void stage_add(Suite *suite, const char *name, const TTest *test, int count)
{
    TCase *test_case = tcase_create(name);

    tcase_set_timeout(test_case, 120);
    tcase_add_checked_fixture(test_case, setup, teardown);
    tcase_add_loop_test(test_case, test, 0, count);
    suite_add_tcase(suite, test_case);
}

/* Texts that live as long as the test's process, and are reachable until then. */
static __attribute__((format(printf, 1, 2))) const char *keep(const char *format, ...)
{
    static char texts[64][256];
    static size_t used;
    va_list list;

    ck_assert_uint_lt(used, 64);
    va_start(list, format);
    vsnprintf(texts[used], sizeof(texts[used]), format, list);
    va_end(list);
    return texts[used++];
}

const char *stage_directory(const char *name)
{
    const char *path = keep("%s/%s", stage, name);

    ck_assert_int_eq(mkdir(path, 0755), 0);
    return path;
}

const char *stage_variant(const char *variant)
{
    return keep(FAKE_DIRECTORY "/fake-%s.so", variant);
}

unsigned char *stage_read(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "r");
    unsigned char *data = malloc(1 << 22);

    ck_assert_msg(stream != NULL && data != NULL, "%s", path);
    *size = fread(data, 1, 1 << 22, stream);
    fclose(stream);
    return data;
}

const char *stage_bytes(const char *directory, const char *name, const void *data, size_t size)
{
    const char *path = keep("%s/libaccel-%s.so", directory, name);
    FILE *stream = fopen(path, "w");

    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(data, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
    return path;
}

const char *stage_plugin(const char *directory, const char *variant, const char *name)
{
    size_t size;
    unsigned char *data = stage_read(stage_variant(variant), &size);
    const char *path = stage_bytes(directory, name, data, size);

    free(data);
    return path;
}

void stage_path(const char *a, const char *b)
{
    setenv("ACCEL_PLUGIN_PATH", b != NULL ? keep("%s:%s", a, b) : a, 1);
}

accel_instance *stage_instance(void)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;

    desc.flags = ACCEL_INSTANCE_ALLOW_EMPTY;
    ck_assert_msg(accel_instance_create(&desc, &instance) == ACCEL_OK, "%s", accel_error_message());
    return instance;
}

accel_backend_properties stage_backend(const accel_instance *instance, const char *name)
{
    accel_backend_properties properties = ACCEL_BACKEND_PROPERTIES_INIT;

    for (size_t i = 0; i < accel_instance_backend_count(instance); ++i) {
        ck_assert_uint_eq(accel_instance_backend_info(instance, i, &properties), ACCEL_OK);
        if (strcmp(properties.name, name) == 0)
            return properties;
    }
    ck_abort_msg("no backend %s", name);
    return properties;
}

static void check_words(const char *text, va_list words)
{
    for (const char *word = va_arg(words, const char *); word != NULL; word = va_arg(words, const char *))
        ck_assert_msg(strstr(text, word) != NULL, "\"%s\" is not in \"%s\"", word, text);
}

void stage_expect(const char *name, uint32_t state, ...)
{
    va_list words;

    setenv("ACCEL_BACKEND", name, 1);
    accel_instance *instance = stage_instance();
    accel_backend_properties properties = stage_backend(instance, name);
    ck_assert_msg(properties.state == state, "state %u instead of %u: %s", properties.state, state, properties.reason);
    va_start(words, state);
    check_words(properties.reason, words);
    va_end(words);
    ck_assert_uint_eq(properties.device_count != 0, state == ACCEL_BACKEND_USABLE);
    ck_assert_uint_eq(properties.reason[0] == '\0', state == ACCEL_BACKEND_USABLE);
    accel_instance_release(instance);
}

void stage_refused(const accel_instance_desc *desc, accel_status status, ...)
{
    accel_instance *instance = (accel_instance *)&stage;
    accel_status got = accel_instance_create(desc, &instance);
    va_list words;

    ck_assert_msg(got == status, "%s instead of %s: %s", accel_status_name(got), accel_status_name(status),
                  accel_error_message());
    ck_assert_ptr_eq(instance, (accel_instance *)&stage);
    ck_assert_int_eq(strncmp(accel_error_message(), "accel_instance_create: ", 23), 0);
    va_start(words, status);
    check_words(accel_error_message(), words);
    va_end(words);
}

const char *stage_trace(void)
{
    static char text[1 << 16];
    FILE *stream = fopen(getenv("FAKE_TRACE"), "r");

    text[0] = '\0';
    if (stream != NULL) {
        text[fread(text, 1, sizeof(text) - 1, stream)] = '\0';
        fclose(stream);
    }
    return text;
}

size_t stage_count(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        ++count;
    return count;
}
