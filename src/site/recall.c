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
#include "base/json.h"
#include "parts.h"

enum {
	RECALL_BYTES = 8 << 20,     /* of all that a worker remembers; then it begins anew */
	RECALL_ONE = 256 << 10      /* of a page that is remembered */
};

struct remembered {
	struct str head, body;
	int64_t    until;           /* ms; 0: the time does not matter */
};

static struct arena *memory;
static struct map *answers;
/* The state of the data that all of them were made of. */
static unsigned moment;

static void
forget(unsigned now)
{
	if (memory == NULL)
		memory = arena_new(2 * (RECALL_BYTES + RECALL_ONE));
	arena_reset(memory);
	answers = map_new(memory);
	moment = now;
}

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
	const struct remembered *r = NULL;
	unsigned now;

	if ((w->question = question_of(w, uri)) == NULL)
		return false;
	db_begin(w->db, false);
	if ((now = db_moment(w->db)) != moment || answers == NULL)
		forget(now);
	else
		r = map_get(answers, str_of(w->question));
	if (r == NULL || (r->until != 0 && r->until <= time_now())) {
		db_rollback(w->db);
		return false;
	}
	w->io->write(w->io, r->head.p, r->head.n);
	w->io->write(w->io, r->body.p, r->body.n);
	return true;
}

static struct str
copy(struct str s)
{
	return (struct str){ arena_strndup(memory, s.p, s.n), s.n };
}

void
remember(struct view *s, const struct body *b)
{
	struct answer *w = s->w;
	struct remembered *r;
	unsigned now;

	/* What everybody sees alike the web server sends by itself. */
	if (w->question == NULL || !b->page || view_shared(s) || b->bytes.n > RECALL_ONE)
		return;
	/* In the transaction that the page was read in. */
	if ((now = db_moment(w->db)) != moment || arena_used(memory) > RECALL_BYTES)
		forget(now);
	r = arena_alloc(memory, sizeof(*r));
	*r = (struct remembered){ copy(buf_view(&w->h)), copy(b->bytes), s->v.until };
	*map_at(answers, copy(str_of(w->question))) = r;
}
