/*
 * Pages for those who come with a share key or claims, which no web server may send by itself: a
 * worker remembers what it answered, as it was sent.
 *
 * What such an answer depends on is in the question (address, host, key, claims, OCTAVO_URL), in
 * the time where claims end, and in the data: in what sites show, and in who may see it. Triggers
 * count both (site_change, access_version), whoever writes; the numbers are compared in a read
 * transaction, so that a page is another one, or is closed, from the commit on. Other commits,
 * which an installation at work makes all the time, leave the answers as they are. What comes to
 * be shown to visitors out of a table that has no such trigger needs one.
 *
 * The question has key and claims as they came, and is compared whole: nobody gets the answer of
 * another.
 */
#include "db/recall.h"
#include "reader_parts.h"

SQL(q_state, "SELECT s.n, a.n FROM site_change s, access_version a WHERE s.id = 1 AND a.id = 1");

/*
 * Number that changes whenever what sites show, or who may see it, changes; both counters start at
 * 1.
 */
static uint64_t
state_of_sites(struct db *db)
{
	struct stmt *q = db_use(db, &q_state);

	/* Without these rows (salvaged data), use the number that changes with each commit. */
	return stmt_step(q) ? (uint64_t)col_int(q, 0) << 32 | (uint32_t)col_int(q, 1) : db_moment(db);
}

/* Cache key; NULL if the request cannot be cached. */
static const char *
question_of(struct answer *w, const char *uri)
{
	const char *key = get_cookie(w, "octavo_share"), *jwt = get_cookie(w, "octavo_visitor"),
	    *host = w->io->param(w->io, "HTTP_HOST");

	if (w->head || w->post || (key == NULL && jwt == NULL) || strchr(uri, '?') != NULL || wants_markdown(w) ||
	    w->io->param(w->io, "HTTP_IF_NONE_MATCH") != NULL)
		return NULL;
	/* A line feed separates the parts safely: web servers accept none in a header. */
	return arena_printf(w->arena, "%s\n%s\n%s\n%s\n%s", uri, host != NULL ? host : "", key != NULL ? key : "",
	    jwt != NULL ? jwt : "", w->set->url);
}

bool
recall_answer(struct answer *w, const char *uri)
{
	const struct recalled *k;

	if ((w->cache_key = question_of(w, uri)) == NULL)
		return false;
	db_begin(w->db, false);
	k = recall_find(state_of_sites(w->db), w->cache_key);
	if (k == NULL) {
		db_rollback(w->db);
		return false;
	}
	w->io->write(w->io, k->head.p, k->head.n);
	w->io->write(w->io, k->body.p, k->body.n);
	return true;
}

void
remember_answer(struct view *s, const struct body *b)
{
	struct answer *w = s->w;

	/* The web server sends answers that are the same for everybody. */
	if (w->cache_key != NULL && b->page && !view_shared(s))
		/* Still in the transaction in which the page was read. */
		recall_put(state_of_sites(w->db), w->cache_key, &(struct recalled){ buf_view(&w->h), b->bytes, s->v.until });
}
