/* SPDX-License-Identifier: Apache-2.0 */
/* accel_select, accel_partition, accel_unique and accel_run_lengths: a launch that counts, and one that moves
 * (src/kernels/select.h). */
#include "core/algorithms/library.h"
#include "core/algorithms/operand.h"
#include "core/algorithms/share.h"
#include "core/base/error.h"
#include "core/launch/launch.h"
#include "core/memory/copy.h"
#include "core/patterns/place.h"
#include "core/patterns/scratch.h"
#include "kernels/select.h"

#include <string.h>

enum {
    TILE = SELECT_THREADS * SELECT_ITEMS, /* elements that a block of a GPU takes at a time */
    CPU_BLOCKS = 4                        /* blocks per CPU */
};

/* One call. Buffers that it has not are NULL. */
typedef struct selection {
    const char *function;
    accel_queue *queue;
    accel_buffer *from, *flags, *to, *lengths, *count;
    const char *to_name;
    select_args args;
} selection;

static accel_status check_flags(const selection *s)
{
    accel_status status = accel_operand_check(s->function, "flags", s->queue, s->flags);
    size_t size;

    if (status != ACCEL_OK)
        return status;
    size = s->flags->element_size;
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return accel_error_set(ACCEL_INVALID,
                               "%s: elements of flags have %zu bytes; give integers of 1, 2, 4 or 8 bytes", s->function,
                               size);
    status = accel_operand_check_count(s->function, "flags", s->flags, s->args.n);
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(s->function, "flags", s->flags, s->to_name, s->to);
    return status;
}

static accel_status check_lengths(const selection *s)
{
    accel_status status = accel_operand_check(s->function, "lengths", s->queue, s->lengths);

    if (status == ACCEL_OK)
        status = accel_operand_check_counts(s->function, "lengths", s->lengths);
    if (status == ACCEL_OK && s->lengths->element_size == 4 && s->args.n > UINT32_MAX)
        return accel_error_set(ACCEL_INVALID,
                               "%s: from has %zu elements, and a length of 4 bytes is less than 2^32; create lengths "
                               "with elements of 8 bytes",
                               s->function, s->args.n);
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(s->function, "from", s->from, "lengths", s->lengths);
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(s->function, s->to_name, s->to, "lengths", s->lengths);
    return status;
}

/* It may lie anywhere; if kernels write it themselves, nothing else may lie there. */
static accel_status check_count(const selection *s)
{
    const accel_buffer *count = s->count, *const others[] = {s->from, s->flags, s->to, s->lengths};
    const char *const names[] = {"from", "flags", s->to_name, "lengths"};
    accel_status status;

    if (count == NULL)
        return accel_error_null(s->function, "count");
    status = accel_device_usable(s->function, "count", count->device, count->fork_generation);
    if (status == ACCEL_OK)
        status = accel_place_check_instance(s->function, "count", s->queue->device, count);
    if (status == ACCEL_OK)
        status = accel_operand_check_counts(s->function, "count", count);
    if (status == ACCEL_OK && accel_buffer_empty(count))
        return accel_error_set(ACCEL_INVALID, "%s: count has no elements; create it with 1", s->function);
    if (status == ACCEL_OK && count->element_size == 4 && s->args.n > UINT32_MAX)
        return accel_error_set(ACCEL_INVALID,
                               "%s: from has %zu elements, and a count of 4 bytes is less than 2^32; create it with "
                               "8 bytes",
                               s->function, s->args.n);
    if (status != ACCEL_OK || !accel_place_is_direct(s->queue, count))
        return status;
    for (size_t i = 0; i < 4 && status == ACCEL_OK; ++i) {
        if (others[i] != NULL)
            status = accel_operand_check_apart(s->function, names[i], others[i], "count", count);
    }
    return status;
}

static accel_status check(selection *s)
{
    accel_status status = accel_queue_check(s->function, s->queue);

    if (status == ACCEL_OK)
        status = accel_operand_check(s->function, "from", s->queue, s->from);
    if (status == ACCEL_OK)
        s->args.n = accel_operand_count(s->from);
    if (status == ACCEL_OK)
        status = accel_operand_check(s->function, s->to_name, s->queue, s->to);
    if (status == ACCEL_OK)
        status = accel_operand_check_size(s->function, s->to_name, s->to, s->from->element_size);
    if (status == ACCEL_OK && s->args.keeps_rest != 0)
        status = accel_operand_check_count(s->function, s->to_name, s->to, s->args.n);
    if (status == ACCEL_OK)
        status = accel_operand_check_apart(s->function, "from", s->from, s->to_name, s->to);
    return status;
}

static void divide(selection *s)
{
    static const accel_share_wish wish = {.tile = TILE, .cpu_blocks = CPU_BLOCKS, .least_blocks = 1};
    const accel_shares shares = accel_shares_of(&s->queue->device->properties, s->args.n, &wish);

    s->args.share = shares.share;
    s->args.blocks = shares.blocks;
}

static void set_args(selection *s)
{
    size_t unit = accel_operand_unit(s->from), to_unit = accel_operand_unit(s->to);

    if (to_unit < unit)
        unit = to_unit;
    s->args.from = s->from->ptr;
    s->args.to = s->to->ptr;
    s->args.room = accel_operand_count(s->to);
    s->args.unit = (uint32_t)unit;
    s->args.units = s->from->element_size / unit;
    if (s->flags != NULL) {
        s->args.flags = s->flags->ptr;
        s->args.flag_size = (uint32_t)s->flags->element_size;
    }
    s->args.wide_count = s->count->element_size == 8;
    if (s->lengths != NULL) { /* the length of the last run that fits ends where the next one starts */
        size_t room = accel_operand_count(s->lengths);

        s->args.wide_starts = s->args.n > UINT32_MAX;
        s->args.starts_room = room < s->args.n ? room + 1 : s->args.n;
    }
    divide(s);
}

/* Places in the scratch memory, which has so many bytes. The first is a count's on its way to another device. */
static size_t place(selection *s, unsigned char *memory)
{
    size_t used = ACCEL_SCRATCH_SLOT;

    s->args.counts = accel_scratch_part(memory, &used, s->args.blocks * sizeof(uint64_t));
    s->args.starts = accel_scratch_part(memory, &used, s->args.starts_room * (s->args.wide_starts != 0 ? 8 : 4));
    return used;
}

static accel_status launch_lengths(const selection *s, accel_kernel *kernel)
{
    size_t room = accel_operand_count(s->lengths), most = room < s->args.n ? room : s->args.n;
    select_lengths_args args;

    memset(&args, 0, sizeof(args));
    args.n = s->args.n;
    args.starts = s->args.starts;
    args.count = s->args.count;
    args.lengths = s->lengths->ptr;
    args.room = room;
    args.wide_starts = s->args.wide_starts;
    args.wide_count = s->args.wide_count;
    args.wide_lengths = s->lengths->element_size == 8;
    return accel_launch_over(s->queue, kernel, 1, &most, &args, sizeof(args));
}

static accel_status run(selection *s, accel_kernel *const kernels[3])
{
    accel_work work = accel_work_1d(s->args.blocks, SELECT_THREADS, 1);
    accel_status status = accel_launch(s->queue, kernels[0], &work, &s->args, sizeof(s->args));

    if (status == ACCEL_OK)
        status = accel_launch(s->queue, kernels[1], &work, &s->args, sizeof(s->args));
    if (status == ACCEL_OK && s->lengths != NULL)
        status = launch_lengths(s, kernels[2]);
    return status == ACCEL_OK ? ACCEL_OK : accel_error_rename(status, s->function);
}

static accel_status get_kernels(const selection *s, accel_kernel *kernels[3])
{
    static const accel_own_kernel which[] = {ACCEL_OWN_SELECT_COUNT, ACCEL_OWN_SELECT_MOVE, ACCEL_OWN_SELECT_LENGTHS};
    accel_status status = ACCEL_OK;

    for (size_t i = 0; i < 3 && status == ACCEL_OK; ++i)
        status = accel_own_kernel_get(s->function, s->queue, which[i], &kernels[i]);
    if (status == ACCEL_OK && kernels[1]->max_threads < SELECT_THREADS)
        return accel_error_set(ACCEL_LIMIT, "%s: kernel \"%s\" needs blocks of %d threads, the limit of \"%s\" is %u",
                               s->function, kernels[1]->name, SELECT_THREADS, s->queue->device->properties.name,
                               kernels[1]->max_threads);
    return status;
}

/* What was checked. */
static accel_status choose(selection *s)
{
    accel_kernel *kernels[3];
    accel_scratch *scratch;
    accel_buffer *slot = NULL;
    bool direct = accel_place_is_direct(s->queue, s->count);
    accel_status status = get_kernels(s, kernels);

    if (status != ACCEL_OK)
        return status;
    set_args(s);
    status = accel_scratch_enter(s->function, s->queue, place(s, NULL), &scratch);
    if (status != ACCEL_OK)
        return status;
    (void)place(s, accel_scratch_memory(scratch));
    if (!direct)
        status = accel_scratch_slot(s->function, s->queue, scratch, s->count->element_size, &slot);
    if (status == ACCEL_OK) {
        s->args.count = direct ? s->count->ptr : slot->ptr;
        status = run(s, kernels);
    }
    if (status == ACCEL_OK && !direct)
        status = accel_copy_first(s->function, s->queue, s->count, slot);
    accel_scratch_leave(scratch);
    return status;
}

static selection selection_of(const char *function, accel_queue *queue, accel_buffer *from, accel_buffer *to,
                              accel_buffer *count)
{
    selection s;

    memset(&s, 0, sizeof(s));
    s.function = function;
    s.queue = queue;
    s.from = from;
    s.to = to;
    s.to_name = "to";
    s.count = count;
    return s;
}

static accel_status choose_flagged(selection *s, accel_buffer *flags)
{
    accel_status status;

    status = check(s);
    s->flags = flags;
    if (status == ACCEL_OK)
        status = check_flags(s);
    if (status == ACCEL_OK)
        status = check_count(s);
    return status == ACCEL_OK ? choose(s) : status;
}

ACCEL_API accel_status accel_select(accel_queue *queue, accel_buffer *from, accel_buffer *flags, accel_buffer *to,
                                    accel_buffer *count)
{
    selection s = selection_of("accel_select", queue, from, to, count);

    return choose_flagged(&s, flags);
}

ACCEL_API accel_status accel_partition(accel_queue *queue, accel_buffer *from, accel_buffer *flags, accel_buffer *to,
                                       accel_buffer *count)
{
    selection s = selection_of("accel_partition", queue, from, to, count);

    s.args.keeps_rest = 1;
    return choose_flagged(&s, flags);
}

ACCEL_API accel_status accel_unique(accel_queue *queue, accel_buffer *from, accel_buffer *to, accel_buffer *count)
{
    selection s = selection_of("accel_unique", queue, from, to, count);
    accel_status status = check(&s);

    if (status == ACCEL_OK)
        status = check_count(&s);
    return status == ACCEL_OK ? choose(&s) : status;
}

ACCEL_API accel_status accel_run_lengths(accel_queue *queue, accel_buffer *from, accel_buffer *elements,
                                         accel_buffer *lengths, accel_buffer *count)
{
    selection s = selection_of("accel_run_lengths", queue, from, elements, count);
    accel_status status;

    s.to_name = "elements";
    status = check(&s);
    s.lengths = lengths;
    if (status == ACCEL_OK)
        status = check_lengths(&s);
    if (status == ACCEL_OK)
        status = check_count(&s);
    return status == ACCEL_OK ? choose(&s) : status;
}
