/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/amd.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/compile.h"
#include "compile/diagnostics.h"
#include "gpu/gpu_compiler.h"
#include "gpu/gpu_flags.h"
#include "gpu/resources.h"
#include "object/metadata.h"
#include "output/object.h"

#include <accel/object.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------ compilers -- */

static void candidates(list *commands)
{
    const char *root = getenv("ROCM_PATH");
    if (root != NULL && *root == '/')
        list_add(commands, arena_format("%s/llvm/bin/clang", root));
    list_add(commands, "/opt/rocm/llvm/bin/clang");
    list_add(commands, "amdclang");
    gpu_compiler_clangs(commands);
}

static bool is_complete(const accelcc_compiler *, const char *processor);

static const gpu_vendor hip = {
    .name = "hip",
    .triple = "amdgcn-amd-amdhsa",
    .what = "compiler for AMD GPUs",
    .searched = "clang is not in ROCM_PATH, in /opt/rocm or on PATH; install clang, lld and the device libraries "
                "(Debian: clang-15, lld-15, rocm-device-libs; AMD: rocm-llvm)",
    .candidates = candidates,
    .is_complete = is_complete,
};

static const gpu_origin origins[] = {
    {"gfx9-4-generic", "clang 20 (ROCm 6.4)"},
    {"gfx12-generic", "clang 20 (ROCm 6.4)"},
    {"gfx*-generic", "clang 19 (ROCm 6.3)"},
    {"gfx94[12]*", "clang 17 (ROCm 6.0)"},
    {"gfx950*", "clang 20 (ROCm 7.0)"},
    {"gfx115[01]*", "clang 17 (ROCm 6.2)"},
    {"gfx1152*", "clang 19"},
    {"gfx1153*", "clang 20"},
    {"gfx120[01]*", "clang 19 (ROCm 6.3)"},
    {"gfx110?*", "clang 15 (ROCm 5.3)"},
    {"gfx90a*", "clang 13 (ROCm 4.5)"},
    {NULL, NULL},
};

/* "gfx90a" of "gfx90a:xnack+". */
static const char *processor_of(const char *name)
{
    return arena_copy(name, strcspn(name, ":"));
}

static bool has_libraries(const char *directory)
{
    return object_is_file(arena_format("%s/ocml.bc", directory));
}

/* Does the library know the processor? Without its file clang refuses to use the others. */
static bool libraries_have(const char *directory, const char *processor)
{
    return directory != NULL &&
           object_is_file(arena_format("%s/oclc_isa_version_%s.bc", directory, processor + strlen("gfx")));
}

/* The directory of the bitcode libraries, rather one that knows the processor; NULL if there is none. */
static const char *find_libraries(const accelcc_compiler *compiler, const char *processor)
{
    const char *any = NULL;
    const char *own = getenv("HIP_DEVICE_LIB_PATH"), *root = getenv("ROCM_PATH"), *program = compiler->command.items[0];
    list places = {0};
    if (own != NULL && *own == '/')
        list_add(&places, own);
    if (root != NULL && *root == '/')
        list_add(&places, arena_format("%s/amdgcn/bitcode", root));
    list_add(&places, arena_format("%.*s../../amdgcn/bitcode", (int)(strrchr(program, '/') - program + 1), program));
    list_add(&places, "/opt/rocm/amdgcn/bitcode");
    list_add(&places, "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode");
    list_add(&places, "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode");
    list_add(&places, "/usr/lib/amdgcn/bitcode");
    for (size_t i = 0; i < places.count; ++i) {
        if (!has_libraries(places.items[i]))
            continue;
        if (libraries_have(places.items[i], processor))
            return places.items[i];
        if (any == NULL)
            any = places.items[i];
    }
    return any;
}

static bool is_complete(const accelcc_compiler *compiler, const char *processor)
{
    return libraries_have(find_libraries(compiler, processor), processor);
}

static bool find(const accelcc_options *options, const accelcc_target *target, const char *name,
                 const accelcc_compiler *own, bool quiet, accelcc_compiler *compiler)
{
    (void)target;
    (void)own;
    if (!gpu_compiler_find(options, &hip, name, processor_of(name), origins, quiet, compiler))
        return false;
    compiler->libraries = find_libraries(compiler, processor_of(name));
    compiler->lacks_mathematics = !libraries_have(compiler->libraries, processor_of(name));
    return true;
}

static void names(const accelcc_options *options, list *result)
{
    list processors = {0};
    gpu_compiler_processors(options, &hip, &processors);
    for (size_t i = 0; i < processors.count; ++i) {
        const char *number = processors.items[i] + strlen("gfx");
        if (strlen(number) >= 4 || *number == '9') /* older ones are no longer ROCm's */
            list_add(result, processors.items[i]);
    }
}

/* -------------------------------------------------------------------------------------------------------- objects -- */

static void compile_command(const accelcc_job *job, const char *source, list *command)
{
    static const char *const words[] = {"-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc"};
    gpu_flags flags = gpu_flags_of(job->options, source);
    list_extend(command, &job->compiler->command);
    list_add_words(command, words, sizeof words / sizeof words[0]);
    list_add(command, arena_format("--offload-arch=%s", job->name));
    if (!job->compiler->lacks_mathematics) {
        list_add(command, arena_format("--rocm-device-lib-path=%s", job->compiler->libraries));
        list_add(command, "--rocm-path=/usr"); /* not searched for: only headers use it, and there are none */
    } else {
        list_add(command, "-nogpulib");
    }
    gpu_flags_for_clang(&flags, command);
    list_add(command, "-isystem");
    list_add(command, job->include_directory);
}

static bool failed(const accelcc_job *job, const char *message, const char *output, int status)
{
    const char *remedy = "";
    bool mathematics = strstr(output, "__ocml_") != NULL || strstr(output, "__ockl_") != NULL;
    if (strstr(output, "invalid target ID") != NULL)
        remedy = "; the processor does not have this feature";
    else if (mathematics && job->compiler->libraries == NULL)
        remedy = "; this function is in AMD's device libraries (ocml.bc), which were not found: install them (Debian: "
                 "rocm-device-libs), or name their directory in HIP_DEVICE_LIB_PATH";
    else if (mathematics)
        remedy =
            arena_format("; the device libraries in %s do not have %s: install newer ones, or name their directory "
                         "in HIP_DEVICE_LIB_PATH",
                         job->compiler->libraries, processor_of(job->name));
    message_error("%s for %s (%s: status %d)%s", message, job->name, job->compiler->command.items[0], status, remedy);
    return false;
}

/* clang's driver ignores -MF where it compiles for HIP's devices alone (seen with clang 21); what it runs does not. */
static void ask_dependencies(list *command, const char *file)
{
    const char *const words[] = {"-dependency-file", workspace_path(file), "-MT", "output", "-sys-header-deps"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        list_add(command, "-Xclang");
        list_add(command, words[i]);
    }
}

/* One source alone is compiled and linked at once, as the vendor does. */
static bool compile_source(const accelcc_job *job, const char *source, bool alone, const char *output,
                           const char *dependencies)
{
    list command = {0};
    process_result result;
    compile_command(job, source, &command);
    if (!alone) {
        static const char *const words[] = {"-fgpu-rdc", "-emit-llvm", "-c"};
        list_add_words(&command, words, sizeof words / sizeof words[0]);
    }
    if (job->options->dependencies)
        ask_dependencies(&command, dependencies);
    return compile_run(job, &command, source, output, NULL, &result) &&
           (result.status == 0 ||
            failed(job, arena_format("\"%s\" does not compile", source), result.output, result.status));
}

/* "+xnack" of "gfx90a:xnack+", as LLVM spells it; NULL without features. */
static const char *attributes(const char *name)
{
    list words = {0}, spelled = {0};
    list_split(&words, name, ":");
    for (size_t i = 1; i < words.count; ++i) {
        size_t length = strlen(words.items[i]);
        list_add(&spelled, arena_format("%c%.*s", words.items[i][length - 1], (int)length - 1, words.items[i]));
    }
    return spelled.count != 0 ? list_join(&spelled, ",") : NULL;
}

/* The lld of the same version: beside clang, behind links, else the one that clang would use. NULL: none. */
static const char *find_linker(const accelcc_job *job)
{
    list question = {0};
    process_result result;
    char *real = realpath(job->compiler->command.items[0], NULL);
    const char *beside = real != NULL ? arena_format("%.*slld", (int)(strrchr(real, '/') - real + 1), real) : NULL;
    free(real);
    if (beside != NULL && compiler_program(beside) != NULL)
        return beside;
    list_add(&question, job->compiler->command.items[0]);
    list_add(&question, "-print-prog-name=lld");
    if (!process_run(&question, NULL, job->options->verbose, &result))
        return NULL;
    return compiler_program(arena_copy(result.output, strcspn(result.output, "\n")));
}

/* The linker optimises over all sources. It would link objects, too, but with one note of metadata for each, and the
 * loader reads only one. */
static bool link_objects(const accelcc_job *job, const list *objects, const char *output)
{
    list command = {0};
    process_result result;
    gpu_flags flags = gpu_flags_of(job->options, job->options->sources.items[0]);
    const char *linker = find_linker(job);
    if (linker == NULL) {
        message_error("%s has no lld to link code objects with; install it (Debian: lld-15)",
                      job->compiler->command.items[0]);
        return false;
    }
    const char *const words[] = {linker,
                                 "-flavor",
                                 "gnu",
                                 "--no-undefined",
                                 "-shared",
                                 "-plugin-opt=-amdgpu-internalize-symbols",
                                 arena_format("-plugin-opt=mcpu=%s", processor_of(job->name)),
                                 arena_format("-plugin-opt=%s", flags.level + 1)};
    list_add_words(&command, words, sizeof words / sizeof words[0]);
    if (attributes(job->name) != NULL)
        list_add(&command, arena_format("-plugin-opt=-mattr=%s", attributes(job->name)));
    list_add(&command, "-o");
    list_add(&command, workspace_path(output));
    for (size_t i = 0; i < objects->count; ++i)
        list_add(&command, workspace_path(objects->items[i]));
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    diagnostics_show(result.output, job->shown);
    if (result.status == 0)
        return true;
    if (strstr(result.output, "duplicate symbol") != NULL) {
        message_error("library \"%s\" does not link for %s (%s: status %d); a kernel's name must be unique within the "
                      "library",
                      job->options->name, job->name, linker, result.status);
        return false;
    }
    return failed(job, arena_format("library \"%s\" does not link", job->options->name), result.output, result.status);
}

static void print_resources(void *user, const metadata_kernel *kernel)
{
    const accelcc_job *job = user;
    const size_t prefix = strlen(ACCEL_ENTRY_PREFIX);
    bool spilled = kernel->vector_spills != 0 || kernel->scalar_spills != 0;
    if (kernel->name_length < prefix || memcmp(kernel->name, ACCEL_ENTRY_PREFIX, prefix) != 0)
        return;
    const char *name = arena_copy(kernel->name + prefix, kernel->name_length - prefix);
    resources_print(job->name, name,
                    arena_format("%" PRIu64 " vector, %" PRIu64 " scalar registers", kernel->vector_registers,
                                 kernel->scalar_registers),
                    kernel->shared, kernel->stack,
                    spilled ? arena_format("spills: %" PRIu64 " vector, %" PRIu64 " scalar registers",
                                           kernel->vector_spills, kernel->scalar_spills)
                            : "no spills");
}

static bool build(const accelcc_job *job, const char *output, list *dependencies)
{
    list objects = {0};
    bool alone = job->options->sources.count == 1;
    for (size_t i = 0; i < job->options->sources.count; ++i) {
        const char *source = job->options->sources.items[i], *slash = strrchr(source, '/');
        const char *object = arena_format("%s-%zu-%s.bc", job->name, i, slash != NULL ? slash + 1 : source);
        const char *depends = arena_format("%s.d", object);
        if (!compile_source(job, source, alone, alone ? output : object, depends))
            return false;
        list_add(&objects, object);
        if (job->options->dependencies)
            list_add(dependencies, depends);
    }
    size_t size = 0;
    if ((!alone && !link_objects(job, &objects, output)) || !object_check_gpu(job, workspace_path(output)))
        return false;
    const unsigned char *data = job->options->resources ? object_read(workspace_path(output), &size) : NULL;
    accelcc_job shown = *job;
    char made_for[METADATA_TARGET_SIZE];
    if (data != NULL && !metadata_read(data, size, made_for, print_resources, &shown))
        message_note("%s: the code object does not say what its kernels use", job->name);
    return true;
}

const accelcc_driver amd_driver = {.format = "hsaco", .find = find, .names = names, .build = build};
