/* Counted events of sites; the contract is in app/site_event.h. */
#include "app/site_event.h"

SQL(q_count,
    "INSERT INTO site_event (site, day, space, site_space, page, event, rating, n) "
    "VALUES (:site, :day, :space, :site_space, :page, :event, :rating, :n) "
    "ON CONFLICT (site, day, space, site_space, page, event, rating) DO UPDATE SET n = site_event.n + excluded.n");
SQL(q_total, "SELECT coalesce(sum(n), 0) FROM site_event WHERE site = :site AND day = :day AND event = :event");

void
site_event_count(struct db *db, const struct site_event *e)
{
	struct stmt *q = db_use(db, &q_count);

	bind_text(q, ":site", e->site);
	bind_int(q, ":day", e->day);
	bind_text(q, ":space", e->space);
	bind_text(q, ":site_space", e->site_space);
	bind_text(q, ":page", e->page);
	bind_text(q, ":event", e->kind);
	bind_text(q, ":rating", e->rating);
	bind_int(q, ":n", e->times > 0 ? e->times : 1);
	stmt_run(q);
}

int64_t
site_event_total(struct db *db, const char *site, int64_t day, const char *kind)
{
	struct stmt *q = db_use(db, &q_total);

	bind_text(q, ":site", site);
	bind_int(q, ":day", day);
	bind_text(q, ":event", kind);
	return stmt_int(q, 0);
}
