/* The job of a translation. Contract: jobs/translate.h. */
#include <cjson/cJSON.h>

#include "app/merge_rules.h"
#include "base/secret.h"
#include "jobs/translate.h"
#include "markdown/document.h"
#include "propagate/start_translations.h"
#include "search/search.h"
#include "store/order.h"
#include "store/redirect.h"
#include "translate_job.h"

/*
 * SCRATCH: for one page or one batch, reset after each. HOPELESS: fewer texts may all be names or
 * code, which an engine may leave as they are.
 */
enum { SCRATCH = 1 << 30, HOPELESS = 10 };
#define CANCELLED "cancelled"
#define TURN_OVER "another job has its turn"

/* The joins are left joins: if the space is gone, the row is still found, and the user gets that reason. */
SQL(q_translation,
    "SELECT t.org, t.source, t.source_language, t.language, t.instructions, t.automatic, t.result, t.revision, "
    "t.made_from, s.branch, s.deleted_at, r.edit_mode, r.deleted_at FROM translation t "
    "LEFT JOIN space s ON s.id = t.source AND s.org = t.org LEFT JOIN space r ON r.id = t.result WHERE t.id = :id");
/* In a fixed order, because the glossary is part of the cache key of all results (settings_key). */
SQL(q_glossary, "SELECT translations FROM glossary_entry WHERE org = :org ORDER BY created_at, id LIMIT 10000");
/* Results of earlier runs, by page, with their cache keys. */
SQL(q_known,
    "SELECT page, key, title, props, body, warnings FROM translation_page WHERE translation = :id ORDER BY page");
SQL(q_known_drop, "DELETE FROM translation_page WHERE translation = :id AND page = :page");
SQL(q_known_put,
    "INSERT INTO translation_page (translation, page, key, title, props, body, warnings) "
    "VALUES (:id, :page, :key, :title, :props, :body, :warnings) ON CONFLICT (translation, page) DO UPDATE SET "
    "key = excluded.key, title = excluded.title, props = excluded.props, body = excluded.body, "
    "warnings = excluded.warnings");
/* words and duration add up over all runs; the latest_ columns are those of this run. */
SQL(q_done,
    "UPDATE translation SET revision = :revision, made_from = :made_from, error = NULL, runs = runs + 1, "
    "words = words + :words, duration = duration + :duration, latest_words = :words, latest_pages = :latest_pages, "
    "latest_duration = :duration, pages = (SELECT count(*) FROM translation_page p WHERE p.translation = :id), "
    "updated_at = :now WHERE id = :id");
SQL(q_waiting,
    "SELECT c.number FROM translation t JOIN change_request c ON c.id = t.waiting AND c.status IN ('draft', 'open') "
    "WHERE t.id = :id");
SQL(q_waits, "UPDATE translation SET waiting = :request WHERE id = :id");
SQL(q_there, "SELECT 1 FROM translation WHERE id = :id");
SQL(q_failed, "UPDATE translation SET error = :error WHERE id = :id");
SQL(q_head, "SELECT b.head FROM space s JOIN branch b ON b.id = s.branch WHERE s.id = :space");

static bool
stop_run(struct translate_job *j, const char *error)
{
	j->error = error;
	return false;
}

/*
 * Reports progress. False: the translation was deleted or the job has to end; j->error is then
 * "cancelled", which end_badly() does not treat as a failure.
 */
static bool
report_step(struct translate_job *j, const char *stage, size_t done, size_t total)
{
	return job_progress(j->db, j->job->id, stage, (int64_t)done, (int64_t)total) || stop_run(j, CANCELLED);
}

/* Copies the column's bytes, which live only until the next step; p NULL if the column is NULL. */
static struct str
dup_bytes(struct arena *a, struct stmt *q, int column)
{
	struct str s = col_bytes(q, column);

	return s.p == NULL ? s : (struct str){ arena_strndup(a, s.p, s.n), s.n };
}

/* ---- look ---- */

/* The words of a document as JSON. */
static const char *
document_words(struct translate_job *j, const char *json)
{
	cJSON *root = cJSON_Parse(json);
	const char *where, *why;
	struct doc *d = root == NULL ? NULL : doc_read(j->arena, root, &where, &why);
	struct doc_section *s;
	struct buf b;
	size_t n = 0, i;

	buf_init(&b, j->arena, 64 << 20);
	s = d == NULL ? NULL : doc_sections(j->arena, d, &n);
	for (i = 0; i < n; i++) {
		if (s[i].heading != NULL)
			buf_printf(&b, "%s\n", s[i].heading);
		buf_printf(&b, "%s\n", s[i].text);
	}
	cJSON_Delete(root);
	return b.n == 0 ? "" : str_trim(buf_view(&b)).n == 0 ? "" : b.p;
}

/*
 * Fills j->terms, which are cut out of texts, and j->glossary, the same terms as JSON for the
 * engine.
 */
static void
read_glossary(struct translate_job *j)
{
	struct stmt *q = db_use(j->db, &q_glossary);
	const char *from, *to;
	struct json out;
	struct buf b;
	cJSON *all;

	buf_init(&b, j->arena, 64 << 20);
	json_init(&out, &b);
	json_obj(&out);
	bind_text(q, ":org", j->org);
	while (stmt_step(q)) {
		all = cJSON_Parse(col_text(q, 0));
		from = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(all, j->from));
		to = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(all, j->to));
		/*
		 * Skip entries without a term in both languages; glossary_add() refuses duplicates.
		 */
		if (from != NULL && to != NULL && *from != '\0' && glossary_add(j->arena, &j->terms,
		    str_of(arena_strdup(j->arena, from)), str_of(arena_strdup(j->arena, to))))
			json_kstr(&out, from, to);
		cJSON_Delete(all);
	}
	json_end(&out);
	j->glossary = j->terms == NULL ? "" : b.p;
}

/* Reads the row of q; false: the translation cannot run. */
static bool
read_row(struct translate_job *j, struct stmt *q)
{
	j->org = col_dup(q, 0, j->arena);
	j->source = col_dup(q, 1, j->arena);
	j->from = col_dup(q, 2, j->arena);
	j->to = col_dup(q, 3, j->arena);
	j->automatic = col_int(q, 5) != 0;
	j->result = col_dup(q, 6, j->arena);
	j->ran = !col_null(q, 7);
	/*
	 * n 0 if the last run left texts untranslated: that equals no key, so the next run
	 * translates again.
	 */
	j->last_key = dup_bytes(j->arena, q, 8);
	/*
	 * The join includes the organization, so a space that was transferred to another one is not
	 * found.
	 */
	if (col_null(q, 9) || !col_null(q, 10))
		return stop_run(j, "the source space is deleted, or in another organization");
	if (col_null(q, 11) || !col_null(q, 12))
		return stop_run(j, "the space of the result is deleted: restore it, or delete the translation and make another");
	if (strcmp(col_text(q, 11), "locked") == 0)
		return stop_run(j, "the space of the result is locked: its content cannot be changed");
	j->instructions = col_dup(q, 4, j->arena);
	point_head(j->db, j->arena, col_int(q, 9), &j->point);
	return true;
}

/*
 * Checks that no change request of an earlier run is open; false: one is. A second one would only
 * conflict with the first, and the upstream branch is ahead of main while it waits.
 */
static bool
check_rules(struct translate_job *j)
{
	struct stmt *q = db_use(j->db, &q_waiting);
	int64_t number;

	j->as_request = !primary_is_open(j->db, j->result, j->job->user);
	bind_text(q, ":id", j->id);
	number = stmt_int(q, 0);
	return number == 0 || stop_run(j, arena_printf(j->arena, "change request %lld holds a translation that "
	    "waits for you: merge it, or archive it to keep what is here", (long long)number));
}

/* False: *gone is set if the translation does not exist any more; otherwise j->error. */
static bool
read_translation(struct translate_job *j, bool *gone)
{
	const char *why = NULL;
	struct stmt *q;
	bool ok;

	db_begin(j->db, false);
	q = db_use(j->db, &q_translation);
	bind_text(q, ":id", j->id);
	/* A separate result, since a translation that is gone has no row for an error. */
	*gone = !stmt_step(q);
	ok = !*gone && read_row(j, q) && check_rules(j);
	if (ok)
		read_glossary(j);
	db_rollback(j->db);
	if (!ok)
		return false;
	j->instructions = document_words(j, j->instructions);
	if (!engine_find(j->arena, j->from, j->to, &j->engine, &why))
		return stop_run(j, why);
	/*
	 * The memory's key does not include the glossary: terms are cut out before texts are sent,
	 * so a new term does not invalidate all answers.
	 */
	j->context = memory_context(j->arena, j->from, j->to, j->engine.name, j->instructions, "");
	j->settings_key = memory_context(j->arena, j->from, j->to, j->engine.name, j->instructions, j->glossary);
	/*
	 * One cache key over all inputs: if it is equal, the result is the same and nothing has to
	 * be done.
	 */
	j->run_key = memory_key(j->arena, j->settings_key, str_of(j->point.revision));
	return true;
}

/* ---- collect ---- */

struct known_page {
	struct str  key, body;
	const char *title, *props, *warnings;
};

/* Reads all rows at once: some thousand pages, with hashes instead of bodies. */
static struct map *
read_known(struct translate_job *j)
{
	struct stmt *q = db_use(j->db, &q_known);
	struct map *m = map_new(j->arena);
	struct known_page *k;

	bind_text(q, ":id", j->id);
	while (stmt_step(q)) {
		k = arena_alloc(j->arena, sizeof(*k));
		*k = (struct known_page){ dup_bytes(j->arena, q, 1), dup_bytes(j->arena, q, 4), col_dup(q, 2, j->arena),
			col_dup(q, 3, j->arena), col_dup(q, 5, j->arena) };
		map_add(m, str_of(col_dup(q, 0, j->arena)), k);
	}
	return m;
}

/*
 * Cache key of a node: its texts, and the settings of the translation. It does not include the
 * place in the tree, so a page that moved is not translated again.
 */
static struct str
translation_key(struct translate_job *j, const struct node *n)
{
	const char *body = n->body.n > 0 ? hex(j->arena, n->body) : "";

	return memory_key(j->arena, j->settings_key,
	    str_of(arena_printf(j->arena, "%d\n%s\n%s\n%s", (int)n->kind, n->title, n->props, body)));
}

/* Adds an item and decides whether it has to be translated. j->items must have room. */
static void
add_item(struct translate_job *j, const struct node *n, struct map *known)
{
	struct item *i = &j->items[j->n++];
	const struct known_page *k = map_get(known, str_of(n->id));

	*i = (struct item){ .node = *n };
	i->last_warning = &i->warnings;
	map_add(j->by_id, str_of(n->id), i);
	/* These nodes are copied as they are; key.n 0 marks them. */
	if ((n->kind & (NODE_FILE | NODE_SETTING)) != 0)
		return;
	i->key = translation_key(j, n);
	i->fresh = k == NULL || !str_eq(k->key, i->key);
	/* A page that is not fresh keeps its old texts, even if the memory has others by now. */
	if (k == NULL || i->fresh)
		return;
	i->title = k->title;
	i->props = k->props;
	i->hash = k->body;
	i->old_warnings = k->warnings;
}

/* A read transaction for each page: collecting may take long, and reading blocks no writer. */
static bool
collect_pages(struct translate_job *j)
{
	struct arena *scratch = arena_within(j->arena, SCRATCH);
	struct map *known;
	struct node *list;
	size_t n, i;

	db_begin(j->db, false);
	known = read_known(j);
	list = node_list(j->db, j->arena, &j->point, NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &n);
	db_rollback(j->db);
	j->items = arena_array(j->arena, n, sizeof(*j->items));
	for (i = 0; i < n; i++)
		/*
		 * Order marks and redirects are rows without content, of the source's own history.
		 */
		if (!order_is_mark(list[i].id) && !redirect_is(list[i].id))
			add_item(j, &list[i], known);
	for (i = 0; i < j->n; i++) {
		if (!j->items[i].fresh)
			continue;
		/* Each report is a write transaction, so one for a hundred pages. */
		if (i % 100 == 0 && !report_step(j, "reading", i, j->n))
			return false;
		db_begin(j->db, false);
		translate_collect(j, &j->items[i], scratch);
		db_rollback(j->db);
		arena_reset(scratch);
	}
	return true;
}

/* ---- translation ---- */

static bool
should_continue(void *ctx)
{
	struct translate_job *j = ctx;

	return report_step(j, "translating", j->answered, j->queued_n);
}

/*
 * Stores the answers of a batch. False: none of so many texts was translated, so the engine does
 * not work.
 */
static bool
store_answers(struct translate_job *j, struct source_text **batch, const struct engine_batch *b)
{
	size_t i, usable = 0;

	db_begin(j->db, true);
	for (i = 0; i < b->n; i++) {
		/*
		 * The engine's answer was unusable: the text stays in its own language, with a
		 * warning (translate_text()).
		 */
		if (b->out[i].p == NULL)
			continue;
		batch[i]->answer = (struct str){ arena_strndup(j->arena, b->out[i].p, b->out[i].n), b->out[i].n };
		memory_put(j->db, j->org, batch[i]->key, batch[i]->answer);
		usable++;
	}
	db_commit(j->db);
	j->answered += b->n;
	return usable > 0 || b->n < HOPELESS || stop_run(j, arena_printf(j->arena,
	    "\"%.200s\" gave no usable answer to any of %zu texts", j->engine.name, b->n));
}

/* Marks the answers that the memory had as used, so that they are kept. */
static void
note_used(struct translate_job *j)
{
	const struct source_text *k;

	/* The usual case: save the write transaction. */
	if (j->used == NULL)
		return;
	db_begin(j->db, true);
	for (k = j->used; k != NULL; k = k->next) {
		memory_used(j->db, j->org, k->key);
		db_breathe(j->db);
	}
	db_commit(j->db);
}

/* Takes texts until a batch is full; returns the first of the rest. */
static struct source_text *
fill_batch(const struct engine *e, struct source_text *k, struct source_text **batch, struct str *texts, size_t *n)
{
	size_t bytes = 0;

	for (*n = 0; k != NULL && *n < e->texts && (*n == 0 || bytes + k->text.n <= e->bytes); k = k->next) {
		bytes += k->text.n + 2;
		texts[*n] = k->text;
		batch[(*n)++] = k;
	}
	return k;
}

static bool
ask_engine(struct translate_job *j)
{
	struct arena *scratch = arena_within(j->arena, SCRATCH);
	/* The largest possible batch; all batches use these arrays. */
	size_t most = j->queued_n < j->engine.texts ? j->queued_n : j->engine.texts;
	struct source_text *k = j->queued, **batch = arena_array(j->arena, most, sizeof(struct source_text *));
	struct str *texts = arena_array(j->arena, most, sizeof(*texts)), *out = arena_array(j->arena, most, sizeof(*out));
	struct engine_batch b = { .set = j->set, .texts = texts, .out = out, .instructions = j->instructions,
		.glossary = j->glossary, .tick = should_continue, .ctx = j };
	const char *why;

	note_used(j);
	while (k != NULL) {
		if (!should_continue(j))
			return false;
		k = fill_batch(&j->engine, k, batch, texts, &b.n);
		/* NULL means no answer: clear the answers of the batch before. */
		memset(out, 0, b.n * sizeof(*out));
		if (!engine_ask(scratch, &j->engine, &b, &why))
			return stop_run(j, j->error != NULL ? j->error : arena_strdup(j->arena, why));
		if (!store_answers(j, batch, &b))
			return false;
		arena_reset(scratch);
		/* The memory now has all answers so far; the next turn translates the rest. */
		if (k != NULL && job_turn_over(j->db, j->job))
			return stop_run(j, TURN_OVER);
	}
	return true;
}

/*
 * Call it when all answers are there: pages share texts, so no page is complete before the last
 * batch.
 */
static bool
apply_answers(struct translate_job *j)
{
	struct arena *scratch = arena_within(j->arena, SCRATCH);
	size_t i;

	for (i = 0; i < j->n; i++) {
		if (!j->items[i].fresh)
			continue;
		if (i % 100 == 0 && !report_step(j, "writing", i, j->n))
			return false;
		db_begin(j->db, false);
		translate_apply(j, &j->items[i], scratch);
		db_rollback(j->db);
		arena_reset(scratch);
	}
	return true;
}

/* ---- the end ---- */

/*
 * A page that is not fresh keeps the warnings of the run that translated it, plus those of the
 * merge.
 */
static const char *
warnings_json(struct translate_job *j, const struct item *i)
{
	const struct warning *w;
	struct json out;
	struct buf b;
	cJSON *old, *one;

	if (i->warnings == NULL)
		return i->old_warnings;
	buf_init(&b, j->arena, 16 << 20);
	json_init(&out, &b);
	json_arr(&out);
	old = i->old_warnings == NULL ? NULL : cJSON_Parse(i->old_warnings);
	cJSON_ArrayForEach(one, old)
		json_str(&out, one->valuestring);
	for (w = i->warnings; w != NULL; w = w->next)
		json_str(&out, w->message);
	json_end(&out);
	cJSON_Delete(old);
	return b.p;
}

/*
 * In the publishing transaction. Deletes the rows of pages that the source lost; does not write
 * unchanged ones again.
 */
static void
write_known(struct translate_job *j)
{
	struct stmt *q;
	struct known_id { struct known_id *next; const char *id; } *gone = NULL, *g;
	size_t i;

	q = db_use(j->db, &q_known);
	bind_text(q, ":id", j->id);
	while (stmt_step(q)) {
		const struct item *now = map_get(j->by_id, str_of(col_text(q, 0)));
		if (now != NULL && now->key.n > 0)
			continue;
		g = arena_alloc(j->arena, sizeof(*g));
		*g = (struct known_id){ gone, col_dup(q, 0, j->arena) };
		gone = g;
	}
	for (g = gone; g != NULL; g = g->next) {
		q = db_use(j->db, &q_known_drop);
		bind_text(q, ":id", j->id);
		bind_text(q, ":page", g->id);
		stmt_run(q);
	}
	for (i = 0; i < j->n; i++) {
		const struct item *x = &j->items[i];
		if (x->key.n == 0 || (!x->fresh && x->warnings == NULL))
			continue;
		q = db_use(j->db, &q_known_put);
		bind_text(q, ":id", j->id);
		bind_text(q, ":page", x->node.id);
		/* "" matches no key: the next run translates the page again. */
		bind_blob(q, ":key", x->unanswered ? STR("") : x->key);
		bind_text(q, ":title", x->title);
		bind_text(q, ":props", x->props);
		bind_blob(q, ":body", x->hash);
		bind_text(q, ":warnings", warnings_json(j, x));
		stmt_run(q);
	}
}

/* False: the translation was deleted meanwhile. */
static bool
complete_run(struct translate_job *j, const char *revision, const char *result)
{
	int64_t now = time_now();
	struct stmt *q = db_use(j->db, &q_there);

	bind_text(q, ":id", j->id);
	if (stmt_int(q, 0) == 0)
		return false;
	write_known(j);
	q = db_use(j->db, &q_done);
	bind_text(q, ":revision", revision);
	bind_blob(q, ":made_from", j->unanswered ? (struct str){ NULL, 0 } : j->run_key);
	bind_int(q, ":words", j->words);
	bind_int(q, ":latest_pages", j->pages);
	bind_int(q, ":duration", now - j->started);
	bind_int(q, ":now", now);
	bind_text(q, ":id", j->id);
	stmt_run(q);
	job_end(j->db, j->job->id, "done", NULL, result);
	/* The source may have changed while this ran. */
	q = db_use(j->db, &q_head);
	bind_text(q, ":space", j->source);
	/* A change during this run found a running job of the translation and queued none. */
	if (j->automatic && stmt_int(q, j->point.seq) != j->point.seq)
		translation_queue(j->db, j->arena, j->id);
	return true;
}

static void
remember_request(struct translate_job *j, const char *request)
{
	struct stmt *q = db_use(j->db, &q_waits);

	bind_text(q, ":request", request);
	bind_text(q, ":id", j->id);
	stmt_run(q);
}

/* The last call in the publishing transaction; if it returns false, the transaction is rolled back. */
static bool
commit_run(void *ctx, const struct upstream_result *out)
{
	struct translate_job *j = ctx;

	const char *request, *more = "";

	/* An engine may take hours. */
	if (!j->as_request && !primary_is_open(j->db, j->result, j->job->user))
		return stop_run(j, "merge rules were added meanwhile that ask for a change request: run the translation again");
	request = !j->as_request ? NULL : upstream_request(j->db, j->arena, &j->view, NULL, out, j->job->user,
	    arena_printf(j->arena, "Translation into %s", j->to));
	if (request != NULL) {
		remember_request(j, request);
		more = arena_printf(j->arena, ",\"changeRequest\":\"%s\"", request);
	}
	return complete_run(j, out->revision, arena_printf(j->arena, "{\"revision\":\"%s\",\"pages\":%lld,\"asked\":%zu%s}",
	    out->revision, (long long)j->pages, j->queued_n, more)) || stop_run(j, "the translation was deleted");
}

static bool
report_alive(void *ctx, const char *stage, size_t done, size_t total)
{
	return report_step(ctx, stage, done, total);
}

/*
 * Publishes the result as if the source were its upstream: corrections by people are main's side of
 * the merge.
 */
static bool
publish_result(struct translate_job *j)
{
	struct upstream_task task = { .author = j->job->user, .whole = true, .both = translate_both, .as_request = j->as_request,
		.commit = commit_run, .alive = report_alive, .ctx = j };
	struct upstream_result out;

	db_begin(j->db, false);
	/*
	 * Bodies of fresh pages are in memory by now; publishing waits for no engine and no file.
	 */
	task.list = translate_wanted(j);
	task.n = j->n;
	upstream_view(j->db, j->arena, j->result, &j->view);
	db_rollback(j->db);
	switch (upstream_take(j->db, j->arena, &j->view, &task, &out)) {
	case UPSTREAM_DONE:
		return true;
	/* The job is not tried again: the next run finds all answers in the memory and costs little. */
	case UPSTREAM_BUSY:
		return stop_run(j, "other changes to the space of the result came in between too often: run the translation again");
	default:
		return stop_run(j, j->error != NULL ? j->error : out.error != NULL ? out.error : "the result cannot be written");
	}
}

/* True if no input changed. Then there is nothing to do, and the result stays as it is. */
static bool
is_unchanged(struct translate_job *j)
{
	struct stmt *q;
	const char *revision;

	/* It was never complete, or an input differs. */
	if (!j->ran || !str_eq(j->last_key, j->run_key))
		return false;
	db_begin(j->db, true);
	q = db_use(j->db, &q_translation);
	bind_text(q, ":id", j->id);
	revision = stmt_step(q) ? col_dup(q, 7, j->arena) : NULL;
	/* No pages were read, so the stored pages stay as they are. */
	q = db_use(j->db, &q_done);
	bind_text(q, ":revision", revision);
	bind_blob(q, ":made_from", j->run_key);
	bind_int(q, ":words", 0);
	bind_int(q, ":latest_pages", 0);
	bind_int(q, ":duration", time_now() - j->started);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", j->id);
	stmt_run(q);
	job_end(j->db, j->job->id, "done", NULL, "{\"skipped\":\"unchanged\"}");
	db_commit(j->db);
	return true;
}

/* Ends the job with j->error; the result keeps the content of the last run. */
static void
end_badly(struct translate_job *j, bool gone)
{
	bool stopped = gone || strcmp(j->error, CANCELLED) == 0;
	struct stmt *q;

	if (!gone && strcmp(j->error, TURN_OVER) == 0) {
		job_give_turn(j->db, j->job->id);
		return;
	}
	db_begin(j->db, true);
	q = db_use(j->db, &q_failed);
	bind_text(q, ":error", j->error);
	bind_text(q, ":id", j->id);
	stmt_run(q);
	job_end(j->db, j->job->id, stopped ? "cancelled" : "failed", gone ? "the translation was deleted" : j->error, "{}");
	db_commit(j->db);
}

void
translate_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	cJSON *args = cJSON_Parse(job->args);
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(args, "translation"));
	struct translate_job *j = arena_alloc(a, sizeof(*j));
	bool gone = true;

	*j = (struct translate_job){ .db = db, .arena = a, .set = set, .job = job, .started = time_now(),
		.id = arena_strdup(a, id != NULL ? id : ""), .texts = map_new(a), .by_id = map_new(a) };
	j->last_queued = &j->queued;
	cJSON_Delete(args);
	if (!read_translation(j, &gone))
		end_badly(j, gone);
	else if (!is_unchanged(j) && !(collect_pages(j) && ask_engine(j) && apply_answers(j) && publish_result(j)))
		end_badly(j, false);
	search_sweep(db, a, job->space);
}
