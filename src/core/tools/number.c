/* SPDX-License-Identifier: Apache-2.0 */
/* What tools tell objects and threads by. */
#include "core/base/allocate.h"
#include "core/tools/tools.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

uint64_t accel_tools_number(void)
{
    static _Atomic uint64_t last; /* relaxed: only unique */

    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

uint32_t accel_tools_thread(void)
{
    static _Atomic uint32_t last; /* relaxed: only unique */
    static _Thread_local uint32_t mine;

    if (mine == 0)
        mine = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return mine;
}

typedef struct kept_text {
    struct kept_text *next;
    char text[];
} kept_text;

const char *accel_tools_text(const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `first` */
    static kept_text *first;
    kept_text *kept;

    if (text == NULL || text[0] == '\0')
        return "";
    pthread_mutex_lock(&lock);
    for (kept = first; kept != NULL && strcmp(kept->text, text) != 0; kept = kept->next)
        continue;
    if (kept == NULL) {
        size_t size = strlen(text) + 1;
        kept = accel_allocate(sizeof(*kept) + size);
        if (kept != NULL) {
            memcpy(kept->text, text, size);
            kept->next = first;
            first = kept;
        }
    }
    pthread_mutex_unlock(&lock);
    return kept != NULL ? kept->text : "";
}
