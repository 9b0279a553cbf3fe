/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: how kernel libraries are found, loaded, and kept. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <accel/object.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 32 };
typedef struct objects {
    size_t count, chosen;
    char path[MOST][512], target[MOST][64], format[MOST][16];
    bool is_chosen[MOST], reasons, has_kernels;
} objects;

static bool note_object(void *user, const accel_object_properties *p)
{
    objects *list = user;
    if (list->count == MOST)
        return false;
    size_t i = list->count++;
    snprintf(list->path[i], sizeof list->path[i], "%s", p->path);
    snprintf(list->target[i], sizeof list->target[i], "%s", p->target);
    snprintf(list->format[i], sizeof list->format[i], "%s", p->format);
    list->is_chosen[i] = p->chosen != 0;
    if (p->chosen)
        list->chosen = i;
    list->reasons = (i == 0 || list->reasons) && p->reason != NULL && *p->reason != '\0';
    for (size_t k = 0; p->kernels != NULL && k < p->kernel_count; ++k)
        list->has_kernels = list->has_kernels || strcmp(p->kernels[k], "set") == 0;
    return true;
}

static const char *chosen_object(accel_device *device, objects *list)
{
    memset(list, 0, sizeof *list);
    list->chosen = MOST;
    ok(accel_device_visit_objects(device, "conformance", note_object, list));
    ck_assert_msg(list->chosen < MOST, "no object of the suite's kernels is chosen");
    return list->path[list->chosen];
}

static void runs(accel_device *device, accel_module *module)
{
    accel_queue *queue = queue_new(device, 0);
    accel_buffer *buffer = words_new(device, 100, 0);
    accel_kernel *kernel = NULL;
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 100, .value = 12};
    accel_work work = work_of(2, 1);
    ok(accel_module_kernel(module, "set", &kernel));
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    words_are(queue, buffer, 12);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}

/* Where the word stands in a list with spaces, or NULL. */
static const char *word_in(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; ++at)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return at;
    return NULL;
}

START_TEST(the_best_object_that_the_device_can_run_is_loaded)
{
    objects list;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    const char *path = chosen_object(test.device, &list);
    size_t chosen = 0;
    for (size_t i = 0; i < list.count; ++i)
        chosen += list.is_chosen[i];
    ck_assert_uint_eq(chosen, 1);
    ck_assert_msg(list.reasons, "an object is shown without a reason");
    if (strcmp(list.format[list.chosen], "so") == 0)
        ck_assert_msg(list.has_kernels, "the kernels of host objects are listed");
    ok(accel_module_load(test.device, "conformance", &module));
    ok(accel_module_kernel(module, "set", &kernel));
    ok(accel_kernel_info(kernel, &properties));
    ck_assert_str_eq(properties.path, path);
    ck_assert_str_eq(properties.target, list.target[list.chosen]);
    /* The device lists its targets best first: no other object of the library stands further ahead. */
    const char *best = word_in(test.properties.targets, properties.target);
    ck_assert_ptr_nonnull(best);
    for (size_t i = 0; i < list.count; ++i) {
        const char *other = word_in(test.properties.targets, list.target[i]);
        ck_assert_msg(other == NULL || other >= best, "%s was chosen, %s is better", properties.target, list.target[i]);
    }
    runs(test.device, module);
    accel_module_release(module);
}
END_TEST

static bool stop_at_first(void *user, const accel_object_properties *p)
{
    (void)p;
    ++*(size_t *)user;
    return false;
}

START_TEST(a_visit_ends_when_the_visitor_says_so)
{
    size_t count = 0;
    ok(accel_device_visit_objects(test.device, NULL, stop_at_first, &count));
    ck_assert_uint_eq(count, 1);
    count = 0;
    ok(accel_device_visit_objects(test.device, "no-such-library", stop_at_first, &count));
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(a_named_file_is_loaded_without_a_choice)
{
    objects list;
    char path[600];
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    const char *from = chosen_object(test.device, &list);
    snprintf(path, sizeof path, "%s/renamed.%s.%s", scratch_directory(), list.target[list.chosen],
             list.format[list.chosen]);
    copy_file(from, path);
    ok(accel_module_load_file(test.device, path, &module));
    ok(accel_module_kernel(module, "set", &kernel));
    ok(accel_kernel_info(kernel, &properties));
    ck_assert_str_eq(properties.path, path);
    runs(test.device, module);
    accel_module_release(module);
}
END_TEST

START_TEST(a_bundle_gives_its_best_object)
{
    objects list;
    accel_bundle_entry entries[MOST];
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    (void)chosen_object(test.device, &list);
    for (size_t i = 0; i < list.count; ++i) {
        size_t size;
        entries[i].data = read_file(list.path[i], &size);
        entries[i].size = size;
        entries[i].target = list.target[i];
        entries[i].format = list.format[i];
    }
    accel_bundle bundle = {.magic = ACCEL_BUNDLE_MAGIC,
                           .abi = ACCEL_OBJECT_ABI,
                           .struct_size = sizeof bundle,
                           .entry_size = sizeof entries[0],
                           .name = "inside",
                           .count = list.count,
                           .entries = entries};
    ok(accel_module_load_bundle(test.device, &bundle, &module));
    for (size_t i = 0; i < list.count; ++i) { /* the bundle's bytes are not needed after the load */
        unsigned char *data = (unsigned char *)(uintptr_t)entries[i].data;
        memset(data, 0, entries[i].size);
        free(data);
    }
    ok(accel_module_kernel(module, "set", &kernel));
    ok(accel_kernel_info(kernel, &properties));
    ck_assert_str_eq(properties.target, list.target[list.chosen]);
    ck_assert_str_eq(properties.path, "");
    runs(test.device, module);
    accel_module_release(module);
}
END_TEST

START_TEST(c3_the_kernel_path_is_searched_in_its_order)
{
    objects list;
    char first[300], second[300], path[700];
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    const char *from = chosen_object(test.device, &list);
    size_t chosen = list.chosen;
    char original[512], *saved = getenv("ACCEL_KERNEL_PATH") == NULL ? NULL : strdup(getenv("ACCEL_KERNEL_PATH"));
    snprintf(original, sizeof original, "%s", from);
    snprintf(first, sizeof first, "%s", scratch_directory());
    snprintf(second, sizeof second, "%s", scratch_directory());
    const char *directories[] = {first, second};
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof path, "%s/conformance.%s.%s", directories[i], list.target[chosen], list.format[chosen]);
        copy_file(original, path);
    }
    desc.backends = test.properties.backend;
    desc.kernel_path = second;
    setenv("ACCEL_KERNEL_PATH", first, 1);
    ok(accel_instance_create(&desc, &instance)); /* the environment's comes before the descriptor's */
    const char *found = chosen_object(accel_instance_device(instance, 0), &list);
    ck_assert_msg(strncmp(found, first, strlen(first)) == 0, "%s was taken, not that of %s", found, first);
    accel_instance_release(instance);
    unsetenv("ACCEL_KERNEL_PATH");
    ok(accel_instance_create(&desc, &instance));
    found = chosen_object(accel_instance_device(instance, 0), &list);
    ck_assert_int_eq(strncmp(found, second, strlen(second)), 0);
    accel_instance_release(instance);
    if (saved != NULL)
        setenv("ACCEL_KERNEL_PATH", saved, 1);
    free(saved);
}
END_TEST

START_TEST(c3_the_working_directory_is_never_searched)
{
    objects list;
    char directory[300], path[700],
        *saved = getenv("ACCEL_KERNEL_PATH") == NULL ? NULL : strdup(getenv("ACCEL_KERNEL_PATH"));
    char before[4096];
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_module *module = NULL;
    const char *from = chosen_object(test.device, &list);
    snprintf(directory, sizeof directory, "%s", scratch_directory());
    snprintf(path, sizeof path, "%s/wanderer.%s.%s", directory, list.target[list.chosen], list.format[list.chosen]);
    copy_file(from, path);
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(directory), 0);
    static const char *const paths[] = {NULL, "", ":", "."};
    accel_status statuses[4];
    for (int i = 0; i < 4; ++i) {
        desc.backends = test.properties.backend;
        if (paths[i] != NULL)
            setenv("ACCEL_KERNEL_PATH", paths[i], 1);
        else
            unsetenv("ACCEL_KERNEL_PATH");
        statuses[i] = accel_instance_create(&desc, &instance);
        if (statuses[i] == ACCEL_OK) {
            statuses[i] = accel_module_load(accel_instance_device(instance, 0), "wanderer", &module);
            accel_instance_release(instance);
        }
    }
    ck_assert_int_eq(chdir(before), 0);
    if (saved != NULL)
        setenv("ACCEL_KERNEL_PATH", saved, 1);
    else
        unsetenv("ACCEL_KERNEL_PATH");
    free(saved);
    for (int i = 0; i < 4; ++i)
        ck_assert_msg(statuses[i] == ACCEL_NOT_FOUND, "ACCEL_KERNEL_PATH=%s: %s",
                      paths[i] == NULL ? "(unset)" : paths[i], accel_status_name(statuses[i]));
}
END_TEST

START_TEST(k9_a_replaced_file_leaves_the_loaded_object_alone)
{
    objects list;
    char path[700], next[710];
    accel_module *first = NULL, *second = NULL;
    const char *from = chosen_object(test.device, &list);
    const char *directory = scratch_directory();
    snprintf(path, sizeof path, "%s/replaced.%s.%s", directory, list.target[list.chosen], list.format[list.chosen]);
    snprintf(next, sizeof next, "%s.new", path);
    copy_file(from, path);
    ok(accel_module_load_file(test.device, path, &first));
    copy_file(from, next);
    ck_assert_int_eq(rename(next, path), 0); /* as accelcc does */
    runs(test.device, first);
    ok(accel_module_load_file(test.device, path, &second));
    runs(test.device, second);
    runs(test.device, first);
    accel_module_release(first);
    runs(test.device, second);
    accel_module_release(second);
}
END_TEST

/* A loader that goes by the file's name hands out the old object again. */
START_TEST(k9_a_replaced_file_is_loaded_anew)
{
    objects list;
    char path[700], next[710];
    accel_module *modules[2] = {NULL};
    accel_buffer *globals[2] = {NULL};
    accel_queue *queue = queue_new(test.device, 0);
    uint32_t values[8];
    const char *from = chosen_object(test.device, &list);
    snprintf(path, sizeof path, "%s/anew.%s.%s", scratch_directory(), list.target[list.chosen],
             list.format[list.chosen]);
    snprintf(next, sizeof next, "%s.new", path);
    for (int i = 0; i < 2; ++i) {
        copy_file(from, next);
        ck_assert_int_eq(rename(next, path), 0);
        ok(accel_module_load_file(test.device, path, &modules[i]));
        ok(accel_module_global(modules[i], "global_words", &globals[i]));
        ok(accel_read(queue, values, globals[i]));
        ok(accel_queue_wait(queue));
        for (uint32_t k = 0; k < 8; ++k) {
            ck_assert_uint_eq(values[k], k + 1); /* as in the file */
            values[k] = 99;
        }
        ok(accel_write(queue, globals[i], values));
        ok(accel_queue_wait(queue));
    }
    for (int i = 0; i < 2; ++i) {
        runs(test.device, modules[i]);
        accel_buffer_release(globals[i]);
        accel_module_release(modules[i]);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(k9_objects_whose_code_ran_stay_loaded)
{
    objects list;
    char path[700], line[1024];
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    gate door;
    const char *from = chosen_object(test.device, &list);
    snprintf(path, sizeof path, "%s/staying.%s.%s", scratch_directory(), list.target[list.chosen],
             list.format[list.chosen]);
    copy_file(from, path);
    ok(accel_module_load_file(test.device, path, &module));
    ok(accel_module_kernel(module, "set", &kernel));
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 0);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10, .value = 3};
    accel_work work = work_of(1, 1);
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    accel_module_release(module); /* O3: its pending launch finishes */
    gate_open(&door);
    words_are(queue, buffer, 3);
    if (test.properties.kind == ACCEL_DEVICE_CPU) {
        bool mapped = false;
        FILE *maps = fopen("/proc/self/maps", "r");
        ck_assert_ptr_nonnull(maps);
        while (fgets(line, sizeof line, maps) != NULL)
            mapped = mapped || strstr(line, path) != NULL;
        fclose(maps);
        ck_assert(mapped);
    }
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(globals_are_buffers_of_bytes)
{
    accel_module *module = NULL;
    accel_buffer *global = NULL, *constant = NULL, *words = words_new(test.device, 8, 0);
    accel_kernel *kernel = NULL;
    accel_queue *queue = queue_new(test.device, 0);
    uint32_t values[8], table[4];
    ok(accel_module_load(test.device, "conformance", &module));
    ok(accel_module_global(module, "global_words", &global));
    ok(accel_module_global(module, "constant_words", &constant));
    accel_buffer_properties p = buffer_info(global);
    ck_assert_uint_eq(p.dims, 1);
    ck_assert_uint_eq(p.element_size, 1);
    ck_assert_uint_eq(p.extent[0], 32);
    ck_assert_uint_eq(buffer_info(constant).extent[0], 16);
    ok(accel_module_kernel(module, "use_globals", &kernel));
    accel_module_release(module); /* the buffers keep it */
    for (uint32_t i = 0; i < 8; ++i)
        values[i] = 100 + i;
    for (uint32_t i = 0; i < 4; ++i)
        table[i] = 1000 * i;
    ok(accel_write(queue, global, values));
    ok(accel_write(queue, constant, table));
    words_args args = {.words = accel_buffer_ptr(words), .n = 8, .value = 5};
    accel_work work = work_of(1, 1);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    ok(accel_read(queue, values, words));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < 8; ++i)
        ck_assert_uint_eq(values[i], 100 + i + 1000 * (i % 4));
    ok(accel_read(queue, values, global));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < 8; ++i)
        ck_assert_uint_eq(values[i], 105 + i);
    accel_buffer_release(global);
    accel_buffer_release(constant);
    accel_buffer_release(words);
    accel_queue_release(queue);
}
END_TEST

START_TEST(globals_begin_with_their_initialisers)
{
    objects list;
    char path[700];
    accel_module *module = NULL;
    accel_buffer *global = NULL;
    uint32_t values[8] = {0};
    accel_queue *queue = queue_new(test.device, 0);
    const char *from = chosen_object(test.device, &list);
    snprintf(path, sizeof path, "%s/fresh.%s.%s", scratch_directory(), list.target[list.chosen],
             list.format[list.chosen]);
    copy_file(from, path);
    ok(accel_module_load_file(test.device, path, &module));
    ok(accel_module_global(module, "global_words", &global));
    ok(accel_read(queue, values, global));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < 8; ++i)
        ck_assert_uint_eq(values[i], i + 1);
    accel_buffer_release(global);
    accel_module_release(module);
    accel_queue_release(queue);
}
END_TEST

Suite *module_suite(void)
{
    Suite *suite = suite_create("module");
    add(suite, the_best_object_that_the_device_can_run_is_loaded);
    add(suite, a_visit_ends_when_the_visitor_says_so);
    add(suite, a_named_file_is_loaded_without_a_choice);
    add(suite, a_bundle_gives_its_best_object);
    add(suite, c3_the_kernel_path_is_searched_in_its_order);
    add(suite, c3_the_working_directory_is_never_searched);
    add(suite, k9_a_replaced_file_leaves_the_loaded_object_alone);
    add(suite, k9_a_replaced_file_is_loaded_anew);
    add(suite, k9_objects_whose_code_ran_stay_loaded);
    add(suite, globals_are_buffers_of_bytes);
    add(suite, globals_begin_with_their_initialisers);
    return suite;
}
