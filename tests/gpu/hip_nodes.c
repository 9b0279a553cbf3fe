/* SPDX-License-Identifier: Apache-2.0 */
/* ROCm's library with and without the kernel's part, and the variable that names a library. That of these tests needs one
 * that is not there, so that loading it fails, and is told as "broken". */
#include "run.h"

#include "plugins/gpu/driver/hip/hip.h"
#include "opened.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[] = "/tmp/accel-nodes-XXXXXX";

static const char *below(const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    return path;
}

static void make_root(const char *node)
{
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(mkdir(below("dev"), 0755), 0);
    if (node == NULL)
        return;
    FILE *file = fopen(below(node), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fclose(file), 0);
}

static void remove_root(void)
{
    static const char *const names[] = {"dev/kfd", "dev/dxg", "dev", ""};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        (void)remove(below(names[i]));
}

static opened open_installed(void)
{
    const char *names[] = {"libaccel-no-such-hip.so.7", broken_path("hip-amd"), NULL};

    return open_below(&hip_family, names, root);
}

START_TEST(without_the_kernels_part_there_is_no_device_and_nothing_is_loaded)
{
    make_root(NULL);
    opened result = open_installed();
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "hip: no device", "/dev/kfd", "ACCEL_HIP_LIBRARY", NULL);
    ck_assert_ptr_null(dlopen(broken_path("hip-amd"), RTLD_LAZY | RTLD_NOLOAD));
    remove_root();
}
END_TEST

START_TEST(with_the_kernels_part_the_library_is_loaded)
{
    static const char *const nodes[] = {"dev/kfd", "dev/dxg"};

    make_root(nodes[_i]);
    opened result = open_installed();
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "libhsa-runtime64.so.99", NULL);
    remove_root();
}
END_TEST

START_TEST(a_library_that_the_variable_names_is_loaded_in_any_case)
{
    make_root(NULL);
    opened result = open_chosen(&hip_family, simulated_path(&hip_family), root);
    ck_assert_uint_eq(result.status, ACCEL_OK);
    remove_root();
}
END_TEST

START_TEST(a_name_that_the_system_does_not_know_is_told_with_its_variable)
{
    make_root("dev/kfd");
    opened result = open_chosen(&hip_family, "libaccel-no-such-hip.so.9", root);
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DRIVER, "ACCEL_HIP_LIBRARY", "\"libaccel-no-such-hip.so.9\"", NULL);
    remove_root();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("hip_nodes");
    TCase *loops = tcase_create("loops");

    add(suite, without_the_kernels_part_there_is_no_device_and_nothing_is_loaded);
    add(suite, a_library_that_the_variable_names_is_loaded_in_any_case);
    add(suite, a_name_that_the_system_does_not_know_is_told_with_its_variable);
    tcase_add_loop_test(loops, with_the_kernels_part_the_library_is_loaded, 0, 2);
    suite_add_tcase(suite, loops);
    return suite;
}
