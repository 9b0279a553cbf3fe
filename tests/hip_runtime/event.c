/* SPDX-License-Identifier: Apache-2.0 */
/* Events, by which a real driver's interrupts wake the runtime. */
#include "standin.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct event {
    HsaEvent public;
    struct event *next;
    bool set, manual;
    uint64_t mailbox[8]; /* the runtime finds its address in HWData2 */
} event;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static event *events;
static uint32_t last_id;

HSAKMT_STATUS hsaKmtCreateEvent(HsaEventDescriptor *descriptor, bool manual, bool set, HsaEvent **out)
{
    event *made = calloc(1, sizeof *made);

    if (made == NULL)
        return HSAKMT_STATUS_NO_MEMORY;
    made->public.EventData.EventType = descriptor->EventType;
    made->public.EventData.HWData2 = (HSAuint64)(uintptr_t)made->mailbox;
    made->set = set;
    made->manual = manual;
    pthread_mutex_lock(&lock);
    made->public.EventId = ++last_id;
    made->next = events;
    events = made;
    pthread_mutex_unlock(&lock);
    *out = &made->public;
    return HSAKMT_STATUS_SUCCESS;
}

/* It stays: the runtime destroys events while another thread of it still looks at them. */
HSAKMT_STATUS hsaKmtDestroyEvent(HsaEvent *public)
{
    (void)public;
    return HSAKMT_STATUS_SUCCESS;
}

void standin_set_event(uint32_t id)
{
    pthread_mutex_lock(&lock);
    for (event *e = events; e != NULL; e = e->next)
        if (e->public.EventId == id)
            e->set = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

HSAKMT_STATUS hsaKmtSetEvent(HsaEvent *public)
{
    standin_set_event(public->EventId);
    return HSAKMT_STATUS_SUCCESS;
}

/* Any of them: nothing in the runtime waits for all. */
HSAKMT_STATUS hsaKmtWaitOnMultipleEvents(HsaEvent *awaited[], HSAuint32 count, bool all, HSAuint32 milliseconds)
{
    struct timespec limit;
    bool found = false;

    (void)all;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += milliseconds / 1000;
    limit.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    for (int error = 0; !found && error != ETIMEDOUT;) {
        for (HSAuint32 i = 0; i < count; ++i) {
            event *e = (event *)awaited[i];
            found = found || e->set;
            e->set = e->set && e->manual;
        }
        if (!found)
            error = pthread_cond_timedwait(&changed, &lock, &limit);
    }
    pthread_mutex_unlock(&lock);
    return found ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_WAIT_TIMEOUT;
}

HSAKMT_STATUS hsaKmtWaitOnEvent(HsaEvent *awaited, HSAuint32 milliseconds)
{
    return hsaKmtWaitOnMultipleEvents(&awaited, 1, true, milliseconds);
}
