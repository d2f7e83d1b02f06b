/* Jobs that a request queued are looked at once its answer is out. */
#include "api/api.h"
#include "app/queue.h"

void
wake_runner(struct req *r, void *arg)
{
	(void)arg;
	runner_wake(r->arena, r->set);
}
