/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdio.h>
#include <string.h>

bool report_goal_met(const bench_result *r)
{
    switch (r->goal) {
    case GOAL_AT_MOST:
        return r->ours.median <= r->goal_value;
    case GOAL_AT_LEAST:
        return r->ours.median >= r->goal_value;
    case GOAL_RATIO_AT_LEAST:
        return r->ratio >= r->goal_value;
    case GOAL_NONE:
        break;
    }
    return false;
}

/* Device names come from drivers. */
static void print_json_string(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

void report_begin(bench_report *report, const accel_device_properties *device)
{
    if (report->json) {
        printf("{\n  \"libaccel\": \"%d.%d.%d\",\n  \"device\": ", ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR,
               ACCEL_VERSION_PATCH);
        print_json_string(device->name);
        printf(",\n  \"description\": ");
        print_json_string(device->description);
        printf(",\n  \"architecture\": ");
        print_json_string(device->architecture);
        printf(",\n  \"results\": [");
        return;
    }
    printf("%s: %s, %s\n", device->name, device->description, device->architecture);
    printf("Medians, and the quartiles in brackets; ratio: our speed relative to the native way's.\n\n");
    printf("%-34s %-30s %-30s %6s  %s\n", "", "native", "libaccel", "ratio", "goal");
}

/* Three significant digits or the whole number. */
static void format_number(char *text, size_t size, double value)
{
    const int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    snprintf(text, size, "%.*f", digits, value);
}

static void format_spread(char *text, size_t size, const spread *s, const char *unit)
{
    char low[24], median[24], high[24];
    format_number(low, sizeof low, s->low);
    format_number(median, sizeof median, s->median);
    format_number(high, sizeof high, s->high);
    snprintf(text, size, "%s %s [%s %s]", median, unit, low, high);
}

static void format_goal(char *text, size_t size, const bench_result *r)
{
    const char *verdict = report_goal_met(r) ? "reached" : "MISSED";
    char value[24];
    format_number(value, sizeof value, r->goal_value);
    switch (r->goal) {
    case GOAL_AT_MOST:
        snprintf(text, size, "at most %s %s: %s", value, r->unit, verdict);
        break;
    case GOAL_AT_LEAST:
        snprintf(text, size, "at least %s %s: %s", value, r->unit, verdict);
        break;
    case GOAL_RATIO_AT_LEAST:
        snprintf(text, size, "ratio at least %s: %s", value, verdict);
        break;
    case GOAL_NONE:
        text[0] = '\0';
        break;
    }
}

static void print_row(const bench_result *r)
{
    char native[96] = "", ours[96], ratio[16] = "", goal[96];
    format_spread(ours, sizeof ours, &r->ours, r->unit);
    format_goal(goal, sizeof goal, r);
    if (r->has_native) {
        format_spread(native, sizeof native, &r->native, r->unit);
        snprintf(ratio, sizeof ratio, "%.2f", r->ratio);
    }
    printf("%-34s %-30s %-30s %6s  %s\n", r->name, native, ours, ratio, goal);
}

static void print_json_spread(const char *name, const spread *s)
{
    printf(", \"%s\": {\"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", name, s->median, s->low, s->high);
}

static void print_json_result(const bench_result *r, bool first)
{
    static const char *const kinds[] = {"none", "at_most", "at_least", "ratio_at_least"};
    printf("%s\n    {\"name\": ", first ? "" : ",");
    print_json_string(r->name);
    printf(", \"unit\": \"%s\"", r->unit);
    print_json_spread("libaccel", &r->ours);
    if (r->has_native) {
        print_json_spread("native", &r->native);
        printf(", \"ratio\": %.6g", r->ratio);
    }
    if (r->goal != GOAL_NONE)
        printf(", \"goal\": {\"kind\": \"%s\", \"value\": %g, \"reached\": %s}", kinds[r->goal], r->goal_value,
               report_goal_met(r) ? "true" : "false");
    printf("}");
}

void report_add(bench_report *report, const bench_result *result)
{
    if (report->json)
        print_json_result(result, report->count == 0);
    else
        print_row(result);
    fflush(stdout);
    report->count++;
    if (result->goal != GOAL_NONE) {
        report->goals++;
        report->reached += report_goal_met(result);
    }
}

void report_end(bench_report *report)
{
    if (report->json)
        printf("\n  ]\n}\n");
    else
        printf("\n%zu results, all validated; %zu of %zu goals reached\n", report->count, report->reached,
               report->goals);
}
