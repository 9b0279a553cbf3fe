/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "text.h"

#include <string.h>

/* What the machine has, as its CPU devices tell: the one with the most cores, and the host if there is none. */
static void learn(accel_device_properties *self, const accel_device *device)
{
    accel_device_properties known = ACCEL_DEVICE_PROPERTIES_INIT;
    if (accel_device_info(device, &known) != ACCEL_OK || known.kind != ACCEL_DEVICE_CPU)
        return;
    if (self->kind != ACCEL_DEVICE_CPU || known.cores > self->cores)
        *self = known;
}

static void count_text(uint32_t count, const char *noun, char buffer[48])
{
    if (count == 0)
        snprintf(buffer, 48, "%ss unknown", noun);
    else
        snprintf(buffer, 48, "%u %s%s", (unsigned)count, noun, count == 1 ? "" : "s");
}

/* "6 of the fastest kind, 8 of kind 2"; "" if all cores are alike. */
static void kinds_text(const uint32_t kinds[ACCEL_CORE_KINDS], char buffer[96])
{
    size_t length = 0;
    buffer[0] = '\0';
    for (unsigned kind = 0; kind < ACCEL_CORE_KINDS && kinds[1] != 0; ++kind) {
        if (kinds[kind] == 0)
            continue;
        if (kind == 0)
            length += (size_t)snprintf(buffer, 96, "%u of the fastest kind", (unsigned)kinds[0]);
        else
            length +=
                (size_t)snprintf(buffer + length, 96 - length, ", %u of kind %u", (unsigned)kinds[kind], kind + 1);
    }
}

static void write_machine_json(info_json *json, const accel_device_properties *known)
{
    json_open_object(json, "machine");
    json_unsigned(json, "sockets", known->sockets);
    json_unsigned(json, "cores", known->cores);
    json_open_array(json, "core_kinds");
    for (int kind = 0; kind < ACCEL_CORE_KINDS; ++kind)
        json_unsigned(json, NULL, known->core_kinds[kind]);
    json_close_array(json);
    json_open_array(json, "cache_bytes");
    for (int level = 0; level < 3; ++level)
        json_unsigned(json, NULL, known->cache_bytes[level]);
    json_close_array(json);
    json_unsigned(json, "numa_nodes", known->numa_nodes);
    json_unsigned(json, "memory_bytes", known->memory_bytes);
    json_string(json, "source", known->topology);
    json_close_object(json);
}

static void write_machine(const info_report *self, const accel_device_properties *known)
{
    if (self->json != NULL) {
        write_machine_json(self->json, known);
        return;
    }
    char sockets[48], cores[48], nodes[48], text[32], kinds[96], caches[3][32];
    count_text(known->sockets, "socket", sockets);
    count_text(known->cores, "core", cores);
    count_text(known->numa_nodes, "NUMA node", nodes);
    text_format(2, 16, "machine", "%s, %s, %s, memory %s", sockets, cores, nodes,
                text_bytes(known->memory_bytes, text));
    kinds_text(known->core_kinds, kinds);
    if (kinds[0] != '\0')
        text_format(2, 16, "core kinds", "%s", kinds);
    if (known->kind == ACCEL_DEVICE_CPU) {
        text_format(2, 16, "caches", "level 1 %s, level 2 %s, level 3 %s", text_bytes(known->cache_bytes[0], caches[0]),
                    text_bytes(known->cache_bytes[1], caches[1]), text_bytes(known->cache_bytes[2], caches[2]));
        text_format(2, 16, "topology", "%s", known->topology);
    }
}

/* The devices whose memory this device's kernels can use. */
static void write_peers(const info_report *self, accel_device *device, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        accel_device *peer = accel_instance_device(self->instance, i);
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        bool yes = false;
        if (peer == device || accel_device_can_access(device, peer, &yes) != ACCEL_OK || !yes ||
            accel_device_info(peer, &properties) != ACCEL_OK)
            continue;
        if (self->json != NULL)
            json_string(self->json, NULL, properties.name);
        else
            text_format(16, 16, "", "reaches the memory of %s", properties.name);
    }
}

static void write_place(const info_report *self, const accel_device_properties *device)
{
    const bool on_pci = device->pci_bus >= 0;
    char pci[48], node[32];
    snprintf(pci, sizeof pci, "%04x:%02x:%02x", (unsigned)device->pci_domain, (unsigned)device->pci_bus,
             (unsigned)device->pci_device);
    if (self->json != NULL) {
        json_string(self->json, "name", device->name);
        json_signed(self->json, "numa_node", device->numa_node);
        if (on_pci)
            json_string(self->json, "pci", pci);
        else
            json_null(self->json, "pci");
        json_unsigned(self->json, "compute_units", device->compute_units);
        return;
    }
    snprintf(node, sizeof node, "NUMA node %d", (int)device->numa_node);
    text_format(2, 16, device->name, "%s, %s%s, %u compute unit%s",
                device->numa_node < 0 ? "no single NUMA node" : node, on_pci ? "PCI " : "not on PCI", on_pci ? pci : "",
                (unsigned)device->compute_units, device->compute_units == 1 ? "" : "s");
}

void report_topology(const info_report *self)
{
    size_t count = accel_instance_device_count(self->instance);
    accel_device_properties known = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_device_info(accel_instance_host(self->instance), &known);
    for (size_t i = 0; i < count; ++i)
        learn(&known, accel_instance_device(self->instance, i));
    if (self->json != NULL)
        json_open_object(self->json, "topology");
    else
        text_heading("Topology, as far as this process may use it");
    write_machine(self, &known);
    if (self->json != NULL)
        json_open_array(self->json, "devices");
    for (size_t i = 0; i < count; ++i) {
        accel_device *device = accel_instance_device(self->instance, i);
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        if (accel_device_info(device, &properties) != ACCEL_OK)
            continue;
        if (self->json != NULL)
            json_open_object(self->json, NULL);
        write_place(self, &properties);
        if (self->json != NULL)
            json_open_array(self->json, "reaches");
        write_peers(self, device, count);
        if (self->json != NULL) {
            json_close_array(self->json);
            json_close_object(self->json);
        }
    }
    if (self->json != NULL) {
        json_close_array(self->json);
        json_close_object(self->json);
    }
}
