/*
 * Pages for those who come with a share key or claims, which no web server may send by itself: a
 * worker remembers what it answered, as it was sent.
 *
 * What such an answer depends on is in the question (address, host, key, claims, OCTAVO_URL), in the
 * database, and in the time where claims end. So it is right for the same question as long as nobody
 * has committed anything (db_moment), which is compared in a read transaction of its own: a page is
 * another one, or is closed, from the commit on.
 *
 * The question has key and claims as they came, and is compared whole: nobody gets the answer of
 * another.
 */
#include "db/recall.h"
#include "parts.h"

/* NULL: such a question is answered by the long way. */
static const char *
question_of(struct answer *w, const char *uri)
{
	const char *key = cookie(w, "octavo_share"), *jwt = cookie(w, "octavo_visitor"),
	    *host = w->io->param(w->io, "HTTP_HOST");

	if (w->head || w->post || (key == NULL && jwt == NULL) || strchr(uri, '?') != NULL || wants_markdown(w) ||
	    w->io->param(w->io, "HTTP_IF_NONE_MATCH") != NULL)
		return NULL;
	/* None of them can hold the end of a line: a web server takes no such header. */
	return arena_printf(w->arena, "%s\n%s\n%s\n%s\n%s", uri, host != NULL ? host : "", key != NULL ? key : "",
	    jwt != NULL ? jwt : "", w->set->url);
}

bool
recall(struct answer *w, const char *uri)
{
	const struct recalled *k;

	if ((w->question = question_of(w, uri)) == NULL)
		return false;
	db_begin(w->db, false);
	k = recall_find(w->db, w->question);
	if (k == NULL) {
		db_rollback(w->db);
		return false;
	}
	w->io->write(w->io, k->head.p, k->head.n);
	w->io->write(w->io, k->body.p, k->body.n);
	return true;
}

void
remember(struct view *s, const struct body *b)
{
	struct answer *w = s->w;

	/* What everybody sees alike the web server sends by itself. */
	if (w->question != NULL && b->page && !view_shared(s))
		/* In the transaction that the page was read in. */
		recall_put(w->db, w->question, &(struct recalled){ buf_view(&w->h), b->bytes, s->v.until });
}
