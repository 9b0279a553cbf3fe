/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/objects.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/common/room.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct object {
    const void *object, *maker;
    int kind;
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    object *items;
    size_t count, capacity;
    _Atomic bool watched;
} all;

void check_objects_lock(void)
{
    pthread_mutex_lock(&lock);
}

void check_objects_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void check_objects_watch(bool watched)
{
    all.watched = watched;
}

static bool grow(void)
{
    object *grown = check_room_for_one(all.items, all.count, &all.capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    all.items = grown;
    return true;
}

enum { RETURNED = CHECK_OBJECT_KINDS }; /* memory of a buffer */

static void add(object made)
{
    check_objects_lock();
    if (grow())
        all.items[all.count++] = made;
    check_objects_unlock();
}

void check_object_return(const void *data)
{
    if (all.watched)
        add((object){data, NULL, RETURNED});
}

bool check_object_is_returned(const void *data)
{
    size_t at = 0;
    check_objects_lock();
    while (at < all.count && !(all.items[at].object == data && all.items[at].kind == RETURNED))
        ++at;
    const bool found = at < all.count;
    check_objects_unlock();
    return found;
}

void check_object_add(const void *made, int kind)
{
    static const char *const functions[] = {[CHECK_OBJECT_QUEUE] = "accel_queue_create",
                                            [CHECK_OBJECT_EVENT] = "accel_event_create",
                                            [CHECK_OBJECT_MODULE] = "accel_module_load",
                                            [CHECK_OBJECT_INSTANCE] = "accel_instance_create",
                                            [CHECK_OBJECT_BUFFER] = "accel_buffer_create"};
    const char *entry = "";
    const void *maker = check_line_here(&entry);
    if (maker == NULL || strncmp(entry, functions[kind], strlen(functions[kind])) != 0)
        return;
    add((object){made, maker, kind});
}

const void *check_object_remove(const void *released, int kind)
{
    const void *maker = NULL;
    check_objects_lock();
    for (size_t i = 0; i < all.count; ++i) {
        if (all.items[i].object == released && all.items[i].kind == kind) {
            maker = all.items[i].maker;
            all.items[i] = all.items[--all.count];
            break;
        }
    }
    check_objects_unlock();
    return maker;
}

void check_object_end_return(const void *data)
{
    if (all.watched)
        (void)check_object_remove(data, RETURNED);
}

void check_objects_each(void (*call)(const void *maker, int kind))
{
    check_objects_lock();
    for (size_t i = 0; i < all.count; ++i)
        if (all.items[i].kind < CHECK_OBJECT_BUFFER)
            call(all.items[i].maker, all.items[i].kind);
    check_objects_unlock();
}
