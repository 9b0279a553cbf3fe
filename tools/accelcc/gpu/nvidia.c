/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/nvidia.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/workspace.h"
#include "compile/compile.h"
#include "gpu/assembler.h"
#include "gpu/gpu_compiler.h"
#include "gpu/ptx.h"
#include "gpu/resources.h"
#include "output/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------ compilers -- */

static void candidates(list *commands)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    list_add(commands, "nvcc");
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        const char *root = getenv(variables[i]);
        if (root != NULL && *root == '/')
            list_add(commands, arena_format("%s/bin/nvcc", root));
    }
    list_add(commands, "/usr/local/cuda/bin/nvcc");
    gpu_compiler_clangs(commands);
}

static const gpu_vendor cuda = {
    .name = "cuda",
    .triple = "nvptx64-nvidia-cuda",
    .what = "compiler for NVIDIA GPUs",
    .searched = "nvcc is not on PATH, in CUDA_HOME, CUDA_PATH or /usr/local/cuda, and there is no clang; install nvcc "
                "(NVIDIA: cuda-nvcc; Debian: nvidia-cuda-toolkit) or clang (Debian: clang-15)",
    .candidates = candidates,
};

/* Both spellings of a number have the same row: the processor's. */
static const gpu_origin origins[] = {
    {"sm_70", "nvcc of CUDA 9.0 to 12.9, or clang 6"},
    {"sm_72", "nvcc of CUDA 9.2 to 12.9, or clang 7"},
    {"sm_75", "nvcc of CUDA 10.0, or clang 8"},
    {"sm_80", "nvcc of CUDA 11.0, or clang 11"},
    {"sm_86", "nvcc of CUDA 11.1, or clang 13"},
    {"sm_87", "nvcc of CUDA 11.4, or clang 16"},
    {"sm_88", "nvcc of CUDA 13.0"},
    {"sm_89", "nvcc of CUDA 11.8, or clang 16"},
    {"sm_90", "nvcc of CUDA 11.8, or clang 16"},
    {"sm_90a", "nvcc of CUDA 12.0, or clang 18"},
    {"sm_100*", "nvcc of CUDA 12.8, or clang 20"},
    {"sm_101*", "nvcc of CUDA 12.8 or 12.9, or clang 20"},
    {"sm_103*", "nvcc of CUDA 12.9, or clang 21"},
    {"sm_110*", "nvcc of CUDA 13.0"},
    {"sm_120*", "nvcc of CUDA 12.8, or clang 20"},
    {"sm_121*", "nvcc of CUDA 12.9, or clang 21"},
    {NULL, NULL},
};

/* "90a" of compute_90a and sm_90a. */
static const char *number_of(const char *name)
{
    return strchr(name, '_') + 1;
}

/* The bitcode library of mathematics, for clang; nvcc has its own. */
static const char *find_libdevice(const char *assembler)
{
    list roots = {0};
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    if (assembler != NULL)
        list_add(&roots, arena_format("%.*s..", (int)(strrchr(assembler, '/') - assembler + 1), assembler));
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        if (getenv(variables[i]) != NULL)
            list_add(&roots, getenv(variables[i]));
    }
    list_add(&roots, "/usr/local/cuda");
    list_add(&roots, "/usr/lib/nvidia-cuda-toolkit");
    for (size_t i = 0; i < roots.count; ++i) {
        static const char *const places[] = {"nvvm/libdevice", "libdevice"};
        for (size_t k = 0; k < sizeof places / sizeof places[0]; ++k) {
            const char *path = arena_format("%s/%s/libdevice.10.bc", roots.items[i], places[k]);
            if (object_is_file(path))
                return path;
        }
    }
    return NULL;
}

static bool find(const accelcc_options *options, const accelcc_target *target, const char *name,
                 const accelcc_compiler *own, bool quiet, accelcc_compiler *compiler)
{
    (void)own;
    if (atoi(number_of(name)) < 70) {
        if (!quiet)
            message_error("target \"%s\": accel/kernel.h needs independent threads, which GPUs have from "
                          "sm_70 (Volta)",
                          name);
        return false;
    }
    if (!gpu_compiler_find(options, &cuda, name, arena_format("sm_%s", number_of(name)), origins, quiet, compiler))
        return false;
    compiler->assembler = assembler_find(&compiler->command);
    if (compiler->is_clang) {
        compiler->libraries = find_libdevice(compiler->assembler);
        compiler->lacks_mathematics = compiler->libraries == NULL;
    }
    if (target->driver == &ptx_driver || compiler->assembler != NULL)
        return true;
    if (!quiet)
        message_error("target \"%s\": ptxas is not beside %s, on PATH, in CUDA_HOME, CUDA_PATH or "
                      "/usr/local/cuda; install it (NVIDIA: cuda-nvcc; Debian: nvidia-cuda-toolkit), or ask for "
                      "compute_%s, which the driver assembles",
                      name, compiler->command.items[0], number_of(name));
    return false;
}

static void names(const accelcc_options *options, const char *prefix, list *result)
{
    list processors = {0};
    gpu_compiler_processors(options, &cuda, &processors);
    for (size_t i = 0; i < processors.count; ++i) {
        if (atoi(processors.items[i] + strlen("sm_")) >= 70)
            list_add(result, arena_format("%s%s", prefix, processors.items[i] + strlen("sm_")));
    }
}

static void ptx_names(const accelcc_options *options, list *result)
{
    names(options, "compute_", result);
}

static void cubin_names(const accelcc_options *options, list *result)
{
    names(options, "sm_", result);
}

/* -------------------------------------------------------------------------------------------------------- objects -- */

/* -rdc=true keeps descriptors and device data visible, and the names of local things unique. constexpr functions are
 * those of C++ for arguments of several types, pow(x, 2) among them; clang lets kernels call them in any case. */
static void nvcc_command(const accelcc_job *job, const gpu_flags *flags, list *command)
{
    static const char *const words[] = {
        "-x", "cu", "-rdc=true", "--expt-relaxed-constexpr", "-ptx", "-Wno-deprecated-gpu-targets"};
    list_extend(command, &job->compiler->command);
    list_add_words(command, words, sizeof words / sizeof words[0]);
    list_add(command, arena_format("-arch=compute_%s", number_of(job->name)));
    gpu_flags_for_nvcc(flags, command);
}

/* Without NVIDIA's headers: accel/kernel.h declares what it needs. clang takes the version of PTX from the toolkit that
 * it finds. Without a toolkit, clang 14 takes one without warp operations. So this asks for the oldest version that has
 * all of kernel.h; if clang or the processor need a later one, that one stays. */
static void clang_command(const accelcc_job *job, const gpu_flags *flags, list *command)
{
    static const char *const words[] = {
        "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-S"};
    static const char *const version[] = {"-Xclang", "-target-feature", "-Xclang", "+ptx63"};
    list_extend(command, &job->compiler->command);
    list_add_words(command, words, sizeof words / sizeof words[0]);
    list_add_words(command, version, sizeof version / sizeof version[0]);
    list_add(command, arena_format("--cuda-gpu-arch=sm_%s", number_of(job->name)));
    if (job->compiler->libraries != NULL) {
        const char *const library[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", job->compiler->libraries};
        list_add_words(command, library, sizeof library / sizeof library[0]);
    }
    gpu_flags_for_clang(flags, command);
}

/* nvcc runs its parts by a shell, which would read more than a name in these. */
static bool is_plain(const char *name)
{
    if (strpbrk(name, "$`\"\\") == NULL)
        return true;
    message_error(
        "nvcc hands names to a shell, and \"%s\" has one of $, `, \\ and \" in it; rename it, or compile it by "
        "clang (--cc-for=cuda=clang++)",
        name);
    return false;
}

static bool compile_source(const accelcc_job *job, const char *source, const char *ptx, const char *dependencies)
{
    list command = {0};
    process_result result;
    gpu_flags flags = gpu_flags_of(job->options, source);
    if (job->compiler->is_clang)
        clang_command(job, &flags, &command);
    else if (!is_plain(source) || !is_plain(workspace_path(ptx)))
        return false;
    else
        nvcc_command(job, &flags, &command);
    list_add(&command, "-isystem");
    list_add(&command, job->include_directory);
    return compile_run(job, &command, source, ptx, dependencies, &result) &&
           compile_succeeded(job, &command, source, &result);
}

static bool check(const accelcc_job *job, const char *text)
{
    const char *missing = ptx_missing(text);
    if (!ptx_has_kernels(text)) {
        object_no_kernels(job);
        return false;
    }
    if (missing == NULL)
        return true;
    bool mathematics = strncmp(missing, "__nv_", 5) == 0;
    message_error("library \"%s\" does not link for %s: \"%s\" is used but not defined%s", job->options->name,
                  job->name, missing,
                  mathematics && job->compiler->libraries == NULL
                      ? "; this function is in libdevice.10.bc, which was not found: it comes with nvcc (set CUDA_HOME)"
                      : "");
    return false;
}

/* All sources as one PTX text; NULL after a message. */
static const char *compile_all(const accelcc_job *job, list *dependencies)
{
    list texts = {0};
    for (size_t i = 0; i < job->options->sources.count; ++i) {
        const char *source = job->options->sources.items[i], *slash = strrchr(source, '/');
        const char *ptx = arena_format("%s-%zu-%s.ptx", job->name, i, slash != NULL ? slash + 1 : source);
        const char *depends = arena_format("%s.d", ptx);
        size_t size = 0;
        if (!compile_source(job, source, ptx, depends))
            return NULL;
        if (job->options->dependencies)
            list_add(dependencies, depends);
        const unsigned char *data = object_read(workspace_path(ptx), &size);
        if (data == NULL)
            return NULL;
        list_add(&texts, arena_copy((const char *)data, size));
    }
    if (texts.count == 1)
        return texts.items[0];
    const char *twice = NULL, *text = ptx_merge(&texts, &twice);
    if (text == NULL)
        message_error("library \"%s\" does not link for %s: \"%s\" is defined twice; a kernel's name must be unique "
                      "within the library",
                      job->options->name, job->name, twice != NULL ? twice : "?");
    return text;
}

static bool build_ptx(const accelcc_job *job, const char *output, list *dependencies)
{
    const char *processor = arena_format("sm_%s", number_of(job->name)), *report = NULL;
    const char *text = compile_all(job, dependencies);
    if (text == NULL || !check(job, text) || (text = assembler_lower(job, processor, text)) == NULL ||
        !workspace_write(output, text))
        return false;
    if (!job->options->resources)
        return true;
    if (job->compiler->assembler == NULL) {
        message_note("%s: there is no ptxas, so the use of resources is unknown", job->name);
        return true;
    }
    gpu_flags flags = gpu_flags_of(job->options, job->options->sources.items[0]);
    if (!assembler_run(job, &flags, processor, output, arena_format("%s.cubin", output), &report))
        return false;
    resources_print_assembler(job->name, arena_format(" (as %s)", processor), report);
    return true;
}

static bool build_cubin(const accelcc_job *job, const char *output, list *dependencies)
{
    const char *report = NULL, *ptx = arena_format("%s.ptx", output);
    const char *text = compile_all(job, dependencies);
    if (text == NULL || !check(job, text) || !workspace_write(ptx, text))
        return false;
    gpu_flags flags = gpu_flags_of(job->options, job->options->sources.items[0]);
    if (!assembler_run(job, &flags, job->name, ptx, output, job->options->resources ? &report : NULL))
        return false;
    if (report != NULL)
        resources_print_assembler(job->name, "", report);
    return object_check_gpu(job, workspace_path(output));
}

const accelcc_driver ptx_driver = {.format = "ptx", .find = find, .names = ptx_names, .build = build_ptx};
const accelcc_driver cubin_driver = {.format = "cubin", .find = find, .names = cubin_names, .build = build_cubin};
