/* Lowers and restores the priority of this process. Contract: base/priority.h. */
#include <stddef.h>
#include <sys/resource.h>

#include "base/priority.h"

/* RLIMIT_NICE counts from 1 to 40: a limit of 20 allows 0 (getrlimit(2)). */
enum { NICE_ZERO = 20 };

static int usual, lower;   /* nice outside of heavy work, and during it */
static bool lowered;

static bool
set_nice(int n)
{
	return setpriority(PRIO_PROCESS, 0, n) == 0;
}

/* True if the process may set this nice value again. CAP_SYS_NICE would even allow a lower one. */
static bool
may_return(int n)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NICE, &r) == 0 && (r.rlim_cur == RLIM_INFINITY || (long)r.rlim_cur >= NICE_ZERO - n))
		return true;
	return set_nice(n - 1) && set_nice(n);
}

bool
priority_lower(int by)
{
	int now = getpriority(PRIO_PROCESS, 0);

	if (lowered)
		return true;
	if (!may_return(now))
		return false;
	usual = now;
	lower = now + by;
	lowered = set_nice(lower);
	return lowered;
}

void
priority_restore(void)
{
	if (lowered)
		set_nice(usual);
	lowered = false;
}

void
priority_lock(void)
{
	if (lowered)
		set_nice(usual);
}

void
priority_unlock(void)
{
	if (lowered)
		set_nice(lower);
}
