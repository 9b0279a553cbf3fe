/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/topology.h"
#include "plugins/cpu/engine/host.h"
#include "object/shortage.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char *const imitations[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT"};

/* The first variable that makes hwloc imitate a machine; NULL: none. */
static const char *imitation(void)
{
    for (size_t i = 0; i < sizeof(imitations) / sizeof(imitations[0]); ++i) {
        const char *value = getenv(imitations[i]);
        if (value != NULL && value[0] != '\0')
            return imitations[i];
    }
    return NULL;
}

/* hwloc's variables name files to read and plugins to load. */
static bool is_unsafe(void)
{
    if (getauxval(AT_SECURE) == 0)
        return false;
    for (char *const *entry = environ; entry != NULL && *entry != NULL; ++entry)
        if (strncmp(*entry, "HWLOC_", strlen("HWLOC_")) == 0)
            return true;
    return false;
}

bool cpu_topology_may_be_imitated(void)
{
    return imitation() != NULL && !is_unsafe();
}

/* What cannot be read now may be read later. */
static accel_status refuse(const char *object, int number)
{
    return cpu_host()->error(shortage_status(number), "topology of the CPUs: %s cannot be opened: %s; %s", object,
                             strerror(number), shortage_remedy(number));
}

static accel_status make_flat(const char *reason, cpu_topology **made)
{
    cpu_topology *topology = calloc(1, sizeof(*topology));
    if (topology == NULL)
        return refuse("its record", ENOMEM);
    snprintf(topology->source, sizeof(topology->source), "flat, %.110s", reason);
    *made = topology;
    return ACCEL_OK;
}

#ifdef ACCEL_HWLOC
#include "plugins/cpu/machine/hwloc_library.h"

/* Few object types are cheap. The component "x86" would run the calling thread on one CPU after the other. */
static hwloc_topology_t load(const cpu_hwloc *hwloc)
{
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_CORE,    HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                             HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
    hwloc_topology_t loaded;
    if (hwloc->topology_init(&loaded) != 0)
        return NULL;
    hwloc->topology_set_all_types_filter(loaded, HWLOC_TYPE_FILTER_KEEP_NONE);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i)
        hwloc->topology_set_type_filter(loaded, types[i], HWLOC_TYPE_FILTER_KEEP_ALL);
    /* Without groups, NUMA nodes that are parts of a package have the machine's CPUs. */
    hwloc->topology_set_type_filter(loaded, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    hwloc->topology_set_components(loaded, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    hwloc->topology_set_flags(loaded, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc->topology_load(loaded) == 0)
        return loaded;
    hwloc->topology_destroy(loaded);
    return NULL;
}

static void take_cache(const cpu_hwloc *hwloc, cpu_location *location, hwloc_obj_t cache)
{
    uint32_t first = (uint32_t)hwloc->bitmap_first(cache->cpuset), level = cache->attr->cache.depth;
    location->cache = first; /* the last one on the way up is the largest */
    if (level >= 1 && level <= CPU_CACHE_LEVELS)
        location->caches[level - 1] = (cpu_cache){.bytes = cache->attr->cache.size,
                                                  .line = cache->attr->cache.linesize,
                                                  .first = first,
                                                  .sharers = (uint32_t)hwloc->bitmap_weight(cache->cpuset)};
}

static void take_cpu(const cpu_hwloc *hwloc, cpu_location *location, hwloc_obj_t pu)
{
    bool has_cache = false;
    *location = (cpu_location){.cpu = pu->os_index, .core = pu->os_index, .node = CPU_NO_NODE};
    for (hwloc_obj_t above = pu->parent; above != NULL; above = above->parent) {
        if (above->type == HWLOC_OBJ_CORE) {
            location->core = (uint32_t)hwloc->bitmap_first(above->cpuset);
        } else if (above->type == HWLOC_OBJ_PACKAGE) {
            location->package = above->os_index;
        } else if (above->type >= HWLOC_OBJ_L1CACHE && above->type <= HWLOC_OBJ_L5CACHE) {
            has_cache = true;
            take_cache(hwloc, location, above);
        }
    }
    if (!has_cache)
        location->cache = location->package;
}

/* Of the nodes with a CPU the one with the fewest, and of those the first: nodes of fast and of ordinary memory may have
 * the same CPUs, and such further away may have all. */
static void take_nodes(const cpu_hwloc *hwloc, hwloc_topology_t loaded, cpu_topology *topology)
{
    int depth = hwloc->get_type_depth(loaded, HWLOC_OBJ_NUMANODE), *weights;
    unsigned nodes = hwloc->get_nbobjs_by_depth(loaded, depth);
    weights = calloc(topology->count, sizeof(*weights));
    for (unsigned i = 0; weights != NULL && i < nodes; ++i) {
        hwloc_obj_t node = hwloc->get_obj_by_depth(loaded, depth, i);
        int weight = hwloc->bitmap_weight(node->cpuset);
        for (uint32_t cpu = 0; cpu < topology->count; ++cpu) {
            cpu_location *location = &topology->cpus[cpu];
            if (!hwloc->bitmap_isset(node->cpuset, location->cpu))
                continue;
            if (weights[cpu] != 0 &&
                (weight > weights[cpu] || (weight == weights[cpu] && node->os_index > location->node)))
                continue;
            weights[cpu] = weight;
            location->node = node->os_index;
        }
    }
    free(weights);
}

/* hwloc ranks kinds of cores by efficiency, from 0, the slowest. */
static void take_kinds(const cpu_hwloc *hwloc, hwloc_topology_t loaded, cpu_topology *topology)
{
    hwloc_bitmap_t set = hwloc->bitmap_alloc();
    int kinds = hwloc->cpukinds_get_nr(loaded, 0);
    for (int i = 0; set != NULL && i < kinds; ++i) {
        int efficiency = -1; /* unknown */
        if (hwloc->cpukinds_get_info(loaded, (unsigned)i, set, &efficiency, NULL, NULL, 0) != 0 || efficiency < 0)
            continue;
        for (uint32_t cpu = 0; cpu < topology->count; ++cpu)
            if (hwloc->bitmap_isset(set, topology->cpus[cpu].cpu))
                topology->cpus[cpu].slow = (uint32_t)(kinds - 1 - efficiency);
    }
    hwloc->bitmap_free(set);
}

static int by_number(const void *left, const void *right)
{
    const cpu_location *a = left, *b = right;
    return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static accel_status convert(const cpu_hwloc *hwloc, hwloc_topology_t loaded, cpu_topology **made)
{
    int depth = hwloc->get_type_depth(loaded, HWLOC_OBJ_PU);
    unsigned count = hwloc->get_nbobjs_by_depth(loaded, depth), version = hwloc->get_api_version();
    cpu_topology *topology = calloc(1, sizeof(*topology) + count * sizeof(topology->cpus[0]));
    if (topology == NULL)
        return refuse("its record", ENOMEM);
    hwloc_const_cpuset_t allowed = hwloc->topology_get_allowed_cpuset(loaded);
    topology->imitated = !hwloc->topology_is_thissystem(loaded);
    for (unsigned i = 0; i < count; ++i) {
        hwloc_obj_t pu = hwloc->get_obj_by_depth(loaded, depth, i);
        if (pu->os_index >= CPU_MASK_BITS)
            continue;
        take_cpu(hwloc, &topology->cpus[topology->count++], pu);
        if (hwloc->bitmap_isset(allowed, pu->os_index))
            cpu_mask_add(topology->allowed, pu->os_index);
    }
    qsort(topology->cpus, topology->count, sizeof(topology->cpus[0]), by_number);
    take_nodes(hwloc, loaded, topology);
    take_kinds(hwloc, loaded, topology);
    const char *variable = topology->imitated ? imitation() : NULL;
    snprintf(topology->source, sizeof(topology->source), "hwloc, API %u.%u%s%s", version >> 16, version >> 8 & 0xff,
             topology->imitated ? ", another machine: " : "",
             variable != NULL     ? variable
             : topology->imitated ? "HWLOC_COMPONENTS"
                                  : "");
    *made = topology;
    return ACCEL_OK;
}

static accel_status read_topology(cpu_topology **made)
{
    enum { DESCRIPTORS = 6 }; /* hwloc's at once, and some */
    char reason[112];
    int number;
    cpu_hwloc hwloc;
    const char *library = cpu_host()->config("ACCEL_HWLOC_LIBRARY");
    if (is_unsafe())
        return make_flat("a set-uid program does not open hwloc while HWLOC_ variables are set", made);
    if (library != NULL && library[0] == '\0')
        library = NULL;
    if (!cpu_hwloc_open(&hwloc, library, reason, sizeof(reason), &number))
        return number != 0 ? refuse(library != NULL ? library : "hwloc's library", number) : make_flat(reason, made);
    number = shortage_of_descriptors(DESCRIPTORS);
    if (number != 0)
        return refuse("the system's description in /sys", number);
    hwloc_topology_t loaded = load(&hwloc);
    if (loaded == NULL)
        return make_flat("hwloc cannot read this machine's", made);
    accel_status status = convert(&hwloc, loaded, made);
    hwloc.topology_destroy(loaded);
    return status;
}
#else
static accel_status read_topology(cpu_topology **made)
{
    return make_flat("the CPU backends were built without hwloc's headers", made);
}
#endif

cpu_topology *cpu_topology_load(void)
{
    cpu_topology *topology = NULL;
    return read_topology(&topology) == ACCEL_OK ? topology : NULL;
}

/* Published once; never freed. */
static _Atomic(const cpu_topology *) process_topology;
/* Held while it is loaded. A fork waits for it, so that hwloc's own locks are free in the child. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&loading);
}

static void unlock(void)
{
    pthread_mutex_unlock(&loading);
}

static void watch_forks(void)
{
    pthread_atfork(lock, unlock, unlock);
}

accel_status cpu_topology_find(const cpu_topology **topology)
{
    static const cpu_topology none = {.source = "flat, memory or descriptors are short"};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    accel_status status = ACCEL_OK;
    *topology = atomic_load_explicit(&process_topology, memory_order_acquire);
    if (*topology != NULL)
        return ACCEL_OK;
    pthread_once(&once, watch_forks);
    lock();
    *topology = atomic_load_explicit(&process_topology, memory_order_relaxed);
    if (*topology == NULL) {
        cpu_topology *made = NULL;
        status = read_topology(&made);
        if (status == ACCEL_OK)
            cpu_host()->log(ACCEL_LOG_INFO, "topology of the CPUs: %s", made->source);
        atomic_store_explicit(&process_topology, made, memory_order_release);
        *topology = made != NULL ? made : &none;
    }
    unlock();
    return status;
}

const cpu_topology *cpu_topology_get(void)
{
    const cpu_topology *topology;
    cpu_topology_find(&topology);
    return topology;
}

bool cpu_topology_is_known(void)
{
    return atomic_load_explicit(&process_topology, memory_order_acquire) != NULL;
}
