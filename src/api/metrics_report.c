/* GET /metrics: metrics for monitoring systems, in OpenMetrics 1.0. Counters: http/metrics.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/build.h"
#include "http/metrics.h"
#include "http/req.h"

SQL_TWO(q_server_bytes, NULL, "SELECT pg_database_size(current_database())");
/* Only jobs that have not ended: finished jobs stay in the table for a while. */
SQL(q_jobs_by_state,
    "SELECT state, count(*) FROM job WHERE state IN ('queued', 'running') GROUP BY state");
SQL(q_jobs_failed, "SELECT count(*) FROM job WHERE state IN ('failed', 'timeout') AND ended_at > :after");
SQL(q_jobs_late, "SELECT count(*) FROM job WHERE state = 'queued' AND run_at < :before");
/* The column `no` is NULL for blobs that are files of their own. */
SQL(q_blob_bytes, "SELECT COALESCE(sum(size), 0) FROM blob WHERE no IS NULL /*scan*/");
SQL(q_blob_files, "SELECT count(*) FROM blob WHERE no IS NULL /*scan*/");

/* LATE_MS: a queued job counts as late if it is overdue by this time: then no runner is at work, or all are busy. */
enum { LATE_MS = 60000 };

/*
 * Writes the metadata of a family of metrics. In OpenMetrics 1.0 they come before its samples, and
 * its name ends with the unit.
 */
static void
write_family(struct req *r, const char *name, const char *type, const char *unit, const char *help)
{
	buf_printf(&r->out, "# TYPE %s %s\n", name, type);
	if (unit != NULL)
		buf_printf(&r->out, "# UNIT %s %s\n", name, unit);
	buf_printf(&r->out, "# HELP %s %s\n", name, help);
}

static void
write_gauge(struct req *r, const char *name, const char *unit, const char *help, int64_t value)
{
	write_family(r, name, "gauge", unit, help);
	buf_printf(&r->out, "%s %" PRId64 "\n", name, value);
}

/* ---- requests ---- */

/*
 * Writes the counts by status. The last slot is for all statuses that have no slot of their own.
 * Slots with 0 are left out: one line for each operation and status would be thousands of lines.
 */
static void
write_statuses(void *ctx, const char *operation, const struct metrics_slot *s)
{
	struct req *r = ctx;

	for (size_t i = 0; i < METRICS_STATUSES; i++)
		if (i < METRICS_STATUSES - 1 && s->status[i] > 0)
			buf_printf(&r->out, "octavo_requests_total{operation=\"%s\",status=\"%d\"} %" PRIu64 "\n", operation,
			    metrics_status[i], s->status[i]);
		else if (s->status[i] > 0)
			buf_printf(&r->out, "octavo_requests_total{operation=\"%s\",status=\"other\"} %" PRIu64 "\n", operation,
			    s->status[i]);
}

/*
 * Writes the histogram. OpenMetrics buckets are cumulative, those in memory are not. The count is
 * the sum of the buckets rather than a separate counter, since it must equal the bucket +Inf while
 * other workers count.
 */
static void
write_durations(void *ctx, const char *operation, const struct metrics_slot *s)
{
	static const char name[] = "octavo_request_duration_seconds";
	struct req *r = ctx;
	uint64_t sum = 0;

	for (size_t i = 0; i < METRICS_BUCKETS; i++)
		sum += s->bucket[i];
	if (sum == 0)
		return;
	sum = 0;
	for (size_t i = 0; i < METRICS_BUCKETS; i++) {
		sum += s->bucket[i];
		if (i < METRICS_BUCKETS - 1)
			buf_printf(&r->out, "%s_bucket{operation=\"%s\",le=\"%g\"} %" PRIu64 "\n", name, operation,
			    /* Bounds are stored in microseconds and written in seconds. */
			    (double)metrics_bound[i] / 1e6, sum);
		else
			buf_printf(&r->out, "%s_bucket{operation=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name, operation, sum);
	}
	buf_printf(&r->out, "%s_sum{operation=\"%s\"} %.6f\n%s_count{operation=\"%s\"} %" PRIu64 "\n", name, operation,
	    (double)s->micros / 1e6, name, operation, sum);
}

static void
write_requests(struct req *r)
{
	write_family(r, "octavo_requests", "counter", NULL, "Requests that were answered, by operation of the API and status; site: what "
	    "octavo-site answered.");
	metrics_each(r, write_statuses, r);
	write_family(r, "octavo_request_duration_seconds", "histogram", "seconds", "From the request's arrival at a worker to its answer.");
	metrics_each(r, write_durations, r);
}

/* ---- jobs, bytes ---- */

static void
write_jobs(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_jobs_by_state);
	int64_t queued = 0, running = 0;

	while (stmt_step(q))
		*(strcmp(col_text(q, 0), "queued") == 0 ? &queued : &running) = col_int(q, 1);
	write_family(r, "octavo_jobs", "gauge", NULL, "Jobs by state.");
	buf_printf(&r->out, "octavo_jobs{state=\"queued\"} %" PRId64 "\noctavo_jobs{state=\"running\"} %" PRId64 "\n", queued,
	    running);
	q = db_use(r->db, &q_jobs_late);
	bind_int(q, ":before", time_now() - LATE_MS);
	write_gauge(r, "octavo_jobs_late", NULL, "Jobs that should have begun a minute ago: is a job runner at work?", stmt_int(q, 0));
	q = db_use(r->db, &q_jobs_failed);
	bind_int(q, ":after", time_now() - DAY_MS);
	write_gauge(r, "octavo_jobs_failed_within_day", NULL, "Jobs that failed within 24 hours.", stmt_int(q, 0));
}

/*
 * Size of a file in bytes; 0 if it does not exist: the last connection's checkpoint removes the
 * WAL.
 */
static int64_t
file_bytes(struct req *r, const char *name)
{
	struct stat st;

	return stat(arena_printf(r->arena, "%s/%s", r->set->dir, name), &st) == 0 ? (int64_t)st.st_size : 0;
}

static void
write_sizes(struct req *r)
{
	struct statvfs fs;

	write_gauge(r, "octavo_database_bytes", "bytes", "Size of octavo.db, or of the server's database.",
	    db_has_file(r->db) ? file_bytes(r, "octavo.db") : stmt_int(db_use(r->db, &q_server_bytes), 0));
	write_gauge(r, "octavo_wal_bytes", "bytes", "Size of octavo.db-wal.", file_bytes(r, "octavo.db-wal"));
	write_gauge(r, "octavo_blob_bytes", "bytes", "Bytes of the files below blobs/.", stmt_int(db_use(r->db, &q_blob_bytes), 0));
	write_gauge(r, "octavo_blob_files", NULL, "Files below blobs/.", stmt_int(db_use(r->db, &q_blob_files), 0));
	/* f_bavail: free space for users other than root; no part of Octavo runs as root. */
	if (statvfs(r->set->dir, &fs) == 0)
		write_gauge(r, "octavo_disk_free_bytes", "bytes", "What is left on the disk of the data.",
		    (int64_t)fs.f_bavail * (int64_t)fs.f_frsize);
}

/*
 * Answers only the monitoring token (BY_METRICS). The answer contains no ids or names, since
 * external systems may store it.
 */
HANDLER(getMetrics)
{
	write_family(r, "octavo_build", "info", NULL, "What runs.");
	buf_printf(&r->out, "octavo_build_info{version=\"%s\",schema=\"%d\"} 1\n", octavo_build, db_latest());
	write_requests(r);
	write_jobs(r);
	write_sizes(r);
	/* OpenMetrics 1.0 requires this line, so that clients detect truncated answers. */
	buf_str(&r->out, "# EOF\n");
	r->content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	r->cache = "no-store";
	return 0;
}
