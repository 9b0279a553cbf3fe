/* SPDX-License-Identifier: Apache-2.0 */
/* One page that needs nothing else: no scripts, no fonts, no images from elsewhere. Well-formed XML, too. */
#include "report/plot.h"

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
    "<head><meta charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width\"/>\n"
    "<style>\n"
    "body { font: 15px/1.5 system-ui, sans-serif; color: #1b2430; background: #fff; max-width: 960px; margin: 2em "
    "auto; "
    "padding: 0 1em; }\n"
    "h1 { font-size: 1.6em; margin: 0; } h2 { font-size: 1.15em; margin: 2em 0 .3em; }\n"
    "p { margin: .4em 0; } .faint { color: #5b6675; }\n"
    "figure { margin: 1.5em 0; } figcaption { color: #5b6675; margin-bottom: .5em; }\n"
    "svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: #1b2430; }\n"
    "svg .title { font-weight: 600; font-size: 13px; } svg .faint { fill: #5b6675; }\n"
    "svg .end { text-anchor: end; } svg .middle { text-anchor: middle; fill: #5b6675; }\n"
    ".grid { stroke: #e3e7ec; fill: none; } .whisker { stroke: #1b2430; fill: none; } .leader { stroke: #c3cad3; fill: "
    "none; }\n"
    ".ours { fill: #1f6feb; stroke: none; } .native { fill: #e08a1e; stroke: none; }\n"
    ".line { fill: none; stroke-width: 2; } .line.ours, .spread.ours { stroke: #1f6feb; fill: none; }\n"
    ".line.native, .spread.native { stroke: #e08a1e; fill: none; } .line.native { stroke-dasharray: 5 3; }\n"
    ".line.roof { stroke: #8a94a3; }\n"
    ".panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 12px; }\n"
    ".key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin: 0 .3em 0 1em; }\n"
    ".key.ours { background: #1f6feb; margin-left: 0; } .key.native { background: #e08a1e; }\n"
    "table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }\n"
    "th, td { text-align: left; padding: .25em .6em .25em 0; border-bottom: 1px solid #e3e7ec; vertical-align: top; }\n"
    "th { color: #5b6675; font-weight: 600; } td.number { white-space: nowrap; }\n"
    ".reached { color: #116b33; } .missed { color: #b3261e; font-weight: 600; }\n"
    "</style>\n";

static void number_cell(FILE *file, const spread *s, const char *unit, const char *name)
{
    fprintf(file, "<td class=\"number\">%.4g %s<br/><span class=\"faint\">%.4g to %.4g", s->median, unit, s->low,
            s->high);
    if (name != NULL) {
        fprintf(file, ", ");
        plot_text(file, name);
    }
    fprintf(file, "</span></td>");
}

static void goal_cell(FILE *file, const bench_result *r)
{
    if (r->goal == GOAL_NONE) {
        fprintf(file, "<td></td>");
        return;
    }
    const bool most =
        r->goal == GOAL_AT_MOST || r->goal == GOAL_MORE || (r->goal == GOAL_RATIO && report_less_is_better(r->measure));
    const bool met = report_goal_met(r);
    fprintf(file, "<td>%sat %s %g%s%s%s <span class=\"%s\">%s</span></td>", r->goal == GOAL_RATIO ? "ratio " : "",
            most ? "most" : "least", r->goal_value, r->goal == GOAL_RATIO ? "" : " ",
            r->goal == GOAL_RATIO ? "" : report_unit(r->measure), r->goal == GOAL_MORE ? " more" : "",
            met ? "reached" : "missed", met ? "reached" : "missed");
}

static void table(FILE *file, const bench_report *report)
{
    fprintf(file,
            "<h2>All results</h2>\n<p class=\"faint\">Medians, with quartiles below them. Ratio: libaccel to "
            "the best native way, round by round: of times in rows of nanoseconds, of rates in all others. Signal: "
            "one signal there and back between two threads, beside the row, in ns.</p>\n"
            "<table><thead><tr><th>case</th><th>libaccel</th><th>native</th><th>ratio</th><th>signal</th>"
            "<th>goal</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < report->count; ++i) {
        const bench_result *r = &report->results[i];
        fprintf(file, "<tr><td>");
        plot_text(file, r->name);
        fprintf(file, "</td>");
        number_cell(file, &r->ours, report_unit(r->measure), NULL);
        if (r->native_count != 0) {
            number_cell(file, &r->natives[r->best].value, report_unit(r->measure), r->natives[r->best].name);
            number_cell(file, &r->ratio, "", NULL);
        } else {
            fprintf(file, "<td></td><td></td>");
        }
        if (r->signal > 0)
            fprintf(file, "<td class=\"number\">%.0f</td>", r->signal);
        else
            fprintf(file, "<td></td>");
        goal_cell(file, r);
        fprintf(file, "</tr>\n");
    }
    fprintf(file, "</tbody></table>\n");
}

bool report_write_html(const bench_report *report, FILE *file)
{
    const accel_device_properties *device = &report->device;
    fprintf(file, "%s<title>accel-bench: ", head);
    plot_text(file, device->name);
    fprintf(file, "</title></head>\n<body>\n<h1>accel-bench: ");
    plot_text(file, device->name);
    fprintf(file, "</h1>\n<p>");
    plot_text(file, device->description);
    fprintf(file, ", ");
    plot_text(file, device->architecture);
    fprintf(file, ", %u compute units; libaccel %d.%d.%d.", device->compute_units, ACCEL_VERSION_MAJOR,
            ACCEL_VERSION_MINOR, ACCEL_VERSION_PATCH);
    if (report->simulated)
        fprintf(file, " <strong>A simulated device: the times mean nothing.</strong>");
    else if (report->quick)
        fprintf(file,
                " <strong>A quick run: small sizes and few samples show that everything works, not how fast.</strong>");
    if (report->itself)
        fprintf(file, " <strong>The best native way, opened twice, stands in libaccel's place: what differs is "
                      "noise.</strong>");
    if (report->signal > 0)
        fprintf(file, " One signal there and back between two threads took %.0f ns.", report->signal);
    fprintf(file, " %zu results, all validated; ", report->count);
    if (report_judges(report))
        fprintf(file, "%zu of %zu goals reached", report->reached, report->goals);
    else
        fprintf(file, "no goal was judged");
    fprintf(file, ".</p>\n<p><span class=\"key ours\"></span>libaccel<span class=\"key native\"></span>the best native "
                  "way, in the same run, in turns</p>\n");
    plot_latency(file, report);
    plot_bandwidth(file, report);
    plot_roofline(file, report);
    table(file, report);
    fprintf(file, "</body>\n</html>\n");
    return ferror(file) == 0;
}
