/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/track.h"
#include "plugins/cpu/check/queues/late.h"
#include "plugins/cpu/check/queues/results.h"
#include "plugins/cpu/check/view.h"
#include "plugins/cpu/queue/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = CHECK_TRACKS };

/* What the host knows. Marks share it until it changes. */
typedef struct knowledge {
    size_t references;
    check_stamp stamp;
} knowledge;

struct check_record {
    size_t references;
    bool passed, exported;
    check_stamp stamp; /* once it was passed */
};

struct check_mark {
    uint32_t what, track;
    knowledge *host; /* when it was submitted */
    check_record *record;
    check_result *result; /* NULL: none, or too many */
    check_guard *guards;  /* of what the operation uses; NULL: none */
    const void *place;
    uint64_t moment;             /* of views, when it was submitted */
    uint64_t late, submitted_ns; /* of an operation that begins late; 0: it does not */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const accel_impl_queue *queue; /* NULL: free */
    uint64_t number;               /* of the last operation; never reset */
    uint64_t submitted;            /* of the last operation that was submitted; the same, but while some are pending */
    check_stamp known;
    const void *place; /* of the last operation */
    uint64_t moment;
} tracks[CHECK_TRACKS];
static knowledge *host; /* NULL: nothing */
static size_t unknown;  /* marks for waits that are pending: the host may let the queues behind them go on */
static bool blind;      /* memory was short, and something was missed: all counts as ordered */

void check_tracks_lock(void)
{
    pthread_mutex_lock(&lock);
}

void check_tracks_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* --- under the lock --- */

static uint32_t track_of(const accel_impl_queue *queue)
{
    uint32_t at = 0;
    while (at < CHECK_TRACKS && tracks[at].queue != queue)
        ++at;
    return at;
}

static void join(check_stamp *to, const check_stamp *from)
{
    for (int i = 0; i < CHECK_TRACKS; ++i)
        if (to->reached[i] < from->reached[i])
            to->reached[i] = from->reached[i];
}

/* All that was executed so far. */
static void join_all(check_stamp *to)
{
    for (int i = 0; i < CHECK_TRACKS; ++i)
        to->reached[i] = tracks[i].number;
}

static void let_go(knowledge *old)
{
    if (old != NULL && --old->references == 0)
        free(old);
}

/* Then nothing is certain of the host, either. */
static void lose_sight(void)
{
    blind = true;
    check_guards_stop();
}

static void learn(const check_stamp *stamp)
{
    check_stamp more = {{0}};
    if (host != NULL)
        more = host->stamp;
    join(&more, stamp);
    if (host != NULL && memcmp(&more, &host->stamp, sizeof(more)) == 0)
        return;
    if (host == NULL || host->references != 1) {
        knowledge *made = malloc(sizeof(*made));
        if (made == NULL) {
            lose_sight();
            return;
        }
        made->references = 1;
        let_go(host);
        host = made;
    }
    host->stamp = more;
    check_guards_forget(&more);
}

static void learn_all(void)
{
    check_stamp all;
    join_all(&all);
    learn(&all);
}

static void release_record(check_record *record)
{
    if (record != NULL && --record->references == 0)
        free(record);
}

static void end_mark(check_mark *mark)
{
    unknown -= mark->what == CHECK_MARK_UNKNOWN;
    let_go(mark->host);
    release_record(mark->record);
    check_guards_execute(mark->guards, 0, 0); /* of an operation that is not executed, or that nobody can follow */
    free(mark);
}

/* Its queue has none: what it knows is anybody's guess. */
static void pass_untracked(const check_mark *mark)
{
    if (mark->what == CHECK_MARK_RECORD) {
        join_all(&mark->record->stamp);
        mark->record->passed = true;
    }
    if (mark->what == CHECK_MARK_RECORD || mark->what == CHECK_MARK_HOST)
        learn_all();
}

static void pass(check_mark *mark)
{
    check_stamp *known = &tracks[mark->track].known;
    if (mark->host != NULL)
        join(known, &mark->host->stamp);
    switch (mark->what) {
    case CHECK_MARK_OPERATION:
        known->reached[mark->track] = ++tracks[mark->track].number;
        tracks[mark->track].place = mark->place;
        check_guards_execute(mark->guards, mark->track, tracks[mark->track].number);
        mark->guards = NULL;
        tracks[mark->track].moment = mark->moment;
        if (mark->result != NULL)
            check_result_executed(mark->result, mark->track, tracks[mark->track].number);
        break;
    case CHECK_MARK_DONE:
        break;
    case CHECK_MARK_RECORD:
        mark->record->stamp = *known;
        mark->record->passed = true;
        if (mark->record->exported)
            learn(known);
        break;
    case CHECK_MARK_WAIT:
        if (mark->record->passed)
            join(known, &mark->record->stamp);
        else
            join_all(known);
        break;
    case CHECK_MARK_UNKNOWN:
        join_all(known);
        break;
    case CHECK_MARK_HOST:
        learn(known);
        break;
    case CHECK_MARK_RETURN:
        if (host != NULL)
            join(known, &host->stamp);
        break;
    default:
        tracks[mark->track].queue = NULL;
        break;
    }
}

/* --- with the lock free --- */

void check_track_open(accel_impl_queue *queue)
{
    check_tracks_lock();
    const uint32_t track = track_of(NULL);
    if (track != NONE) {
        const uint64_t number = tracks[track].number;
        tracks[track].queue = queue;
        tracks[track].known = (check_stamp){{0}};
        tracks[track].known.reached[track] = number;
        tracks[track].place = NULL;
    }
    check_tracks_unlock();
}

void check_track_close(accel_impl_queue *queue)
{
    check_tracks_lock();
    const uint32_t track = track_of(queue);
    if (track != NONE)
        tracks[track].queue = NULL;
    check_tracks_unlock();
}

bool check_track_now(const accel_impl_queue *queue, check_stamp *stamp, uint32_t *track, uint64_t *number,
                     const void **place, uint64_t *moment)
{
    check_tracks_lock();
    *track = track_of(queue);
    const bool known = *track != NONE && !blind;
    if (known) {
        *stamp = tracks[*track].known;
        *number = tracks[*track].number;
        *place = tracks[*track].place;
        *moment = tracks[*track].moment;
    }
    check_tracks_unlock();
    return known;
}

check_mark *check_mark_make(accel_impl_queue *queue, uint32_t what, check_record *record, const void *place)
{
    check_mark *made = malloc(sizeof(*made));
    check_tracks_lock();
    if (made == NULL)
        lose_sight();
    if (made != NULL) {
        *made = (check_mark){.what = what,
                             .track = track_of(queue),
                             .host = host,
                             .record = record,
                             .place = place,
                             .moment = check_view_moment()};
        made->late = what == CHECK_MARK_OPERATION && !queue->blocking ? check_late_submit() : 0;
        made->submitted_ns = made->late != 0 ? cpu_clock_ns() : 0;
        unknown += what == CHECK_MARK_UNKNOWN;
        if (what == CHECK_MARK_OPERATION && made->track != NONE)
            tracks[made->track].submitted++;
        if (host != NULL)
            host->references++;
        if (record != NULL)
            record->references++;
    }
    check_tracks_unlock();
    return made;
}

check_mark *check_mark_make_result(accel_impl_queue *queue, const void *place, size_t bytes)
{
    check_mark *made = check_mark_make(queue, CHECK_MARK_OPERATION, NULL, place);
    check_tracks_lock();
    if (host != NULL)
        check_results_forget(&host->stamp);
    if (made != NULL && made->track != NONE)
        made->result = check_result_add(place, bytes);
    check_tracks_unlock();
    return made;
}

void check_mark_guard(check_mark *mark, const check_use *use)
{
    check_tracks_lock();
    if (mark->track != NONE && !blind && unknown == 0)
        check_guard_add(use, &mark->guards);
    check_tracks_unlock();
}

void check_mark_drop(check_mark *mark)
{
    check_tracks_lock();
    lose_sight();
    if (mark->result != NULL)
        check_result_remove(mark->result);
    end_mark(mark);
    check_tracks_unlock();
}

/* With the lock. */
static void pass_and_end(check_mark *mark)
{
    if (mark->track != NONE)
        pass(mark);
    else
        pass_untracked(mark);
    end_mark(mark);
}

uint32_t check_mark_begin(const check_mark *mark)
{
    if (mark->late != 0)
        check_late_pass(mark->late, mark->submitted_ns);
    return mark->what;
}

void check_mark_pass(void *user, accel_status status)
{
    check_mark *mark = user;
    (void)status; /* also of operations that are skipped */
    check_mark_begin(mark);
    check_tracks_lock();
    pass_and_end(mark);
    check_tracks_unlock();
}

void check_mark_pass_watched(check_mark *mark, void (*changed)(const check_use *))
{
    check_tracks_lock();
    switch (mark->what) {
    case CHECK_MARK_OPERATION:
        check_guards_open();
        if (changed != NULL)
            check_guards_compare(mark->guards, changed);
        if (mark->guards != NULL || mark->track == NONE)
            check_guards_disturb(mark->guards);
        break;
    case CHECK_MARK_HOST:
        check_guards_call();
        break;
    case CHECK_MARK_DONE:
        check_guards_close();
        break;
    case CHECK_MARK_RETURN:
        check_guards_return();
        break;
    default:
        break;
    }
    pass_and_end(mark);
    check_tracks_unlock();
}

check_record *check_record_make(void)
{
    check_record *made = calloc(1, sizeof(*made));
    if (made != NULL) {
        made->references = 1;
        return made;
    }
    check_tracks_lock();
    lose_sight();
    check_tracks_unlock();
    return NULL;
}

check_record *check_record_retain(void *const *kept)
{
    check_tracks_lock();
    check_record *record = *kept;
    if (record != NULL)
        record->references++;
    check_tracks_unlock();
    return record;
}

void check_record_release(check_record *record)
{
    check_tracks_lock();
    release_record(record);
    check_tracks_unlock();
}

void check_record_exchange(void **kept, check_record *record)
{
    check_tracks_lock();
    release_record(*kept);
    *kept = record;
    check_tracks_unlock();
}

void check_record_export(check_record *record)
{
    check_tracks_lock();
    record->exported = true;
    if (record->passed)
        learn(&record->stamp);
    check_tracks_unlock();
}

void check_tracks_snapshot(check_stamp *known, check_stamp *submitted)
{
    *known = host != NULL ? host->stamp : (check_stamp){{0}};
    for (int i = 0; i < CHECK_TRACKS; ++i)
        submitted->reached[i] = tracks[i].submitted;
}

bool check_tracks_executed(const check_stamp *submitted)
{
    int at = 0;
    while (at < CHECK_TRACKS && tracks[at].number >= submitted->reached[at])
        ++at;
    return at == CHECK_TRACKS;
}

void check_host_misses(void (*call)(const void *place, size_t bytes))
{
    check_tracks_lock();
    if (host != NULL)
        check_results_forget(&host->stamp);
    check_results_each(blind ? NULL : call);
    check_tracks_unlock();
}

void check_host_learns_queue(accel_impl_queue *queue)
{
    check_tracks_lock();
    const uint32_t track = track_of(queue);
    if (track != NONE)
        learn(&tracks[track].known);
    else
        learn_all();
    check_tracks_unlock();
}

void check_host_learns_record(const check_record *record)
{
    check_tracks_lock();
    if (record->passed)
        learn(&record->stamp);
    else
        learn_all();
    check_tracks_unlock();
}
