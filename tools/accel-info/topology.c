/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "text.h"

#include <string.h>

/* The machine, from the host's and its CPU devices' properties. */
typedef struct info_machine {
    uint32_t sockets, cores, numa_nodes;
    uint64_t memory_bytes;
} info_machine;

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void learn(info_machine *self, const accel_device *device)
{
    accel_device_properties known = ACCEL_DEVICE_PROPERTIES_INIT;
    if (accel_device_info(device, &known) != ACCEL_OK ||
        (known.kind != ACCEL_DEVICE_HOST && known.kind != ACCEL_DEVICE_CPU))
        return;
    self->sockets = greater(self->sockets, known.sockets);
    self->cores = greater(self->cores, known.cores);
    self->numa_nodes = greater(self->numa_nodes, known.numa_nodes);
    if (known.memory_bytes > self->memory_bytes)
        self->memory_bytes = known.memory_bytes;
}

static void count_text(uint32_t count, const char *noun, char buffer[48])
{
    if (count == 0)
        snprintf(buffer, 48, "%ss unknown", noun);
    else
        snprintf(buffer, 48, "%u %s%s", (unsigned)count, noun, count == 1 ? "" : "s");
}

static void write_machine(const info_report *self, const info_machine *known)
{
    if (self->json != NULL) {
        json_open_object(self->json, "machine");
        json_unsigned(self->json, "sockets", known->sockets);
        json_unsigned(self->json, "cores", known->cores);
        json_unsigned(self->json, "numa_nodes", known->numa_nodes);
        json_unsigned(self->json, "memory_bytes", known->memory_bytes);
        json_close_object(self->json);
        return;
    }
    char sockets[48], cores[48], nodes[48], memory[32];
    count_text(known->sockets, "socket", sockets);
    count_text(known->cores, "core", cores);
    count_text(known->numa_nodes, "NUMA node", nodes);
    text_format(2, 16, "machine", "%s, %s, %s, memory %s", sockets, cores, nodes,
                text_bytes(known->memory_bytes, memory));
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
    info_machine known = {0};
    learn(&known, accel_instance_host(self->instance));
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
