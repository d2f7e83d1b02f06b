/*
 * What readers do on Octavo's own pages, counted: a page was read, a page was rated. The counts are
 * those of the API (table site_event; the manual's *Sites*): a number by day, page and kind. Nothing
 * of the reader is read or kept: no cookie, no address, no session.
 *
 *   POST ~count   event=page_view|page_post_feedback, space (site space), page, rating (bad, ok, good)
 *
 * A form without script rates pages too: the answer leads back to the page then.
 */
#include <unistd.h>

#include "reader_parts.h"

/*
 * A day's limits of a site, above which nothing is counted: what anybody may send must not fill the
 * database. The rows of a day are few, since equal events share one.
 */
enum {
	BODY_MAX = 2048,
	VIEWS_PER_DAY = 1000000,
	RATINGS_PER_DAY = 5000,
	TRIES = 20, TRY_US = 5000      /* how often, and after which pause, a busy database is tried */
};

SQL(q_today, "SELECT coalesce(sum(n), 0) FROM site_event WHERE site = :site AND day = :day AND event = :event");
SQL(q_add,
    "INSERT INTO site_event (site, day, space, site_space, page, event, rating, n) "
    "VALUES (:site, :day, :space, :site_space, :page, :event, :rating, 1) "
    "ON CONFLICT (site, day, space, site_space, page, event, rating) DO UPDATE SET n = site_event.n + 1");

struct event {
	const char              *kind, *rating;
	const struct visit_item *space;
	struct page              page;
};

static const char *
read_form(struct answer *w)
{
	char *body = arena_bytes(w->arena, BODY_MAX + 1);
	size_t n = 0;
	long got;

	while (n < BODY_MAX && (got = w->io->read(w->io, body + n, BODY_MAX - n)) > 0)
		n += (size_t)got;
	body[n] = '\0';
	return body;
}

/* False for what this visitor cannot have read or rated. */
static bool
read_event(struct view *s, const char *form, struct event *e)
{
	const char *page = form_parameter(s->w, form, "page"), *space = form_parameter(s->w, form, "space");
	struct computed_page *c;
	bool rated;

	e->kind = form_parameter(s->w, form, "event");
	rated = same_text(e->kind, "page_post_feedback");
	e->rating = rated ? form_parameter(s->w, form, "rating") : "";
	e->space = space != NULL ? visit_item(&s->v, space) : NULL;
	if ((!rated && !same_text(e->kind, "page_view")) || e->rating == NULL || e->space == NULL ||
	    e->space->kind != VISIT_SPACE || page == NULL)
		return false;
	if (rated && (!s->look->feedback || (strcmp(e->rating, "good") != 0 && strcmp(e->rating, "ok") != 0 &&
	    strcmp(e->rating, "bad") != 0)))
		return false;
	return visit_page(&s->v, e->space, page, &e->page, &c);
}

/* A request of a page on another host would count what nobody reads here (Fetch Metadata). */
static bool
is_foreign(struct answer *w)
{
	const char *from = w->io->param(w->io, "HTTP_SEC_FETCH_SITE");

	return from != NULL && strcmp(from, "same-origin") != 0 && strcmp(from, "none") != 0;
}

/* Inside a write transaction. */
static void
add_event(struct view *s, const struct event *e, int64_t day)
{
	struct stmt *q = db_use(s->w->db, &q_today);

	bind_text(q, ":site", s->v.site.id);
	bind_int(q, ":day", day);
	bind_text(q, ":event", e->kind);
	if (stmt_int(q, 0) >= (*e->rating != '\0' ? RATINGS_PER_DAY : VIEWS_PER_DAY))
		return;
	q = db_use(s->w->db, &q_add);
	bind_text(q, ":site", s->v.site.id);
	bind_int(q, ":day", day);
	bind_text(q, ":space", e->space->space);
	bind_text(q, ":site_space", e->space->id);
	bind_text(q, ":page", e->page.node.id);
	bind_text(q, ":event", e->kind);
	bind_text(q, ":rating", e->rating);
	stmt_run(q);
}

/* False if others write all the time: readers wait for pages, and no count is worth that. */
static bool
count_event(struct view *s, const struct event *e)
{
	struct db *db = s->w->db;
	int left = TRIES;

	/* The transaction under way is one of reading. */
	db_rollback(db);
	while (!db_try_begin(db)) {
		if (--left == 0)
			return false;
		usleep(TRY_US);
	}
	add_event(s, e, time_now() / DAY_MS);
	db_commit(db);
	return true;
}

void
serve_count(struct view *s)
{
	struct answer *w = s->w;
	const char *form = read_form(w), *back;
	struct event e = { 0 };

	/* Nobody reads the site in a preview. */
	if (s->v.preview || is_foreign(w) || !read_event(s, form, &e)) {
		write_refusal(w, 400, "Bad Request");
		return;
	}
	back = view_local(s, visit_page_address(&s->v, e.space, &e.page));
	if (!count_event(s, &e)) {
		write_refusal(w, 503, "Service Unavailable");
	} else if (form_parameter(w, form, "form") != NULL) {
		send_redirect(s, 303, arena_printf(s->arena, "%s#~thanks", back), NULL);
	} else {
		buf_str(&w->h, "Status: 204 No Content\r\nCache-Control: no-store\r\n\r\n");
		w->io->write(w->io, w->h.p, w->h.n);
	}
}
