/* SPDX-License-Identifier: Apache-2.0 */
/* What a child of a fork sees of a lock that another thread had. */
#include "plugins/cpu/engine/lock.h"
#include "run.h"

#include <pthread.h>
#include <unistd.h>

typedef struct looker {
    cpu_lock lock;
    _Atomic bool begun, looks, leave;
} looker;

static void *look(void *user)
{
    looker *l = user;

    l->begun = true;
    cpu_lock_look(&l->lock);
    l->looks = true;
    while (!l->leave)
        usleep(100);
    cpu_lock_release(&l->lock);
    return NULL;
}

/* A queue's worker that had to wait for a submitter held it like one: a queue that was idle at a fork failed in the child. */
START_TEST(O7_who_waited_for_a_look_only_looks)
{
    looker l = {.begun = false};
    pthread_t thread;

    cpu_lock_spin(&l.lock);
    ck_assert_int_eq(pthread_create(&thread, NULL, look, &l), 0);
    while (!l.begun)
        usleep(100);
    usleep(2000); /* it waits by now */
    ck_assert(!l.looks);
    cpu_lock_release(&l.lock);
    while (!l.looks)
        usleep(100);
    ck_assert_uint_eq(atomic_load(&l.lock.held), CPU_LOCK_LOOKING);
    l.leave = true;
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(!cpu_lock_is_held(&l.lock));
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_lock");

    add(suite, O7_who_waited_for_a_look_only_looks);
    return suite;
}
