/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/surroundings.h"

#include <pthread.h>

check_surroundings check_around;
bool check_traps;

void check_surroundings_begin(void)
{
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &begin, &size);
        pthread_attr_destroy(&attributes);
    }
    check_around = (check_surroundings){.stack = {begin, (const char *)begin + size}};
}
