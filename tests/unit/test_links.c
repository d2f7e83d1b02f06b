/* The list of links: its content, and that the link tables always agree with the pages. */
#include "page_fixture.h"

#include "app/queue.h"
#include "links/links.h"
#include "search/search.h"

SQL(q_show, "UPDATE link_edition SET shown = :shown WHERE branch = :b");
SQL(q_wrong_targets,
    "SELECT count(*) FROM link_target t WHERE t.links <> (SELECT count(*) FROM link l "
    "WHERE l.target = t.id) OR t.links = 0 /*scan*/");
SQL(q_wrong_counts,
    "SELECT count(*) FROM link_count c WHERE c.targets <> (SELECT count(*) FROM link_target t "
    "WHERE t.edition = c.edition AND t.status = c.status) OR c.links <> (SELECT COALESCE(sum(t.links), 0) "
    "FROM link_target t WHERE t.edition = c.edition AND t.status = c.status) /*scan*/");

static struct link_list
list(struct fixture *f, const char *source, int status)
{
	struct link_query q = { .source = source, .status = status, .want = 1000, .places = 100000 };
	struct link_list out;
	struct point p;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	q.point = &p;
	links_list(f->db, f->arena, &q, &out);
	return out;
}

/* The links as lines "key status source:line,source:line". */
static const char *
links_as_text(struct fixture *f, const char *source, int status)
{
	struct link_list l = list(f, source, status);
	struct buf b;
	size_t i, k;

	buf_init(&b, f->arena, 1 << 24);
	for (i = 0; i < l.count; i++) {
		const struct link_item *t = &l.items[i];
		buf_printf(&b, "%s %s", t->target.key, link_statuses[t->target.status]);
		for (k = 0; k < t->count; k++)
			buf_printf(&b, "%c%s:%lld", k == 0 ? ' ' : ',', t->places[k].source,
			    (long long)t->places[k].line);
		buf_char(&b, '\n');
	}
	buf_printf(&b, "%lld targets, %lld links, %lld broken", (long long)l.targets,
	    (long long)l.total, (long long)l.broken);
	return b.p;
}

static void
show(struct fixture *f, bool shown)
{
	bool open = db_in_transaction(f->db);
	struct stmt *q;

	if (!open)
		db_begin(f->db, true);
	q = db_use(f->db, &q_show);
	bind_int(q, ":shown", shown);
	bind_int(q, ":b", f->branch);
	stmt_run(q);
	if (!open)
		db_commit(f->db);
}

/* The same list computed from the pages, with the link tables hidden. */
static const char *
links_of_pages_as_text(struct fixture *f)
{
	const char *text;

	db_begin(f->db, true);
	show(f, false);
	text = links_as_text(f, NULL, -1);
	show(f, true);
	db_commit(f->db);
	return text;
}

static void
expect_agreement(struct fixture *f)
{
	assert_string_equal(links_as_text(f, NULL, -1), links_of_pages_as_text(f));
	assert_int_equal(stmt_int(db_use(f->db, &q_wrong_targets), -1), 0);
	assert_int_equal(stmt_int(db_use(f->db, &q_wrong_counts), -1), 0);
}

static void
page(struct fixture *f, const char *id, const char *body)
{
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, id, id, "{}", body);
	write_end(&w);
}

static void
links_have_their_statuses(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, "b", "B", "{}", "## Some heading\n");
	write_file(&w, "pic", "pic.png");
	write_page(&w, "a", "A", "{}",
	    "[b](b.md) and [again](./b.md), [h](b.md#some-heading), [no](b.md#none).\n\n"
	    "[gone](gone.md) [gone](sub/../gone.md) ![p](pic.png) ![q](lost.png)\n\n"
	    "[web](https://example.com/x) [app](https://app.gitbook.com/s/abc/x)\n\n"
	    "[dead](/broken/pages/xyz) ![d](data:image/png;base64,AAAA) [e]() [self](#here)\n\n## Here\n");
	write_end(&w);
	assert_string_equal(links_as_text(f, NULL, -1),
	    "file:pic ok a:5\n"
	    "missing:/broken/pages/xyz broken a:9\n"
	    "missing:gone.md broken a:5,a:5\n"
	    "missing:lost.png broken a:5\n"
	    "page:a#here ok a:9\n"
	    "page:b ok a:3,a:3\n"
	    "page:b#none broken a:3\n"
	    "page:b#some-heading ok a:3\n"
	    "url:https://app.gitbook.com/s/abc/x ok a:7\n"
	    "url:https://example.com/x ok a:7\n"
	    "10 targets, 12 links, 5 broken");
	assert_string_equal(links_as_text(f, NULL, LINK_IN_APP),
	    "0 targets, 12 links, 5 broken");
	assert_string_equal(links_as_text(f, "a", LINK_BROKEN),
	    "missing:/broken/pages/xyz broken a:9\nmissing:gone.md broken a:5,a:5\n"
	    "missing:lost.png broken a:5\npage:b#none broken a:3\n4 targets, 12 links, 5 broken");
	assert_string_equal(links_as_text(f, "b", -1), "0 targets, 0 links, 0 broken");
	expect_agreement(f);
}

static void
places_of_a_page_are_known(void **state)
{
	static const char *const good[] = { "1-v2.0-whats-new", "id-1-v2-0-whats-new", "1-v2-0-whats-new",
		"1-v20--whats-new", "own-id", "OWN-ID", "twice", "twice-1", "raw", "title-of-it", "a-tab",
		"%E8%AE%BE%E7%BD%AE", "\u00DCber-UNS", "%C3%9Cber-uns", "TITLE-OF-IT" };
	static const char *const bad[] = { "twice-2", "whats", "v2", "title", "%" };
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);
	struct buf b;
	size_t i;

	buf_init(&b, f->arena, 1 << 16);
	write_page(&w, "t", "Title of it", "{}",
	    "## 1 v2.0 — What's new\n\n## Other <a href=\"#own-id\" id=\"own-id\"></a>\n\n## Twice\n\n"
	    "## Twice\n\n<span id=\"raw\">x</span>\n\n## \u8BBE\u7F6E\n\n## \u00DCber uns\n\n{% tabs %}\n{% tab title=\"A tab\" %}\nx\n"
	    "{% endtab %}\n{% endtabs %}\n");
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		buf_printf(&b, "[x](t.md#%s)\n", good[i]);
	write_page(&w, "good", "Good", "{}", b.p);
	buf_init(&b, f->arena, 1 << 16);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		buf_printf(&b, "[x](t.md#%s)\n", bad[i]);
	write_page(&w, "bad", "Bad", "{}", b.p);
	write_end(&w);
	assert_string_equal(links_as_text(f, "good", LINK_BROKEN),
	    arena_printf(f->arena, "0 targets, %zu links, 0 broken", sizeof(good) / sizeof(good[0])));
	assert_int_equal(list(f, "bad", LINK_BROKEN).targets, sizeof(bad) / sizeof(bad[0]));
}

/*
 * Forms of ids are recognized in upper and lower case, but the id keeps its spelling, because ids
 * are case-sensitive.
 */
static void
raw_places_keep_their_spelling(void **state)
{
	struct fixture *f = *state;
	struct str places = body_places(f->arena, STR("<a id=\"Pkg.Thing\"></a>\n\nx <a name=\"low\"></a>\n"), NULL);

	assert_string_equal(doc_place(f->arena, places, "pkg.thing"), "Pkg.Thing");
	assert_string_equal(doc_place(f->arena, places, "Pkg.Thing"), "Pkg.Thing");
	assert_string_equal(doc_place(f->arena, places, "Low"), "low");
	assert_null(doc_place(f->arena, places, "other"));
}

/* Addresses in angle brackets are links like others; in code and for videos they are not. */
static void
addresses_in_angle_brackets_are_links(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "One\n<https://a.example>\n\n`<https://code.example>` <https://a.example> <me@b.example>\n\n"
	    "{% embed url=\"https://v.example/1\" %}\n\n<https://app.gitbook.com/o/x>\n");
	assert_string_equal(links_as_text(f, NULL, -1),
	    "url:https://a.example ok a:4,a:6\n"
	    "url:https://app.gitbook.com/o/x ok a:10\n"
	    "url:mailto:me@b.example ok a:6\n"
	    "3 targets, 4 links, 0 broken");
	expect_agreement(f);
}

/* Links to this installation's application are resolved by the ids in them, whatever its host name. */
static void
links_to_the_application_are_known(void **state)
{
	struct fixture *f = *state;
	const char *in[] = { "https://docs.example/v1/spaces/%s/content", "http://127.0.0.1:8080/spaces/%s", "https://x.example/docs/v1/spaces/%s?a=b",
		"HTTPS://x.example/app/o/%o/s/1", "https://x.example/v1/orgs/%o", "https://x.example/o/%o#top" };
	const char *out[] = { "https://x.example/s/none", "https://x.example/%s", "https://x.example/?s/%s", "https://x.example/#/spaces/%s",
		"https://x.example/members/%o", "mailto:a@spaces/%s", "https://x.example/spaces/%o" };
	struct buf b;
	size_t i, k;

	for (k = 0; k < 2; k++) {
		buf_init(&b, f->arena, 1 << 20);
		for (i = 0; i < (k == 0 ? sizeof(in) / sizeof(in[0]) : sizeof(out) / sizeof(out[0])); i++) {
			const char *p = k == 0 ? in[i] : out[i], *at = strchr(p, '%');
			size_t n = at == NULL ? strlen(p) : (size_t)(at - p);
			buf_printf(&b, "[x](%.*s%s%s)\n", (int)n, p, at == NULL ? "" : at[1] == 's' ? f->space : f->org,
			    at == NULL ? "" : at + 2);
		}
		page(f, k == 0 ? "in" : "out", b.p);
	}
	assert_int_equal(list(f, "in", LINK_IN_APP).targets, sizeof(in) / sizeof(in[0]));
	assert_int_equal(list(f, "out", LINK_IN_APP).targets, 0);
	assert_int_equal(list(f, "out", LINK_OK).targets, sizeof(out) / sizeof(out[0]));
}

/* Links follow targets that are added and deleted. */
static void
links_follow_their_targets(void **state)
{
	struct fixture *f = *state;
	struct writing w;

	page(f, "a", "[b](b.md) [h](b.md#part)");
	assert_string_equal(links_as_text(f, NULL, -1), "missing:b.md broken a:3,a:3\n1 targets, 2 links, 2 broken");
	page(f, "b", "Text.");
	assert_string_equal(links_as_text(f, NULL, -1),
	    "page:b ok a:3\npage:b#part broken a:3\n2 targets, 2 links, 1 broken");
	expect_agreement(f);
	page(f, "b", "## Part\n");
	assert_string_equal(links_as_text(f, NULL, -1),
	    "page:b ok a:3\npage:b#part ok a:3\n2 targets, 2 links, 0 broken");
	page(f, "a", "Nothing any more.");
	assert_string_equal(links_as_text(f, NULL, -1), "0 targets, 0 links, 0 broken");
	page(f, "a", "[b](b.md)");
	w = write_begin(f, f->space, f->branch);
	write_gone(&w, "b");
	write_end(&w);
	assert_string_equal(links_as_text(f, NULL, -1), "page:b broken a:3\n1 targets, 1 links, 1 broken");
	expect_agreement(f);
}

static const char *
back(struct fixture *f, const char *node, const char *after, size_t want)
{
	struct backlinks out;
	struct point p;
	struct buf b;
	size_t i;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	links_back(f->db, f->arena, &p, node, after, want, &out);
	buf_init(&b, f->arena, 1 << 16);
	for (i = 0; i < out.count; i++)
		buf_printf(&b, "%s:%lld ", out.places[i].source, (long long)out.places[i].line);
	buf_printf(&b, "%lld%s", (long long)out.total, out.more ? " more" : "");
	return b.p;
}

/* The same sources, listed one at a time. */
static const char *
back_singly(struct fixture *f, const char *node)
{
	int64_t edition = links_shown(f->db, f->branch);
	const char *source = "";
	struct buf b;

	buf_init(&b, f->arena, 1 << 16);
	while ((source = links_next(f->db, f->arena, edition, node, source)) != NULL)
		buf_printf(&b, "%s ", source);
	return b.p;
}

static void
backlinks_are_listed(void **state)
{
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	write_file(&w, "pic", "pic.png");
	write_page(&w, "t", "T", "{}", "## H\n\n[self](#h)");
	write_page(&w, "a", "A", "{\"cover\":{\"ref\":{\"kind\":\"file\",\"file\":\"pic\"},\"yPos\":0}}", "[t](t.md)");
	write_page(&w, "b", "B", "{}", "\n\n[t](t.md#h) [t](t.md)\n\n![p](pic.png)");
	write_page(&w, "c", "C", "{}", "[t](t.md#none)");
	write_end(&w);
	assert_string_equal(back(f, "t", NULL, 10), "a:3 b:5 c:3 3");
	assert_string_equal(back(f, "t", NULL, 2), "a:3 b:5 3 more");
	assert_string_equal(back(f, "t", "b", 2), "c:3 3");
	assert_string_equal(back(f, "pic", NULL, 10), "a:0 b:7 2");
	assert_string_equal(back(f, "a", NULL, 10), "0");
	assert_string_equal(back(f, "t", NULL, 0), "3");
	/*
	 * Two targets, a page and one of its headings, with links from one page; links of a page to
	 * itself do not count.
	 */
	assert_string_equal(back_singly(f, "t"), "a b c ");
	assert_string_equal(back_singly(f, "pic"), "a b ");
	assert_string_equal(back_singly(f, "a"), "");
	expect_agreement(f);
}

/* Random histories of all kinds of changes; after each the link tables must agree with the pages. */
static void
tables_follow_random_histories(void **state)
{
	struct fixture *f = *state;
	unsigned seed = 11, steps, n;
	struct writing w;
	struct buf b;

	for (steps = 0; steps < 150; steps++) {
		w = write_begin(f, f->space, f->branch);
		for (n = 0; n < 1 + steps % 3; n++) {
			char *id = arena_printf(f->arena, "p%u", (seed = seed * 1664525 + 1013904223) >> 29);
			if ((seed >> 13) % 4 == 0) {
				write_gone(&w, id);
				continue;
			}
			buf_init(&b, f->arena, 1 << 16);
			buf_printf(&b, "## H%u\n", (seed >> 20) % 3);
			for (unsigned k = 0; k < (seed >> 22) % 6; k++, seed = seed * 1664525 + 1013904223)
				buf_printf(&b, "[x](p%u.md%s) ", seed >> 29,
				    (seed >> 11) % 3 == 0 ? "" : (seed >> 11) % 3 == 1 ? "#h1" : "#h2");
			write_page(&w, id, id, "{}", b.p);
		}
		write_end(&w);
		expect_agreement(f);
	}
}

/* A long list read in pages has each entry once. */
static void
pages_of_links_are_the_whole_list(void **state)
{
	struct fixture *f = *state;
	struct link_query q = { .status = -1, .want = 7, .places = 1000 };
	struct link_list out;
	struct point p;
	struct buf b;
	size_t seen = 0;
	int n;

	buf_init(&b, f->arena, 1 << 16);
	for (n = 0; n < 40; n++)
		buf_printf(&b, "[x](https://example.com/%d) ", n);
	buf_printf(&b, "[x](https://example.com/%0600d)", 1);
	page(f, "a", b.p);
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	q.point = &p;
	do {
		links_list(f->db, f->arena, &q, &out);
		assert_int_equal(out.targets, 41);
		seen += out.count;
		assert_int_equal(out.more, seen < 41);
		if (out.count > 0) {
			assert_true(q.after == NULL || strcmp(q.after, out.items[0].target.key) < 0);
			q.after = out.items[out.count - 1].target.key;
		}
	} while (out.more);
	assert_int_equal(seen, 41);
}

/*
 * The whole list read in pages of so many items and places, one line per item; an item continued on
 * the next page gets no new line.
 */
static const char *
links_in_pages_as_text(struct fixture *f, const char *source, size_t want, size_t places)
{
	struct link_query q = { .source = source, .status = -1, .want = want, .places = places };
	const struct link_item *t = NULL;
	struct link_list l;
	struct point p;
	struct buf b;
	size_t i, k, n;

	buf_init(&b, f->arena, 1 << 20);
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	q.point = &p;
	do {
		links_list(f->db, f->arena, &q, &l);
		for (i = n = 0; i < l.count; i++, n += t->count) {
			t = &l.items[i];
			assert_true(t->count > 0 && (!t->cut || (i + 1 == l.count && l.more)));
			if (i > 0 || q.place == NULL)
				buf_printf(&b, "\n%s", t->target.key);
			for (k = 0; k < t->count; k++)
				buf_printf(&b, " %s:%lld", t->places[k].source, (long long)t->places[k].n);
		}
		assert_true(n <= places && l.count <= want);
		q.after = t->target.key;
		q.place = t->cut ? t->places[t->count - 1].source : NULL;
		q.place_n = t->cut ? t->places[t->count - 1].n : 0;
	} while (l.more);
	return b.p;
}

/* A target with many places is continued on the next page, and no page has more places than requested. */
static void
a_target_with_many_places_continues_on_the_next_page(void **state)
{
	static const size_t sizes[][2] = { { 1, 1 }, { 2, 5 }, { 7, 4 }, { 1, 1000 }, { 100, 34 }, { 100, 35 } };
	struct fixture *f = *state;
	const char *whole, *of_a;
	struct buf b;
	size_t i;
	int n;

	buf_init(&b, f->arena, 1 << 16);
	for (n = 0; n < 30; n++)
		buf_printf(&b, "[x](https://example.com/%d)\n", n % 3 == 0 ? 9 : n % 2);
	page(f, "a", b.p);
	page(f, "b", "[y](https://example.com/9) [z](https://example.com/1)\n\n[y](https://example.com/9)");
	page(f, "c", "[z](https://example.com/1) [w](https://example.com/2)");
	whole = links_in_pages_as_text(f, NULL, 1000, 1000);
	of_a = links_in_pages_as_text(f, "a", 1000, 1000);
	assert_non_null(strstr(whole, " a:27 b:0 b:2"));
	for (i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		show(f, i % 2 == 0);
		assert_string_equal(links_in_pages_as_text(f, NULL, sizes[i / 2][0], sizes[i / 2][1]), whole);
		assert_string_equal(links_in_pages_as_text(f, "a", sizes[i / 2][0], sizes[i / 2][1]), of_a);
	}
	show(f, true);
}

/*
 * If the item that an earlier page ended with is deleted before the next page is read, the list
 * continues after it.
 */
static void
a_list_continues_after_deleted_places(void **state)
{
	struct fixture *f = *state;
	struct link_query q = { .status = -1, .want = 1, .places = 1, .after = "url:https://example.com/1",
		.place = "b" };
	struct link_list l;
	struct point p;
	int i;

	page(f, "a", "[x](https://example.com/1) [x](https://example.com/1) [x](https://example.com/2)");
	page(f, "b", "[x](https://example.com/3)");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	q.point = &p;
	for (i = 0; i < 2; i++) {
		show(f, i == 0);
		links_list(f->db, f->arena, &q, &l);
		assert_int_equal(l.count, 1);
		assert_string_equal(l.items[0].target.key, "url:https://example.com/2");
		assert_true(l.more);
	}
	show(f, true);
}

/* Listing a page that links to each of its many headings takes linear time, not quadratic. */
static void
listing_own_places_is_linear(void **state)
{
	enum { PLACES = 3000, MOST = 64 << 20 };
	struct fixture *f = *state;
	struct link_query q = { .status = LINK_BROKEN, .want = 10, .places = 100, .source = "a" };
	struct arena *a = arena_new((size_t)1 << 30);
	struct link_list l;
	struct point p;
	struct buf b;
	int n;

	buf_init(&b, f->arena, 1 << 20);
	for (n = 0; n < PLACES; n++)
		buf_printf(&b, "## Place %d\n\n[x](a.md#place-%d)\n\n", n, n + 1);
	page(f, "a", b.p);
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	q.point = &p;
	show(f, false);
	links_list(f->db, a, &q, &l);
	show(f, true);
	assert_int_equal(l.total, PLACES);
	assert_int_equal(l.broken, 1);
	assert_int_equal(l.count, 1);
	assert_string_equal(l.items[0].target.anchor, "place-3000");
	assert_true(arena_used(a) < MOST);
	arena_free(a);
}

/* A broken link is looked up once for all pages with that spelling, however often they have it. */
static void
lost_links_are_looked_up_once(void **state)
{
	struct fixture *f = *state;
	struct buf b;
	size_t before;
	int n;

	buf_init(&b, f->arena, 1 << 20);
	for (n = 0; n < 300; n++)
		buf_str(&b, "[x](/no/page) [x](no.md) [x](/users/nobody)\n");
	page(f, "a", b.p);
	page(f, "b", b.p);
	before = resolver_lookups();
	links_of_pages_as_text(f);
	/* Paths are looked up once; "/users/nobody" is looked up for each page. */
	assert_in_range(resolver_lookups() - before, 1, 6);
}

SQL(q_index_jobs, "SELECT count(*) FROM job WHERE kind = 'index' AND state = 'queued' AND space = :space /*scan*/");

static int64_t
index_jobs(struct fixture *f)
{
	struct stmt *q = db_use(f->db, &q_index_jobs);

	bind_text(q, ":space", f->space);
	return stmt_int(q, 0);
}

/* A page with too many links for a write: the job writes them, and the old ones stay until then. */
static void
a_job_writes_too_many_links(void **state)
{
	struct fixture *f = *state;
	struct job job;
	struct buf b;
	int n;

	page(f, "a", "[x](b.md)\n");
	page(f, "b", "[x](c.md)\n");
	buf_init(&b, f->arena, 1 << 20);
	for (n = 0; n < LINKS_ROWS + 1; n++)
		buf_printf(&b, "[x](b.md#%d)\n", n);
	assert_int_equal(index_jobs(f), 0);
	page(f, "a", b.p);
	assert_int_equal(index_jobs(f), 1);
	assert_int_equal(list(f, "a", -1).total, 1);
	assert_true(claim_job(f->db, f->arena, &job));
	search_job(f->db, f->arena, &job);
	assert_int_equal(list(f, "a", -1).total, LINKS_ROWS + 1);
	assert_string_equal(links_as_text(f, NULL, -1), links_of_pages_as_text(f));
	/* With so many links into a page, a change of that page does not check them one by one either. */
	for (n = 0; n < LINKS_ROWS * 8; n++)
		buf_printf(&b, "[x](b.md#%d)\n", n);
	page(f, "a", b.p);
	assert_int_equal(index_jobs(f), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	search_job(f->db, f->arena, &job);
	page(f, "b", "Nothing.\n");
	assert_int_equal(index_jobs(f), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	search_job(f->db, f->arena, &job);
	assert_string_equal(links_as_text(f, NULL, -1), links_of_pages_as_text(f));
}

/* With many broken links a job looks for their targets, but only after a change that could add one. */
static void
a_job_looks_for_missing_targets(void **state)
{
	struct fixture *f = *state;
	struct writing w;
	struct job job;
	struct buf b;
	size_t before;
	int n;

	buf_init(&b, f->arena, 1 << 20);
	for (n = 0; n < LINKS_MISSING + 1; n++)
		buf_printf(&b, "[x](no/%d.md)\n", n);
	page(f, "a", b.p);
	page(f, "b", "Some text.\n");
	/* One job covers both revisions. */
	assert_int_equal(index_jobs(f), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	search_job(f->db, f->arena, &job);
	before = resolver_lookups();
	page(f, "b", "Other text.\n");
	assert_int_equal(resolver_lookups() - before, 0);
	assert_int_equal(index_jobs(f), 0);
	page(f, "c", "It came.\n");
	assert_int_equal(index_jobs(f), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	search_job(f->db, f->arena, &job);
	assert_string_equal(links_as_text(f, NULL, -1), links_of_pages_as_text(f));
	/* A new version of an API description could add a target as well: it is a revision without changes. */
	w = write_begin(f, f->space, f->branch);
	write_end(&w);
	assert_int_equal(index_jobs(f), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(links_have_their_statuses, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(raw_places_keep_their_spelling, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(addresses_in_angle_brackets_are_links, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(links_to_the_application_are_known, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(places_of_a_page_are_known, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(links_follow_their_targets, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(backlinks_are_listed, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(tables_follow_random_histories, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(pages_of_links_are_the_whole_list, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_target_with_many_places_continues_on_the_next_page, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_list_continues_after_deleted_places, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(listing_own_places_is_linear, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(lost_links_are_looked_up_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_job_writes_too_many_links, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_job_looks_for_missing_targets, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
