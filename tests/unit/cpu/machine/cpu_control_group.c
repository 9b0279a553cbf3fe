/* SPDX-License-Identifier: Apache-2.0 */
/* What control groups limit, from trees of files such as the system shows them. */
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/system.h"
#include "run.h"
#include "tree.h"

#include <stdio.h>

START_TEST(no_quota_is_no_limit)
{
    ck_assert_uint_eq(cpu_group_quota(tree_root), UINT32_MAX);
    tree_put("/proc/self/cgroup", "0::/user.slice\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), UINT32_MAX);
    tree_put("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), UINT32_MAX);
    tree_put("/sys/fs/cgroup/user.slice/cpu.max", "rubbish\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), UINT32_MAX);
}
END_TEST

START_TEST(a_quota_of_version_2_is_rounded_up)
{
    tree_put("/proc/self/cgroup", "0::/job/step\n");
    tree_put("/sys/fs/cgroup/job/step/cpu.max", "150000 100000\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), 2);
    tree_put("/sys/fs/cgroup/job/step/cpu.max", "1000 100000\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), 1);
}
END_TEST

START_TEST(the_least_quota_of_all_groups_above_counts)
{
    tree_put("/proc/self/cgroup", "0::/job/step/task\n");
    tree_put("/sys/fs/cgroup/job/step/task/cpu.max", "max 100000\n");
    tree_put("/sys/fs/cgroup/job/step/cpu.max", "800000 100000\n");
    tree_put("/sys/fs/cgroup/job/cpu.max", "300000 100000\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), 3);
}
END_TEST

START_TEST(inside_a_container_the_own_group_is_the_root)
{
    tree_put("/proc/self/cgroup", "0::/kubepods/pod1/abc\n"); /* the host's path, not visible here */
    tree_put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    ck_assert_uint_eq(cpu_group_quota(tree_root), 4);
}
END_TEST

START_TEST(a_quota_of_version_1_counts_under_both_names)
{
    static const char *const mounts[] = {"cpu", "cpu,cpuacct"};

    for (int i = 0; i < 2; ++i) {
        char line[128];
        snprintf(line, sizeof(line), "9:cpuset:/\n3:%s:/docker/x\n1:name=systemd:/\n0::/\n", mounts[i]);
        tree_put("/proc/self/cgroup", line);
        tree_put("/sys/fs/cgroup/%s/docker/x/cpu.cfs_period_us", "50000\n", mounts[i]);
        tree_put("/sys/fs/cgroup/%s/docker/x/cpu.cfs_quota_us", "-1\n", mounts[i]);
        ck_assert_uint_eq(cpu_group_quota(tree_root), UINT32_MAX);
        tree_put("/sys/fs/cgroup/%s/docker/x/cpu.cfs_quota_us", "250000\n", mounts[i]);
        ck_assert_uint_eq(cpu_group_quota(tree_root), 5);
        tree_remove();
        tree_make();
    }
}
END_TEST

START_TEST(the_group_s_cpus_are_those_of_its_cpuset)
{
    ck_assert_uint_eq(cpu_group_cpus(tree_root), UINT32_MAX);
    tree_put("/proc/self/cgroup", "4:cpuset:/job\n0::/job/step\n");
    tree_put("/sys/fs/cgroup/cpuset.cpus.effective", "0-63\n");
    ck_assert_uint_eq(cpu_group_cpus(tree_root), 64);
    tree_put("/sys/fs/cgroup/job/cpuset.cpus.effective", "0-7,32-39\n");
    ck_assert_uint_eq(cpu_group_cpus(tree_root), 16);
    tree_put("/sys/fs/cgroup/cpuset/job/cpuset.cpus", "0-3\n");
    ck_assert_uint_eq(cpu_group_cpus(tree_root), 4);
}
END_TEST

enum { MIB = 1 << 20 };

/* A machine with 1024 MiB, of which 900 are available. */
static void check_memory(uint64_t available, uint64_t total)
{
    uint64_t actual_available, actual_total;

    tree_put("/proc/meminfo",
             "MemTotal:        1048576 kB\nMemFree:            1024 kB\nMemAvailable:     921600 kB\n");
    cpu_system_memory(tree_root, &actual_available, &actual_total);
    ck_assert_uint_eq(actual_total, total * MIB);
    ck_assert_uint_eq(actual_available, available * MIB);
}

START_TEST(without_a_limit_memory_is_the_machine_s)
{
    check_memory(900, 1024);
    tree_put("/proc/self/cgroup", "7:memory:/job\n0::/job\n");
    tree_put("/sys/fs/cgroup/job/memory.max", "max\n");
    tree_put("/sys/fs/cgroup/job/memory.current", "1048576\n");
    tree_put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    tree_put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1048576\n");
    check_memory(900, 1024);
}
END_TEST

START_TEST(the_least_memory_of_all_groups_above_counts)
{
    tree_put("/proc/self/cgroup", "0::/job/step/task\n");
    tree_put("/sys/fs/cgroup/job/step/task/memory.max", "max\n");
    tree_put("/sys/fs/cgroup/job/step/memory.max", "536870912\n"); /* 512 MiB */
    tree_put("/sys/fs/cgroup/job/step/memory.current", "104857600\n");
    check_memory(412, 512);
    tree_put("/sys/fs/cgroup/job/memory.max", "805306368\n"); /* 768 MiB, of which others use most */
    tree_put("/sys/fs/cgroup/job/memory.current", "734003200\n");
    check_memory(68, 512);
}
END_TEST

START_TEST(memory_of_a_group_of_version_1_counts)
{
    tree_put("/proc/self/cgroup", "7:memory:/docker/x\n0::/\n");
    tree_put("/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "536870912\n");
    tree_put("/sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes", "104857600\n");
    check_memory(412, 512);
    tree_put("/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "268435456\n");
    tree_put("/sys/fs/cgroup/memory/docker/memory.usage_in_bytes", "268435456\n");
    check_memory(0, 256);
}
END_TEST

START_TEST(a_container_s_memory_is_that_of_the_root_it_sees)
{
    tree_put("/proc/self/cgroup", "0::/kubepods/pod1/abc\n");
    tree_put("/sys/fs/cgroup/memory.max", "536870912\n");
    check_memory(512, 512);
}
END_TEST

START_TEST(cached_files_of_a_group_are_available)
{
    tree_put("/proc/self/cgroup", "0::/job\n");
    tree_put("/sys/fs/cgroup/job/memory.max", "536870912\n");
    tree_put("/sys/fs/cgroup/job/memory.current", "536870912\n");
    tree_put("/sys/fs/cgroup/job/memory.stat", "anon 1048576\nactive_file 4096\ninactive_file 314572800\n");
    check_memory(300, 512);
    tree_put("/sys/fs/cgroup/job/memory.stat", "inactive_file 99999999999\n");
    check_memory(512, 512);
}
END_TEST

START_TEST(lists_of_cpus_are_read_as_far_as_they_go)
{
    static const struct {
        const char *list;
        uint32_t count;
    } lists[] = {{"", 0}, {"0", 1}, {"0-3,8", 5}, {"7-4", 0}, {"1,x", 1}, {"8190-9000", 2}, {"0-", 1}};

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); ++i) {
        uint8_t mask[CPU_MASK_BYTES] = {0};
        cpu_mask_add_list(mask, lists[i].list);
        ck_assert_uint_eq(cpu_mask_count(mask), lists[i].count);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_control_group");
    TCase *trees = tcase_create("trees");

    tcase_add_checked_fixture(trees, tree_make, tree_remove);
    tcase_add_test(trees, no_quota_is_no_limit);
    tcase_add_test(trees, a_quota_of_version_2_is_rounded_up);
    tcase_add_test(trees, the_least_quota_of_all_groups_above_counts);
    tcase_add_test(trees, inside_a_container_the_own_group_is_the_root);
    tcase_add_test(trees, a_quota_of_version_1_counts_under_both_names);
    tcase_add_test(trees, the_group_s_cpus_are_those_of_its_cpuset);
    tcase_add_test(trees, without_a_limit_memory_is_the_machine_s);
    tcase_add_test(trees, the_least_memory_of_all_groups_above_counts);
    tcase_add_test(trees, memory_of_a_group_of_version_1_counts);
    tcase_add_test(trees, a_container_s_memory_is_that_of_the_root_it_sees);
    tcase_add_test(trees, cached_files_of_a_group_are_available);
    suite_add_tcase(suite, trees);
    add(suite, lists_of_cpus_are_read_as_far_as_they_go);
    return suite;
}
