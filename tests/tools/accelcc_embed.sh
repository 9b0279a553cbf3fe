#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bundles. Usage: accelcc_embed.sh TESTS_DIR ACCELCC INCLUDE_DIR
tests=$1 accelcc=$(realpath "$2") include=$3
. "$tests/tap.sh"
. "$tests/kernels.sh"

# A program that writes each entry of a bundle to TARGET.FORMAT.
bundle_program() {
    cat >main.c <<'SOURCE'
#include <accel/object.h>
#include <stdio.h>
extern const accel_bundle accel_bundle_blas1;
int main(void)
{
    const accel_bundle *b = &accel_bundle_blas1;
    if (b->magic != ACCEL_BUNDLE_MAGIC || b->abi != ACCEL_OBJECT_ABI || b->struct_size != sizeof *b ||
        b->entry_size != sizeof b->entries[0])
        return 1;
    printf("%s %zu\n", b->name, b->count);
    for (size_t i = 0; i < b->count; ++i) {
        char path[64];
        snprintf(path, sizeof path, "%s.%s", b->entries[i].target, b->entries[i].format);
        FILE *file = fopen(path, "wb");
        if (file == NULL || (size_t)b->entries[i].data % 64 != 0 || fwrite(b->entries[i].data, 1, b->entries[i].size, file) != b->entries[i].size ||
            fclose(file) != 0)
            return 2;
    }
    return 0;
}
SOURCE
}

a_bundle_holds_every_target_byte_for_byte() {
    axpy_sources
    bundle_program
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=native-levels
    status 0 "$accelcc" --embed -o blas1 axpy.k.c --targets=native-levels
    status 0 ${CC:-cc} -I "$include" main.c blas1.o -o main
    status 0 ./main
    says out "blas1 $(ls blas1.*.so | wc -l)"
    for object in blas1.*.so; do
        cmp "$object" "${object#blas1.}"
    done
}

the_object_links_into_a_position_independent_library() {
    axpy_sources
    status 0 "$accelcc" --embed -o blas1.o axpy.k.c --targets=native-levels
    status 0 ${CC:-cc} -shared blas1.o -o libblas1.so -Wl,-z,text -Wl,-z,defs
    nm -D libblas1.so | grep -q ' accel_bundle_blas1$' || fail "$(nm -D libblas1.so)"
    readelf -lW libblas1.so | grep GNU_STACK | grep -q 'RW ' || fail "the stack would be executable"
}

two_bundles_link_into_one_program() {
    axpy_sources
    bundle_program
    status 0 "$accelcc" --embed -o blas1 axpy.k.c --targets=native-levels
    status 0 "$accelcc" --embed -o other axpy.k.c scale.k.c --targets=native-levels
    status 0 ${CC:-cc} -I "$include" main.c blas1.o other.o -o main
    status 0 ./main
}

embedding_writes_the_object_file_only() {
    axpy_sources
    status 0 "$accelcc" --embed -o blas1 axpy.k.c
    [ "$(ls blas1.*)" = blas1.o ] || fail "$(ls)"
    tidy
}

characters_that_c_does_not_allow_become_underscores() {
    axpy_sources
    status 0 "$accelcc" --embed -o vector-add.v2.o axpy.k.c --targets=native-levels
    nm vector-add.v2.o | grep -q ' accel_bundle_vector_add_v2$' || fail "$(nm vector-add.v2.o)"
}

run_tests a_bundle_holds_every_target_byte_for_byte the_object_links_into_a_position_independent_library \
    two_bundles_link_into_one_program embedding_writes_the_object_file_only \
    characters_that_c_does_not_allow_become_underscores
