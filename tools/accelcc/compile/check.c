/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/check.h"

#include "base/arena.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/compile.h"

#include <accel/kernel/cpu/check_table.h>

/*
 * -O1: optimisations that merge or drop accesses would hide them. gcc instruments before it vectorises. clang does it
 * afterwards and ignores accesses of more than 16 bytes, and it drops the read of `y[i] += x` unless told not to.
 * -gdwarf-4: of version 5 addr2line (binutils 2.40) overlooks functions that were inlined in several ranges.
 * -fopenmp makes each region a function, so that writes of the block's variables are accesses (check.h).
 * The stub has what the other sanitizers call; the user says at run time whether that is told.
 * Accesses of two branches stay two, each with its line, and those of a loop stay in it: before it they have none. Without its builtins gcc calls memcpy, which the link step wraps; it would expand it unseen.
 */
static const char *const flags[] = {
    "-DACCEL_TARGET_CHECK",
    "-fsanitize=thread",
    "-gdwarf-4",
    "-O1",
    "-fno-omit-frame-pointer",
    "-fopenmp",
    "-fsanitize=integer-divide-by-zero,float-divide-by-zero,signed-integer-overflow,float-cast-overflow"};
static const char *const gcc_flags[] = {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
                                        "-Wno-tsan"};
static const char *const clang_flags[] = {"-mllvm", "-tsan-instrument-read-before-write"};
/* Of both versions. */
static const char *const both_clang_flags[] = {"-fno-vectorize", "-fno-slp-vectorize",
                                               "-mllvm",         "-simplifycfg-sink-common=false",
                                               "-mllvm",         "-simplifycfg-hoist-common=false",
                                               "-mllvm",         "-enable-tail-merge=0",
                                               "-mllvm",         "-disable-licm-promotion"};
/*
 * The light version: a comparison before each access, as the kernel of Linux has it, without calls of a runtime but where it
 * fails. Frames have bytes around their arrays that belong to nobody. What follows a variable of the file is not looked at, as
 * the variable would become larger. gcc: as above, memcpy and its like stay calls. clang: vectors would be compared byte by
 * byte, and reported in the place of what the source accesses; of an unrolled loop an access would be several.
 */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
static const char *const light_flags[] = {"-DACCEL_TARGET_CHECK",
                                          "-DACCEL_TARGET_CHECK_LIGHT",
                                          "-fsanitize=kernel-address",
                                          "-fno-sanitize-address-use-after-scope",
                                          "-gdwarf-4",
                                          "-fno-omit-frame-pointer"};
static const char *const light_gcc_flags[] = {"-fno-builtin-memcpy",
                                              "-fno-builtin-memmove",
                                              "-fno-builtin-memset",
                                              ("-fasan-shadow-offset=" TEXT(ACCEL_LIGHT_OFFSET)),
                                              "--param=asan-instrumentation-with-call-threshold=2147483647",
                                              "--param=asan-stack=1",
                                              "--param=asan-instrument-allocas=0",
                                              "--param=asan-globals=0"};
static const char *const light_clang_flags[] = {
    "-mllvm", "-unroll-runtime=false", "-mllvm", ("-asan-mapping-offset=" TEXT(ACCEL_LIGHT_OFFSET)),
    "-mllvm", "-asan-mapping-scale=3", "-mllvm", "-asan-instrumentation-with-call-threshold=2147483647",
    "-mllvm", "-asan-stack=1",         "-mllvm", "-asan-instrument-dynamic-allocas=0",
    "-mllvm", "-asan-globals=0"};
static const char *const link_flags[] = {"-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset"};
static const char *const stub_flags[] = {"-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-isystem"};

#define ADD(command, words) list_add_words((command), (words), sizeof(words) / sizeof((words)[0]))

void check_flags(const accelcc_job *job, list *command)
{
    if (job->light)
        ADD(command, light_flags);
    else
        ADD(command, flags);
    if (job->compiler->is_clang)
        ADD(command, both_clang_flags);
    if (job->light && job->compiler->is_clang)
        ADD(command, light_clang_flags);
    else if (job->light)
        ADD(command, light_gcc_flags);
    else if (job->compiler->is_clang)
        ADD(command, clang_flags);
    else
        ADD(command, gcc_flags);
}

bool check_add_stub(const accelcc_job *job, list *objects)
{
    const char *source = arena_format("%s/accel/kernel/cpu/check_object.c", job->include_directory);
    const char *object = arena_format("%s-stub.o", job->name);
    list command = {0};
    process_result result;
    list_extend(&command, &job->compiler->command);
    list_add_words(&command, stub_flags, sizeof stub_flags / sizeof stub_flags[0]);
    list_add(&command, job->include_directory);
    list_add(&command, "-c");
    if (!compile_run(job, &command, source, object, arena_format("%s.d", object), &result) ||
        !compile_succeeded(job, &command, source, &result))
        return false;
    list_add(objects, object);
    return true;
}

void check_link_flags(list *command)
{
    list_add_words(command, link_flags, sizeof link_flags / sizeof link_flags[0]);
}
