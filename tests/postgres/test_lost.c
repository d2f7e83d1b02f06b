/*
 * Lost connections to PostgreSQL: what is prepared is prepared again, nothing that was not committed
 * stays, and what became of a transaction whose COMMIT got no answer is looked up. The connections go
 * through a relay, which passes on what both sides send until it is told to lose an answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "db/db.h"

SQL(q_count, "SELECT count(*) FROM org WHERE id = :id");
SQL(q_add, "INSERT INTO org (id, title, created_at) VALUES (:id, 'T', 1)");
SQL(q_end_others, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = current_schema() || '-relay'");

struct relay {
	struct arena *arena;
	struct db    *db;             /* by the relay */
	struct db    *direct;
	pid_t         child;
	char          dir[TEMP_MAX];
	jmp_buf       escape;
	enum db_failure failed;
};

/* ---- the relay ---- */

static int
connect_to(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0)
		_exit(1);
	return fd;
}

/*
 * Loses the connection of a COMMIT: before it is passed on if DIR/before exists, after the server has
 * done it if DIR/after does.
 */
static bool
is_lost(const char *dir, const char *bytes, ssize_t n, int server)
{
	char path[TEMP_MAX + 16], answer[4096];

	if (memmem(bytes, (size_t)n, "COMMIT", 6) == NULL)
		return false;
	snprintf(path, sizeof(path), "%s/before", dir);
	if (unlink(path) == 0)
		return true;
	snprintf(path, sizeof(path), "%s/after", dir);
	return unlink(path) == 0 && write(server, bytes, (size_t)n) == n && read(server, answer, sizeof(answer)) > 0;
}

/* One connection, in a process of its own. */
static void
pass_on(const char *dir, int client, int server)
{
	struct pollfd ends[2] = { { client, POLLIN, 0 }, { server, POLLIN, 0 } };
	char bytes[1 << 16];
	ssize_t n;
	int i;

	while (poll(ends, 2, -1) > 0)
		for (i = 0; i < 2; i++) {
			if (ends[i].revents == 0)
				continue;
			n = read(ends[i].fd, bytes, sizeof(bytes));
			if (n <= 0 || (i == 0 && is_lost(dir, bytes, n, server)) || write(ends[1 - i].fd, bytes, (size_t)n) != n)
				_exit(0);
		}
	_exit(0);
}

static void
run_relay(const char *dir, const char *server, int listening)
{
	int client;

	signal(SIGCHLD, SIG_IGN);
	while ((client = accept(listening, NULL, NULL)) >= 0) {
		if (fork() == 0)
			pass_on(dir, client, connect_to(server));
		close(client);
	}
	_exit(0);
}

/* Listens at DIR/.s.PGSQL.5432, where libpq looks for it, and passes on to the same name in the server's folder. */
static void
start_relay(struct relay *r, const char *server_dir)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	char server[sizeof(at.sun_path)];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/.s.PGSQL.5432", r->dir);
	snprintf(server, sizeof(server), "%s/.s.PGSQL.5432", server_dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 8), 0);
	if ((r->child = fork()) == 0)
		run_relay(r->dir, server, fd);
	close(fd);
}

/* ---- the fixture ---- */

static struct db *
open_at(struct relay *r, const char *host, const char *schema, enum db_mode mode)
{
	const char *error = NULL;
	char *at = arena_printf(r->arena, "postgresql:///postgres?host=%s&user=test&application_name=%s%s&options=-csearch_path%%3D%s,public", host,
	    schema, strcmp(host, r->dir) == 0 ? "-relay" : "", schema);
	struct db *db = db_open(r->arena, at, mode, NULL, &error);

	if (db == NULL)
		fail_msg("%s", error);
	return db;
}

static int
setup(void **state)
{
	struct relay *r = calloc(1, sizeof(*r));
	const char *host = strstr(getenv("OCTAVO_TEST_DB"), "host="), *error;
	char *server, *schema;

	r->arena = arena_new(1 << 24);
	temp_dir(r->dir);
	server = arena_strndup(r->arena, host + 5, strcspn(host + 5, "&"));
	start_relay(r, server);
	schema = arena_printf(r->arena, "lost%d", (int)r->child);
	r->direct = open_at(r, server, "public", DB_ANY_VERSION);
	assert_true(db_script(r->direct, r->arena, arena_printf(r->arena, "CREATE SCHEMA %s", schema), &error));
	db_close(r->direct);
	r->direct = open_at(r, server, schema, DB_CREATE);
	r->db = open_at(r, r->dir, schema, DB_READ_WRITE);
	*state = r;
	return 0;
}

static int
teardown(void **state)
{
	struct relay *r = *state;

	db_close(r->db);
	db_close(r->direct);
	kill(r->child, SIGTERM);
	waitpid(r->child, NULL, 0);
	arena_free(r->arena);
	free(r);
	return 0;
}

static void
on_fail(void *ctx, enum db_failure f, const char *message)
{
	struct relay *r = ctx;

	(void)message;
	r->failed = f;
	longjmp(r->escape, 1);
}

static int64_t
count_rows(struct db *db, const char *id)
{
	struct stmt *q;
	int64_t n;

	db_begin(db, false);
	q = db_use(db, &q_count);
	bind_text(q, ":id", id);
	n = stmt_int(q, -1);
	db_rollback(db);
	return n;
}

static void
add_row(struct db *db, const char *id)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_add);
	bind_text(q, ":id", id);
	stmt_run(q);
	db_commit(db);
}

static void
end_others(struct relay *r)
{
	assert_true(stmt_int(db_use(r->direct, &q_end_others), 0) > 0);
	usleep(200000);
}

/* True if the row was added without a failure; otherwise r->failed is set. */
static bool
adds(struct relay *r, const char *id, bool end_before_commit)
{
	struct stmt *q;

	db_on_fail(r->db, on_fail, r);
	if (setjmp(r->escape) != 0) {
		db_rollback(r->db);
		return false;
	}
	db_begin(r->db, true);
	q = db_use(r->db, &q_add);
	bind_text(q, ":id", id);
	stmt_run(q);
	if (end_before_commit)
		end_others(r);
	db_commit(r->db);
	return true;
}

static void
make_file(struct relay *r, const char *name)
{
	fclose(fopen(arena_printf(r->arena, "%s/%s", r->dir, name), "w"));
}

/* ---- tests ---- */

static void
a_connection_that_was_lost_between_transactions_is_made_again(void **state)
{
	struct relay *r = *state;

	assert_int_equal(count_rows(r->db, "a"), 0);
	add_row(r->db, "a");
	end_others(r);
	assert_int_equal(count_rows(r->db, "a"), 1);
	end_others(r);
	add_row(r->db, "b");
	assert_int_equal(count_rows(r->direct, "b"), 1);
}

static void
a_connection_that_is_lost_in_a_transaction_changes_nothing(void **state)
{
	struct relay *r = *state;

	assert_false(adds(r, "a", true));
	assert_int_equal(r->failed, DB_AWAY);
	assert_int_equal(count_rows(r->direct, "a"), 0);
	assert_true(adds(r, "a", false));
	assert_int_equal(count_rows(r->direct, "a"), 1);
}

static void
a_commit_without_an_answer_is_looked_up(void **state)
{
	struct relay *r = *state;

	make_file(r, "after");
	assert_true(adds(r, "done", false));
	assert_int_equal(count_rows(r->direct, "done"), 1);
	make_file(r, "before");
	assert_false(adds(r, "undone", false));
	assert_int_equal(r->failed, DB_AWAY);
	assert_int_equal(count_rows(r->direct, "undone"), 0);
	assert_true(adds(r, "undone", false));
}

/* The server cannot be reached afterwards either: nobody can say what became of the transaction. */
static void
a_commit_that_cannot_be_looked_up_is_unknown(void **state)
{
	struct relay *r = *state;

	make_file(r, "after");
	unlink(arena_printf(r->arena, "%s/.s.PGSQL.5432", r->dir));
	assert_false(adds(r, "a", false));
	assert_int_equal(r->failed, DB_UNKNOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_connection_that_was_lost_between_transactions_is_made_again, setup, teardown),
		cmocka_unit_test_setup_teardown(a_connection_that_is_lost_in_a_transaction_changes_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(a_commit_without_an_answer_is_looked_up, setup, teardown),
		cmocka_unit_test_setup_teardown(a_commit_that_cannot_be_looked_up_is_unknown, setup, teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
