/*
 * Entries that a space shows, and the scopes that contain them: rows of search_place and
 * search_reads. A duplicate of a space begins with the places of its source, and writes entries of
 * its own only for edited pages. So a duplicate needs a few bytes for each page, and the cost of a
 * search in it depends on the number of pages that it shows.
 */
#include "search_parts.h"

/*
 * SCOPES: most scopes per space, each one more list for every word of a query. CROWDED: how many
 * times as many entries as it shows a space may read. Beyond either limit, a further duplicate gets
 * an index of its own. COPY_ROWS: per step of a copy.
 */
enum { SCOPES = 8, CROWDED = 4, COPY_ROWS = 500 };

SQL(q_scopes, "SELECT scope FROM search_reads WHERE space = :space ORDER BY scope");
SQL(q_reads, "INSERT INTO search_reads (space, scope) VALUES (:space, :space) ON CONFLICT DO NOTHING");
SQL(q_set,
    "INSERT INTO search_place (space, no, live) VALUES (:space, :no, :live) "
    "ON CONFLICT (space, no) DO UPDATE SET live = excluded.live, turn = NULL");
SQL(q_wait, "INSERT INTO search_place (space, no, live, turn) VALUES (:space, :no, 0, 9223372036854775807)");
/* :no is the entry that stays; 0, which no entry has, retires all. */
SQL(q_retire,
    "UPDATE search_place AS p SET live = 0, turn = NULL WHERE p.space = :space AND p.no IN "
    "(SELECT e.no FROM search_reads r JOIN search_page e ON e.scope = r.scope AND e.page = :page "
    "WHERE r.space = :space) AND p.no <> :no AND " SEARCH_FOUND);
SQL(q_drop, "DELETE FROM search_place WHERE space = :space AND no = :no");
SQL(q_shown, "SELECT 1 FROM search_place WHERE no = :no LIMIT 1");
/*
 * Entries that a space reads but does not show: older versions, and versions that other spaces show
 * from the same scopes.
 */
SQL(q_read,
    "SELECT count(*) FROM search_reads r JOIN search_page e ON e.scope = r.scope WHERE r.space = :space");
SQL(q_copy_reads,
    "INSERT INTO search_reads (space, scope) SELECT :to, scope FROM search_reads WHERE space = :space");
SQL(q_copy,
    "INSERT INTO search_place (space, no, live) SELECT :to, p.no, 1 FROM search_place p "
    "WHERE p.space = :space AND p.no > :after AND p.no <= :last AND " SEARCH_FOUND);
SQL(q_copy_last,
    "SELECT COALESCE((SELECT no FROM search_place WHERE space = :space AND no > :after ORDER BY no LIMIT 1 OFFSET :rows), "
    "(SELECT max(no) FROM search_place WHERE space = :space AND no > :after))");
SQL(q_pages, "UPDATE search_space SET pages = pages + :pages WHERE no = :space");

const char *
place_scopes(struct db *db, struct arena *a, int64_t space)
{
	struct stmt *q = db_use(db, &q_scopes);
	struct buf b;

	buf_init(&b, a, 4096);
	bind_int(q, ":space", space);
	while (stmt_step(q)) {
		if (b.n > 0)
			buf_char(&b, ',');
		buf_int(&b, col_int(q, 0));
	}
	return b.n == 0 ? "" : b.p;
}

void
place_write(struct db *db, int64_t space)
{
	struct stmt *q = db_use(db, &q_reads);

	bind_int(q, ":space", space);
	stmt_run(q);
}

void
place_set(struct db *db, int64_t space, int64_t no, bool live)
{
	struct stmt *q = db_use(db, &q_set);

	bind_int(q, ":space", space);
	bind_int(q, ":no", no);
	bind_int(q, ":live", live);
	stmt_run(q);
}

void
place_wait(struct db *db, int64_t space, int64_t no)
{
	struct stmt *q = db_use(db, &q_wait);

	bind_int(q, ":space", space);
	bind_int(q, ":no", no);
	stmt_run(q);
}

int64_t
place_retire(struct db *db, int64_t space, const char *page, int64_t but, int64_t head)
{
	struct stmt *q = db_use(db, &q_retire);

	bind_int(q, ":space", space);
	bind_text(q, ":page", page);
	bind_int(q, ":no", but);
	bind_int(q, ":head", head);
	return stmt_run(q);
}

void
place_drop(struct db *db, struct arena *scratch, int64_t space, int64_t no, const struct removed_entry *known)
{
	struct stmt *q = db_use(db, &q_drop);

	bind_int(q, ":space", space);
	bind_int(q, ":no", no);
	stmt_run(q);
	q = db_use(db, &q_shown);
	bind_int(q, ":no", no);
	if (stmt_int(q, 0) == 0)
		entry_remove(db, scratch, no, known);
}

/* True if a duplicate would read little more than it shows. */
static bool
can_share(struct db *db, struct arena *a, const struct search_in *from)
{
	const char *scopes = place_scopes(db, a, from->no);
	struct stmt *q = db_use(db, &q_read);
	int64_t read;
	int n = 1;

	bind_int(q, ":space", from->no);
	read = stmt_int(q, 0);
	for (; *scopes != '\0'; scopes++)
		n += *scopes == ',';
	return n < SCOPES && read <= CROWDED * from->pages;
}

/* Copy the places after `after` up to `last`, and update the copy's count. */
static void
copy_some(struct db *db, const struct search_in *from, int64_t to, int64_t after, int64_t last)
{
	struct stmt *q = db_use(db, &q_copy);
	int64_t pages;

	bind_int(q, ":space", from->no);
	bind_int(q, ":to", to);
	bind_int(q, ":head", from->head);
	bind_int(q, ":after", after);
	bind_int(q, ":last", last);
	pages = stmt_run(q);
	q = db_use(db, &q_pages);
	bind_int(q, ":pages", pages);
	bind_int(q, ":space", to);
	stmt_run(q);
}

/* The last number of the step after `after`; 0 if there is none. */
static int64_t
copy_last(struct db *db, int64_t space, int64_t after)
{
	struct stmt *q = db_use(db, &q_copy_last);

	bind_int(q, ":space", space);
	bind_int(q, ":after", after);
	bind_int(q, ":rows", COPY_ROWS);
	return stmt_int(q, 0);
}

bool
search_copy(struct db *db, struct arena *a, const char *from, const char *to, bool steps)
{
	struct search_in in;
	struct stmt *q;
	int64_t no, after, last;

	if (!search_find(db, a, from, &in) || !can_share(db, a, &in) || search_space_no(db, to, false) != 0)
		return false;
	no = search_space_no(db, to, true);
	q = db_use(db, &q_copy_reads);
	bind_int(q, ":space", in.no);
	bind_int(q, ":to", no);
	stmt_run(q);
	for (after = 0; (last = copy_last(db, in.no, after)) != 0; after = last) {
		copy_some(db, &in, no, after, last);
		if (steps)
			db_breathe(db);
	}
	return true;
}
