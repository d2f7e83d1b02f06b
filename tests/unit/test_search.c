/* Search: which pages are found, in which order, and that the index follows the content. */
#include "search_fixture.h"

#include "links/links.h"

SQL(q_terms_left, "SELECT count(*) FROM search_term /*scan*/");
/* Terms of the index: "SCOPE word". */
SQL(q_herons, "SELECT count(*) FROM search_term WHERE term LIKE '% heron' /*scan*/");
SQL(q_pages_left, "SELECT count(*) FROM search_page /*scan*/");
SQL(q_pages_counted,
    "SELECT count(*) FROM search_space s WHERE s.pages <> (SELECT count(*) FROM search_place p "
    "WHERE p.space = s.no AND p.live = 1) /*scan*/");
SQL(q_pieces, "SELECT count(DISTINCT segid) FROM search_index_idx /*scan*/");
SQL(q_unindex, "UPDATE search_place SET live = 0 /*scan*/");

static void
titles_and_headings_rank_before_text(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "a", "Pumps", "{}", "Nothing to see.");
	write_page(&w, "b", "Other", "{}", "## Pumps\n\nText.");
	write_page(&w, "c", "More", "{}", "There are pumps here.");
	write_page(&w, "d", "Last", "{\"description\":\"Of valves\"}", "Text.");
	write_end(&w);
	finds(f, "pumps", "a b c");
	finds(f, "valves", "d");
	finds(f, "steam", "");
	finds(f, "", "");
	finds(f, "?!", "");
}

/* Writes pages of ordinary words, so that other words are rare. */
static void
write_filler(struct writing *w, const char *body)
{
	int i;

	for (i = 0; i < 20; i++)
		write_page(w, arena_printf(w->f->arena, "filler%d", i), "Filler", "{}", body);
}

static void
pages_with_all_words_come_first(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "both", "One", "{}", "The boiler has a gauge somewhere far down in the text, after words.");
	write_page(&w, "only", "Three", "{}", "Boiler, boiler, boiler.");
	write_page(&w, "near", "Two", "{}", "A boiler gauge.");
	write_filler(&w, "Some other text.");
	write_end(&w);
	assert_string_equal(found_in(f, f->space, "boiler gauge", &(int64_t){ 0 }), "near both only");
	finds(f, "what is a boiler gauge", found_in(f, f->space, "boiler gauge", &(int64_t){ 0 }));
}

static void
forms_of_a_word_are_found(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "a", "A", "{}", "Installing the connectors na\u00EFvely");
	write_page(&w, "b", "B", "{}", "\u6DF1\u5EA6\u5B66\u4E60\u6A21\u578B\u9700\u8981\u5927\u91CF\u8BAD\u7EC3\u6570\u636E");
	write_page(&w, "c", "C", "{}", "Set `max_connections` in pg_hba.conf with --dry-run and useEffect.");
	write_page(&w, "d", "D", "{}", "A dry sense; the run of connections that use an effect.");
	write_end(&w);
	finds(f, "installation", "a");
	finds(f, "connector", "a");
	finds(f, "naively", "a");
	finds(f, "NA\u00CFVE", "a");
	finds(f, "\u8BAD\u7EC3", "b");
	finds(f, "\u8BAD", "b");
	finds(f, "\u636E", "b");
	finds(f, "\u91CF\u8BAD\u7EC3", "b");
	finds(f, "pg_hba.conf", "c");
	finds(f, "hba", "c");
	finds(f, "max_conn", "c");
	finds(f, "--dry-run", "c");
	finds(f, "useEffect", "c");
	finds(f, "\uFF55\uFF53\uFF45\uFF25\uFF46\uFF46\uFF45\uFF43\uFF54", "c");
	finds(f, "conne", "a d c");
}

/* A compound is found in every spelling; a title that names its parts comes first. */
static void
compounds_are_found_however_written(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "a", "A", "{}", "A star-tree.");
	write_page(&w, "b", "B", "{}", "The startree.");
	write_page(&w, "c", "C", "{}", "Use starTree here.");
	write_page(&w, "d", "D", "{}", "See star_tree.");
	write_page(&w, "e", "Pumps", "{}", "Set pump.max_flow, and more words, before you begin to do anything else.");
	write_page(&w, "f", "Valves", "{}", "Set pump.max_flow.");
	write_filler(&w, "Some other text.");
	write_end(&w);
	finds(f, "star-tree", "a d b c");
	finds(f, "startree", "b a c");
	finds(f, "star tree", "a c d b");
	finds(f, "starTree", "a b c d");
	finds(f, "pump.max_flow", "e f");
}

/* A page with all words at one place ranks above one that has them at several places. */
static void
words_in_one_place_rank_higher(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct buf b;
	int i;

	buf_init(&b, f->arena, 1 << 20);
	buf_str(&b, "Boiler news. Boiler, boiler.");
	for (i = 0; i < 100; i++)
		buf_str(&b, " Other words.");
	buf_str(&b, " Gauge news: gauge, gauge.");
	for (i = 0; i < 100; i++)
		buf_str(&b, " Other words.");
	buf_str(&b, " Calibrate what you like; calibrate.");
	write_page(&w, "far", "News", "{}", b.p);
	write_page(&w, "some", "Else", "{}", "How the gauge of a boiler is set.");
	write_page(&w, "near", "Work", "{}", "Calibrate the gauge of the boiler.");
	write_filler(&w, "Some other text.");
	write_end(&w);
	finds(f, "calibrate boiler gauge", "near far some");
}

/* Stop words of a question are ignored, except that a title with the same question ranks first. */
static void
a_question_in_a_title_is_meant(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "a", "A", "{}", "Boiler boiler boiler.\n\n## Boiler\n\nBoiler.");
	write_page(&w, "b", "B", "{}", "Questions.\n\n## What is a boiler?\n\nA kettle.");
	write_page(&w, "c", "C", "{}", "Text.\n\n## \u4EC0\u4E48\u662F\u9505\u7089\n\nA kettle.");
	write_page(&w, "d", "D", "{}", "\u9505\u7089\u3002\u5B89\u88C5\u3002");
	write_filler(&w, "Some other text.");
	write_end(&w);
	finds(f, "what is a boiler", "b a");
	finds(f, "boiler", "a b");
	finds(f, "\u4EC0\u4E48\u662F\u9505\u7089", "c d");
	finds(f, "\u5982\u4F55\u5B89\u88C5\u9505\u7089", "d c");
}

static void
misspelled_words_are_found(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "a", "A", "{}", "The configuration of a thermostat.");
	write_page(&w, "b", "B", "{}", "Nothing but text. Umschaltung.");
	write_page(&w, "c", "C", "{}", "\u041D\u0430\u0441\u0442\u0440\u043E\u0439\u043A\u0430");
	write_end(&w);
	finds(f, "thermostta", "a");      /* letters exchanged */
	finds(f, "thermstat", "a");       /* letter missing */
	finds(f, "termostat", "a");
	finds(f, "hermostat", "a");       /* first letter missing */
	finds(f, "thermoztat", "a");
	finds(f, "thermostaat configuration", "a");
	finds(f, "termoztat", "");        /* two errors */
	finds(f, "thermostat zzzzzz", "a");
	finds(f, "umschalten", "b");           /* another ending */
	finds(f, "nothingbut", "b");           /* space missing */
	finds(f, "\u043D\u0430\u0441\u0442\u0440\u043E\u0438\u0442\u044C", "c");
	finds(f, "\u043D\u0430\u0442\u0440\u043E\u0439\u043A\u0430", "c");
}

static void
a_pasted_message_is_found(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "a", "Troubles", "{}", "If you see `ECONNREFUSED` the server does not listen.");
	write_page(&w, "b", "Else", "{}", "Connect the server and listen to the error at the address.");
	write_filler(&w, "Connect to the server at an address; listen to it, and see every error.");
	write_end(&w);
	assert_memory_equal(found_in(f, f->space, "Error: connect ECONNREFUSED 127.0.0.1:3306 at "
	    "TCPConnectWrap.afterConnect [as oncomplete] (net.js:1141:16)", &(int64_t){ 0 }), "a", 1);
}

static void
the_index_follows_content(void **state)
{
	struct fixture *f = *state;
	struct writing w;

	page(f, "a", "A", "First marmot.");
	finds(f, "marmot", "a");
	page(f, "a", "A", "Then badger.");
	finds(f, "marmot", "");
	finds(f, "badger", "a");
	page(f, "a", "Marmot again", "Then badger.");
	finds(f, "marmot", "a");
	w = write_begin(f, f->space, f->branch);
	write_gone(&w, "a");
	write_end(&w);
	finds(f, "badger", "");
	assert_int_equal(stmt_int(db_use(f->db, &q_terms_left), -1), 0);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 0);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_counted), -1), 0);
}

static void
an_index_may_be_written_ahead(void **state)
{
	struct fixture *f = *state;
	struct node n = { .id = "a", .kind = NODE_DOCUMENT, .parent = "", .ord = "a", .slug = "a",
		.path = "a", .title = "A", .props = "{}", .git_path = "a.md" };
	struct search_source source = { &n, STR("An otter.") };
	struct writing w;

	n.body = hash_of(f->arena, source.body);
	search_ahead(f->db, f->arena, f->space, &source, 1, NULL, NULL);
	finds(f, "otter", "");
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 1);
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "a", "A", "{}", "An otter.");
	db_rollback(f->db);
	finds(f, "otter", "");
	page(f, "a", "A", "An otter.");
	finds(f, "otter", "a");
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 1);
	/* Entries that no revision shows are deleted by the sweep. */
	source.body = STR("A lynx.");
	n.body = hash_of(f->arena, source.body);
	search_ahead(f->db, f->arena, f->space, &source, 1, NULL, NULL);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 2);
	search_sweep(f->db, f->arena, f->space);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 1);
	finds(f, "otter", "a");
}

/* Another connection, which writes once in the middle of a sweep. */
struct other {
	struct fixture *f;
	struct db      *db;
	const char     *otter;     /* body that it shows again */
	unsigned        written;
};

static void
show_again(void *ctx)
{
	struct other *o = ctx;
	struct db *mine = o->f->db;

	if (o->written++ > 0)
		return;
	o->f->db = o->db;
	page(o->f, "b", "B", o->otter);
	o->f->db = mine;
}

/* Entries that are unused when the sweep begins may be used or deleted by others before the sweep reaches them. */
static void
sweep_among_writers(struct fixture *f, const char *more)
{
	const char *bodies[] = { arena_printf(f->arena, "A heron.%s", more), arena_printf(f->arena, "An otter.%s", more),
		arena_printf(f->arena, "A plover.%s", more) };
	const char *error = NULL, *id[] = { "a", "b", "c" };
	struct other o = { .f = f, .otter = bodies[1] };
	struct search_source list[3];
	struct writing w = write_begin(f, f->space, f->branch);
	struct node n[3];
	size_t i;

	for (i = 0; i < 3; i++)
		write_page(&w, id[i], "T", "{}", "Old words.");
	write_end(&w);
	for (i = 0; i < 3; i++) {
		n[i] = (struct node){ .id = id[i], .kind = NODE_DOCUMENT, .title = arena_printf(f->arena, "%c", 'A' + (int)i),
			.props = "{}", .git_path = arena_printf(f->arena, "%s.md", id[i]), .path = id[i],
			.body = hash_of(f->arena, str_of(bodies[i])) };
		list[i] = (struct search_source){ &n[i], str_of(bodies[i]), NULL };
	}
	search_ahead(f->db, f->arena, f->space, list, 3, NULL, NULL);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 6);
	o.db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(o.db);
	db_watch(f->db, 0, show_again, &o);
	search_sweep(f->db, f->arena, f->space);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	db_close(o.db);
	assert_true(o.written > 1);
	/* The three entries in use. */
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 3);
	finds(f, "otter", "b");
	finds(f, "old", "a c");
	finds(f, "heron", "");
	assert_int_equal(stmt_int(db_use(f->db, &q_herons), -1), 0);
}

static void
a_sweep_spares_what_others_write(void **state)
{
	sweep_among_writers(*state, "");
}

/* Words of large texts are computed before the lock is taken, and are still deleted from the index. */
static void
a_sweep_of_large_texts_spares_what_others_write(void **state)
{
	struct fixture *f = *state;
	struct buf b;
	int i;

	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < 10000; i++)
		buf_printf(&b, " Word%d of many.", i);
	sweep_among_writers(f, b.p);
}

/* A word on nearly all pages is searched in titles and headings only, if enough of them contain it. */
static void
a_stop_word_alone_is_found_in_titles(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	int64_t count;
	int i;

	write_page(&w, "below", "Below", "{}", "It is in the text.");
	for (i = 0; i < 24; i++)
		write_page(&w, arena_printf(f->arena, "t%d", i), i < 12 ? "The title" : "Other", "{}", "## The heading\n\nText.");
	write_end(&w);
	found_in(f, f->space, "the", &count);
	assert_int_equal(count, 25);
	page(f, "more", "More of the same", "Text.");
	found_in(f, f->space, "the", &count);
	assert_int_equal(count, 25);
	found_in(f, f->space, "\"the\"", &count);
	assert_int_equal(count, 26);
	found_in(f, f->space, "the text", &count);
	assert_int_equal(count, 26);
}

/* A query reads every segment of the index; a sweep merges them into a few. */
static void
the_index_stays_in_few_pieces(void **state)
{
	struct fixture *f = *state;
	int64_t before;
	int i;

	/* Of FTS5. */
	if (!db_has_file(f->db))
		return;
	for (i = 0; i < 11; i++)
		page(f, arena_printf(f->arena, "p%d", i), "Piece", arena_printf(f->arena, "A dunnock and word%d.", i));
	before = stmt_int(db_use(f->db, &q_pieces), 0);
	assert_true(before > 2);
	search_sweep(f->db, f->arena, f->space);
	assert_true(stmt_int(db_use(f->db, &q_pieces), 0) <= 2);
	/* The page with both words comes first, then those with one of them. */
	finds(f, "dunnock word7", "p7 p0 p1 p10 p2 p3 p4 p5 p6 p8 p9");
	finds(f, "word3", "p3");
}

static void
spaces_are_searched_apart(void **state)
{
	struct fixture *f = *state;
	struct writing w;
	int64_t branch;
	char *other;

	db_begin(f->db, true);
	other = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "Other",
	    .author = f->user }, &branch);
	db_commit(f->db);
	page(f, "a", "A", "A heron.");
	w = write_begin(f, other, branch);
	write_page(&w, "a", "A", "{}", "A heron.");
	write_page(&w, "b", "B", "{}", "Herons.");
	write_end(&w);
	finds(f, "heron", "a");
	search_drop(f->db, f->arena, other);
	finds(f, "heron", "a");
	assert_string_equal(found_in(f, other, "heron", &(int64_t){ 0 }), "");
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 1);
}

/* A job builds a missing index with the content that it would have had. */
static void
a_job_makes_a_missing_index(void **state)
{
	struct fixture *f = *state;
	struct job job = { .kind = "index", .space = f->space, .args = "{}" }, claimed;
	const char *before;
	int64_t count;

	page(f, "a", "A", "A crane, and [a link](b.md).");
	page(f, "b", "B", "Cranes.");
	before = found_in(f, f->space, "crane", &count);
	assert_int_equal(count, 2);
	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_unindex));
	job.id = job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	finds(f, "crane", "");
	assert_true(claim_job(f->db, f->arena, &claimed));
	search_job(f->db, f->arena, &claimed);
	assert_string_equal(found_in(f, f->space, "crane", &count), before);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_counted), -1), 0);
}

static void
set_page(struct fixture *f, const char *id, const char *props, const char *body)
{
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, id, id, props, body);
	write_end(&w);
}

/* A noIndex page is not found, however the index was written. */
static void
a_page_with_noindex_is_not_found(void **state)
{
	struct fixture *f = *state;
	struct node n = { .id = "c", .kind = NODE_DOCUMENT, .parent = "", .ord = "c", .slug = "c",
		.path = "c", .title = "c", .props = "{\"noIndex\":true}", .git_path = "c.md" };
	struct search_source source = { &n, STR("A plover.") };
	struct job job = { .kind = "index", .space = f->space, .args = "{}" }, claimed;

	set_page(f, "a", "{\"noIndex\":true}", "A plover.");
	set_page(f, "b", "{\"noIndex\":false,\"description\":\"Says \\\"noIndex\\\":true\"}", "Two plovers.");
	finds(f, "plover", "b");
	set_page(f, "a", "{}", "A plover.");
	finds(f, "plover", "a b");
	set_page(f, "a", "{\"noIndex\":true,\"icon\":\"bird\"}", "A plover.");
	finds(f, "plover", "b");
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_counted), -1), 0);
	/* If it were written ahead, it would stay until a sweep without ever being shown. */
	search_ahead(f->db, f->arena, f->space, &source, 1, NULL, NULL);
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_left), -1), 1);
	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_unindex));
	job.id = job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	assert_true(claim_job(f->db, f->arena, &claimed));
	search_job(f->db, f->arena, &claimed);
	finds(f, "plover", "b");
	assert_int_equal(stmt_int(db_use(f->db, &q_pages_counted), -1), 0);
}

/* More pages than a request may index: a job does it, while the list of links is already up to date. */
static void
a_job_indexes_too_many_pages(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct link_query lq = { .status = -1, .want = 10, .places = 100 };
	struct link_list links;
	struct job claimed;
	struct point p;
	int n;

	for (n = 0; n <= SEARCH_INLINE; n++)
		write_page(&w, arena_printf(f->arena, "p%d", n), "Page", "{}", n == 7 ? "A stork. [x](p8.md)" : "Text.");
	write_end(&w);
	finds(f, "stork", "");
	page(f, "p9", "Page", "A stork, too.");
	finds(f, "stork", "p9");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	lq.point = &p;
	links_list(f->db, f->arena, &lq, &links);
	assert_int_equal(links.total, 1);
	assert_true(claim_job(f->db, f->arena, &claimed));
	assert_string_equal(claimed.kind, "index");
	search_job(f->db, f->arena, &claimed);
	finds(f, "stork", "p7 p9");
	links_list(f->db, f->arena, &lq, &links);
	assert_int_equal(links.total, 1);
	assert_int_equal(links.items[0].target.id != 0, true);
	assert_false(claim_job(f->db, f->arena, &claimed));
}

/* All pages of hits together are the whole list, each hit once. */
static void
pages_of_hits_are_the_whole_list(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct search_after after, *from = NULL;
	struct search_found out;
	struct search_in in;
	char seen[100] = { 0 };
	size_t shown = 0, i;
	int n;

	for (n = 0; n < 53; n++)
		write_page(&w, arena_printf(f->arena, n % 5 == 0 ? "p%d/README" : "p%d", n), "Swan", "{}",
		    n % 3 == 0 ? "Swan lake." : "A lake with a swan, ducks and reeds.");
	write_end(&w);
	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	do {
		search(f->db, f->arena, STR("swan"), &in, 1, 8, from, &out);
		assert_int_equal(out.count, 53);
		search_shown(f->db, f->arena, &out, 0, out.hit_count);
		for (i = 0; i < out.hit_count; i++) {
			n = (int)strtol(out.hits[i].page + 1, NULL, 10);
			assert_int_equal(seen[n]++, 0);
			after = (struct search_after){ out.hits[i].score, out.hits[i].no };
			from = &after;
		}
		shown += out.hit_count;
	} while (out.hit_count > 0);
	assert_int_equal(shown, 53);
	db_rollback(f->db);
}

/* As an export and an import write the pages in another order. */
static void
equal_scores_are_ordered_by_path(void **state)
{
	struct fixture *f = *state;
	const char *const ids[] = { "swans", "ducks/README", "geese", "ducks/teal" };
	struct search_after after;
	struct search_found out;
	struct search_in in;
	struct writing w;
	size_t i;

	for (i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		w = write_begin(f, f->space, f->branch);
		write_page(&w, ids[i], "Bird", "{}", "A bird on the lake.");
		write_end(&w);
	}
	finds(f, "lake", "ducks/README ducks/teal geese swans");
	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	search(f->db, f->arena, STR("lake"), &in, 1, 2, NULL, &out);
	after = (struct search_after){ out.hits[1].score, out.hits[1].no };
	search(f->db, f->arena, STR("lake"), &in, 1, 2, &after, &out);
	assert_int_equal(out.hit_count, 2);
	assert_string_equal(search_page(f->db, f->arena, &out.hits[0]), "geese");
	db_rollback(f->db);
}

static void
hits_name_their_sections(void **state)
{
	struct fixture *f = *state;
	struct search_found out;
	struct search_in in;
	struct search_hit *h;
	struct buf b;
	int n;

	buf_init(&b, f->arena, 1 << 20);
	for (n = 0; n < 300; n++)
		buf_str(&b, "Filler words of no use. ");
	buf_str(&b, "\n\n## Birds\n\nFirst line.\n\nSecond line with a **kingfisher** in it.\n\n## Fish\n\nNo.");
	page(f, "a", "Animals", b.p);
	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	search(f->db, f->arena, STR("kingfisher"), &in, 1, 10, NULL, &out);
	search_shown(f->db, f->arena, &out, 0, out.hit_count);
	assert_int_equal(out.hit_count, 1);
	h = &out.hits[0];
	assert_int_equal(h->section_count, 1);
	assert_string_equal(h->sections[0].heading, "Birds");
	assert_string_equal(h->sections[0].anchor, "birds");
	assert_string_equal(h->sections[0].excerpt, "\u2026Second line with a kingfisher in it.");
	search(f->db, f->arena, STR("animals"), &in, 1, 10, NULL, &out);
	search_shown(f->db, f->arena, &out, 0, out.hit_count);
	assert_int_equal(out.hits[0].section_count, 1);
	assert_string_equal(out.hits[0].sections[0].anchor, "");
	assert_true(strlen(out.hits[0].sections[0].excerpt) < 300);
	db_rollback(f->db);
}

static bool
holds_for(void *ctx, const char *page, const char *condition)
{
	(void)page;
	return condition == NULL || strcmp(ctx, condition) == 0;
}

/* Hits for a reader who satisfies this condition: pages, and the sections of the first page. */
static const char *
found_by(struct fixture *f, const char *condition, const char *query)
{
	struct search_viewer viewer = { holds_for, (void *)(uintptr_t)condition };
	struct search_found out = { .count = 0 };
	struct search_in in;
	struct buf b;
	size_t i;

	buf_init(&b, f->arena, 1 << 20);
	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	in.viewer = &viewer;
	search(f->db, f->arena, str_of(query), &in, 1, 10, NULL, &out);
	search_shown(f->db, f->arena, &out, 0, out.hit_count);
	assert_int_equal(out.count, out.hit_count);
	for (i = 0; i < out.hit_count; i++)
		buf_printf(&b, "%s ", out.hits[i].page);
	for (i = 0; out.hit_count > 0 && i < out.hits[0].section_count; i++)
		buf_printf(&b, "[%s#%s: %s]", out.hits[0].sections[i].heading, out.hits[0].sections[i].anchor,
		    out.hits[0].sections[i].excerpt);
	db_rollback(f->db);
	return b.n == 0 ? "" : b.p;
}

/* Words hidden by a condition are not found, and no result reveals that they exist. */
static void
hidden_words_find_nothing(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	int64_t count;

	write_page(&w, "a", "Animals", "{}", "Of zebras.\n\n## Birds\n\nThe heron stands.\n\n{% if pro %}\n\nA quokka jumps.\n\n"
	    "### Emus\n\nThey run.\n\n{% endif %}\n\nThe stork flies.");
	write_page(&w, "b", "More", "{}", "A quakka sleeps.");
	write_filler(&w, "Some other text.");
	write_end(&w);
	/* Authors find everything. */
	finds(f, "quokka", "a");
	assert_string_equal(found_by(f, "pro", "quokka"), "a [Birds#birds: A quokka jumps.]");
	assert_string_equal(found_by(f, "pro", "emus"), "a [Emus#emus: They run.]");
	assert_string_equal(found_by(f, "none", "stork"), "a [Birds#birds: The stork flies.]");
	assert_string_equal(found_by(f, "none", "birds"), "a [Birds#birds: The heron stands.]");
	assert_string_equal(found_by(f, "none", "emus"), "");
	assert_string_equal(found_by(f, "pro", "\"stands a quokka\""), "a [Birds#birds: The heron stands.]");
	assert_string_equal(found_by(f, "none", "\"stands a quokka\""), "");
	/* As for a word that does not occur: a similar word is found. */
	assert_string_equal(found_by(f, "none", "quokka"), "b [#: A quakka sleeps.]");
	assert_string_equal(found_by(f, "none", "heron quokka"), "a b [Birds#birds: The heron stands.]");
	/* A deleted row takes all words that it was indexed with. */
	page(f, "a", "Animals", "Gone.");
	assert_string_equal(found_in(f, f->space, "heron", &count), "");
	assert_string_equal(found_in(f, f->space, "emus", &count), "");
	finds(f, "gone", "a");
}

/* The space has one page: a query finds it or nothing, and the count agrees. */
static void
assert_page_or_none(struct fixture *f, const char *query)
{
	int64_t count = -1;
	const char *ids = found_in(f, f->space, query, &count);

	assert_int_equal(count, *ids == '\0' ? 0 : 1);
	assert_true(*ids == '\0' || strcmp(ids, "a") == 0);
}

/* Any query gets an answer, never a failure. */
static void
hostile_queries_find_pages_that_are_there(void **state)
{
	static const char signs[] = "ab \"'*^:-+(){}.AND_OR/\2\3\4\5\xe8\xae\xad\xff";
	struct fixture *f = *state;
	unsigned seed = 3;
	char text[513];
	size_t i;
	int n;

	page(f, "a", "A", "Some \"quoted\" text AND OR NOT NEAR(a b) * ^ : - {x}");
	for (n = 0; n < 400; n++) {
		for (i = 0; i < sizeof(text) - 1; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = signs[(seed >> 16) % (sizeof(signs) - 1)];
		}
		text[sizeof(text) - 1] = '\0';
		assert_page_or_none(f, text + (n % 500));
	}
	for (i = 0; i < sizeof(text) - 1; i += 2)
		memcpy(text + i, i % 4 == 0 ? "a." : "b ", 2);
	assert_page_or_none(f, text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(titles_and_headings_rank_before_text, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(pages_with_all_words_come_first, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(forms_of_a_word_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(compounds_are_found_however_written, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(words_in_one_place_rank_higher, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_question_in_a_title_is_meant, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(misspelled_words_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_pasted_message_is_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_index_follows_content, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_index_may_be_written_ahead, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_sweep_spares_what_others_write, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_sweep_of_large_texts_spares_what_others_write, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_stop_word_alone_is_found_in_titles, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_index_stays_in_few_pieces, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(spaces_are_searched_apart, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_job_makes_a_missing_index, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_page_with_noindex_is_not_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_job_indexes_too_many_pages, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(pages_of_hits_are_the_whole_list, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(equal_scores_are_ordered_by_path, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(hits_name_their_sections, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(hidden_words_find_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(hostile_queries_find_pages_that_are_there, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
