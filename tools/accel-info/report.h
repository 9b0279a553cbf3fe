/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of the report. Each writes itself as JSON where there is a writer, else as text. */
#ifndef ACCEL_INFO_REPORT_H
#define ACCEL_INFO_REPORT_H

#include "json.h"

#include <accel/accel.h>

typedef struct info_report {
    accel_instance *instance;
    info_json *json;     /* NULL: text */
    const char *library; /* only kernel objects of this library; NULL: all */
} info_report;

void report_backends(const info_report *);
void report_devices(const info_report *);
void report_topology(const info_report *);
/* Returns false after a message if the kernel path could not be searched. */
bool report_objects(const info_report *);
void report_config(const info_report *);

#endif
