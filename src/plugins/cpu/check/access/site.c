/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/access/site.h"

#include <stddef.h>

enum { PROBES = 16 };

const void *check_sites[CHECK_SITES];

unsigned check_site_find(const void *place)
{
    unsigned at = check_site_first(place);
    for (int i = 0; i < PROBES; ++i, at = (at + 1) & (CHECK_SITES - 1)) {
        if (check_sites[at] == place)
            return at;
        if (check_sites[at] == NULL && at != 0) {
            check_sites[at] = place;
            return at;
        }
    }
    return 0;
}
