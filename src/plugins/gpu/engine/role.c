/* SPDX-License-Identifier: Apache-2.0 */
/* By key rather than as a thread-local: storage of that kind in a library that is opened late costs room that a program
 * may not have, and the tools that look for leaks stumble over it. */
#include "plugins/gpu/engine/role.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static _Atomic bool made; /* changes under the lock, after the key was written */

int gpu_thread_kind_make(void)
{
    int error = 0;

    pthread_mutex_lock(&lock);
    if (!made)
        error = pthread_key_create(&key, NULL);
    made = error == 0;
    pthread_mutex_unlock(&lock);
    return error;
}

void gpu_thread_kind_set(uintptr_t role)
{
    pthread_setspecific(key, (void *)role);
}

uintptr_t gpu_thread_kind(void)
{
    return atomic_load_explicit(&made, memory_order_acquire) ? (uintptr_t)pthread_getspecific(key) : GPU_THREAD_PROGRAM;
}
