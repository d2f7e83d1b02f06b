/* Keeping the link tables of a main branch's head; the contract is in links.h. */
#include "link_parts.h"

SQL(q_changed_ids,
    "SELECT id FROM node WHERE branch = :b AND since = :seq "
    "UNION SELECT id FROM node WHERE branch = :b AND until = :seq");
SQL(q_comers, "SELECT EXISTS (SELECT 1 FROM node WHERE branch = :b AND since = :seq)");
SQL(q_target, "SELECT id, status FROM link_target WHERE branch = :b AND key = :key");
SQL(q_target_add,
    "INSERT INTO link_target (branch, key, kind, node, anchor, url, status, links) "
    "VALUES (:b, :key, :kind, :node, :anchor, :url, :status, 0)");
SQL(q_target_links, "UPDATE link_target SET links = links + :n WHERE id = :id");
SQL(q_target_status, "UPDATE link_target SET status = :status WHERE id = :id");
SQL(q_target_row, "SELECT links, status FROM link_target WHERE id = :id");
SQL(q_target_drop, "DELETE FROM link_target WHERE id = :id");
SQL(q_targets_of,
    "SELECT id, key, kind, node, anchor, url, status FROM link_target WHERE branch = :b AND node = :node");
SQL(q_missing,
    "SELECT id FROM link_target WHERE branch = :b AND status = 'broken' AND key >= 'missing:' "
    "AND key < 'missing;'");
SQL(q_sources, "SELECT source, spelling FROM link WHERE target = :id ORDER BY source");
SQL(q_links_of,
    "SELECT l.target, t.status, count(*) FROM link l JOIN link_target t ON t.id = l.target "
    "WHERE l.branch = :b AND l.source = :source GROUP BY l.target, t.status /*scan*/");
SQL(q_links_drop, "DELETE FROM link WHERE branch = :b AND source = :source");
SQL(q_link_add,
    "INSERT INTO link (branch, source, n, target, line, spelling, tried) "
    "VALUES (:b, :source, :n, :target, :line, :spelling, :tried)");
SQL(q_tried,
    "SELECT DISTINCT l.source FROM link_target t JOIN link l ON l.target = t.id "
    "WHERE t.branch = :b AND t.node = :node AND l.tried = 1");
SQL(q_count_add,
    "INSERT INTO link_count (branch, status, targets, links) VALUES (:b, :status, :targets, :links) "
    "ON CONFLICT (branch, status) DO UPDATE SET targets = targets + excluded.targets, "
    "links = links + excluded.links");
SQL(q_made, "SELECT EXISTS (SELECT 1 FROM link_count WHERE branch = :b)");
SQL(q_drop_links, "DELETE FROM link WHERE branch = :b");
SQL(q_drop_targets, "DELETE FROM link_target WHERE branch = :b");
SQL(q_drop_counts, "DELETE FROM link_count WHERE branch = :b");
SQL(q_some_sources,
    "SELECT DISTINCT l.branch, l.source FROM branch b JOIN link l ON l.branch = b.id "
    "WHERE b.space = :space AND b.kind = 'main' LIMIT 200");
SQL(q_main_branches, "SELECT id FROM branch WHERE space = :space AND kind = 'main'");

struct ids {
	int64_t *list;
	size_t   n, room;
};

struct keeper {
	struct db    *db;
	struct arena *arena;      /* of the whole change */
	struct arena *scratch;    /* of one source */
	struct point  point;
	int64_t       targets[LINK_STATUSES], links[LINK_STATUSES];   /* by how much the counts change */
	struct ids    left;       /* targets that lost a link */
};

static enum link_status
status_named(const char *name)
{
	return strcmp(name, "ok") == 0 ? LINK_OK : strcmp(name, "broken") == 0 ? LINK_BROKEN : LINK_IN_APP;
}

static void
ids_add(struct arena *a, struct ids *s, int64_t id)
{
	if (s->n > 0 && s->list[s->n - 1] == id)
		return;
	s->list = arena_grow(a, s->list, s->n, &s->room, sizeof(*s->list));
	s->list[s->n++] = id;
}

static void
keeper_init(struct keeper *k, struct db *db, struct arena *a, const struct point *p)
{
	*k = (struct keeper){ .db = db, .arena = a, .point = *p,
		.scratch = arena_within(a, (size_t)2 << 30) };
}

/* ---- targets ---- */

static void
count_links(struct keeper *k, int64_t id, enum link_status s, int64_t n)
{
	struct stmt *q = db_use(k->db, &q_target_links);

	bind_int(q, ":n", n);
	bind_int(q, ":id", id);
	stmt_run(q);
	k->links[s] += n;
}

static int64_t
target_row(struct keeper *k, const struct link_target *t, enum link_status *status)
{
	struct stmt *q = db_use(k->db, &q_target);

	bind_int(q, ":b", k->point.branch);
	bind_text(q, ":key", t->key);
	if (stmt_step(q)) {
		*status = status_named(col_text(q, 1));
		return col_int(q, 0);
	}
	*status = link_judge(k->db, k->scratch, &k->point, t);
	q = db_use(k->db, &q_target_add);
	bind_int(q, ":b", k->point.branch);
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

/* Targets that nothing leads to any more go. */
static void
drop_unused(struct keeper *k)
{
	struct stmt *q;
	size_t i;
	int64_t links;
	enum link_status s;

	for (i = 0; i < k->left.n; i++) {
		q = db_use(k->db, &q_target_row);
		bind_int(q, ":id", k->left.list[i]);
		if (!stmt_step(q))
			continue;
		links = col_int(q, 0);
		s = status_named(col_text(q, 1));
		if (links > 0)
			continue;
		q = db_use(k->db, &q_target_drop);
		bind_int(q, ":id", k->left.list[i]);
		stmt_run(q);
		k->targets[s]--;
	}
}

struct row {
	int64_t            id;
	struct link_target target;
};

/* A node came, went or changed: what leads to it may stand otherwise now. */
static void
judge_again(struct keeper *k, const char *node)
{
	struct stmt *q = db_use(k->db, &q_targets_of);
	struct row *list = NULL;
	size_t n = 0, room = 0, i;
	enum link_status now;
	int64_t links;

	bind_int(q, ":b", k->point.branch);
	bind_text(q, ":node", node);
	while (stmt_step(q)) {
		list = arena_grow(k->scratch, list, n, &room, sizeof(*list));
		list[n++] = (struct row){ col_int(q, 0), { .key = col_dup(q, 1, k->scratch),
			.kind = col_dup(q, 2, k->scratch), .node = col_dup(q, 3, k->scratch),
			.anchor = col_dup(q, 4, k->scratch), .url = col_dup(q, 5, k->scratch),
			.status = status_named(col_text(q, 6)) } };
	}
	for (i = 0; i < n; i++) {
		now = link_judge(k->db, k->scratch, &k->point, &list[i].target);
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
		k->links[list[i].target.status] -= links;
		k->targets[now]++;
		k->links[now] += links;
	}
	arena_reset(k->scratch);
}

/* ---- sources ---- */

struct group {
	int64_t          target, n;
	enum link_status status;
};

static void
drop_links(struct keeper *k, const char *source)
{
	struct stmt *q = db_use(k->db, &q_links_of);
	struct group *list = NULL;
	size_t n = 0, room = 0, i;

	bind_int(q, ":b", k->point.branch);
	bind_text(q, ":source", source);
	while (stmt_step(q)) {
		list = arena_grow(k->scratch, list, n, &room, sizeof(*list));
		list[n++] = (struct group){ col_int(q, 0), col_int(q, 2), status_named(col_text(q, 1)) };
	}
	for (i = 0; i < n; i++) {
		count_links(k, list[i].target, list[i].status, -list[i].n);
		ids_add(k->arena, &k->left, list[i].target);
	}
	if (n > 0) {
		q = db_use(k->db, &q_links_drop);
		bind_int(q, ":b", k->point.branch);
		bind_text(q, ":source", source);
		stmt_run(q);
	}
	arena_reset(k->scratch);
}

static void
add_links(struct keeper *k, const struct node *n)
{
	struct link_seen *list;
	struct stmt *q;
	enum link_status status;
	size_t count, i;
	int64_t target;

	list = link_read(k->db, k->scratch, &k->point, n, &count);
	for (i = 0; i < count; i++) {
		target = target_row(k, &list[i].target, &status);
		count_links(k, target, status, 1);
		q = db_use(k->db, &q_link_add);
		bind_int(q, ":b", k->point.branch);
		bind_text(q, ":source", n->id);
		bind_int(q, ":n", (int64_t)i);
		bind_int(q, ":target", target);
		bind_int(q, ":line", list[i].line);
		bind_text(q, ":spelling", list[i].spelling);
		bind_int(q, ":tried", list[i].tried);
		stmt_run(q);
	}
	arena_reset(k->scratch);
}

static void
relink(struct keeper *k, const char *source)
{
	struct node n;

	drop_links(k, source);
	if (node_get(k->db, k->arena, &k->point, source, &n) && (n.kind & LINK_SOURCES))
		add_links(k, &n);
}

/* ---- healing ---- */

struct sources {
	const char **list;
	size_t       n, room;
};

static void
sources_add(struct keeper *k, struct sources *s, const char *id)
{
	s->list = arena_grow(k->arena, s->list, s->n, &s->room, sizeof(*s->list));
	s->list[s->n++] = arena_strdup(k->arena, id);
}

/* The sources of a target that was missing, if it is there now. */
static void
heal_one(struct keeper *k, int64_t target, struct sources *out)
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
	    !link_resolves(k->db, k->scratch, &k->point, &n, str_of(spelling)))
		return;
	q = db_use(k->db, &q_sources);
	bind_int(q, ":id", target);
	while (stmt_step(q))
		if (out->n == 0 || strcmp(out->list[out->n - 1], col_text(q, 0)) != 0)
			sources_add(k, out, col_text(q, 0));
}

/* Something came: what was missing may be it. */
static void
heal(struct keeper *k)
{
	struct sources sources = { NULL, 0, 0 };
	struct ids missing = { NULL, 0, 0 };
	struct stmt *q = db_use(k->db, &q_missing);
	size_t i;

	bind_int(q, ":b", k->point.branch);
	while (stmt_step(q))
		ids_add(k->arena, &missing, col_int(q, 0));
	for (i = 0; i < missing.n; i++) {
		heal_one(k, missing.list[i], &sources);
		arena_reset(k->scratch);
	}
	for (i = 0; i < sources.n; i++)
		relink(k, sources.list[i]);
}

/* What was found at a node by looking is looked for again when the node changes. */
static void
look_again(struct keeper *k, const char *node)
{
	struct sources sources = { NULL, 0, 0 };
	struct stmt *q = db_use(k->db, &q_tried);
	size_t i;

	bind_int(q, ":b", k->point.branch);
	bind_text(q, ":node", node);
	while (stmt_step(q))
		sources_add(k, &sources, col_text(q, 0));
	for (i = 0; i < sources.n; i++)
		relink(k, sources.list[i]);
}

/* ---- all together ---- */

static void
write_counts(struct keeper *k)
{
	struct stmt *q;
	int s;

	for (s = 0; s < LINK_STATUSES; s++) {
		/* The row of what is well is also the sign that the tables are made. */
		if (s != LINK_OK && k->targets[s] == 0 && k->links[s] == 0)
			continue;
		q = db_use(k->db, &q_count_add);
		bind_int(q, ":b", k->point.branch);
		bind_text(q, ":status", link_statuses[s]);
		bind_int(q, ":targets", k->targets[s]);
		bind_int(q, ":links", k->links[s]);
		stmt_run(q);
	}
}

void
links_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct point p = { .space = space, .branch = branch, .seq = seq };
	struct sources changed = { NULL, 0, 0 };
	struct keeper k;
	struct stmt *q;
	size_t i;

	/* Not made yet, and this is not the first revision: a job "index" is on its way. */
	q = db_use(db, &q_made);
	bind_int(q, ":b", branch);
	if (seq > 1 && stmt_int(q, 0) == 0)
		return;
	keeper_init(&k, db, a, &p);
	q = db_use(db, &q_changed_ids);
	bind_int(q, ":b", branch);
	bind_int(q, ":seq", seq);
	while (stmt_step(q))
		sources_add(&k, &changed, col_text(q, 0));
	for (i = 0; i < changed.n; i++)
		relink(&k, changed.list[i]);
	for (i = 0; i < changed.n; i++) {
		look_again(&k, changed.list[i]);
		judge_again(&k, changed.list[i]);
	}
	q = db_use(db, &q_comers);
	bind_int(q, ":b", branch);
	bind_int(q, ":seq", seq);
	if (stmt_int(q, 0) != 0)
		heal(&k);
	drop_unused(&k);
	write_counts(&k);
}

static void
drop_branch(struct db *db, int64_t branch)
{
	static const struct sql *const all[] = { &q_drop_links, &q_drop_targets, &q_drop_counts };
	struct stmt *q;
	size_t i;

	for (i = 0; i < 3; i++) {
		q = db_use(db, all[i]);
		bind_int(q, ":b", branch);
		stmt_run(q);
	}
}

void
links_rebuild(struct db *db, struct arena *a, const struct point *p)
{
	struct node *list;
	struct keeper k;
	size_t n, i;

	drop_branch(db, p->branch);
	keeper_init(&k, db, a, p);
	list = node_list(db, a, p, LINK_SOURCES, &n);
	for (i = 0; i < n; i++)
		add_links(&k, &list[i]);
	write_counts(&k);
}

bool
links_drop(struct db *db, const char *space)
{
	struct arena *a = arena_new(1 << 20);
	struct stmt *q = db_use(db, &q_some_sources);
	const char *sources[200];
	int64_t branch = 0;
	size_t n = 0, i;

	bind_text(q, ":space", space);
	while (n < 200 && stmt_step(q)) {
		branch = col_int(q, 0);
		sources[n++] = col_dup(q, 1, a);
	}
	for (i = 0; i < n; i++) {
		q = db_use(db, &q_links_drop);
		bind_int(q, ":b", branch);
		bind_text(q, ":source", sources[i]);
		stmt_run(q);
	}
	arena_free(a);
	if (n > 0)
		return true;
	q = db_use(db, &q_main_branches);
	bind_text(q, ":space", space);
	if ((branch = stmt_int(q, 0)) != 0)
		drop_branch(db, branch);
	return false;
}
