/*
 * After a specification got a new version or was deleted: adds a revision of type `computed` to
 * each space that shows it, without a change to written content. It works in a locked space, and
 * makes no change request outdated.
 */
#include "base/map.h"
#include "computed/computed.h"
#include "propagate/spec_versions.h"

/*
 * The current computed nodes of all spaces. The statement cannot compare the slug, because it is
 * inside props, which is JSON; shows_spec() compares it.
 */
SQL(q_showing,
    "SELECT s.id, s.branch, n.id FROM space s JOIN node n ON n.branch = s.branch AND n.kind = 'computed' "
    "AND n.until >= " SQL_FOREVER " WHERE s.org = :org AND s.deleted_at IS NULL ORDER BY s.id /*scan*/");
/* Spaces with a block that shows an operation of the specification: these are links to it. */
SQL(q_linking,
    "SELECT s.id, s.branch FROM space s JOIN link_edition e ON e.branch = s.branch AND e.shown = 1 "
    "JOIN link_target t ON t.edition = e.no AND t.key = 'openapi:' || :slug "
    "WHERE s.org = :org AND s.deleted_at IS NULL ORDER BY s.id /*scan*/");
/* One page at a time: props may be large, and most computed pages show another specification. */
SQL(q_props, "SELECT props FROM node WHERE branch = :branch AND id = :id AND until = " SQL_FOREVER);

struct showing_page {
	struct showing_page *next;
	const char     *space, *page;   /* page NULL: the space has a link to the specification */
	int64_t         branch;         /* of the space */
};

/* A list, because the writes that follow would change what an open statement reads. */
static struct showing_page *
computed_pages(struct db *db, struct arena *a, const char *org)
{
	struct stmt *q = db_use(db, &q_showing);
	struct showing_page *first = NULL, **last = &first;

	bind_text(q, ":org", org);
	while (stmt_step(q)) {
		*last = arena_alloc(a, sizeof(**last));
		**last = (struct showing_page){ NULL, col_dup(q, 0, a), col_dup(q, 2, a), col_int(q, 1) };
		last = &(*last)->next;
	}
	return first;
}

static bool
shows_spec(struct db *db, struct arena *a, const struct showing_page *s, const char *slug)
{
	struct stmt *q = db_use(db, &q_props);
	struct node n = { .kind = NODE_COMPUTED };
	const char *spec;

	bind_int(q, ":branch", s->branch);
	bind_text(q, ":id", s->page);
	if (!stmt_step(q))
		return false;
	n.props = col_dup(q, 0, a);
	spec = computed_spec(a, &n);
	return spec != NULL && strcmp(computed_slug(db, a, s->space, spec), slug) == 0;
}

static struct showing_page *
linking_spaces(struct db *db, struct arena *a, const char *org, const char *slug)
{
	struct stmt *q = db_use(db, &q_linking);
	struct showing_page *first = NULL, **last = &first;

	bind_text(q, ":org", org);
	bind_text(q, ":slug", slug);
	while (stmt_step(q)) {
		*last = arena_alloc(a, sizeof(**last));
		**last = (struct showing_page){ NULL, col_dup(q, 0, a), NULL, col_int(q, 1) };
		last = &(*last)->next;
	}
	return first;
}

/*
 * Adds a revision without rows. Readers and caches see from the new revision that pages may look
 * different now.
 */
static void
add_revision(struct db *db, struct arena *a, const struct showing_page *s)
{
	const struct revision_info info = { .kind = "computed" };
	char *id;

	propagate_revision(db, a, s->space, s->branch, revision_add(db, a, s->branch, &info, &id));
}

size_t
revise_showing_spaces(struct db *db, struct arena *a, const char *org, const char *slug)
{
	/* One revision for a space, however many of its pages show the specification. */
	struct map *done = map_new(a);
	struct showing_page *s;
	size_t count = 0;

	for (s = computed_pages(db, a, org); s != NULL; s = s->next) {
		if (map_has(done, str_of(s->space)) || !shows_spec(db, a, s, slug))
			continue;
		map_add(done, str_of(s->space), NULL);
		add_revision(db, a, s);
		count++;
	}
	for (s = linking_spaces(db, a, org, slug); s != NULL; s = s->next) {
		/* A space may both have a computed page and link to an operation. */
		if (!map_add(done, str_of(s->space), NULL))
			continue;
		add_revision(db, a, s);
		count++;
	}
	return count;
}
