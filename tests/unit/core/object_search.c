/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel objects on the kernel path: names, ranks, order, and the texts when none will do. */
#include "core/api/instance.h"
#include "core/objects/object_search.h"
#include "fake_backend.h"
#include "run.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64], first[80], second[80], absent[80];
static fake_backend *fake;
static char *path[] = {first, second, absent, NULL};
static const char *const gpu_files[] = {
    "1/gpu.x86-64.so",         "1/gpu.compute_75.ptx",      "1/gpu.compute_90.ptx",
    "1/gpu.compute_120.ptx",   "2/gpu.sm_90.cubin",         "1/gpu.sm_80.cubin",
    "1/gpu.gfx90a.hsaco",      "1/gpu.gfx90a:xnack+.hsaco", "1/gpu.gfx90a:sramecc+:xnack+.hsaco",
    "2/gpu.gfx9-generic.hsaco"};
static const char *const files[] = {"1/blas.rank-1.so",  "1/blas.rank-5.so",      "2/blas.rank-5.so",
                                    "2/blas.rank-0.so",  "2/blas.gfx90a.hsaco",   "2/blas.so",
                                    "2/blas.rank-9.txt", "1/blas-v1.2.rank-7.so", "2/.rank-9.so",
                                    "2/blas..so",        "2/libblas.so.3",        "2/other.rank-0.so"};

static void file(const char *name, bool make)
{
    char full[256];

    snprintf(full, sizeof(full), "%s/%s", root, name);
    if (!make) {
        unlink(full);
        return;
    }
    FILE *stream = fopen(full, "w");
    ck_assert_ptr_nonnull(stream);
    fputs("not ELF", stream);
    fclose(stream);
}

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(root, sizeof(root), "%s/accel-unit-XXXXXX", tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(first, sizeof(first), "%s/1", root);
    snprintf(second, sizeof(second), "%s/2", root);
    snprintf(absent, sizeof(absent), "%s/3", root);
    ck_assert_int_eq(mkdir(first, 0700) | mkdir(second, 0700), 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i)
        file(files[i], true);
    for (size_t i = 0; i < sizeof(gpu_files) / sizeof(gpu_files[0]); ++i)
        file(gpu_files[i], true);
    fake = fake_open(path);
}

static void tear_down(void)
{
    fake_close();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i)
        file(files[i], false);
    for (size_t i = 0; i < sizeof(gpu_files) / sizeof(gpu_files[0]); ++i)
        file(gpu_files[i], false);
    rmdir(first);
    rmdir(second);
    rmdir(root);
}

static bool says(const char *part)
{
    return strstr(accel_error_message(), part) != NULL;
}

START_TEST(names_are_split_at_the_last_two_dots)
{
    accel_object_parts name;
    accel_status status;
    static const char *const none[] = {"blas.so",         "blas1",        ".x86-64.so", "blas..so",
                                       "blas.x86-64.txt", "libblas.so.3", "",           "."};

    ck_assert(accel_object_parts_parse("blas-v1.2.gfx90a:xnack+.hsaco", &name, &status));
    ck_assert_str_eq(name.library, "blas-v1.2");
    ck_assert_str_eq(name.target, "gfx90a:xnack+");
    ck_assert_str_eq(name.format, "hsaco");
    accel_object_parts_clear(&name);
    ck_assert(accel_object_parts_parse("blas1.compute_100f.ptx", &name, &status));
    ck_assert_str_eq(name.target, "compute_100f");
    ck_assert_str_eq(name.format, "ptx");
    accel_object_parts_clear(&name);
    ck_assert(accel_object_parts_parse("blas1.sm_90a.cubin", &name, &status));
    ck_assert_str_eq(name.target, "sm_90a");
    ck_assert_str_eq(name.format, "cubin");
    accel_object_parts_clear(&name);
    ck_assert(accel_object_parts_parse("blas1.gfx11-generic.hsaco", &name, &status));
    ck_assert_str_eq(name.library, "blas1");
    ck_assert_str_eq(name.target, "gfx11-generic");
    accel_object_parts_clear(&name);
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); ++i) {
        ck_assert_msg(!accel_object_parts_parse(none[i], &name, &status), "%s", none[i]);
        ck_assert_uint_eq(status, ACCEL_OK);
    }
}
END_TEST

START_TEST(the_best_rank_comes_first_and_of_equals_the_earlier_directory)
{
    accel_object_list list = {0};
    accel_device *device = fake->device;

    ck_assert_uint_eq(accel_object_search(path, device, "blas", &list), ACCEL_OK);
    ck_assert_uint_eq(list.count, 5);
    ck_assert_uint_eq(list.items[0].rank, 5);
    ck_assert_uint_eq(list.items[0].directory, 0);
    ck_assert_uint_eq(list.items[1].rank, 5);
    ck_assert_uint_eq(list.items[1].directory, 1);
    ck_assert_uint_eq(list.items[2].rank, 1);
    ck_assert_uint_eq(list.items[3].rank, 0);
    ck_assert_uint_eq(list.items[4].rank, 0);
    ck_assert_ptr_nonnull(strstr(accel_text_peek(&list.searched), "/3 (No such file or directory)"));
    accel_object_list_clear(&list);
    ck_assert_uint_eq(accel_object_search(path, device, NULL, &list), ACCEL_OK);
    ck_assert_uint_eq(list.count, 7 + sizeof(gpu_files) / sizeof(gpu_files[0]));
    accel_object_list_clear(&list);
}
END_TEST

/* The directory for which opendir fails, if not NULL: core calls this one. */
static const char *failing_directory;
static int failure;

DIR *opendir(const char *name)
{
    static DIR *(*next)(const char *);
    void *found = dlsym(RTLD_NEXT, "opendir");

    if (failing_directory != NULL && strcmp(name, failing_directory) == 0) {
        errno = failure;
        return NULL;
    }
    memcpy(&next, &found, sizeof(next));
    return next(name);
}

static bool visit_nothing(void *user, const accel_object_properties *object)
{
    (void)user, (void)object;
    return true;
}

START_TEST(a_directory_that_cannot_be_read_now_is_no_missing_library)
{
    static const struct {
        int number;
        accel_status status;
        const char *words[2];
    } failures[] = {{ENOMEM, ACCEL_OUT_OF_MEMORY, {"Cannot allocate memory", "free some memory"}},
                    {EMFILE, ACCEL_IO, {"Too many open files", "ulimit -n"}},
                    {ENFILE, ACCEL_IO, {"Too many open files in system", "ulimit -n"}},
                    {EIO, ACCEL_IO, {"Input/output error", "take it out of the search path"}}};
    accel_module *module = NULL;

    failing_directory = second;
    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); ++i) {
        failure = failures[i].number;
        ck_assert_uint_eq(accel_module_load(fake->device, "blas", &module), failures[i].status);
        ck_assert_msg(says("accel_module_load: ") && says(second) && says(failures[i].words[0]) &&
                          says(failures[i].words[1]) && !says("no kernel library"),
                      "%s", accel_error_message());
        ck_assert_uint_eq(accel_device_visit_objects(fake->device, NULL, visit_nothing, NULL), failures[i].status);
    }
    failure = EACCES; /* as if it were not there */
    ck_assert_uint_eq(accel_module_load(fake->device, "other", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("/2 (Permission denied)"), "%s", accel_error_message());
    failing_directory = NULL;
    ck_assert_ptr_null(module);
}
END_TEST

START_TEST(out_of_memory_in_a_search_leaves_nothing_behind)
{
    accel_device *device = fake->device;
    accel_object_list list = {0};
    size_t n = 1;

    for (bool failed = true; failed; ++n) {
        run_fail_allocation(n);
        accel_status status = accel_object_search(path, device, NULL, &list);
        failed = run_allocation_failed();
        run_fail_allocation(0);
        ck_assert(status == ACCEL_OK || (failed && status == ACCEL_OUT_OF_MEMORY));
        accel_object_list_clear(&list);
    }
    ck_assert_uint_gt(n, 10);
}
END_TEST

START_TEST(a_broken_best_object_is_an_error_and_nothing_else_is_taken)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "blas", &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says("accel_module_load: ") && says("/1/blas.rank-5.so") && says("not an ELF file"), "%s",
                  accel_error_message());
    ck_assert_ptr_null(module);
}
END_TEST

START_TEST(an_unknown_library_is_answered_with_the_nearest_name_and_the_directories)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "blsa", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("\"blsa\"") && says("did you mean \"blas\"?") && says(first) && says(second) &&
                      says("--targets=rank-9"),
                  "%s", accel_error_message());
    ck_assert_msg(says("make one with accelcc -o ") && says("/3/blsa blsa.k.c --targets=rank-9"), "%s",
                  accel_error_message());
    ck_assert(!says("ignored"));
}
END_TEST

START_TEST(an_entry_of_the_path_that_is_ignored_is_named)
{
    static char entries[] = "\"k\" of ACCEL_KERNEL_PATH";
    accel_module *module = NULL;

    fake->device->instance->kernel_path_ignored = entries;
    ck_assert_uint_eq(accel_module_load(fake->device, "blsa", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("ignored, because not absolute: \"k\" of ACCEL_KERNEL_PATH"), "%s", accel_error_message());
    ck_assert_uint_eq(accel_module_load(fake->device, "other", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("ignored, because not absolute: \"k\" of ACCEL_KERNEL_PATH"), "%s", accel_error_message());
}
END_TEST

START_TEST(objects_that_do_not_run_here_are_listed_with_reasons)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "other", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("\"other\"") && says("imaginary") && says("/2/other.rank-0.so (unknown target rank-0.so)") &&
                      says("--targets=rank-9"),
                  "%s", accel_error_message());
}
END_TEST

/* Bytes that this process has read so far. */
static unsigned long bytes_read(void)
{
    unsigned long bytes = 0;
    FILE *stream = fopen("/proc/self/io", "r");

    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(fscanf(stream, "rchar: %lu", &bytes), 1);
    fclose(stream);
    return bytes;
}

typedef struct foreign {
    size_t seen;
    char reasons[4096];
} foreign;

static bool visit_foreign(void *user, const accel_object_properties *object)
{
    foreign *all = user;
    size_t length = strlen(all->reasons);

    ++all->seen;
    ck_assert_uint_eq(object->kernel_count, 0);
    snprintf(all->reasons + length, sizeof(all->reasons) - length, "%s\n", object->reason);
    return true;
}

/* 3 GB without a byte on the disk; one begins as this program does. */
START_TEST(of_a_foreign_file_only_the_headers_are_read)
{
    static const char *const names[] = {"foreign.rank-5.so", "foreign.rank-6.so", "foreign.rank-7.ptx",
                                        "foreign.rank-8.cubin"};
    static const off_t size = (off_t)3 << 30;
    char full[256], copy[600];
    foreign all = {0};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        snprintf(full, sizeof(full), "%s/%s", first, names[i]);
        snprintf(copy, sizeof(copy), "cp /proc/%d/exe '%s' && chmod 600 '%s'", (int)getpid(), full, full);
        FILE *stream = i == 0 ? NULL : fopen(full, "w");
        ck_assert(i == 0 ? system(copy) == 0 : stream != NULL && fclose(stream) == 0);
        ck_assert_int_eq(truncate(full, size), 0);
    }
    unsigned long before = bytes_read();
    ck_assert_uint_eq(accel_device_visit_objects(fake->device, "foreign", visit_foreign, &all), ACCEL_OK);
    unsigned long read = bytes_read() - before;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        snprintf(full, sizeof(full), "%s/%s", first, names[i]);
        unlink(full);
    }
    ck_assert_uint_eq(all.seen, sizeof(names) / sizeof(names[0]));
    ck_assert_msg(read < (32u << 20), "%lu bytes were read", read);
    ck_assert_msg(strstr(all.reasons, "not an ELF file") != NULL, "%s", all.reasons);
}
END_TEST

START_TEST(names_with_directories_are_no_library_names)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "1/blas", &module), ACCEL_INVALID);
    ck_assert_uint_eq(accel_module_load(fake->device, "", &module), ACCEL_INVALID);
}
END_TEST

START_TEST(a_given_file_of_another_target_is_incompatible)
{
    accel_module *module = NULL;
    char name[128];

    snprintf(name, sizeof(name), "%s/blas.gfx90a.hsaco", second);
    ck_assert_uint_eq(accel_module_load_file(fake->device, name, &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says(name) && says("gfx90a"), "%s", accel_error_message());
    snprintf(name, sizeof(name), "%s/blas.rank-3.so", second);
    ck_assert_uint_eq(accel_module_load_file(fake->device, name, &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says(name), "%s", accel_error_message());
    snprintf(name, sizeof(name), "%s/blas.so", second);
    ck_assert_uint_eq(accel_module_load_file(fake->device, name, &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says("NAME.TARGET.FORMAT"), "%s", accel_error_message());
}
END_TEST

typedef struct seen {
    size_t objects, chosen;
} seen;

static bool count(void *user, const accel_object_properties *object)
{
    seen *counts = user;

    ++counts->objects;
    if (object->chosen) {
        ++counts->chosen;
        if (strcmp(object->library, "blas") == 0) {
            ck_assert_str_eq(object->target, "rank-5");
            ck_assert_msg(strstr(object->reason, "loading it will fail") != NULL, "%s", object->reason);
        }
    }
    return true;
}

START_TEST(a_visit_shows_every_object_and_one_choice_per_library)
{
    seen counts = {0, 0};

    ck_assert_uint_eq(accel_device_visit_objects(fake->device, NULL, count, &counts), ACCEL_OK);
    ck_assert_uint_eq(counts.objects, 7 + sizeof(gpu_files) / sizeof(gpu_files[0]));
    ck_assert_uint_eq(counts.chosen, 2); /* none of "other" and "gpu" */
}
END_TEST

/* The best object of "gpu" is this one: loading fails, because the file is no such object, and names it. */
static void best_is(const char *const *targets, const char *path_end)
{
    accel_module *module = NULL;

    fake->targets = targets;
    ck_assert_uint_eq(accel_module_load(fake->device, "gpu", &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says(path_end), "%s", accel_error_message());
}

START_TEST(the_device_s_order_decides_between_cubin_ptx_and_code_objects)
{
    static const char *const h200[] = {
        "sm_90a.cubin", "sm_90.cubin", "compute_90a.ptx", "compute_90.ptx", "sm_80.cubin", "compute_75.ptx", NULL};
    static const char *const ada[] = {"sm_89.cubin", "compute_89.ptx", "compute_75.ptx", NULL};
    static const char *const mi250[] = {"gfx90a:sramecc+:xnack+.hsaco", "gfx90a:xnack+.hsaco", "gfx90a.hsaco",
                                        "gfx9-generic.hsaco", NULL};
    static const char *const mi210[] = {"gfx90a:xnack-.hsaco", "gfx9-generic.hsaco", NULL};

    best_is(h200, "/2/gpu.sm_90.cubin: ");
    best_is(h200 + 2, "/1/gpu.compute_90.ptx: ");
    best_is(ada, "/1/gpu.compute_75.ptx: ");
    best_is(mi250, "/1/gpu.gfx90a:sramecc+:xnack+.hsaco: ");
    best_is(mi250 + 1, "/1/gpu.gfx90a:xnack+.hsaco: ");
    best_is(mi210, "/2/gpu.gfx9-generic.hsaco: ");
}
END_TEST

START_TEST(a_gpu_that_runs_none_is_told_all_that_is_there_and_what_to_make)
{
    static const char *const none[] = {NULL};
    accel_module *module = NULL;

    fake->targets = none;
    snprintf(fake->device->properties.name, sizeof(fake->device->properties.name), "hip:0");
    snprintf(fake->device->properties.architecture, sizeof(fake->device->properties.architecture), "gfx942:xnack-");
    snprintf(fake->device->properties.targets, sizeof(fake->device->properties.targets), "gfx942:xnack- gfx942");
    ck_assert_uint_eq(accel_module_load(fake->device, "gpu", &module), ACCEL_NOT_FOUND);
    for (size_t i = 0; i < sizeof(gpu_files) / sizeof(gpu_files[0]); ++i)
        ck_assert_msg(says(gpu_files[i]), "%s is not in: %s", gpu_files[i], accel_error_message());
    ck_assert_msg(says("\"gpu\" has no object for gfx942:xnack- of \"hip:0\"") &&
                      says("(does not run compute_75.ptx)") && says("/gpu gpu.k.c --targets=gfx942:xnack-"),
                  "%s", accel_error_message());
}
END_TEST

START_TEST(bundles_are_chosen_from_in_the_same_way)
{
    static const char *const cuda[] = {"sm_90.cubin", "compute_80.ptx", "compute_75.ptx", NULL}, *const none[] = {NULL};
    accel_bundle_entry entries[] = {{"x86-64", "so", "?", 1},
                                    {"compute_75", "ptx", "?", 1},
                                    {"compute_80", "ptx", "?", 1},
                                    {"gfx90a:xnack+", "hsaco", "?", 1},
                                    {"sm_90", "cubin", "?", 1}};
    accel_bundle bundle = {ACCEL_BUNDLE_MAGIC, ACCEL_OBJECT_ABI, sizeof(bundle), sizeof(entries[0]), "gpu", 5, entries};
    accel_module *module = NULL;

    fake->targets = cuda;
    ck_assert_uint_eq(accel_module_load_bundle(fake->device, &bundle, &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says("object sm_90.cubin of bundle \"gpu\""), "%s", accel_error_message());
    bundle.count = 4;
    ck_assert_uint_eq(accel_module_load_bundle(fake->device, &bundle, &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says("object compute_80.ptx of bundle \"gpu\""), "%s", accel_error_message());
    fake->targets = none;
    ck_assert_uint_eq(accel_module_load_bundle(fake->device, &bundle, &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("gfx90a:xnack+.hsaco (does not run gfx90a:xnack+.hsaco)") &&
                      says("accelcc --embed -o gpu.o gpu.k.c --targets=rank-9"),
                  "%s", accel_error_message());
}
END_TEST

static bool sees_kernels(void *user, const accel_object_properties *object)
{
    if (strcmp(object->target, "compute_75") == 0) {
        ck_assert_uint_eq(object->kernel_count, 2);
        ck_assert_str_eq(object->kernels[0], "axpy");
        ck_assert_str_eq(object->kernels[1], "scale");
        *(bool *)user = true;
    }
    return true;
}

START_TEST(a_visit_reads_the_kernels_of_ptx)
{
    static const char *const targets[] = {"compute_75.ptx", NULL};
    static const char text[] = ".version 6.3\n.target sm_75\n"
                               ".visible .global .align 8 .b8 accel_descriptor_scale[72] = {65, 67, 67, 75};\n"
                               ".visible .const .align 8 .b8 accel_descriptor_axpy[72] = {65, 67, 67, 75};\n"
                               ".extern .global .align 8 .b8 accel_descriptor_elsewhere[72];\n"
                               ".visible .entry accel_kernel_axpy(\n";
    char name[128];
    bool found = false;

    fake->targets = targets;
    snprintf(name, sizeof(name), "%s/gpu.compute_75.ptx", first);
    FILE *stream = fopen(name, "w");
    ck_assert_ptr_nonnull(stream);
    fputs(text, stream);
    fclose(stream);
    ck_assert_uint_eq(accel_device_visit_objects(fake->device, "gpu", sees_kernels, &found), ACCEL_OK);
    ck_assert(found);
}
END_TEST

static void add_with_files(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);

    tcase_add_checked_fixture(test_case, set_up, tear_down);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}
#define add_with_files(suite, name) add_with_files(suite, #name, name)

Suite *noun_suite(void)
{
    Suite *suite = suite_create("object_search");

    add(suite, names_are_split_at_the_last_two_dots);
    add_with_files(suite, the_best_rank_comes_first_and_of_equals_the_earlier_directory);
    add_with_files(suite, a_directory_that_cannot_be_read_now_is_no_missing_library);
    add_with_files(suite, out_of_memory_in_a_search_leaves_nothing_behind);
    add_with_files(suite, a_broken_best_object_is_an_error_and_nothing_else_is_taken);
    add_with_files(suite, an_unknown_library_is_answered_with_the_nearest_name_and_the_directories);
    add_with_files(suite, objects_that_do_not_run_here_are_listed_with_reasons);
    add_with_files(suite, of_a_foreign_file_only_the_headers_are_read);
    add_with_files(suite, names_with_directories_are_no_library_names);
    add_with_files(suite, a_given_file_of_another_target_is_incompatible);
    add_with_files(suite, an_entry_of_the_path_that_is_ignored_is_named);
    add_with_files(suite, the_device_s_order_decides_between_cubin_ptx_and_code_objects);
    add_with_files(suite, a_gpu_that_runs_none_is_told_all_that_is_there_and_what_to_make);
    add_with_files(suite, bundles_are_chosen_from_in_the_same_way);
    add_with_files(suite, a_visit_reads_the_kernels_of_ptx);
    add_with_files(suite, a_visit_shows_every_object_and_one_choice_per_library);
    return suite;
}
