/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"
#include "device.h"
#include "memory.h"
#include "report.h"
#include "stream.h"
#include "target.h"
#include "thread.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sim_module {
    sim_object object;
    uint64_t number; /* in the device process */
    sim_function *functions;
    uintptr_t place; /* of the object in the device process, reserved in this one */
    size_t span;
};

sim_context *sim_module_context(const sim_module *module)
{
    return module->object.context;
}

/* A driver is given no size either: text ends with a zero, and an ELF file says where its tables are. */
static size_t size_of(const void *image)
{
    Elf64_Ehdr header;
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return strlen(image);
    memcpy(&header, image, sizeof header);
    size_t size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        memcpy(&segment, (const char *)image + header.e_phoff + i * header.e_phentsize, sizeof segment);
        if (segment.p_type == PT_LOAD && segment.p_offset + segment.p_filesz > size)
            size = segment.p_offset + segment.p_filesz;
    }
    return size;
}

static bool put(int file, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(file, bytes + done, size - done, (off_t)done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool load(sim_device *device, const void *image, size_t size, size_t aside, wire_answer *answer)
{
    wire_request request = {.what = WIRE_LOAD, .a = size, .b = aside};
    int file = sim_file_new("gpusim-object", size);
    if (file < 0 || !put(file, image, size)) {
        snprintf(answer->text, sizeof answer->text, "no memory");
        answer->failed = 1;
    } else
        sim_process_ask(&device->process, &request, file, answer);
    if (file >= 0)
        close(file);
    return answer->failed == 0;
}

static void unload(sim_device *device, uint64_t number)
{
    wire_request request = {.what = WIRE_UNLOAD, .a = number};
    wire_answer answer;
    sim_process_ask(&device->process, &request, -1, &answer);
}

/* Its addresses are reserved in this process, for its variables. Where the kernel has put the object into the device's,
 * there may be something here, by chance: then another place is tried, farther away each time than an allocator's arena
 * is long. */
static bool load_elsewhere(sim_device *device, const void *image, size_t size, wire_answer *answer)
{
    enum { TRIES = 8, STEP = 512 << 20 };
    uint64_t given_up[TRIES];
    size_t count = 0;
    bool loaded = load(device, image, size, 0, answer);
    bool reserved = loaded && sim_memory_reserve(answer->b, answer->c);
    while (loaded && !reserved && count < TRIES) {
        given_up[count++] = answer->a;
        loaded = load(device, image, size, count * STEP, answer);
        reserved = loaded && sim_memory_reserve(answer->b, answer->c);
    }
    if (loaded && !reserved) {
        unload(device, answer->a);
        snprintf(answer->text, sizeof answer->text, "this process has something wherever the object was put");
    }
    while (count > 0)
        unload(device, given_up[--count]);
    return reserved;
}

sim_status sim_module_load(const void *image, unsigned forms, char *log, size_t log_size, void **handle)
{
    sim_context *context;
    gpusim_object object;
    wire_answer answer;
    sim_status status = sim_current(&context);
    if (status != SIM_OK)
        return status;
    if (image == NULL)
        return SIM_INVALID_VALUE;
    size_t size = size_of(image);
    if (!gpusim_object_read(image, size, &object, answer.text, sizeof answer.text)) {
        snprintf(log, log_size, "%s", answer.text);
        return SIM_INVALID_IMAGE;
    }
    status = sim_target_check(&object, forms, log, log_size);
    if (status != SIM_OK)
        return status;
    sim_module *module = sim_object_new(SIM_MODULE, sizeof *module);
    if (module == NULL)
        return SIM_OUT_OF_MEMORY;
    module->object.context = context;
    if (!load_elsewhere(context->device, image, size, &answer)) {
        module->object.alive = false;
        snprintf(log, log_size, "%s", answer.text);
        return SIM_INVALID_IMAGE;
    }
    module->number = answer.a;
    module->place = answer.b;
    module->span = answer.c;
    *handle = module->object.handle;
    return SIM_OK;
}

static void end_module(sim_module *module)
{
    sim_memory_drop_globals(module);
    sim_memory_vacate(module->place, module->span);
    for (sim_function *function = module->functions; function != NULL; function = function->next)
        function->object.alive = false;
    unload(module->object.context->device, module->number);
    module->object.alive = false;
}

sim_status sim_module_unload(void *handle)
{
    sim_module *module = sim_object_live(SIM_MODULE, handle);
    sim_context *context;
    if (module == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_current(&context);
    if (status == SIM_OK && context != module->object.context) {
        sim_violation("wrong context", "a module of device %u is unloaded while device %u is current",
                      module->object.context->device->ordinal, context->device->ordinal);
        status = SIM_INVALID_CONTEXT;
    }
    if (sim_module_is_in_use(module)) {
        sim_violation("order", "a module is unloaded while a kernel of it is still to run");
        sim_streams_synchronize(module->object.context);
    }
    if (module->object.alive)
        end_module(module);
    return status;
}

/* The live module of a handle, which must belong to the current context. */
static sim_status module_here(void *handle, sim_module **module)
{
    sim_context *context;
    *module = sim_object_live(SIM_MODULE, handle);
    if (*module == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_current(&context);
    if (status == SIM_OK && context != (*module)->object.context) {
        sim_violation("wrong context", "%s: the module belongs to device %u, current is device %u",
                      sim_thread_here.function, (*module)->object.context->device->ordinal, context->device->ordinal);
        status = SIM_INVALID_CONTEXT;
    }
    return status;
}

sim_status sim_module_function(void *handle, const char *name, void **out)
{
    sim_module *module;
    wire_request request = {.what = WIRE_KERNEL};
    wire_answer answer;
    sim_status status = module_here(handle, &module);
    if (status != SIM_OK)
        return status;
    for (sim_function *known = module->functions; known != NULL; known = known->next)
        if (strcmp(known->name, name) == 0) {
            *out = known->object.handle;
            return SIM_OK;
        }
    request.a = module->number;
    snprintf(request.text, sizeof request.text, "%s", name);
    if (strlen(name) >= sizeof((sim_function *)NULL)->name ||
        !sim_process_ask(&module->object.context->device->process, &request, -1, &answer))
        return SIM_NOT_FOUND;
    sim_function *function = sim_object_new(SIM_FUNCTION, sizeof *function);
    if (function == NULL)
        return SIM_OUT_OF_MEMORY;
    function->object.context = module->object.context;
    function->module = module;
    function->next = module->functions;
    function->number = answer.a;
    function->kernel = answer.kernel;
    uint32_t usual = sim_front_here.max_shared, fixed = answer.kernel.static_shared_bytes;
    function->max_dynamic = usual > fixed ? usual - fixed : 0;
    strcpy(function->name, name);
    module->functions = function;
    *out = function->object.handle;
    return SIM_OK;
}

sim_status sim_module_global(void *handle, const char *name, void **ptr, size_t *size)
{
    sim_module *module;
    wire_request request = {.what = WIRE_GLOBAL};
    wire_answer answer;
    sim_status status = module_here(handle, &module);
    if (status != SIM_OK)
        return status;
    request.a = module->number;
    snprintf(request.text, sizeof request.text, "%s", name);
    if (!sim_process_ask(&module->object.context->device->process, &request, -1, &answer))
        return SIM_NOT_FOUND;
    void *address = (void *)answer.a; /* NOLINT(performance-no-int-to-ptr) */
    if (answer.c < module->place || answer.c + answer.d > module->place + module->span)
        return SIM_UNKNOWN;
    if (sim_memory_find(address) == NULL && !sim_memory_add_globals(module, answer.c, answer.d, (int64_t)answer.e))
        return SIM_OUT_OF_MEMORY;
    *ptr = address;
    *size = answer.b;
    return SIM_OK;
}

size_t sim_modules_drop(sim_context *context)
{
    size_t left = 0;
    sim_module *module;
    for (size_t n = 0; (module = sim_object_at(SIM_MODULE, n)) != NULL; ++n)
        if (module->object.alive && module->object.context == context) {
            ++left;
            end_module(module);
        }
    return left;
}

/* --------------------------------------------------------------------------------------------- functions -- */

sim_function *sim_function_of(void *handle)
{
    return sim_object_live(SIM_FUNCTION, handle);
}

sim_status sim_function_attribute(int *value, int attribute, void *handle)
{
    const sim_function *function = sim_function_of(handle);
    if (function == NULL)
        return SIM_INVALID_HANDLE;
    const wire_kernel *kernel = &function->kernel;
    sim_status status = sim_context_state(function->module->object.context);
    if (status != SIM_OK)
        return status;
    switch (attribute) {
    case SIM_FUNCTION_MAX_THREADS:
        *value = (int)kernel->max_threads;
        return SIM_OK;
    case SIM_FUNCTION_SHARED_BYTES:
        *value = (int)kernel->static_shared_bytes;
        return SIM_OK;
    case SIM_FUNCTION_CONST_BYTES:
        *value = 0;
        return SIM_OK;
    case SIM_FUNCTION_LOCAL_BYTES:
        *value = (int)kernel->local_bytes;
        return SIM_OK;
    case SIM_FUNCTION_REGISTERS:
        *value = (int)kernel->registers;
        return SIM_OK;
    case SIM_FUNCTION_MAX_DYNAMIC_SHARED:
        *value = (int)function->max_dynamic;
        return SIM_OK;
    default:
        return SIM_INVALID_VALUE;
    }
}

sim_status sim_function_set_attribute(void *handle, int attribute, int value)
{
    sim_function *function = sim_function_of(handle);
    if (function == NULL)
        return SIM_INVALID_HANDLE;
    sim_status status = sim_context_state(function->module->object.context);
    if (status != SIM_OK)
        return status;
    if (attribute != SIM_FUNCTION_MAX_DYNAMIC_SHARED || value < 0 ||
        (uint32_t)value + function->kernel.static_shared_bytes > sim_front_here.max_shared_optin)
        return SIM_INVALID_VALUE;
    function->max_dynamic = (uint32_t)value;
    return SIM_OK;
}
