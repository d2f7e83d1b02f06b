/*
 * A helper of the HTTP tests: stops the process of a job while it writes staged rows and does not
 * hold the write lock.
 *
 *   stop_job FILE JOB
 *
 * Waits for a process with the job's id among its arguments, lets it run for a millisecond at a
 * time, and prints its pid when it is stopped at such a point. Exits with 1 if the job ended
 * before. Everything is done in one process, so that the job makes little progress between two
 * checks even on a busy machine.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"

SQL(q_job, "SELECT CASE WHEN state = 'running' AND stage IN ('indexing', 'writing') THEN 1 "
    "WHEN state IN ('queued', 'running') THEN 2 ELSE 0 END FROM job WHERE id = :id");

enum { STEPS = 60000, ENDED = 0, WRITES = 1 };

static void
wait_a_step(void)
{
	struct timespec t = { 0, 1000000 };

	nanosleep(&t, NULL);
}

static int64_t
state_of(struct db *db, const char *id)
{
	struct stmt *q;
	int64_t state;

	db_begin(db, false);
	q = db_use(db, &q_job);
	bind_text(q, ":id", id);
	state = stmt_int(q, ENDED);
	db_rollback(db);
	return state;
}

static bool
has_argument(const char *process, const char *id)
{
	char path[300], text[4096], *s;
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/cmdline", process);
	if ((fd = open(path, O_RDONLY)) < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (s = text; s < text + n; s += strlen(s) + 1)
		if (strcmp(s, id) == 0)
			return true;
	return false;
}

/* 0: there is none yet. This program has the id among its arguments as well. */
static pid_t
process_of(const char *id)
{
	DIR *all = opendir("/proc");
	struct dirent *d;
	pid_t found = 0, pid;

	while (found == 0 && all != NULL && (d = readdir(all)) != NULL) {
		/* 0: not a process. */
		pid = (pid_t)strtol(d->d_name, NULL, 10);
		if (pid > 0 && pid != getpid() && has_argument(d->d_name, id))
			found = pid;
	}
	if (all != NULL)
		closedir(all);
	return found;
}

/* True if no process holds the write lock; the job's process is stopped. */
static bool
is_beside(struct db *db)
{
	bool free = db_try_begin(db);

	if (free)
		db_rollback(db);
	return free;
}

static int
stop(struct db *db, const char *id)
{
	pid_t pid = 0;
	int64_t state;

	for (int i = 0; i < STEPS; i++) {
		wait_a_step();
		if (pid == 0 && (pid = process_of(id)) == 0)
			continue;
		if (kill(pid, SIGSTOP) != 0)
			return 1;
		if ((state = state_of(db, id)) == WRITES && is_beside(db)) {
			printf("%d\n", (int)pid);
			return 0;
		}
		kill(pid, SIGCONT);
		if (state == ENDED)
			return 1;
	}
	return 1;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new(1 << 20);
	const char *error = "takes FILE and JOB", *server = getenv("OCTAVO_DB");
	struct db *db = argc != 3 ? NULL : db_open(a, server != NULL ? server : argv[1], DB_READ_WRITE, NULL, &error);
	int rc = 2;

	if (db == NULL)
		fprintf(stderr, "stop_job: %s\n", error);
	else
		rc = stop(db, argv[2]);
	db_close(db);
	arena_free(a);
	return rc;
}
