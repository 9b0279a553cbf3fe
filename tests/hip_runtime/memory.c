/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: every allocation, of whatever node, is memory of the process, and mapped everywhere. */
#include "standin.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef struct region {
    struct region *next;
    char *start;
    size_t size;
    HsaMemFlags flags;
    HSAuint32 node;
    void *user;
    bool registered; /* the program's memory */
} region;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static region *regions;

static HSAKMT_STATUS add(region described)
{
    region *made = malloc(sizeof *made);

    if (made == NULL)
        return HSAKMT_STATUS_NO_MEMORY;
    *made = described;
    pthread_mutex_lock(&lock);
    made->next = regions;
    regions = made;
    pthread_mutex_unlock(&lock);
    return HSAKMT_STATUS_SUCCESS;
}

static void drop(const void *start)
{
    pthread_mutex_lock(&lock);
    for (region **at = &regions; *at != NULL; at = &(*at)->next) {
        region *found = *at;
        if (found->start == start) {
            *at = found->next;
            free(found);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Under the lock. */
static region *find(const void *address)
{
    for (region *r = regions; r != NULL; r = r->next)
        if ((const char *)address >= r->start && (const char *)address < r->start + r->size)
            return r;
    return NULL;
}

const char *standin_allocation(const void *address)
{
    pthread_mutex_lock(&lock);
    const region *found = find(address);
    const char *start = found != NULL ? found->start : NULL;
    pthread_mutex_unlock(&lock);
    return start;
}

HSAKMT_STATUS hsaKmtAllocMemory(HSAuint32 node, HSAuint64 size, HsaMemFlags flags, void **out)
{
    enum { ALIGNMENT = 2 << 20 };
    bool fixed = flags.ui32.FixedAddress;
    int map = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (fixed ? MAP_FIXED : 0);
    size_t room = fixed ? 0 : ALIGNMENT;
    char *all = mmap(fixed ? *out : NULL, size + room, PROT_READ | PROT_WRITE, map, -1, 0);

    if (all == MAP_FAILED)
        return HSAKMT_STATUS_NO_MEMORY;
    if (!fixed) {
        size_t skipped = (ALIGNMENT - (uintptr_t)all % ALIGNMENT) % ALIGNMENT;
        if (skipped != 0)
            munmap(all, skipped);
        munmap(all + skipped + size, room - skipped);
        all += skipped;
    }
    *out = all;
    return add((region){.start = all, .size = size, .flags = flags, .node = node});
}

HSAKMT_STATUS hsaKmtFreeMemory(void *start, HSAuint64 size)
{
    drop(start);
    munmap(start, size);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtRegisterMemoryWithFlags(void *start, HSAuint64 size, HsaMemFlags flags)
{
    return add((region){.start = start, .size = size, .flags = flags, .registered = true});
}

HSAKMT_STATUS hsaKmtDeregisterMemory(void *start)
{
    drop(start);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtMapMemoryToGPU(void *start, HSAuint64 size, HSAuint64 *mapped)
{
    (void)size;
    if (mapped != NULL)
        *mapped = (HSAuint64)(uintptr_t)start;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtMapMemoryToGPUNodes(void *start, HSAuint64 size, HSAuint64 *mapped, HsaMemMapFlags flags,
                                        HSAuint64 count, HSAuint32 *nodes)
{
    (void)flags;
    (void)count;
    (void)nodes;
    return hsaKmtMapMemoryToGPU(start, size, mapped);
}

HSAKMT_STATUS hsaKmtUnmapMemoryToGPU(void *start)
{
    (void)start;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtQueryPointerInfo(const void *address, HsaPointerInfo *info)
{
    static const HSAuint32 mapped[] = {1};

    *info = (HsaPointerInfo){.Type = HSA_POINTER_UNKNOWN};
    pthread_mutex_lock(&lock);
    const region *r = find(address);
    if (r != NULL) {
        info->Type = r->registered ? HSA_POINTER_REGISTERED_USER : HSA_POINTER_ALLOCATED;
        info->Node = r->node;
        info->MemFlags = r->flags;
        info->CPUAddress = r->start;
        info->GPUAddress = (HSAuint64)(uintptr_t)r->start;
        info->SizeInBytes = r->size;
        info->NMappedNodes = 1;
        info->MappedNodes = mapped;
        info->UserData = r->user;
    }
    pthread_mutex_unlock(&lock);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtSetMemoryUserData(const void *address, void *user)
{
    pthread_mutex_lock(&lock);
    region *r = find(address);
    if (r != NULL)
        r->user = user;
    pthread_mutex_unlock(&lock);
    return HSAKMT_STATUS_SUCCESS;
}
