/*
 * Resolving links: each way in which a link may name a page, a file, a reusable content or a space,
 * from pages with a file in a repository and from pages without one.
 */
#include "page_fixture.h"

#include "base/buf.h"
#include "store/redirect.h"

/*
 * Pages with a file: readme (README.md), guide ("a/guide.md") and its child below
 * ("a/guide/below.md"); pages without one: new, new/inner.
 */
static void
write_all(struct fixture *f, const char *root)
{
	static const struct { const char *id, *parent, *slug, *git; enum node_kind kind; } list[] = {
		{ "readme", "", "readme", "README.md", NODE_DOCUMENT }, { "a", "", "a", NULL, NODE_GROUP },
		{ "guide", "a", "guide", "a/guide.md", NODE_DOCUMENT }, { "below", "guide", "below", "a/guide/below.md", NODE_DOCUMENT },
		{ "new", "", "new", NULL, NODE_DOCUMENT }, { "inner", "new", "inner", NULL, NODE_DOCUMENT },
		{ "leaf", "", "leaf", NULL, NODE_DOCUMENT },
		{ "md", "", "md", NULL, NODE_DOCUMENT },
		{ "pic", "", "", "a/pic.png", NODE_FILE }, { "odd", "", "", "a/odd%20name.png", NODE_FILE },
		{ "words", "", "", "includes/words.md", NODE_REUSABLE } };
	struct writing w = write_begin(f, f->space, f->branch);
	struct node n;
	size_t i;

	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		n = (struct node){ .id = list[i].id, .kind = list[i].kind, .parent = list[i].parent, .slug = list[i].slug,
			.ord = arena_printf(f->arena, "%c", 'A' + (int)i), .title = list[i].id, .props = "{}", .origin = -1, .at = 1, .made = 1 };
		if (list[i].git != NULL)
			n.git_path = arena_printf(f->arena, "%s%s%s", root, *root == '\0' ? "" : "/", list[i].git);
		if (n.kind != NODE_GROUP)
			n.body = blob_put(f->db, f->arena, str_of(list[i].id));
		node_put(f->db, f->branch, w.seq, &n);
	}
	n = (struct node){ .id = SETTING_LAYOUT, .kind = NODE_SETTING, .parent = "", .ord = "", .slug = "", .title = "",
		.origin = -1, .at = 1, .made = 1, .props = arena_printf(f->arena, "{\"root\":\"%s\"}", root) };
	if (*root != '\0')
		node_put(f->db, f->branch, w.seq, &n);
	write_end(&w);
}

/*
 * The target as "id", "id#anchor", "url ADDRESS", "space ID" and the like, or "-" if there is none.
 * share: cache of look-ups, or NULL.
 */
static const char *
used_shared(struct fixture *f, const char *from, const char *spelling, enum doc_use use, struct lookup_cache *share)
{
	struct resolver r;
	struct doc_ref ref;
	struct point p;
	struct node n;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, from, &n));
	resolver_at(&r, f->arena, f->db, &p, &n);
	if (share != NULL)
		resolver_use_cache(&r, share);
	if (!resolve_use(&r, f->arena, str_of(spelling), use, &ref)) {
		assert_int_equal(ref.kind, REF_NONE);
		return "-";
	}
	switch (ref.kind) {
	case REF_URL:      return arena_printf(f->arena, "url %s", ref.url);
	case REF_SPACE:    return arena_printf(f->arena, "space %s", ref.id);
	case REF_USER:     return arena_printf(f->arena, "user %s", ref.id);
	case REF_COLLECTION: return arena_printf(f->arena, "collection %s", ref.id);
	case REF_ANCHOR:   return arena_printf(f->arena, "%s#%s", ref.id == NULL ? "" : ref.id, ref.anchor);
	case REF_PAGE:     return ref.id;
	case REF_FILE:     return arena_printf(f->arena, "file %s", ref.id);
	case REF_REUSABLE: return arena_printf(f->arena, "content %s", ref.id);
	default:           return "?";
	}
}

static const char *
leads_shared(struct fixture *f, const char *from, const char *spelling, struct lookup_cache *share)
{
	return used_shared(f, from, spelling, USE_LINK, share);
}

static const char *
leads_to(struct fixture *f, const char *from, const char *spelling)
{
	return leads_shared(f, from, spelling, NULL);
}

static void
row(struct fixture *f, struct writing *w, const char *id, enum node_kind kind, const char *git, const char *body, const char *refs)
{
	struct node n = { .id = id, .kind = kind, .parent = "", .slug = id, .ord = id, .title = id, .props = "{}", .git_path = git,
		.origin = -1, .at = 1, .made = 1 };

	n.body = blob_put(f->db, f->arena, str_of(body));
	n.refs = blob_put(f->db, f->arena, str_of(refs));
	node_put(f->db, f->branch, w->seq, &n);
}

static const struct { const char *from, *spelling, *to; } known[] = {
	/* By file, relative to the page's file. */
	{ "guide", "below.md", "-" }, { "guide", "guide/below.md", "below" }, { "guide", "../README.md", "readme" },
	{ "below", "../guide.md", "guide" }, { "below", "../guide.md#part", "guide#part" }, { "guide", "pic.png", "file pic" },
	{ "guide", "pic.png#part", "file pic" }, { "readme", "includes/words.md", "content words" },
	{ "guide", "none.md", "-" }, { "guide", "../../README.md", "-" }, { "guide", "odd%2520name.png", "file odd" },
	/*
	 * An escape that is part of the file name matches as written; the decoded spelling does
	 * not, although both give the same path.
	 */
	{ "guide", "odd name.png", "-" },
	{ "guide", "odd%20name.png", "file odd" },
	/* From the root, by file, by path, and by a path in the form of an id. */
	{ "below", "/a/guide.md", "guide" }, { "below", "/a/guide", "guide" }, { "below", "/new/inner", "inner" },
	{ "below", "/pages/new/inner", "inner" }, { "below", "/pages/a/guide#part", "guide#part" }, { "below", "/other/new", "-" },
	{ "below", "/files/new/inner", "-" },
	/* By id, each kind in its form. */
	{ "below", "/pages/guide", "guide" }, { "below", "/pages/guide#part", "guide#part" }, { "below", "/files/pic", "file pic" },
	{ "below", "/reusable-contents/words", "content words" }, { "below", "/pages/pic", "-" }, { "below", "/files/guide", "-" },
	{ "below", "/reusable-contents/pic", "-" }, { "below", "/pages/none", "-" },
	/* Pages without a file, by the file name that an export would give them. */
	{ "readme", "new.md", "new" }, { "readme", "NEW.MD", "new" }, { "readme", "new.MD", "new" }, { "readme", "new/README.md", "new" },
	{ "readme", "new/inner.md", "inner" }, { "readme", "new/readme.md", "new" }, { "readme", "new/xREADME.md", "-" },
	{ "readme", "md", "md" }, { "readme", ".md", "-" }, { "readme", "leaf.png", "-" }, { "readme", "leafxyz", "-" },
	/* A page with a file is found by that file only. */
	{ "readme", "a/guide/README.md", "-" },
	/* From a page without a file: relative to NAME.md, or, if it has children, to NAME/README.md. */
	{ "new", "inner.md", "inner" }, { "new", "new/inner.md", "inner" }, { "new", "leaf.md", "leaf" }, { "new", "../leaf.md", "leaf" },
	{ "new", "README.md", "new" },
	{ "inner", "../leaf.md", "leaf" }, { "inner", "../../leaf.md", "leaf" }, { "leaf", "new.md", "new" }, { "leaf", "README.md", "readme" },
	/* Other targets. */
	{ "guide", "https://example.com/x", "url https://example.com/x" }, { "guide", "mailto:a@example.com", "url mailto:a@example.com" },
	{ "guide", "#part", "guide#part" },
};

static void
expect_known(struct fixture *f, const char *root)
{
	size_t i, n = sizeof(known) / sizeof(known[0]);
	struct lookup_cache share = lookup_cache_new(f->arena);
	unsigned wrong = 0;

	json_arena(f->arena);
	write_all(f, root);
	/* A second time with a shared cache of look-ups. */
	for (i = 0; i < 2 * n; i++) {
		const char *to = leads_shared(f, known[i % n].from, known[i % n].spelling, i < n ? NULL : &share);
		if (strcmp(to, known[i % n].to) != 0) {
			print_error("below \"%s\", %s in %s: %s, not %s\n", root, known[i % n].spelling, known[i % n].from, to,
			    known[i % n].to);
			wrong++;
		}
	}
	json_arena(NULL);
	assert_int_equal(wrong, 0);
}

/*
 * The key of the shared cache includes the use, since the same spelling is looked up in different
 * folders: a link at one path, a file in each folder from the root up, an include in each folder
 * above the page's file. The order of look-ups does not matter.
 */
static void
shared_by_use(void **state)
{
	static const struct { const char *from, *spelling; enum doc_use use; const char *to; } asked[] = {
		{ "guide", "/top.png", USE_LINK, "-" }, { "guide", "/top.png", USE_FILE, "file top" },
		{ "guide", "includes/words.md", USE_LINK, "-" }, { "guide", "includes/words.md", USE_INCLUDE, "content words" },
		{ "guide", "includes/words.md", USE_FILE, "-" }, { "guide", "odd name.png", USE_LINK, "-" },
		{ "guide", "odd%20name.png", USE_LINK, "file odd" }, { "guide", "odd name.png", USE_FILE, "-" },
		{ "guide", "odd%20name.png", USE_FILE, "file odd" } };
	enum { ASKED = sizeof(asked) / sizeof(asked[0]) };
	struct fixture *f = *state;
	struct lookup_cache there = lookup_cache_new(f->arena), back = lookup_cache_new(f->arena);
	struct writing w;
	size_t i;

	json_arena(f->arena);
	write_all(f, "docs");
	w = write_begin(f, f->space, f->branch);
	row(f, &w, "top", NODE_FILE, "top.png", "x", "");
	write_end(&w);
	for (i = 0; i < ASKED; i++) {
		assert_string_equal(used_shared(f, asked[i].from, asked[i].spelling, asked[i].use, NULL), asked[i].to);
		assert_string_equal(used_shared(f, asked[i].from, asked[i].spelling, asked[i].use, &there), asked[i].to);
	}
	for (i = ASKED; i-- > 0;)
		assert_string_equal(used_shared(f, asked[i].from, asked[i].spelling, asked[i].use, &back), asked[i].to);
	json_arena(NULL);
}

static void
links_are_mapped_at_the_top(void **state)
{
	expect_known(*state, "");
}

/* Links resolve in the same way if the space is a folder of the repository. */
static void
links_are_mapped_below_a_root(void **state)
{
	struct fixture *f = *state;
	struct writing w;

	expect_known(f, "docs");
	/* A page in another folder whose name is as long as the root's is not below the root. */
	json_arena(f->arena);
	w = write_begin(f, f->space, f->branch);
	row(f, &w, "beside", NODE_DOCUMENT, "data/beside.md", "x\n", "{}");
	write_end(&w);
	assert_string_equal(leads_to(f, "beside", "a/guide.md"), "-");
	json_arena(NULL);
}

/* Target of a redirect of .gitbook.yaml: a page or file, with its anchor, or a URL; "-": none. */
static const char *
redirected(struct fixture *f, const char *path)
{
	struct doc_ref to;
	struct point p;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	if (!redirect_declared(f->db, f->arena, &p, path, &to))
		return "-";
	return to.kind == REF_URL ? to.url : to.anchor == NULL ? to.id : arena_printf(f->arena, "%s#%s", to.id, to.anchor);
}

/* Targets of redirects are resolved like links of a file in the root of the content. */
static void
redirects_are_mapped_like_links(void **state)
{
	static const char *const roots[] = { "", "docs" };
	struct fixture *f = *state;
	struct node n = { .id = "redirects", .kind = NODE_SETTING, .parent = "", .ord = "", .slug = "", .title = "", .origin = -1, .at = 1, .made = 1 };
	struct writing w;

	json_arena(f->arena);
	for (int i = 0; i < 2; i++) {
		write_all(f, roots[i]);
		assert_string_equal(redirected(f, "old"), i == 0 ? "-" : "guide");
		n.props = "{\"value\":{\"old\":\"a/guide.md\",\"up\":\"./README.md\",\"part\":\"a/guide.md#part\",\"file\":\"a/pic.png\","
		    "\"out\":\"../README.md\",\"none\":\"none.md\",\"away\":\"https://x.example/\",\"number\":7,"
		    "\"deep/old\":\"new/inner.md\",\"with blanks\":\"a/guide.md\",\"kept%20so\":\"a/guide.md\"}}";
		w = write_begin(f, f->space, f->branch);
		node_put(f->db, f->branch, w.seq, &n);
		write_end(&w);
		assert_string_equal(redirected(f, "old"), "guide");
		assert_string_equal(redirected(f, "/Old/"), "guide");
		assert_string_equal(redirected(f, "up"), "readme");
		assert_string_equal(redirected(f, "part"), "guide#part");
		assert_string_equal(redirected(f, "deep/old"), "inner");
		assert_string_equal(redirected(f, "file"), "pic");
		assert_string_equal(redirected(f, "With%20Blanks"), "guide");
		assert_string_equal(redirected(f, "with%2520blanks"), "guide");
		assert_string_equal(redirected(f, "kept so"), "guide");
		assert_string_equal(redirected(f, "out"), "-");
		assert_string_equal(redirected(f, "none"), "-");
		assert_string_equal(redirected(f, "away"), "https://x.example/");
		assert_string_equal(redirected(f, "number"), "-");
		assert_string_equal(redirected(f, "old/below"), "-");
	}
	json_arena(NULL);
}

/* Without a README.md, its name resolves to the first page that is a document, unless that page has another file. */
static void
the_first_page_stands_for_the_readme(void **state)
{
	struct fixture *f = *state;
	struct node n = { .kind = NODE_DOCUMENT, .parent = "", .props = "{}", .origin = -1, .at = 1, .made = 1 };
	static const struct { const char *id; enum node_kind kind; } list[] = { { "part", NODE_GROUP }, { "link", NODE_LINK },
		{ "home", NODE_DOCUMENT }, { "other", NODE_DOCUMENT } };
	struct writing w = write_begin(f, f->space, f->branch);
	size_t i;

	json_arena(f->arena);
	for (i = 0; i < 4; i++) {
		n.id = n.slug = n.title = list[i].id;
		n.kind = list[i].kind;
		n.ord = arena_printf(f->arena, "%c", 'A' + (int)i);
		node_put(f->db, f->branch, w.seq, &n);
	}
	write_end(&w);
	assert_string_equal(leads_to(f, "other", "README.md"), "home");
	assert_string_equal(leads_to(f, "other", "readme.md#part"), "home#part");
	assert_string_equal(leads_to(f, "home", "README.md"), "home");
	assert_string_equal(leads_to(f, "other", "EADME.md"), "-");
	assert_string_equal(leads_to(f, "other", "xREADME.md"), "-");
	assert_string_equal(leads_to(f, "other", "home/README.md"), "home");
	/* A link to a space of the published application resolves if a space with that id exists here. */
	assert_string_equal(leads_to(f, "other", arena_printf(f->arena, "https://app.gitbook.com/s/%s", f->space)),
	    arena_printf(f->arena, "space %s", f->space));
	assert_string_equal(leads_to(f, "other", "https://app.gitbook.com/s/0123456789abcdefghij"),
	    "url https://app.gitbook.com/s/0123456789abcdefghij");
	w = write_begin(f, f->space, f->branch);
	n.id = n.slug = n.title = "home";
	n.kind = NODE_DOCUMENT;
	n.ord = "C";
	n.git_path = "start.md";
	node_put(f->db, f->branch, w.seq, &n);
	write_end(&w);
	assert_string_equal(leads_to(f, "home", "README.md"), "-");
	assert_string_equal(leads_to(f, "other", "start.md"), "home");
	/* README.md is the first page: a space of only groups and links has none. */
	w = write_begin(f, f->space, f->branch);
	write_gone(&w, "home");
	write_gone(&w, "other");
	write_end(&w);
	assert_string_equal(leads_to(f, "link", "README.md"), "-");
	json_arena(NULL);
}

SQL(q_collection,
    "INSERT INTO collection (id, org, parent, title, ord, created_at, updated_at) VALUES ('c', :org, NULL, 'C', 'V', 1, 1)");

/* Objects outside of spaces are found by id: each kind in its form, and only those of this organization. */
static void
objects_of_the_organization_are_mapped_by_id(void **state)
{
	struct fixture *f = *state;
	struct stmt *q;

	json_arena(f->arena);
	write_all(f, "");
	db_begin(f->db, true);
	q = db_use(f->db, &q_collection);
	bind_text(q, ":org", f->org);
	stmt_run(q);
	db_commit(f->db);
	assert_string_equal(leads_to(f, "guide", arena_printf(f->arena, "/spaces/%s", f->space)), arena_printf(f->arena, "space %s", f->space));
	assert_string_equal(leads_to(f, "guide", arena_printf(f->arena, "/users/%s", f->user)), arena_printf(f->arena, "user %s", f->user));
	assert_string_equal(leads_to(f, "guide", "/collections/c"), "collection c");
	assert_string_equal(leads_to(f, "guide", arena_printf(f->arena, "/users/%s", f->space)), "-");
	assert_string_equal(leads_to(f, "guide", arena_printf(f->arena, "/spaces/%s", f->user)), "-");
	assert_string_equal(leads_to(f, "guide", "/spaces/c"), "-");
	assert_string_equal(leads_to(f, "guide", "/collections/none"), "-");
	assert_string_equal(leads_to(f, "guide", arena_printf(f->arena, "/spacez/%s", f->space)), "-");
	assert_string_equal(leads_to(f, "guide", arena_printf(f->arena, "/%s", f->space)), "-");
	json_arena(NULL);
}

/*
 * Targets that need no look-up are not in the map: fragments, and addresses with at least two
 * letters before the colon.
 */
static void
fragments_and_addresses_are_not_mapped(void **state)
{
	static const char *const in[] = { "a.md", "/a", "//host/x", "c:/x", "a/b:c", "1a:b", "a_b:c", ".x:y", "a", "A.md", "{b}:c", "`b:c",
		"https://app.gitbook.com/s/x", "https://app.gitbook.com/" };
	static const char *const out[] = { "#part", "https://example.com/x", "HTTPS://EXAMPLE.COM", "mailto:a@example.com", "ab:c",
		"zz:c", "aa:c", "a1:b", "a+b-c.d:e", "a0:b", "a9:b", "https://app.gitbook.co/s/x" };
	struct fixture *f = *state;
	struct resolver r;
	struct point p;
	struct node n;
	size_t i;

	json_arena(f->arena);
	write_all(f, "");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "guide", &n));
	resolver_at(&r, f->arena, f->db, &p, &n);
	for (i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		if (link_map_make(f->arena, str_of(arena_printf(f->arena, "[x](<%s>)\n", in[i])), &r, NULL, NULL).n == 0)
			fail_msg("%s is not in the map", in[i]);
	for (i = 0; i < sizeof(out) / sizeof(out[0]); i++)
		if (link_map_make(f->arena, str_of(arena_printf(f->arena, "[x](<%s>)\n", out[i])), &r, NULL, NULL).p != NULL)
			fail_msg("%s is in the map", out[i]);
	json_arena(NULL);
}

static void
note_lost(void *ctx, const struct doc_link *link)
{
	buf_printf(ctx, "%.*s ", (int)link->spelling.n, link->spelling.p);
}

/*
 * Broken links are reported in the order of the text, once for each occurrence; the map holds each
 * spelling once, sorted.
 */
static void
lost_links_are_listed_in_order(void **state)
{
	struct fixture *f = *state;
	struct resolver r;
	struct point p;
	struct buf lost;
	struct node n;
	struct str map;

	json_arena(f->arena);
	write_all(f, "");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "readme", &n));
	resolver_at(&r, f->arena, f->db, &p, &n);
	buf_init(&lost, f->arena, 1 << 16);
	map = link_map_make(f->arena, STR("[x](z.md) [x](b.md) [x](new.md)\n\n[x](z.md) [x](no.md)\n"), &r, note_lost, &lost);
	assert_string_equal(lost.p, "z.md b.md z.md no.md ");
	assert_true(str_eq(map, STR("{\"b.md\":null,\"new.md\":{\"kind\":\"page\",\"page\":\"new\"},\"no.md\":null,\"z.md\":null}")));
	json_arena(NULL);
}

/* A spelling with many occurrences is looked up once. */
static void
each_spelling_is_looked_up_once(void **state)
{
	struct fixture *f = *state;
	struct resolver r;
	struct point p;
	struct buf body;
	struct node n;
	size_t before, once;
	int i;

	json_arena(f->arena);
	write_all(f, "");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "guide", &n));
	resolver_at(&r, f->arena, f->db, &p, &n);
	before = resolver_lookups();
	link_map_make(f->arena, STR("[x](below.md) [x](no.md)\n"), &r, NULL, NULL);
	once = resolver_lookups() - before;
	assert_int_equal(once, 2);
	buf_init(&body, f->arena, 1 << 20);
	for (i = 0; i < 500; i++)
		buf_str(&body, "[x](no.md) [x](below.md) ![x](no.md)\n");
	before = resolver_lookups();
	link_map_make(f->arena, buf_view(&body), &r, NULL, NULL);
	assert_int_equal(resolver_lookups() - before, once);
	json_arena(NULL);
}

/* The map is sorted, a spelling before those that begin with it, whatever the order in the text. */
static void
the_map_is_sorted_by_spelling(void **state)
{
	static const char *const bodies[] = { "[x](ab) [x](a) [x](ab.md) [x](abc) [x](b)\n", "[x](b) [x](abc) [x](ab.md) [x](ab) [x](a)\n",
		"[x](a) [x](ab) [x](ab.md) [x](abc) [x](b)\n" };
	struct fixture *f = *state;
	struct resolver r;
	struct point p;
	struct node n;

	json_arena(f->arena);
	write_all(f, "");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "leaf", &n));
	resolver_at(&r, f->arena, f->db, &p, &n);
	for (int i = 0; i < 3; i++)
		assert_true(str_eq(link_map_make(f->arena, str_of(bodies[i]), &r, NULL, NULL),
		    STR("{\"a\":{\"kind\":\"page\",\"page\":\"a\"},\"ab\":null,\"ab.md\":null,\"abc\":null,\"b\":null}")));
	json_arena(NULL);
}

/* A map that is written as it was read has the same content, even if an earlier release did not sort it. */
static void
a_map_comes_back_as_written(void **state)
{
	static const char sorted[] = "{\"a\":{\"kind\":\"page\",\"page\":\"p\"},\"b\":{\"kind\":\"anchor\",\"page\":\"p\",\"anchor\":\"x\"},"
	    "\"bb\":{\"kind\":\"file\",\"file\":\"f\"},\"d\":null,\"e\":{\"kind\":\"url\",\"url\":\"https://x.example/\"},"
	    "\"f\":{\"kind\":\"space\",\"space\":\"s\"},\"g\":{\"kind\":\"page\",\"page\":\"p\",\"space\":\"s\"},"
	    "\"h\":{\"kind\":\"reusable-content\",\"reusableContent\":\"r\"},\"i\":{\"kind\":\"user\",\"user\":\"u\"}}";
	struct fixture *f = *state;
	struct doc_ref ref;
	struct link_map m;

	json_arena(f->arena);
	m = link_map_read(f->arena, str_of(sorted));
	assert_int_equal(m.n, 9);
	assert_true(m.holes);
	assert_true(str_eq(link_map_json(f->arena, &m), str_of(sorted)));
	assert_true(link_map_find(&m, STR("a"), &ref) && ref.kind == REF_PAGE);
	assert_true(link_map_find(&m, STR("bb"), &ref) && ref.kind == REF_FILE);
	assert_true(link_map_find(&m, STR("i"), &ref) && ref.kind == REF_USER);
	assert_false(link_map_find(&m, STR("d"), &ref));
	assert_false(link_map_find(&m, STR("c"), &ref));
	m = link_map_read(f->arena, STR("{\"b\":{\"kind\":\"page\",\"page\":\"p\"},\"a\":{\"kind\":\"page\",\"page\":\"q\"}}"));
	assert_false(m.holes);
	assert_true(link_map_find(&m, STR("a"), &ref));
	assert_string_equal(ref.id, "q");
	assert_true(str_eq(link_map_json(f->arena, &m),
	    STR("{\"a\":{\"kind\":\"page\",\"page\":\"q\"},\"b\":{\"kind\":\"page\",\"page\":\"p\"}}")));
	json_arena(NULL);
}

static const char *
markdown(struct fixture *f, const char *id, bool stable)
{
	struct point p;
	struct node n;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return arena_printf(f->arena, "%s", markdown_of(f->db, f->arena, &p, &n, stable).p);
}

/*
 * A link keeps its target, wherever the target is now: its spelling changes only if it would
 * resolve to something else.
 */
static void
a_link_is_respelled_only_where_it_must(void **state)
{
	static const char body[] = "[q](q.md#part) [p](pic.png) [g](gone.md) [u](https://x.example/q.md) [l](lost.md)\n";
	static const char refs[] = "{\"gone.md\":{\"kind\":\"page\",\"page\":\"gone\"},\"lost.md\":null,"
	    "\"pic.png\":{\"kind\":\"file\",\"file\":\"pic\"},\"q.md#part\":{\"kind\":\"anchor\",\"page\":\"q\",\"anchor\":\"part\"}}";
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	json_arena(f->arena);
	row(f, &w, "p", NODE_DOCUMENT, "docs/p.md", body, refs);
	row(f, &w, "q", NODE_DOCUMENT, "docs/q.md", "q\n", "{}");
	row(f, &w, "gone", NODE_DOCUMENT, "docs/gone.md", "g\n", "{}");
	row(f, &w, "pic", NODE_FILE, "docs/pic.png", "bytes", "{}");
	write_end(&w);
	assert_string_equal(markdown(f, "p", false), arena_printf(f->arena, "# p\n\n%s", body));
	assert_string_equal(markdown(f, "p", true), "# p\n\n[q](/pages/q#part) [p](/files/pic) [g](/pages/gone) "
	    "[u](https://x.example/q.md) [l](lost.md)\n");
	/* A link that was broken when the page was written is resolved again. */
	w = write_begin(f, f->space, f->branch);
	row(f, &w, "late", NODE_DOCUMENT, "docs/lost.md", "l\n", "{}");
	write_end(&w);
	assert_non_null(strstr(markdown(f, "p", true), "[l](/pages/late)"));
	assert_string_equal(markdown(f, "p", false), arena_printf(f->arena, "# p\n\n%s", body));
	w = write_begin(f, f->space, f->branch);
	write_gone(&w, "late");
	write_end(&w);
	/* Targets that move, are deleted, or lose their file. */
	w = write_begin(f, f->space, f->branch);
	row(f, &w, "q", NODE_DOCUMENT, "other/q.md", "q\n", "{}");
	row(f, &w, "pic", NODE_FILE, "docs/img/pic.png", "bytes", "{}");
	write_gone(&w, "gone");
	write_end(&w);
	assert_string_equal(markdown(f, "p", false), "# p\n\n[q](../other/q.md#part) [p](img/pic.png) [g](/broken/pages/gone) "
	    "[u](https://x.example/q.md) [l](lost.md)\n");
	/* The page with the links moves. */
	w = write_begin(f, f->space, f->branch);
	row(f, &w, "p", NODE_DOCUMENT, "deep/p.md", body, refs);
	row(f, &w, "q", NODE_DOCUMENT, NULL, "q\n", "{}");
	write_end(&w);
	assert_string_equal(markdown(f, "p", false), "# p\n\n[q](../q.md#part) [p](../docs/img/pic.png) [g](/broken/pages/gone) "
	    "[u](https://x.example/q.md) [l](lost.md)\n");
	json_arena(NULL);
}

/* Addresses, and targets outside of the space, keep their spelling, even if it would resolve to a page here. */
static void
addresses_stay_as_spelled(void **state)
{
	static const char body[] = "[u](q.md) [s](s.md) [c](c.md) [o](o.md) [h](h.md) [q](other.md)\n";
	static const char refs[] = "{\"c.md\":{\"kind\":\"collection\",\"collection\":\"c\"},\"h.md\":{\"kind\":\"url\",\"url\":\"https://x.example/\"},"
	    "\"o.md\":{\"kind\":\"page\",\"page\":\"o\",\"space\":\"s\"},\"other.md\":{\"kind\":\"page\",\"page\":\"q\"},"
	    "\"q.md\":{\"kind\":\"user\",\"user\":\"u\"},\"s.md\":{\"kind\":\"space\",\"space\":\"s\"}}";
	struct fixture *f = *state;
	struct writing w = write_begin(f, f->space, f->branch);

	json_arena(f->arena);
	row(f, &w, "p", NODE_DOCUMENT, "p.md", body, refs);
	row(f, &w, "q", NODE_DOCUMENT, "q.md", "q\n", "{}");
	row(f, &w, "x", NODE_DOCUMENT, "other.md", "x\n", "{}");
	write_end(&w);
	/* Only the last link is respelled: another page has that file now. */
	assert_string_equal(markdown(f, "p", false), "# p\n\n[u](q.md) [s](s.md) [c](c.md) [o](o.md) [h](h.md) [q](q.md)\n");
	json_arena(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(links_are_mapped_at_the_top, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(shared_by_use, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(links_are_mapped_below_a_root, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_first_page_stands_for_the_readme, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(redirects_are_mapped_like_links, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(objects_of_the_organization_are_mapped_by_id, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(addresses_stay_as_spelled, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_map_is_sorted_by_spelling, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(fragments_and_addresses_are_not_mapped, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(lost_links_are_listed_in_order, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(each_spelling_is_looked_up_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_link_is_respelled_only_where_it_must, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_map_comes_back_as_written, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
