#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that only a machine with a GPU can show, in the half hour for which one is available. Builds, then runs the
# whole conformance suite, bad input, the examples and accel-bench on cuda, and once more on hip through tests/hip_on_cuda.
# Each run's raw output goes into a file of its own, with command, times and exit status; `summary` has one line for each.
#
# usage: tests/gpu_machine.sh [--simulated] OUT [STEP...]
#   OUT          directory for the output (docs/results/...); made if it is not there. Steps may be run one after the other.
#   STEP         about build kernels code cuda bench hip hip-bench; without any: all of them, in this order
#   --simulated  the same on the simulated driver, to try the script: the times say nothing then
# environment: BUILD, the build directory (build-gpu); LIMIT, seconds for one run (540); TARGET, the device's (sm_90; asked
#   of accel-info otherwise)
#
# Needs Meson, ninja, a C compiler, Check, and nvcc (steps build, kernels, code; the last also nvdisasm, from PATH, beside
# nvcc or in NVDISASM). What was built elsewhere, with the same paths, needs none of them. Nothing stops at a failure; the exit status is 1 if there was one.
set -u
simulated=false
[ "${1-}" = --simulated ] && simulated=true && shift
[ $# -ge 1 ] || { sed -n '3,17s/^# \{0,1\}//p' "$0" >&2; exit 2; }
out=$1
shift
[ $# -gt 0 ] || set -- about build kernels code cuda bench hip hip-bench
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
build=${BUILD:-$source/build-gpu}
case $build in /*) ;; *) build=$PWD/$build ;; esac
limit=${LIMIT:-540}
failures=0
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_LOG ACCEL_PLUGIN_PATH || true

# run NAME COMMAND...: its output into OUT/NAME.txt.
run() {
    name=$1
    shift
    begin=$(date +%s)
    {
        echo "# $*"
        echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ), commit $commit"
    } >"$out/$name.txt"
    timeout "$limit" "$@" >>"$out/$name.txt" 2>&1
    status=$?
    echo "# exit status $status after $(($(date +%s) - begin)) s" >>"$out/$name.txt"
    [ $status -eq 0 ] || failures=$((failures + 1))
    printf '%-24s %s, %s s%s\n' "$name" "$([ $status -eq 0 ] && echo good || echo "FAILED ($status)")" \
        "$(($(date +%s) - begin))" "$(grep '^# .* passed' "$out/$name.txt" | tail -1 | sed 's/^# /: /')" |
        tee -a "$out/summary"
}

commit=$(git -C "$source" rev-parse HEAD 2>/dev/null || cat "$source/COMMIT" 2>/dev/null || echo unknown)
[ -z "$(git -C "$source" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit="$commit with changes"

# Where the driver is, and the kernels for the device. HIP's stand beside CUDA's, under another name.
simulator=$build/tests/gpusim
if $simulated; then
    cuda_objects=$simulator/suite
    TARGET=${TARGET:-sm_80}
    libraries=$simulator
    export GPUSIM_ARCHITECTURE_CUDA="$TARGET" GPUSIM_ALLOW=leak
    plugins=:$simulator/suite # libaccel's own kernels are in a folder of it
    cublas="--cublas $simulator/suite/simulated-cublas.so"
    quick=--quick
else
    cuda_objects=$build/gpu-kernels
    libraries=${LD_LIBRARY_PATH:-}
    plugins=
    cublas=
    quick=
fi
hip_objects=$cuda_objects-hip
$simulated && hip_objects=$build/gpu-kernels-hip
host_objects=$build/tests/conformance
info=$build/tools/accel-info/accel-info

target() {
    if [ -z "${TARGET:-}" ]; then
        TARGET=$(ACCEL_BACKEND=cuda "$info" --json --devices 2>/dev/null |
            sed -n 's/.*"architecture": "\(sm_[0-9a-z]*\)".*/\1/p' | head -1)
    fi
    [ -n "${TARGET:-}" ] || { echo "no CUDA device, and no TARGET given" >&2; exit 1; }
}

# run_on NAME BACKEND COMMAND...: the same with what the backend needs. HIP is HIP on the CUDA driver.
run_on() {
    name=$1 backend=$2
    shift 2
    objects=$cuda_objects path=$libraries
    if [ "$backend" = hip ]; then
        objects=$hip_objects path=$build/tests/hip_on_cuda${libraries:+:$libraries}
    fi
    run "$name" env ACCEL_BACKEND="$backend" ACCEL_PLUGIN_PATH="$build/tests/fixtures/faulty$plugins" \
        ACCEL_KERNEL_PATH="$objects:$host_objects" LD_LIBRARY_PATH="$path" \
        ACCEL_HIP_LIBRARY=libamdhip64.so.6 "$@"
}

about() {
    {
        date -u
        echo "commit: $commit"
        echo "simulated: $simulated"
        uname -srm
        nvidia-smi 2>/dev/null || echo "no nvidia-smi"
        nvcc --version 2>/dev/null || /usr/local/cuda/bin/nvcc --version 2>/dev/null || echo "no nvcc"
    } >"$out/about.txt" 2>&1
}

build() {
    [ -f "$build/build.ninja" ] || run build-setup meson setup --werror -Dtests=true --libdir=lib "$build" "$source"
    run build ninja -C "$build"
    if ninja -C "$build" -t targets all 2>/dev/null | grep -q '^gpu-natives:'; then
        run build-natives ninja -C "$build" gpu-natives
    fi
}

# Kernels of tests, examples and benchmarks, for the device.
kernels() {
    target
    if ! $simulated; then
        mkdir -p "$cuda_objects"
        bench=$source/tools/accel-bench/kernels
        while read -r library sources; do
            # shellcheck disable=SC2086 # words
            run "kernels-$library" "$build/tools/accelcc/accelcc" -I "$source/include" -o "$cuda_objects/$library" \
                --targets="$TARGET" $sources
        done <<LIST
conformance $(echo "$source"/tests/conformance/kernels/*.k.c)
kernels $(echo "$source"/tests/kernels/*.k.c)
bench $bench/launch.k.c $bench/axpy.k.c $bench/barrier.k.c $bench/pattern.k.c $bench/reduce.k.c $bench/scatter.k.c $bench/counts.k.c $bench/tensor.k.c $bench/stream.k.c
bench-start $bench/launch.k.c
gpu $bench/gpu.k.c
dgemm-gcc $bench/dgemm.k.c
dgemm-clang $bench/dgemm.k.c
vector-add $source/examples/vector-add/vector-add.k.c
reduction $source/examples/reduction/reduction.k.c
histogram $source/examples/histogram/histogram.k.c
dgemm $source/examples/dgemm/dgemm.k.c
image $source/examples/image/image.k.c
interop $source/examples/interop/interop.k.c
cg $source/examples/cg/cg.k.c $source/examples/cg/dot.k.c
LIST
    fi
    # hip: the same cubins, as what HIP on the CUDA driver takes.
    run kernels-hip sh "$source/tests/hip_on_cuda/objects.sh" "$hip_objects" "$cuda_objects"/*."$TARGET".cubin
}

# The inner loops in machine code for the device, beside those of hand-written CUDA.
code() {
    target
    # What a test harness would see in its lines decides.
    # shellcheck disable=SC2016 # the inner shell expands
    run code sh -c 'lines=$(sh "$@") && echo "$lines" && ! echo "$lines" | grep -q "^not ok"' sh \
        "$source/tests/ptx/compare_code.sh" "$source" "$build/tools/accelcc/accelcc" "$TARGET"
    sed -n 's/.* # SKIP /code: not compared: /p' "$out/code.txt" | sort -u | tee -a "$out/summary"
}

suites() {
    backend=$1
    lists=$source/tests/conformance/lists bad=$source/tests/bad_input/lists
    run_on "$backend-info" "$backend" "$info"
    run_on "$backend-info-json" "$backend" "$info" --json
    run_on "$backend-conformance" "$backend" "$build/tests/conformance/conformance" --partner faulty \
        --unsupported "$lists/$backend.unsupported" --expected-failures "$lists/$backend.xfail"
    run_on "$backend-bad-input" "$backend" "$build/tests/bad_input/bad_input" --partner faulty \
        --unsupported "$bad/$backend.unsupported" --expected-failures "$bad/$backend.xfail"
    run_on "$backend-vector-add" "$backend" sh "$source/tests/examples/vector_add.sh" "$build/examples/vector-add/vector-add"
    run_on "$backend-reduction" "$backend" "$build/examples/reduction/reduction" --elements 100003
    run_on "$backend-histogram" "$backend" "$build/examples/histogram/histogram" --elements 100003
    if [ "$backend" = cuda ]; then # libaccel's own kernels are not made for HIP on the CUDA driver
        run_on cuda-dgemm cuda "$build/examples/dgemm/dgemm" --size 261
        # shellcheck disable=SC2086 # two words or none: without, cuBLAS of the machine takes part, if it is there
        run_on cuda-interop cuda "$build/examples/interop/interop" --size 261 $cublas
    fi
    [ ! -x "$build/examples/image/image" ] ||
        run_on "$backend-image" "$backend" "$build/examples/image/image" "$source/examples/image/photo.png"
    cube=100
    $simulated && cube=8
    run_on "$backend-cg" "$backend" "$build/examples/cg/cg" --size $cube $cube $cube
}

# What has a goal first: the table for people, then all of it for programs and as a page.
measure() {
    backend=$1
    bench=$build/tools/accel-bench/accel-bench
    cases="launch copy pageable pageable-queues fill axpy dgemm reduce pattern"
    [ "$backend" = hip ] || cases="$cases scan sort" # libaccel's own kernels are not made for HIP on the CUDA driver
    set --
    for what in $cases; do
        run_on "$backend-bench-$what" "$backend" "$bench" --backend "$backend" $quick --case "gpu-$what"
        set -- "$@" --case "gpu-$what"
    done
    run_on "$backend-bench-json" "$backend" "$bench" --backend "$backend" $quick "$@" --json --html "$out/$backend-bench.html"
    run_on "$backend-bench-rest" "$backend" "$bench" --backend "$backend" --quick --case launch --case launch-async --case axpy
}

echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ), commit $commit, simulated: $simulated, steps: $*" | tee -a "$out/summary"
for step in "$@"; do
    case $step in
    about | build | kernels | code) $step ;;
    cuda) suites cuda ;;
    bench) measure cuda ;;
    hip) suites hip ;;
    hip-bench) measure hip ;;
    *) echo "$0: no step \"$step\"" >&2; exit 2 ;;
    esac
done
echo "# $failures failed" | tee -a "$out/summary"
[ $failures -eq 0 ]
