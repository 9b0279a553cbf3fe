/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/vector_math.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/command.h"
#include "output/object.h"

#include <string.h>

static const char probe[] = "#include <accel/kernel.h>\n"
                            "void accel_probe(double *x);\n"
                            "void accel_probe(double *x)\n"
                            "{\n"
                            "    for (int i = 0; i < 1024; ++i)\n"
                            "        x[i] = exp(x[i]);\n"
                            "}\n";

/* Names of vector functions begin with _ZGV, on x86-64 and aarch64 alike. */
static bool calls_vectors(const char *path)
{
    static const char prefix[] = "_ZGV";
    size_t size = 0, length = sizeof prefix - 1;
    const unsigned char *data = object_read(path, &size);
    for (size_t i = 0; data != NULL && i + length <= size; ++i) {
        if (memcmp(data + i, prefix, length) == 0)
            return true;
    }
    return false;
}

bool vector_math_check(const accelcc_job *job)
{
    /* The last words are ours: the user may want -O0. */
    static const char *const flags[] = {"-O3", "-g0", "-w", "-fno-lto", "-fno-sanitize=all", "-shared", "-Wl,-z,defs"};
    const char *source = arena_format("%s-vector-math.c", job->name), *object = arena_format("%s.so", source);
    list command = {0};
    process_result result;
    if (!workspace_write(source, probe))
        return false;
    command_make(job, workspace_path(source), &command);
    list_add_words(&command, flags, sizeof flags / sizeof flags[0]);
    list_add(&command, workspace_path(source));
    list_add(&command, "-lm");
    list_add(&command, "-o");
    list_add(&command, workspace_path(object));
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    if (result.status == 0 && calls_vectors(workspace_path(object)))
        return true;
    message_error(
        "--vector-math: %s makes no calls of the C library's vector functions (libmvec) for %s; glibc has them "
        "from 2.22 on x86-64 and from 2.40 on aarch64, where only newer versions of clang know them; name "
        "another compiler, or leave the option out",
        job->compiler->command.items[0], job->name);
    return false;
}
