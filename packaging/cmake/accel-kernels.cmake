# SPDX-License-Identifier: Apache-2.0
#
# accel_add_kernels(<target>
#   SOURCES <file>...           kernel sources, which become one library
#   [NAME <name>]               of the library, for accel_module_load; default: the first source's, up to its first dot
#   [TARGETS <target>...]       of accelcc --targets; default: default
#   [OPTIONS <flag>...]         for accelcc: -I, -D, -O, --cc-for=, ...
#   [EMBED]                     links the kernels into <target>, for accel_module_load_bundle
#   [OUTPUT_DIRECTORY <dir>]    default: where the program <target> is built, since libaccel looks beside the program
#   [DESTINATION <dir>]         installs the kernel files there, as the destination of install(FILES)
#   [COMPONENT <component>])    of that installation
#
# Compiles kernels with accelcc for the program or library <target>, which was created in the same directory before. They are
# compiled again when a source, a header that one includes, or accelcc changes. It may be called several times for one
# <target>, once for each library. The kernel files are in the target property ACCEL_KERNEL_FILES.
include_guard()

# The arguments are checked as far as accelcc does not check them itself.
function(_accel_check_kernels target)
  set(call "accel_add_kernels(${target})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: \"${arg_UNPARSED_ARGUMENTS}\" belongs to no keyword. The kernel sources follow SOURCES.")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: ${arg_KEYWORDS_MISSING_VALUES} needs a value. Give one, or leave the keyword out.")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "${call}: there is no source. Name the kernel sources after SOURCES.")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${call}: there is no target \"${target}\". Call add_executable(${target} ...) or \
add_library(${target} ...) before.")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY|OBJECT_LIBRARY)$")
    message(FATAL_ERROR "${call}: the target is a ${type}. Give a program or library that this project builds.")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    message(FATAL_ERROR "${call}: the target is another name of ${aliased}. Call accel_add_kernels(${aliased} ...).")
  endif()
  get_target_property(source_dir ${target} SOURCE_DIR)
  if(NOT source_dir STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "${call}: the target was created in ${source_dir}. Call accel_add_kernels there.")
  endif()
  if(arg_EMBED AND (arg_DESTINATION OR arg_OUTPUT_DIRECTORY))
    message(FATAL_ERROR "${call}: EMBED leaves no kernel files. Remove DESTINATION and OUTPUT_DIRECTORY, or EMBED.")
  endif()
  if(arg_EMBED AND type STREQUAL "OBJECT_LIBRARY")
    message(FATAL_ERROR "${call}: EMBED links the kernels into the target, and nothing links an OBJECT_LIBRARY. Call it for the \
program or library that takes its objects.")
  endif()
  if(arg_NAME MATCHES "/")
    message(FATAL_ERROR "${call}: NAME is \"${arg_NAME}\". Give a name without \"/\", and the directory as OUTPUT_DIRECTORY.")
  endif()
  foreach(option IN LISTS arg_OPTIONS)
    if(option MATCHES "^(-o.*|--embed|--targets.*|--print-.*|-M.*|--help|--version)$")
      message(FATAL_ERROR "${call}: OPTIONS has \"${option}\". Remove it: accel_add_kernels says that itself, by EMBED, NAME, \
TARGETS and OUTPUT_DIRECTORY.")
    endif()
  endforeach()
  if(arg_COMPONENT AND NOT arg_DESTINATION)
    message(FATAL_ERROR "${call}: COMPONENT is of an installation. Add DESTINATION, or remove COMPONENT.")
  endif()
  get_target_property(accelcc accel::accelcc IMPORTED_LOCATION)
  if(NOT EXISTS "${accelcc}")
    if(CMAKE_CROSSCOMPILING)
      message(FATAL_ERROR "${call}: there is no accelcc for this machine. Install libaccel here, too, or set ACCELCC to \
its accelcc.")
    endif()
    message(FATAL_ERROR "${call}: there is no ${accelcc}. Install libaccel's accelcc, or set ACCELCC to one.")
  endif()
endfunction()

# The sources with their directories, in the caller's `sources`.
function(_accel_find_sources target)
  set(found "")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(built "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    get_source_file_property(generated "${built}" GENERATED)
    if(NOT EXISTS "${path}" AND (generated OR EXISTS "${built}"))
      set(path "${built}")
    elseif(NOT EXISTS "${path}")
      message(FATAL_ERROR "accel_add_kernels(${target}): there is no source \"${source}\" in ${CMAKE_CURRENT_SOURCE_DIR}. \
Correct the name. A generated source needs the property GENERATED before.")
    endif()
    list(APPEND found "${path}")
  endforeach()
  set(sources "${found}" PARENT_SCOPE)
endfunction()

# Where the program is built, in the caller's `directory`.
function(_accel_find_directory target)
  get_target_property(found ${target} RUNTIME_OUTPUT_DIRECTORY)
  if(arg_OUTPUT_DIRECTORY)
    set(found "${arg_OUTPUT_DIRECTORY}")
  elseif(NOT found)
    set(found "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  string(GENEX_STRIP "${found}" plain)
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations AND NOT arg_OUTPUT_DIRECTORY AND plain STREQUAL found)
    string(APPEND found "/$<CONFIG>")
  endif()
  if(NOT found MATCHES "^(/|\\$<)")
    set(found "${CMAKE_CURRENT_BINARY_DIR}/${found}")
  endif()
  set(directory "${found}" PARENT_SCOPE)
endfunction()

# What accelcc will write, in the caller's `files`, and for which targets, in `targets`. Words such as hip depend on the
# compilers that are here: from now on the targets are those that they mean now.
function(_accel_ask_files target)
  list(FILTER flags EXCLUDE REGEX "^\\$<")
  string(REPLACE ";" "," words "${arg_TARGETS}")
  execute_process(COMMAND "${accelcc}" ${flags} "--targets=${words}" -o "${arg_NAME}" --print-files ${sources}
    OUTPUT_VARIABLE found ERROR_VARIABLE reason RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "accel_add_kernels(${target}): accelcc refuses:\n${reason}\nCorrect the arguments. \
${accelcc} --print-targets lists the targets that can be made here.")
  endif()
  string(REPLACE "\n" ";" found "${found}")
  string(LENGTH "${arg_NAME}." begin)
  set(of_files "")
  foreach(file IN LISTS found)
    string(SUBSTRING "${file}" ${begin} -1 of_file)
    string(REGEX REPLACE "\\.[a-z]+$" "" of_file "${of_file}")
    list(APPEND of_files "${of_file}")
  endforeach()
  list(JOIN of_files "," of_files)
  set(files "${found}" PARENT_SCOPE)
  set(targets "${of_files}" PARENT_SCOPE)
endfunction()

function(accel_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EMBED" "NAME;OUTPUT_DIRECTORY;DESTINATION;COMPONENT" "SOURCES;TARGETS;OPTIONS")
  _accel_check_kernels(${target})
  _accel_find_sources(${target})
  _accel_find_directory(${target})
  get_target_property(accelcc accel::accelcc IMPORTED_LOCATION)
  if(NOT DEFINED arg_NAME)
    list(GET sources 0 first)
    get_filename_component(arg_NAME "${first}" NAME_WE)
  endif()
  if(NOT DEFINED arg_TARGETS)
    set(arg_TARGETS default)
  endif()

  # The compiler of the project, unless it is none for kernels, or accelcc would take its path for several words.
  set(flags ${arg_OPTIONS})
  if(CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang)$" AND NOT CMAKE_C_COMPILER MATCHES " " AND NOT "${flags}" MATCHES "(^|;)--cc(=|;)")
    list(PREPEND flags "--cc=${CMAKE_C_COMPILER}")
  endif()

  _accel_ask_files(${target})

  set(private "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.kernels")
  set(depfile "${private}/${arg_NAME}.d")
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations)
    set(depfile "${private}/$<CONFIG>/${arg_NAME}.d")
  endif()
  get_filename_component(depfile_directory "${depfile}" DIRECTORY)
  if(arg_EMBED)
    set(directory "${depfile_directory}")
    set(files "${arg_NAME}.o")
    list(PREPEND flags --embed)
  endif()
  list(TRANSFORM files PREPEND "${directory}/")

  get_property(others GLOBAL PROPERTY ACCEL_KERNEL_LIBRARIES)
  if("${directory}/${arg_NAME}" IN_LIST others)
    message(FATAL_ERROR "accel_add_kernels(${target}): ${directory} has a kernel library \"${arg_NAME}\" already. Give \
this one another NAME.")
  endif()
  set_property(GLOBAL APPEND PROPERTY ACCEL_KERNEL_LIBRARIES "${directory}/${arg_NAME}")

  set(output "${directory}/${arg_NAME}")
  if(arg_EMBED)
    set(output "${files}")
  endif()
  add_custom_command(OUTPUT ${files}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${directory}" "${depfile_directory}"
    COMMAND "${accelcc}" ${flags} "--targets=${targets}" -o "${output}" -MD -MF "${depfile}" ${sources}
    DEPENDS ${sources} "${accelcc}"
    DEPFILE "${depfile}"
    COMMENT "Compiling kernels ${arg_NAME} for ${targets}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${accelcc}")

  if(arg_EMBED)
    set_source_files_properties(${files} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE ${files})
  else()
    # A target of their own: the program is not linked again when kernels change.
    add_custom_target(${target}-kernels-${arg_NAME} DEPENDS ${files})
    add_dependencies(${target} ${target}-kernels-${arg_NAME})
    set_property(TARGET ${target} APPEND PROPERTY ACCEL_KERNEL_FILES ${files})
  endif()
  if(arg_DESTINATION)
    set(component "")
    if(arg_COMPONENT)
      set(component COMPONENT "${arg_COMPONENT}")
    endif()
    install(FILES ${files} DESTINATION "${arg_DESTINATION}" ${component})
  endif()
endfunction()
