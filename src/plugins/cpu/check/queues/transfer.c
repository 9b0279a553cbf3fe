/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/transfer.h"
#include "plugins/cpu/check/access.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/queues/history.h"
#include "plugins/cpu/check/shadow.h"

#include <accel/kernel/cpu/check_table.h>

/* What the present operation does. */
typedef struct transfer {
    uint32_t how;
    const void *place;
} transfer;

static void compare(const transfer *self, uintptr_t at, uint64_t word, unsigned mask, bool other_writes)
{
    const uint64_t context = word >> CHECK_CONTEXT_SHIFT;
    if (context < check_time.ordered || context >= check_time.launch || (word >> CHECK_MASK_SHIFT & mask) == 0 ||
        check_history_unordered(context) == NULL)
        return;
    check_finding_add(&(check_finding){.kind = CHECK_FINDING_QUEUES,
                                       .at = (const char *)at,
                                       .mine = {.place = self->place, .how = self->how},
                                       .has_other = true,
                                       .other = check_side_of(word, other_writes)});
}

static void note(const transfer *self, check_cell *cell, unsigned mask)
{
    const uint64_t own = check_time.now << CHECK_CONTEXT_SHIFT | (uint64_t)mask << CHECK_MASK_SHIFT;
    if ((self->how & ACCEL_CHECK_WRITE) == 0) {
        cell->read = own | (cell->read & CHECK_PART);
        return;
    }
    cell->write = own | (cell->write & (CHECK_KNOWN | CHECK_WRITTEN));
    cell->write |= (uint64_t)(mask & check_bytes_known(cell)) << CHECK_WRITTEN_SHIFT;
}

/* Of memory that is no buffer, what kernels have touched. */
static void touch(const transfer *self, uintptr_t at, unsigned mask)
{
    check_cell *cell = check_cell_if_known(at);
    if (cell == NULL || (cell->write | cell->read) == 0)
        return;
    compare(self, at, cell->write, mask, true);
    if ((self->how & ACCEL_CHECK_WRITE) != 0)
        compare(self, at, cell->read, mask, false);
    note(self, cell, mask);
}

/* Whole words, all of them of one leaf. The second cell of a pair is empty, and so left alone. */
static void touch_words(const transfer *self, uintptr_t begin, uintptr_t end)
{
    const bool writes = (self->how & ACCEL_CHECK_WRITE) != 0;
    check_cell *cell = check_cell_if_known(begin);
    (void)check_cell_if_known(end - 4); /* which may be of a pair, too */
    for (uintptr_t at = begin; cell != NULL && at < end; at += 4, ++cell) {
        if ((cell->write | cell->read) == 0)
            continue;
        if (__builtin_expect(cell->write < check_time.words.ordered, 1) &&
            __builtin_expect(!writes || cell->read < check_time.words.ordered, 1))
            note(self, cell, 15);
        else
            touch(self, at, 15);
    }
}

static void touch_bytes(const transfer *self, uintptr_t begin, uintptr_t end)
{
    for (uintptr_t at = begin & ~(uintptr_t)3, next; at < end; at = next) {
        next = check_words_end(at, begin, end);
        if (next != at) {
            touch_words(self, at, next);
            continue;
        }
        next = at + 4;
        touch(self, at, check_mask_of(at, begin, end));
    }
}

void check_transfer(const void *data, uint32_t dims, const size_t *extent, const size_t *pitch, uint32_t how,
                    const void *place)
{
    const transfer self = {how, place};
    size_t rows = 1;
    for (uint32_t d = 0; d + 1 < dims; ++d)
        rows *= extent[d];
    for (size_t row = 0; row < rows; ++row) {
        size_t rest = row, offset = 0;
        for (uint32_t d = dims - 1; d-- > 0;) {
            offset += rest % extent[d] * pitch[d];
            rest /= extent[d];
        }
        const uintptr_t begin = (uintptr_t)data + offset;
        touch_bytes(&self, begin, begin + extent[dims - 1]);
    }
}
