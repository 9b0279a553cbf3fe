#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel-info. Usage: accel_info.sh TESTS_DIR ACCEL_INFO ACCELCC
tests=$1 info=$(realpath "$2") accelcc=$(realpath "$3")
. "$tests/tap.sh"
. "$tests/kernels.sh"
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_KERNEL_PATH

# json FILE EXPRESSION: a Python expression about the document `d` holds.
json() {
    command -v python3 >python.path || skip "no python3"
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
sys.exit(0 if eval(sys.argv[2]) else "does not hold: " + sys.argv[2])' "$1" "$2"
}

without_options_every_section_is_there() {
    status 0 "$info"
    for text in "libaccel " "Backends" "cpu-serial" "usable, 1 device" "Devices" "cpu-serial:0" "kernel targets" "Topology" \
        "Kernel objects" "Configuration" "ACCEL_BACKEND"; do
        says out "$text"
    done
    [ ! -s err ] || fail "accel-info said: $(cat err)"
}

a_section_can_be_asked_for_alone() {
    status 0 "$info" --backends
    says out "Backends"
    says_not out "Configuration"
    says_not out "Devices"
}

json_has_every_section() {
    status 0 "$info" --json
    json out 'set(d) == {"version", "backends", "devices", "topology", "kernel_path", "objects", "config"}'
    json out 'any(b["name"] == "cpu-serial" and b["usable"] for b in d["backends"])'
    json out 'any(c["name"] == "cpu-serial:0" and c["kind"] == "cpu" and len(c["targets"]) > 0 for c in d["devices"])'
    json out 'any(c["name"] == "ACCEL_BACKEND" for c in d["config"])'
    status 0 "$info" --json --devices
    json out 'set(d) == {"version", "devices"}'
}

json_survives_any_value_in_the_environment() {
    value=$(printf 'q"b\\s\tt\377\303\244')
    ACCEL_NO_SUCH_THING=$value status 0 "$info" --json --config
    json out 'any(c["value"] == "q\"b\\s\tt\ufffd\u00e4" and c["unknown"] for c in d["config"])'
}

a_mistyped_variable_is_reported_with_the_nearest() {
    ACCEL_BACKENT=cpu-serial status 0 "$info" --config
    says out "ACCEL_BACKENT"
    says out "maybe ACCEL_BACKEND?"
}

a_bad_backend_name_gives_the_library_s_text() {
    ACCEL_BACKEND=cpu-seriel status 1 "$info"
    says err "accel-info: accel_instance_create"
    says err "cpu-seriel"
    says err "cpu-serial"
    ACCEL_BACKEND=cpu-seriel status 1 "$info" --json
    json out 'd["error"]["status"] == "ACCEL_NOT_FOUND" and "cpu-seriel" in d["error"]["message"]'
}

without_a_usable_backend_the_reasons_are_shown_and_the_status_is_1() {
    mkdir lib
    cp -L "$(ldd "$info" | awk '$1 ~ /^libaccel/ {print $3}')" lib/libaccel.so.1
    [ -s lib/libaccel.so.1 ] || skip "libaccel is not a shared library here"
    for backend in cuda hip; do
        ACCEL_BACKEND=$backend status 1 env LD_LIBRARY_PATH="$PWD/lib" "$info"
        says err "no backend can be used"
        says out "$backend"
        says out "Configuration"
        ACCEL_BACKEND=$backend status 1 env LD_LIBRARY_PATH="$PWD/lib" "$info" --json
        json out '[b for b in d["backends"] if b["name"] == "'$backend'"][0]["reason"] != [] and d["devices"] == []'
    done
}

objects_are_listed_with_the_choice_and_its_reason() {
    axpy_sources
    mkdir k
    "$accelcc" -o k/blas1 axpy.k.c scale.k.c --targets=native-levels
    "$accelcc" -o k/other scale.k.c --targets=native-levels
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --objects
    says out "kernels: axpy, scale"
    says out "cpu-serial:0: best here"
    says out "  other"
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --objects --library other
    says_not out "blas1"
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --objects --json --library=blas1
    json out 'all(o["library"] == "blas1" and sorted(o["kernels"]) == ["axpy", "scale"] for o in d["objects"])'
    json out 'len([v for o in d["objects"] for v in o["devices"] if v["device"] == "cpu-serial:0" and v["chosen"]]) == 1'
    json out 'all(v["reason"] for o in d["objects"] for v in o["devices"])'
}

a_library_implies_the_section_of_objects() {
    axpy_sources
    mkdir k
    "$accelcc" -o k/other scale.k.c --targets=native-levels
    for words in "--library other" --library=other; do
        # shellcheck disable=SC2086 # words
        ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" $words
        says out "Kernel objects"
        says out "  other"
        says_not out "Backends"
        says_not out "Configuration"
    done
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --library other --json
    json out 'set(d) == {"version", "kernel_path", "objects"} and d["objects"] != []'
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --config --library other
    says out "  other"
    says out "Configuration"
}

a_library_without_an_object_is_an_error() {
    for words in "--library absent" "--objects --library=absent"; do
        # shellcheck disable=SC2086 # words
        status 1 "$info" $words
        says out "none of this library"
        says err 'no kernel object of library "absent" was found; accel-info --objects lists'
    done
    status 1 "$info" --library absent --json
    json out 'd["objects"] == []'
    says err '"absent"'
}

the_directories_that_are_searched_are_named() {
    mkdir k
    ACCEL_KERNEL_PATH=$PWD/k:relative:/no/such/directory status 0 "$info" --objects
    says out "searched  $PWD/k"
    says out "/no/such/directory (No such file or directory)"
    says out "ignored, because it is not absolute: \"relative\" of ACCEL_KERNEL_PATH"
    ACCEL_KERNEL_PATH=$PWD/k:relative:/no/such/directory status 0 "$info" --objects --json
    json out 'd["kernel_path"][0] == {"directory": "'"$PWD/k"'", "searched": True, "reason": ""}'
    json out '[p["reason"] for p in d["kernel_path"] if p["directory"] == "/no/such/directory"] == ["No such file or directory"]'
    json out 'any("relative" in p["reason"] and not p["searched"] for p in d["kernel_path"])'
}

objects_for_gpus_are_listed_with_their_kernels() {
    target=$("$accelcc" --print-targets | sed -n 's/^\(compute_80\|gfx90a\)  *\/[^ ]*$/\1/p' | tr '\n' ,)
    [ -n "$target" ] || skip "no compiler for GPUs"
    axpy_sources
    mkdir k
    "$accelcc" -o k/blas1 axpy.k.c scale.k.c --targets="$target"
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --objects --json --library=blas1
    json out 'len(d["objects"]) == '"$(ls k | wc -l)"' and all(o["kernels"] == ["axpy", "scale"] for o in d["objects"])'
    ACCEL_KERNEL_PATH=$PWD/k status 0 "$info" --objects --library=blas1
    says out "is no target of this backend"
}

the_topology_says_where_it_comes_from() {
    export ACCEL_BACKEND=cpu-serial
    HWLOC_SYNTHETIC="pack:2 l3:1 core:4 pu:2" status 0 "$info" --topology
    grep -q "flat, " out && skip "$(grep flat, out)"
    says out "2 sockets, 8 cores, 1 NUMA node"
    says out "hwloc, API 2."
    says out "another machine: HWLOC_SYNTHETIC"
    HWLOC_SYNTHETIC="pack:2 l3:1 core:4 pu:2" status 0 "$info" --topology --json
    json out 'd["topology"]["machine"]["core_kinds"] == [8, 0, 0, 0]'
    json out 'd["topology"]["machine"]["cache_bytes"][2] > 0'
}

without_hwloc_the_topology_is_flat_and_says_why() {
    export ACCEL_BACKEND=cpu-serial
    ACCEL_HWLOC_LIBRARY=/nonexistent/libhwloc.so.15 status 0 "$info" --topology
    says out "sockets unknown, cores unknown, NUMA nodes unknown"
    says out "flat, "
    ACCEL_HWLOC_LIBRARY=/nonexistent/libhwloc.so.15 status 0 "$info" --topology --json
    json out 'd["topology"]["machine"]["source"].startswith("flat, ") and d["topology"]["machine"]["cores"] == 0'
}

lines_fit_a_terminal() {
    status 0 "$info" --devices --topology --config
    [ -z "$(awk 'length > 100 && !/\//' out)" ] || fail "$(awk 'length > 100' out)"
}

wrong_usage_has_status_2() {
    status 2 "$info" --backend
    says err 'unknown option "--backend"'
    status 2 "$info" --library
    says err 'a name is missing after "--library"'
}

run_tests without_options_every_section_is_there a_section_can_be_asked_for_alone json_has_every_section \
    json_survives_any_value_in_the_environment a_mistyped_variable_is_reported_with_the_nearest \
    a_bad_backend_name_gives_the_library_s_text without_a_usable_backend_the_reasons_are_shown_and_the_status_is_1 \
    objects_are_listed_with_the_choice_and_its_reason a_library_implies_the_section_of_objects \
    a_library_without_an_object_is_an_error the_directories_that_are_searched_are_named \
    objects_for_gpus_are_listed_with_their_kernels the_topology_says_where_it_comes_from \
    without_hwloc_the_topology_is_flat_and_says_why lines_fit_a_terminal wrong_usage_has_status_2
