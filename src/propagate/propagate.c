/* What follows from a new revision of a space's primary content. */
#include "app/queue.h"
#include "propagate/propagate.h"
#include "propagate/start_translations.h"
#include "store/content.h"
#include "links/links.h"
#include "search/search.h"

/* Others cannot write meanwhile: of many links a job makes another edition, in steps. */
static void
change_links(struct db *db, struct arena *a, const struct point *now)
{
	if (!links_changed(db, a, now->space, now->branch, now->seq))
		search_queue(db, a, now->space);
}

/* A binding to a repository has something to export. */
static void
export_soon(struct db *db, struct arena *a, const char *space)
{
	schedule_soon(db, arena_printf(a, "git:%s", space));
}

/* For those who cannot run their transaction twice: large bodies are then read in it. */
void
propagate_revision(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct point now;

	/* The signature is that of store/content.h; the point says both. */
	(void)space;
	(void)seq;
	/* The head has moved in this transaction: it is the revision that was just written. */
	point_head(db, a, branch, &now);
	propagate_changed(db, a, &now, NULL);
}

bool
propagate_changed(struct db *db, struct arena *a, const struct point *now, struct large *large)
{
	/*
	 * First what notes large bodies, comments and the index alike: so one try names all that
	 * has to be read ahead of the lock, and is rolled back (propagate/large_bodies.h).
	 */
	comments_follow(db, a, now, now->space, large);
	if (large_note_pages(db, large, now) || large_waits(large))
		return false;
	/* False: so much that a job does it, which is queued, and makes the links as well. */
	if (search_changed(db, a, now->space, now->branch, now->seq))
		change_links(db, a, now);
	else
		links_late(db, now->branch);
	/* After search_changed(), as its contract wants. */
	search_computed(db, a, now->space, now->branch);
	translations_follow(db, a, now->space);
	export_soon(db, a, now->space);
	return true;
}

/* Nothing of it is visible before propagate_turn(). */
bool
propagate_ahead(struct db *db, struct arena *a, struct propagation *p, const char *const *ids, size_t n,
    const char *const *changed, size_t m)
{
	bool few;

	search_stage(db, a, &p->staged, ids, n);
	db_begin(db, false);
	/* An edition that was begun is shown in the end: it is brought along, however little changed. */
	few = p->edition == 0 && links_are_few(db, a, &p->staged, ids, n);
	p->comments = comments_ahead(db, a, &p->head, &p->staged, p->head.space);
	db_rollback(db);
	return few || links_ahead(db, a, &p->staged, &p->edition, changed, m, p->watch);
}

/* All of it is short, whatever the revision changed: the long part was done by propagate_ahead(). */
void
propagate_turn(struct db *db, struct arena *a, const struct propagation *p)
{
	const char *space = p->head.space;

	comments_turn(db, a, p->comments, &p->head, &p->staged, space);
	search_show(db, space, p->staged.seq);
	search_computed(db, a, space, p->staged.branch);
	/* Links were made as another edition, which is shown by one row. */
	if (p->edition != 0)
		links_show(db, p->staged.branch, p->edition);
	else
		change_links(db, a, &p->staged);
	translations_follow(db, a, space);
	if (p->exports)
		export_soon(db, a, space);
}

void
propagate_settle(struct db *db, struct arena *a, const char *space, int64_t branch)
{
	/* Nobody reads what these remove: a job that is killed here leaves it to the next one. */
	search_settle(db, space);
	search_unused(db, a, space);
	links_tidy(db, branch);
}
