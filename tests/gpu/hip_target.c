/* SPDX-License-Identifier: Apache-2.0 */
/* Which of AMD's objects a device runs, and which it prefers. */
#include "run.h"

#include "plugins/gpu/driver/hip/hip.h"

#include <stdio.h>
#include <string.h>

static void set_version(int version)
{
    hip_driver.runtime_version = version;
}

static const struct {
    const char *architecture;
    const char *targets[7]; /* best first; those that run */
} orders[] = {
    {"gfx90a:sramecc+:xnack-", {"gfx90a:sramecc+:xnack-", "gfx90a:xnack-", "gfx90a"}},
    {"gfx90a:sramecc+:xnack-", {"gfx90a:xnack-:sramecc+", "gfx90a:sramecc+", "gfx90a"}}, /* in either order */
    {"gfx942:sramecc+:xnack-",
     {"gfx942:sramecc+:xnack-", "gfx942:sramecc+", "gfx942", "gfx9-4-generic:sramecc+:xnack-", "gfx9-4-generic:xnack-",
      "gfx9-4-generic"}},
    {"gfx1030", {"gfx1030", "gfx10-3-generic"}},
    {"gfx1100", {"gfx1100", "gfx11-generic"}},
    {"gfx1201", {"gfx1201", "gfx12-generic"}},
    {"gfx906:sramecc+:xnack-", {"gfx906:xnack-", "gfx906", "gfx9-generic:xnack-", "gfx9-generic"}},
};

START_TEST(exact_processor_and_named_features_come_first)
{
    char reason[192];
    uint32_t last = UINT32_MAX;

    set_version(60400000);
    for (size_t i = 0; i < 7 && orders[_i].targets[i] != NULL; ++i) {
        uint32_t own = hip_target_rank(orders[_i].architecture, orders[_i].targets[i], "hsaco", reason, sizeof(reason));
        ck_assert_msg(own > 0 && own < last, "%s on %s: %u, %s", orders[_i].targets[i], orders[_i].architecture, own,
                      reason);
        ck_assert_str_ne(reason, "");
        last = own;
    }
}
END_TEST

static const struct {
    const char *architecture, *target, *format, *reason;
} refusals[] = {
    {"gfx90a:sramecc+:xnack-", "gfx90a:xnack+", "hsaco", "needs xnack+, the device runs with xnack-"},
    {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc-:xnack-", "hsaco", "needs sramecc-"},
    {"gfx1030", "gfx1030:xnack-", "hsaco", "does not have"},
    {"gfx90a:sramecc+:xnack-", "gfx908", "hsaco", "is for gfx908, the device is a gfx90a"},
    {"gfx90a:sramecc+:xnack-", "gfx90", "hsaco", "is for gfx90,"},
    {"gfx90a:sramecc+:xnack-", "gfx9-generic", "hsaco", "is for gfx9-generic"}, /* which excludes it */
    {"gfx908:sramecc+:xnack-", "gfx9-generic", "hsaco", "is for gfx9-generic"},
    {"gfx1030", "gfx10-1-generic", "hsaco", "is for gfx10-1-generic"},
    {"gfx90a", "gfx90a:", "hsaco", "not for AMD"},
    {"gfx90a", "gfx90a:xnack", "hsaco", "not for AMD"},
    {"gfx90a", "gfx90a:xnack-:xnack-", "hsaco", "not for AMD"},
    {"gfx90a", "gfx90a:wings+", "hsaco", "not for AMD"},
    {"gfx90a", "gfx", "hsaco", "not for AMD"},
    {"gfx90a", "gfx90a", "so", "not for AMD"},
    {"gfx90a", "sm_80", "cubin", "not for AMD"},
    {"", "gfx90a", "hsaco", "unknown"},
    {"NVIDIA", "gfx90a", "hsaco", "unknown"},
};

START_TEST(what_does_not_run_has_a_reason)
{
    char reason[192] = "";

    set_version(60400000);
    ck_assert_uint_eq(
        hip_target_rank(refusals[_i].architecture, refusals[_i].target, refusals[_i].format, reason, sizeof(reason)),
        0);
    ck_assert_msg(strstr(reason, refusals[_i].reason) != NULL, "\"%s\" for %s on %s", reason, refusals[_i].target,
                  refusals[_i].architecture);
}
END_TEST

START_TEST(older_runtimes_are_given_no_generic_object)
{
    char reason[192] = "";
    gpu_description description;

    set_version(60200000);
    ck_assert_uint_eq(hip_target_rank("gfx1100", "gfx11-generic", "hsaco", reason, sizeof(reason)), 0);
    ck_assert_ptr_nonnull(strstr(reason, "HIP 6.3"));
    hip_target_names("gfx1100", &description);
    ck_assert_str_eq(description.targets, "gfx1100");
    set_version(60300000);
    ck_assert_uint_gt(hip_target_rank("gfx1100", "gfx11-generic", "hsaco", reason, sizeof(reason)), 0);
    hip_target_names("gfx1100", &description);
    ck_assert_str_eq(description.targets, "gfx1100 gfx11-generic");
}
END_TEST

/* Every target that a device names runs on it, and none comes before a better one. */
START_TEST(names_are_in_the_order_of_ranks)
{
    gpu_description description;
    char names[sizeof(description.targets)], reason[192];
    uint32_t last = UINT32_MAX;
    char *rest;

    set_version(60400000);
    hip_target_names(orders[_i].architecture, &description);
    ck_assert_str_eq(description.architecture, orders[_i].architecture);
    ck_assert_ptr_eq(strstr(description.targets, orders[_i].architecture), description.targets);
    memcpy(names, description.targets, sizeof(names));
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        uint32_t own = hip_target_rank(description.architecture, name, "hsaco", reason, sizeof(reason));
        ck_assert_msg(own > 0 && own <= last, "%s of %s", name, description.targets);
        last = own;
    }
}
END_TEST

START_TEST(architecture_that_is_unknown_has_no_targets)
{
    gpu_description description;

    hip_target_names("sm_90", &description);
    ck_assert_str_eq(description.architecture, "sm_90");
    ck_assert_str_eq(description.targets, "");
}
END_TEST

Suite *noun_suite(void)
{
    const int order_count = (int)(sizeof(orders) / sizeof(orders[0]));
    Suite *suite = suite_create("hip_target");
    TCase *loops = tcase_create("loops");

    add(suite, older_runtimes_are_given_no_generic_object);
    add(suite, architecture_that_is_unknown_has_no_targets);
    tcase_add_loop_test(loops, exact_processor_and_named_features_come_first, 0, order_count);
    tcase_add_loop_test(loops, names_are_in_the_order_of_ranks, 0, order_count);
    tcase_add_loop_test(loops, what_does_not_run_has_a_reason, 0, (int)(sizeof(refusals) / sizeof(refusals[0])));
    suite_add_tcase(suite, loops);
    return suite;
}
