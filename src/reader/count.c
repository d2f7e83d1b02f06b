/*
 * Counts views and ratings of Octavo's own pages in the same table as the API (site_event; the
 * manual's *Sites*): a number for each day, page and kind. No data of the reader is read or stored:
 * no cookie, no address, no session.
 *
 *   POST ~count   event=page_view|page_post_feedback, space (site space), page, rating (bad, ok, good)
 *
 * A form without script can also rate a page; the answer then redirects back to the page.
 */
#include <stdio.h>
#include <unistd.h>

#include "app/site_event.h"
#include "reader_parts.h"

/*
 * Limits per site and day, above which events are not counted: anybody may send events, and these
 * must not fill the database. A day has few rows, since equal events share one.
 */
enum {
	BODY_MAX = 2048,
	VIEWS_PER_DAY = 1000000,
	RATINGS_PER_DAY = 5000,
	KNOWN = 64,                    /* maximum number of sites and kinds whose count of today is cached */
	KNOWN_MS = 60 * 1000,          /* how long it is cached: other processes count, too */
	/* How many times, and after which pause, a rating is retried in a busy database. */
	RATING_TRIES = 20, TRY_US = 5000,
	/* Views that wait for the next one: number of pages, and bytes of an id. */
	WAITING = 256, ID_MAX = 48
};

SQL(q_site, "SELECT 1 FROM site WHERE id = :site");

/*
 * Views of pages that came while others wrote: a reader must not wait for a count. They are written
 * with the next view that this worker counts; a worker that ends before loses them.
 */
static struct waiting {
	char    site[ID_MAX], space[ID_MAX], site_space[ID_MAX], page[ID_MAX];
	int64_t day, times;
} waiting[WAITING];
static size_t waiting_count;

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

/* Reads the event from the form. False: this visitor cannot have read or rated that page. */
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
	/* An unknown event, or a parameter is missing or names no site space. */
	if ((!rated && !same_text(e->kind, "page_view")) || e->rating == NULL || e->space == NULL ||
	    e->space->kind != VISIT_SPACE || page == NULL)
		return false;
	if (rated && (!s->look->feedback || (strcmp(e->rating, "good") != 0 && strcmp(e->rating, "ok") != 0 &&
	    strcmp(e->rating, "bad") != 0)))
		return false;
	return visit_page(&s->v, e->space, page, &e->page, &c);
}

bool
is_foreign(struct answer *w)
{
	const char *from = w->io->param(w->io, "HTTP_SEC_FETCH_SITE");

	return from != NULL && strcmp(from, "same-origin") != 0 && strcmp(from, "none") != 0;
}

/*
 * True if the site has the maximum number of events of this kind today. The sum is read once a
 * minute, and never while others wait for the write lock, because a large site has many rows a day.
 * So several processes may exceed the limit a little.
 */
static bool
is_full(struct view *s, const struct event *e, int64_t now)
{
	static struct known { char site[32]; bool rated; int64_t day, until, n; } day_totals[KNOWN];
	bool rated = *e->rating != '\0';
	const char *site = s->v.site.id;
	struct known *k;
	size_t at = rated, i;

	for (i = 0; site[i] != '\0'; i++)
		at = at * 31 + (unsigned char)site[i];
	k = &day_totals[at % KNOWN];
	if (k->rated != rated || k->day != now / DAY_MS || k->until < now || strcmp(k->site, site) != 0) {
		*k = (struct known){ .rated = rated, .day = now / DAY_MS, .until = now + KNOWN_MS,
			.n = site_event_total(s->w->db, site, now / DAY_MS, e->kind) };
		snprintf(k->site, sizeof(k->site), "%s", site);
	}
	return k->n++ >= (rated ? RATINGS_PER_DAY : VIEWS_PER_DAY);
}

/* ---- views that wait ---- */

static bool
is_same(const struct waiting *one, const struct site_event *e)
{
	return one->day == e->day && strcmp(one->page, e->page) == 0 && strcmp(one->site_space, e->site_space) == 0 &&
	    strcmp(one->space, e->space) == 0 && strcmp(one->site, e->site) == 0;
}

/* Adds a view. It is lost if there is no place for it. */
static void
add_waiting(const struct site_event *e)
{
	struct waiting *one = waiting;

	while (one < waiting + waiting_count && !is_same(one, e))
		one++;
	if (one < waiting + waiting_count) {
		one->times++;
		return;
	}
	if (waiting_count == WAITING || strlen(e->site) >= ID_MAX || strlen(e->space) >= ID_MAX || strlen(e->site_space) >= ID_MAX ||
	    strlen(e->page) >= ID_MAX)
		return;
	*one = (struct waiting){ .day = e->day, .times = 1 };
	snprintf(one->site, ID_MAX, "%s", e->site);
	snprintf(one->space, ID_MAX, "%s", e->space);
	snprintf(one->site_space, ID_MAX, "%s", e->site_space);
	snprintf(one->page, ID_MAX, "%s", e->page);
	waiting_count++;
}

/* A site may be gone since. */
static bool
has_site(struct db *db, const char *site)
{
	struct stmt *q = db_use(db, &q_site);

	bind_text(q, ":site", site);
	return stmt_step(q);
}

/* Writes the views that wait, unless another process writes. */
static void
write_waiting(struct db *db)
{
	if (!db_try_begin(db))
		return;
	for (const struct waiting *one = waiting; one < waiting + waiting_count; one++)
		if (has_site(db, one->site))
			site_event_count(db, &(struct site_event){ .site = one->site, .day = one->day, .space = one->space,
			    .site_space = one->site_space, .page = one->page, .kind = "page_view", .rating = "", .times = one->times });
	db_commit(db);
	waiting_count = 0;
}

/* ---- counting ---- */

/* Gives up if the database stays busy, and returns false. */
static bool
write_rating(struct db *db, const struct site_event *e)
{
	int left = RATING_TRIES;

	while (!db_try_begin(db)) {
		if (--left == 0)
			return false;
		usleep(TRY_US);
	}
	site_event_count(db, e);
	db_commit(db);
	return true;
}

/* False: a rating could not be written. */
static bool
count_event(struct view *s, const struct event *e)
{
	struct db *db = s->w->db;
	int64_t now = time_now();
	struct site_event event = { .site = s->v.site.id, .day = now / DAY_MS, .space = e->space->space,
		.site_space = e->space->id, .page = e->page.node.id, .kind = e->kind, .rating = e->rating };

	if (is_full(s, e, now))
		return true;
	/* The open transaction is a read transaction. */
	db_rollback(db);
	if (*e->rating != '\0')
		return write_rating(db, &event);
	add_waiting(&event);
	write_waiting(db);
	return true;
}

void
serve_count(struct view *s)
{
	struct answer *w = s->w;
	const char *form = read_form(w), *back;
	struct event e = { 0 };

	/* Views in a preview are not those of readers. */
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
