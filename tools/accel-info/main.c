/* SPDX-License-Identifier: Apache-2.0 */
/* accel-info - shows what libaccel finds on this machine, and why. */
#include "report.h"
#include "../words.h"

#include <accel/accel.h>

#include <errno.h>
#include <string.h>

enum { SECTION_BACKENDS = 1, SECTION_DEVICES = 2, SECTION_TOPOLOGY = 4, SECTION_OBJECTS = 8, SECTION_CONFIG = 16 };

static const struct {
    const char *option;
    unsigned section;
} sections[] = {
    {"--backends", SECTION_BACKENDS}, {"--devices", SECTION_DEVICES}, {"--topology", SECTION_TOPOLOGY},
    {"--objects", SECTION_OBJECTS},   {"--config", SECTION_CONFIG},
};

typedef struct info_options {
    unsigned sections;
    bool json, help, version;
    const char *library;
} info_options;

static const char usage[] =
    "Usage: accel-info [OPTION]...\n"
    "\n"
    "Shows what libaccel finds on this machine, and why. Without an option it shows every section.\n"
    "\n"
    "  --backends       backends: state and reason\n"
    "  --devices        devices: every property\n"
    "  --topology       the machine, and the place of each device in it\n"
    "  --objects        kernel objects on the kernel path and libaccel's own, and which one each device takes\n"
    "  --config         the ACCEL_ variables: value, source, meaning; also unknown ones\n"
    "  --library NAME   --objects, and of them only those of this library; there must be one\n"
    "  --json           the same as JSON\n"
    "  --version, --help\n"
    "\n"
    "A value may also follow an equals sign: --library=NAME.\n"
    "Exit status: 0 a backend can be used; 1 none can, the library has no object, or the report failed; 2 wrong usage.\n";

static bool parse_section(const char *word, info_options *self)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
        if (strcmp(word, sections[i].option) == 0) {
            self->sections |= sections[i].section;
            return true;
        }
    }
    return false;
}

static bool parse(int count, char *arguments[], info_options *self)
{
    for (words line = {arguments, count, 1}; line.next < line.count; ++line.next) {
        const char *word = arguments[line.next], *library;
        bool missing = false;
        if (parse_section(word, self))
            continue;
        if (strcmp(word, "--json") == 0) {
            self->json = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            self->help = true;
        } else if (strcmp(word, "--version") == 0) {
            self->version = true;
        } else if ((library = words_value(&line, "--library", &missing)) != NULL) {
            self->library = library;
        } else {
            fprintf(stderr, "accel-info: %s \"%s\"; accel-info --help lists the options\n",
                    missing ? "a name is missing after" : "unknown option", word);
            return false;
        }
    }
    if (self->library != NULL)
        self->sections |= SECTION_OBJECTS;
    if (self->sections == 0)
        self->sections = ~0u;
    return true;
}

static void write_version(info_json *json)
{
    uint32_t number = accel_version();
    char version[32];
    snprintf(version, sizeof version, "%u.%u.%u", number >> 16, number >> 8 & 0xff, number & 0xff);
    if (json != NULL)
        json_string(json, "version", version);
    else
        printf("libaccel %s\n", version);
}

static bool write_sections(const info_options *options, const info_report *report)
{
    bool good = true;
    if ((options->sections & SECTION_BACKENDS) != 0)
        report_backends(report);
    if ((options->sections & SECTION_DEVICES) != 0)
        report_devices(report);
    if ((options->sections & SECTION_TOPOLOGY) != 0)
        report_topology(report);
    if ((options->sections & SECTION_OBJECTS) != 0)
        good = report_objects(report);
    if ((options->sections & SECTION_CONFIG) != 0)
        report_config(report);
    return good;
}

static void write_failure(info_json *json, accel_status status)
{
    if (json != NULL) {
        json_open_object(json, "error");
        json_string(json, "status", accel_status_name(status));
        json_string(json, "message", accel_error_message());
        json_close_object(json);
    }
    fprintf(stderr, "accel-info: %s\n", accel_error_message());
}

static bool write_report(const info_options *options, info_json *json)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    info_report report = {NULL, json, options->library};
    desc.flags = ACCEL_INSTANCE_ALLOW_EMPTY;
    accel_status status = accel_instance_create(&desc, &report.instance);
    write_version(json);
    if (status != ACCEL_OK) {
        write_failure(json, status);
        return false;
    }
    bool good = write_sections(options, &report);
    if (accel_instance_device_count(report.instance) == 0) {
        fprintf(stderr, "accel-info: no backend can be used; accel-info --backends has the reasons\n");
        good = false;
    }
    accel_instance_release(report.instance);
    return good;
}

int main(int count, char *arguments[])
{
    info_options options = {0};
    info_json json = {stdout, 0, true};
    bool good = true;
    if (!parse(count, arguments, &options))
        return 2;
    if (options.help) {
        fputs(usage, stdout);
    } else if (options.version) {
        write_version(NULL);
    } else if (options.json) {
        json_open_object(&json, NULL);
        good = write_report(&options, &json);
        json_close_object(&json);
    } else {
        good = write_report(&options, NULL);
    }
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        fprintf(stderr, "accel-info: standard output: %s\n", strerror(errno));
        good = false;
    }
    return good ? 0 : 1;
}
