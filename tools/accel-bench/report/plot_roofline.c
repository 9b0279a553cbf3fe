/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "report/plot.h"

enum { LEFT = 60, TOP = 16, WIDTH = 900, HEIGHT = 430, BOTTOM = 40, RIGHT = 210, MOST_POINTS = 48, LINE = 14 };

typedef struct point {
    const bench_result *result;
    double intensity, flops;
    double label; /* y of its text */
} point;

/* A series appears with its largest size only. */
static bool is_superseded(const bench_report *report, size_t i)
{
    const bench_result *r = &report->results[i];
    for (size_t k = i + 1; r->series != NULL && k < report->count; ++k) {
        const bench_result *later = &report->results[k];
        if (later->series != NULL && strcmp(later->series, r->series) == 0 && later->size > r->size)
            return true;
    }
    return false;
}

static size_t collect(const bench_report *report, point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count && count < MOST_POINTS; ++i) {
        const bench_result *r = &report->results[i];
        if (r->bytes > 0 && r->flops > 0 && !is_superseded(report, i))
            points[count++] =
                (point){.result = r, .intensity = r->flops / r->bytes, .flops = r->flops / r->nanoseconds};
    }
    return count;
}

/* Labels stand in a column on the right, in the points' order from above, a line apart at least. */
static void place_labels(point *points, size_t count, const plot_axis *y)
{
    for (size_t i = 1; i < count; ++i)
        for (size_t k = i; k > 0 && points[k].flops > points[k - 1].flops; --k) {
            const point moved = points[k];
            points[k] = points[k - 1];
            points[k - 1] = moved;
        }
    for (size_t i = 0; i < count; ++i) {
        const double own = plot_place(y, points[i].flops), least = i == 0 ? TOP + 8 : points[i - 1].label + LINE;
        points[i].label = own > least ? own : least;
    }
    double most = HEIGHT - BOTTOM;
    for (size_t i = count; i > 0 && points[i - 1].label > most; --i, most -= LINE)
        points[i - 1].label = most;
}

static void draw_axes(FILE *file, const plot_axis *x, const plot_axis *y)
{
    for (double tick = x->low; tick <= x->high * 1.01; tick *= 10) {
        fprintf(file, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text class=\"middle\" x=\"%.1f\" y=\"%d\">",
                plot_place(x, tick), TOP, HEIGHT - BOTTOM, plot_place(x, tick), HEIGHT - BOTTOM + 16);
        plot_number(file, tick);
        fprintf(file, "</text>\n");
    }
    for (double tick = y->low; tick <= y->high * 1.01; tick *= 10) {
        fprintf(file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"end\" x=\"%d\" y=\"%.1f\">", LEFT,
                plot_place(y, tick), WIDTH - RIGHT, LEFT - 8, plot_place(y, tick) + 4);
        plot_number(file, tick);
        fprintf(file, "</text>\n");
    }
    fprintf(file, "<text class=\"middle\" x=\"%d\" y=\"%d\">operations per byte</text>\n", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 6);
    fprintf(file, "<text class=\"middle\" transform=\"translate(14 %d) rotate(-90)\">GFLOP/s</text>\n", HEIGHT / 2);
}

static void draw_roof(FILE *file, const bench_roof *roof, const plot_axis *x, const plot_axis *y)
{
    const double ridge = roof->flops / roof->bandwidth;
    const double start = fmax(x->low, y->low / roof->bandwidth);
    fprintf(file, "<path class=\"line roof\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n", plot_place(x, start),
            plot_place(y, start * roof->bandwidth), plot_place(x, ridge), plot_place(y, roof->flops),
            plot_place(x, x->high));
    fprintf(file, "<text class=\"end faint\" x=\"%.1f\" y=\"%.1f\">native multiply-and-add, %.0f GFLOP/s</text>\n",
            plot_place(x, x->high) - 4, plot_place(y, roof->flops) - 5, roof->flops);
    fprintf(file, "<text class=\"end faint\" x=\"%.1f\" y=\"%.1f\">native triad, %.1f GB/s</text>\n",
            plot_place(x, sqrt(start * ridge)) - 8, plot_place(y, sqrt(start * ridge) * roof->bandwidth) - 6,
            roof->bandwidth);
}

static void draw_point(FILE *file, const point *p, const plot_axis *x, const plot_axis *y)
{
    const double px = plot_place(x, p->intensity), py = plot_place(y, p->flops);
    const bench_result *r = p->result;
    if (r->native_count != 0) {
        const double native = r->measure == MEASURE_TIME ? r->nanoseconds / r->natives[r->best].value.median
                                                         : r->natives[r->best].value.median / r->ours.median;
        const double ny = plot_place(y, fmin(fmax(p->flops * native, y->low), y->high));
        fprintf(file, "<circle class=\"native\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", px, ny);
    }
    fprintf(file,
            "<path class=\"leader\" d=\"M%.1f %.1fL%d %.1fH%d\"/><circle class=\"ours\" cx=\"%.1f\" cy=\"%.1f\" "
            "r=\"4\"/>",
            px, py, WIDTH - RIGHT + 4, p->label - 4, WIDTH - RIGHT + 10, px, py);
    fprintf(file, "<text x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT + 14, p->label);
    plot_text(file, r->name);
    fprintf(file, "</text>\n");
}

void plot_roofline(FILE *file, const bench_report *report)
{
    point points[MOST_POINTS];
    const size_t count = collect(report, points);
    if (count == 0 || report->roof.bandwidth <= 0)
        return;
    double least_x = report->roof.flops / report->roof.bandwidth, greatest_x = least_x;
    double least_y = report->roof.flops, greatest_y = least_y;
    for (size_t i = 0; i < count; ++i) {
        least_x = fmin(least_x, points[i].intensity);
        greatest_x = fmax(greatest_x, points[i].intensity);
        least_y = fmin(least_y, points[i].flops);
        greatest_y = fmax(greatest_y, points[i].flops);
    }
    const plot_axis x = plot_axis_around(least_x, greatest_x * 1.01, LEFT, WIDTH - RIGHT);
    const plot_axis y = plot_axis_around(least_y, greatest_y * 1.01, HEIGHT - BOTTOM, TOP);
    place_labels(points, count, &y);
    fprintf(
        file,
        "<figure><figcaption>Roofline: each array of a kernel counts once. Rows whose data fits the caches lie above "
        "the roof of memory bandwidth. Logarithmic.</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" "
        "aria-label=\"Roofline\">\n",
        WIDTH, HEIGHT);
    draw_axes(file, &x, &y);
    draw_roof(file, &report->roof, &x, &y);
    for (size_t i = 0; i < count; ++i)
        draw_point(file, &points[i], &x, &y);
    fprintf(file, "</svg></figure>\n");
}
