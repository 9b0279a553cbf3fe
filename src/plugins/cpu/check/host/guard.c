/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/host/guard.h"
#include "plugins/cpu/check/host/pages.h"
#include "plugins/cpu/check/shadow.h"

#include <sys/mman.h>

/* TOUCHES: of one guard that are looked at; then its pages have their rights for good, so that a loop over memory which the
 * operation turns out not to use does not take for ever. COMPARED: bytes. */
enum { GUARDS = 1024, TOUCHES = 64, COMPARED = 1 << 20, ALL = PROT_READ | PROT_WRITE };

struct check_guard {
    check_use use;
    bool listed, marked; /* in force; of a mark. Free if neither */
    bool disturbed;      /* others than the host may have changed its memory */
    bool told;           /* the host was seen there */
    bool compared;
    uint64_t sum;          /* of the bytes that are compared */
    uintptr_t first, last; /* whole pages */
    uint32_t track, touches;
    uint64_t number; /* of the track; 0: not begun yet */
    check_guard *next;
};

static check_guard guards[GUARDS];
static size_t used;      /* of the array */
static size_t opened;    /* by operations and host functions that run */
static size_t functions; /* host functions that run */
static bool stopped;

/* --- rights --- */

/* Of the page, and where others may be. */
static int rights_at(uintptr_t page, uintptr_t *until)
{
    int rights = ALL;
    for (size_t i = 0; i < used; ++i) {
        const check_guard *self = &guards[i];
        if (!self->listed || self->touches > TOUCHES || page >= self->last)
            continue;
        if (page < self->first) {
            *until = *until < self->first ? *until : self->first;
            continue;
        }
        *until = *until < self->last ? *until : self->last;
        rights &= self->use.written ? PROT_NONE : PROT_READ;
    }
    return opened != 0 ? ALL : rights;
}

static void set_rights(uintptr_t first, uintptr_t last)
{
    for (uintptr_t until; first < last; first = until) {
        until = last;
        const int rights = rights_at(first, &until);
        (void)check_pages_set(first, until, rights);
    }
}

static void set_all(void)
{
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed)
            set_rights(guards[i].first, guards[i].last);
}

/* Have all these pages all rights, but for what guards take? */
static bool are_plain(uintptr_t first, uintptr_t last)
{
    for (uintptr_t at = first, until; at < last; at = until) {
        bool guarded = false;
        until = last;
        for (size_t i = 0; i < used; ++i) {
            const check_guard *self = &guards[i];
            if (!self->listed || at >= self->last)
                continue;
            guarded = guarded || at >= self->first;
            const uintptr_t border = at < self->first ? self->first : self->last;
            until = until < border ? until : border;
        }
        if (!guarded && !check_pages_allow(at, until, true))
            return false;
    }
    return true;
}

/* --- rows --- */

static size_t span_of(const check_use *use)
{
    size_t span = use->extent[use->dims - 1];
    for (uint32_t d = 0; d + 1 < use->dims; ++d)
        span += (use->extent[d] - 1) * use->pitch[d];
    return span;
}

static bool has(const check_use *use, uintptr_t address)
{
    uintptr_t rest = address - (uintptr_t)use->data;
    if (rest >= span_of(use))
        return false;
    for (uint32_t d = 0; d + 1 < use->dims; ++d) {
        const uintptr_t index = use->pitch[d] != 0 ? rest / use->pitch[d] : use->extent[d];
        if (index >= use->extent[d])
            return false;
        rest -= index * use->pitch[d];
    }
    return rest < use->extent[use->dims - 1];
}

static bool overlap(const check_use *a, const check_use *b)
{
    return a->data < b->data + span_of(b) && b->data < a->data + span_of(a);
}

/* --- what is compared --- */

typedef void row_call(uintptr_t begin, uintptr_t end, void *user);

/* For the parts of rows that lie on no whole page. */
static void each_part(const check_guard *self, row_call *call, void *user)
{
    const check_use *use = &self->use;
    size_t rows = 1;
    for (uint32_t d = 0; d + 1 < use->dims; ++d)
        rows *= use->extent[d];
    for (size_t row = 0; row < rows; ++row) {
        size_t rest = row, offset = 0;
        for (uint32_t d = use->dims - 1; d-- > 0;) {
            offset += rest % use->extent[d] * use->pitch[d];
            rest /= use->extent[d];
        }
        const uintptr_t begin = (uintptr_t)use->data + offset, end = begin + use->extent[use->dims - 1];
        if (self->first == self->last || end <= self->first || begin >= self->last) {
            call(begin, end, user);
            continue;
        }
        if (begin < self->first)
            call(begin, self->first, user);
        if (end > self->last)
            call(self->last, end, user);
    }
}

static void count_part(uintptr_t begin, uintptr_t end, void *user)
{
    *(size_t *)user += end - begin;
}

static void sum_part(uintptr_t begin, uintptr_t end, void *user)
{
    uint64_t sum = *(uint64_t *)user;
    for (uintptr_t at = begin; at < end; ++at)
        sum = (sum ^ *(const volatile unsigned char *)at) * 0x100000001b3u;
    *(uint64_t *)user = sum;
}

static void find_written(uintptr_t begin, uintptr_t end, void *user)
{
    for (uintptr_t at = begin & ~(uintptr_t)3; at < end; at += 4) {
        const check_cell *cell = check_cell_if_known(at);
        if (cell != NULL && cell->write >> CHECK_CONTEXT_SHIFT != 0)
            *(bool *)user = true;
    }
}

static bool is_guarded(const check_use *use)
{
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed && guards[i].first < (uintptr_t)use->data + span_of(use) &&
            guards[i].last > (uintptr_t)use->data)
            return true;
    return false;
}

/* By an operation that was submitted before, and perhaps runs. */
static bool may_be_written(const check_use *use)
{
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed && guards[i].use.written && overlap(&guards[i].use, use))
            return true;
    return false;
}

static uint64_t sum_of(const check_guard *self)
{
    uint64_t sum = 0xcbf29ce484222325u;
    each_part(self, sum_part, &sum);
    return sum;
}

void check_guards_compare(const check_guard *mine, void (*call)(const check_use *))
{
    for (; mine != NULL; mine = mine->next) {
        bool kernels = false;
        if (!mine->listed || !mine->compared || mine->disturbed || mine->told || mine->sum == sum_of(mine))
            continue;
        each_part(mine, find_written, &kernels);
        if (!kernels)
            call(&mine->use);
    }
}

void check_guards_call(void)
{
    ++functions;
    check_guards_open();
    check_guards_disturb(NULL);
}

void check_guards_return(void)
{
    --functions;
    check_guards_close();
}

void check_guards_disturb(const check_guard *mine)
{
    for (size_t i = 0; i < used; ++i) {
        check_guard *self = &guards[i];
        self->disturbed = self->disturbed || mine == NULL;
        for (const check_guard *own = mine; own != NULL && self->listed; own = own->next)
            if (own != self && own->use.written && overlap(&own->use, &self->use))
                self->disturbed = true;
    }
}

/* --- their life --- */

static check_guard *unused(void)
{
    size_t at = 0;
    while (at < used && (guards[at].listed || guards[at].marked))
        ++at;
    if (at == GUARDS)
        return NULL;
    used = at == used ? at + 1 : used;
    return &guards[at];
}

/* Pages with other data of the program are left alone, so that system calls with that data work. */
static void choose_pages(check_guard *self)
{
    const uintptr_t begin = (uintptr_t)self->use.data, end = begin + span_of(&self->use), mask = CHECK_PAGE - 1;
    self->first = self->use.owned ? begin & ~mask : (begin + mask) & ~mask;
    self->last = self->use.owned ? (end + mask) & ~mask : end & ~mask;
    if (self->first >= self->last || (!self->use.owned && !are_plain(self->first, self->last)))
        self->first = self->last = 0;
}

/* Of a later launch of the queue: it lasts longer than the earlier one, and says as much. */
static void replace(const check_guard *self)
{
    for (size_t i = 0; i < used && !self->use.certain; ++i) {
        check_guard *old = &guards[i];
        if (old != self && old->listed && !old->use.certain && old->use.queue == self->use.queue &&
            old->first == self->first && old->last == self->last && old->touches <= TOUCHES)
            old->listed = false;
    }
}

void check_guard_add(const check_use *use, check_guard **mine)
{
    check_guard *self = stopped ? NULL : unused();
    size_t parts = 0;
    if (self == NULL) {
        check_guards_disturb(NULL); /* it may write what others compare */
        return;
    }
    *self = (check_guard){.use = *use};
    choose_pages(self);
    if (!use->owned)
        each_part(self, count_part, &parts);
    self->compared = parts != 0 && parts <= COMPARED && !is_guarded(use);
    if (self->compared)
        self->sum = sum_of(self);
    self->disturbed = functions != 0 || may_be_written(use);
    self->listed = self->marked = true;
    self->next = *mine;
    *mine = self;
    replace(self);
    set_rights(self->first, self->last);
}

static void forget(check_guard *self)
{
    self->listed = false;
    set_rights(self->first, self->last);
}

void check_guards_execute(check_guard *mine, uint32_t track, uint64_t number)
{
    for (check_guard *next; mine != NULL; mine = next) {
        next = mine->next;
        mine->track = track;
        mine->number = number;
        mine->marked = false;
        if (number == 0 && mine->listed)
            forget(mine);
    }
}

void check_guards_forget(const check_stamp *known)
{
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed && guards[i].number != 0 && known->reached[guards[i].track] >= guards[i].number)
            forget(&guards[i]);
    while (used != 0 && !guards[used - 1].listed && !guards[used - 1].marked)
        --used;
}

void check_guards_forget_memory(const void *data, size_t size)
{
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed && guards[i].first < (uintptr_t)data + size && guards[i].last > (uintptr_t)data)
            forget(&guards[i]);
}

void check_guards_stop(void)
{
    stopped = true;
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed)
            forget(&guards[i]);
}

void check_guards_reset(void)
{
    opened = functions = 0;
    for (size_t i = 0; i < used; ++i)
        if (guards[i].listed)
            forget(&guards[i]);
    used = 0;
}

void check_guards_open(void)
{
    if (opened++ == 0)
        set_all();
}

void check_guards_close(void)
{
    if (--opened == 0)
        set_all();
}

bool check_guards_are_open(void)
{
    return opened != 0;
}

/* --- in the handler --- */

bool check_guard_touched(uintptr_t address, bool written, check_use *use)
{
    const uintptr_t page = address & ~(uintptr_t)(CHECK_PAGE - 1);
    bool found = false;
    use->noun = NULL;
    for (size_t i = 0; i < used; ++i) {
        check_guard *self = &guards[i];
        if (!self->listed || page < self->first || page >= self->last)
            continue;
        found = true;
        if (self->use.certain && (written || self->use.written) && has(&self->use, address)) {
            if (use->noun == NULL)
                *use = self->use;
            self->told = true;
        }
        if (++self->touches > TOUCHES || !check_pages_set(page, page + CHECK_PAGE, ALL))
            self->touches = TOUCHES + 1, set_rights(self->first, self->last);
    }
    if (found)
        (void)check_pages_set(page, page + CHECK_PAGE, ALL);
    return found;
}
