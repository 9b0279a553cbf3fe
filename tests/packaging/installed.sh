# SPDX-License-Identifier: Apache-2.0
# For the scripts of this directory, which source it: the build tree `$build`, installed into a directory that it was not
# configured for, with a space in its path: `$prefix`.
prefix="$work/moved prefix"
DESTDIR="$work/root" meson install -C "$build" --no-rebuild --quiet >"$work/log" 2>&1 || { cat "$work/log"; exit 99; }
mv "$(dirname "$(dirname "$(find "$work/root" -path '*/bin/accelcc')")")" "$prefix"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name libaccel.pc)")
# pkg-config leaves out -I of directories that it takes for the compiler's.
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
lib=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH PKG_CONFIG_ALLOW_SYSTEM_CFLAGS
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_KERNEL_PATH ACCEL_PLUGIN_PATH DESTDIR CMAKE_GENERATOR CFLAGS LDFLAGS

# The plainest target of this machine: one is quicker than all.
native=$("$prefix/bin/accelcc" --print-targets | awk '$2 ~ /^\// {print $1; exit}')

# A second library of kernels with a header of its own, beside a copy of the example vector-add.
two_libraries() {
    mkdir -p "$1/kernels"
    cp "$source_root"/examples/vector-add/*.[ch] "$1"
    cat >"$1/kernels/scale.h" <<'SOURCE'
typedef struct { unsigned long n; float *x; } scale_args;
#define FACTOR 2.0f
SOURCE
    cat >"$1/kernels/scale.k.c" <<'SOURCE'
#include <accel/kernel.h>
#include "scale.h"
ACCEL_KERNEL(scale, scale_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.x[i] *= FACTOR;
}
SOURCE
    sed -e 's/scale,/shift,/' -e 's/\*= FACTOR/+= FACTOR/' "$1/kernels/scale.k.c" >"$1/kernels/shift.k.c"
}

# A program that finds both kernels of the library "scale", embedded as scale_in if that is its argument.
finder() {
    cat >"$1" <<'SOURCE'
#include <accel/accel.h>
#include <stdio.h>
#ifdef EMBEDDED
extern const accel_bundle accel_bundle_scale;
#endif
int main(void)
{
    accel_instance *instance;
    accel_device *device;
    accel_module *module;
    accel_kernel *kernel;
    if (accel_instance_create(NULL, &instance) || accel_instance_find_device(instance, NULL, &device) ||
#ifdef EMBEDDED
        accel_module_load_bundle(device, &accel_bundle_scale, &module) ||
#else
        accel_module_load(device, "scale", &module) ||
#endif
        accel_module_kernel(module, "scale", &kernel) || accel_module_kernel(module, "shift", &kernel))
        return fprintf(stderr, "%s\n", accel_error_message()), 1;
    accel_module_release(module);
    accel_instance_release(instance);
    puts("found");
}
SOURCE
}

# newer FILE: it was made after the file `mark`.
newer() { [ -n "$(find "$1" -newer mark)" ]; }
