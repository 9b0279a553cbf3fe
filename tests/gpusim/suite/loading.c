/* SPDX-License-Identifier: Apache-2.0 */
/* What loading a module and asking for a kernel do, so that the first launch finds nothing left to do: counted in calls of
 * the driver. */
#include "rig.h"

#include <stdlib.h>

typedef struct loads {
    unsigned modules, functions, kernels, questions; /* each since the process began */
} loads;

static loads count(const char *trace)
{
    bool cuda = rig_is_cuda();
    return (loads){.modules = rig_calls(trace, cuda ? "cuModuleLoadDataEx" : "hipModuleLoadData"),
                   .functions = rig_calls(trace, cuda ? "cuModuleGetFunction" : "hipModuleGetFunction"),
                   .kernels = rig_calls(trace, "cuFuncLoad"),
                   .questions = rig_calls(trace, cuda ? "cuFuncGetAttribute" : "hipFuncGetAttribute")};
}

static void is_unchanged(loads before, loads now)
{
    ck_assert_uint_eq(now.modules, before.modules);
    ck_assert_uint_eq(now.functions, before.functions);
    ck_assert_uint_eq(now.kernels, before.kernels);
    ck_assert_uint_eq(now.questions, before.questions);
}

/* With a question at least, which loads it where there is no function that does. */
static void loads_before_the_launch(unsigned loads_per_kernel)
{
    const char *trace = rig_scratch("trace");
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    loads before = count(trace);
    ok(accel_module_load(r.other, "conformance", &module));
    loads loaded = count(trace);
    ck_assert_uint_eq(loaded.modules, before.modules + 1);
    ok(accel_module_kernel(module, "add", &kernel));
    loads found = count(trace);
    ck_assert_uint_eq(found.modules, loaded.modules);
    ck_assert_uint_eq(found.functions, loaded.functions + 1);
    ck_assert_uint_eq(found.kernels, loaded.kernels + loads_per_kernel);
    ck_assert_uint_gt(found.questions, loaded.questions);
    ok(accel_module_kernel(module, "add", &kernel)); /* once more */
    is_unchanged(found, count(trace));
    for (int i = 0; i < 2; ++i) {
        ok(rig_launch(&r, r.queue, r.add, NULL));
        ok(accel_queue_wait(r.queue));
    }
    is_unchanged(found, count(trace));
    accel_module_release(module);
    rig_end(&r);
}

START_TEST(a_kernels_code_is_loaded_when_it_is_asked_for_and_not_at_its_first_launch)
{
    loads_before_the_launch(rig_is_cuda() ? 1 : 0);
}
END_TEST

/* CUDA before 12.4; HIP has no such function. */
START_TEST(without_a_function_that_loads_a_question_does)
{
    setenv("GPUSIM_MISSING", "cuFuncLoad", 1);
    loads_before_the_launch(0);
}
END_TEST

TCase *loading_tests(void)
{
    TCase *tests = tcase_create("loading");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_kernels_code_is_loaded_when_it_is_asked_for_and_not_at_its_first_launch);
    if (rig_is_cuda())
        tcase_add_test(tests, without_a_function_that_loads_a_question_does);
    return tests;
}
