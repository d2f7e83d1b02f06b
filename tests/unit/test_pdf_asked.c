/* Requested PDFs: signed URLs and their expiry, the limit of the queue, the limit of stored bytes, the sweep. */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "db_fixture.h"
#include "app/pdf_request.h"
#include "app/queue.h"
#include "base/buf.h"
#include "base/json.h"

enum { MINUTE = 60000, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

SQL(q_made_at, "UPDATE pdf SET made_at = :at WHERE id = :id");
SQL(q_until, "UPDATE pdf SET keep_until = :at WHERE id = :id");
SQL(q_job_done, "UPDATE job SET state = 'done' WHERE id = :id");
SQL(q_ids, "SELECT page FROM pdf ORDER BY page");

static void
run_at(struct fixture *f, const struct sql *sql, const char *id, int64_t at)
{
	struct stmt *q;

	db_begin(f->db, true);
	q = db_use(f->db, sql);
	bind_text(q, ":id", id);
	if (at != 0)
		bind_int(q, ":at", at);
	stmt_run(q);
	db_commit(f->db);
}

static struct pdf_wanted
wanted(struct fixture *f, const char *page)
{
	return (struct pdf_wanted){ .org = f->org, .space = f->space, .revision = "r", .user = f->user, .page = page };
}

static bool
queue(struct fixture *f, const struct settings *set, const char *page)
{
	struct pdf_wanted w = wanted(f, page);
	bool ok;

	db_begin(f->db, true);
	ok = pdf_queue(f->db, f->arena, set, &w);
	db_commit(f->db);
	return ok;
}

/* The id of a PDF that exists or is queued; NULL: it must be queued. */
static const char *
found(struct fixture *f, const struct settings *set, const char *page)
{
	struct pdf_wanted w = wanted(f, page);
	struct pdf_found out;
	bool ok;

	db_begin(f->db, false);
	ok = pdf_find(f->db, f->arena, set, &w, &out);
	db_rollback(f->db);
	return ok ? out.id : NULL;
}

static void
file_make(const char *path, int64_t age_ms)
{
	struct timespec t[2] = { { .tv_sec = (time_now() - age_ms) / 1000 } };
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	t[1] = t[0];
	assert_int_equal(futimens(fd, t), 0);
	close(fd);
}

/* Queues a PDF whose job ended with a file so many ms ago. */
static const char *
make(struct fixture *f, const struct settings *set, const char *page, int64_t bytes, int64_t age_ms)
{
	const char *id;

	assert_true(queue(f, set, page));
	id = found(f, set, page);
	assert_non_null(id);
	file_make(pdf_path(f->arena, set, id), age_ms);
	run_at(f, &q_job_done, pdf_job(f->db, f->arena, id), 0);
	db_begin(f->db, true);
	pdf_made(f->db, f->arena, set, id, bytes, 1);
	db_commit(f->db);
	run_at(f, &q_made_at, id, time_now() - age_ms);
	return id;
}

static bool
has_file(struct fixture *f, const struct settings *set, const char *id)
{
	return access(pdf_path(f->arena, set, id), F_OK) == 0;
}

/* The pages of all PDFs in the database. */
static const char *
rows(struct fixture *f)
{
	struct stmt *q;
	struct buf b;

	buf_init(&b, f->arena, 10000);
	buf_str(&b, "");
	db_begin(f->db, false);
	for (q = db_use(f->db, &q_ids); stmt_step(q); )
		buf_printf(&b, "%s%s", b.n > 0 ? " " : "", col_text(q, 0));
	db_rollback(f->db);
	return b.p;
}

static struct settings
settings(struct fixture *f)
{
	struct settings set = db_settings(f);

	set.pdf_bytes = 1000;
	mkdir(arena_printf(f->arena, "%s/pdf", f->dir), 0700);
	return set;
}

/* ---- tests ---- */

static void
addresses_end_after_an_hour(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings(f);
	const struct pdf_found pdf = { "anid", "hand-book.pdf" };
	int64_t now = time_now();
	char *url = pdf_url(f->arena, &set, &pdf, "atoken", now), *rest;
	const char *part[5], *keep;
	struct pdf_address at;
	size_t i;

	rest = strstr(url, "/~pdf/");
	assert_non_null(rest);
	rest += strlen("/~pdf/");
	for (i = 0; i < 5; i++)
		part[i] = strsep(&rest, "/");
	assert_null(rest);
	assert_true(pdf_url_read(f->arena, part, now, &at));
	assert_string_equal(at.id, "anid");
	assert_string_equal(at.token, "atoken");
	assert_string_equal(at.name, "hand-book.pdf");
	assert_true(pdf_url_read(f->arena, part, now + 59 * MINUTE, &at));
	assert_false(pdf_url_read(f->arena, part, now + HOUR, &at));
	assert_false(pdf_url_read(f->arena, part, now + DAY, &at));
	/* The signature covers every part, including the expiry. */
	for (i = 0; i < 5; i++) {
		keep = part[i];
		part[i] = i == 2 ? arena_printf(f->arena, "%lld", strtoll(keep, NULL, 10) + 1) : arena_printf(f->arena, "%sx", keep);
		assert_false(pdf_url_read(f->arena, part, now, &at));
		part[i] = keep;
	}
	assert_true(pdf_url_read(f->arena, part, now, &at));
}

static void
a_hundred_wait_for_an_organization(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings(f);
	int i;

	for (i = 0; i < 100; i++)
		assert_true(queue(f, &set, arena_printf(f->arena, "p%d", i)));
	assert_false(queue(f, &set, "one-more"));
	assert_null(found(f, &set, "one-more"));
	/* A PDF that is already queued does not count again. */
	assert_true(queue(f, &set, "p7"));
	run_at(f, &q_job_done, pdf_job(f->db, f->arena, found(f, &set, "p7")), 0);
	assert_true(queue(f, &set, "one-more"));
	assert_non_null(found(f, &set, "one-more"));
}

static void
the_oldest_files_make_room(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings(f);
	const char *a = make(f, &set, "a", 400, 3 * HOUR), *b = make(f, &set, "b", 400, HOUR), *c = make(f, &set, "c", 200, 2 * HOUR);
	const char *d, *e;

	assert_string_equal(rows(f), "a b c");
	d = make(f, &set, "d", 400, MINUTE);
	assert_string_equal(rows(f), "b c d");
	assert_false(has_file(f, &set, a));
	assert_true(has_file(f, &set, b) && has_file(f, &set, c) && has_file(f, &set, d));
	/* A file above the limit is kept alone. */
	e = make(f, &set, "e", 5000, 0);
	assert_string_equal(rows(f), "e");
	assert_false(has_file(f, &set, b) || has_file(f, &set, c) || has_file(f, &set, d));
	assert_true(has_file(f, &set, e));
	assert_string_equal(found(f, &set, "e"), e);
}

static void
what_nobody_asks_for_is_swept(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings(f);
	const char *old = make(f, &set, "old", 10, 2 * DAY), *fresh = make(f, &set, "fresh", 10, 2 * HOUR), *waits;
	char *orphan = pdf_path(f->arena, &set, "orphan"), *young = pdf_path(f->arena, &set, "young");
	char *part = arena_printf(f->arena, "%s/pdf/%s.part", f->dir, fresh);

	assert_true(queue(f, &set, "waits"));
	waits = found(f, &set, "waits");
	run_at(f, &q_until, old, time_now() - 1);
	run_at(f, &q_until, waits, time_now() - 1);
	file_make(orphan, 2 * HOUR);
	file_make(young, MINUTE);
	file_make(part, 2 * DAY);
	pdf_sweep(f->db, f->arena, &set);
	assert_string_equal(rows(f), "fresh waits");
	assert_false(has_file(f, &set, old));
	assert_true(has_file(f, &set, fresh));
	assert_int_not_equal(access(orphan, F_OK), 0);
	assert_int_not_equal(access(part, F_OK), 0);
	assert_int_equal(access(young, F_OK), 0);
}

/* A URL is valid for an hour: a PDF that would expire before that is kept for another day. */
static void
asking_keeps_it(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings(f);
	const char *id = make(f, &set, "a", 10, HOUR);

	run_at(f, &q_until, id, time_now() + HOUR);
	assert_null(found(f, &set, "a"));
	assert_true(queue(f, &set, "a"));
	assert_string_equal(found(f, &set, "a"), id);
	pdf_sweep(f->db, f->arena, &set);
	assert_true(has_file(f, &set, id));
	/* A missing file is made again, with the same id. */
	unlink(pdf_path(f->arena, &set, id));
	assert_null(found(f, &set, "a"));
	assert_true(queue(f, &set, "a"));
	assert_string_equal(found(f, &set, "a"), id);
}

/* Ten wait for all visitors of an organization's sites; members have their own queue. */
static void
visitors_do_not_take_the_places_of_members(void **state)
{
	struct fixture *f = *state;
	struct settings set = settings(f);
	struct pdf_wanted w = { .org = f->org, .space = f->space, .revision = "r", .visitor = true };

	db_begin(f->db, true);
	for (int i = 0; i < 10; i++) {
		w.page = arena_printf(f->arena, "p%d", i);
		assert_true(pdf_queue(f->db, f->arena, &set, &w));
	}
	/* What waits already may be asked for by others. */
	assert_true(pdf_queue(f->db, f->arena, &set, &w));
	w.page = "one more";
	assert_false(pdf_queue(f->db, f->arena, &set, &w));
	db_commit(f->db);
	assert_true(queue(f, &set, "a member's"));
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, db_setup, db_teardown)
	const struct CMUnitTest tests[] = { TEST(addresses_end_after_an_hour), TEST(a_hundred_wait_for_an_organization),
		TEST(visitors_do_not_take_the_places_of_members),
		TEST(the_oldest_files_make_room), TEST(what_nobody_asks_for_is_swept), TEST(asking_keeps_it) };

	return cmocka_run_group_tests_name("pdf_asked", tests, NULL, NULL);
}
