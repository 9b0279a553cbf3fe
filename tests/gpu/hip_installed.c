/* SPDX-License-Identifier: Apache-2.0 */
/* ROCm's library without the kernel's part: what is said, and that the library is not loaded for it. The library of these
 * tests needs one that is not there, so that loading it fails, and is told as "broken". */
#include "run.h"

#include "plugins/gpu/driver/hip/hip.h"
#include "plugins/gpu/driver/installed.h"
#include "opened.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "libaccel-installed-hip.so.6"

static char root[] = "/tmp/accel-installed-XXXXXX";

static const char *below(const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(below(name), "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* ROOT/dev, ROOT/etc, and the library as ROOT/lib/NAME. */
static void make_root(void)
{
    char library[512];

    snprintf(library, sizeof(library), "%s", fake_path("hip-amd"));
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(mkdir(below("dev"), 0755), 0);
    ck_assert_int_eq(mkdir(below("etc"), 0755), 0);
    ck_assert_int_eq(mkdir(below("lib"), 0755), 0);
    ck_assert_int_eq(symlink(library, below("lib/" NAME)), 0);
}

static void remove_root(void)
{
    static const char *const names[] = {"dev/kfd", "dev/dxg", "etc/ld.so.cache", ("lib/" NAME), "dev", "etc",
                                        "lib",     ""};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        (void)remove(below(names[i]));
}

static opened open_by_name(const char *name)
{
    const char *names[] = {"libaccel-no-such-hip.so.7", name, NULL};

    return open_names(&hip_family, names, root);
}

static void is_not_loaded(const opened *result, const char *path)
{
    ck_assert_refused(result, ACCEL_BACKEND_NO_DEVICE, "hip: no device", "/dev/kfd", path, "was not loaded", NULL);
    ck_assert_ptr_null(dlopen(fake_path("hip-amd"), RTLD_LAZY | RTLD_NOLOAD));
}

START_TEST(without_the_kernels_part_the_library_is_not_loaded)
{
    make_root();
    opened result = open_by_name(fake_path("hip-amd"));
    is_not_loaded(&result, fake_path("hip-amd"));
    remove_root();
}
END_TEST

START_TEST(the_linkers_cache_tells_where_the_library_is)
{
    char cache[512];

    make_root();
    size_t size = (size_t)snprintf(cache, sizeof(cache), "glibc-ld.so.cache1.1%c%s%cnot/" NAME "%c%s/lib/%s", 0, NAME,
                                   0, 0, root, NAME);
    write_file("etc/ld.so.cache", cache, size + 1);
    opened result = open_by_name(NAME);
    is_not_loaded(&result, below("lib/" NAME));
    remove_root();
}
END_TEST

START_TEST(the_path_of_the_environment_tells_where_the_library_is)
{
    char path[256];

    make_root();
    snprintf(path, sizeof(path), "/no/such/directory::%s/lib", root);
    setenv("LD_LIBRARY_PATH", path, 1);
    opened result = open_by_name(NAME);
    is_not_loaded(&result, below("lib/" NAME));
    remove_root();
}
END_TEST

START_TEST(with_the_kernels_part_the_library_is_loaded)
{
    static const char *const nodes[] = {"dev/kfd", "dev/dxg"};

    make_root();
    write_file(nodes[_i], "", 0);
    opened result = open_by_name(fake_path("hip-amd"));
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "libhsa-runtime64.so.99", NULL);
    remove_root();
}
END_TEST

START_TEST(a_library_that_needs_no_runtime_is_loaded_in_any_case)
{
    make_root();
    opened result = open_by_name(fake_path("hip"));
    ck_assert_uint_eq(result.status, ACCEL_OK);
    remove_root();
}
END_TEST

/* Files that are cut or spoiled are no reason to fail: the linker says what they are. */
START_TEST(files_that_are_no_libraries_need_nothing)
{
    static unsigned char bytes[1 << 20], spoiled[1 << 20];
    const char *path = below("lib/" NAME);

    make_root();
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t whole = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    ck_assert(gpu_installed_needs(path, "libhsa-runtime64.so"));
    ck_assert(!gpu_installed_needs(path, "libhsa-runtime65.so"));
    ck_assert(!gpu_installed_needs(below("etc"), "lib"));
    ck_assert(!gpu_installed_needs(below("none"), "lib"));
    ck_assert_int_eq(remove(below("lib/" NAME)), 0);
    for (size_t size = 1; size < whole; size += size < 1024 ? 13 : 509) {
        write_file("lib/" NAME, bytes, size);
        (void)gpu_installed_needs(below("lib/" NAME), "libhsa-runtime64.so");
    }
    for (size_t at = 0; at < 1024; ++at) { /* the header, the segments */
        memcpy(spoiled, bytes, whole);
        spoiled[at] ^= 0xff;
        write_file("lib/" NAME, spoiled, whole);
        (void)gpu_installed_needs(below("lib/" NAME), "libhsa-runtime64.so");
    }
    write_file("lib/" NAME, "this is no library", 18);
    ck_assert(!gpu_installed_needs(below("lib/" NAME), "lib"));
    remove_root();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("hip_installed");
    TCase *loops = tcase_create("loops");

    add(suite, without_the_kernels_part_the_library_is_not_loaded);
    add(suite, the_linkers_cache_tells_where_the_library_is);
    add(suite, the_path_of_the_environment_tells_where_the_library_is);
    add(suite, a_library_that_needs_no_runtime_is_loaded_in_any_case);
    add(suite, files_that_are_no_libraries_need_nothing);
    tcase_add_loop_test(loops, with_the_kernels_part_the_library_is_loaded, 0, 2);
    suite_add_tcase(suite, loops);
    return suite;
}
