/*
 * Cache of pages for visitors with a share key or claims. The web server may not send such pages by
 * itself, so a worker keeps its answers in memory, exactly as they were sent.
 *
 * An answer depends on three things. The cache key contains the request (address, host, share key,
 * claims, OCTAVO_URL). `until` is the time when claims end. The state of the data is the number of
 * changes of what sites show, and of who may see it: triggers count both (site_change,
 * access_version), whatever program writes. These counts are read in the transaction of the
 * request, so a changed or closed page is noticed from the commit on. Other commits, which are
 * frequent, do not invalidate answers. If visitors are to see data of a table without such a
 * trigger, the table needs one.
 *
 * The cache key contains share key and claims as they were sent, and is compared completely, so no
 * visitor gets the answer of another.
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
make_cache_key(struct answer *w, const char *uri)
{
	const char *key = get_cookie(w, "octavo_share"), *jwt = get_cookie(w, "octavo_visitor"),
	    *host = w->io->param(w->io, "HTTP_HOST");

	/* Only pages of visitors with a cookie; the web server sends ready-made files to all others (base/served.h). */
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

	if ((w->cache_key = make_cache_key(w, uri)) == NULL)
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

	/* Answers that are the same for everybody are sent by the web server. */
	if (w->cache_key != NULL && b->page && !view_shared(s))
		/* The transaction in which the page was read is still open. */
		recall_put(state_of_sites(w->db), w->cache_key, &(struct recalled){ buf_view(&w->h), b->bytes, s->v.until });
}
