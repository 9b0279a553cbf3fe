/* SPDX-License-Identifier: Apache-2.0 */
/* Opens libaccel in a thread, leaves work behind in it, and closes it: what still runs must find its code, and so must the
 * thread's end and a fork. Usage: dlclose LIBRARY. */
#include <accel/accel.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int ran;

static void work(void *user, accel_status status)
{
    (void)user;
    (void)status;
    usleep(50000);
    ran = ran + 1;
}

/* POSIX guarantees what ISO C does not: data pointers hold functions. */
#define FIND(name)                                                                                                     \
    __typeof__(name) *find_##name = NULL;                                                                              \
    {                                                                                                                  \
        void *address = dlsym(library, #name);                                                                         \
        memcpy(&find_##name, &address, sizeof(address));                                                               \
    }

static void *use(void *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    accel_instance *instance = NULL;
    accel_queue *queue = NULL;

    if (library == NULL) {
        printf("%s\n", dlerror());
        return path;
    }
    FIND(accel_instance_create)
    FIND(accel_instance_device)
    FIND(accel_instance_release)
    FIND(accel_queue_create)
    FIND(accel_queue_call)
    FIND(accel_queue_release)
    FIND(accel_error_message)
    if (find_accel_instance_create(NULL, &instance) != ACCEL_OK ||
        find_accel_queue_create(find_accel_instance_device(instance, 0), NULL, &queue) != ACCEL_OK ||
        find_accel_queue_call(queue, work, NULL) != ACCEL_OK || find_accel_queue_call(queue, work, NULL) != ACCEL_OK) {
        printf("%s\n", find_accel_error_message());
        return path;
    }
    find_accel_queue_release(queue);
    find_accel_instance_release(instance);
    dlclose(library);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *failed = argv;
    int status = 0;

    if (argc != 2 || pthread_create(&thread, NULL, use, argv[1]) != 0 || pthread_join(thread, &failed) != 0 ||
        failed != NULL)
        return 1;
    for (int i = 0; i < 1000 && ran != 2; ++i)
        usleep(10000);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return ran == 2 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
