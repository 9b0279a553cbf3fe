/* SPDX-License-Identifier: Apache-2.0 */
/* ACCEL_DEVICES on a fake cuda with four GPUs and a fake hip with two, and what devices answer. */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

static void put_all(void)
{
    stage_plugin(stage, "cuda", "cuda");
    stage_plugin(stage, "hip", "hip");
    stage_plugin(stage, "good", "fake");
    stage_path(stage, NULL);
    setenv("ACCEL_BACKEND", "cuda,hip,fake", 1);
}

static accel_device_properties info(accel_device *device)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    ck_assert_uint_eq(accel_device_info(device, &properties), ACCEL_OK);
    return properties;
}

/* The names of the devices, each followed by a blank. */
static void expect_devices(const char *devices, const char *expected)
{
    char names[512] = "";

    if (devices != NULL)
        setenv("ACCEL_DEVICES", devices, 1);
    accel_instance *instance = stage_instance();
    for (size_t i = 0; i < accel_instance_device_count(instance); ++i)
        strcat(strcat(names, info(accel_instance_device(instance, i)).name), " ");
    ck_assert_str_eq(names, expected);
    ck_assert_ptr_null(accel_instance_device(instance, accel_instance_device_count(instance)));
    accel_instance_release(instance);
}

START_TEST(C2_unset_all_devices_are_listed)
{
    put_all();
    expect_devices(NULL, "cuda:0 cuda:1 cuda:2 cuda:3 hip:0 hip:1 fake:0 ");
}
END_TEST

START_TEST(C2_it_narrows_each_gpu_backend_and_leaves_others_alone)
{
    put_all();
    expect_devices("1", "cuda:1 hip:1 fake:0 ");
}
END_TEST

START_TEST(C2_names_keep_the_drivers_ordinal_and_the_list_gives_the_order)
{
    put_all();
    expect_devices("2,0", "cuda:2 cuda:0 hip:0 fake:0 ");
    expect_devices(" 3 , 1", "cuda:3 cuda:1 hip:1 fake:0 ");
}
END_TEST

START_TEST(C2_devices_that_were_not_chosen_are_closed_again)
{
    put_all();
    setenv("ACCEL_BACKEND", "cuda", 1);
    setenv("ACCEL_DEVICES", "2", 1);
    accel_instance *instance = stage_instance();
    ck_assert_uint_eq(stage_count(stage_trace(), "device_close"), 3);
    ck_assert_ptr_null(strstr(stage_trace(), "device_close 2"));
    accel_instance_release(instance);
    ck_assert_uint_eq(stage_count(stage_trace(), "device_close"), 4);
}
END_TEST

START_TEST(C2_a_gpu_backend_with_none_left_has_no_device)
{
    put_all();
    setenv("ACCEL_DEVICES", "3", 1);
    accel_instance *instance = stage_instance();
    ck_assert_uint_eq(stage_backend(instance, "hip").state, ACCEL_BACKEND_NO_DEVICE);
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "hip").reason,
                                 "ACCEL_DEVICES is \"3\", which leaves none of its devices 0 to 1"));
    ck_assert_uint_eq(stage_backend(instance, "hip").device_count, 0);
    ck_assert_uint_eq(stage_backend(instance, "cuda").device_count, 1);
    accel_instance_release(instance);
    setenv("ACCEL_BACKEND", "hip", 1);
    stage_refused(NULL, ACCEL_UNAVAILABLE, "hip: no device", "leaves none", NULL);
}
END_TEST

START_TEST(C2_the_program_beats_the_environment)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;

    put_all();
    setenv("ACCEL_DEVICES", "nonsense", 1);
    desc.devices = "1";
    ck_assert_uint_eq(accel_instance_create(&desc, &instance), ACCEL_OK);
    ck_assert_uint_eq(accel_instance_device_count(instance), 3);
    accel_instance_release(instance);
}
END_TEST

static const char *const malformed[] = {",",   "0,", ",0",  "0,,1",       "-1",           "0x1",     "1.5",
                                        "0 1", "a",  "0,0", "local_rank", "local-rank,0", "9999999", "cuda:1"};
enum { MALFORMED = sizeof(malformed) / sizeof(malformed[0]) };

START_TEST(C2_what_is_no_list_of_numbers_is_an_error)
{
    put_all();
    setenv("ACCEL_DEVICES", malformed[_i], 1);
    stage_refused(NULL, ACCEL_INVALID, "ACCEL_DEVICES is \"", malformed[_i], "local-rank", NULL);
    ck_assert_str_eq(stage_trace(), "");
}
END_TEST

static const char *const launchers[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                                        "MVP_COMM_WORLD_LOCAL_RANK",  "PMI_LOCAL_RANK",  "PALS_LOCAL_RANKID",
                                        "FLUX_TASK_LOCAL_ID",         "SLURM_LOCALID"};
enum { LAUNCHERS = sizeof(launchers) / sizeof(launchers[0]) };

START_TEST(C2_local_rank_is_rank_modulo_visible_count_under_each_launcher)
{
    put_all();
    setenv(launchers[_i], "3", 1);
    expect_devices("local-rank", "cuda:3 hip:1 fake:0 ");
    setenv(launchers[_i], "6", 1);
    expect_devices(" local-rank ", "cuda:2 hip:0 fake:0 ");
}
END_TEST

START_TEST(C2_local_rank_without_a_launcher_is_an_error)
{
    put_all();
    setenv("ACCEL_DEVICES", "local-rank", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "no launcher", "SLURM_LOCALID", "mpirun", NULL);
}
END_TEST

START_TEST(a_device_that_does_not_open_is_left_out_unless_it_was_chosen)
{
    put_all();
    setenv("FAKE_BAD", "1", 1);
    setenv("ACCEL_BACKEND", "cuda", 1);
    expect_devices(NULL, "cuda:0 cuda:2 cuda:3 ");
    expect_devices("0", "cuda:0 ");
    setenv("ACCEL_DEVICES", "0,1", 1);
    stage_expect("cuda", ACCEL_BACKEND_BROKEN, ": devices: ", "cuda:1", "fell off the bus", NULL);
    ck_assert_uint_eq(stage_count(stage_trace(), "device_open"), stage_count(stage_trace(), "device_close"));
    ck_assert_uint_eq(stage_count(stage_trace(), " open"), stage_count(stage_trace(), " close"));
}
END_TEST

START_TEST(a_usable_backend_says_which_of_its_devices_does_not_open)
{
    put_all();
    setenv("FAKE_BAD", "1", 1);
    setenv("ACCEL_BACKEND", "cuda", 1);
    accel_instance *instance = stage_instance();
    ck_assert_uint_eq(stage_backend(instance, "cuda").state, ACCEL_BACKEND_USABLE);
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "cuda").reason, ": devices: cuda:1: "));
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "cuda").reason, "fell off the bus"));
    accel_device *device = NULL;
    ck_assert_uint_eq(accel_instance_find_device(instance, "cuda:1", &device), ACCEL_NOT_FOUND);
    ck_assert_msg(strstr(accel_error_message(), "cuda:3, host; ") != NULL &&
                      strstr(accel_error_message(), "fell off the bus") != NULL,
                  "%s", accel_error_message());
    accel_instance_release(instance);
    setenv("FAKE_BAD", "9", 1);
    instance = stage_instance();
    ck_assert_str_eq(stage_backend(instance, "cuda").reason, "");
    accel_instance_release(instance);
}
END_TEST

START_TEST(if_no_device_opens_the_backend_is_broken)
{
    put_all();
    setenv("FAKE_BAD", "0", 1);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": devices: ", "fake:0", "fell off the bus", NULL);
}
END_TEST

START_TEST(libaccel_names_devices_and_ends_their_texts)
{
    put_all();
    accel_instance *instance = stage_instance();
    accel_device_properties properties = info(accel_instance_device(instance, 1));
    ck_assert_str_eq(properties.name, "cuda:1");
    ck_assert_str_eq(properties.backend, "cuda");
    ck_assert_uint_eq(properties.ordinal, 1);
    ck_assert_uint_eq(strlen(properties.description), sizeof(properties.description) - 1);
    accel_instance_release(instance);
}
END_TEST

static void finds(const accel_instance *instance, const char *name, const char *expected)
{
    accel_device *device = NULL;

    ck_assert_msg(accel_instance_find_device(instance, name, &device) == ACCEL_OK, "%s", accel_error_message());
    ck_assert_str_eq(info(device).name, expected);
}

static void finds_not(const accel_instance *instance, const char *name, const char *reason)
{
    accel_device *device = NULL;

    ck_assert_uint_eq(accel_instance_find_device(instance, name, &device), ACCEL_NOT_FOUND);
    ck_assert_ptr_null(device);
    ck_assert_msg(strstr(accel_error_message(), reason) != NULL, "%s", accel_error_message());
}

START_TEST(find_device_knows_devices_backends_the_host_and_the_first)
{
    put_all();
    setenv("ACCEL_DEVICES", "1,0", 1);
    accel_instance *instance = stage_instance();
    finds(instance, "hip:0", "hip:0");
    finds(instance, "hip", "hip:1");
    finds(instance, "host", "host");
    finds(instance, NULL, "cuda:1");
    finds_not(instance, "cuda:7",
              "there is no device \"cuda:7\"; there are cuda:1, cuda:0, hip:1, hip:0, fake:0, host");
    finds_not(instance, "cudda:1", "maybe \"cuda:1\"?");
    finds_not(instance, "cpu-omp:0", "backend cpu-omp: not installed: search: ");
    finds_not(instance, "", "there is no device \"\"");
    accel_instance_release(instance);
}
END_TEST

START_TEST(an_instance_without_devices_finds_only_the_host)
{
    setenv("ACCEL_BACKEND", "hip", 1);
    accel_instance *instance = stage_instance();
    ck_assert_uint_eq(accel_instance_device_count(instance), 0);
    finds(instance, "host", "host");
    finds_not(instance, NULL, "no device");
    accel_instance_release(instance);
}
END_TEST

START_TEST(the_host_is_a_device_with_memory_and_nothing_else)
{
    size_t available = 0, total = 0;
    bool yes = true;

    put_all();
    accel_instance *instance = stage_instance();
    accel_device *host = accel_instance_host(instance);
    accel_device_properties properties = info(host);
    ck_assert_uint_eq(properties.kind, ACCEL_DEVICE_HOST);
    ck_assert_uint_eq(properties.features, ACCEL_FEATURE_HOST_MEMORY);
    ck_assert_uint_eq(accel_device_memory(host, &available, &total), ACCEL_OK);
    ck_assert_uint_gt(available, 0);
    ck_assert_uint_ge(total, available);
    ck_assert_uint_eq(accel_device_wait(host), ACCEL_OK);
    ck_assert_uint_eq(accel_device_can_access(host, host, &yes), ACCEL_OK);
    ck_assert(!yes);
    accel_instance_release(instance);
}
END_TEST

START_TEST(memory_takes_null_for_what_is_not_asked)
{
    size_t total = 0;

    put_all();
    accel_instance *instance = stage_instance();
    accel_device *device = accel_instance_device(instance, 0);
    ck_assert_uint_eq(accel_device_memory(device, NULL, &total), ACCEL_OK);
    ck_assert_uint_eq(total, 1 << 20);
    ck_assert_uint_eq(accel_device_memory(device, NULL, NULL), ACCEL_OK);
    accel_instance_release(instance);
}
END_TEST

static bool can_access(accel_device *device, accel_device *peer)
{
    bool yes = false;

    ck_assert_uint_eq(accel_device_can_access(device, peer, &yes), ACCEL_OK);
    return yes;
}

START_TEST(access_is_asked_of_the_backend_only_among_its_own)
{
    bool yes = false;

    put_all();
    accel_instance *instance = stage_instance(), *other = stage_instance();
    accel_device *first = accel_instance_device(instance, 0), *second = accel_instance_device(instance, 1);
    ck_assert(can_access(first, first));
    ck_assert(can_access(first, second)); /* the fake: to the next one only */
    ck_assert(!can_access(second, first));
    ck_assert(!can_access(first, accel_instance_device(instance, 4)));
    ck_assert(!can_access(first, accel_instance_host(instance)));
    ck_assert_uint_eq(accel_device_can_access(first, accel_instance_device(other, 0), &yes), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "different instances"));
    accel_instance_release(other);
    accel_instance_release(instance);
}
END_TEST

START_TEST(optional_slots_that_are_missing_answer_unsupported)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    size_t number = 7;

    stage_plugin(stage, "bare", "fake");
    stage_path(stage, NULL);
    setenv("ACCEL_BACKEND", "fake", 1);
    accel_instance *instance = stage_instance();
    accel_device *device = accel_instance_device(instance, 0);
    desc.by = ACCEL_PARTITION_NUMA;
    ck_assert_uint_eq(accel_device_memory(device, &number, NULL), ACCEL_UNSUPPORTED);
    ck_assert_int_eq(strncmp(accel_error_message(), "accel_device_memory: ", 21), 0);
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 0, &number), ACCEL_UNSUPPORTED);
    ck_assert_uint_eq(number, 7);
    ck_assert(can_access(device, device)); /* NULL means no peers */
    accel_instance_release(instance);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("devices");

    staged(suite, C2_unset_all_devices_are_listed);
    staged(suite, C2_it_narrows_each_gpu_backend_and_leaves_others_alone);
    staged(suite, C2_names_keep_the_drivers_ordinal_and_the_list_gives_the_order);
    staged(suite, C2_devices_that_were_not_chosen_are_closed_again);
    staged(suite, C2_a_gpu_backend_with_none_left_has_no_device);
    staged(suite, C2_the_program_beats_the_environment);
    staged_loop(suite, C2_what_is_no_list_of_numbers_is_an_error, MALFORMED);
    staged_loop(suite, C2_local_rank_is_rank_modulo_visible_count_under_each_launcher, LAUNCHERS);
    staged(suite, C2_local_rank_without_a_launcher_is_an_error);
    staged(suite, a_device_that_does_not_open_is_left_out_unless_it_was_chosen);
    staged(suite, a_usable_backend_says_which_of_its_devices_does_not_open);
    staged(suite, if_no_device_opens_the_backend_is_broken);
    staged(suite, libaccel_names_devices_and_ends_their_texts);
    staged(suite, find_device_knows_devices_backends_the_host_and_the_first);
    staged(suite, an_instance_without_devices_finds_only_the_host);
    staged(suite, the_host_is_a_device_with_memory_and_nothing_else);
    staged(suite, memory_takes_null_for_what_is_not_asked);
    staged(suite, access_is_asked_of_the_backend_only_among_its_own);
    staged(suite, optional_slots_that_are_missing_answer_unsupported);
    return suite;
}
