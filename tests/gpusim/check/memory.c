/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void copy(void *dst, const void *src, size_t size)
{
    cuda_ok(cu.copy((uintptr_t)dst, (uintptr_t)src, size, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
}

static void *device_words(size_t n, uint32_t value)
{
    return (void *)cuda_new_words(n, value); /* NOLINT(performance-no-int-to-ptr) */
}

START_TEST(what_is_copied_to_a_device_and_back_is_the_same)
{
    enum { N = 100000 };
    cuda_start();
    uint32_t *words = malloc(N * 4), *back = malloc(N * 4);
    for (uint32_t i = 0; i < N; ++i)
        words[i] = i * 7;
    uint32_t *a = device_words(N, 0), *b = device_words(N, 0);
    copy(a, words, N * 4);
    copy(b, a, N * 4);
    copy(back, b, N * 4);
    ck_assert_mem_eq(words, back, N * 4);
    cuda_ok(cu.memory_free((uintptr_t)a));
    cuda_ok(cu.memory_free((uintptr_t)b));
    cuda_stop();
    free(words);
    free(back);
}
END_TEST

/* In a child, by a signal: with a sanitizer the handler is the sanitizer's. */
static int ends_with_a_fault(void (*touch)(volatile uint32_t *), uint32_t *address)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        touch(address);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void load(volatile uint32_t *word)
{
    (void)*word;
}

static void store(volatile uint32_t *word)
{
    *word = 1;
}

START_TEST(the_host_cannot_reach_device_memory)
{
    cuda_start();
    uint32_t *words = device_words(10, 3), read = 0;
    ck_assert(ends_with_a_fault(load, words));
    ck_assert(ends_with_a_fault(store, words));
    copy(&read, words, 4);
    ck_assert_uint_eq(read, 3);
    cuda_ok(cu.memory_free((uintptr_t)words));
    cuda_stop();
}
END_TEST

START_TEST(new_memory_is_not_zero)
{
    cuda_device_pointer words = 0;
    uint32_t read = 0;
    cuda_start();
    cuda_ok(cu.memory_allocate(&words, 4));
    copy(&read, (void *)words, 4); /* NOLINT(performance-no-int-to-ptr) */
    ck_assert_uint_ne(read, 0);
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}
END_TEST

START_TEST(a_copy_in_three_dimensions_moves_its_box_and_nothing_else)
{
    enum { X = 7, Y = 5, Z = 4 };
    unsigned char host[Z][Y][X], back[Z][Y][X];
    cuda_start();
    for (unsigned i = 0; i < sizeof host; ++i)
        (&host[0][0][0])[i] = (unsigned char)(i + 1);
    unsigned char *device = device_words(X * Y * Z, 0);
    cuda_copy_3d box = {.src_type = CUDA_MEMORY_HOST,
                        .src_host = host,
                        .src_x = 1,
                        .src_y = 2,
                        .src_z = 1,
                        .src_pitch = X,
                        .src_height = Y,
                        .dst_type = CUDA_MEMORY_DEVICE,
                        .dst_device = (uintptr_t)device,
                        .dst_x = 3,
                        .dst_y = 0,
                        .dst_z = 2,
                        .dst_pitch = X,
                        .dst_height = Y,
                        .width = 4,
                        .height = 3,
                        .depth = 2};
    cuda_ok(cu.copy_3d(&box, NULL));
    copy(back, device, sizeof back);
    for (unsigned z = 0; z < Z; ++z)
        for (unsigned y = 0; y < Y; ++y)
            for (unsigned x = 0; x < X; ++x) {
                bool inside = z >= 2 && y < 3 && x >= 3;
                ck_assert_uint_eq(back[z][y][x], inside ? host[z - 1][y + 2][x - 2] : 0);
            }
    cuda_ok(cu.memory_free((uintptr_t)device));
    cuda_stop();
}
END_TEST

START_TEST(fills_repeat_values_of_one_two_and_four_bytes)
{
    unsigned char back[64];
    cuda_start();
    cuda_device_pointer at = cuda_new_words(16, 0);
    cuda_ok(cu.fill_8(at, 0x11, 3, NULL));
    cuda_ok(cu.fill_16(at + 4, 0x2233, 2, NULL));
    cuda_ok(cu.fill_2d_32(at + 16, 16, 0x44556677, 2, 3, NULL));
    copy(back, (void *)at, sizeof back); /* NOLINT(performance-no-int-to-ptr) */
    const unsigned char expected[64] = {0x11, 0x11, 0x11, 0,    0x33, 0x22, 0x33, 0x22, 0,    0,    0,    0,    0,   0,
                                        0,    0,    0x77, 0x66, 0x55, 0x44, 0x77, 0x66, 0x55, 0x44, 0,    0,    0,   0,
                                        0,    0,    0,    0,    0x77, 0x66, 0x55, 0x44, 0x77, 0x66, 0x55, 0x44, 0,   0,
                                        0,    0,    0,    0,    0,    0,    0x77, 0x66, 0x55, 0x44, 0x77, 0x66, 0x55};
    ck_assert_mem_eq(back, expected, 55);
    ck_assert_int_eq(cu.fill_32(at + 2, 0, 1, NULL), CUDA_RESULT_INVALID_VALUE);
    cuda_ok(cu.memory_free(at));
    cuda_stop();
}
END_TEST

START_TEST(pinned_and_managed_memory_is_the_hosts_too)
{
    uint32_t *pinned = NULL, *managed = NULL;
    cuda_device_pointer device = 0, mapped = 0;
    cuda_start();
    cuda_ok(cu.host_allocate((void **)&pinned, 400, CUDA_HOST_MAPPED));
    cuda_ok(cu.memory_allocate_managed(&device, 400, CUDA_ATTACH_GLOBAL));
    cuda_ok(cu.host_device_pointer(&mapped, pinned, 0));
    ck_assert_uint_eq(mapped, (uintptr_t)pinned);
    managed = (uint32_t *)device; /* NOLINT(performance-no-int-to-ptr) */
    cuda_ok(cu.fill_32(mapped, 5, 100, NULL));
    cuda_ok(cu.copy(device, mapped, 400, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    ck_assert_uint_eq(pinned[99], 5);
    ck_assert_uint_eq(managed[99], 5);
    cuda_ok(cu.host_free(pinned));
    cuda_ok(cu.memory_free(device));
    cuda_stop();
}
END_TEST

START_TEST(memory_ends)
{
    setenv("GPUSIM_MEMORY", "16", 1);
    size_t available = 0, total = 0, less = 0;
    cuda_device_pointer some = 0, more = 0;
    cuda_start();
    cuda_ok(cu.memory_info(&available, &total));
    ck_assert_uint_eq(total, 16u << 20);
    cuda_ok(cu.memory_allocate(&some, 10u << 20));
    cuda_ok(cu.memory_info(&less, &total));
    ck_assert_uint_le(less, available - (10u << 20));
    ck_assert_int_eq(cu.memory_allocate(&more, 10u << 20), CUDA_RESULT_OUT_OF_MEMORY);
    cuda_ok(cu.memory_free(some));
    cuda_ok(cu.memory_allocate(&more, 10u << 20));
    cuda_ok(cu.memory_free(more));
    cuda_stop();
}
END_TEST

START_TEST(stream_ordered_memory_lives_between_its_commands)
{
    cuda_device_pointer at = 0;
    uint32_t read = 0;
    cuda_start();
    cuda_stream stream = cuda_new_stream(CUDA_STREAM_NON_BLOCKING);
    for (uint32_t i = 0; i < 50; ++i) {
        cuda_ok(cu.memory_allocate_async(&at, 1000, stream));
        cuda_ok(cu.fill_32(at, i, 250, stream));
        cuda_ok(cu.copy((uintptr_t)&read, at + 996, 4, stream));
        cuda_ok(cu.memory_free_async(at, stream));
        cuda_ok(cu.stream_synchronize(stream));
        ck_assert_uint_eq(read, i);
    }
    cuda_ok(cu.stream_destroy(stream));
    cuda_stop();
}
END_TEST

Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    add_test(suite, what_is_copied_to_a_device_and_back_is_the_same);
    add_test(suite, the_host_cannot_reach_device_memory);
    add_test(suite, new_memory_is_not_zero);
    add_test(suite, a_copy_in_three_dimensions_moves_its_box_and_nothing_else);
    add_test(suite, fills_repeat_values_of_one_two_and_four_bytes);
    add_test(suite, pinned_and_managed_memory_is_the_hosts_too);
    add_test(suite, memory_ends);
    add_test(suite, stream_ordered_memory_lives_between_its_commands);
    return suite;
}
