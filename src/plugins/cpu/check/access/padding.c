/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/access/padding.h"
#include "plugins/cpu/check/shadow.h"

static bool is_written(uintptr_t at)
{
    const check_cell *cell = check_cell_if_known(at);
    return cell == NULL || (check_bytes_known(cell) >> (at & 3) & 1) == 0 ||
           (cell->write >> (CHECK_WRITTEN_SHIFT + (at & 3)) & 1) != 0;
}

bool check_is_padding(uintptr_t begin, uintptr_t end, uintptr_t at)
{
    enum { WIDEST = 7 };
    uintptr_t first = at, behind = at + 1;
    while (first > begin && at - first <= WIDEST && !is_written(first - 1))
        --first;
    while (behind < end && behind - first <= WIDEST && !is_written(behind))
        ++behind;
    const uintptr_t width = behind - first, alignment = behind & (~behind + 1);
    return first > begin && width <= WIDEST && width < alignment;
}
