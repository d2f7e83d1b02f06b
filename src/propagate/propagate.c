/* Updates what depends on a new revision of a space's primary content. */
#include "app/queue.h"
#include "propagate/propagate.h"
#include "propagate/start_translations.h"
#include "store/content.h"
#include "links/links.h"
#include "search/search.h"

/* This runs in a write transaction: if many links change, a job builds another edition in steps. */
static void
update_links(struct db *db, struct arena *a, const struct point *now)
{
	if (!links_changed(db, a, now->space, now->branch, now->seq))
		search_queue(db, a, now->space);
}

/* A space that is bound to a repository has something to export. */
static void
schedule_export(struct db *db, struct arena *a, const char *space)
{
	schedule_soon(db, arena_printf(a, "git:%s", space));
}

/* Schedules the job that highlights code for readers of a published space (jobs/typeset.h). */
static void
schedule_typeset(struct db *db, struct arena *a, const char *space)
{
	schedule_soon(db, arena_printf(a, "typeset:%s", space));
}

/* For callers that cannot run their transaction twice: large bodies are read inside it. */
void
propagate_revision(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct point now;

	/* The signature is that of store/content.h; space and seq are in the point. */
	(void)space;
	(void)seq;
	/* The head moved in this transaction: it is the new revision. */
	point_head(db, a, branch, &now);
	propagate_changed(db, a, &now, NULL);
}

bool
propagate_changed(struct db *db, struct arena *a, const struct point *now, struct large *large)
{
	/*
	 * The two functions that note large bodies (for comments, and for the index) are called
	 * first, so that a single incomplete run finds all bodies that must be read before the lock
	 * is taken (propagate/large_bodies.h).
	 */
	comments_follow(db, a, now, now->space, large);
	if (large_note_pages(db, large, now) || large_waits(large))
		return false;
	/* If search_changed() returns false, it has queued a job, which also updates the links. */
	if (search_changed(db, a, now->space, now->branch, now->seq))
		update_links(db, a, now);
	else
		links_mark_outdated(db, now->branch);
	/* This follows search_changed(), as its contract requires. */
	search_computed(db, a, now->space, now->branch);
	translations_follow(db, a, now->space);
	schedule_export(db, a, now->space);
	schedule_typeset(db, a, now->space);
	return true;
}

/* Nothing of this is visible before propagate_publish(). */
bool
propagate_ahead(struct db *db, struct arena *a, struct propagation *p, const char *const *ids, size_t n,
    const char *const *changed, size_t m)
{
	bool few;

	search_stage(db, a, &p->staged, ids, n);
	db_begin(db, false);
	/*
	 * An edition that was begun is shown in the end, so it must be updated, however little
	 * changed.
	 */
	few = p->edition == 0 && links_are_few(db, a, &p->staged, ids, n);
	p->comments = comments_prepare(db, a, &p->head, &p->staged, p->head.space);
	db_rollback(db);
	return few || links_ahead(db, a, &p->staged, &p->edition, changed, m, p->watch);
}

/* Takes little time however much the revision changed, because propagate_ahead() has prepared it. */
void
propagate_publish(struct db *db, struct arena *a, const struct propagation *p)
{
	const char *space = p->head.space;

	comments_publish(db, a, p->comments, &p->head, &p->staged, space);
	search_show(db, space, p->staged.seq);
	search_computed(db, a, space, p->staged.branch);
	/* The links are in another edition, which one row shows. */
	if (p->edition != 0)
		links_show(db, p->staged.branch, p->edition);
	else
		update_links(db, a, &p->staged);
	translations_follow(db, a, space);
	if (p->exports)
		schedule_export(db, a, space);
	schedule_typeset(db, a, space);
}

void
propagate_clean_up(struct db *db, struct arena *a, const char *space, int64_t branch)
{
	/*
	 * Readers use nothing of this any more: if the job is killed here, the next one removes it.
	 */
	search_apply_turns(db, space);
	search_unused(db, a, space);
	links_tidy(db, branch);
}

void
propagate_clean_up_shared(struct db *db, struct arena *a, const char *space, int64_t branch)
{
	search_apply_turns(db, space);
	search_unused(db, a, space);
	links_tidy_former(db, branch);
}

void
propagate_forget(struct db *db, struct arena *a, const struct propagation *p)
{
	links_forget(db, a, p->edition);
}
