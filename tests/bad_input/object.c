/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged kernel objects: patched copies of a good one, which is an ELF file: "so", "cubin", "hsaco". A device whose best
 * object is none has no such test here and says so.
 */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <accel/object.h>
#include <elf.h>
#include <stdio.h>

enum { CHECKSUM = 16 }; /* bytes with which accelcc ends objects for CPUs */

typedef struct image {
    unsigned char *data;
    size_t size;
    char target[64], format[16];
    char path[600]; /* of the copy */
} image;

static bool find_chosen(void *user, const accel_object_properties *properties)
{
    image *object = user;
    if (!properties->chosen)
        return true;
    if (strcmp(properties->format, "ptx") == 0)
        return false;
    object->data = read_file(properties->path, &object->size);
    snprintf(object->target, sizeof object->target, "%s", properties->target);
    snprintf(object->format, sizeof object->format, "%s", properties->format);
    return false;
}

static image image_new(void)
{
    image object = {.data = NULL};
    ok(accel_device_visit_objects(test.device, "conformance", find_chosen, &object));
    if (object.data == NULL)
        unsupported("the device's objects are no ELF files");
    snprintf(object.path, sizeof object.path, "%s/damaged.%s.%s", scratch_directory(), object.target, object.format);
    return object;
}

/* Writes the copy and loads it. No kernel is asked for: what is wrong with an object is found when it is loaded. */
static accel_status load_status(image *object)
{
    accel_module *module = NULL;
    write_file(object->path, object->data, object->size);
    accel_status status = accel_module_load_file(test.device, object->path, &module);
    accel_module_release(module);
    return status;
}

static void is_refused(image *object, const char *piece)
{
    accel_status status = load_status(object);
    const char *text = accel_error_message();
    ck_assert_msg(status == ACCEL_INCOMPATIBLE, "%s: %s", accel_status_name(status), status == ACCEL_OK ? "" : text);
    ck_assert_msg(strstr(text, piece) != NULL, "\"%s\" is missing in \"%s\"", piece, text);
    ck_assert_msg(strstr(text, "damaged") != NULL, "the object is not named in \"%s\"", text);
    free(object->data);
}

/* The descriptor of kernel `set` in the file. */
static accel_descriptor *descriptor_in(image *object)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)object->data;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(object->data + header->e_shoff);
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(const void *)(object->data + header->e_phoff);
    for (unsigned s = 0; s < header->e_shnum; ++s) {
        if (sections[s].sh_type != SHT_DYNSYM)
            continue;
        const char *names = (const char *)object->data + sections[sections[s].sh_link].sh_offset;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(object->data + sections[s].sh_offset);
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; ++i) {
            if (strcmp(names + symbols[i].st_name, ACCEL_DESCRIPTOR_PREFIX "set") != 0)
                continue;
            for (unsigned p = 0; p < header->e_phnum; ++p)
                if (segments[p].p_type == PT_LOAD && symbols[i].st_value >= segments[p].p_vaddr &&
                    symbols[i].st_value < segments[p].p_vaddr + segments[p].p_filesz)
                    return (accel_descriptor *)(void *)(object->data + segments[p].p_offset + symbols[i].st_value -
                                                        segments[p].p_vaddr);
        }
    }
    ck_abort_msg("the descriptor was not found in the object");
    return NULL;
}

START_TEST(the_unpatched_copy_is_good)
{
    image object = image_new();
    ck_assert_uint_eq(descriptor_in(&object)->magic, ACCEL_OBJECT_MAGIC);
    ck_assert_uint_eq(descriptor_in(&object)->args_size, sizeof(words_args));
    accel_status status = load_status(&object);
    ck_assert_msg(status == ACCEL_OK, "%s", accel_error_message());
    free(object.data);
}
END_TEST

START_TEST(truncated_objects_are_refused)
{
    image object = image_new();
    static const unsigned percents[] = {0, 1, 5, 30, 60, 90, 99};
    size_t size = object.size;
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; ++i) {
        object.size = size * percents[i] / 100 + (percents[i] == 0 ? 17 : 0);
        accel_status status = load_status(&object);
        const char *text = accel_error_message();
        ck_assert_msg(status == ACCEL_INCOMPATIBLE || status == ACCEL_IO, "cut to %u%%: %s", percents[i],
                      accel_status_name(status));
        ck_assert_ptr_nonnull(strstr(text, "damaged"));
    }
    free(object.data);
}
END_TEST

START_TEST(objects_of_another_machine_are_refused)
{
    image object = image_new();
    Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)object.data;
    header->e_machine = header->e_machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
    is_refused(&object, header->e_machine == EM_AARCH64 ? "aarch64" : "x86-64");
    object = image_new();
    ((Elf64_Ehdr *)(void *)object.data)->e_machine = EM_S390;
    is_refused(&object, "machine");
}
END_TEST

START_TEST(files_that_are_no_objects_are_refused)
{
    image object = image_new();
    memset(object.data, 'x', 200);
    is_refused(&object, "ELF");
    object = image_new();
    object.data[EI_CLASS] = ELFCLASS32;
    is_refused(&object, "64");
    object = image_new();
    object.data[EI_DATA] = ELFDATA2MSB;
    is_refused(&object, "endian");
}
END_TEST

START_TEST(k6_a_library_without_kernels_is_refused)
{
    image object = image_new();
    static const char prefix[] = "accel_descriptor_", other[] = "accel_descripter_";
    unsigned char *at = object.data, *end = object.data + object.size;
    while ((at = memmem(at, (size_t)(end - at), prefix, sizeof prefix - 1)) != NULL)
        memcpy(at, other, sizeof other - 1);
    is_refused(&object, "there are no kernels in it");
}
END_TEST

START_TEST(k6_descriptors_of_another_version_are_refused)
{
    image object = image_new();
    descriptor_in(&object)->magic = 0x12345678;
    is_refused(&object, "0x12345678");
    object = image_new();
    descriptor_in(&object)->abi = 99;
    is_refused(&object, "99");
    object = image_new();
    descriptor_in(&object)->struct_size = 12;
    is_refused(&object, "12");
}
END_TEST

START_TEST(k6_descriptors_that_say_nonsense_are_refused)
{
    image object = image_new();
    descriptor_in(&object)->form = 9;
    is_refused(&object, "9");
    object = image_new();
    descriptor_in(&object)->args_size = 5000;
    is_refused(&object, "5000");
    object = image_new();
    descriptor_in(&object)->args_size = 0;
    is_refused(&object, "0");
    object = image_new();
    descriptor_in(&object)->args_align = 3;
    is_refused(&object, "3");
    object = image_new();
    descriptor_in(&object)->block[0] = 4096;
    is_refused(&object, "4096");
    object = image_new();
    descriptor_in(&object)->flags = 0x8000;
    is_refused(&object, "0x8000");
    object = image_new();
    descriptor_in(&object)->form = ACCEL_FORM_THREAD; /* whose entry is missing */
    if (strcmp(object.format, "so") == 0) {
        object.size -= CHECKSUM; /* what only the loaded object shows */
        is_refused(&object, "run_thread");
    } else {
        free(object.data); /* the entry is a symbol there, the same for all forms */
    }
}
END_TEST

typedef struct sight {
    const char *path; /* the object's */
    bool seen;
} sight;

static bool sees_the_fault(void *user, const accel_object_properties *properties)
{
    sight *damaged = user;
    if (strcmp(properties->path, damaged->path) != 0)
        return true;
    damaged->seen = true;
    ck_assert_uint_eq(properties->chosen, 1);
    ck_assert_msg(strstr(properties->reason, "loading it will fail") != NULL &&
                      strstr(properties->reason, "object ABI 99") != NULL,
                  "%s", properties->reason);
    return true;
}

START_TEST(k6_a_visit_shows_that_a_descriptor_cannot_be_used)
{
    image object = image_new();
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    accel_device *device;
    descriptor_in(&object)->abi = 99;
    write_file(object.path, object.data, object.size);
    desc.backends = test.properties.backend;
    char directory[600];
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(object.path, '/') - object.path), object.path);
    desc.kernel_path = directory;
    ok(accel_instance_create(&desc, &instance));
    ok(accel_instance_find_device(instance, test.properties.name, &device));
    sight damaged = {.path = object.path};
    ok(accel_device_visit_objects(device, "damaged", sees_the_fault, &damaged));
    ck_assert_msg(damaged.seen, "%s was not shown", object.path);
    accel_instance_release(instance);
    free(object.data);
}
END_TEST

START_TEST(k6_a_bundle_with_a_descriptor_of_another_version_is_refused)
{
    image object = image_new();
    descriptor_in(&object)->abi = 99;
    accel_bundle_entry entry = {
        .target = object.target, .format = object.format, .data = object.data, .size = object.size};
    accel_bundle bundle = {.magic = ACCEL_BUNDLE_MAGIC,
                           .abi = ACCEL_OBJECT_ABI,
                           .struct_size = sizeof bundle,
                           .entry_size = sizeof entry,
                           .name = "damaged",
                           .count = 1,
                           .entries = &entry};
    accel_module *module = NULL;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &bundle, &module), "damaged", "\"set\"",
            "object ABI 99", "accelcc --embed");
    ck_assert_ptr_null(module);
    free(object.data);
}
END_TEST

/* Writes over `count` bytes behind e_ident. */
static void damage(image *object, unsigned *state, size_t span, int count)
{
    for (int k = 0; k < count; ++k) {
        *state = *state * 1103515245u + 12345u;
        size_t at = (*state >> 8) % span;
        *state = *state * 1103515245u + 12345u;
        object->data[16 + at] = (unsigned char)(*state >> 20);
    }
}

/* Whatever the checksum says: these are marked as no shared objects, so that none gets to a loader. */
START_TEST(damage_does_not_crash_what_looks_before_the_loading)
{
    unsigned state = 99;
    image object = image_new();
    unsigned char *good = malloc(object.size);
    memcpy(good, object.data, object.size);
    for (int round = 0; round < 600; ++round) {
        /* Every other round in the file's header: types, offsets, counts. Drivers of GPUs would get the others. */
        bool header_only = round % 2 == 0 || strcmp(object.format, "so") != 0;
        memcpy(object.data, good, object.size);
        damage(&object, &state, header_only ? sizeof(Elf64_Ehdr) - 16 : object.size - 16, 3);
        ((Elf64_Ehdr *)(void *)object.data)->e_type = ET_REL;
        accel_status status = load_status(&object);
        ck_assert_msg(status == ACCEL_INCOMPATIBLE, "round %d: %s", round, accel_status_name(status));
    }
    free(good);
    free(object.data);
}
END_TEST

/* The system's loader would crash, or run what is left of the code. */
START_TEST(a_byte_changed_anywhere_is_noticed_before_the_loading)
{
    unsigned state = 7;
    image object = image_new();
    if (strcmp(object.format, "so") != 0)
        unsupported("objects for GPUs, which have no checksum: their driver reads them");
    unsigned char *good = malloc(object.size);
    memcpy(good, object.data, object.size);
    for (int round = 0; round < 600; ++round) {
        memcpy(object.data, good, object.size);
        damage(&object, &state, object.size - 16, 1);
        if (memcmp(object.data, good, object.size) == 0)
            continue;
        accel_status status = load_status(&object);
        ck_assert_msg(status == ACCEL_INCOMPATIBLE, "round %d: %s", round, accel_status_name(status));
    }
    memcpy(object.data, good, object.size);
    object.data[object.size - 1] ^= 1;
    is_refused(&object, "not those that accelcc wrote");
    free(good);
}
END_TEST

/* The object with so many bytes, of which the last ones are zeros. */
static void end_is_refused(const image *good, size_t size, size_t zeros)
{
    image object = *good;
    object.data = calloc(1, size);
    object.size = size;
    memcpy(object.data, good->data, size < good->size ? size : good->size);
    memset(object.data + size - zeros, 0, zeros);
    is_refused(&object, "put an object in its place");
}

/* As an interrupted copy leaves it, or one to a full disk. */
START_TEST(a_lost_end_is_noticed_before_the_loading)
{
    static const size_t lost[] = {1, 7, 8, 9, CHECKSUM, CHECKSUM + 1, 100, 600, 2000};
    image object = image_new();
    if (strcmp(object.format, "so") != 0)
        unsupported("objects for GPUs, which have no checksum: their driver reads them");
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; ++i)
        end_is_refused(&object, object.size, lost[i]);
    for (size_t i = 1; i < CHECKSUM; ++i)
        end_is_refused(&object, object.size - i, 0);
    end_is_refused(&object, object.size + 1, 0);
    end_is_refused(&object, object.size + 1000, 0);
    free(object.data);
}
END_TEST

START_TEST(an_object_without_a_seal_is_taken_as_it_is)
{
    image object = image_new();
    if (strcmp(object.format, "so") == 0)
        object.size -= CHECKSUM; /* as strip does */
    ck_assert_msg(load_status(&object) == ACCEL_OK, "%s", accel_error_message());
    free(object.data);
}
END_TEST

Suite *bad_object_suite(void)
{
    Suite *suite = suite_create("kernel object");
    add(suite, the_unpatched_copy_is_good);
    add(suite, truncated_objects_are_refused);
    add(suite, objects_of_another_machine_are_refused);
    add(suite, files_that_are_no_objects_are_refused);
    add(suite, k6_a_library_without_kernels_is_refused);
    add(suite, k6_descriptors_of_another_version_are_refused);
    add(suite, k6_descriptors_that_say_nonsense_are_refused);
    add(suite, k6_a_visit_shows_that_a_descriptor_cannot_be_used);
    add(suite, k6_a_bundle_with_a_descriptor_of_another_version_is_refused);
    add(suite, damage_does_not_crash_what_looks_before_the_loading);
    add(suite, a_byte_changed_anywhere_is_noticed_before_the_loading);
    add(suite, a_lost_end_is_noticed_before_the_loading);
    add(suite, an_object_without_a_seal_is_taken_as_it_is);
    return suite;
}
