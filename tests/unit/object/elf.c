/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/file.h"
#include "object/elf.h"
#include "object/elf_file.h"
#include "run.h"

#include <linux/elf.h> /* <elf.h> would be ours */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const sample_paths[] = {ELF_SAMPLE_GNU, ELF_SAMPLE_SYSV};
enum { GNU, SYSV, SAMPLES };

/* A copy that belongs to the test: exactly as long as the file, so that sanitizers see every step beyond it. */
typedef struct image {
    unsigned char *data;
    size_t size;
} image;

static image load(const char *path)
{
    accel_file file;
    image copy;

    ck_assert_msg(accel_file_open(path, &file) == ACCEL_OK, "%s", accel_error_message());
    copy.size = file.size;
    copy.data = malloc(file.size);
    ck_assert_ptr_nonnull(copy.data);
    memcpy(copy.data, file.data, file.size);
    accel_file_close(&file);
    return copy;
}

static char reason[128];

static bool parse(const image *file, accel_elf *elf)
{
    return accel_elf_open(file->data, file->size, elf, reason, sizeof(reason));
}

static void count(void *user, const char *name, const void *bytes, size_t size)
{
    size_t *lengths = user;

    *lengths += strlen(name) + 1;
    for (size_t i = 0; bytes != NULL && i < size; ++i)
        *lengths += ((const unsigned char *)bytes)[i] & 1;
}

/* Whatever the parser says about an image, asking it must be safe. */
static void ask_everything(const accel_elf *elf)
{
    size_t size = 0, lengths = 0;
    const unsigned char *bytes = accel_elf_symbol(elf, "sample_numbers", 8, &size);

    if (bytes != NULL) {
        ck_assert(bytes >= elf->data && size <= elf->size && (size_t)(bytes - elf->data) <= elf->size - size);
        unsigned sum = 0;
        for (size_t i = 0; i < size; ++i)
            sum += bytes[i];
        ck_assert_uint_le(sum, 255 * size);
    }
    accel_elf_visit(elf, "sample_", count, &lengths);
}

static void check_numbers(const accel_elf *elf)
{
    static const uint32_t expected[4] = {11, 22, 33, 44};
    size_t size = 0;
    const void *bytes = accel_elf_symbol(elf, "sample_numbers", sizeof(expected), &size);

    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(size, sizeof(expected));
    ck_assert_mem_eq(bytes, expected, sizeof(expected));
}

START_TEST(a_data_symbol_is_read_through_either_hash_table)
{
    for (int i = 0; i < SAMPLES; ++i) {
        image file = load(sample_paths[i]);
        accel_elf elf;
        ck_assert_msg(parse(&file, &elf), "%s", reason);
        ck_assert_uint_eq(elf.machine, accel_elf_native_machine());
        ck_assert_uint_eq(elf.type, ET_DYN);
        check_numbers(&elf);
        free(file.data);
    }
}
END_TEST

START_TEST(functions_undefined_unknown_too_small_and_zeroed_symbols_are_not_data)
{
    image file = load(sample_paths[GNU]);
    accel_elf elf;
    size_t size = 0;

    ck_assert(parse(&file, &elf));
    ck_assert_ptr_null(accel_elf_symbol(&elf, "sample_function", 1, &size));
    ck_assert_ptr_null(accel_elf_symbol(&elf, "sample_elsewhere", 1, &size));
    ck_assert_ptr_null(accel_elf_symbol(&elf, "sample_nothing", 1, &size));
    ck_assert_ptr_null(accel_elf_symbol(&elf, "sample_numbers", 17, &size));
    ck_assert_ptr_null(accel_elf_symbol(&elf, "sample_zero", 1, &size));
    free(file.data);
}
END_TEST

static void remember(void *user, const char *name, const void *bytes, size_t size)
{
    static const uint32_t numbers[4] = {11, 22, 33, 44};

    strcat(strcat(user, name), " ");
    if (strcmp(name, "numbers") == 0) {
        ck_assert_uint_eq(size, sizeof(numbers));
        ck_assert_mem_eq(bytes, numbers, sizeof(numbers));
    } else if (strcmp(name, "function") == 0 || strcmp(name, "zero") == 0) {
        ck_assert_ptr_null(bytes);
    }
}

START_TEST(visiting_shows_defined_symbols_behind_their_prefix)
{
    image file = load(sample_paths[GNU]);
    char names[256] = " ";
    accel_elf elf;

    ck_assert(parse(&file, &elf));
    accel_elf_visit(&elf, "sample_", remember, names);
    ck_assert_ptr_nonnull(strstr(names, " numbers "));
    ck_assert_ptr_nonnull(strstr(names, " function "));
    ck_assert_ptr_nonnull(strstr(names, " zero "));
    ck_assert_ptr_null(strstr(names, " elsewhere "));
    free(file.data);
}
END_TEST

static Elf64_Ehdr *header_of(const image *file)
{
    return (Elf64_Ehdr *)(void *)file->data;
}

/* As in objects without program headers, cubins among them. */
static void hide_dynamic(const image *file)
{
    Elf64_Ehdr *header = header_of(file);
    Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(file->data + header->e_shoff);

    header->e_phnum = 0;
    for (int i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type == SHT_DYNSYM)
            sections[i].sh_type = SHT_NULL;
    }
}

START_TEST(without_dynamic_symbols_the_symbol_table_serves)
{
    image file = load(sample_paths[GNU]);
    accel_elf elf;

    hide_dynamic(&file);
    header_of(&file)->e_type = ET_EXEC;
    ck_assert_msg(parse(&file, &elf), "%s", reason);
    check_numbers(&elf);
    free(file.data);
}
END_TEST

START_TEST(without_section_headers_the_dynamic_segment_serves)
{
    for (int i = 0; i < SAMPLES; ++i) {
        image file = load(sample_paths[i]);
        accel_elf elf;
        header_of(&file)->e_shoff = 0;
        header_of(&file)->e_shnum = 0;
        ck_assert(parse(&file, &elf));
        check_numbers(&elf);
        free(file.data);
    }
}
END_TEST

START_TEST(a_file_truncated_at_any_length_is_refused_with_a_reason)
{
    image file = load(sample_paths[GNU]);

    for (size_t size = 0; size < file.size; ++size) {
        image part = {malloc(size > 0 ? size : 1), size};
        accel_elf elf;
        memcpy(part.data, file.data, size);
        reason[0] = '\0';
        ck_assert_msg(!parse(&part, &elf), "%zu of %zu bytes passed", size, file.size);
        ck_assert_ptr_nonnull(strstr(reason, size < 4 ? "not an ELF file" : "truncated"));
        free(part.data);
    }
    free(file.data);
}
END_TEST

START_TEST(a_file_without_sections_truncated_at_any_length_is_refused_or_safe)
{
    image file = load(sample_paths[SYSV]);

    header_of(&file)->e_shoff = 0;
    for (size_t size = 0; size < file.size; ++size) {
        image part = {malloc(size > 0 ? size : 1), size};
        accel_elf elf;
        memcpy(part.data, file.data, size);
        if (parse(&part, &elf))
            ask_everything(&elf);
        free(part.data);
    }
    free(file.data);
}
END_TEST

/* Reproducible noise. */
static uint32_t noise(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

START_TEST(noise_anywhere_in_the_file_is_safe)
{
    uint32_t state = 2463534242u;

    for (int i = 0; i < SAMPLES; ++i) {
        image file = load(sample_paths[i]);
        image copy = {malloc(file.size), file.size};
        for (int round = 0; round < 20000; ++round) {
            accel_elf elf;
            memcpy(copy.data, file.data, file.size);
            for (uint32_t n = 1 + noise(&state) % 8; n > 0; --n) {
                /* half of it in the headers and the dynamic section's neighbourhood, where it hurts */
                size_t at = noise(&state) % (noise(&state) % 2 == 0 ? 1024 : file.size);
                copy.data[at] = (unsigned char)noise(&state);
            }
            if (parse(&copy, &elf))
                ask_everything(&elf);
        }
        free(copy.data);
        free(file.data);
    }
}
END_TEST

START_TEST(extreme_numbers_in_every_word_of_the_headers_are_safe)
{
    static const uint64_t extremes[] = {0, 1, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 7};
    image file = load(sample_paths[GNU]);
    image copy = {malloc(file.size), file.size};
    size_t sections = (size_t)header_of(&file)->e_shoff;

    for (size_t at = 0; at + 8 <= file.size; at += 4) {
        if (at >= 4096 && at < sections && at % 64 != 0)
            continue; /* code and debug information, which nobody reads: samples do */
        for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); ++i) {
            accel_elf elf;
            memcpy(copy.data, file.data, file.size);
            memcpy(copy.data + at, &extremes[i], 8);
            if (parse(&copy, &elf))
                ask_everything(&elf);
        }
    }
    free(copy.data);
    free(file.data);
}
END_TEST

START_TEST(foreign_classes_orders_and_versions_are_named)
{
    image file = load(sample_paths[GNU]);
    accel_elf elf;

    file.data[EI_CLASS] = ELFCLASS32;
    ck_assert(!parse(&file, &elf));
    ck_assert_ptr_nonnull(strstr(reason, "64-bit little-endian"));
    file.data[EI_CLASS] = ELFCLASS64;
    file.data[EI_DATA] = ELFDATA2MSB;
    ck_assert(!parse(&file, &elf));
    file.data[EI_DATA] = ELFDATA2LSB;
    file.data[EI_VERSION] = 9;
    ck_assert(!parse(&file, &elf));
    ck_assert_ptr_nonnull(strstr(reason, "version 9"));
    free(file.data);
}
END_TEST

START_TEST(machines_have_names)
{
    char buffer[24];

    ck_assert_str_eq(accel_elf_machine_name(EM_X86_64, buffer), "x86-64");
    ck_assert_str_eq(accel_elf_machine_name(EM_AARCH64, buffer), "aarch64");
    ck_assert_str_eq(accel_elf_machine_name(224, buffer), "amdgpu");
    ck_assert_str_eq(accel_elf_machine_name(190, buffer), "cuda");
    ck_assert_str_eq(accel_elf_machine_name(65535, buffer), "machine 65535");
}
END_TEST

enum part { LIKE_WHOLE, NOT_ENOUGH, FOUND_ALONE };

/* Of a file like this image: what is read in part has the symbol's bytes that all of it has. */
static enum part part_of(const image *whole)
{
    const int file = memfd_create("image", MFD_CLOEXEC);
    image part = {calloc(1, whole->size), whole->size};
    enum part result = NOT_ENOUGH;
    accel_elf elf, elf_of_part;
    size_t size = 0, size_in_part = 0;

    ck_assert(file >= 0 && part.data != NULL);
    ck_assert_int_eq(write(file, whole->data, whole->size), (ssize_t)whole->size);
    if (elf_file_read_symbol(file, part.data, part.size, "sample_numbers")) {
        ck_assert(parse(&part, &elf_of_part));
        ck_assert_msg(parse(whole, &elf), "%s", reason);
        const unsigned char *bytes = accel_elf_symbol(&elf, "sample_numbers", 1, &size);
        const unsigned char *bytes_in_part = accel_elf_symbol(&elf_of_part, "sample_numbers", 1, &size_in_part);
        ck_assert_ptr_nonnull(bytes_in_part);
        result = bytes != NULL ? LIKE_WHOLE : FOUND_ALONE;
        if (bytes != NULL) {
            ck_assert_uint_eq(size, size_in_part);
            ck_assert_mem_eq(bytes, bytes_in_part, size);
        }
    }
    free(part.data);
    close(file);
    return result;
}

START_TEST(a_part_of_a_file_has_the_symbol)
{
    for (int s = 0; s < SAMPLES; ++s) {
        image file = load(sample_paths[s]);
        ck_assert_int_eq(part_of(&file), LIKE_WHOLE);
        for (image cut = file; cut.size > 61; cut.size -= 61)
            ck_assert_int_ne(part_of(&cut), FOUND_ALONE);
        free(file.data);
    }
}
END_TEST

/* Section headers and what the loader goes by may contradict each other then: that is rare, and harmless, as the loader has the last
 * word. */
START_TEST(a_part_of_a_damaged_file_is_like_all_of_it)
{
    enum { TURNS = 3000 };
    uint32_t random = 1;
    size_t results[3] = {0, 0, 0};
    for (int s = 0; s < SAMPLES; ++s) {
        image file = load(sample_paths[s]);
        for (int turn = 0; turn < TURNS; ++turn) {
            random = random * 1664525u + 1013904223u;
            /* Every other time in the headers, which are at both ends. */
            const size_t ends[2] = {random / 7 % 512, file.size - 1 - random / 7 % 2048};
            const size_t at = turn % 2 == 0 ? random / 7 % file.size : ends[turn / 2 % 2];
            const unsigned char before = file.data[at];
            file.data[at] ^= (unsigned char)(1u << (random >> 29));
            ++results[part_of(&file)];
            file.data[at] = before;
        }
        free(file.data);
    }
    ck_assert_uint_gt(results[LIKE_WHOLE], TURNS);
    ck_assert_uint_gt(results[NOT_ENOUGH], 10);
    ck_assert_uint_lt(results[FOUND_ALONE], TURNS / 50);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("elf");

    add(suite, a_part_of_a_file_has_the_symbol);
    add(suite, a_part_of_a_damaged_file_is_like_all_of_it);
    add(suite, a_data_symbol_is_read_through_either_hash_table);
    add(suite, functions_undefined_unknown_too_small_and_zeroed_symbols_are_not_data);
    add(suite, visiting_shows_defined_symbols_behind_their_prefix);
    add(suite, without_dynamic_symbols_the_symbol_table_serves);
    add(suite, without_section_headers_the_dynamic_segment_serves);
    add(suite, a_file_truncated_at_any_length_is_refused_with_a_reason);
    add(suite, a_file_without_sections_truncated_at_any_length_is_refused_or_safe);
    add(suite, noise_anywhere_in_the_file_is_safe);
    add(suite, extreme_numbers_in_every_word_of_the_headers_are_safe);
    add(suite, foreign_classes_orders_and_versions_are_named);
    add(suite, machines_have_names);
    return suite;
}
