/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "text.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

typedef accel_device_properties properties;

/* How a property is stored and shown. */
typedef enum kind {
    STRING,   /* "" is unknown */
    WORDS,    /* separated by spaces */
    NUMBER,   /* uint32_t; 0 is unknown */
    ORDINAL,  /* uint32_t; 0 is a value */
    INDEX,    /* int32_t; -1 is none */
    INTEGER,  /* int32_t */
    MHZ,      /* uint32_t */
    BITS,     /* uint32_t */
    BYTES_32, /* uint32_t, size_t, uint64_t */
    BYTES_SIZE,
    BYTES_64,
    EXTENT, /* size_t[3]: x, y, z */
    KINDS,  /* uint32_t[ACCEL_CORE_KINDS]: the fastest first */
    CACHES, /* uint64_t[3]: levels 1 to 3 */
    UUID,
    FEATURES,
    DEVICE_KIND
} kind;

#define PROPERTY(field, label, kind)                                                                                   \
    {                                                                                                                  \
#field, label, kind, offsetof(properties, field)                                                               \
    }
static const struct property {
    const char *key, *label;
    kind kind;
    size_t offset;
} table[] = {
    PROPERTY(description, "description", STRING),
    PROPERTY(backend, "backend", STRING),
    PROPERTY(kind, "kind", DEVICE_KIND),
    PROPERTY(architecture, "architecture", STRING),
    PROPERTY(targets, "kernel targets", WORDS),
    PROPERTY(features, "features", FEATURES),
    PROPERTY(ordinal, "ordinal", ORDINAL),
    PROPERTY(compute_units, "compute units", NUMBER),
    PROPERTY(warp_size, "warp size", NUMBER),
    PROPERTY(max_block_threads, "threads per block", NUMBER),
    PROPERTY(max_unit_threads, "threads per unit", NUMBER),
    PROPERTY(max_threads, "block limits x, y, z", EXTENT),
    PROPERTY(max_blocks, "grid limits x, y, z", EXTENT),
    PROPERTY(max_shared_bytes, "shared memory", BYTES_SIZE),
    PROPERTY(max_args_size, "kernel arguments", BYTES_SIZE),
    PROPERTY(memory_bytes, "memory", BYTES_64),
    PROPERTY(max_allocation, "largest buffer", BYTES_64),
    PROPERTY(base_alignment, "base alignment", BYTES_32),
    PROPERTY(pitch_alignment, "pitch alignment", BYTES_32),
    PROPERTY(clock_mhz, "clock", MHZ),
    PROPERTY(memory_clock_mhz, "memory clock", MHZ),
    PROPERTY(memory_bus_bits, "memory bus", BITS),
    PROPERTY(cache_line, "cache line", BYTES_32),
    PROPERTY(cache_bytes, "caches, levels 1-3", CACHES),
    PROPERTY(sockets, "sockets", NUMBER),
    PROPERTY(cores, "cores", NUMBER),
    PROPERTY(core_kinds, "cores of each kind", KINDS),
    PROPERTY(topology, "topology", STRING),
    PROPERTY(numa_nodes, "NUMA nodes", NUMBER),
    PROPERTY(numa_node, "nearest NUMA node", INDEX),
    PROPERTY(pci_domain, "PCI domain", INDEX),
    PROPERTY(pci_bus, "PCI bus", INDEX),
    PROPERTY(pci_device, "PCI device", INDEX),
    PROPERTY(uuid, "UUID", UUID),
    PROPERTY(driver_version, "driver version", NUMBER),
    PROPERTY(runtime_version, "runtime version", NUMBER),
    PROPERTY(min_priority, "lowest priority", INTEGER),
    PROPERTY(max_priority, "highest priority", INTEGER),
};
enum { PROPERTY_COUNT = sizeof table / sizeof table[0] };

static const struct {
    uint32_t flag;
    const char *name;
} features[] = {
    {ACCEL_FEATURE_HOST_MEMORY, "host-memory"}, {ACCEL_FEATURE_PINNED, "pinned"},
    {ACCEL_FEATURE_MAPPED, "mapped"},           {ACCEL_FEATURE_MANAGED, "managed"},
    {ACCEL_FEATURE_ASYNC_ALLOC, "async-alloc"}, {ACCEL_FEATURE_PARTITION, "partition"},
    {ACCEL_FEATURE_COOPERATIVE, "cooperative"},
};
enum { FEATURE_COUNT = sizeof features / sizeof features[0] };

static const char *kind_name(uint32_t value)
{
    static const char *const names[] = {"host", "cpu", "gpu", "other"};
    return value < sizeof names / sizeof names[0] ? names[value] : "unknown";
}

/* "host-memory partition" */
static void feature_names(uint32_t flags, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < FEATURE_COUNT; ++i) {
        if ((flags & features[i].flag) != 0 && used < size)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", used != 0 ? " " : "", features[i].name);
    }
}

static bool uuid_text(const uint8_t uuid[16], char buffer[40])
{
    bool any = false;
    char *end = buffer;
    for (size_t i = 0; i < 16; ++i) {
        any = any || uuid[i] != 0;
        end += sprintf(end, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    }
    return any;
}

/* Any integer field, widened. */
static uint64_t number_of(const struct property *property, const void *field)
{
    uint32_t narrow;
    uint64_t wide;
    size_t size;
    switch (property->kind) {
    case BYTES_SIZE:
        memcpy(&size, field, sizeof size);
        return size;
    case BYTES_64:
        memcpy(&wide, field, sizeof wide);
        return wide;
    default:
        memcpy(&narrow, field, sizeof narrow);
        return narrow;
    }
}

static int32_t signed_of(const void *field)
{
    int32_t value;
    memcpy(&value, field, sizeof value);
    return value;
}

static void write_json_property(info_json *json, const struct property *property, const void *field)
{
    char buffer[256];
    size_t extent[3];
    uint64_t caches[3];
    uint32_t kinds[ACCEL_CORE_KINDS];
    switch (property->kind) {
    case STRING:
        json_string(json, property->key, field);
        return;
    case WORDS:
        json_split(json, property->key, field, ' ');
        return;
    case INDEX:
    case INTEGER:
        json_signed(json, property->key, signed_of(field));
        return;
    case EXTENT:
        memcpy(extent, field, sizeof extent);
        json_open_array(json, property->key);
        for (size_t i = 0; i < 3; ++i)
            json_unsigned(json, NULL, extent[i]);
        json_close_array(json);
        return;
    case KINDS:
        memcpy(kinds, field, sizeof kinds);
        json_open_array(json, property->key);
        for (size_t i = 0; i < ACCEL_CORE_KINDS; ++i)
            json_unsigned(json, NULL, kinds[i]);
        json_close_array(json);
        return;
    case CACHES:
        memcpy(caches, field, sizeof caches);
        json_open_array(json, property->key);
        for (size_t i = 0; i < 3; ++i)
            json_unsigned(json, NULL, caches[i]);
        json_close_array(json);
        return;
    case UUID:
        if (uuid_text(field, buffer))
            json_string(json, property->key, buffer);
        else
            json_null(json, property->key);
        return;
    case FEATURES:
        feature_names((uint32_t)number_of(property, field), buffer, sizeof buffer);
        json_split(json, property->key, buffer, ' ');
        return;
    case DEVICE_KIND:
        json_string(json, property->key, kind_name((uint32_t)number_of(property, field)));
        return;
    default:
        json_unsigned(json, property->key, number_of(property, field));
    }
}

/* The value for people. */
static const char *value_text(const struct property *property, const void *field, char *buffer, size_t size)
{
    char parts[3][32];
    size_t extent[3];
    uint64_t caches[3];
    size_t length = 0;
    uint32_t kinds[ACCEL_CORE_KINDS];
    switch (property->kind) {
    case STRING:
    case WORDS:
        return *(const char *)field != '\0' ? field : "unknown";
    case INDEX:
        if (signed_of(field) < 0)
            return "none";
        snprintf(buffer, size, "%" PRId32, signed_of(field));
        return buffer;
    case INTEGER:
        snprintf(buffer, size, "%" PRId32, signed_of(field));
        return buffer;
    case EXTENT:
        memcpy(extent, field, sizeof extent);
        snprintf(buffer, size, "%zu, %zu, %zu", extent[0], extent[1], extent[2]);
        return buffer;
    case KINDS:
        memcpy(kinds, field, sizeof kinds);
        if (kinds[0] == 0)
            return "unknown";
        for (size_t i = 0; i < ACCEL_CORE_KINDS && kinds[i] != 0; ++i)
            length += (size_t)snprintf(buffer + length, size - length, "%s%" PRIu32, i != 0 ? ", " : "", kinds[i]);
        return buffer;
    case CACHES:
        memcpy(caches, field, sizeof caches);
        snprintf(buffer, size, "%s, %s, %s", text_bytes(caches[0], parts[0]), text_bytes(caches[1], parts[1]),
                 text_bytes(caches[2], parts[2]));
        return buffer;
    case UUID:
        return uuid_text(field, buffer) ? buffer : "none";
    case FEATURES:
        feature_names((uint32_t)number_of(property, field), buffer, size);
        return *buffer != '\0' ? buffer : "none";
    case DEVICE_KIND:
        return kind_name((uint32_t)number_of(property, field));
    case BYTES_32:
    case BYTES_64:
    case BYTES_SIZE:
        return text_bytes(number_of(property, field), buffer);
    default:
        break;
    }
    uint64_t number = number_of(property, field);
    if (number == 0 && property->kind != ORDINAL)
        return "unknown";
    snprintf(buffer, size, "%" PRIu64 "%s", number,
             property->kind == MHZ    ? " MHz"
             : property->kind == BITS ? " bits"
                                      : "");
    return buffer;
}

static void write_device(const info_report *self, const properties *device)
{
    const char *base = (const char *)device;
    if (self->json != NULL) {
        json_open_object(self->json, NULL);
        json_string(self->json, "name", device->name);
        for (size_t i = 0; i < PROPERTY_COUNT; ++i)
            write_json_property(self->json, &table[i], base + table[i].offset);
        json_close_object(self->json);
        return;
    }
    char buffer[256];
    printf("  %s\n", device->name);
    for (size_t i = 0; i < PROPERTY_COUNT; ++i)
        text_field(4, 26, table[i].label, value_text(&table[i], base + table[i].offset, buffer, sizeof buffer));
}

void report_devices(const info_report *self)
{
    size_t count = accel_instance_device_count(self->instance);
    if (self->json != NULL)
        json_open_array(self->json, "devices");
    else
        text_heading("Devices, in order of preference");
    if (self->json == NULL && count == 0)
        text_field(2, 2, "", "none: no backend can be used");
    for (size_t i = 0; i < count; ++i) {
        properties device = ACCEL_DEVICE_PROPERTIES_INIT;
        if (accel_device_info(accel_instance_device(self->instance, i), &device) == ACCEL_OK)
            write_device(self, &device);
    }
    if (self->json != NULL)
        json_close_array(self->json);
}
