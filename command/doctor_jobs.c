/* octavo doctor: the job runner. Contract: doctor.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/pdf_request.h"
#include "db/db.h"
#include "doctor.h"
#include "cmd_data.h"
#include "command/service.h"

/*
 * LATE_MS: delay that is normal if cron starts a runner each minute. CRON_MS: three such minutes;
 * after this time without a runner, cron counts as inactive.
 */
enum { LATE_MS = 60000, CRON_MS = 180000 };

SQL(q_late, "SELECT count(*) FROM job WHERE state = 'queued' AND run_at < :before");
SQL(q_failed, "SELECT count(*) FROM job WHERE state IN ('failed', 'timeout') AND ended_at > :after");
SQL(q_future, "SELECT count(*) FROM job WHERE created_at > :after /*scan*/");

/* How jobs are run: not at all, by an active runner, or by runners that cron starts. */
enum runner { RUNNER_NONE, RUNNER_AT_WORK, RUNNER_COMES };

/*
 * If the lock can be taken it is released at once: a runner that starts at this moment exits, and
 * the next one works. A runner writes its kind into the file when it starts, so the file's time is
 * the start of the last runner (cgi/jobs.c).
 */
static enum runner
find_runner(struct doctor *d, int64_t *last)
{
	int fd = open(arena_printf(d->cli->arena, "%s/run/jobs.lock", d->cli->dir), O_RDWR | O_CLOEXEC);
	bool busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
	char word[8] = "";
	struct stat st;

	*last = fd >= 0 && fstat(fd, &st) == 0 ? (int64_t)st.st_mtime * 1000 : 0;
	if (fd >= 0 && read(fd, word, sizeof(word) - 1) < 0)
		*word = '\0';
	if (fd >= 0)
		close(fd);
	if (busy)
		return RUNNER_AT_WORK;
	return strncmp(word, "once", 4) == 0 && *last > time_now() - CRON_MS ? RUNNER_COMES : RUNNER_NONE;
}

/* True if long-running workers serve this data and do not start runners themselves. */
static bool
waits_for_runner(struct doctor *d)
{
	const char *env = data_setting(d->cli->arena, d->env, "OCTAVO_JOBS"), *own = getenv("OCTAVO_JOBS");

	if ((env != NULL && *env != '\0') || (own != NULL && *own != '\0'))
		return false;
	for (const struct web_server *s = d->servers; s != NULL; s = s->next)
		if (s->starts_jobs)
			return false;
	for (size_t i = 0; i < d->worker_count; i++)
		if (strstr(service_proc(d->cli->arena, d->workers[i], "environ"), "OCTAVO_JOBS=/") != NULL)
			return false;
	return d->worker_count > 0;
}

static int64_t
count_of(struct doctor *d, const struct sql *sql, const char *param, int64_t value)
{
	struct stmt *q = db_use(d->db, sql);

	bind_int(q, param, value);
	return stmt_int(q, 0);
}

static const char *
since_text(struct arena *a, int64_t last)
{
	char when[25];

	if (last == 0)
		return "none was ever started";
	time_format(last, when);
	return arena_printf(a, "the last one started at %s", when);
}

/*
 * A missing runner is no fault in itself: cron starts one each minute, and plain CGI programs start
 * one for each job.
 */
static void
ask_runner(struct doctor *d, int64_t late)
{
	static const char start[] = "start it: systemctl enable --now octavo-jobs, octavo up, a line in cron "
	    "(octavo-jobs --once), or the setting OCTAVO_JOBS";
	struct arena *a = d->cli->arena;
	int64_t last;
	enum runner runner = find_runner(d, &last);

	if (late > 0)
		doctor_find(d, BAD, arena_printf(a, "%lld jobs are due and wait; %s", (long long)late, runner == RUNNER_AT_WORK ?
		    "a job runner is at work" : "no job runner is at work"), runner == RUNNER_AT_WORK ?
		    "octavo jobs shows what takes so long" : start);
	else if (runner == RUNNER_AT_WORK)
		doctor_find(d, GOOD, "a job runner is at work", NULL);
	/* Beside a server, it may be on another machine. */
	else if (runner == RUNNER_COMES || !db_has_file(d->db) || !waits_for_runner(d))
		doctor_find(d, GOOD, "no job waits", NULL);
	else
		doctor_find(d, BAD, arena_printf(a, "no job runner is at work, and nothing starts one: imports, search of new pages "
		    "and housekeeping will wait (%s)", since_text(a, last)), start);
}

/* Without pandoc only two formats are missing, so its absence is not a fault. */
static void
ask_pandoc(struct doctor *d)
{
	const char *missing = d->set == NULL ? NULL : pdf_format_missing(d->cli->arena, d->set, FORMAT_EPUB);

	if (missing != NULL)
		doctor_find(d, NOTE, arena_printf(d->cli->arena, "there is no program pandoc at %s: content is not given out as EPUB and DOCX",
		    d->set->pandoc), "install it (package pandoc), or name it by OCTAVO_PANDOC");
}

void
doctor_check_jobs(struct doctor *d)
{
	int64_t now = time_now(), failed = count_of(d, &q_failed, ":after", now - DAY_MS);

	ask_runner(d, count_of(d, &q_late, ":before", now - LATE_MS));
	ask_pandoc(d);
	if (failed > 0)
		doctor_find(d, NOTE, arena_printf(d->cli->arena, "%lld jobs failed within a day", (long long)failed),
		    "octavo jobs shows why");
	if (count_of(d, &q_future, ":after", now + DAY_MS) > 0)
		doctor_find(d, BAD, "jobs were queued in the future: the clock of this machine is, or was, wrong",
		    "set it (timedatectl); tokens and addresses end by it");
}
