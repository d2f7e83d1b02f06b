/*
 * A binding under random edits of both sides: pages are edited, added, renamed, moved and deleted
 * in the space and in the repository, with runs in between; and runs that are killed at each of
 * their transactions. Afterwards both sides are equal, no line is lost that was not deleted, and
 * nothing was done twice.
 */
#include "bound_fixture.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include "base/file.h"
#include "seed_fixture.h"

SQL(q_request_bodies,
    "SELECT DISTINCT n.body FROM change_request c JOIN node n ON n.branch = c.branch WHERE c.space = :space AND n.body IS NOT NULL");

enum { MOST_WORDS = 200, MOST_PAGES = 200 };

/* State of a test. A word is a line by itself that names the side which wrote it. */
struct world {
	struct fixture *f;
	struct rnd      dice;
	unsigned        words;
	char            side[MOST_WORDS];
	bool            gone[MOST_WORDS];   /* deleted together with its page, by a side that had seen it */
	struct node    *pages[MOST_PAGES];
	size_t          n;
};

/* Prints the whole text: cmocka cuts its messages after a kilobyte. */
static void
tell(const char *what, const char *text)
{
	fprintf(stderr, "---- %s\n%s\n", what, text);
}

static const char *
history(struct world *w)
{
	return output_of(w->f, "git -C repo.git log --graph --format='%%h %%s' -m -p main");
}

static unsigned
new_word(struct world *w, char side)
{
	assert_true(w->words < MOST_WORDS);
	w->side[w->words] = side;
	w->gone[w->words] = false;
	return w->words++;
}

static const char *
word(struct world *w, unsigned i)
{
	return arena_printf(w->f->arena, "word%u%c.", i, w->side[i]);
}

static void
mark_gone(struct world *w, const char *text)
{
	unsigned i;

	for (i = 0; i < w->words; i++)
		w->gone[i] |= strstr(text, word(w, i)) != NULL;
}

/* The text with one more line, somewhere after line `from`. */
static char *
with_line(struct world *w, const char *text, unsigned from, const char *line)
{
	unsigned lines = 0, at, k;
	const char *p;

	for (p = text; *p != '\0'; p++)
		lines += *p == '\n';
	at = lines <= from ? lines : from + rnd(&w->dice, lines - from + 1);
	for (p = text, k = 0; *p != '\0' && k < at; p++)
		k += *p == '\n';
	return arena_printf(w->f->arena, "%.*s\n%s\n\n%s", (int)(p - text), text, line, p);
}

/* ---- edits of the space ---- */

static void
collect(struct world *w, struct page *p)
{
	for (; p != NULL; p = p->next) {
		assert_true(w->n < MOST_PAGES);
		w->pages[w->n++] = &p->node;
		collect(w, p->first);
	}
}

static struct node *
some_page(struct world *w)
{
	struct point p = head_of(w->f, w->f->branch);
	size_t n;

	w->n = 0;
	db_begin(w->f->db, false);
	collect(w, page_tree(w->f->db, w->f->arena, &p, &n));
	db_rollback(w->f->db);
	return w->n == 0 ? NULL : w->pages[rnd(&w->dice, (uint32_t)w->n)];
}

static bool
is_leaf(struct world *w, const struct node *n)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (strcmp(w->pages[i]->parent, n->id) == 0)
			return false;
	return true;
}

static cJSON *
operation(const char *name, const struct node *page)
{
	cJSON *c = cJSON_CreateObject();

	cJSON_AddStringToObject(c, "operation", name);
	if (page != NULL)
		cJSON_AddStringToObject(c, "page", page->id);
	return c;
}

static void
write_text(cJSON *c, const char *markdown)
{
	cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "document"), "markdown", markdown);
}

static void
merged(struct world *w, cJSON *c)
{
	cJSON *list = cJSON_CreateArray();

	cJSON_AddItemToArray(list, c);
	edit_and_merge(w->f, "Here", cJSON_PrintUnformatted(list));
}

/* One edit of main: of a line, a new page, a title, a move, or a deletion. */
static void
here(struct world *w)
{
	struct node *n = some_page(w), *into;
	unsigned what = n == NULL ? 1 : rnd(&w->dice, 7), i;
	cJSON *c;

	if (what == 1) {
		c = operation("insert_page", NULL);
		i = new_word(w, 'h');
		cJSON_AddStringToObject(c, "title", arena_printf(w->f->arena, "Page %u", i));
		if (n != NULL && rnd(&w->dice, 2) == 0)
			cJSON_AddStringToObject(c, "into", n->id);
		write_text(c, word(w, i));
		merged(w, c);
	} else if (what == 2 && is_leaf(w, n)) {
		mark_gone(w, body_of(w->f, n));
		merged(w, operation("delete_page", n));
	} else if (what == 3) {
		c = operation("update_page", n);
		cJSON_AddStringToObject(c, "title", arena_printf(w->f->arena, "Title %u", rnd(&w->dice, 1000)));
		merged(w, c);
	} else if (what == 4 && is_leaf(w, n) && (into = some_page(w)) != NULL && strcmp(into->id, n->id) != 0) {
		c = operation("update_page", n);
		cJSON_AddStringToObject(c, "into", into->id);
		merged(w, c);
	} else {
		c = operation("update_page", n);
		write_text(c, with_line(w, body_of(w->f, n), 0, word(w, new_word(w, 'h'))));
		merged(w, c);
	}
}

/* ---- commits of the repository ---- */

struct toc {
	char    *lines[MOST_PAGES];
	size_t   n, first;       /* first: the first line that lists a page */
};

static void
toc_read(struct world *w, struct toc *t)
{
	char *text = output_of(w->f, "cat work/SUMMARY.md"), *line, *rest;

	t->n = 0;
	t->first = MOST_PAGES;
	for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		if (t->first == MOST_PAGES && strstr(line, "* [") != NULL)
			t->first = t->n;
		t->lines[t->n++] = line;
	}
	if (t->first > t->n)
		t->first = t->n;
}

static void
file_put(struct world *w, const char *path, const char *text)
{
	FILE *out = fopen(arena_printf(w->f->arena, "%s/work/%s", w->f->dir, path), "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void
toc_put(struct world *w, const struct toc *t)
{
	struct buf b;
	size_t i;

	buf_init(&b, w->f->arena, 1 << 20);
	for (i = 0; i < t->n; i++)
		buf_printf(&b, "%s\n%s", t->lines[i], i + 1 == t->first ? "\n" : "");
	file_put(w, "SUMMARY.md", b.p);
}

static size_t
indent(const char *line)
{
	return strspn(line, " ");
}

static void
toc_insert(struct toc *t, size_t at, char *line)
{
	memmove(&t->lines[at + 1], &t->lines[at], (t->n - at) * sizeof(t->lines[0]));
	t->lines[at] = line;
	t->n++;
}

static char *
toc_remove(struct toc *t, size_t at)
{
	char *line = t->lines[at];

	memmove(&t->lines[at], &t->lines[at + 1], (t->n - at - 1) * sizeof(t->lines[0]));
	t->n--;
	return line;
}

/* The file that a line of the table of contents names; NULL: none. */
static char *
file_of(struct world *w, const char *line)
{
	const char *p = strrchr(line, '(');

	return p == NULL ? NULL : arena_strndup(w->f->arena, p + 1, strcspn(p + 1, ")"));
}

static void
pushed(struct world *w, const char *what)
{
	assert_int_equal(run_in(w->f, "cd work && git add -A && git commit -q --allow-empty -m 'There: %s' && "
	    "git push -q origin HEAD:main", what), 0);
}

static void
new_file(struct world *w, struct toc *t, size_t at)
{
	unsigned i = new_word(w, 't');
	char *name = arena_printf(w->f->arena, "%s%u.md", rnd(&w->dice, 2) == 0 ? "" : "dir/file", i);
	size_t deep = at < t->first || t->n == t->first ? 0 : indent(t->lines[at]) + (rnd(&w->dice, 2) == 0 ? 2 : 0);

	file_put(w, name, arena_printf(w->f->arena, "# File %u\n\n%s\n", i, word(w, i)));
	toc_insert(t, t->n == t->first ? t->n : at + 1, arena_printf(w->f->arena, "%*s* [File %u](%s)", (int)deep, "", i, name));
	toc_put(w, t);
	pushed(w, "new");
}

static void
rename_file(struct world *w, struct toc *t, size_t at, const char *file)
{
	char *name = arena_printf(w->f->arena, "moved%u.md", new_word(w, 't')), *p;

	/* The word is used for the file name only and occurs in no text. */
	w->gone[w->words - 1] = true;
	assert_int_equal(run_in(w->f, "cd work && git mv '%s' %s", file, name), 0);
	p = strrchr(t->lines[at], '(');
	t->lines[at] = arena_printf(w->f->arena, "%.*s(%s)", (int)(p - t->lines[at]), t->lines[at], name);
	toc_put(w, t);
	pushed(w, "rename");
}

/* One commit to the repository. */
static void
away(struct world *w)
{
	struct toc t;
	unsigned what = rnd(&w->dice, 6);
	size_t at;
	char *file, *text;
	bool leaf;

	assert_int_equal(run_in(w->f, "cd work && git fetch -q && git reset -q --hard origin/main && mkdir -p dir"), 0);
	toc_read(w, &t);
	if (what == 1 || t.n == t.first) {
		new_file(w, &t, t.n == t.first ? 0 : t.first + rnd(&w->dice, (uint32_t)(t.n - t.first)));
		return;
	}
	at = t.first + rnd(&w->dice, (uint32_t)(t.n - t.first));
	file = file_of(w, t.lines[at]);
	text = output_of(w->f, "cat 'work/%s'", file);
	leaf = at + 1 == t.n || indent(t.lines[at + 1]) <= indent(t.lines[at]);
	if (what == 2 && leaf) {
		mark_gone(w, text);
		assert_int_equal(run_in(w->f, "cd work && git rm -q '%s' && mkdir -p dir", file), 0);
		toc_remove(&t, at);
		toc_put(w, &t);
		pushed(w, "delete");
	} else if (what == 3 && leaf && strstr(file, "README.md") == NULL) {
		rename_file(w, &t, at, file);
	} else if (what == 4 && leaf) {
		text = toc_remove(&t, at);
		toc_insert(&t, t.first + rnd(&w->dice, (uint32_t)(t.n - t.first + 1)), text + indent(text));
		toc_put(w, &t);
		pushed(w, "order");
	} else {
		file_put(w, file, with_line(w, text, 1, word(w, new_word(w, 't'))));
		pushed(w, "line");
	}
}

/* ---- runs ---- */

/* Merges the change request with the repository's text if that is possible, otherwise archives it. */
static void
decide(struct world *w)
{
	const char *request = state_of(w->f, &q_waiting, 0);
	struct merge_outcome out = { 0 };
	struct point p;
	struct stmt *q;
	int64_t branch;

	assert_non_null(request);
	db_begin(w->f->db, true);
	q = db_use(w->f->db, &q_request_branch);
	bind_text(q, ":id", request);
	branch = stmt_int(q, 0);
	db_commit(w->f->db);
	if (rnd(&w->dice, 2) == 0) {
		db_begin(w->f->db, true);
		assert_true(point_head(w->f->db, w->f->arena, branch, &p));
		request_merge(w->f->db, w->f->arena, &p, w->f->user, NULL, &out);
		if (out.clashes == NULL && out.revision != NULL) {
			request_merged(w->f->db, request, out.revision, w->f->user);
			db_commit(w->f->db);
			return;
		}
		db_rollback(w->f->db);
	}
	db_begin(w->f->db, true);
	request_set_status(w->f->db, request, "archived");
	db_commit(w->f->db);
}

static void
run(struct world *w)
{
	struct ended e = sync_now(w->f);

	if (strcmp(state_of(w->f, &q_state, 0), "conflict") == 0)
		decide(w);
	else
		done(e);
}

/* ---- invariants after a run ---- */

static void
describe(struct world *w, struct buf *b, struct page *p, unsigned depth)
{
	char *body;
	size_t n;

	for (; p != NULL; p = p->next) {
		body = p->node.body.n == 0 ? "" : body_of(w->f, &p->node);
		for (n = strlen(body); n > 0 && body[n - 1] == '\n'; n--)
			;
		buf_printf(b, "%*s== %s\n%.*s\n", (int)depth * 2, "", p->node.title, (int)n, body);
		describe(w, b, p->first, depth + 1);
	}
}

/* The pages in order, with their titles and texts. */
static char *
content(struct world *w)
{
	struct point p = head_of(w->f, w->f->branch);
	struct page *tree;
	struct buf b;
	size_t n;

	buf_init(&b, w->f->arena, 64 << 20);
	buf_str(&b, "");
	db_begin(w->f->db, false);
	tree = page_tree(w->f->db, w->f->arena, &p, &n);
	db_rollback(w->f->db);
	describe(w, &b, tree, 0);
	return b.p;
}

/* The text of all change requests, whatever their status. */
static char *
requests(struct world *w)
{
	struct stmt *q;
	struct str hash[MOST_WORDS * 4], s;
	struct buf b;
	size_t n = 0, i;

	buf_init(&b, w->f->arena, 64 << 20);
	buf_str(&b, "");
	db_begin(w->f->db, false);
	q = db_use(w->f->db, &q_request_bodies);
	bind_text(q, ":space", w->f->space);
	while (stmt_step(q) && n < sizeof(hash) / sizeof(hash[0]))
		hash[n++] = (struct str){ arena_strndup(w->f->arena, col_bytes(q, 0).p, col_bytes(q, 0).n), col_bytes(q, 0).n };
	for (i = 0; i < n; i++)
		if (blob_get(w->f->db, w->f->arena, hash[i], &s))
			buf_put(&b, s);
	db_rollback(w->f->db);
	return b.p;
}

static char *
tip(struct world *w)
{
	return output_of(w->f, "git -C repo.git rev-parse main");
}

/* The branch, imported into a new space, must equal main. */
static void
assert_equal_sides(struct world *w, const char *main)
{
	const char *space = w->f->space, *other;
	int64_t branch = w->f->branch;

	new_space(w->f);
	done(git_job(w->f, "import", "repo.git", "", ""));
	other = content(w);
	w->f->space = (char *)space;
	w->f->branch = branch;
	if (strcmp(main, other) != 0) {
		tell("here", main);
		tell("there", other);
		tell("history", history(w));
		fail_msg("the sides differ");
	}
}

static void
assert_nothing_lost(struct world *w, const char *main)
{
	const char *aside = requests(w);
	unsigned i;

	for (i = 0; i < w->words; i++) {
		if (w->gone[i] || strstr(main, word(w, i)) != NULL)
			continue;
		/* Text that lost a conflict is in the change request. */
		if (strstr(aside, word(w, i)) == NULL) {
			tell("here", main);
			tell("history", history(w));
			fail_msg("%s is lost", word(w, i));
		}
	}
}

static void
assert_settled(struct world *w)
{
	const char *main, *before;
	unsigned i;

	for (i = 0; i < 8; i++) {
		run(w);
		if (strcmp(state_of(w->f, &q_state, 0), "synchronized") == 0)
			break;
	}
	assert_string_equal(state_of(w->f, &q_state, 0), "synchronized");
	main = content(w);
	before = tip(w);
	done(sync_now(w->f));
	assert_string_equal(tip(w), before);
	assert_string_equal(content(w), main);
	assert_nothing_lost(w, main);
	assert_equal_sides(w, main);
	assert_int_equal(run_in(w->f, "git -C repo.git fsck --strict 2>&1 | grep -v dangling | grep -q . && exit 1; exit 0"), 0);
}

static void
random_writes_of_both_sides_arrive(void **state)
{
	uint64_t seed, end = seeds(5, &seed);
	struct world *w;
	unsigned i;

	for (; seed < end; seed++) {
		w = calloc(1, sizeof(*w));
		w->f = *state;
		w->dice = (struct rnd){ seed };
		print_message("seed %llu\n", (unsigned long long)seed);
		start_bound(w->f);
		for (i = 0; i < 14; i++)
			switch (rnd(&w->dice, 5)) {
			case 0: case 1: here(w); break;
			case 2: case 3: away(w); break;
			default:        run(w);
			}
		assert_settled(w);
		free(w);
	}
}

/* ---- runs that are killed ---- */

static int kill_at;       /* number of beginnings and ends of write transactions until the kill */

/* Runs in the process that will be killed. */
static int
count_down(unsigned type, void *unused, void *stmt, void *text)
{
	const char *sql = sqlite3_sql(stmt);

	(void)unused;
	(void)text;
	if (sql != NULL && strcmp(sql, type == SQLITE_TRACE_STMT ? "BEGIN IMMEDIATE" : "COMMIT") == 0 && --kill_at == 0)
		kill(getpid(), SIGKILL);
	return 0;
}

static int
watch(sqlite3 *db, char **error, const void *api)
{
	(void)error;
	(void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, count_down, NULL);
}

static void
open_db(struct fixture *f)
{
	const char *error = NULL;

	f->db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), 0, &(struct db_options){ .relaxed = true }, &error);
	assert_null(error);
}

/* A run in a separate process, killed at its k-th beginning or end of a write transaction; false: it had fewer. */
static bool
killed_run(struct fixture *f, int k)
{
	int status = 0;
	pid_t pid;

	/* A connection must not be used after a fork. */
	db_close(f->db);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		sqlite3_auto_extension((void (*)(void))watch);
		open_db(f);
		kill_at = k;
		sync_now(f);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	open_db(f);
	job_recover(f->db);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* Adds a line in the space, by a separate change request, and usually one in the repository. */
static void
a_line_each(struct world *w, unsigned i)
{
	struct node n = page_of(w->f, i % 2 == 0 ? "a" : "b");
	cJSON *c = operation("update_page", &n);
	char *file;

	write_text(c, arena_printf(w->f->arena, "%s\n\n%s", word(w, new_word(w, 'h')), body_of(w->f, &n)));
	merged(w, c);
	if (i % 3 == 2)
		return;
	file = i % 4 < 2 ? "a.md" : "b.md";
	assert_int_equal(run_in(w->f, "cd work && git fetch -q && git reset -q --hard origin/main && printf '\n%s\n' >>%s && "
	    "git commit -q -am 'There %u' && git push -q origin HEAD:main", word(w, new_word(w, 't')), file, i), 0);
}

static unsigned
times(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

static void
assert_once(struct world *w)
{
	const char *log = log_of(w->f), *main = content(w), *files = output_of(w->f, "cd repo.git && git show main:a.md main:b.md main:c.md");
	unsigned i;

	for (i = 0; i < w->words; i++) {
		assert_int_equal(times(main, word(w, i)), 1);
		assert_int_equal(times(files, word(w, i)), 1);
	}
	for (i = 1; strstr(log, arena_printf(w->f->arena, "OCTAVO-%u:", i)) != NULL; i++)
		assert_int_equal(times(log, arena_printf(w->f->arena, "OCTAVO-%u:", i)), 1);
}

/* Sanitizers make a run slow: only every fifth moment, alternately beginnings and ends. */
#ifdef __SANITIZE_ADDRESS__
enum { MOMENTS = 5 };
#else
enum { MOMENTS = 1 };
#endif

/* A run may be killed at any moment: the next one completes its work, with each line and each commit exactly once. */
static void
a_run_may_be_killed_anywhere(void **state)
{
	struct world w = { .f = *state };
	unsigned i;
	int k = 1;

	start_bound(w.f);
	for (i = 0;; i++, k += MOMENTS) {
		a_line_each(&w, i);
		if (!killed_run(w.f, k))
			break;
		done(sync_now(w.f));
		assert_once(&w);
	}
	print_message("%u moments of %d\n", i, k - 1);
	assert_true(k > 20);
	assert_settled(&w);
	assert_once(&w);
}

/* ---- races ---- */

static struct world *racer;    /* world whose repository gets a push in between; NULL: none */
static int           races;    /* pushes left */
static bool          noted;    /* a commit is recorded as pending, but not pushed yet */

/* Pushes to the repository after the run has recorded a commit and before it pushes it. */
static int
push_before(unsigned type, void *unused, void *stmt, void *text)
{
	const char *sql = sqlite3_sql(stmt);

	(void)unused;
	(void)text;
	if (type != SQLITE_TRACE_PROFILE || racer == NULL || races == 0 || sql == NULL)
		return 0;
	if (strstr(sql, "pending_paths, updated_at) VALUES") != NULL)
		noted = true;
	else if (noted && strcmp(sql, "COMMIT") == 0) {
		noted = false;
		races--;
		assert_int_equal(run_in(racer->f, "cd work && git fetch -q && git reset -q --hard origin/main && printf '\n%s\n' >>c.md && "
		    "git commit -q -am Quicker && git push -q origin HEAD:main", word(racer, new_word(racer, 't'))), 0);
	}
	return 0;
}

static int
watch_races(sqlite3 *db, char **error, const void *api)
{
	(void)error;
	(void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, push_before, NULL);
}

/*
 * A push that lost the race: the run fetches, merges and pushes again, a few times; then the job is
 * postponed with the reason, and succeeds later.
 */
static void
a_push_that_lost_is_made_again(void **state)
{
	struct world w = { .f = *state };
	struct ended e;

	db_close(w.f->db);
	sqlite3_auto_extension((void (*)(void))watch_races);
	open_db(w.f);
	sqlite3_cancel_auto_extension((void (*)(void))watch_races);
	start_bound(w.f);
	racer = &w;
	races = 2;
	a_line_each(&w, 0);
	done(sync_now(w.f));
	assert_int_equal(races, 0);
	assert_int_equal(times(log_of(w.f), "Quicker"), 2);
	assert_once(&w);
	a_line_each(&w, 1);
	races = 100;
	e = sync_now(w.f);
	assert_string_equal(e.state, "queued");
	assert_non_null(strstr(e.error, "moved again and again"));
	races = 0;
	job_recover(w.f->db);
	assert_settled(&w);
	racer = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_writes_of_both_sides_arrive, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_run_may_be_killed_anywhere, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_push_that_lost_is_made_again, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
