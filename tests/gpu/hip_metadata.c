/* SPDX-License-Identifier: Apache-2.0 */
/* What a code object of AMD's says of itself, whatever its file is called. */
#include "run.h"

#include "plugins/gpu/driver/hip/hip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct object {
    unsigned char bytes[1024];
    size_t size;
} object;

static void put(object *o, const void *bytes, size_t size)
{
    ck_assert_uint_le(o->size + size, sizeof(o->bytes));
    memcpy(o->bytes + o->size, bytes, size);
    o->size += size;
}

/* A text of MessagePack. */
static void put_text(object *o, const char *text)
{
    size_t length = strlen(text);
    unsigned char head[2] = {0xd9, (unsigned char)length};
    if (length < 32)
        head[1] = (unsigned char)(0xa0 | length);
    put(o, length < 32 ? head + 1 : head, length < 32 ? 1 : 2);
    put(o, text, length);
}

static void put_byte(object *o, unsigned byte)
{
    unsigned char b = (unsigned char)byte;
    put(o, &b, 1);
}

static void put_kernel(object *o, uint32_t lanes)
{
    put_byte(o, 0x84);
    put_text(o, ".args");
    put_byte(o, 0x91);
    put_byte(o, 0x82);
    put_text(o, ".offset");
    put_byte(o, 0xcd); /* 16 bits */
    put_byte(o, 1);
    put_byte(o, 0);
    put_text(o, ".value_kind");
    put_text(o, "by_value");
    put_text(o, ".uses_dynamic_stack");
    put_byte(o, 0xc2);
    put_text(o, ".wavefront_size");
    put_byte(o, lanes);
    put_text(o, ".symbol");
    put_text(o, "accel_kernel_of_a_name_of_more_than_32.kd");
}

static void poke(object *o, size_t at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        o->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

static void put_note(object *o, const char *owner, size_t owner_size, uint32_t type, size_t content)
{
    poke(o, o->size, owner_size, 4);
    poke(o, o->size + 4, content, 4);
    poke(o, o->size + 8, type, 4);
    o->size += 12;
    put(o, owner, (owner_size + 3) / 4 * 4);
}

/* As compilers write it: two segments, the second of two notes, the second of these the metadata. No target: none is
 * told. */
static object make(const char *target, uint32_t first_lanes, uint32_t second_lanes)
{
    enum { HEADER = 64, SEGMENT = 56, SECOND = HEADER + SEGMENT };
    object o = {.size = HEADER + 2 * SEGMENT}, metadata = {.size = 0};
    char text[96];

    snprintf(text, sizeof(text), "amdgcn-amd-amdhsa--%s", target != NULL ? target : "");
    put_byte(&metadata, target != NULL ? 0x83 : 0x82);
    put_text(&metadata, "amdhsa.kernels");
    put_byte(&metadata, 0x92);
    put_kernel(&metadata, first_lanes);
    put_kernel(&metadata, second_lanes);
    if (target != NULL) {
        put_text(&metadata, "amdhsa.target");
        put_text(&metadata, text);
    }
    put_text(&metadata, "amdhsa.version");
    put(&metadata, "\x92\x01\x02", 3);

    memcpy(o.bytes, "\177ELF\2\1\1", 7);
    poke(&o, 18, 224, 2); /* the machine */
    poke(&o, 32, HEADER, 8);
    poke(&o, 54, SEGMENT, 2);
    poke(&o, 56, 2, 2);
    poke(&o, HEADER, 1, 4);
    poke(&o, SECOND, 4, 4); /* notes */
    poke(&o, SECOND + 8, o.size, 8);
    size_t begin = o.size;
    put_note(&o, "GNU", 4, 3, 2);
    put(&o, "id\0", 4);
    put_note(&o, "AMDGPU\0", 7, 32, metadata.size);
    put(&o, metadata.bytes, metadata.size);
    poke(&o, SECOND + 32, o.size - begin, 8);
    return o;
}

static hip_metadata read_object(const object *o)
{
    return hip_metadata_read(o->bytes, o->size);
}

START_TEST(the_target_and_the_lanes_are_in_it)
{
    object o = make("gfx90a:sramecc+:xnack-", 64, 64);
    hip_metadata metadata = read_object(&o);

    ck_assert_str_eq(metadata.target, "gfx90a:sramecc+:xnack-");
    ck_assert_uint_eq(metadata.lanes, 64);
    o = make("gfx1030", 32, 32);
    metadata = read_object(&o);
    ck_assert_str_eq(metadata.target, "gfx1030");
    ck_assert_uint_eq(metadata.lanes, 32);
}
END_TEST

START_TEST(what_is_not_told_is_unknown)
{
    object o = make(NULL, 64, 32);
    hip_metadata metadata = read_object(&o);

    ck_assert_str_eq(metadata.target, "");
    ck_assert_uint_eq(metadata.lanes, 0); /* they differ */
    metadata = hip_metadata_read("not an object", 13);
    ck_assert_str_eq(metadata.target, "");
    ck_assert_uint_eq(metadata.lanes, 0);
}
END_TEST

/* Copies of exactly their size, so that tools see a byte that is read beyond. */
static void read_copy(const object *o, size_t size)
{
    void *copy = malloc(size != 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, o->bytes, size);
    hip_metadata metadata = hip_metadata_read(copy, size);
    ck_assert_uint_lt(strnlen(metadata.target, sizeof(metadata.target)), sizeof(metadata.target));
    ck_assert(metadata.lanes == 0 || metadata.lanes == 32 || metadata.lanes == 64);
    free(copy);
}

START_TEST(a_truncated_or_changed_file_is_read_without_harm)
{
    static const unsigned char bytes[] = {0x00, 0x01, 0x7f, 0x8f, 0x9f, 0xa0, 0xbf, 0xc4, 0xcf, 0xdb, 0xdd, 0xdf, 0xff};
    object o = make("gfx90a:sramecc+:xnack-", 64, 64);

    for (size_t size = 0; size < o.size; ++size)
        read_copy(&o, size);
    for (size_t at = 0; at < o.size; ++at) {
        unsigned char before = o.bytes[at];
        for (size_t i = 0; i < sizeof(bytes); ++i) {
            o.bytes[at] = bytes[i];
            read_copy(&o, o.size);
        }
        o.bytes[at] = before;
    }
}
END_TEST

static const struct {
    const char *named, *made;
    bool accepted;
} names[] = {
    {"gfx90a", "gfx90a", true},
    {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", true},
    {"gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-", true},
    {"gfx90a:xnack-", "gfx90a", true}, /* runs with either */
    {"gfx10-3-generic", "gfx10-3-generic", true},
    {"gfx90a", NULL, true}, /* nothing is known of it */
    {"gfx90a", "gfx1030", false},
    {"gfx90a", "gfx90a:xnack+", false},
    {"gfx90a:xnack-", "gfx90a:xnack+", false},
    {"gfx1030", "gfx10-3-generic", false}, /* whose runtime may be too old */
    {"gfx90a", "nonsense", false},
};

/* Old runtimes of HIP end the process when they are given an object for another GPU. */
START_TEST(an_object_whose_name_is_not_its_own_is_refused)
{
    char reason[192] = "";
    object o = make(names[_i].made, 64, 64);
    accel_image image = {
        .struct_size = sizeof(image), .target = names[_i].named, .format = "hsaco", .data = o.bytes, .size = o.size};

    ck_assert(hip_driver.accepts_image != NULL);
    ck_assert_msg(hip_driver.accepts_image(&image, reason, sizeof(reason)) == names[_i].accepted, "%s named %s: %s",
                  names[_i].made, names[_i].named, reason);
    if (!names[_i].accepted) {
        ck_assert_ptr_nonnull(strstr(reason, names[_i].made));
        ck_assert_ptr_nonnull(strstr(reason, names[_i].named));
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("hip_metadata");
    TCase *loops = tcase_create("loops");

    add(suite, the_target_and_the_lanes_are_in_it);
    add(suite, what_is_not_told_is_unknown);
    add(suite, a_truncated_or_changed_file_is_read_without_harm);
    tcase_add_loop_test(loops, an_object_whose_name_is_not_its_own_is_refused, 0,
                        (int)(sizeof(names) / sizeof(names[0])));
    suite_add_tcase(suite, loops);
    return suite;
}
