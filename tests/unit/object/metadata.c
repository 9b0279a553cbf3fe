/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata of AMD's code objects: every kind of MessagePack's values, and files that are cut or changed. */
#include "object/metadata.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 64, SEGMENT = 56, NOTE = 12 + 8, CONTENT = HEADER + SEGMENT + NOTE };

typedef struct object {
    unsigned char bytes[4096];
    size_t size;
} object;

static void put(object *o, const char *bytes, size_t size)
{
    ck_assert_uint_le(o->size + size, sizeof(o->bytes));
    memcpy(o->bytes + o->size, bytes, size);
    o->size += size;
}
/* Of a string literal, which may hold zeros. */
#define PUT(o, literal) put(o, literal, sizeof(literal) - 1)

static void put_text(object *o, const char *text)
{
    char head[2] = {(char)0xd9, (char)strlen(text)};

    put(o, head, 2);
    put(o, text, strlen(text));
}

static void poke(object *o, size_t at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        o->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

/* Header, one segment, and in it one note, whose content follows. */
static object begin(void)
{
    object o = {.size = CONTENT};

    memcpy(o.bytes, "\177ELF\2\1\1", 7);
    poke(&o, 18, 224, 2); /* the machine */
    poke(&o, 32, HEADER, 8);
    poke(&o, 54, SEGMENT, 2);
    poke(&o, 56, 1, 2);
    poke(&o, HEADER, 4, 4); /* notes */
    poke(&o, HEADER + 8, HEADER + SEGMENT, 8);
    poke(&o, HEADER + SEGMENT, 7, 4);
    poke(&o, HEADER + SEGMENT + 8, 32, 4);
    memcpy(o.bytes + HEADER + SEGMENT + 12, "AMDGPU", 7);
    return o;
}

static void end(object *o)
{
    poke(o, HEADER + SEGMENT + 4, o->size - CONTENT, 4);
    while (o->size % 4 != 0)
        put(o, "", 1);
    poke(o, HEADER + 32, o->size - HEADER - SEGMENT, 8);
}

/* One pair for every kind of value, then the kernels, then the target. */
static object make(void)
{
    static const struct {
        const char *bytes;
        size_t size;
    } kinds[] = {
#define KIND(literal) {literal, sizeof(literal) - 1}
        KIND("\x05"), /* small numbers, with and without a sign */
        KIND("\xe0"),
        KIND("\x81\x01\x92\x01\x02"), /* a map that holds a list */
        KIND("\x90"),
        KIND("\xa3"
             "abc"),
        KIND("\xc0"), /* nil, false, true */
        KIND("\xc2"),
        KIND("\xc3"),
        KIND("\xc4\x02\xff\xff"), /* bytes */
        KIND("\xc5\x00\x01\xff"),
        KIND("\xc6\x00\x00\x00\x01\xff"),
        KIND("\xc7\x02\x07\xff\xff"), /* extensions */
        KIND("\xc8\x00\x01\x07\xff"),
        KIND("\xc9\x00\x00\x00\x01\x07\xff"),
        KIND("\xca\x00\x00\x00\x00"), /* floating point */
        KIND("\xcb\x00\x00\x00\x00\x00\x00\x00\x00"),
        KIND("\xcc\x01"), /* numbers */
        KIND("\xcd\x00\x01"),
        KIND("\xce\x00\x00\x00\x01"),
        KIND("\xcf\x00\x00\x00\x00\x00\x00\x00\x01"),
        KIND("\xd0\xff"),
        KIND("\xd1\xff\xff"),
        KIND("\xd2\xff\xff\xff\xff"),
        KIND("\xd3\xff\xff\xff\xff\xff\xff\xff\xff"),
        KIND("\xd4\x07\x00"), /* extensions of fixed sizes */
        KIND("\xd5\x07\x00\x00"),
        KIND("\xd6\x07\x00\x00\x00\x00"),
        KIND("\xd7\x07\x00\x00\x00\x00\x00\x00\x00\x00"),
        KIND("\xd8\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
        KIND("\xda\x00\x01y"), /* texts */
        KIND("\xdb\x00\x00\x00\x01y"),
        KIND("\xdc\x00\x01\x01"), /* lists and maps */
        KIND("\xdd\x00\x00\x00\x01\x01"),
        KIND("\xde\x00\x01\x01\x02"),
        KIND("\xdf\x00\x00\x00\x01\x01\x02"),
#undef KIND
    };
    object o = begin();
    char head[3] = {(char)0xde, 0, sizeof(kinds) / sizeof(kinds[0]) + 2};

    put(&o, head, 3);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
        put_text(&o, "key");
        put(&o, kinds[i].bytes, kinds[i].size);
    }
    put_text(&o, "amdhsa.kernels");
    PUT(&o, "\x92");
    for (int kernel = 0; kernel < 2; ++kernel) {
        PUT(&o, "\x85");
        put_text(&o, ".name");
        put_text(&o, kernel == 0 ? "accel_kernel_first" : "accel_kernel_second");
        put_text(&o, ".vgpr_count");
        PUT(&o, "\xcd\x01\x00"); /* 256 */
        put_text(&o, ".sgpr_count");
        PUT(&o, "\xd1\x00\x20"); /* 32, with a sign */
        put_text(&o, ".args");
        PUT(&o, "\x91\x81\xa1x\x01");
        put_text(&o, ".wavefront_size");
        put(&o, kernel == 0 ? "\x40" : "\x20", 1);
    }
    put_text(&o, "amdhsa.target");
    put_text(&o, "amdgcn-amd-amdhsa--gfx90a:xnack-");
    end(&o);
    return o;
}

typedef struct seen {
    size_t count;
    char names[4][64];
    metadata_kernel kernels[4];
} seen;

static void see(void *user, const metadata_kernel *kernel)
{
    seen *all = user;

    if (all->count < 4 && kernel->name_length < 64) {
        memcpy(all->names[all->count], kernel->name, kernel->name_length);
        all->names[all->count][kernel->name_length] = '\0';
        all->kernels[all->count] = *kernel;
    }
    ++all->count;
}

START_TEST(values_of_every_kind_are_read_or_passed_over)
{
    object o = make();
    seen all = {0};
    char target[METADATA_TARGET_SIZE];

    ck_assert(metadata_read(o.bytes, o.size, target, see, &all));
    ck_assert_str_eq(target, "gfx90a:xnack-");
    ck_assert_uint_eq(all.count, 2);
    ck_assert_str_eq(all.names[0], "accel_kernel_first");
    ck_assert_str_eq(all.names[1], "accel_kernel_second");
    for (int i = 0; i < 2; ++i) {
        ck_assert_uint_eq(all.kernels[i].vector_registers, 256);
        ck_assert_uint_eq(all.kernels[i].scalar_registers, 32);
        ck_assert_uint_eq(all.kernels[i].lanes, i == 0 ? 64 : 32);
        ck_assert_uint_eq(all.kernels[i].shared, 0);
    }
}
END_TEST

/* A copy of exactly its size, so that tools see a byte that is read beyond. */
static bool read_copy(const object *o, size_t size)
{
    unsigned char *copy = malloc(size != 0 ? size : 1);
    char target[METADATA_TARGET_SIZE];
    seen all = {0};

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, o->bytes, size);
    bool whole = metadata_read(copy, size, target, see, &all);
    ck_assert_uint_lt(strnlen(target, sizeof(target)), sizeof(target));
    free(copy);
    return whole;
}

START_TEST(a_file_that_is_cut_is_refused)
{
    object o = make();

    for (size_t size = 0; size < o.size; ++size)
        ck_assert_msg(!read_copy(&o, size), "of %zu bytes", size);
}
END_TEST

START_TEST(a_note_that_is_cut_is_refused)
{
    object o = make();
    size_t content = o.size - CONTENT;

    while (o.bytes[CONTENT + content - 1] == 0) /* the padding */
        --content;
    for (size_t size = 0; size < content; ++size) {
        poke(&o, HEADER + SEGMENT + 4, size, 4);
        ck_assert_msg(!read_copy(&o, o.size), "of %zu bytes", size);
    }
}
END_TEST

START_TEST(a_changed_file_is_read_without_harm)
{
    object o = make();

    for (size_t at = 0; at < o.size; ++at) {
        unsigned char before = o.bytes[at];
        for (unsigned byte = 0; byte < 256; ++byte) {
            o.bytes[at] = (unsigned char)byte;
            read_copy(&o, o.size);
        }
        o.bytes[at] = before;
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("metadata");

    add(suite, values_of_every_kind_are_read_or_passed_over);
    add(suite, a_file_that_is_cut_is_refused);
    add(suite, a_note_that_is_cut_is_refused);
    add(suite, a_changed_file_is_read_without_harm);
    return suite;
}
