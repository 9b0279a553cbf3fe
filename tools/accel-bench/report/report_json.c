/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_json.h"
#include "text/json.h"

#include <stdio.h>
#include <string.h>

/* Device names come from drivers. */
static void print_string(const char *text)
{
    char character[JSON_CHARACTER];
    putchar('"');
    for (const char *end = text + strlen(text); text != end; fputs(character, stdout))
        text += json_character(text, (size_t)(end - text), character);
    putchar('"');
}

static void print_spread(const char *name, const spread *s)
{
    printf(", \"%s\": {\"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", name, s->median, s->low, s->high);
}

void report_json_begin(const bench_report *report)
{
    const accel_device_properties *device = &report->device;
    printf("{\n  \"format\": 2,\n  \"libaccel\": \"%d.%d.%d\",\n  \"device\": ", ACCEL_VERSION_MAJOR,
           ACCEL_VERSION_MINOR, ACCEL_VERSION_PATCH);
    print_string(device->name);
    printf(",\n  \"description\": ");
    print_string(device->description);
    printf(",\n  \"architecture\": ");
    print_string(device->architecture);
    printf(",\n  \"compute_units\": %u", device->compute_units);
    if (report->simulated)
        printf(",\n  \"simulated\": true");
    if (report->quick)
        printf(",\n  \"quick\": true");
    if (report->itself)
        printf(",\n  \"itself\": true");
    if (report->signal > 0)
        printf(",\n  \"signal_ns\": %.6g", report->signal);
    if (report->roof.bandwidth > 0)
        printf(",\n  \"native_bandwidth\": %.6g,\n  \"native_flops\": %.6g", report->roof.bandwidth,
               report->roof.flops);
    printf(",\n  \"results\": [");
}

static void print_natives(const bench_result *r)
{
    printf(", \"native\": [");
    for (size_t i = 0; i < r->native_count; ++i) {
        const spread *s = &r->natives[i].value;
        printf("%s{\"name\": ", i == 0 ? "" : ", ");
        print_string(r->natives[i].name);
        printf(", \"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", s->median, s->low, s->high);
    }
    printf("]");
    if (r->native_count == 0)
        return;
    printf(", \"ratio\": {\"to\": ");
    print_string(r->natives[r->best].name);
    printf(", \"of\": \"%s\", \"of_medians\": %.6g, \"median\": %.6g, \"low\": %.6g, \"high\": %.6g}",
           r->measure == MEASURE_TIME     ? "times"
           : r->measure == MEASURE_MEMORY ? "sizes"
                                          : "rates",
           r->ratio_of_medians, r->ratio.median, r->ratio.low, r->ratio.high);
}

void report_json_add(const bench_result *r, bool first)
{
    static const char *const kinds[] = {"none", "at_most", "at_least", "ratio", "more_at_most"};
    printf("%s\n    {\"case\": \"%s\", \"name\": ", first ? "" : ",", r->case_name);
    print_string(r->name);
    printf(", \"unit\": \"%s\", \"rounds\": %zu", report_unit(r->measure), r->rounds);
    print_spread("libaccel", &r->ours);
    print_natives(r);
    if (r->signal > 0)
        printf(", \"signal_ns\": %.6g", r->signal);
    if (r->bytes > 0)
        printf(", \"bytes\": %.17g", r->bytes);
    if (r->flops > 0)
        printf(", \"flops\": %.17g", r->flops);
    if (r->series != NULL)
        printf(", \"series\": \"%s\", \"size\": %.17g", r->series, r->size);
    if (r->goal != GOAL_NONE) {
        const char *kind = r->goal == GOAL_RATIO
                               ? (report_less_is_better(r->measure) ? "ratio_at_most" : "ratio_at_least")
                               : kinds[r->goal];
        printf(", \"goal\": {\"kind\": \"%s\", \"value\": %g, \"reached\": %s}", kind, r->goal_value,
               report_goal_met(r) ? "true" : "false");
    }
    printf("}");
}

void report_json_end(void)
{
    printf("\n  ]\n}\n");
}
