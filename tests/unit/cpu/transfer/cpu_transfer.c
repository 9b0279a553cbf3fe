/* SPDX-License-Identifier: Apache-2.0 */
/* Which copies and fills are written past the caches, and how they are divided. */
#include "plugins/cpu/serial/serial.h"
#include "plugins/cpu/transfer/transfer.h"
#include "run.h"

enum { MIB = 1 << 20 };

typedef struct job {
    cpu_transfer transfer;
    size_t chunks; /* that were done */
} job;

static void run_blocks(const accel_launch_context *context, const void *args, size_t first, size_t count)
{
    (void)context;
    (void)first;
    ((job *)(uintptr_t)args)->chunks += count;
}

static uint32_t two(const cpu_executor *self)
{
    (void)self;
    return 2;
}

static accel_status run_all(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    (void)self;
    return cpu_blocks_run(launch, scratch, 0, launch->blocks);
}

static const cpu_executor pair = {.name = "pair", .compute_units = two, .run = run_all};
static const cpu_settings settings = {0};
static const accel_descriptor kernel = CPU_TRANSFER_KERNEL("test", job, run_blocks);

/* So many rows, where each CPU has a second level of 1 MiB and these. */
static bool goes_past_with(cpu_caches caches, const cpu_executor *executor, cpu_transfer_kind kind, size_t rows,
                           size_t row)
{
    cpu_scratch scratch = {0};
    const size_t extent[] = {rows, row};
    caches.first = 1 << 15;
    caches.second = MIB;
    accel_impl_device device = {.caches_state = CPU_CACHES_READ, .caches = caches};
    cpu_transfer_site site = {executor, &scratch, &settings, &device};
    job own = {.transfer.chunks = cpu_chunks_of(2, extent, CPU_TRANSFER_CHUNK, CPU_TRANSFER_UNIT)};

    cpu_transfer_run(&site, &own.transfer, kind, &kernel, &own);
    ck_assert_uint_eq(own.chunks, own.transfer.chunks.count);
    cpu_scratch_clear(&scratch);
    return own.transfer.past_caches;
}

static bool goes_past(const cpu_executor *executor, size_t third, cpu_transfer_kind kind, size_t rows, size_t row)
{
    return goes_past_with((cpu_caches){.third = third}, executor, kind, rows, row);
}

START_TEST(copies_of_more_than_the_second_levels_go_past_the_caches)
{
    for (size_t third = 0; third <= 64 * MIB; third += 32 * MIB) {
        ck_assert(!goes_past(&cpu_executor_serial, third, CPU_COPY, 1, MIB));
        ck_assert(goes_past(&cpu_executor_serial, third, CPU_COPY, 1, MIB + 1));
        ck_assert(!goes_past(&pair, third, CPU_COPY, 1, 2 * MIB));
        ck_assert(goes_past(&pair, third, CPU_COPY, 1, 2 * MIB + 1));
    }
}
END_TEST

START_TEST(fills_go_past_the_caches_from_where_the_third_level_is_no_help)
{
    static const struct {
        size_t third, kept; /* MiB: of a CPU */
    } cases[] = {{0, 2}, {1, 2}, {3, 4}, {5, 6}, {300, 6}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        size_t third = cases[i].third * MIB, kept = cases[i].kept * MIB;
        ck_assert(!goes_past(&cpu_executor_serial, third, CPU_FILL, 1, kept));
        ck_assert(goes_past(&cpu_executor_serial, third, CPU_FILL, 1, kept + 1));
        ck_assert(!goes_past(&pair, third, CPU_FILL, 1, 2 * kept));
        ck_assert(goes_past(&pair, third, CPU_FILL, 1, 2 * kept + 1));
    }
}
END_TEST

START_TEST(three_quarters_of_a_victim_cache_keep_what_is_written_and_read)
{
    const cpu_caches caches = {.third = 16 * MIB, .third_is_victim = true};
    const cpu_caches small = {.third = MIB, .third_is_victim = true};

    ck_assert(!goes_past_with(caches, &pair, CPU_FILL, 1, 24 * MIB));
    ck_assert(goes_past_with(caches, &pair, CPU_FILL, 1, 24 * MIB + 1));
    ck_assert(!goes_past_with(caches, &pair, CPU_COPY, 1, 12 * MIB));
    ck_assert(goes_past_with(caches, &pair, CPU_COPY, 1, 12 * MIB + 1));
    ck_assert(!goes_past_with(caches, &cpu_executor_serial, CPU_COPY, 1, 6 * MIB));
    ck_assert(goes_past_with(caches, &cpu_executor_serial, CPU_COPY, 1, 6 * MIB + 1));
    ck_assert(!goes_past_with(small, &cpu_executor_serial, CPU_COPY, 1, MIB)); /* the second level is larger */
    ck_assert(goes_past_with(small, &cpu_executor_serial, CPU_COPY, 1, MIB + 1));
}
END_TEST

START_TEST(short_rows_never_go_past_the_caches)
{
    ck_assert(goes_past(&cpu_executor_serial, 0, CPU_COPY, 100000, 512));
    ck_assert(!goes_past(&cpu_executor_serial, 0, CPU_COPY, 100000, 511));
    ck_assert(!goes_past(&cpu_executor_serial, 0, CPU_FILL, 10000, 64));
}
END_TEST

/* Bytes of a chunk that is not the last. */
static size_t bytes_of(const cpu_chunks *chunks)
{
    return chunks->per_row > 1 ? chunks->cut : chunks->per_chunk * chunks->row;
}

START_TEST(a_few_chunks_are_even_and_equal)
{
    for (size_t bytes = CPU_TRANSFER_INLINE; bytes < 16 * CPU_TRANSFER_CHUNK; bytes += 1000) {
        const cpu_chunks chunks = cpu_transfer_chunks(1, &bytes, CPU_TRANSFER_UNIT);
        const size_t each = bytes_of(&chunks);
        ck_assert_msg(chunks.count % 2 == 0, "%zu chunks of %zu bytes", chunks.count, bytes);
        ck_assert_uint_le(each, CPU_TRANSFER_CHUNK);
        ck_assert_msg(chunks.count * each - bytes < chunks.count * CPU_TRANSFER_UNIT, "%zu bytes by %zu", bytes, each);
    }
}
END_TEST

START_TEST(a_few_chunks_are_as_many_whole_rows)
{
    for (size_t rows = 48; rows < 480; ++rows) {
        const size_t extent[] = {rows, 1008};
        const cpu_chunks chunks = cpu_transfer_chunks(2, extent, CPU_TRANSFER_UNIT);
        ck_assert_uint_eq(chunks.per_row, 1);
        ck_assert_msg(chunks.count % 2 == 0, "%zu chunks of %zu rows", chunks.count, rows);
        ck_assert_uint_lt(chunks.count * chunks.per_chunk - rows, chunks.count);
    }
}
END_TEST

START_TEST(many_chunks_have_their_usual_size)
{
    const size_t bytes = 16 * CPU_TRANSFER_CHUNK + 1, pieces[] = {3, 3 * CPU_TRANSFER_CHUNK};
    cpu_chunks chunks = cpu_transfer_chunks(1, &bytes, CPU_TRANSFER_UNIT);
    ck_assert_uint_eq(chunks.cut, CPU_TRANSFER_CHUNK);
    ck_assert_uint_eq(chunks.count, 17);
    chunks = cpu_transfer_chunks(2, pieces, 48); /* a pattern of 48 bytes begins anew in each */
    ck_assert_uint_eq(chunks.cut % 48, 0);
    ck_assert_uint_ge(chunks.count * chunks.cut, 9 * (size_t)CPU_TRANSFER_CHUNK);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_transfer");

    add(suite, copies_of_more_than_the_second_levels_go_past_the_caches);
    add(suite, fills_go_past_the_caches_from_where_the_third_level_is_no_help);
    add(suite, three_quarters_of_a_victim_cache_keep_what_is_written_and_read);
    add(suite, short_rows_never_go_past_the_caches);
    add(suite, a_few_chunks_are_even_and_equal);
    add(suite, a_few_chunks_are_as_many_whole_rows);
    add(suite, many_chunks_have_their_usual_size);
    return suite;
}
