/*
 * A helper of the HTTP tests: runs SQL on a database file, or on the server that OCTAVO_DB names, where
 * the API has no operation that would do what a test needs. Rows are printed with tabs between columns.
 * `sql FILE --hold MS` holds the write lock for that time (on a server, a lock of the table space); `sql FILE --script TEXT` runs several statements without
 * checking foreign keys.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/db.h"

static void
print_row(void *ctx, struct stmt *q)
{
	int i, n = col_count(q);

	(void)ctx;
	for (i = 0; i < n; i++) {
		/* Including NULs. */
		struct str text = col_bytes(q, i);
		fwrite(text.n > 0 ? text.p : "", 1, text.n, stdout);
		putchar(i + 1 < n ? '\t' : '\n');
	}
}

static void
hold(struct db *db, struct arena *a, long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	const char *error = NULL;

	db_begin(db, true);
	if (!db_has_file(db) && !db_script(db, a, "LOCK TABLE space IN EXCLUSIVE MODE", &error)) {
		fprintf(stderr, "sql: %s\n", error);
		exit(1);
	}
	puts("held");
	fflush(stdout);
	nanosleep(&t, NULL);
	db_rollback(db);
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new(1 << 20);
	const char *error = NULL, *server = getenv("OCTAVO_DB");
	struct db *db;
	int i, rc = 0;

	if (argc < 3 || (db = db_open(a, server != NULL ? server : argv[1], DB_ANY_VERSION, NULL, &error)) == NULL) {
		fprintf(stderr, "sql: %s\n", error != NULL ? error : "takes FILE and statements");
		arena_free(a);
		return 2;
	}
	if (argc == 4 && strcmp(argv[2], "--script") == 0) {
		if (!db_script(db, a, "PRAGMA foreign_keys=OFF", &error) || !db_script(db, a, argv[3], &error)) {
			fprintf(stderr, "sql: %s\n", error);
			rc = 1;
		}
		goto out;
	}
	if (strcmp(argv[2], "--hold") == 0)
		hold(db, a, argc > 3 ? strtol(argv[3], NULL, 10) : 1000);
	else
		for (i = 2; i < argc && rc == 0; i++)
			rc = db_each(db, a, argv[i], print_row, NULL, &error) ? 0 : 1;
	if (rc != 0)
		fprintf(stderr, "sql: %s\n", error);
out:
	db_close(db);
	arena_free(a);
	return rc;
}
