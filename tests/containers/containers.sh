#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CPUs and memory of a device under taskset, real control groups and launchers' variables; skipped where they are not permitted.
# Usage: containers.sh TESTS_DIR ACCEL_INFO
tests=$1 info=$(realpath "$2")
. "$tests/tools/tap.sh"
unset ACCEL_BACKEND ACCEL_CPU_THREADS ACCEL_CPU_PIN OMP_NUM_THREADS OMPI_COMM_WORLD_LOCAL_SIZE MPI_LOCALNRANKS \
    PMI_LOCAL_SIZE SLURM_STEP_TASKS_PER_NODE SLURM_LOCALID
groups=/sys/fs/cgroup

# units BACKEND: of its device, by `enter`, a command that runs others where they are to run
units() {
    $enter env ACCEL_BACKEND="$1" "$info" --devices >out 2>err || fail "$(cat out err)"
    sed -n 's/^ *compute units *\([0-9]*\).*/\1/p' out
}

# expect NUMBER: cpu-threads and cpu-omp have so many
expect() {
    for backend in cpu-threads cpu-omp; do
        if [ $backend = cpu-omp ] && ! ACCEL_BACKEND=cpu-omp "$info" --backends >out 2>&1; then
            echo "no OpenMP runtime"
            continue
        fi
        actual=$(units $backend)
        [ "$actual" = "$1" ] || fail "$backend has $actual units instead of $1: $(cat out)"
    done
}

# At most what the affinity leaves; without a quota all of it.
cpus() { nproc; }

# group CONTROLLER FILE VALUE...: a group of our own, below the root, with these values; `enter` runs a command there.
group() {
    controller=$1
    shift
    if [ -d $groups/$controller ]; then
        parent=$groups/$controller
    elif grep -qw $controller $groups/cgroup.controllers 2>/dev/null; then
        parent=$groups
        echo "+$controller" >$groups/cgroup.subtree_control 2>/dev/null || skip "the controller $controller cannot be had"
    else
        skip "no control groups with the controller $controller"
    fi
    directory=$parent/accel-test-$$
    mkdir "$directory" 2>/dev/null || skip "no permission to make a control group"
    trap 'rmdir "$directory"' EXIT
    while [ $# -gt 1 ]; do
        echo "$2" >"$directory/$1" 2>/dev/null || skip "$1 cannot be set to $2 here"
        shift 2
    done
    printf '#!/bin/sh\necho $$ >"%s/cgroup.procs" || exit 1\nexec "$@"\n' "$directory" >enter
    chmod +x enter
    ./enter true 2>/dev/null || skip "no process may be put into the control group"
    enter=./enter
}

# quota MICROSECONDS: per 100 ms
quota() {
    if [ -d $groups/cpu ]; then
        group cpu cpu.cfs_period_us 100000 cpu.cfs_quota_us "$1"
    else
        group cpu cpu.max "$1 100000"
    fi
}

a_device_has_the_cpus_of_the_process() {
    enter=
    expect "$(cpus)"
}

taskset_narrows_it() {
    command -v taskset >path || skip "no taskset"
    first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    enter="taskset -c $first"
    expect 1
}

a_quota_of_one_and_a_half_cpus_gives_two() {
    [ "$(cpus)" -gt 2 ] && expected=2 || expected=$(cpus)
    quota 150000
    expect "$expected"
}

a_quota_of_half_a_cpu_gives_one() {
    quota 50000
    expect 1
}

ACCEL_CPU_THREADS_and_OMP_NUM_THREADS_beat_the_quota() {
    quota 50000
    export ACCEL_CPU_THREADS=3 OMP_NUM_THREADS=3
    expect 3
}

a_cpuset_narrows_it() {
    first=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
    memory=$(sed -n 's/^Mems_allowed_list:[^0-9]*\(.*\)/\1/p' /proc/self/status)
    group cpuset cpuset.cpus "$first" cpuset.mems "$memory"
    expect 1
}

a_limit_of_memory_is_what_the_device_has() {
    if [ -d $groups/memory ]; then
        group memory memory.limit_in_bytes 536870912
    else
        group memory memory.max 536870912
    fi
    $enter env ACCEL_BACKEND=cpu-serial "$info" --devices >out 2>err || fail "$(cat out err)"
    grep -q '^ *memory  *512 MiB$' out || fail "$(cat out)"
}

ranks_that_share_the_cpus_are_not_pinned_unless_asked() {
    [ "$(cpus)" -gt 1 ] || skip "one CPU cannot be divided"
    unshared="workers are not pinned"
    status 0 env ACCEL_LOG=info ACCEL_BACKEND=cpu-threads "$info" --devices
    says_not err "$unshared"
    for launcher in OMPI_COMM_WORLD_LOCAL_SIZE=4 MPI_LOCALNRANKS=4 PMI_LOCAL_SIZE=4 "SLURM_LOCALID=1 SLURM_STEP_TASKS_PER_NODE=4(x8)"; do
        # shellcheck disable=SC2086 # several variables
        status 0 env ACCEL_LOG=info ACCEL_BACKEND=cpu-threads $launcher "$info" --devices
        says err "$unshared: 4 processes"
    done
    status 0 env ACCEL_LOG=info ACCEL_BACKEND=cpu-threads OMPI_COMM_WORLD_LOCAL_SIZE=4 ACCEL_CPU_PIN=1 "$info" --devices
    says_not err "$unshared"
}

run_tests a_device_has_the_cpus_of_the_process taskset_narrows_it a_quota_of_one_and_a_half_cpus_gives_two \
    a_quota_of_half_a_cpu_gives_one ACCEL_CPU_THREADS_and_OMP_NUM_THREADS_beat_the_quota a_cpuset_narrows_it \
    a_limit_of_memory_is_what_the_device_has \
    ranks_that_share_the_cpus_are_not_pinned_unless_asked
