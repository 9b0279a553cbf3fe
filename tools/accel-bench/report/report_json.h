/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one JSON object; docs/accel-bench.md describes it. */
#ifndef BENCH_REPORT_JSON_H
#define BENCH_REPORT_JSON_H

#include "report/report.h"

void report_json_begin(const bench_report *);
void report_json_add(const bench_result *, bool first);
void report_json_end(void);

#endif
