/* SPDX-License-Identifier: Apache-2.0 */
#include "report/plot.h"

#include <math.h>
#include <string.h>

plot_axis plot_axis_around(double least, double greatest, double from, double to)
{
    plot_axis axis = {pow(10, floor(log10(least))), pow(10, ceil(log10(greatest))), from, to};
    if (axis.high <= axis.low)
        axis.high = 10 * axis.low;
    return axis;
}

double plot_place(const plot_axis *axis, double value)
{
    const double part = log10(value / axis->low) / log10(axis->high / axis->low);
    return axis->from + part * (axis->to - axis->from);
}

void plot_text(FILE *file, const char *text)
{
    for (; *text != '\0'; ++text) {
        const char *const special = strchr("<>&\"", *text);
        if (special != NULL)
            fprintf(file, "&#%d;", *text);
        else if ((unsigned char)*text >= 0x20)
            fputc(*text, file);
    }
}

void plot_number(FILE *file, double value)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
    size_t u = 0;
    while (u < 3 && value < units[u].scale)
        ++u;
    fprintf(file, "%.3g%s", value / units[u].scale, units[u].unit);
}

/* --------------------------------------------------------------------------------------------- latency -- */

static bool is_latency(const bench_result *r)
{
    return r->measure == MEASURE_TIME && r->native_count != 0;
}

static void bar(FILE *file, const char *kind, const plot_axis *x, double y, const spread *s)
{
    const double end = plot_place(x, s->median), low = plot_place(x, s->low), high = plot_place(x, s->high);
    fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"11\"/>", kind, x->from, y,
            end - x->from);
    fprintf(file, "<path class=\"whisker\" d=\"M%.1f %.1fH%.1f\"/>", low, y + 5.5, high);
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">", (high > end ? high : end) + 5, y + 9.5);
    plot_number(file, s->median);
    fprintf(file, " ns</text>\n");
}

void plot_latency(FILE *file, const bench_report *report)
{
    enum { LEFT = 230, WIDTH = 900, ROW = 36, TOP = 24 };
    double least = INFINITY, greatest = 0;
    size_t rows = 0;
    for (size_t i = 0; i < report->count; ++i) {
        const bench_result *r = &report->results[i];
        if (!is_latency(r))
            continue;
        rows++;
        least = fmin(least, fmin(r->ours.low, r->natives[r->best].value.low));
        greatest = fmax(greatest, fmax(r->ours.high, r->natives[r->best].value.high));
    }
    if (rows == 0)
        return;
    const plot_axis x = plot_axis_around(least, greatest, LEFT, WIDTH - 90);
    const double height = TOP + ROW * (double)rows + 8;
    fprintf(file,
            "<figure><figcaption>Latency: nanoseconds per operation; less is better. Bars show medians, lines "
            "quartiles. Logarithmic.</figcaption>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"Latency\">\n",
            WIDTH, height);
    for (double tick = x.low; tick <= x.high * 1.01; tick *= 10) {
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %dV%.0f\"/><text class=\"middle\" x=\"%.1f\" y=\"14\">",
                plot_place(&x, tick), TOP - 4, height - 4, plot_place(&x, tick));
        plot_number(file, tick);
        fprintf(file, " ns</text>\n");
    }
    size_t row = 0;
    for (size_t i = 0; i < report->count; ++i) {
        const bench_result *r = &report->results[i];
        if (!is_latency(r))
            continue;
        const double y = TOP + ROW * (double)row++ + 5;
        fprintf(file, "<text class=\"end\" x=\"%d\" y=\"%.1f\">", LEFT - 10, y + 9.5);
        plot_text(file, r->name);
        fprintf(file, "</text><text class=\"end faint\" x=\"%d\" y=\"%.1f\">", LEFT - 10, y + 22.5);
        plot_text(file, r->natives[r->best].name);
        fprintf(file, "</text>");
        bar(file, "ours", &x, y, &r->ours);
        bar(file, "native", &x, y + 13, &r->natives[r->best].value);
    }
    fprintf(file, "</svg></figure>\n");
}

/* ------------------------------------------------------------------------------------------- bandwidth -- */

static bool belongs(const bench_result *r, const char *series)
{
    return r->series != NULL && strcmp(r->series, series) == 0;
}

static const spread *value_of(const bench_result *r, bool ours)
{
    return ours ? &r->ours : r->native_count != 0 ? &r->natives[r->best].value : NULL;
}

/* Medians joined by a line, quartiles as a band behind it. */
static void curve(FILE *file, const bench_report *report, const char *series, bool ours, const plot_axis *x,
                  const plot_axis *y)
{
    const char *kind = ours ? "ours" : "native";
    size_t points = 0;
    for (size_t i = 0; i < report->count; ++i) {
        const bench_result *r = &report->results[i];
        const spread *s = belongs(r, series) ? value_of(r, ours) : NULL;
        if (s == NULL)
            continue;
        if (points++ == 0)
            fprintf(file, "<path class=\"line %s\" d=\"M", kind);
        else
            fprintf(file, "L");
        fprintf(file, "%.1f %.1f", plot_place(x, r->size), plot_place(y, s->median));
    }
    if (points == 0)
        return;
    fprintf(file, "\"/>\n");
    for (size_t i = 0; i < report->count; ++i) {
        const bench_result *r = &report->results[i];
        const spread *s = belongs(r, series) ? value_of(r, ours) : NULL;
        if (s != NULL)
            fprintf(file,
                    "<path class=\"spread %s\" d=\"M%.1f %.1fV%.1f\"/><circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" "
                    "r=\"2.6\"/>\n",
                    kind, plot_place(x, r->size), plot_place(y, s->low), plot_place(y, s->high), kind,
                    plot_place(x, r->size), plot_place(y, s->median));
    }
}

typedef struct range {
    double least_size, greatest_size, least, greatest;
} range;

static void widen(range *all, const bench_result *r)
{
    all->least_size = fmin(all->least_size, r->size);
    all->greatest_size = fmax(all->greatest_size, r->size);
    for (int ours = 0; ours < 2; ++ours) {
        const spread *s = value_of(r, ours != 0);
        if (s != NULL) {
            all->least = fmin(all->least, s->low);
            all->greatest = fmax(all->greatest, s->high);
        }
    }
}

static void panel(FILE *file, const bench_report *report, const char *series, const range *all)
{
    enum { LEFT = 44, TOP = 24, WIDTH = 300, HEIGHT = 210, BOTTOM = 28 };
    const plot_axis x = plot_axis_around(all->least_size, all->greatest_size, LEFT, WIDTH - 18);
    const plot_axis y = plot_axis_around(all->least, all->greatest, HEIGHT - BOTTOM, TOP);
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Bandwidth of ", WIDTH, HEIGHT);
    plot_text(file, series);
    fprintf(file, "\">\n<text class=\"title\" x=\"%d\" y=\"15\">", LEFT);
    plot_text(file, series);
    fprintf(file, "</text>\n");
    for (double tick = x.low; tick <= x.high * 1.01; tick *= 10) {
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text class=\"middle\" x=\"%.1f\" y=\"%d\">",
                plot_place(&x, tick), TOP, HEIGHT - BOTTOM, plot_place(&x, tick), HEIGHT - BOTTOM + 14);
        plot_number(file, tick);
        fprintf(file, "B</text>\n");
    }
    for (double tick = y.low; tick <= y.high * 1.01; tick *= 10) {
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"end\" x=\"%d\" y=\"%.1f\">", LEFT,
                plot_place(&y, tick), WIDTH - 18, LEFT - 6, plot_place(&y, tick) + 4);
        plot_number(file, tick);
        fprintf(file, "</text>\n");
    }
    curve(file, report, series, false, &x, &y);
    curve(file, report, series, true, &x, &y);
    fprintf(file, "</svg>\n");
}

void plot_bandwidth(FILE *file, const bench_report *report)
{
    range all = {INFINITY, 0, INFINITY, 0};
    for (size_t i = 0; i < report->count; ++i)
        if (report->results[i].series != NULL)
            widen(&all, &report->results[i]);
    if (all.greatest <= 0)
        return;
    fprintf(file, "<figure><figcaption>Bandwidth: GB/s over the bytes that one operation reads and writes, launch and "
                  "wait included; more is better. Logarithmic.</figcaption>\n<div class=\"panels\">\n");
    for (size_t i = 0; i < report->count; ++i) {
        const char *series = report->results[i].series;
        bool seen = series == NULL;
        for (size_t k = 0; !seen && k < i; ++k)
            seen = belongs(&report->results[k], series);
        if (!seen)
            panel(file, report, series, &all);
    }
    fprintf(file, "</div></figure>\n");
}
