/*
 * Revisions written in many transactions: when their rows become visible, and what remains of one
 * that is never completed.
 */
#include "change_fixture.h"

#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "store/stage.h"

SQL(q_rows, "SELECT count(*) FROM node WHERE branch = :branch AND since = :seq");
SQL(q_ended, "SELECT count(*) FROM node WHERE branch = :branch AND until = :seq");
SQL(q_empty, "SELECT count(*) FROM blob WHERE size = 0");
SQL(q_branches, "SELECT count(*) FROM branch WHERE id = :branch");

static int64_t
count(struct fixture *f, const struct sql *sql, int64_t branch, int64_t seq)
{
	struct stmt *q = db_use(f->db, sql);

	bind_int(q, ":branch", branch);
	if (sql != &q_branches)
		bind_int(q, ":seq", seq);
	return stmt_int(q, -1);
}

/* Main with the pages a and b, and a stage of main with a reserved sequence number. */
static void
staged(struct fixture *f, struct stage *s)
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "A");
	main_page(f, &now, "b", "", "B");
	db_commit(f->db);
	stage_init(s, f->db, f->arena, f->branch);
	stage_reserve(s, 10);
	assert_int_equal(s->seq, now.seq + 11);
}

static void
put(struct stage *s, const char *id, const char *title)
{
	struct node n = page_node(id, "", "C");

	n.title = title;
	n.body = hash_of(s->arena, str_of(title));
	stage_put(s, &n, str_of(title), (struct str){ NULL, 0 });
}

/* "id=title ..." of the pages at the point. */
static const char *
pages_at(struct fixture *f, const struct point *p)
{
	struct node *list;
	struct str body;
	struct buf b;
	size_t n, i;

	buf_init(&b, f->arena, 1 << 16);
	list = node_children(f->db, f->arena, p, "", &n);
	for (i = 0; i < n; i++) {
		assert_true(blob_get(f->db, f->arena, list[i].body, &body));
		buf_printf(&b, "%s%s=%s", i == 0 ? "" : " ", list[i].id, list[i].title);
	}
	return b.p == NULL ? "" : b.p;
}

static const char *
at_head(struct fixture *f)
{
	struct point p = head_of(f, f->branch);

	return pages_at(f, &p);
}

static const char *
at_stage(struct fixture *f, const struct stage *s)
{
	return pages_at(f, &(struct point){ .space = f->space, .branch = s->branch, .seq = s->seq });
}

/*
 * A stage is invisible before its revision is added, and then visible as a whole; revisions of
 * others in between have lower numbers.
 */
static void
a_stage_shows_at_once(void **state)
{
	struct fixture *f = *state;
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct stage s;
	struct point now;
	char *id;

	staged(f, &s);
	put(&s, "a", "new");
	put(&s, "c", "c");
	stage_end(&s, "b");
	assert_true(stage_flush(&s));
	assert_string_equal(at_head(f), "a=a b=b");
	assert_string_equal(at_stage(f, &s), "a=new c=c");
	/* Pages without links have no link map. */
	assert_int_equal(stmt_int(db_use(f->db, &q_empty), -1), 0);
	assert_int_equal(stage_left(f->db, f->space), f->branch);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "d", "", "D");
	db_commit(f->db);
	assert_true(now.seq < s.seq);
	assert_string_equal(at_head(f), "a=a b=b d=d");
	info.staged = s.seq;
	db_begin(f->db, true);
	revision_add(f->db, f->arena, f->branch, &info, &id);
	db_commit(f->db);
	assert_string_equal(at_head(f), "a=new c=c d=d");
	assert_int_equal(stage_left(f->db, f->space), 0);
}

/* Rows that others write in between for a staged node end with the stage, even if it writes the same row again. */
static void
writes_of_others_end_with_the_stage(void **state)
{
	struct fixture *f = *state;
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct stage s;
	struct point now;
	char *id;

	staged(f, &s);
	put(&s, "a", "new");
	assert_true(stage_flush(&s));
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "D");
	db_commit(f->db);
	assert_string_equal(at_head(f), "b=b a=a");
	stage_pass(&s);
	s.track = true;
	put(&s, "a", "new");
	assert_true(stage_flush(&s));
	/* The row was staged already, whatever other row is alive at that number. */
	assert_int_equal(s.written_n, 0);
	assert_string_equal(at_head(f), "b=b a=a");
	info.staged = s.seq;
	db_begin(f->db, true);
	revision_add(f->db, f->arena, f->branch, &info, &id);
	db_commit(f->db);
	assert_string_equal(at_head(f), "b=b a=new");
	assert_int_equal(count(f, &q_ended, f->branch, s.seq), 1);
}

/*
 * A later stage of the branch continues with the number and the rows of an earlier one; rows that
 * it does not want are deleted.
 */
static void
another_stage_goes_on_with_the_rows(void **state)
{
	struct fixture *f = *state;
	struct stage first, s;
	const char **ids;
	size_t n;

	staged(f, &first);
	put(&first, "a", "first");
	put(&first, "c", "first");
	stage_end(&first, "b");
	assert_true(stage_flush(&first));
	stage_init(&s, f->db, f->arena, f->branch);
	stage_reserve(&s, 10);
	assert_int_equal(s.seq, first.seq);
	put(&s, "a", "second");
	assert_true(stage_flush(&s));
	ids = stage_ids(&s, s.arena, &n);
	assert_int_equal(n, 3);
	assert_string_equal(ids[0], "a");
	assert_string_equal(ids[1], "c");
	/* A row that ends follows those that begin. */
	assert_string_equal(ids[2], "b");
	stage_remove_stale(&s);
	assert_string_equal(at_stage(f, &s), "b=b a=second");
	assert_int_equal(count(f, &q_rows, f->branch, s.seq), 1);
	/* Blobs that only the first stage named are deleted with its rows. */
	assert_false(blob_known(f->db, hash_of(f->arena, STR("first"))));
	assert_true(blob_known(f->db, hash_of(f->arena, STR("second"))));
}

/* A dropped stage leaves no rows, and the rows that it had ended are alive again without end. */
static void
a_dropped_stage_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct stage s;
	int64_t head;

	staged(f, &s);
	head = head_of(f, f->branch).seq;
	put(&s, "a", "new");
	put(&s, "c", "c");
	stage_end(&s, "b");
	assert_true(stage_flush(&s));
	stage_drop(f->db, f->arena, f->branch);
	assert_int_equal(stage_left(f->db, f->space), 0);
	assert_int_equal(count(f, &q_rows, f->branch, s.seq), 0);
	assert_int_equal(count(f, &q_ended, f->branch, s.seq), 0);
	assert_int_equal(count(f, &q_ended, f->branch, FOREVER), 2);
	assert_string_equal(at_head(f), "a=a b=b");
	/* The next stage reserves the same number; dropping without a reservation does nothing. */
	stage_drop(f->db, f->arena, f->branch);
	stage_init(&s, f->db, f->arena, f->branch);
	stage_reserve(&s, 0);
	assert_int_equal(s.seq, head + 1);
}

/* A row that another revision ended in between is not restored by dropping the stage. */
static void
what_others_ended_does_not_come_back(void **state)
{
	struct fixture *f = *state;
	struct stage s;
	struct point now;

	staged(f, &s);
	stage_end(&s, "b");
	assert_true(stage_flush(&s));
	now = revision_begin(f, f->branch);
	node_end(f->db, f->branch, "b", now.seq);
	db_commit(f->db);
	stage_drop(f->db, f->arena, f->branch);
	assert_string_equal(at_head(f), "a=a");
	assert_int_equal(count(f, &q_ended, f->branch, now.seq), 1);
}

/* A branch created for a stage is deleted with it; a branch with a revision stays. */
static void
a_branch_goes_with_its_stage(void **state)
{
	struct fixture *f = *state;
	struct stage s, own;
	struct point base;
	int64_t branch;

	staged(f, &s);
	base = head_of(f, f->branch);
	db_begin(f->db, true);
	branch = branch_create(f->db, f->space, "outside", &base);
	db_commit(f->db);
	stage_init(&own, f->db, f->arena, branch);
	stage_reserve(&own, 0);
	assert_int_equal(own.seq, 0);
	put(&own, "a", "own");
	assert_true(stage_flush(&own));
	stage_drop(f->db, f->arena, f->branch);
	assert_int_equal(stage_left(f->db, f->space), branch);
	stage_drop(f->db, f->arena, branch);
	assert_int_equal(stage_left(f->db, f->space), 0);
	assert_int_equal(count(f, &q_branches, branch, 0), 0);
	assert_int_equal(count(f, &q_branches, s.branch, 0), 1);
}

/* With tracking, a stage records real changes only, not rows that were staged already. */
static void
a_tracked_stage_notes_real_changes(void **state)
{
	struct fixture *f = *state;
	struct stage s;

	staged(f, &s);
	put(&s, "a", "new");
	stage_end(&s, "b");
	assert_true(stage_flush(&s));
	assert_int_equal(s.written_n, 0);
	s.track = true;
	stage_pass(&s);
	put(&s, "a", "new");
	stage_end(&s, "b");
	assert_true(stage_flush(&s));
	assert_int_equal(s.written_n, 0);
	stage_pass(&s);
	put(&s, "a", "newer");
	assert_true(stage_flush(&s));
	assert_int_equal(s.written_n, 1);
	assert_string_equal(s.written[0], "a");
	/* Undoing a staged row is recorded as a change as well. */
	stage_remove_stale(&s);
	assert_int_equal(s.written_n, 2);
	assert_string_equal(s.written[1], "b");
	assert_string_equal(at_stage(f, &s), "b=b a=newer");
	/* And so is ending one. */
	stage_pass(&s);
	stage_end(&s, "a");
	assert_true(stage_flush(&s));
	assert_int_equal(s.written_n, 3);
	assert_string_equal(at_stage(f, &s), "b=b");
}

/* Any different field makes a new row; a different creation time does not. */
static void
every_field_makes_another_row(void **state)
{
	static const char *const fields[] = { "at", "title", "slug", "path", "props", "git_path", "git_oid", "ord", "parent", "kind",
		"origin", "body", "refs", "front" };
	struct fixture *f = *state;
	struct node n;
	struct stage s;
	struct str body, refs;
	size_t i;

	staged(f, &s);
	s.track = true;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		n = page_node("a", "", "A");
		body = STR("body");
		refs = STR("{}");
		n.path = "p", n.git_path = "p.md", n.git_oid = "1";
		stage_pass(&s);
		n.body = hash_of(f->arena, body);
		n.refs = hash_of(f->arena, refs);
		stage_put(&s, &n, body, refs);
		assert_true(stage_flush(&s));
		s.written_n = 0;
		n.at += i == 0;
		n.title = i == 1 ? "x" : n.title;
		n.slug = i == 2 ? "x" : n.slug;
		n.path = i == 3 ? NULL : n.path;
		n.props = i == 4 ? "{\"x\":1}" : n.props;
		n.git_path = i == 5 ? "x.md" : n.git_path;
		n.git_oid = i == 6 ? "2" : n.git_oid;
		n.ord = i == 7 ? "X" : n.ord;
		n.parent = i == 8 ? "b" : n.parent;
		n.kind = i == 9 ? NODE_GROUP : n.kind;
		n.origin = i == 10 ? 1 : n.origin;
		body = i == 11 ? STR("other") : body;
		refs = i == 12 ? STR("{\"x\":null}") : refs;
		n.front = i == 13 ? STR("---\n---\n") : n.front;
		n.body = hash_of(f->arena, body);
		n.refs = hash_of(f->arena, refs);
		stage_put(&s, &n, body, refs);
		assert_true(stage_flush(&s));
		if (s.written_n != (i > 0))
			fail_msg("%s: %zu", fields[i], s.written_n);
	}
}

struct watched {
	struct fixture *f;
	size_t          calls, locks, done, total;
	size_t          most;      /* number of calls after which alive() returns false */
};

static bool
alive(void *ctx, const char *stage, size_t done, size_t total)
{
	struct watched *w = ctx;

	assert_string_equal(stage, "writing");
	assert_false(db_in_transaction(w->f->db));
	w->done = done;
	w->total = total;
	return ++w->calls < w->most;
}

static void
one_lock_more(void *ctx)
{
	((struct watched *)ctx)->locks++;
}

/*
 * Others can write between any two rows; without rows no lock is taken; and the stage stops when
 * alive() returns false.
 */
static void
others_write_between_the_steps(void **state)
{
	struct fixture *f = *state;
	struct watched w = { .f = f, .most = 10 };
	struct stage_watch watch = { alive, &w };
	struct stage s;

	staged(f, &s);
	s.watch = &watch;
	db_watch(f->db, 0, one_lock_more, &w);
	assert_true(stage_flush(&s));
	stage_remove_stale(&s);
	assert_int_equal(w.locks, 0);
	put(&s, "a", "new");
	put(&s, "c", "c");
	stage_end(&s, "b");
	assert_true(stage_flush(&s));
	assert_int_equal(w.calls, 3);
	assert_int_equal(w.done, 3);
	assert_int_equal(w.total, 3);
	assert_int_equal(w.locks, 4);
	/* The next pass wants none of the three: each is undone in a separate step. */
	stage_pass(&s);
	w.locks = 0;
	stage_remove_stale(&s);
	assert_int_equal(w.locks, 4);
	assert_string_equal(at_stage(f, &s), "a=a b=b");
	w.calls = 0;
	w.most = 2;
	put(&s, "x", "x");
	put(&s, "y", "y");
	put(&s, "z", "z");
	assert_false(stage_flush(&s));
	assert_true(s.stopped);
	assert_false(s.lacks_file);
	assert_false(db_in_transaction(f->db));
	assert_int_equal(count(f, &q_rows, f->branch, s.seq), 2);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	stage_drop(f->db, f->arena, f->branch);
}

static void
put_file(struct stage *s, const char *id, struct str hash)
{
	struct node n = page_node(id, "", "");

	n.kind = NODE_FILE;
	n.body = hash;
	stage_put(s, &n, (struct str){ NULL, 0 }, (struct str){ NULL, 0 });
}

/*
 * Files get their rows together with the nodes that name them; a file deleted by a sweep before is
 * reported, and nothing is half written.
 */
static void
files_are_staged_with_their_nodes(void **state)
{
	struct fixture *f = *state;
	struct stage s;
	const char *error;
	struct str one, two;

	staged(f, &s);
	s.files = blob_batch_new(f->arena, f->dir);
	assert_true(blob_batch_add(s.files, STR("one"), &one, &error));
	assert_true(blob_batch_add(s.files, STR("two"), &two, &error));
	assert_true(blob_batch_sync(s.files, &error));
	put_file(&s, "one", one);
	assert_true(stage_flush(&s));
	assert_true(blob_known(f->db, one));
	assert_false(blob_known(f->db, two));
	assert_int_equal(count(f, &q_rows, f->branch, s.seq), 1);
	assert_int_equal(unlink(blob_path(f->arena, f->dir, two)), 0);
	put(&s, "page", "page");
	put_file(&s, "two", two);
	assert_false(stage_flush(&s));
	assert_true(s.lacks_file);
	assert_false(s.stopped);
	assert_false(db_in_transaction(f->db));
	assert_int_equal(count(f, &q_rows, f->branch, s.seq), 1);
	stage_drop(f->db, f->arena, f->branch);
}

/* A revision with a higher number than the stage panics: its rows would be visible half written. */
static void
nobody_passes_the_number_of_a_stage(void **state)
{
	struct fixture *f = *state;
	struct revision_info info = { .kind = "edits", .author = f->user };
	const char *error = NULL;
	struct stage s;
	int past, status;
	pid_t pid;

	for (past = 0; past < 2; past++) {
		staged(f, &s);
		info.staged = s.seq + past;
		if ((pid = fork()) == 0) {
			char *id;
			/* Hides the panic's message. */
			fclose(stderr);
			f->db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
			db_begin(f->db, true);
			revision_add(f->db, f->arena, f->branch, &info, &id);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), past == 0 ? 0 : EX_SOFTWARE);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_stage_shows_at_once),
	cmocka_unit_test(writes_of_others_end_with_the_stage),
		cmocka_unit_test(another_stage_goes_on_with_the_rows), cmocka_unit_test(a_dropped_stage_leaves_nothing),
		cmocka_unit_test(what_others_ended_does_not_come_back), cmocka_unit_test(a_branch_goes_with_its_stage),
		cmocka_unit_test(a_tracked_stage_notes_real_changes), cmocka_unit_test(every_field_makes_another_row),
		cmocka_unit_test(others_write_between_the_steps), cmocka_unit_test(files_are_staged_with_their_nodes),
		cmocka_unit_test(nobody_passes_the_number_of_a_stage) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
