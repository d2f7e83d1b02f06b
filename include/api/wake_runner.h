/* Wakes the job runner after the answer is sent. Implemented in wake_runner.c. */
#ifndef OCTAVO_API_WAKE_RUNNER_H
#define OCTAVO_API_WAKE_RUNNER_H

#include "http/req.h"

/* Starts the job runner unless one is running. A handler that queues a job sets r->after to this function. */
void wake_runner(struct req *r, void *arg);

/* Checks that the user may queue one more job. 0 or fail(). */
int job_room_or_fail(struct req *r);

#endif
