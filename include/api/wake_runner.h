/* Jobs that a request queued are looked at once its answer is out. What other files need of wake_runner.c. */
#ifndef OCTAVO_API_WAKE_RUNNER_H
#define OCTAVO_API_WAKE_RUNNER_H

#include "http/req.h"

/* For r->after of whoever queues a job: starts the job runner where none is at work. (wake_runner.c) */
void wake_runner(struct req *r, void *arg);

/* May the user have one more job? 0 or fail(). */
int job_room_or_fail(struct req *r);

#endif
