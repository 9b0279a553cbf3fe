/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that runs out of file descriptors. Whatever cannot be opened, be it a directory, a plugin, a driver, hwloc, an
 * OpenMP runtime or a kernel object: the call fails with ACCEL_IO and a text that names the file, the system's words and
 * the remedy. It never goes on with fewer backends or a flat topology. With descriptors the same call succeeds.
 */
#include <accel/accel.h>
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_FREE = 64, TEXT = 2000 };

static char expected[TEXT]; /* what there is without a limit */

/* The lowest limit that leaves `free_files` descriptors. */
static void limit_to(unsigned free_files)
{
    struct rlimit limit;
    int next = open("/", O_RDONLY | O_CLOEXEC);

    ck_assert_int_ge(next, 0);
    close(next);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = (rlim_t)next + free_files;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void limit_no_more(void)
{
    struct rlimit limit;

    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* True if the call succeeded. Otherwise it lacked a descriptor, and says so. */
static bool good(accel_status status, const char *function)
{
    const char *text = accel_error_message();

    if (status == ACCEL_OK)
        return true;
    ck_assert_msg(status == ACCEL_IO && strncmp(text, function, strlen(function)) == 0 && strstr(text, "/") != NULL &&
                      strstr(text, "Too many open files") != NULL && strstr(text, "ulimit -n") != NULL,
                  "%s: %s: %s", function, accel_status_name(status), text);
    return false;
}

/* Devices, and how their topology was found. */
static bool describe(const accel_instance *instance, char text[TEXT])
{
    size_t length = 0;

    for (size_t i = 0; i < accel_instance_device_count(instance); ++i) {
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        if (!good(accel_device_info(accel_instance_device(instance, i), &properties), "accel_device_info"))
            return false;
        length += (size_t)snprintf(text + length, TEXT - length, "%s: %s; ", properties.name, properties.topology);
        if (length >= TEXT)
            return false;
    }
    return true;
}

static bool open_all(accel_instance **instance, accel_module **module, char text[TEXT])
{
    if (*instance == NULL && !good(accel_instance_create(NULL, instance), "accel_instance_create"))
        return false;
    if (!describe(*instance, text))
        return false;
    accel_device *last = accel_instance_device(*instance, accel_instance_device_count(*instance) - 1);
    return *module != NULL || good(accel_module_load(last, "conformance", module), "accel_module_load");
}

START_TEST(without_descriptors_a_call_fails_and_later_succeeds)
{
    char text[TEXT] = "";
    accel_instance *instance = NULL;
    accel_module *module = NULL;

    limit_to((unsigned)_i);
    bool through = open_all(&instance, &module, text);
    ck_assert(_i != 0 || !through);
    limit_no_more();
    if (!through)
        ck_assert(open_all(&instance, &module, text));
    ck_assert_str_eq(text, expected);
    accel_module_release(module);
    accel_instance_release(instance);
}
END_TEST

/* In a process of its own: nothing is loaded yet where the tests run. */
static bool learn_what_there_is(void)
{
    int ends[2];
    FILE *stream;
    char text[TEXT] = "";

    if (pipe(ends) != 0)
        return false;
    if (fork() == 0) {
        accel_instance *instance = NULL;
        accel_module *module = NULL;
        bool through = open_all(&instance, &module, text);
        _exit(through && write(ends[1], text, strlen(text)) > 0 ? 0 : 1);
    }
    close(ends[1]);
    stream = fdopen(ends[0], "r");
    bool read = stream != NULL && fgets(expected, sizeof(expected), stream) != NULL;
    fclose(stream);
    return read;
}

int main(void)
{
    Suite *suite = suite_create("descriptors");
    TCase *tcase = tcase_create("descriptors");

    if (!learn_what_there_is()) {
        fprintf(stderr, "nothing can be opened without a limit: %s\n", accel_error_message());
        return EXIT_FAILURE;
    }
    printf("# %s\n", expected);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, without_descriptors_a_call_fails_and_later_succeeds, 0, MOST_FREE);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_NORMAL);
    int bad = srunner_ntests_failed(runner);
    srunner_free(runner);
    return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
