/* SPDX-License-Identifier: Apache-2.0 */
/* Device nodes that are there and may not be opened: for their mode, which says "Permission denied", or for the device
 * cgroup of a container, which says "Operation not permitted" and is not to be had without one. So open() is this file's
 * (--wrap), and answers for the nodes what a test asks for. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "plugins/gpu/driver/node.h"
#include "opened.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/accel-nodes" /* is not there */

static const char *refused = ""; /* the path of a node */
static int refusal;              /* and what it answers; the others can be opened */

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, unsigned mode);
int __wrap_open64(const char *path, int flags, unsigned mode);

int __wrap_open(const char *path, int flags, unsigned mode)
{
    if (strncmp(path, ROOT, sizeof(ROOT) - 1) != 0)
        return __real_open(path, flags, mode);
    if (strcmp(path, refused) != 0)
        return __real_open("/dev/null", flags);
    errno = refusal;
    return -1;
}

/* On some systems open() is this one. */
int __wrap_open64(const char *path, int flags, unsigned mode)
{
    return __wrap_open(path, flags, mode);
}

static const struct {
    int error;
    const char *words;
} refusals[] = {{EACCES, "Permission denied"}, {EPERM, "Operation not permitted"}};

static const char *const nodes[] = {"/dev/first", "/dev/second", NULL};

START_TEST(a_node_that_is_refused_is_told_with_the_systems_words)
{
    char text[256] = "", expected[256];

    refused = ROOT "/dev/second";
    refusal = refusals[_i].error;
    ck_assert_int_eq(gpu_node_check(ROOT, nodes, text, sizeof(text)), GPU_NODE_REFUSED);
    snprintf(expected, sizeof(expected), ROOT "/dev/second: %s", refusals[_i].words);
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(the_users_sentence_names_the_node_that_is_refused)
{
    refused = ROOT "/dev/nvidiactl";
    refusal = refusals[_i].error;
    setenv("GPUSIM_INIT", "100", 1); /* no device */
    opened result = open_simulated_in(&cuda_family, ROOT);
    ck_assert_refused(&result, ACCEL_BACKEND_NO_PERMISSION, "no permission", "/dev/nvidiactl: ", refusals[_i].words,
                      "container", NULL);
}
END_TEST

START_TEST(other_errors_leave_the_driver_its_words)
{
    char text[256] = "";

    refused = ROOT "/dev/first";
    refusal = ENXIO;
    ck_assert_int_eq(gpu_node_check(ROOT, nodes, text, sizeof(text)), GPU_NODE_FINE);
    refusal = ENOENT;
    ck_assert_int_eq(gpu_node_check(ROOT, nodes, text, sizeof(text)), GPU_NODE_ABSENT);
    refused = ROOT "/dev/second"; /* only the first has to be there */
    ck_assert_int_eq(gpu_node_check(ROOT, nodes, text, sizeof(text)), GPU_NODE_FINE);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("node");
    TCase *loops = tcase_create("loops");

    tcase_add_loop_test(loops, a_node_that_is_refused_is_told_with_the_systems_words, 0, 2);
    tcase_add_loop_test(loops, the_users_sentence_names_the_node_that_is_refused, 0, 2);
    suite_add_tcase(suite, loops);
    add(suite, other_errors_leave_the_driver_its_words);
    return suite;
}
