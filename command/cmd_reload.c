/*
 * octavo reload: replaces the workers of a running service with new programs, without losing a
 * request. How the service runs: include/command/service.h.
 *
 * First a new program answers one trial request. Then each worker gets SIGTERM, answers its current
 * request and ends. multiwatch starts the replacement, which must stay alive before the next worker
 * is replaced. multiwatch itself is never signalled: every signal except USR2 ends it permanently.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "command/cli.h"
#include "command/service.h"

#define WORKER_PATIENCE  90000     /* limit for a worker's last request, ms; nginx allows 60 s */
#define WORKER_NUDGE     1000
#define WORKER_START     10000     /* limit for the start of the replacement, ms */
#define WORKER_PROOF     150       /* how long a new worker must live to count as started, ms */

/* Compares process id and start time: a newer process may have the same id. */
static bool
is_among(struct process p, const struct process *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].pid == p.pid && list[i].start == p.start)
			return true;
	return false;
}

/* True if the pool has all its workers, and still the same ones a little later. */
static bool
pool_is_steady(pid_t pool, size_t count)
{
	struct process before[SERVICE_MAX_WORKERS], after[SERVICE_MAX_WORKERS];
	size_t n = process_children(pool, before, SERVICE_MAX_WORKERS);

	if (n < count)
		return false;
	service_sleep(WORKER_PROOF);
	if (process_children(pool, after, SERVICE_MAX_WORKERS) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_among(before[i], after, n))
			return false;
	return true;
}

/* Waits until the worker has ended and another has replaced it. */
static bool
replace_worker(pid_t pool, struct process old, size_t count)
{
	int64_t end;

	/* Repeat the signal: one that arrives just before accept() does not wake the worker. */
	for (int ms = 0; process_alive(old); ms += 10) {
		if (ms > WORKER_PATIENCE)
			return false;
		if (ms % WORKER_NUDGE == 0)
			kill(old.pid, SIGTERM);
		service_sleep(10);
	}
	end = time_steady() + WORKER_START;
	while (!pool_is_steady(pool, count)) {
		if (time_steady() > end)
			return false;
		service_sleep(10);
	}
	return true;
}

/*
 * Replaces the workers of a pool one by one; the others keep serving, and multiwatch starts the
 * replacements. Returns NULL, or what went wrong.
 */
static const char *
replace_workers(struct cli *c, const struct service *s, int part, int64_t done, int64_t total)
{
	struct process old[SERVICE_MAX_WORKERS];
	size_t count = process_children(s->parts[part].pid, old, SERVICE_MAX_WORKERS);
	const char *name = service_names[part];

	for (size_t i = 0; i < count; i++) {
		cli_progress("replacing workers", done + (int64_t)i, total);
		if (!replace_worker(s->parts[part].pid, old[i], count))
			return arena_printf(c->arena, "worker %d of %s has no successor that stays alive; %zu "
			    "old ones still serve; the end of its log:\n%s", old[i].pid, name, count - i - 1,
			    service_log_tail(s, arena_printf(c->arena, "%s.log", name)));
	}
	return NULL;
}

/* Makes nginx reload its configuration if this program generates a different one than before. */
static const char *
reload_nginx(struct service *s, bool *changed)
{
	if (!service_write_conf(s, changed))
		return "cannot write run/nginx.conf";
	if (*changed && process_alive(s->parts[PART_NGINX]) && kill(s->parts[PART_NGINX].pid, SIGHUP) != 0)
		return "cannot signal nginx";
	return NULL;
}

/* Ends the job runner; the supervisor starts it again from the new program. */
static void
restart_jobs(struct cli *c, struct service *s)
{
	struct process old = s->parts[PART_JOBS];

	if (!process_alive(old))
		return;
	kill(old.pid, SIGTERM);
	for (int ms = 0; ms < WORKER_START; ms += 20) {
		if (!process_alive(old) && service_read_state(s) && process_alive(s->parts[PART_JOBS]))
			return;
		service_sleep(20);
	}
	cli_say(c, "The job runner still finishes something; it is replaced afterwards.");
}

int
cmd_reload(struct cli *c)
{
	struct service s = { .arena = c->arena, .dir = c->dir };
	const char *problem = service_check_dir(c->arena, s.dir);
	int64_t total;
	bool conf = false;

	if (problem != NULL)
		return cli_fail(c, "%s", problem);
	if (!service_find_running(&s))
		return service_not_ours(c, "restart") ? CLI_FAILED :
		    cli_fail(c, "Octavo is not running; start it with: octavo up --dir %s",
		    cli_quoted(c->arena, s.dir));
	problem = service_find_programs(&s);
	/* Do not replace working workers with a program that fails. */
	if (problem == NULL)
		problem = service_try_programs(&s);
	if (problem != NULL)
		return cli_fail(c, "%s; nothing was replaced", problem);
	total = s.workers + (s.parts[PART_SITE].pid != 0 ? SERVICE_SITE_WORKERS : 0);
	problem = reload_nginx(&s, &conf);
	if (problem == NULL)
		problem = replace_workers(c, &s, PART_API, 0, total);
	if (problem == NULL && s.parts[PART_SITE].pid != 0)
		problem = replace_workers(c, &s, PART_SITE, s.workers, total);
	if (problem == NULL && service_probe(s.port) != 200)
		problem = arena_printf(c->arena, "the workers were replaced, but http://localhost:%d/v1/ does not "
		    "answer; the end of log/api.log:\n%s", s.port, service_log_tail(&s, "api.log"));
	if (problem != NULL)
		return cli_fail(c, "%s", problem);
	restart_jobs(c, &s);
	if (c->json) {
		json_obj(cli_json(c));
		json_kint(cli_json(c), "replaced", total);
		json_kbool(cli_json(c), "nginxReloaded", conf);
		json_end(cli_json(c));
		cli_json_print(c);
	} else {
		cli_progress_end();
		printf("Replaced %" PRId64 " workers%s\n", total, conf ? " and nginx's configuration" : "");
	}
	return CLI_OK;
}
