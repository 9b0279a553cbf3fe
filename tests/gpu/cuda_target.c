/* SPDX-License-Identifier: Apache-2.0 */
/* Which of CUDA's objects a device runs, and which it prefers. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"

#include <stdio.h>
#include <string.h>

static uint32_t rank(const char *architecture, const char *target, const char *format)
{
    char reason[192] = "";
    uint32_t result = cuda_target_rank(architecture, target, format, reason, sizeof(reason));

    ck_assert_msg(reason[0] != '\0', "no reason for %s.%s on %s", target, format, architecture);
    return result;
}

/* Objects in the order of preference on a device; all of them run. */
static void ck_assert_order(const char *architecture, const char *const names[], size_t count)
{
    uint32_t last = UINT32_MAX;

    for (size_t i = 0; i < count; ++i) {
        uint32_t own = rank(architecture, names[i], strncmp(names[i], "sm_", 3) == 0 ? "cubin" : "ptx");
        ck_assert_msg(own != 0, "%s does not run on %s", names[i], architecture);
        ck_assert_msg(own<last, "%s before %s on %s", names[i], i> 0 ? names[i - 1] : "nothing", architecture);
        last = own;
    }
}
#define ORDER(architecture, ...)                                                                                       \
    ck_assert_order(architecture, (const char *const[]){__VA_ARGS__},                                                  \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

START_TEST(exact_cubin_then_newest_ptx_then_compatible_cubin)
{
    ORDER("sm_90", "sm_90a", "sm_90", "compute_90a", "compute_90", "compute_89", "compute_80", "compute_75",
          "compute_50");
    ORDER("sm_89", "sm_89", "compute_89", "compute_86", "compute_80", "sm_86", "sm_80");
    ORDER("sm_121", "sm_121", "compute_121", "compute_120f", "compute_120", "compute_90", "sm_120f");
    ORDER("sm_103", "sm_103", "compute_103", "compute_100", "sm_100");
}
END_TEST

static const struct {
    const char *architecture, *target, *format, *reason;
} refusals[] = {
    {"sm_80", "compute_90", "ptx", "9.0 or later, the device has 8.0"},
    {"sm_100", "compute_90a", "ptx", "9.0 only"},
    {"sm_120", "compute_100f", "ptx", "10.x only"},
    {"sm_80", "sm_86", "cubin", "the device has 8.0"},
    {"sm_90", "sm_80", "cubin", "the device has 9.0"},
    {"sm_103", "sm_100a", "cubin", "10.0 only"},
    {"sm_87", "sm_86", "cubin", "the device has 8.7"}, /* Tegra */
    {"sm_89", "sm_87", "cubin", "8.7 only"},
    {"sm_80", "compute_80", "cubin", "not for NVIDIA"},
    {"sm_80", "sm_80", "ptx", "not for NVIDIA"},
    {"sm_80", "gfx90a", "hsaco", "not for NVIDIA"},
    {"sm_80", "x86-64-v3", "so", "not for NVIDIA"},
    {"sm_80", "sm_80b", "cubin", "not for NVIDIA"},
    {"sm_80", "sm_", "cubin", "not for NVIDIA"},
    {"sm_80", "sm_99999999999999999999", "cubin", "not for NVIDIA"},
    {"sm_80", "compute_80aa", "ptx", "not for NVIDIA"},
    {"gfx90a", "compute_80", "ptx", "unknown"},
};

START_TEST(what_does_not_run_has_a_reason)
{
    char reason[192] = "";

    ck_assert_uint_eq(
        cuda_target_rank(refusals[_i].architecture, refusals[_i].target, refusals[_i].format, reason, sizeof(reason)),
        0);
    ck_assert_msg(strstr(reason, refusals[_i].reason) != NULL, "\"%s\" for %s on %s", reason, refusals[_i].target,
                  refusals[_i].architecture);
}
END_TEST

START_TEST(reason_is_cut_to_its_room)
{
    char reason[8];

    memset(reason, 'x', sizeof(reason));
    ck_assert_uint_eq(cuda_target_rank("sm_80", "gfx90a", "hsaco", reason, 4), 0);
    ck_assert_str_eq(reason, "is ");
    ck_assert_int_eq(reason[4], 'x');
}
END_TEST

/* Every target that a device names runs on it, best first. */
START_TEST(names_are_in_the_order_of_ranks)
{
    static const int capabilities[] = {50, 62, 75, 80, 86, 87, 89, 90, 100, 103, 120, 121, 130};
    gpu_description description;
    char names[sizeof(description.targets)];
    uint32_t last = UINT32_MAX;
    char *rest;

    cuda_target_names(capabilities[_i], &description);
    memcpy(names, description.targets, sizeof(names));
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        uint32_t own = rank(description.architecture, name, strncmp(name, "sm_", 3) == 0 ? "cubin" : "ptx");
        ck_assert_msg(own > 0 && own < last, "%s of %s", name, description.targets);
        last = own;
    }
    ck_assert_ptr_eq(strstr(description.targets, description.architecture), description.targets);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cuda_target");
    TCase *loops = tcase_create("loops");

    add(suite, exact_cubin_then_newest_ptx_then_compatible_cubin);
    add(suite, reason_is_cut_to_its_room);
    tcase_add_loop_test(loops, what_does_not_run_has_a_reason, 0, (int)(sizeof(refusals) / sizeof(refusals[0])));
    tcase_add_loop_test(loops, names_are_in_the_order_of_ranks, 0, 13);
    suite_add_tcase(suite, loops);
    return suite;
}
