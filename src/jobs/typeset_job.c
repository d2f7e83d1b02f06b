/*
 * Highlights code and typesets formulas of published spaces before the first reader comes.
 *
 * Each published space has a schedule "typeset:SPACE" (api/sites/site_rows.c), which propagate
 * makes due when the space changes. The job renders the pages that have changed since the last job,
 * without a limit of time, and discards the HTML. What remains are entries of typeset's cache
 * (typeset/typeset.h), which octavo-site finds by the same keys. args of the schedule, {"seq",
 * "build", "cache"}, record what is done. Another build makes other keys, so the job then starts
 * from the beginning. So it does for a cache with another mark, since a restored or imported
 * database comes without a cache, and an admin may delete the cache. At its end the job queues a
 * job for the space's pictures (jobs/variants.h).
 */
#include <cjson/cJSON.h>

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/build.h"
#include "base/file.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/str.h"
#include "computed/computed.h"
#include "jobs/typeset.h"
#include "jobs/variants.h"
#include "markdown/document.h"
#include "render/render.h"
#include "store/content.h"
#include "typeset/typeset.h"

/*
 * PAGE_MS: time limit for the texts of one page. REPORT_MS, REPORT_PAGES: progress is recorded, and
 * cancellation checked, after this time or this number of pages.
 */
enum { PAGE_MAX = 256 << 20, PAGE_ARENA = 512 << 20, PAGE_MS = 20 * 60 * 1000, REPORT_MS = 1000, REPORT_PAGES = 64 };

SQL(q_branch,
    "SELECT s.branch FROM space s WHERE s.id = :space AND s.deleted_at IS NULL AND EXISTS (SELECT 1 FROM site_space x "
    "JOIN site t ON t.id = x.site WHERE x.space = s.id AND t.published_at IS NOT NULL)");
SQL(q_changed,
    "SELECT id, kind FROM node WHERE branch = :branch AND since > :seq AND until = " SQL_FOREVER " AND kind IN ('document', 'computed', 'reusable')");

struct colours {
	struct db             *db;
	struct arena          *arena;     /* of the page under way */
	const struct settings *set;
	const struct job      *job;
	struct typeset         typeset;   /* has the time limit of one page, so that no page uses up the time of another */
	int64_t                pages;
	int64_t                reported_at;      /* when progress was recorded last, in ms of time_steady() */
};

static struct str
highlight_code(void *ctx, const char *syntax, struct str source)
{
	struct colours *c = ctx;

	assert(!db_in_transaction(c->db));
	return typeset_code(&c->typeset, c->arena, syntax, source);
}

static struct str
set_formula(void *ctx, const char *formula, bool display)
{
	struct colours *c = ctx;

	assert(!db_in_transaction(c->db));
	return typeset_math(&c->typeset, c->arena, formula, display);
}

/* Descriptions in a specification are Markdown, which may contain code. */
static const struct cJSON *
parse_description(void *ctx, const char *text)
{
	struct colours *c = ctx;
	struct str json = doc_json_of(c->arena, str_of(text));

	return cJSON_ParseWithLength(json.p, json.n);
}

static void
typeset_document(struct colours *c, struct str json)
{
	struct render_env env = { .code = highlight_code, .math = set_formula, .markdown = parse_description, .ctx = c, .frames = "" };
	struct rendering made;
	struct buf out;

	buf_init(&out, c->arena, PAGE_MAX);
	render_document(c->arena, &out, cJSON_ParseWithLength(json.p, json.n), &env, &made);
	c->pages++;
}

struct documents {
	struct str *list;
	size_t      n, room;
};

static void
add_document(struct colours *c, struct documents *d, struct str json)
{
	if (json.p == NULL)
		return;
	d->list = arena_grow(c->arena, d->list, d->n, &d->room, sizeof(*d->list));
	d->list[d->n++] = json;
}

/* Adds the documents of the pages to which a computed page expands. */
static void
read_computed(struct colours *c, const struct point *p, const char *id, struct documents *d)
{
	const struct page *page;
	struct node n;

	if (!node_get(c->db, c->arena, p, id, &n))
		return;
	for (page = computed_siblings(c->db, c->arena, p, arena_printf(c->arena, "%s-", id)); page != NULL; page = page->next)
		if (strcmp(computed_row(c->arena, page->node.id), id) == 0)
			add_document(c, d, computed_document(c->db, c->arena, (const struct computed_page *)page));
}

static void
read_page(struct colours *c, const struct point *p, const char *id, struct documents *d)
{
	struct node n;
	struct str json;

	if (!node_get(c->db, c->arena, p, id, &n) || n.body.n == 0)
		return;
	json = document_of(c->db, c->arena, p, &n).json;
	add_document(c, d, computed_fill(c->db, c->arena, p, document_dereferenced(c->db, c->arena, p, n.id, json)));
}

/*
 * Each page has its own memory. Its transaction ends before its code is highlighted: that may take
 * minutes, and SQLite's log cannot be emptied while a transaction is open.
 */
static void
typeset_page(struct colours *c, const struct point *p, const char *id, bool computed)
{
	struct documents d = { 0 };

	c->arena = arena_new(PAGE_ARENA);
	c->typeset = (struct typeset){ .dir = c->set->dir, .limit_ms = PAGE_MS };
	json_arena(c->arena);
	db_begin(c->db, false);
	(computed ? read_computed : read_page)(c, p, id, &d);
	db_rollback(c->db);
	for (size_t i = 0; i < d.n; i++)
		typeset_document(c, d.list[i]);
	json_arena(NULL);
	arena_free(c->arena);
}

struct changed {
	char *id;
	bool  computed;
};

/*
 * Lists the ids of pages that have changed since a revision. False: the space is not published any
 * more.
 */
static bool
list_changed(struct colours *c, struct arena *a, int64_t seq, struct point *now, struct changed **out, size_t *count)
{
	struct stmt *q;
	size_t room = 0;
	bool published;

	*out = NULL;
	*count = 0;
	db_begin(c->db, false);
	q = db_use(c->db, &q_branch);
	bind_text(q, ":space", c->job->space);
	published = stmt_step(q) && point_head(c->db, a, col_int(q, 0), now);
	q = db_use(c->db, &q_changed);
	bind_int(q, ":branch", published ? now->branch : 0);
	bind_int(q, ":seq", seq);
	while (published && stmt_step(q)) {
		*out = arena_grow(a, *out, *count, &room, sizeof(**out));
		(*out)[(*count)++] = (struct changed){ col_dup(q, 0, a), strcmp(col_text(q, 1), "computed") == 0 };
	}
	db_rollback(c->db);
	return published;
}

/*
 * A random text, stored in the cache's folder. If the cache was deleted, so was the mark, and a new
 * one is made. "": it cannot be read or written.
 */
static const char *
cache_mark(struct arena *a, const char *dir)
{
	const char *folder = arena_printf(a, "%s/cache/typeset", dir), *path = arena_printf(a, "%s/mark", folder);
	struct str mark;
	FILE *f;

	if (file_read(a, path, &mark) && mark.n > 0)
		return mark.p;
	mark = str_of(secret_id(a));
	folder_make(AT_FDCWD, arena_printf(a, "%s/cache", dir), DATA_FOLDER);
	mkdir(folder, 0700);
	if ((f = fopen(path, "we")) == NULL)
		return "";
	fputs(mark.p, f);
	return fclose(f) == 0 ? mark.p : "";
}

/* The revision up to which this build has filled this cache; 0: none. */
static int64_t
done_before(struct arena *a, const struct job *job, const char *mark)
{
	const cJSON *args;
	int64_t seq = 0;

	json_arena(a);
	args = cJSON_Parse(job->args);
	if (strcmp(json_text_or_empty(args, "build"), octavo_build) == 0 && strcmp(json_text_or_empty(args, "cache"), mark) == 0)
		seq = (int64_t)json_number_of(args, "seq", 0);
	json_arena(NULL);
	return seq;
}

/*
 * Ends the job and records in its schedule what is done. seq < 0: the space is not published, so
 * the schedule is removed.
 */
static void
end_done(struct colours *c, struct arena *a, int64_t seq, const char *mark)
{
	const char *id = arena_printf(a, "typeset:%s", c->job->space);
	const char *args = arena_printf(a, "{\"seq\":%lld,\"build\":\"%s\",\"cache\":\"%s\"}", (long long)seq, octavo_build, mark);

	db_begin(c->db, true);
	if (seq < 0)
		schedule_drop(c->db, id);
	else
		schedule_note(c->db, id, args);
	job_end(c->db, c->job->id, "done", NULL, arena_printf(a, "{\"pages\":%lld}", (long long)c->pages));
	db_commit(c->db);
}

/* Entries made so far are kept, so the next job of the space finds them. */
static void
end_cancelled(struct colours *c)
{
	db_begin(c->db, true);
	job_end(c->db, c->job->id, "cancelled", NULL, NULL);
	db_commit(c->db);
}

/* Records the progress from time to time. False: the job was cancelled. */
static bool
report_progress(struct colours *c, size_t done, size_t count)
{
	int64_t now = time_steady();

	if (done % REPORT_PAGES != 0 && now - c->reported_at < REPORT_MS)
		return true;
	c->reported_at = now;
	return job_progress(c->db, c->job->id, "typesetting", (int64_t)done, (int64_t)count);
}

void
typeset_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct colours c = { .db = db, .set = set, .job = job };
	const char *mark = cache_mark(a, set->dir);
	int64_t seq = done_before(a, job, mark);
	struct changed *list;
	struct point now;
	size_t count;
	bool published = true, cancelled = false;

	/*
	 * Pages that change meanwhile are rendered in another round, since the schedule queues no
	 * job while this one runs.
	 */
	while (!cancelled && (published = list_changed(&c, a, seq, &now, &list, &count)) && now.seq > seq) {
		for (size_t i = 0; i < count && !cancelled; i++) {
			if (report_progress(&c, i, count))
				typeset_page(&c, &now, list[i].id, list[i].computed);
			else
				cancelled = true;
		}
		seq = now.seq;
	}
	typeset_end();
	if (published && !cancelled)
		variants_queue(db, a, set->dir, job->space);
	if (cancelled)
		end_cancelled(&c);
	else
		end_done(&c, a, published ? seq : -1, mark);
}
