/*
 * Computed pages: the pages made from an OpenAPI description, in the tree, by id and by path, and
 * the version of the description that a revision shows.
 */
#include "change_fixture.h"

#include "base/map.h"
#include "computed/computed.h"
#include "store/computed.h"
#include "store/places.h"
#include "store/redirect.h"

SQL(q_spec, "INSERT INTO openapi_spec (id, org, slug, created_at, updated_at, deleted_at) VALUES (:id, :org, :slug, :at, :at, :gone)");
SQL(q_delete, "UPDATE openapi_spec SET deleted_at = 200 WHERE id = 's'");
SQL(q_version, "INSERT INTO openapi_version (id, spec, no, created_at, shown) VALUES (:id, :spec, :no, :at, :shown)");
SQL(q_page,
    "INSERT INTO openapi_page (version, no, kind, name, title, slug, description, markdown) "
    "VALUES (:version, :no, :kind, :name, :title, :slug, :description, '')");
SQL(q_time, "UPDATE revision SET created_at = :at WHERE branch = :branch AND seq = :seq");

/* A description with the times of its creation and deletion; 0: not deleted. */
static void
spec(struct fixture *f, const char *id, const char *org, const char *slug, int64_t at, int64_t gone)
{
	struct stmt *q = db_use(f->db, &q_spec);

	bind_text(q, ":id", id);
	bind_text(q, ":org", org);
	bind_text(q, ":slug", slug);
	bind_int(q, ":at", at);
	if (gone != 0)
		bind_int(q, ":gone", gone);
	stmt_run(q);
}

static void
page(struct fixture *f, const char *version, int no, const char *kind, const char *name, const char *description)
{
	struct stmt *q = db_use(f->db, &q_page);

	bind_text(q, ":version", version);
	bind_int(q, ":no", no);
	bind_text(q, ":kind", kind);
	bind_text(q, ":name", name);
	bind_text(q, ":title", arena_printf(f->arena, "The %s", name));
	bind_text(q, ":slug", name);
	bind_text(q, ":description", description);
	stmt_run(q);
}

/* A version of a description with three pages: about the API, of one tag, and of the models. */
static void
version(struct fixture *f, const char *id, const char *spec_id, int no, int64_t at, bool shown, const char *tag)
{
	struct stmt *q = db_use(f->db, &q_version);

	bind_text(q, ":id", id);
	bind_text(q, ":spec", spec_id);
	bind_int(q, ":no", no);
	bind_int(q, ":at", at);
	bind_int(q, ":shown", shown);
	stmt_run(q);
	page(f, id, 0, "info", "info", "About it");
	page(f, id, 1, "operations", tag, "");
	page(f, id, 2, "models", "models", "");
}

/* A page of main; with `computed`, a computed page with these properties. */
static void
put(struct fixture *f, const struct point *now, const char *id, const char *parent, const char *ord, const char *slug, const char *computed)
{
	struct node n = page_node(id, parent, ord);

	n.slug = slug;
	if (computed != NULL) {
		n.kind = NODE_COMPUTED;
		n.props = computed;
	}
	node_put(f->db, now->branch, now->seq, &n);
}

static const char *
from_spec(struct fixture *f, const char *slug, const char *models)
{
	return arena_printf(f->arena, "{\"computed\":{\"type\":\"builtin:openapi\",\"props\":{\"models\":%s},"
	    "\"dependencies\":{\"spec\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"%s\"}}}}}", models, slug);
}

/*
 * Writes a page "guide" with a child page "pets", then the computed page c of the description "api"
 * with its models, and a page after it; and at the root the computed page d, without models.
 */
static struct point
written(struct fixture *f)
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	put(f, &now, "g", "", "A", "guide", NULL);
	put(f, &now, "x", "g", "A", "pets", NULL);
	put(f, &now, "c", "g", "B", "ref", from_spec(f, "api", "true"));
	put(f, &now, "y", "g", "C", "end", NULL);
	put(f, &now, "d", "", "B", "top", from_spec(f, "api", "false"));
	db_commit(f->db);
	return now;
}

/* Sets the time at which the revision was written. */
static void
at_time(struct fixture *f, const struct point *p, int64_t at)
{
	struct stmt *q = db_use(f->db, &q_time);

	bind_int(q, ":branch", p->branch);
	bind_int(q, ":seq", p->seq);
	bind_int(q, ":at", at);
	stmt_run(q);
}

/* Appends the paths in the order of the tree. */
static void
paths(struct buf *b, const struct page *first)
{
	for (; first != NULL; first = first->next) {
		buf_printf(b, "%s%s", b->n == 0 ? "" : " ", first->path);
		paths(b, first->first);
	}
}

static const char *
tree(struct fixture *f, const struct point *p)
{
	struct buf b;
	size_t n;

	buf_init(&b, f->arena, 1 << 20);
	paths(&b, computed_expand(f->db, f->arena, p, page_tree(f->db, f->arena, p, &n), ""));
	return b.p;
}

static int
set_up(void **state)
{
	struct fixture *f;

	db_setup(state);
	f = *state;
	db_begin(f->db, true);
	spec(f, "s", f->org, "api", 100, 0);
	version(f, "v", "s", 1, 100, true, "pets");
	db_commit(f->db);
	return 0;
}

/* ---- the pages ---- */

/* The pages take the place of the computed page in the tree; a slug that a written page has gets a number. */
static void
pages_take_the_place_of_the_computed_page(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);

	assert_string_equal(tree(f, &p), "guide guide/pets guide/info guide/pets-2 guide/models guide/end info pets");
}

/* Puts the pages of two operations below that of the tag, which weighs so much. */
static void
with_operations(struct fixture *f, int64_t weight)
{
	const char *error = NULL;

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena, "UPDATE openapi_page SET weight = %lld WHERE no = 1;"
	    "INSERT INTO openapi_page (version, no, kind, name, title, slug, description, markdown, parent, weight, method, path) VALUES "
	    "('v', 10, 'operation', 'pets/get', 'Get', 'get', '', '', 1, 5, 'get', '/p'), ('v', 11, 'operation', 'pets/put', 'Put', 'info', '', '', "
	    "1, 5, 'put', '/p'), ('v', 12, 'operations', 'cats', 'Cats', 'cats', '', '', 1, 0, NULL, NULL);", (long long)weight), &error));
}

/* Operations of a large tag have a page each, below that of the tag; setting: of all tags, or of none. */
static void
operations_of_large_tags_have_pages(void **state)
{
	static const char *const small = "guide guide/pets guide/info guide/pets-2 guide/pets-2/cats guide/models guide/end info pets pets/cats";
	static const char *const large = "guide guide/pets guide/info guide/pets-2 guide/pets-2/get guide/pets-2/info guide/pets-2/cats "
	    "guide/models guide/end info pets pets/get pets/info pets/cats";
	struct fixture *f = *state;
	struct point p = written(f);
	struct computed_page *c;

	with_operations(f, 100);
	assert_string_equal(tree(f, &p), small);
	assert_null(computed_by_path(f->db, f->arena, &p, "pets/get"));
	assert_false(computed_by_path(f->db, f->arena, &p, "pets")->split);
	db_script(f->db, f->arena, "UPDATE openapi_page SET weight = 100000 WHERE no = 1", &(const char *){ NULL });
	assert_string_equal(tree(f, &p), large);
	assert_true(computed_by_path(f->db, f->arena, &p, "pets")->split);
	c = computed_by_path(f->db, f->arena, &p, "guide/pets-2/get");
	assert_string_equal(c->method, "get");
	assert_string_equal(computed_by_id(f->db, f->arena, &p, c->page.node.id)->page.path, "guide/pets-2/get");
	assert_string_equal(c->page.node.parent, computed_by_path(f->db, f->arena, &p, "guide/pets-2")->page.node.id);
	assert_string_equal(computed_id_of(f->arena, c, "operation", "pets/get"), c->page.node.id);
	assert_null(computed_by_path(f->db, f->arena, &p, "pets/none/get"));
}

static void
the_author_chooses_pages_of_operations(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);
	const char *props = from_spec(f, "api", "false,\"pages\":\"operation\"");

	with_operations(f, 100);
	p = revision_begin(f, f->branch);
	put(f, &p, "d", "", "B", "top", props);
	db_commit(f->db);
	assert_non_null(computed_by_path(f->db, f->arena, &p, "pets/get"));
	db_script(f->db, f->arena, "UPDATE openapi_page SET weight = 100000 WHERE no = 1", &(const char *){ NULL });
	p = revision_begin(f, f->branch);
	put(f, &p, "d", "", "B", "top", from_spec(f, "api", "false,\"pages\":\"tag\""));
	db_commit(f->db);
	assert_null(computed_by_path(f->db, f->arena, &p, "pets/get"));
}

/* Two computed pages, even of one description, have different pages and paths. */
static void
two_computed_pages_have_different_pages(void **state)
{
	struct fixture *f = *state;
	struct computed_page *one, *other;
	struct point p;
	struct node n;

	written(f);
	p = revision_begin(f, f->branch);
	put(f, &p, "e", "", "C", "more", from_spec(f, "api", "true"));
	db_commit(f->db);
	assert_string_equal(tree(f, &p), "guide guide/pets guide/info guide/pets-2 guide/models guide/end "
	    "info pets info-2 pets-2 models");
	one = computed_by_path(f->db, f->arena, &p, "pets");
	other = computed_by_path(f->db, f->arena, &p, "pets-2");
	assert_memory_equal(one->page.node.id, "d-", 2);
	assert_memory_equal(other->page.node.id, "e-", 2);
	assert_string_equal(one->page.node.id + 2, other->page.node.id + 2);
	assert_true(node_get(f->db, f->arena, &p, "e", &n));
	assert_string_equal(computed_first(f->db, f->arena, &p, &n)->page.path, "info-2");
}

/* A tag may have the same name as the page of the models. */
static void
a_tag_may_be_called_models(void **state)
{
	struct fixture *f = *state;
	struct point p;

	db_begin(f->db, true);
	version(f, "v2", "s", 2, 200, true, "models");
	db_commit(f->db);
	p = written(f);
	assert_string_equal(tree(f, &p), "guide guide/pets guide/info guide/models guide/models-2 guide/end info models");
}

static void
a_page_has_the_fields_of_its_part(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);
	struct computed_page *c = computed_by_path(f->db, f->arena, &p, "guide/info");

	assert_non_null(c);
	assert_string_equal(c->spec, "api");
	assert_string_equal(c->version, "v");
	assert_int_equal(c->no, 0);
	assert_string_equal(c->kind, "info");
	assert_int_equal(c->page.node.kind, NODE_DOCUMENT);
	assert_string_equal(c->page.node.title, "The info");
	assert_string_equal(c->page.node.parent, "g");
	assert_string_equal(c->page.node.ord, "B");
	assert_int_equal(strlen(c->page.node.id), 2 + 16);
	assert_string_equal(c->page.node.props, arena_printf(f->arena, "{\"description\":\"About it\",\"computed\":"
	    "{\"type\":\"builtin:openapi\",\"props\":{\"doc\":\"info\",\"page\":\"info\"},\"dependencies\":{\"spec\":{\"ref\":"
	    "{\"kind\":\"openapi\",\"spec\":\"api\"}}}},\"computedSeed\":\"%s\"}", c->page.node.id));
	/* The page of the models has a title but no description. */
	c = computed_by_path(f->db, f->arena, &p, "guide/models");
	assert_int_equal(c->no, 2);
	assert_string_equal(c->page.node.props, arena_printf(f->arena, "{\"computed\":{\"type\":\"builtin:openapi\","
	    "\"props\":{\"doc\":\"models\"},\"dependencies\":{\"spec\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"api\"}}}},"
	    "\"computedSeed\":\"%s\"}", c->page.node.id));
}

/* Every kind of look-up finds the same page. */
static void
every_look_up_finds_the_same_page(void **state)
{
	static const char *const all[] = { "info", "pets", "guide/info", "guide/pets-2", "guide/models" };
	static const char *const none[] = { "guide/pets", "guide/pets-3", "guide/end", "models", "guide", "none/info", "guide/info/x", "" };
	struct fixture *f = *state;
	struct point p = written(f);
	struct page *page = computed_all(f->db, f->arena, &p);
	struct computed_page *c;
	struct node n;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++, page = page->next) {
		assert_string_equal(page->path, all[i]);
		c = computed_by_id(f->db, f->arena, &p, page->node.id);
		assert_non_null(c);
		assert_string_equal(c->page.path, all[i]);
		c = computed_by_path(f->db, f->arena, &p, all[i]);
		assert_non_null(c);
		assert_string_equal(c->page.node.id, page->node.id);
	}
	assert_null(page);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (computed_by_path(f->db, f->arena, &p, none[i]) != NULL)
			fail_msg("%s is a page", none[i]);
	/* The id of another page, or an unknown id, finds nothing. */
	c = computed_by_path(f->db, f->arena, &p, "guide/info");
	assert_null(computed_by_id(f->db, f->arena, &p, "c"));
	assert_null(computed_by_id(f->db, f->arena, &p, "c-0000000000000000"));
	assert_null(computed_by_id(f->db, f->arena, &p, arena_printf(f->arena, "x%s", c->page.node.id + 1)));
	assert_null(computed_by_id(f->db, f->arena, &p, arena_printf(f->arena, "none%s", c->page.node.id + 1)));
	/* The computed page itself resolves to the first of its pages. */
	assert_true(node_get(f->db, f->arena, &p, "c", &n));
	assert_string_equal(computed_first(f->db, f->arena, &p, &n)->page.path, "guide/info");
	assert_true(node_get(f->db, f->arena, &p, "d", &n));
	assert_string_equal(computed_first(f->db, f->arena, &p, &n)->page.path, "info");
}

/* The target of a link on the page "x": the path of a page made from a description, or "-" for any other target. */
static const char *
leads_to(struct fixture *f, const struct point *p, const char *spelling)
{
	struct computed_page *c;
	struct doc_ref ref;
	struct resolver r;
	struct node n;

	assert_true(node_get(f->db, f->arena, p, "x", &n));
	resolver_at(&r, f->arena, f->db, p, &n);
	if (!resolve_use(&r, f->arena, str_of(spelling), USE_LINK, &ref) || ref.id == NULL)
		return "-";
	c = computed_by_id(f->db, f->arena, p, ref.id);
	return c == NULL ? "-" : c->page.path;
}

/*
 * Links name these pages by path, with or without ".md", and by id; a link to the computed page
 * itself resolves to the first of its pages.
 */
static void
links_name_pages_by_path_and_id(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);
	struct computed_page *c = computed_by_path(f->db, f->arena, &p, "guide/pets-2");
	struct node n;

	assert_string_equal(leads_to(f, &p, "/guide/info"), "guide/info");
	assert_string_equal(leads_to(f, &p, "/guide/info.md"), "guide/info");
	assert_string_equal(leads_to(f, &p, "/guide/info.md#part"), "guide/info");
	assert_string_equal(leads_to(f, &p, "/guide/Pets-2.MD"), "guide/pets-2");
	assert_string_equal(leads_to(f, &p, "info.md"), "guide/info");
	assert_string_equal(leads_to(f, &p, "/guide/infomd"), "-");
	assert_string_equal(leads_to(f, &p, "/guide/info.m"), "-");
	assert_string_equal(leads_to(f, &p, arena_printf(f->arena, "/pages/%s", c->page.node.id)), "guide/pets-2");
	assert_string_equal(leads_to(f, &p, "/pages/c-0000000000000000"), "-");
	assert_string_equal(leads_to(f, &p, "/guide/ref"), "guide/info");
	assert_string_equal(leads_to(f, &p, "/guide/ref.md"), "guide/info");
	/* Written content takes precedence: a page with that path, or a page imported from that file. */
	assert_string_equal(leads_to(f, &p, "/guide/pets.md"), "-");
	n = page_node("filed", "", "Z");
	n.git_path = "guide/info.md";
	p = revision_begin(f, f->branch);
	node_put(f->db, f->branch, p.seq, &n);
	db_commit(f->db);
	assert_string_equal(leads_to(f, &p, "/guide/info.md"), "-");
	assert_string_equal(leads_to(f, &p, "/guide/models.md"), "guide/models");
	db_begin(f->db, true);
	version(f, "v2", "s", 2, 200, true, "k");
	db_commit(f->db);
	assert_string_equal(leads_to(f, &p, "/k.md"), "k");
	assert_string_equal(leads_to(f, &p, "/k"), "k");
}

static struct map *places;
static bool touched;

static void
add_place(void *ctx, const char *key)
{
	map_add(places, str_of(arena_strdup(ctx, key)), ctx);
}

static void
look_for_place(void *ctx, const char *key)
{
	(void)ctx;
	touched = touched || map_has(places, str_of(key));
}

/*
 * The slug "pets-2" was made because a sibling is called "pets". When the sibling is renamed, the
 * path changes, so a cached target must be invalidated.
 */
static void
a_renamed_sibling_invalidates_the_target(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f), now;
	struct resolver r;
	struct doc_ref ref;
	struct node n;

	places = map_new(f->arena);
	assert_true(node_get(f->db, f->arena, &p, "y", &n));
	resolver_at(&r, f->arena, f->db, &p, &n);
	resolver_watch(&r, add_place, f->arena);
	assert_true(resolve_use(&r, f->arena, STR("/guide/pets-2"), USE_LINK, &ref));
	assert_non_null(computed_by_id(f->db, f->arena, &p, ref.id));
	now = revision_begin(f, f->branch);
	assert_true(node_get(f->db, f->arena, &p, "x", &n));
	n.slug = "cats";
	node_put(f->db, f->branch, now.seq, &n);
	db_commit(f->db);
	assert_string_equal(leads_to(f, &now, "/guide/pets-2"), "-");
	touched = false;
	assert_true(places_changed(f->db, f->arena, &p, &now, look_for_place, NULL));
	assert_true(touched);
}

/* A redirect of .gitbook.yaml may also name a page made from a description. */
static void
redirects_lead_to_computed_pages(void **state)
{
	struct fixture *f = *state;
	struct node n = page_node("redirects", "", "");
	struct doc_ref out;
	struct point p;

	written(f);
	p = revision_begin(f, f->branch);
	n.kind = NODE_SETTING;
	n.props = "{\"value\":{\"old\":\"guide/info\",\"older\":\"guide/end\"}}";
	node_put(f->db, f->branch, p.seq, &n);
	db_commit(f->db);
	assert_true(redirect_declared(f->db, f->arena, &p, "old", &out));
	assert_string_equal(out.id, computed_by_path(f->db, f->arena, &p, "guide/info")->page.node.id);
	assert_true(redirect_declared(f->db, f->arena, &p, "older", &out));
	assert_string_equal(out.id, "y");
}

/* Form of these ids: the id of the computed page's row, a hyphen, and sixteen hexadecimal digits. */
static void
ids_have_a_fixed_form(void **state)
{
	(void)state;
	assert_true(computed_is_id("c-0123456789abcdef"));
	assert_false(computed_is_id("-0123456789abcdef"));
	assert_false(computed_is_id("0123456789abcdef"));
	assert_false(computed_is_id("c-0123456789abcde"));
	assert_false(computed_is_id("0123456789abcdefghijkl"));
}

/* A change request shows the pages of its base in main. */
static void
a_request_shows_the_pages_of_its_base(void **state)
{
	struct fixture *f = *state;
	struct computed_page *c;
	struct point p;

	written(f);
	p = head_of(f, request_open(f));
	assert_string_equal(tree(f, &p), "guide guide/pets guide/info guide/pets-2 guide/models guide/end info pets");
	c = computed_by_path(f->db, f->arena, &p, "guide/info");
	assert_non_null(c);
	assert_non_null(computed_by_id(f->db, f->arena, &p, c->page.node.id));
}

/* ---- computed pages without content ---- */

/* A computed page without content is left out of the tree; its child pages, which no import makes, take its place. */
static void
a_page_without_content_is_left_out(void **state)
{
	static const char *const odd[] = { "{}", "{\"computed\":{\"type\":\"builtin:other\",\"dependencies\":{\"spec\":{\"ref\":{\"spec\":\"api\"}}}}}",
		"{\"computed\":{\"type\":\"builtin:openapi\"}}",
		"{\"computed\":{\"dependencies\":{\"spec\":{\"ref\":{\"spec\":\"api\"}}}}}" };
	struct fixture *f = *state;
	struct node n;
	struct point p;
	size_t i;

	new_space(f);
	db_begin(f->db, true);
	spec(f, "unread", f->org, "unread", 1, 0);
	db_commit(f->db);
	p = revision_begin(f, f->branch);
	for (i = 0; i < 4; i++)
		put(f, &p, arena_printf(f->arena, "o%zu", i), "", "A", arena_printf(f->arena, "o%zu", i), odd[i]);
	put(f, &p, "none", "", "B", "none", from_spec(f, "none", "true"));
	put(f, &p, "unread", "", "C", "unread", from_spec(f, "unread", "true"));
	/* A computed page with a child page. */
	put(f, &p, "above", "", "D", "above", from_spec(f, "api", "true"));
	put(f, &p, "below", "above", "A", "below", NULL);
	db_commit(f->db);
	assert_string_equal(tree(f, &p), "info pets models above/below");
	assert_true(node_get(f->db, f->arena, &p, "none", &n));
	assert_null(computed_first(f->db, f->arena, &p, &n));
	assert_string_equal(computed_spec(f->arena, &n), "none");
	for (i = 0; i < 4; i++) {
		assert_true(node_get(f->db, f->arena, &p, arena_printf(f->arena, "o%zu", i), &n));
		assert_null(computed_spec(f->arena, &n));
	}
}

/* ---- time ---- */

static const char *
version_at(struct fixture *f, const struct point *p, int64_t at)
{
	at_time(f, p, at);
	return computed_version(f->db, f->arena, p, "api");
}

/* A revision shows the newest version that existed when it was written, even if there are later ones. */
static void
a_revision_shows_the_version_of_its_time(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);

	db_begin(f->db, true);
	version(f, "v2", "s", 2, 200, true, "cats");
	version(f, "v3", "s", 3, 300, false, "dogs");
	assert_null(version_at(f, &p, 99));
	assert_false(computed_known(f->db, f->arena, &p, "api"));
	assert_string_equal(tree(f, &p), "guide guide/pets guide/end");
	assert_string_equal(version_at(f, &p, 100), "v");
	assert_true(computed_known(f->db, f->arena, &p, "api"));
	assert_string_equal(version_at(f, &p, 199), "v");
	assert_string_equal(version_at(f, &p, 200), "v2");
	assert_string_equal(version_at(f, &p, 300), "v2");
	assert_string_equal(tree(f, &p), "guide guide/pets guide/info guide/cats guide/models guide/end info cats");
	assert_null(computed_version(f->db, f->arena, &p, "API"));
	db_rollback(f->db);
}

/* Revisions written before a description was deleted show it; later ones show a new description with its name. */
static void
old_revisions_show_deleted_descriptions(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);

	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_delete));
	spec(f, "s2", f->org, "api", 300, 0);
	version(f, "w", "s2", 1, 300, true, "cats");
	assert_string_equal(version_at(f, &p, 199), "v");
	assert_null(version_at(f, &p, 200));
	assert_false(computed_known(f->db, f->arena, &p, "api"));
	assert_null(version_at(f, &p, 299));
	assert_string_equal(version_at(f, &p, 300), "w");
	assert_true(computed_known(f->db, f->arena, &p, "api"));
	/* A revision being written has no time yet: the current description is used. */
	p.seq++;
	assert_string_equal(computed_version(f->db, f->arena, &p, "api"), "w");
	assert_true(computed_known(f->db, f->arena, &p, "api"));
	db_rollback(f->db);
}

/* Descriptions of another organization are not used. */
static void
descriptions_of_others_are_not_used(void **state)
{
	struct fixture *f = *state;
	struct org_new o = { .title = "Other" };
	struct point p = written(f);
	int64_t branch;
	char *org;

	db_begin(f->db, true);
	org = org_make(f->db, f->arena, &o);
	space_make(f->db, f->arena, &(struct space_new){ .org = org, .title = "Theirs", .author = f->user }, &branch);
	spec(f, "t", org, "theirs", 100, 0);
	version(f, "t1", "t", 1, 100, true, "cats");
	assert_null(computed_version(f->db, f->arena, &p, "theirs"));
	assert_false(computed_known(f->db, f->arena, &p, "theirs"));
	db_rollback(f->db);
}

/* A deleted computed page has no pages; at earlier revisions it still has them. */
static void
a_deleted_computed_page_has_no_pages(void **state)
{
	struct fixture *f = *state;
	struct point was = written(f), p;
	struct page *page;

	p = revision_begin(f, f->branch);
	node_end(f->db, f->branch, "c", p.seq);
	db_commit(f->db);
	assert_null(computed_by_path(f->db, f->arena, &p, "guide/info"));
	page = computed_all(f->db, f->arena, &p);
	assert_string_equal(page->path, "info");
	assert_string_equal(page->next->path, "pets");
	assert_null(page->next->next);
	assert_non_null(computed_by_path(f->db, f->arena, &was, "guide/info"));
	for (page = computed_all(f->db, f->arena, &was); page->next != NULL; page = page->next)
		;
	assert_string_equal(page->path, "guide/models");
	was.seq--;
	assert_null(computed_all(f->db, f->arena, &was));
}

/*
 * A computed page whose parent is missing has no path and therefore no pages: neither by id, nor as
 * the first one, nor in the list of all.
 */
static void
a_page_without_a_parent_has_no_pages(void **state)
{
	struct fixture *f = *state;
	struct computed_page *c;
	struct point p = written(f);
	struct page *page;
	struct node n;
	size_t all = 0;

	c = computed_by_path(f->db, f->arena, &p, "guide/info");
	p = revision_begin(f, f->branch);
	put(f, &p, "z", "nobody", "A", "lost", from_spec(f, "api", "true"));
	db_commit(f->db);
	assert_null(computed_by_id(f->db, f->arena, &p, arena_printf(f->arena, "z%s", c->page.node.id + 1)));
	assert_true(node_get(f->db, f->arena, &p, "z", &n));
	assert_null(computed_first(f->db, f->arena, &p, &n));
	for (page = computed_all(f->db, f->arena, &p); page != NULL; page = page->next)
		all++;
	assert_int_equal(all, 5);
}

/* What a faulty description has as a list where a map belongs has no names; all else is told. */
static void
lists_where_maps_belong_are_left_out(void **state)
{
	static const char operation[] = "{\"method\":\"get\",\"path\":\"/p\",\"servers\":[],\"security\":[[\"x\"],[[]]],"
	    "\"securitySchemes\":[{}],\"parameters\":[[]],"
	    "\"requestBody\":{\"content\":[{\"examples\":[{}]}]},\"responses\":[{\"content\":[{}]}],"
	    "\"callbacks\":{\"done\":{\"{$url}\":{\"post\":{\"summary\":\"Told\",\"parameters\":[\"x\"],"
	    "\"requestBody\":{\"content\":[{\"schema\":{}}]},"
	    "\"responses\":[{\"description\":\"Lost\",\"content\":[{}],\"headers\":[{}],\"links\":[{}]}]},"
	    "\"put\":{\"requestBody\":{\"content\":{\"application/json\":{\"examples\":[{\"value\":1}]}}},"
	    "\"responses\":{\"200\":{\"description\":\"Seen\",\"content\":[{}],\"links\":[{\"parameters\":[1]}],"
	    "\"headers\":[{}]}}}}},\"list\":[[{\"responses\":[]}]]}}";
	struct fixture *f = *state;
	struct point p = written(f);
	const char *text;

	db_script(f->db, f->arena, arena_printf(f->arena, "INSERT INTO openapi_operation VALUES ('v', 0, 'a', 'operation', 'get', '/p', 'A', '', "
	    "'[]', '%s'); INSERT INTO openapi_page_operation VALUES ('v', 1, 0)", operation), &(const char *){ NULL });
	json_arena(f->arena);
	text = computed_readable(f->db, f->arena, computed_by_path(f->db, f->arena, &p, "guide/pets-2")).p;
	assert_non_null(strstr(text, "### Callback done"));
	assert_non_null(strstr(text, "`put {$url}`"));
	assert_non_null(strstr(text, "### 200 Seen"));
	assert_null(strstr(text, "Lost"));
	assert_true(computed_document(f->db, f->arena, computed_by_path(f->db, f->arena, &p, "guide/pets-2")).n > 0);
	json_arena(NULL);
}

/* The author's examples, and parameters whose values have a media type; none that follows from the schema. */
static void
markdown_has_all_parts(void **state)
{
	static const char operation[] = "{\"method\":\"get\",\"path\":\"/p\",\"servers\":[],\"parameters\":["
	    "{\"name\":\"filter\",\"in\":\"query\",\"content\":{\"application/json\":{\"schema\":{\"maximum\":41},\"example\":{\"is\":\"given\"}}}},"
	    "{\"name\":\"n\",\"in\":\"query\",\"schema\":{\"type\":\"string\"},\"example\":\"madeup\",\"exampleMade\":true},"
	    "{\"name\":\"o\",\"in\":\"query\",\"schema\":{\"type\":\"string\"},\"examples\":{\"a\":{\"summary\":\"Named one\",\"value\":\"oval\"}}}],"
	    "\"requestBody\":{\"required\":true,\"content\":{\"text/plain\":{\"example\":\"authored\"},"
	    "\"text/csv\":{\"example\":\"secondmade\",\"exampleMade\":true}}},"
	    "\"responses\":{\"200\":{\"description\":\"Seen\"}},\"security\":[{\"door\":[]}],\"securitySchemes\":{\"door\":{\"type\":\"oauth2\","
	    "\"oauth2MetadataUrl\":\"https://meta.example\"}},\"callbacks\":{\"done\":{\"{$url}\":{\"post\":{\"summary\":\"Told later\","
	    "\"responses\":{\"200\":{\"description\":\"Heard\"}}}}}}}";
	static const char *const has[] = { "Parameter `filter`:\n\n`application/json`\n\n```json\n{\n  \"maximum\": 41\n}", "\"is\": \"given\"",
		"Parameter `o`:\n\nExample Named one:\n\n```\noval\n```", "### Body (required)", "Example:\n\n```\nauthored\n```",
		"oauth2MetadataUrl `https://meta.example`", "Told later" };
	struct fixture *f = *state;
	struct point p = written(f);
	const char *text;

	db_script(f->db, f->arena, arena_printf(f->arena, "INSERT INTO openapi_operation VALUES ('v', 0, 'a', 'operation', 'get', '/p', 'A', '', "
	    "'[]', '%s'); INSERT INTO openapi_page_operation VALUES ('v', 1, 0)", operation), &(const char *){ NULL });
	json_arena(f->arena);
	text = computed_readable(f->db, f->arena, computed_by_path(f->db, f->arena, &p, "guide/pets-2")).p;
	for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++)
		if (strstr(text, has[i]) == NULL)
			fail_msg("%s is not in %s", has[i], text);
	assert_null(strstr(text, "madeup"));
	assert_null(strstr(text, "secondmade"));
	assert_null(strstr(text, "Parameter `n`"));
	json_arena(NULL);
}

/* A property of two parts of an allOf is there once, in operations and in the schemas below them. */
static void
markdown_merges_schemas(void **state)
{
	static const char extended[] = "{\"allOf\":[{\"$ref\":\"#/components/schemas/Base\"},{\"properties\":{\"age\":{\"minimum\":31}}}]}";
	struct fixture *f = *state;
	struct point p = written(f);
	const char *text;

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena, "INSERT INTO openapi_schema (version, name, no, words, uses, data) VALUES "
	    "('v', 'Base', 0, '', '[]', '{\"properties\":{\"age\":{\"type\":\"integer\"}}}'), ('v', 'Dog', 1, '', '[\"Base\"]', '%s');"
	    "INSERT INTO openapi_operation VALUES ('v', 0, 'a', 'operation', 'get', '/p', 'A', '', '[\"Dog\",\"Base\"]', "
	    "'{\"requestBody\":{\"content\":{\"application/json\":{\"schema\":%s}}}}');"
	    "INSERT INTO openapi_page_operation VALUES ('v', 1, 0)", extended, extended), &(const char *){ NULL }));
	json_arena(f->arena);
	text = computed_readable(f->db, f->arena, computed_by_path(f->db, f->arena, &p, "guide/pets-2")).p;
	json_arena(NULL);
	assert_null(strstr(text, "allOf"));
	text = strstr(text, "### Body");
	assert_non_null(text);
	text = strstr(text, "\"minimum\": 31,\n      \"type\": \"integer\"");
	assert_non_null(text);
	assert_non_null(strstr(strstr(text, "### Dog"), "\"minimum\": 31,\n      \"type\": \"integer\""));
}

/* Search finds models by their words: all of them on their page, each on its own. */
static void
models_have_words(void **state)
{
	struct fixture *f = *state;
	struct point p = written(f);
	struct computed_page *c;
	struct str text;

	assert_true(db_script(f->db, f->arena, "INSERT INTO openapi_schema (version, name, no, words, uses, data) VALUES "
	    "('v', 'Cat', 0, 'lives *left*', '[]', '{}'), ('v', 'Dog', 1, 'bones', '[]', '{}')", &(const char *){ NULL }));
	c = computed_by_path(f->db, f->arena, &p, "guide/models");
	text = computed_text(f->db, f->arena, c);
	assert_non_null(memmem(text.p, text.n, "Cat\n\nlives \\*left\\*", 19));
	assert_non_null(memmem(text.p, text.n, "bones", 5));
	*c = (struct computed_page){ .page = c->page, .spec = c->spec, .version = c->version, .kind = "model", .name = "Dog" };
	text = computed_text(f->db, f->arena, c);
	assert_non_null(memmem(text.p, text.n, "bones", 5));
	assert_null(memmem(text.p, text.n, "lives", 5));
	c->kind = "models";
	c->split = true;
	assert_null(memmem(computed_text(f->db, f->arena, c).p, computed_text(f->db, f->arena, c).n, "bones", 5));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, db_teardown)
	const struct CMUnitTest tests[] = {
		TEST(pages_take_the_place_of_the_computed_page), TEST(two_computed_pages_have_different_pages),
		TEST(operations_of_large_tags_have_pages), TEST(the_author_chooses_pages_of_operations),
		TEST(a_tag_may_be_called_models), TEST(a_page_has_the_fields_of_its_part),
		TEST(every_look_up_finds_the_same_page), TEST(links_name_pages_by_path_and_id),
		TEST(a_renamed_sibling_invalidates_the_target), TEST(redirects_lead_to_computed_pages),
		TEST(ids_have_a_fixed_form), TEST(a_request_shows_the_pages_of_its_base),
		TEST(a_page_without_content_is_left_out), TEST(a_revision_shows_the_version_of_its_time),
		TEST(old_revisions_show_deleted_descriptions), TEST(descriptions_of_others_are_not_used),
		TEST(a_deleted_computed_page_has_no_pages), TEST(a_page_without_a_parent_has_no_pages),
		TEST(lists_where_maps_belong_are_left_out), TEST(markdown_has_all_parts), TEST(markdown_merges_schemas), TEST(models_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
