/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of instances, devices and sub-devices. */
#include "stage.h"

#include "core/base/guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_all(void)
{
    stage_plugin(stage, "cuda", "cuda");
    stage_plugin(stage, "good", "fake");
    stage_path(stage, NULL);
    setenv("ACCEL_BACKEND", "cuda,fake", 1);
}

/* Everything that was opened was closed: once each. */
static void all_closed(size_t backends, size_t devices)
{
    ck_assert_uint_eq(stage_count(stage_trace(), " open"), backends);
    ck_assert_uint_eq(stage_count(stage_trace(), " close"), backends);
    ck_assert_uint_eq(stage_count(stage_trace(), " device_open"), devices);
    ck_assert_uint_eq(stage_count(stage_trace(), " device_close"), devices);
}

START_TEST(several_instances_live_side_by_side)
{
    put_all();
    accel_instance *first = stage_instance(), *second = stage_instance();
    ck_assert_ptr_ne(accel_instance_device(first, 0), accel_instance_device(second, 0));
    accel_instance_release(first);
    ck_assert_uint_eq(accel_instance_device_count(second), 5);
    accel_instance_release(second);
    all_closed(4, 10);
}
END_TEST

START_TEST(devices_close_before_their_backend)
{
    put_all();
    setenv("ACCEL_BACKEND", "fake", 1);
    accel_instance_release(stage_instance());
    ck_assert_str_eq(stage_trace(), "fake open 0\nfake device_open 0\nfake device_close 0\nfake close 0\n");
}
END_TEST

START_TEST(a_device_keeps_its_instance_alive)
{
    put_all();
    accel_instance *instance = stage_instance();
    accel_device *device = accel_device_retain(accel_instance_device(instance, 0));
    accel_instance_release(instance);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    ck_assert_uint_eq(accel_device_info(device, &properties), ACCEL_OK);
    ck_assert_uint_eq(stage_count(stage_trace(), "close"), 0);
    accel_device_release(device);
    all_closed(2, 5);
}
END_TEST

START_TEST(the_host_keeps_its_instance_alive)
{
    put_all();
    accel_instance *instance = stage_instance();
    accel_device *host = accel_device_retain(accel_instance_host(instance));
    accel_instance_release(instance);
    ck_assert_uint_eq(accel_device_memory(host, NULL, NULL), ACCEL_OK);
    accel_device_release(host);
    all_closed(2, 5);
}
END_TEST

START_TEST(retain_and_release_take_null)
{
    ck_assert_ptr_null(accel_instance_retain(NULL));
    ck_assert_ptr_null(accel_device_retain(NULL));
    accel_instance_release(NULL);
    accel_device_release(NULL);
}
END_TEST

START_TEST(null_handles_are_refused_by_name)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_backend_properties backend = ACCEL_BACKEND_PROPERTIES_INIT;
    accel_config_properties config = ACCEL_CONFIG_PROPERTIES_INIT;
    accel_device *device = NULL;
    size_t count = 0;
    bool yes = false;

    ck_assert_uint_eq(accel_instance_backend_count(NULL), 0);
    ck_assert_uint_eq(accel_instance_device_count(NULL), 0);
    ck_assert_ptr_null(accel_instance_device(NULL, 0));
    ck_assert_ptr_null(accel_instance_host(NULL));
    ck_assert_uint_eq(accel_instance_backend_info(NULL, 0, &backend), ACCEL_INVALID);
    ck_assert_uint_eq(accel_instance_config(NULL, 0, &config), ACCEL_INVALID);
    ck_assert_uint_eq(accel_instance_find_device(NULL, "x", &device), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_info(NULL, &properties), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_memory(NULL, NULL, NULL), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_partition(NULL, NULL, NULL, 0, &count), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_can_access(NULL, NULL, &yes), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_wait(NULL), ACCEL_INVALID);
    ck_assert_str_eq(accel_error_message(), "accel_device_wait: parameter \"device\" is NULL");
}
END_TEST

static accel_partition_desc equal_shares(uint32_t count)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;

    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = count;
    return desc;
}

START_TEST(partition_counts_all_and_writes_what_fits)
{
    accel_partition_desc desc = equal_shares(3);
    accel_device *shares[4] = {NULL};
    size_t count = 0;

    put_all();
    accel_instance *instance = stage_instance();
    accel_device *device = accel_instance_device(instance, 1);
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 0, &count), ACCEL_OK);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(accel_device_partition(device, &desc, shares, 2, &count), ACCEL_OK);
    ck_assert_uint_eq(count, 3);
    ck_assert_ptr_nonnull(shares[1]);
    ck_assert_ptr_null(shares[2]);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    ck_assert_uint_eq(accel_device_info(shares[1], &properties), ACCEL_OK);
    ck_assert_str_eq(properties.name, "cuda:1/1");
    ck_assert_str_eq(properties.backend, "cuda");
    accel_device_release(shares[0]);
    accel_device_release(shares[1]);
    ck_assert_uint_eq(stage_count(stage_trace(), "share_close"), 2);
    accel_instance_release(instance);
}
END_TEST

START_TEST(M8_a_share_keeps_its_parents_alive_and_reaches_their_memory)
{
    accel_partition_desc desc = equal_shares(1);
    accel_device *share = NULL, *part = NULL;
    size_t count = 0;
    bool yes = false;

    put_all();
    accel_instance *instance = stage_instance();
    ck_assert_uint_eq(accel_device_partition(accel_instance_device(instance, 1), &desc, &share, 1, &count), ACCEL_OK);
    ck_assert_uint_eq(accel_device_can_access(share, accel_instance_device(instance, 1), &yes), ACCEL_OK);
    ck_assert(yes);
    ck_assert_uint_eq(accel_device_partition(share, &desc, &part, 1, &count), ACCEL_OK);
    accel_instance_release(instance);
    accel_device_release(share);
    ck_assert_uint_eq(stage_count(stage_trace(), "close"), 0);
    accel_device_release(accel_device_retain(part));
    ck_assert_uint_eq(accel_device_memory(part, NULL, NULL), ACCEL_OK);
    accel_device_release(part);
    ck_assert_uint_eq(stage_count(stage_trace(), "share_close"), 2);
    all_closed(2, 5);
}
END_TEST

START_TEST(partitions_that_make_no_sense_are_refused)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    size_t count = 7;

    put_all();
    accel_instance *instance = stage_instance();
    accel_device *device = accel_instance_device(instance, 0);
    ck_assert_uint_eq(accel_device_partition(device, NULL, NULL, 0, &count), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 0, &count), ACCEL_INVALID);
    desc.by = 5;
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 0, &count), ACCEL_INVALID);
    desc.by = ACCEL_PARTITION_EQUAL;
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 0, &count), ACCEL_INVALID);
    desc.by = ACCEL_PARTITION_CORES;
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 0, &count), ACCEL_INVALID);
    desc.by = ACCEL_PARTITION_NUMA;
    ck_assert_uint_eq(accel_device_partition(device, &desc, NULL, 1, &count), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_partition(accel_instance_host(instance), &desc, NULL, 0, &count), ACCEL_UNSUPPORTED);
    ck_assert_uint_eq(count, 7);
    accel_instance_release(instance);
}
END_TEST

START_TEST(Q8_in_a_host_function_creation_is_refused_and_releases_wait)
{
    accel_partition_desc desc = equal_shares(1);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_device *share = NULL;
    size_t count = 0;

    put_all();
    accel_instance *instance = stage_instance(), *none = NULL;
    ck_assert_uint_eq(accel_device_partition(accel_instance_device(instance, 0), &desc, &share, 1, &count), ACCEL_OK);
    accel_guard_enter();
    ck_assert_uint_eq(accel_instance_create(NULL, &none), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_memory(share, NULL, NULL), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_wait(share), ACCEL_INVALID);
    ck_assert_uint_eq(accel_device_info(share, &properties), ACCEL_OK);
    accel_device_release(share);
    accel_instance_release(instance);
    ck_assert_uint_eq(stage_count(stage_trace(), "close"), 0);
    accel_guard_leave(true);
    ck_assert_uint_eq(stage_count(stage_trace(), "share_close"), 1);
    all_closed(2, 5);
}
END_TEST

START_TEST(O6_descriptors_of_other_sizes_are_understood)
{
    struct {
        accel_instance_desc known;
        uint64_t more;
    } larger = {.known = ACCEL_INSTANCE_DESC_INIT};
    accel_instance *instance = NULL;

    put_all();
    larger.known.struct_size = (uint32_t)sizeof(larger);
    ck_assert_uint_eq(accel_instance_create(&larger.known, &instance), ACCEL_OK);
    accel_instance_release(instance);
    larger.more = 1;
    stage_refused(&larger.known, ACCEL_INVALID, "accel_instance_desc", NULL);
    larger.known.struct_size = offsetof(accel_instance_desc, backends); /* the first version's first fields */
    ck_assert_uint_eq(accel_instance_create(&larger.known, &instance), ACCEL_OK);
    accel_instance_release(instance);
}
END_TEST

START_TEST(configuration_rows_tell_what_is_in_force)
{
    accel_config_properties row = ACCEL_CONFIG_PROPERTIES_INIT;
    bool seen = false;

    put_all();
    setenv("ACCEL_BAKCEND", "cuda", 1);
    accel_instance *instance = stage_instance();
    size_t i = 0;
    for (; accel_instance_config(instance, i, &row) == ACCEL_OK; ++i)
        seen |= strcmp(row.name, "ACCEL_BAKCEND") == 0 && row.flags == ACCEL_CONFIG_UNKNOWN &&
                strstr(row.meaning, "ACCEL_BACKEND?") != NULL;
    ck_assert(seen);
    ck_assert_uint_eq(accel_instance_config(instance, i, &row), ACCEL_NOT_FOUND);
    ck_assert_int_eq(strncmp(accel_error_message(), "accel_instance_config: ", 23), 0);
    accel_instance_release(instance);
}
END_TEST

enum { CREATORS = 4, TURNS = 25 };

static void *create_and_release(void *unused)
{
    (void)unused;
    for (int i = 0; i < TURNS; ++i) {
        accel_instance *instance = NULL;
        ck_assert_uint_eq(accel_instance_create(NULL, &instance), ACCEL_OK);
        accel_device *device = accel_device_retain(accel_instance_device(instance, 0));
        accel_instance_release(instance);
        accel_device_release(device);
    }
    return NULL;
}

START_TEST(instances_are_created_and_released_by_many_threads_at_once)
{
    pthread_t threads[CREATORS];

    put_all();
    for (int i = 0; i < CREATORS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, create_and_release, NULL), 0);
    for (int i = 0; i < CREATORS; ++i)
        pthread_join(threads[i], NULL);
    all_closed(CREATORS * TURNS * 2, CREATORS * TURNS * 5);
}
END_TEST

START_TEST(without_memory_at_any_allocation_nothing_half_made_is_left)
{
    accel_instance *instance = (accel_instance *)&stage;
    accel_status status = ACCEL_OUT_OF_MEMORY;
    size_t n = 0;

    put_all();
    stage_plugin(stage_directory("more"), "abi", "hip");
    setenv("ACCEL_KERNEL_PATH", "/nonexistent:relative", 1);
    setenv("ACCEL_BACKEND", "cuda,fake,hip,cpu-omp", 1);
    setenv("ACCEL_DEVICES", "0,2", 1);
    setenv("ACCEL_TYPO", "1", 1);
    do {
        ck_assert_ptr_eq(instance, (accel_instance *)&stage);
        run_fail_allocation(++n);
        status = accel_instance_create(NULL, &instance);
        ck_assert_msg(status == (run_allocation_failed() ? ACCEL_OUT_OF_MEMORY : ACCEL_OK), "allocation %zu: %s: %s", n,
                      accel_status_name(status), accel_error_message());
        if (status != ACCEL_OK)
            ck_assert_uint_eq(stage_count(stage_trace(), "open"), stage_count(stage_trace(), "close"));
        unlink(getenv("FAKE_TRACE"));
    } while (status != ACCEL_OK);
    ck_assert_uint_gt(n, 40);
    run_fail_allocation(0);
    accel_instance_release(instance);
}
END_TEST

START_TEST(without_memory_partition_gives_nothing)
{
    accel_partition_desc desc = equal_shares(3);
    accel_device *shares[3] = {NULL};
    accel_status status = ACCEL_OUT_OF_MEMORY;
    size_t count = 7;

    put_all();
    accel_instance *instance = stage_instance();
    for (size_t n = 1; status != ACCEL_OK; ++n) {
        ck_assert(shares[0] == NULL && shares[1] == NULL && shares[2] == NULL && count == 7);
        run_fail_allocation(n);
        status = accel_device_partition(accel_instance_device(instance, 0), &desc, shares, 3, &count);
        ck_assert_uint_eq(status, run_allocation_failed() ? ACCEL_OUT_OF_MEMORY : ACCEL_OK);
    }
    run_fail_allocation(0);
    for (int i = 0; i < 3; ++i)
        accel_device_release(shares[i]);
    accel_instance_release(instance);
    all_closed(2, 5);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("instances");

    staged(suite, several_instances_live_side_by_side);
    staged(suite, devices_close_before_their_backend);
    staged(suite, a_device_keeps_its_instance_alive);
    staged(suite, the_host_keeps_its_instance_alive);
    staged(suite, retain_and_release_take_null);
    staged(suite, null_handles_are_refused_by_name);
    staged(suite, partition_counts_all_and_writes_what_fits);
    staged(suite, M8_a_share_keeps_its_parents_alive_and_reaches_their_memory);
    staged(suite, partitions_that_make_no_sense_are_refused);
    staged(suite, Q8_in_a_host_function_creation_is_refused_and_releases_wait);
    staged(suite, O6_descriptors_of_other_sizes_are_understood);
    staged(suite, configuration_rows_tell_what_is_in_force);
    staged(suite, instances_are_created_and_released_by_many_threads_at_once);
    staged(suite, without_memory_at_any_allocation_nothing_half_made_is_left);
    staged(suite, without_memory_partition_gives_nothing);
    return suite;
}
