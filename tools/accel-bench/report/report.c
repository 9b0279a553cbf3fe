/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_json.h"

const char *report_unit(enum bench_measure measure)
{
    static const char *const units[] = {"ns", "GB/s", "GFLOP/s", "G/s", "KiB"};
    return units[measure];
}

bool report_less_is_better(enum bench_measure measure)
{
    return measure == MEASURE_TIME || measure == MEASURE_MEMORY;
}

bool report_judges(const bench_report *report)
{
    return !report->simulated && !report->quick;
}

bool report_goal_met(const bench_result *r)
{
    switch (r->goal) {
    case GOAL_AT_MOST:
        return r->ours.median <= r->goal_value;
    case GOAL_AT_LEAST:
        return r->ours.median >= r->goal_value;
    case GOAL_RATIO:
        return report_less_is_better(r->measure) ? r->ratio.median <= r->goal_value : r->ratio.median >= r->goal_value;
    case GOAL_MORE:
        return r->ours.median - r->natives[r->best].value.median <= r->goal_value;
    case GOAL_NONE:
        break;
    }
    return false;
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
        snprintf(text, size, "at most %s %s: %s", value, report_unit(r->measure), verdict);
        break;
    case GOAL_AT_LEAST:
        snprintf(text, size, "at least %s %s: %s", value, report_unit(r->measure), verdict);
        break;
    case GOAL_RATIO:
        snprintf(text, size, "ratio at %s %s: %s", report_less_is_better(r->measure) ? "most" : "least", value,
                 verdict);
        break;
    case GOAL_MORE:
        snprintf(text, size, "at most %s %s more: %s", value, report_unit(r->measure), verdict);
        break;
    case GOAL_NONE:
        text[0] = '\0';
        break;
    }
}

/* The floor and the roofs, as far as they are known. */
static void print_machine(const bench_report *report)
{
    const bool signal = report->signal > 0, roof = report->roof.bandwidth > 0;
    if (signal)
        printf("One signal there and back between two threads: %.0f ns%s", report->signal, roof ? "; " : "\n");
    if (roof)
        printf("%s triad %.1f GB/s, multiply-and-add %.0f GFLOP/s\n", signal ? "native" : "Native",
               report->roof.bandwidth, report->roof.flops);
}

static void print_head(const bench_report *report)
{
    const accel_device_properties *device = &report->device;
    printf("%s: %s, %s\n", device->name, device->description, device->architecture);
    if (report->simulated)
        printf("SIMULATED DEVICE: this shows that everything works; the times mean nothing, and no goal is "
               "judged.\n");
    else if (report->quick)
        printf("QUICK: small sizes and few samples show that everything works, not how fast; no goal is judged.\n");
    if (report->itself)
        printf("ITSELF: the best native way, opened twice, stands in libaccel's place: what differs is noise.\n");
    print_machine(report);
    const char *ours = report->itself ? "itself" : "libaccel";
    printf("Medians, with quartiles in brackets. Ratio: %s to the best native way; of times for rows in ns, of rates "
           "for all others.\n\n",
           ours);
    printf("%-36s %-27s %-40s %-18s %6s  %s\n", "", ours, "native", "ratio", "signal", "goal");
}

static void print_row(const bench_result *r)
{
    char native[128] = "", ours[96], ratio[64] = "", signal[24] = "", goal[96], value[96];
    format_spread(ours, sizeof ours, &r->ours, report_unit(r->measure));
    format_goal(goal, sizeof goal, r);
    if (r->native_count != 0) {
        const bench_native_result *best = &r->natives[r->best];
        format_spread(value, sizeof value, &best->value, report_unit(r->measure));
        snprintf(native, sizeof native, "%s %s", best->name, value);
        snprintf(ratio, sizeof ratio, "%.2f [%.2f %.2f]", r->ratio.median, r->ratio.low, r->ratio.high);
    }
    if (r->signal > 0)
        snprintf(signal, sizeof signal, "%.0f", r->signal);
    printf("%-36s %-27s %-40s %-18s %6s  %s\n", r->name, ours, native, ratio, signal, goal);
}

static bool flush_output(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return true;
    fprintf(stderr, "accel-bench: standard output: %s\n", strerror(errno));
    return false;
}

bool report_open(bench_report *report)
{
    if (report->html == NULL)
        return true;
    report->page = fopen(report->html, "we");
    if (report->page == NULL)
        fprintf(stderr,
                "accel-bench: --html: \"%s\" cannot be written: %s; name a file in a directory that exists and is open "
                "to you\n",
                report->html, strerror(errno));
    return report->page != NULL;
}

bool report_begin(bench_report *report)
{
    if (report->json)
        report_json_begin(report);
    else
        print_head(report);
    return flush_output();
}

bool report_add(bench_report *report, const bench_result *result)
{
    if (report->count == report->capacity) {
        const size_t capacity = report->capacity != 0 ? 2 * report->capacity : 64;
        bench_result *grown = realloc(report->results, capacity * sizeof *grown);
        if (grown == NULL) {
            fprintf(stderr, "accel-bench: no memory for %zu results\n", capacity);
            return false;
        }
        report->results = grown;
        report->capacity = capacity;
    }
    if (report->json)
        report_json_add(result, report->count == 0);
    else
        print_row(result);
    fflush(stdout);
    report->results[report->count++] = *result;
    if (result->goal != GOAL_NONE) {
        report->goals++;
        report->reached += report_goal_met(result);
    }
    return true;
}

static bool write_page(bench_report *report)
{
    bool good = report_write_html(report, report->page);
    good = fclose(report->page) == 0 && good;
    report->page = NULL;
    if (!good)
        fprintf(stderr, "accel-bench: --html: \"%s\" cannot be written: %s\n", report->html, strerror(errno));
    return good;
}

bool report_end(bench_report *report)
{
    if (report->json)
        report_json_end();
    else if (report_judges(report))
        printf("\n%zu results, all validated; %zu of %zu goals reached\n", report->count, report->reached,
               report->goals);
    else
        printf("\n%zu results, all validated; no goal was judged\n", report->count);
    const bool good = flush_output();
    return (report->page == NULL || write_page(report)) && good;
}

void report_free(bench_report *report)
{
    if (report->page != NULL)
        fclose(report->page);
    free(report->results);
}
