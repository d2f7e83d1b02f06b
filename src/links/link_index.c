/* Updates the link tables of a main branch's head; the contract is in links.h. */
#include "link_parts.h"
#include "store/places.h"

/*
 * Ids of the revision's rows: those that begin and those that end with it. UNION, since a new
 * version does both.
 */
SQL(q_changed_ids,
    "SELECT id FROM node WHERE branch = :b AND since = :seq "
    "UNION SELECT id FROM node WHERE branch = :b AND until = :seq");
SQL(q_target, "SELECT id, status FROM link_target WHERE edition = :b AND key = :key");
SQL(q_target_add,
    "INSERT INTO link_target (edition, key, kind, node, anchor, url, status, links) "
    "VALUES (:b, :key, :kind, :node, :anchor, :url, :status, 0)");
SQL(q_target_links, "UPDATE link_target SET links = links + :n WHERE id = :id");
SQL(q_target_status, "UPDATE link_target SET status = :status WHERE id = :id");
SQL(q_target_row, "SELECT links, status FROM link_target WHERE id = :id");
SQL(q_target_drop, "DELETE FROM link_target WHERE id = :id");
SQL(q_targets_of,
    "SELECT id, key, kind, node, anchor, url, status FROM link_target WHERE edition = :b AND node = :node");
/*
 * ';' is the character after ':', so this is the range of all keys with that prefix in the index.
 */
SQL(q_missing,
    "SELECT id FROM link_target WHERE edition = :b AND status = 'broken' AND key >= 'missing:' "
    "AND key < 'missing;'");
SQL(q_sources, "SELECT source, spelling FROM link WHERE target = :id ORDER BY source");
SQL(q_links_of,
    "SELECT l.target, t.status, count(*) FROM link l JOIN link_target t ON t.id = l.target "
    "WHERE l.edition = :b AND l.source = :source GROUP BY l.target, t.status /*scan*/");
SQL(q_links_drop, "DELETE FROM link WHERE edition = :b AND source = :source");
SQL(q_link_add,
    "INSERT INTO link (edition, source, n, target, line, spelling, tried) "
    "VALUES (:b, :source, :n, :target, :line, :spelling, :tried)");
/* Sources whose map had no target for a link that was then found at the point (parsed_link.resolved_now). */
SQL(q_tried,
    "SELECT DISTINCT l.source FROM link_target t JOIN link l ON l.target = t.id "
    "WHERE t.edition = :b AND t.node = :node AND l.tried = 1");
/* The row of a status is added with its first target; differences may be negative. */
SQL(q_count_add,
    "INSERT INTO link_count (edition, status, targets, links) VALUES (:b, :status, :targets, :links) "
    "ON CONFLICT (edition, status) DO UPDATE SET targets = link_count.targets + excluded.targets, "
    "links = link_count.links + excluded.links");
SQL(q_specs,
    "SELECT node FROM link_target WHERE edition = :b AND key >= 'openapi:' AND key < 'openapi;'");
/*
 * Ids of pages that computed pages expand to contain a hyphen (store/computed.h); this scans the
 * targets.
 */
SQL(q_computed,
    "SELECT DISTINCT node FROM link_target WHERE edition = :b AND kind = 'page' AND node LIKE '%-%'");
/*
 * The condition on `until` makes SQLite use the index of computed pages instead of reading the
 * whole branch.
 */
SQL(q_has_computed, "SELECT 1 FROM node WHERE branch = :b AND kind = 'computed' AND until > 0 LIMIT 1");
SQL(q_computed_rows, "SELECT id FROM node WHERE branch = :b AND kind = 'computed' AND until > :seq");
SQL(q_shown, "SELECT no FROM link_edition WHERE branch = :branch AND shown = 1");
SQL(q_late, "UPDATE link_edition SET late = 1 WHERE branch = :branch AND shown = 1");
SQL(q_edition_add, "INSERT INTO link_edition (branch, shown) VALUES (:branch, :shown)");
SQL(q_links_count, "SELECT count(*) FROM link WHERE edition = :b AND source = :source");
SQL(q_targets_count, "SELECT count(*) FROM link_target WHERE edition = :b AND node = :node");
SQL(q_missing_count,
    "SELECT count(*) FROM link_target WHERE edition = :b AND status = 'broken' AND key >= 'missing:' "
    "AND key < 'missing;'");

struct ids {
	int64_t *list;
	size_t   n, room;
};

struct table_update {
	struct db    *db;
	struct arena *arena;      /* for the whole change */
	struct arena *scratch;    /* for one source */
	struct point  point;
	int64_t       edition;    /* the edition that is written */
	bool          steps;      /* nobody reads it yet: may be written in several transactions */
	int64_t       rows;       /* approximate number of rows written in one transaction */
	bool          needs_job;  /* there are too many rows: a job must make a new edition */
	int64_t       targets[LINK_STATUSES], links[LINK_STATUSES];   /* differences of the counts */
	struct ids    unlinked;   /* targets that lost a link */
	struct page_places places;
};

static enum link_status
status_named(const char *name)
{
	return strcmp(name, "ok") == 0 ? LINK_OK : strcmp(name, "broken") == 0 ? LINK_BROKEN : LINK_IN_APP;
}

/* Adds an id. It is only compared with the previous entry, so readers of the list must accept an id twice. */
static void
ids_add(struct arena *a, struct ids *s, int64_t id)
{
	if (s->n > 0 && s->list[s->n - 1] == id)
		return;
	s->list = arena_grow(a, s->list, s->n, &s->room, sizeof(*s->list));
	s->list[s->n++] = id;
}

/* The counts begin at 0: they are differences until write_counts() adds them. */
static void
update_init(struct table_update *k, struct db *db, struct arena *a, const struct point *p, int64_t edition)
{
	*k = (struct table_update){ .db = db, .arena = a, .point = *p, .edition = edition,
		.scratch = arena_within(a, (size_t)2 << 30), .places = page_places_new(a) };
}

/* Lets other writers in between two rows if no process reads the edition yet. */
static void
breathe_between(struct table_update *k)
{
	if (k->steps)
		db_breathe(k->db);
}

/* ---- in one transaction ---- */

/*
 * Counts rows to be written, and returns true if this transaction may write them. If not, a job makes
 * the edition, and nothing more is written here.
 */
static bool
has_room_for(struct table_update *k, int64_t rows)
{
	if (k->steps)
		return true;
	k->rows += rows;
	k->needs_job |= k->rows > LINKS_ROWS;
	return !k->needs_job;
}

/* Runs a statement that counts rows of the edition. name: its second parameter; NULL: it has none. */
static int64_t
count_rows(struct table_update *k, const struct sql *sql, const char *name, const char *value)
{
	struct stmt *q = db_use(k->db, sql);

	bind_int(q, ":b", k->edition);
	if (name != NULL)
		bind_text(q, name, value);
	return stmt_int(q, 0);
}

/* ---- targets ---- */

/* Changes the count in the target's row and, in memory until write_counts(), that of its status. */
static void
count_links(struct table_update *k, int64_t id, enum link_status s, int64_t n)
{
	struct stmt *q = db_use(k->db, &q_target_links);

	bind_int(q, ":n", n);
	bind_int(q, ":id", id);
	stmt_run(q);
	k->links[s] += n;
}

/* The row of a target; added and judged if it is new. The caller raises its count of links. */
static int64_t
target_row(struct table_update *k, const struct link_target *t, enum link_status *status)
{
	struct stmt *q = db_use(k->db, &q_target);

	bind_int(q, ":b", k->edition);
	bind_text(q, ":key", t->key);
	if (stmt_step(q)) {
		*status = status_named(col_text(q, 1));
		return col_int(q, 0);
	}
	*status = link_judge(k->db, k->scratch, &k->point, &k->places, t);
	q = db_use(k->db, &q_target_add);
	bind_int(q, ":b", k->edition);
	bind_text(q, ":key", t->key);
	bind_text(q, ":kind", t->kind);
	bind_text(q, ":node", t->node);
	bind_text(q, ":anchor", t->anchor);
	bind_text(q, ":url", t->url);
	bind_text(q, ":status", link_statuses[*status]);
	stmt_run(q);
	k->targets[*status]++;
	return db_last_id(k->db);
}

/* Deletes targets without links. */
static void
drop_unused(struct table_update *k)
{
	struct stmt *q;
	size_t i;
	int64_t links;
	enum link_status s;

	for (i = 0; i < k->unlinked.n; i++, breathe_between(k)) {
		q = db_use(k->db, &q_target_row);
		bind_int(q, ":id", k->unlinked.list[i]);
		/* The list may contain a target twice; the row was then deleted the first time. */
		if (!stmt_step(q))
			continue;
		links = col_int(q, 0);
		s = status_named(col_text(q, 1));
		/* The target lost one link in this change, but still has others, or got a new one. */
		if (links > 0)
			continue;
		q = db_use(k->db, &q_target_drop);
		bind_int(q, ":id", k->unlinked.list[i]);
		stmt_run(q);
		k->targets[s]--;
	}
}

struct row {
	int64_t            id;
	struct link_target target;
};

/* How many targets can be judged at the cost of one written row. */
enum { READS_PER_WRITE = 8 };

/* A node was added, deleted or changed: targets in it may have another status now. */
static void
update_target_status(struct table_update *k, const char *node)
{
	struct stmt *q;
	struct row *list = NULL;
	size_t n = 0, room = 0, i;
	enum link_status now;
	int64_t links;

	/*
	 * Most targets keep their status and are only read, which costs a fraction of a written
	 * row.
	 */
	if (!has_room_for(k, k->steps ? 0 : count_rows(k, &q_targets_count, ":node", node) / READS_PER_WRITE))
		return;
	q = db_use(k->db, &q_targets_of);
	bind_int(q, ":b", k->edition);
	bind_text(q, ":node", node);
	while (stmt_step(q)) {
		list = arena_grow(k->scratch, list, n, &room, sizeof(*list));
		list[n++] = (struct row){ col_int(q, 0), { .key = col_dup(q, 1, k->scratch),
			.kind = col_dup(q, 2, k->scratch), .node = col_dup(q, 3, k->scratch),
			.anchor = col_dup(q, 4, k->scratch), .url = col_dup(q, 5, k->scratch),
			.status = status_named(col_text(q, 6)) } };
	}
	/* The whole list was read before: the updates change the rows that the statement reads. */
	for (i = 0; i < n; i++) {
		now = link_judge(k->db, k->scratch, &k->point, &k->places, &list[i].target);
		if (now == list[i].target.status)
			continue;
		q = db_use(k->db, &q_target_row);
		bind_int(q, ":id", list[i].id);
		links = stmt_int(q, 0);
		q = db_use(k->db, &q_target_status);
		bind_text(q, ":status", link_statuses[now]);
		bind_int(q, ":id", list[i].id);
		stmt_run(q);
		k->targets[list[i].target.status]--;
		/* All links of the target change their status with it. */
		k->links[list[i].target.status] -= links;
		k->targets[now]++;
		k->links[now] += links;
	}
	arena_reset(k->scratch);
}

/* ---- sources ---- */

/* The links of a source to one target, counted, so that the target's row is written once. */
struct group {
	int64_t          target, n;
	enum link_status status;
};

/*
 * Removes all links of a source. Its targets stay until drop_unused(), because the new version
 * mostly has the same ones.
 */
static void
drop_links(struct table_update *k, const char *source)
{
	struct stmt *q = db_use(k->db, &q_links_of);
	struct group *list = NULL;
	size_t n = 0, room = 0, i;

	bind_int(q, ":b", k->edition);
	bind_text(q, ":source", source);
	while (stmt_step(q)) {
		list = arena_grow(k->scratch, list, n, &room, sizeof(*list));
		list[n++] = (struct group){ col_int(q, 0), col_int(q, 2), status_named(col_text(q, 1)) };
	}
	for (i = 0; i < n; i++) {
		count_links(k, list[i].target, list[i].status, -list[i].n);
		ids_add(k->arena, &k->unlinked, list[i].target);
	}
	if (n > 0) {
		q = db_use(k->db, &q_links_drop);
		bind_int(q, ":b", k->edition);
		bind_text(q, ":source", source);
		stmt_run(q);
	}
	arena_reset(k->scratch);
}

/* Adds a source's links as they are at the point, numbered in the order of the list. */
static void
add_links(struct table_update *k, const struct node *n)
{
	struct parsed_link *list;
	struct stmt *q;
	enum link_status status;
	size_t count, i;
	int64_t target;

	list = link_read(k->db, k->scratch, &k->point, &k->places, n, &count);
	for (i = 0; i < count; i++) {
		target = target_row(k, &list[i].target, &status);
		count_links(k, target, status, 1);
		q = db_use(k->db, &q_link_add);
		bind_int(q, ":b", k->edition);
		bind_text(q, ":source", n->id);
		bind_int(q, ":n", (int64_t)i);
		bind_int(q, ":target", target);
		bind_int(q, ":line", list[i].line);
		bind_text(q, ":spelling", list[i].spelling);
		bind_int(q, ":tried", list[i].resolved_now);
		stmt_run(q);
	}
	arena_reset(k->scratch);
}

/* The links of the node's body, whose facts are stored by now. */
static int64_t
links_in(struct table_update *k, const struct node *n)
{
	struct body_facts f = { .count = 0 };
	int64_t count;

	if (n->body.n > 0)
		body_facts_of(k->db, k->scratch, n->body, &f);
	count = (int64_t)f.count;
	arena_reset(k->scratch);
	return count;
}

/* Writes all links of a source again: they are few, so they are not compared with the old ones. */
static void
relink_source(struct table_update *k, const char *source)
{
	struct node n;
	bool there = node_get(k->db, k->arena, &k->point, source, &n) && (n.kind & LINK_SOURCES) != 0;

	if (!k->steps && !has_room_for(k, count_rows(k, &q_links_count, ":source", source) + (there ? links_in(k, &n) : 0)))
		return;
	drop_links(k, source);
	if (there)
		add_links(k, &n);
}

/* ---- links whose target has changed ---- */

struct sources {
	const char **list;
	size_t       n, room;
};

static void
sources_add(struct table_update *k, struct sources *s, const char *id)
{
	s->list = arena_grow(k->arena, s->list, s->n, &s->room, sizeof(*s->list));
	s->list[s->n++] = arena_strdup(k->arena, id);
}

/* Collects the sources of a target that was missing and exists now. */
static void
collect_sources(struct table_update *k, int64_t target, struct sources *out)
{
	struct stmt *q = db_use(k->db, &q_sources);
	char *source, *spelling;
	struct node n;

	bind_int(q, ":id", target);
	if (!stmt_step(q))
		return;
	source = col_dup(q, 0, k->scratch);
	spelling = col_dup(q, 1, k->scratch);
	if (!node_get(k->db, k->scratch, &k->point, source, &n) ||
	    !link_resolves(k->db, k->scratch, &k->point, &k->places, &n, str_of(spelling)))
		return;
	q = db_use(k->db, &q_sources);
	/* The statement is run again from the start, because the look-up above used it, too. */
	bind_int(q, ":id", target);
	while (stmt_step(q))
		/* The rows are ordered by source, so that a source with several such links is added once. */
		if (out->n == 0 || strcmp(out->list[out->n - 1], col_text(q, 0)) != 0)
			sources_add(k, out, col_text(q, 0));
}

/* Call this when nodes were added: links to missing targets may now lead to them. */
static void
retry_missing(struct table_update *k)
{
	struct sources sources = { NULL, 0, 0 };
	struct ids missing = { NULL, 0, 0 };
	struct stmt *q;
	size_t i;

	if (!k->steps && count_rows(k, &q_missing_count, NULL, NULL) > LINKS_MISSING) {
		k->needs_job = true;
		return;
	}
	q = db_use(k->db, &q_missing);
	bind_int(q, ":b", k->edition);
	while (stmt_step(q))
		ids_add(k->arena, &missing, col_int(q, 0));
	for (i = 0; i < missing.n; i++, breathe_between(k)) {
		/*
		 * All are checked before any source is written again: relink_source() deletes rows
		 * of targets that are still to come.
		 */
		collect_sources(k, missing.list[i], &sources);
		arena_reset(k->scratch);
	}
	for (i = 0; i < sources.n; i++, breathe_between(k))
		relink_source(k, sources.list[i]);
}

/* A link whose target was found at the point is resolved again when that node changes. */
static void
relink_resolved_at(struct table_update *k, const char *node)
{
	struct sources sources = { NULL, 0, 0 };
	struct stmt *q = db_use(k->db, &q_tried);
	size_t i;

	bind_int(q, ":b", k->edition);
	bind_text(q, ":node", node);
	while (stmt_step(q))
		sources_add(k, &sources, col_text(q, 0));
	for (i = 0; i < sources.n; i++, breathe_between(k))
		relink_source(k, sources.list[i]);
}

/* ---- all together ---- */

static void
write_counts(struct table_update *k)
{
	struct stmt *q;
	int s;

	for (s = 0; s < LINK_STATUSES; s++) {
		/* The row of LINK_OK also records that the tables exist. */
		if (s != LINK_OK && k->targets[s] == 0 && k->links[s] == 0)
			continue;
		q = db_use(k->db, &q_count_add);
		bind_int(q, ":b", k->edition);
		bind_text(q, ":status", link_statuses[s]);
		bind_int(q, ":targets", k->targets[s]);
		bind_int(q, ":links", k->links[s]);
		stmt_run(q);
	}
}

/* targets: a statement that lists nodes of the edition. */
static void
update_status_of_all(struct table_update *k, const struct sql *targets)
{
	struct sources nodes = { NULL, 0, 0 };
	struct stmt *q = db_use(k->db, targets);
	size_t i;

	bind_int(q, ":b", k->edition);
	while (stmt_step(q))
		sources_add(k, &nodes, col_text(q, 0));
	for (i = 0; i < nodes.n; i++, breathe_between(k))
		update_target_status(k, nodes.list[i]);
}

/*
 * Specifications, and the pages that they expand to, are added and deleted without a change of the
 * space.
 */
static void
update_status_of_specs(struct table_update *k)
{
	struct stmt *q = db_use(k->db, &q_has_computed);

	update_status_of_all(k, &q_specs);
	bind_int(q, ":b", k->point.branch);
	if (stmt_int(q, 0) != 0)
		update_status_of_all(k, &q_computed);
}

/*
 * Resolves links to computed pages again: such a link leads to one of the pages that the computed
 * page expands to, and these may have changed.
 */
static void
relink_links_to_computed(struct table_update *k)
{
	struct sources rows = { NULL, 0, 0 };
	struct stmt *q = db_use(k->db, &q_computed_rows);
	size_t i;

	bind_int(q, ":b", k->point.branch);
	bind_int(q, ":seq", k->point.seq);
	while (stmt_step(q))
		sources_add(k, &rows, col_text(q, 0));
	for (i = 0; i < rows.n; i++, breathe_between(k))
		relink_resolved_at(k, rows.list[i]);
}

/* Updates the tables for these changed nodes. added: some of them exist now and did not before. */
static void
apply_node_changes(struct table_update *k, const char *const *ids, size_t n, bool added)
{
	size_t i;

	for (i = 0; i < n; i++, breathe_between(k))
		/*
		 * All sources first, so that the targets below have their rows; then links to the
		 * changed nodes are judged.
		 */
		relink_source(k, ids[i]);
	for (i = 0; i < n; i++, breathe_between(k)) {
		relink_resolved_at(k, ids[i]);
		/*
		 * Relink first: links may then have other targets, whose status must be updated as
		 * well.
		 */
		update_target_status(k, ids[i]);
	}
	/*
	 * If nothing was added, no missing target can exist now: the usual edit of one page skips
	 * this search.
	 */
	if (added && !k->needs_job)
		retry_missing(k);
	update_status_of_specs(k);
	/* This is the last step, since each step above may add a link to a target that lost one. */
	drop_unused(k);
	write_counts(k);
}

int64_t
links_shown(struct db *db, int64_t branch)
{
	struct stmt *q = db_use(db, &q_shown);

	bind_int(q, ":branch", branch);
	return stmt_int(q, 0);
}

void
links_mark_outdated(struct db *db, int64_t branch)
{
	struct stmt *q = db_use(db, &q_late);

	bind_int(q, ":branch", branch);
	stmt_run(q);
}

int64_t
link_edition_add(struct db *db, int64_t branch, bool shown)
{
	struct stmt *q = db_use(db, &q_edition_add);

	bind_int(q, ":branch", branch);
	bind_int(q, ":shown", shown);
	stmt_run(q);
	return db_last_id(db);
}

static void
note_moved_key(void *moved, const char *key)
{
	(void)key;
	*(bool *)moved = true;
}

/*
 * True if a node was added or moved, or deleted so that something else is found in its place. An
 * edit of a text, as most are, changes no place, so missing targets are still missing.
 */
static bool
anything_moved(struct table_update *k, const struct sources *changed)
{
	struct point before = k->point;
	bool moved = false;
	size_t i;

	before.seq--;
	for (i = 0; i < changed->n && !moved; i++) {
		/* The folder to which all links of the space are relative has changed. */
		if (!place_changed(k->db, k->scratch, &before, &k->point, changed->list[i], note_moved_key, &moved))
			moved = true;
		arena_reset(k->scratch);
	}
	return moved;
}

bool
links_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct point p = { .space = space, .branch = branch, .seq = seq };
	struct sources changed = { NULL, 0, 0 };
	int64_t edition = links_shown(db, branch);
	struct table_update k;
	struct stmt *q;
	bool added;

	/*
	 * The tables do not exist yet, and this is not the first revision: a job "index" will make
	 * them.
	 */
	if (edition == 0 && seq > 1)
		return true;
	update_init(&k, db, a, &p, edition != 0 ? edition : link_edition_add(db, branch, true));
	q = db_use(db, &q_changed_ids);
	bind_int(q, ":b", branch);
	bind_int(q, ":seq", seq);
	while (stmt_step(q))
		sources_add(&k, &changed, col_text(q, 0));
	/*
	 * A revision without rows records a new version of a specification, whose pages may be new.
	 */
	added = changed.n == 0 || anything_moved(&k, &changed);
	if (changed.n == 0)
		/* Links without a target may now lead to new pages of the specification. */
		relink_links_to_computed(&k);
	apply_node_changes(&k, changed.list, changed.n, added);
	if (k.needs_job)
		links_mark_outdated(db, branch);
	return !k.needs_job;
}

bool
links_are_few(struct db *db, struct arena *a, const struct point *p, const char *const *ids, size_t n)
{
	int64_t edition = links_shown(db, p->branch), count = 0;
	struct body_facts f;
	struct node now;
	struct stmt *q;
	size_t i;

	/* Without tables there is nothing to update: they are made ahead. */
	if (edition == 0 || n > LINKS_INLINE)
		return false;
	q = db_use(db, &q_missing_count);
	bind_int(q, ":b", edition);
	if (stmt_int(q, 0) > LINKS_MISSING)
		return false;
	for (i = 0; i < n && count <= LINKS_INLINE; i++) {
		q = db_use(db, &q_links_count);
		bind_int(q, ":b", edition);
		bind_text(q, ":source", ids[i]);
		/* Deleted links count like added ones: both are rows to write. */
		count += stmt_int(q, 0);
		if (!node_get(db, a, p, ids[i], &now) || now.body.n == 0 || (now.kind & LINK_SOURCES) == 0)
			continue;
		body_facts_of(db, a, now.body, &f);
		count += (int64_t)f.count;
	}
	return count <= LINKS_INLINE;
}

void
link_edition_update(struct db *db, struct arena *a, const struct point *p, int64_t edition,
    const char *const *ids, size_t n)
{
	struct table_update k;

	update_init(&k, db, a, p, edition);
	/* No process reads this edition yet, so other writers may come in between any two rows. */
	k.steps = true;
	db_begin(db, true);
	/*
	 * Whether a node was added is not checked: ahead of the transaction the search delays
	 * no writer.
	 */
	apply_node_changes(&k, ids, n, true);
	db_commit(db);
}
