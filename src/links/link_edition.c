/*
 * Editions of a branch's links: one is made in short transactions before the revision that uses it
 * is published, and the old one is deleted in short transactions afterwards.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/panic.h"
#include "base/sort.h"
#include "link_parts.h"

/*
 * CHUNK bounds the pages and, roughly, the links written in one transaction; DROP the rows that one
 * step deletes.
 */
enum { CHUNK = 500, DROP = 1000 };

SQL(q_target_add,
    "INSERT INTO link_target (edition, key, kind, node, anchor, url, status, links) "
    "VALUES (:e, :key, :kind, :node, :anchor, :url, :status, 0)");
SQL(q_link_add,
    "INSERT INTO link (edition, source, n, target, line, spelling, tried) "
    "VALUES (:e, :source, :n, :target, :line, :spelling, :tried)");
SQL(q_links_of_target, "UPDATE link_target SET links = :n WHERE id = :id");
SQL(q_count_add,
    "INSERT INTO link_count (edition, status, targets, links) VALUES (:e, :status, :targets, :links)");
/* At most one edition of a branch is shown: links_show() hides the old one first. */
SQL(q_hide, "UPDATE link_edition SET shown = 0 WHERE branch = :branch AND shown = 1");
SQL(q_show, "UPDATE link_edition SET shown = 1 WHERE no = :e");
SQL(q_hidden, "SELECT min(no) FROM link_edition WHERE branch = :branch AND shown = 0");
SQL(q_former,
    "SELECT min(e.no) FROM link_edition e WHERE e.branch = :branch AND e.shown = 0 "
    "AND e.no < (SELECT s.no FROM link_edition s WHERE s.branch = :branch AND s.shown = 1)");
SQL(q_of_space,
    "SELECT b.id FROM branch b WHERE b.space = :space AND b.kind = 'main' "
    "AND EXISTS (SELECT 1 FROM link_edition e WHERE e.branch = b.id)");
SQL(q_some_links,
    "SELECT source, n FROM link WHERE edition = :e ORDER BY source, n LIMIT :limit");
SQL(q_link_drop, "DELETE FROM link WHERE edition = :e AND source = :source AND n = :n");
SQL(q_some_targets, "SELECT id FROM link_target WHERE edition = :e LIMIT :limit");
SQL(q_target_drop, "DELETE FROM link_target WHERE id = :id");
SQL(q_counts_drop, "DELETE FROM link_count WHERE edition = :e");
SQL(q_edition_drop, "DELETE FROM link_edition WHERE no = :e");

/* ---- making one ---- */

/*
 * A target of the edition that is being made. id 0: it has no row yet. It stays in memory for the
 * whole edition, so it holds only what the counts need.
 */
struct edition_target {
	struct edition_target     *next;
	int64_t          id, links;
	enum link_status status;
};

/* A node whose links were read in this chunk; seen is allocated from the scratch arena. */
struct source {
	const char       *id;
	struct parsed_link *seen;
	size_t            count;
};

struct edition_build {
	struct db    *db;
	struct arena *arena;         /* of the whole edition */
	struct arena *scratch;       /* of one chunk of sources */
	struct point  point;
	int64_t       edition;
	struct page_places places;
	struct map   *targets;       /* key -> struct edition_target */
	struct edition_target  *first;
	struct source sources[CHUNK];
	size_t        n;
};

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/*
 * Reads the links of the next sources and the status of their targets. A chunk is bounded by links
 * as well as by pages: a page may have a thousand links. Parsing and resolving happen here, without
 * a lock; each target is judged once for the whole edition.
 */
static size_t
read_chunk(struct edition_build *m, const struct node *list, size_t n)
{
	struct edition_target **at;
	size_t i, k, links = 0;

	db_begin(m->db, false);
	for (i = 0; i < n && i < CHUNK && links < CHUNK; i++) {
		struct source *s = &m->sources[i];
		s->id = list[i].id;
		s->seen = link_read(m->db, m->scratch, &m->point, &m->places, &list[i], &s->count);
		links += s->count;
		for (k = 0; k < s->count; k++) {
			struct link_target *t = &s->seen[k].target;
			if (map_has(m->targets, str_of(t->key)))
				continue;
			/*
			 * The key is copied: scratch is reset after each chunk, the map lives
			 * longer.
			 */
			at = (struct edition_target **)map_at(m->targets, str_of(arena_strdup(m->arena, t->key)));
			*at = arena_alloc(m->arena, sizeof(**at));
			**at = (struct edition_target){ .next = m->first,
				.status = link_judge(m->db, m->scratch, &m->point, &m->places, t) };
			m->first = *at;
		}
	}
	db_rollback(m->db);
	return m->n = i;
}

static void
add_target(struct edition_build *m, const struct link_target *t, struct edition_target *made)
{
	struct stmt *q = db_use(m->db, &q_target_add);

	bind_int(q, ":e", m->edition);
	bind_text(q, ":key", t->key);
	bind_text(q, ":kind", t->kind);
	bind_text(q, ":node", t->node);
	bind_text(q, ":anchor", t->anchor);
	bind_text(q, ":url", t->url);
	bind_text(q, ":status", link_statuses[made->status]);
	stmt_run(q);
	/* From here on the target has a row that all its links name. */
	made->id = db_last_id(m->db);
}

/* Adds the target's row with its first link, so that no target is without links. */
static void
add_link(struct edition_build *m, const char *source, size_t n, const struct parsed_link *s)
{
	struct edition_target *made = map_get(m->targets, str_of(s->target.key));
	struct stmt *q;

	if (made->id == 0)
		add_target(m, &s->target, made);
	made->links++;
	q = db_use(m->db, &q_link_add);
	bind_int(q, ":e", m->edition);
	bind_text(q, ":source", source);
	bind_int(q, ":n", (int64_t)n);
	bind_int(q, ":target", made->id);
	bind_int(q, ":line", s->line);
	bind_text(q, ":spelling", s->spelling);
	bind_int(q, ":tried", s->resolved_now);
	stmt_run(q);
}

static void
write_chunk(struct edition_build *m)
{
	size_t i, k;

	db_begin(m->db, true);
	for (i = 0; i < m->n; i++)
		for (k = 0; k < m->sources[i].count; k++) {
			add_link(m, m->sources[i].id, k, &m->sources[i].seen[k]);
			/*
			 * Other writers may come in between any two rows: this edition is not read
			 * yet.
			 */
			db_breathe(m->db);
		}
	db_commit(m->db);
	/* A space of any size needs the memory of one chunk and of its targets. */
	arena_reset(m->scratch);
}

/*
 * Sums are written once, at the end: counting with each link would update the target's row each
 * time.
 */
static void
write_counts(struct edition_build *m)
{
	int64_t targets[LINK_STATUSES] = { 0 }, links[LINK_STATUSES] = { 0 };
	const struct edition_target *t;
	struct stmt *q;
	int s;

	db_begin(m->db, true);
	for (t = m->first; t != NULL; t = t->next) {
		q = db_use(m->db, &q_links_of_target);
		bind_int(q, ":n", t->links);
		bind_int(q, ":id", t->id);
		stmt_run(q);
		targets[t->status]++;
		links[t->status] += t->links;
		db_breathe(m->db);
	}
	for (s = 0; s < LINK_STATUSES; s++) {
		q = db_use(m->db, &q_count_add);
		bind_int(q, ":e", m->edition);
		bind_text(q, ":status", link_statuses[s]);
		bind_int(q, ":targets", targets[s]);
		bind_int(q, ":links", links[s]);
		stmt_run(q);
	}
	db_commit(m->db);
}

/* Returns 0 if the watch stopped the work; the rows written so far are deleted by links_tidy(). */
static int64_t
make_edition(struct db *db, struct arena *a, const struct point *p, const struct stage_watch *watch)
{
	struct arena *own = arena_on_disk(a, (size_t)4 << 30, NULL);
	struct edition_build *m = arena_alloc(own, sizeof(*m));
	struct node *list;
	size_t n, at;
	int64_t edition;

	m->db = db;
	m->arena = own;
	m->scratch = arena_within(own, (size_t)2 << 30);
	m->point = *p;
	m->places = page_places_new(own);
	m->targets = map_new(own);
	db_begin(db, true);
	/*
	 * Its row is committed first: links_tidy() finds the edition by it if this process is
	 * killed.
	 */
	m->edition = link_edition_add(db, p->branch, false);
	db_commit(db);
	db_begin(db, false);
	/*
	 * The point is an immutable revision, so the list stays valid between the transactions
	 * below.
	 */
	list = node_list(db, own, p, LINK_SOURCES, &n);
	db_rollback(db);
	/* In the order of their rows, so that new rows are appended to the table. */
	sort_list(list, n, sizeof(*list), by_id);
	for (at = 0; at < n; write_chunk(m)) {
		if (!stage_alive(watch, "linking", at, n))
			return 0;
		at += read_chunk(m, list + at, n - at);
	}
	write_counts(m);
	edition = m->edition;
	arena_reset(own);
	return edition;
}

bool
links_ahead(struct db *db, struct arena *a, const struct point *p, int64_t *edition,
    const char *const *ids, size_t n, const struct stage_watch *watch)
{
	if (*edition == 0)
		return (*edition = make_edition(db, a, p, watch)) != 0;
	link_edition_update(db, a, p, *edition, ids, n);
	return true;
}

void
links_show(struct db *db, int64_t branch, int64_t edition)
{
	struct stmt *q = db_use(db, &q_hide);

	bind_int(q, ":branch", branch);
	stmt_run(q);
	/*
	 * The edition shown before is deleted later (links_tidy): it may have a hundred thousand
	 * rows.
	 */
	q = db_use(db, &q_show);
	bind_int(q, ":e", edition);
	if (stmt_run(q) == 0)
		panic("edition %lld of links is not there", (long long)edition);
}

/* ---- dropping ---- */

/* Runs a statement whose only parameter is the edition. */
static void
run_for_edition(struct db *db, const struct sql *sql, int64_t edition)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":e", edition);
	stmt_run(q);
}

/* One step in the open transaction; false: no link is left. */
static bool
drop_links(struct db *db, struct arena *a, int64_t edition)
{
	struct { const char *source; int64_t n; } *list = arena_array(a, DROP, sizeof(*list));
	struct stmt *q = db_use(db, &q_some_links);
	size_t n = 0, i;

	bind_int(q, ":e", edition);
	bind_int(q, ":limit", DROP);
	for (; n < DROP && stmt_step(q); n++) {
		list[n].source = col_dup(q, 0, a);
		list[n].n = col_int(q, 1);
	}
	for (i = 0; i < n; i++) {
		q = db_use(db, &q_link_drop);
		bind_int(q, ":e", edition);
		bind_text(q, ":source", list[i].source);
		bind_int(q, ":n", list[i].n);
		stmt_run(q);
	}
	/* Thousands of steps would fill the arena otherwise. */
	arena_reset(a);
	return n > 0;
}

/* The same for targets, which are deleted after the links that name them. */
static bool
drop_targets(struct db *db, int64_t edition)
{
	struct stmt *q = db_use(db, &q_some_targets);
	int64_t list[DROP];
	size_t n = 0, i;

	bind_int(q, ":e", edition);
	bind_int(q, ":limit", DROP);
	while (n < DROP && stmt_step(q))
		list[n++] = col_int(q, 0);
	for (i = 0; i < n; i++) {
		q = db_use(db, &q_target_drop);
		bind_int(q, ":id", list[i]);
		stmt_run(q);
	}
	return n > 0;
}

/*
 * The edition's own row is deleted last: if the process is killed before, the edition is found
 * again.
 */
static void
drop_edition(struct db *db, struct arena *a, int64_t edition)
{
	db_begin(db, true);
	while (drop_links(db, a, edition))
		db_breathe(db);
	while (drop_targets(db, edition))
		db_breathe(db);
	run_for_edition(db, &q_counts_drop, edition);
	run_for_edition(db, &q_edition_drop, edition);
	db_commit(db);
}

/* Deletes the editions of a branch that a statement finds, one after another. */
static void
drop_editions(struct db *db, const struct sql *sql, int64_t branch)
{
	struct arena *a = arena_new(4 << 20);
	int64_t edition;
	struct stmt *q;

	for (;;) {
		db_begin(db, false);
		q = db_use(db, sql);
		bind_int(q, ":branch", branch);
		/* min() of no row is NULL, which reads as 0: there is no further edition. */
		edition = stmt_int(q, 0);
		db_rollback(db);
		if (edition == 0)
			break;
		drop_edition(db, a, edition);
	}
	arena_free(a);
}

void
links_tidy(struct db *db, int64_t branch)
{
	drop_editions(db, &q_hidden, branch);
}

void
links_tidy_former(struct db *db, int64_t branch)
{
	drop_editions(db, &q_former, branch);
}

void
links_forget(struct db *db, struct arena *a, int64_t edition)
{
	if (edition != 0)
		drop_edition(db, a, edition);
}

void
links_drop(struct db *db, const char *space)
{
	int64_t branch = 0;
	struct stmt *q;

	for (;;) {
		db_begin(db, true);
		q = db_use(db, &q_of_space);
		bind_text(q, ":space", space);
		/* The edition is hidden first, since links_tidy() deletes editions that are not shown. */
		if ((branch = stmt_int(q, 0)) != 0) {
			q = db_use(db, &q_hide);
			bind_int(q, ":branch", branch);
			stmt_run(q);
		}
		db_commit(db);
		if (branch == 0)
			return;
		/* Outside the transaction: it makes short ones of its own. */
		links_tidy(db, branch);
	}
}
