/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config/local_rank.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static const char *const rank_variables[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
    "MVP_COMM_WORLD_LOCAL_RANK",  "PMI_LOCAL_RANK",  "PALS_LOCAL_RANKID",
    "FLUX_TASK_LOCAL_ID",         "SLURM_LOCALID"};
enum { LAUNCHERS = sizeof(rank_variables) / sizeof(rank_variables[0]) };

static void no_launcher(void)
{
    for (int i = 0; i < LAUNCHERS; ++i)
        unsetenv(rank_variables[i]);
}

START_TEST(C2_the_rank_comes_from_each_launchers_variable)
{
    const char *variable = NULL;
    uint32_t rank = 99;

    no_launcher();
    setenv(rank_variables[_i], "3", 1);
    ck_assert_uint_eq(accel_local_rank(&rank, &variable), ACCEL_OK);
    ck_assert_uint_eq(rank, 3);
    ck_assert_str_eq(variable, rank_variables[_i]);
}
END_TEST

START_TEST(C2_a_launcher_inside_slurm_beats_slurm)
{
    const char *variable = NULL;
    uint32_t rank = 99;

    no_launcher();
    setenv("SLURM_LOCALID", "0", 1);
    setenv("MPI_LOCALRANKID", "5", 1);
    ck_assert_uint_eq(accel_local_rank(&rank, &variable), ACCEL_OK);
    ck_assert_uint_eq(rank, 5);
}
END_TEST

START_TEST(C2_without_a_launcher_the_text_lists_what_was_looked_for)
{
    const char *variable = NULL;
    uint32_t rank = 99;

    no_launcher();
    ck_assert_uint_eq(accel_local_rank(&rank, &variable), ACCEL_NOT_FOUND);
    for (int i = 0; i < LAUNCHERS; ++i)
        ck_assert_ptr_nonnull(strstr(accel_error_message(), rank_variables[i]));
    ck_assert_uint_eq(rank, 99);
}
END_TEST

START_TEST(C2_a_rank_that_is_no_number_is_refused)
{
    const char *variable = NULL;
    uint32_t rank = 99;

    no_launcher();
    setenv("SLURM_LOCALID", "-1", 1);
    ck_assert_uint_eq(accel_local_rank(&rank, &variable), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "SLURM_LOCALID is \"-1\""));
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("local_rank");
    TCase *launchers = tcase_create("C2_the_rank_comes_from_each_launchers_variable");

    tcase_add_loop_test(launchers, C2_the_rank_comes_from_each_launchers_variable, 0, LAUNCHERS);
    suite_add_tcase(suite, launchers);
    add(suite, C2_a_launcher_inside_slurm_beats_slurm);
    add(suite, C2_without_a_launcher_the_text_lists_what_was_looked_for);
    add(suite, C2_a_rank_that_is_no_number_is_refused);
    return suite;
}
