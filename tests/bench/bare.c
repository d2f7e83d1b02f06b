/*
 * Bare durable SQLite transactions, with Octavo's settings (WAL, synchronous=FULL), for the rows of
 * writing:
 *
 *   bare FILE rows N BYTES          N rows of BYTES in one transaction: prints ms
 *   bare FILE commits MS BYTES N    N processes, each row a transaction, for MS milliseconds:
 *                                   prints transactions per second
 *
 * FILE is created if it is missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"

SQL(q_insert, "INSERT INTO bare (text) VALUES (:text)");

static double
millis(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct db *
open_file(struct arena *a, const char *path)
{
	const char *error = NULL;
	struct db *db = db_open(a, path, DB_CREATE, NULL, &error);

	if (db == NULL || !db_script(db, a, "CREATE TABLE IF NOT EXISTS bare "
	    "(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT", &error)) {
		fprintf(stderr, "bare: %s\n", error);
		exit(1);
	}
	return db;
}

static void
insert(struct db *db, const char *text, long n)
{
	db_begin(db, true);
	while (n-- > 0) {
		struct stmt *q = db_use(db, &q_insert);
		bind_text(q, ":text", text);
		stmt_run(q);
	}
	db_commit(db);
}

/* One process: writes its number of transactions to the pipe. */
static void
commit_for(const char *path, const char *text, long ms, int out)
{
	struct arena *a = arena_new(1 << 24);
	struct db *db = open_file(a, path);
	double end = millis() + (double)ms;
	long n = 0;

	while (millis() < end) {
		insert(db, text, 1);
		n++;
	}
	db_close(db);
	if (write(out, &n, sizeof(n)) != (ssize_t)sizeof(n))
		_exit(1);
	_exit(0);
}

static long
commits(const char *path, const char *text, long ms, long processes)
{
	long sum = 0, n;
	int ends[2];

	if (pipe(ends) != 0)
		return 0;
	for (long i = 0; i < processes; i++)
		if (fork() == 0)
			commit_for(path, text, ms, ends[1]);
	close(ends[1]);
	while (read(ends[0], &n, sizeof(n)) == (ssize_t)sizeof(n))
		sum += n;
	while (wait(NULL) > 0)
		;
	close(ends[0]);
	return sum;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new(1 << 24);
	long n = argc > 3 ? strtol(argv[3], NULL, 10) : 0, bytes = argc > 4 ? strtol(argv[4], NULL, 10) : 0;
	struct db *db;
	double start;
	char *text;

	if (n < 1 || bytes < 1 || bytes > 1 << 20) {
		fprintf(stderr, "usage: bare FILE rows N BYTES | bare FILE commits MS BYTES PROCESSES\n");
		return 2;
	}
	text = arena_alloc(a, (size_t)bytes + 1);
	memset(text, 'x', (size_t)bytes);
	db = open_file(a, argv[1]);
	if (strcmp(argv[2], "rows") == 0) {
		start = millis();
		insert(db, text, n);
		printf("%.3f\n", millis() - start);
		db_close(db);
	} else {
		/* A connection must not cross a fork. */
		db_close(db);
		n = commits(argv[1], text, n, argc > 5 ? strtol(argv[5], NULL, 10) : 1) * 1000 / n;
		printf("%ld\n", n);
	}
	arena_free(a);
	return 0;
}
