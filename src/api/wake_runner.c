/* Wakes the job runner after the answer is sent, if the request queued jobs. */
#include "api/wake_runner.h"
#include "app/queue.h"
#include "http/req.h"

void
wake_runner(struct req *r, void *arg)
{
	(void)arg;
	runner_wake(r->arena, r->set);
}

int
job_room_or_fail(struct req *r)
{
	if (!job_many(r->db, r->who.user))
		return 0;
	return fail(r, E_TOO_MANY, "%d jobs that you asked for (imports, exports, files, specifications) wait or run; "
	    "try again when some are done", JOBS_WAITING);
}
