/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"
#include "module.h"
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "sm_90a" is 90. */
static unsigned capability(const char *target)
{
    return strncmp(target, "sm_", 3) == 0 ? (unsigned)strtoul(target + 3, NULL, 10) : 0;
}

/* The newest PTX of a driver: 11.y has 7.y, 12.y 8.y, 13.y 9.y, but that 12.6 brought no new one. */
static unsigned newest_ptx(void)
{
    unsigned major = sim_settings_here.driver_version / 1000, minor = sim_settings_here.driver_version % 1000 / 10;
    return major < 5 ? 0 : (major - 4) * 10 + minor - (major == 12 && minor >= 6);
}

static sim_status check_ptx(const gpusim_object *object, char *log, size_t log_size)
{
    const char *here = sim_settings_here.architecture;
    if (object->ptx_version > newest_ptx()) {
        snprintf(log, log_size, "ptxas fatal: Unsupported .version %u.%u; current version is '%u.%u'",
                 object->ptx_version / 10, object->ptx_version % 10, newest_ptx() / 10, newest_ptx() % 10);
        return SIM_UNSUPPORTED_PTX_VERSION;
    }
    if (capability(object->target) > capability(here)) {
        snprintf(log, log_size,
                 "ptxas fatal: SM version specified by .target is higher than default SM version assumed");
        return SIM_INVALID_PTX;
    }
    return SIM_OK;
}

/* Machine code runs on the same major capability from its minor one on. */
static bool runs_cubin(const char *target, const char *here)
{
    unsigned wanted = capability(target), have = capability(here);
    return wanted != 0 && wanted / 10 == have / 10 && wanted % 10 <= have % 10;
}

/* "gfx11-generic" stands for gfx1100 and its kind; those of gfx9 are lists. */
static bool is_generic_of(const char *target, size_t length, const char *processor)
{
    static const struct {
        const char *generic, *processors;
    } list[] = {{"gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
                {"gfx9-4-generic", "gfx940 gfx941 gfx942 gfx950 "},
                {"gfx10-1-generic", "gfx1010 gfx1011 gfx1012 gfx1013 "},
                {"gfx10-3-generic", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
                {"gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
                {"gfx12-generic", "gfx1200 gfx1201 "}};
    char word[64];
    snprintf(word, sizeof word, "%.*s ", (int)strcspn(processor, ":"), processor);
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
        if (strlen(list[i].generic) == length && strncmp(list[i].generic, target, length) == 0)
            return strstr(list[i].processors, word) != NULL;
    return false;
}

/* The same processor, or its generic; every feature that the target names ("xnack-") as the device has it. */
static bool runs_hsaco(const char *target, const char *here)
{
    size_t length = strcspn(target, ":");
    if ((length != strcspn(here, ":") || strncmp(target, here, length) != 0) && !is_generic_of(target, length, here))
        return false;
    for (const char *feature = target + length; *feature == ':';) {
        size_t size = strcspn(feature + 1, ":") + 1;
        bool found = false;
        for (const char *at = strchr(here, ':'); at != NULL && !found; at = strchr(at + 1, ':'))
            found = strncmp(at, feature, size) == 0 && (at[size] == ':' || at[size] == '\0');
        if (!found)
            return false;
        feature += size;
    }
    return true;
}

sim_status sim_target_check(const gpusim_object *object, unsigned forms, char *log, size_t log_size)
{
    const char *here = sim_settings_here.architecture;
    unsigned form = object->form == GPUSIM_HSACO ? SIM_FORM_AMD : SIM_FORM_NVIDIA;
    if ((forms & form) == 0)
        return SIM_INVALID_IMAGE;
    if (object->form == GPUSIM_PTX)
        return check_ptx(object, log, log_size);
    bool runs = object->form == GPUSIM_CUBIN ? runs_cubin(object->target, here) : runs_hsaco(object->target, here);
    return runs ? SIM_OK : SIM_NO_BINARY_FOR_GPU;
}
