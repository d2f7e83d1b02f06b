/*
 * The plan of an import: each page, file, include and setting of the repository becomes an item, and
 * gets the id of the node that it was at the last import. Contract: import_plan.h.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <strings.h>

#include "base/mapped.h"
#include "base/sort.h"
#include "import_plan.h"
#include "links/links.h"
#include "store/include.h"
#include "base/secret.h"

/* A ceiling, not an allocation: for the tree of one page, and for the texts of a batch. */
#define SCRATCH ((size_t)4 << 30)

/*
 * An upper bound: items and wanted are allocated once, so that pointers into them stay valid. One
 * more for the item of add_root().
 */
static size_t
count_items(const struct layout *l)
{
	const struct layout_asset *a;
	const struct layout_include *i;
	const struct layout_setting *s;
	size_t n = l->page_count + 1;

	for (a = l->assets; a != NULL; a = a->next, mapped_trim())
		n++;
	for (i = l->includes; i != NULL; i = i->next, mapped_trim())
		n++;
	for (s = l->settings; s != NULL; s = s->next)
		n++;
	return n;
}

/*
 * Adds an item; both arrays must have room (count_items()). origin -1: it is
 * based on no version of main.
 */
static struct item *
add_item(struct plan *p, enum node_kind kind, const struct layout_entry *file)
{
	struct item *i = &p->items[p->count];
	struct node *n;

	i->file = file;
	i->used = true;
	i->wanted = &p->wanted[p->count++];
	n = &i->wanted->node;
	*n = (struct node){ .kind = kind, .origin = -1, .parent = "", .ord = "", .slug = "",
		.title = "", .props = "{}", .at = p->now, .made = p->now };
	if (file != NULL) {
		n->git_path = file->path.p;
		n->git_oid = file->oid;
	}
	return i;
}

static enum node_kind
page_kind(enum layout_kind k)
{
	switch (k) {
	case LAYOUT_GROUP:    return NODE_GROUP;
	case LAYOUT_LINK:     return NODE_LINK;
	case LAYOUT_COMPUTED: return NODE_COMPUTED;
	default:              return NODE_DOCUMENT;
	}
}

static void
add_page(struct plan *p, struct layout_page *page)
{
	/* Among pages, only documents are identified by a file; see match_items(). */
	struct item *i = add_item(p, page_kind(page->kind),
	    page->kind == LAYOUT_DOCUMENT ? page->file : NULL);

	page->own = i;
	i->page = page;
	i->body_line = page->body_line;
	i->wanted->node.title = page->title;
	i->wanted->node.slug = page->slug;
	i->wanted->node.front = page->front;
	if (page->kind == LAYOUT_DOCUMENT && page->known.p != NULL)
		i->wanted->node.body = page->known;
	if (page->parent == NULL)
		return;
	/* The layout lists a page after its parent, so the parent's item exists. */
	i->parent = page->parent->own;
	if (i->parent->last != NULL)
		i->parent->last->next = i;
	else
		i->parent->first = i;
	i->parent->last = i;
}

static void
add_setting(struct plan *p, const struct layout_setting *s)
{
	struct item *i = add_item(p, NODE_SETTING, s->file);

	/* Settings have fixed ids; match_settings() pairs them by these. */
	i->wanted->node.id = s->id;
	if (s->file != NULL)
		i->wanted->body = s->bytes.p != NULL ? s->bytes : STR("");
	if (s->json != NULL)
		i->wanted->node.props = arena_printf(p->arena, "{\"value\":%s}", s->json);
}

/* Stores the folder of the content as a setting: exports write to the same folder, and links are resolved from it. */
static void
add_root(struct plan *p)
{
	struct item *i = add_item(p, NODE_SETTING, NULL);
	struct json j;
	struct buf b;

	buf_init(&b, p->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "root", p->layout->root);
	json_end(&j);
	i->wanted->node.id = SETTING_LAYOUT;
	i->wanted->node.props = b.p;
}

void
plan_items(struct plan *p)
{
	const struct layout *l = p->layout;
	const struct layout_setting *s;
	struct layout_include *inc;
	struct layout_page *page;
	struct layout_asset *a;
	size_t n = count_items(l);

	p->scratch = arena_within(p->arena, SCRATCH);
	p->batch = arena_within(p->arena, SCRATCH);
	p->items = arena_array(p->arena, n, sizeof(*p->items));
	p->wanted = arena_array(p->arena, n, sizeof(*p->wanted));
	for (page = l->pages; page != NULL; page = page->next, mapped_trim())
		add_page(p, page);
	for (a = l->assets; a != NULL; a = a->next, mapped_trim()) {
		struct item *i = add_item(p, NODE_FILE, a->file);
		a->own = i;
		i->wanted->node.title = a->name;
		/*
		 * Other assets are imported only if a link resolves to them (find_in_layout()): a
		 * repository may hold many files that are no documentation.
		 */
		i->used = a->listed;
		i->outside = a->outside;
	}
	for (inc = l->includes; inc != NULL; inc = inc->next, mapped_trim()) {
		struct item *i = add_item(p, NODE_REUSABLE, inc->file);
		inc->own = i;
		i->include = inc;
		i->used = inc->listed;
		include_take(i);
	}
	for (s = l->settings; s != NULL; s = s->next)
		add_setting(p, s);
	add_root(p);
}

/* ---- ids ---- */

/* Old nodes with the same key, in their order; each is taken once. */
struct candidate {
	struct candidate  *next;
	const struct node *node;
	bool               taken;
};

struct candidates {
	struct candidate *first;
};

/* p, f or r: pages, files and reusable content have separate path keys. */
static char
path_class(enum node_kind k)
{
	return k == NODE_FILE ? 'f' : k == NODE_REUSABLE ? 'r' : 'p';
}

/* A key made of a tag, the class of the kind, and a name. */
static struct str
make_name_key(struct arena *a, char tag, enum node_kind kind, const char *name)
{
	return str_of(arena_printf(a, "%c%c%s", tag, path_class(kind), name));
}

/* The key of a node without a file: kind and title. */
static struct str
key_by_title(struct arena *a, const struct node *n)
{
	return str_of(arena_printf(a, "t%s\n%s", node_kind_name(n->kind), n->title));
}

/* Call it from the last candidate to the first: it adds at the front. */
static void
index_old(struct arena *a, struct map *m, struct str name, struct candidate *c)
{
	void **at = map_at(m, name);
	struct candidates *list = *at;

	if (list == NULL)
		*at = list = arena_alloc(a, sizeof(*list));
	c->next = list->first;
	list->first = c;
}

/* Takes the first candidate that is left. Keeping the id keeps backlinks, comments and the page's creation time. */
static void
take_old(struct item *i, struct candidates *list)
{
	struct candidate *c = list == NULL ? NULL : list->first;

	if (c == NULL)
		return;
	list->first = c->next;
	c->taken = true;
	i->old = c->node;
	i->wanted->node.id = c->node->id;
	i->wanted->node.made = c->node->made;
}

/* One pass over the items that have no id yet. tag: see passes[] in plan_ids(). */
static void
match_items(struct plan *p, struct map *m, char tag)
{
	size_t k;

	for (k = 0; k < p->count; k++, mapped_trim()) {
		struct item *i = &p->items[k];
		struct node *n = &i->wanted->node;
		struct str name;
		/* The passes by path and by content pair nodes with files; the pass by title pairs the rest. */
		if (n->kind == NODE_SETTING || n->id != NULL || (tag == 't') != (i->file == NULL))
			continue;
		name = tag == 't' ? key_by_title(p->scratch, n) : make_name_key(p->scratch, tag, n->kind,
		    tag == 'g' ? n->git_path : n->git_oid);
		take_old(i, map_get(m, name));
		arena_reset(p->scratch);
	}
}

static void
index_pass(struct arena *a, struct map *m, struct candidate *all, size_t n, char tag)
{
	size_t k;

	for (k = n; k-- > 0;) {
		struct candidate *c = &all[k];
		const struct node *o = c->node;
		/*
		 * The nodes are indexed again for each pass, because what an earlier pass took must
		 * not be found again.
		 */
		if (c->taken || o->kind == NODE_SETTING || (tag == 't') != (o->git_path == NULL))
			continue;
		if (tag != 't' && (tag == 'g' ? o->git_path : o->git_oid) == NULL)
			continue;
		index_old(a, m, tag == 't' ? key_by_title(a, o) : make_name_key(a, tag, o->kind,
		    tag == 'g' ? o->git_path : o->git_oid), c);
	}
}

static void
match_settings(struct plan *p, struct node *old, size_t old_n)
{
	size_t k, o;

	for (k = 0; k < p->count; k++, mapped_trim()) {
		struct item *i = &p->items[k];
		if (i->wanted->node.kind != NODE_SETTING)
			continue;
		for (o = 0; o < old_n; o++)
			if (old[o].kind == NODE_SETTING && strcmp(old[o].id, i->wanted->node.id) == 0) {
				i->old = &old[o];
				i->wanted->node.made = old[o].made;
			}
	}
}

static int
by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/*
 * Gives new items random ids, in ascending order: the merge and the database go through the nodes in the
 * order of their ids, and so read the plan, which is on disk, from its beginning to its end.
 */
static void
new_ids(struct plan *p)
{
	struct arena *own = arena_on_disk(p->arena, (size_t)1 << 30, NULL);
	const char **ids = arena_array(own, p->count, sizeof(*ids));
	size_t n = 0, k;

	for (k = 0; k < p->count; k++, mapped_trim())
		if (p->items[k].wanted->node.id == NULL)
			ids[n++] = secret_id(own);
	sort_list(ids, n, sizeof(*ids), by_text);
	for (n = k = 0; k < p->count; k++, mapped_trim())
		if (p->items[k].wanted->node.id == NULL)
			p->items[k].wanted->node.id = arena_strdup(p->arena, ids[n++]);
	arena_reset(own);
}

void
plan_ids(struct plan *p, struct node *old, size_t old_n)
{
	static const char passes[] = { 'g', 'o', 't' };   /* git path, object id, title */
	struct arena *own = arena_on_disk(p->arena, (size_t)4 << 30, NULL);
	struct candidate *all = arena_array(own, old_n, sizeof(*all));
	size_t k;

	for (k = 0; k < old_n; k++)
		all[k].node = &old[k];
	/*
	 * The most reliable key first: a file at its old path stays the same page even if its old
	 * content moved to another file.
	 */
	for (k = 0; k < sizeof(passes); k++) {
		struct map *m = map_new(own);
		index_pass(own, m, all, old_n, passes[k]);
		match_items(p, m, passes[k]);
	}
	arena_reset(own);
	match_settings(p, old, old_n);
	new_ids(p);
}

/* ---- bodies ---- */

struct str
plan_body(struct plan *p, struct arena *a, const struct item *i)
{
	struct str body = STR("");

	if (i->page == NULL)
		/* import_keep() drops the body of the node; pages that include the text are indexed later. */
		return i->include != NULL && i->include->body.p != NULL ? i->include->body : i->wanted->body;
	if (!layout_page_body(p->layout, a, i->page, &body))
		p->unreadable = true;
	return body;
}

/* Stores the texts that were kept since the last call. */
static void
flush_texts(struct plan *p)
{
	p->stopped |= !p->flush(p->ctx);
	arena_reset(p->batch);
}

/* ---- links ---- */

/*
 * State shared by the callbacks of one resolver. find_in_layout() sets found; find_place() reads
 * it, and is called right after.
 */
struct resolver_state {
	struct plan *plan;
	struct item *item;
	struct item *found;    /* set by find_in_layout() */
	bool         no_anchor; /* the target has no anchor of that name */
};

static bool
find_in_layout(void *ctx, struct arena *a, const struct layout_target *t, const char **id,
    enum node_kind *kind)
{
	struct resolver_state *f = ctx;
	struct layout_found hit = layout_find(f->plan->layout, t);
	struct item *i = hit.page != NULL ? hit.page->own : hit.asset != NULL ? hit.asset->own :
	    hit.include != NULL ? hit.include->own : NULL;

	(void)a;
	/* Links to pages that a computed page expands to are resolved when they are read (store/computed.h). */
	if (i == NULL || i->wanted->node.kind == NODE_COMPUTED ||
	    (i->include != NULL && include_read(f->plan, i) != NULL))
		return false;
	/*
	 * Resolving marks assets as used: plan_fill() resolves all links of all pages, and an asset
	 * without a link is not imported.
	 */
	i->used = true;
	f->found = i;
	*id = i->wanted->node.id;
	*kind = i->wanted->node.kind;
	return true;
}

/* Records the anchors of a page. They are kept, since thousands of pages may link to it. */
static void
note_places(struct plan *p, struct item *i, struct str places)
{
	if (i->places.p == NULL)
		i->places = (struct str){ arena_strndup(p->arena, places.p, places.n), places.n };
}

/* The anchors of a page. If the plan has not reached the page yet, its body is parsed for them. */
static struct str
read_places(struct plan *p, struct item *i)
{
	if (i->places.p == NULL) {
		note_places(p, i, body_places(p->scratch, plan_body(p, p->scratch, i), NULL));
		arena_reset(p->scratch);
	}
	return i->places;
}

/* True if the fragment names the heading that became the page's title, whatever title the table of contents gives. */
static bool
names_title(struct arena *a, const struct item *i, const char *fragment)
{
	struct page_file f;

	if (doc_names_title(a, i->wanted->node.title, fragment))
		return true;
	page_file_split(a, i->wanted->node.front, &f);
	return (f.h1_id != NULL && strcasecmp(f.h1_id, fragment) == 0) ||
	    (f.h1 != NULL && doc_names_title(a, f.h1, fragment));
}

/* The anchor as the page spells it; NULL: it has none of that name. The link then still resolves to the page. */
static const char *
find_place(void *ctx, struct arena *a, const char *fragment)
{
	struct resolver_state *f = ctx;
	struct item *i = f->found;
	const char *anchor;

	if (i->wanted->node.kind != NODE_DOCUMENT)
		return NULL;
	anchor = doc_place(a, read_places(f->plan, i), fragment);
	f->no_anchor = anchor == NULL && !names_title(f->plan->batch, i, fragment);
	return anchor;
}

/* The path from the slugs of all ancestors. Recursion as deep as the page tree, which the layout bounds. */
static char *
slug_path(struct arena *a, const struct item *i)
{
	return i->parent == NULL ? arena_strdup(a, i->wanted->node.slug) :
	    arena_printf(a, "%s/%s", slug_path(a, i->parent), i->wanted->node.slug);
}

/*
 * True if the path is beside a computed page: a generated page may then have this path. Links to
 * generated pages are resolved when they are read (store/computed.h).
 */
static bool
beside_computed(struct plan *p, const char *path)
{
	const char *slash = strrchr(path, '/'), *above;
	size_t k, n = slash == NULL ? 0 : (size_t)(slash - path);

	for (k = 0; k < p->count && p->layout->computed > 0; k++) {
		if (p->items[k].wanted->node.kind != NODE_COMPUTED)
			continue;
		above = p->items[k].parent == NULL ? "" : slug_path(p->batch, p->items[k].parent);
		if (strlen(above) == n && strncasecmp(path, above, n) == 0)
			return true;
	}
	return false;
}

struct layout_found
plan_look_up(struct plan *p, struct arena *a, const struct item *i, struct str spelling, enum doc_use use,
    struct layout_target *t)
{
	const char *from = i->wanted->node.git_path;
	size_t n = strlen(p->layout->root);

	/* The layout resolves paths relative to its root. */
	if (n > 0 && strncmp(from, p->layout->root, n) == 0 && from[n] == '/')
		from += n + 1;
	*t = layout_resolve(a, from, spelling);
	t->shown = use == USE_FILE;
	t->included = use == USE_INCLUDE;
	return layout_find(p->layout, t);
}

/* Reports a link of an item without a target; a file that exists but is not imported gets a message of its own. */
static void
report_unresolved(struct plan *p, const struct item *i, size_t line, struct str spelling, enum doc_use use)
{
	struct layout_target t;
	struct layout_found hit;

	if (p->unresolved == NULL)
		return;
	hit = plan_look_up(p, p->batch, i, spelling, use, &t);
	if (t.kind == TARGET_PATH && beside_computed(p, t.path))
		return;
	if (hit.page != NULL || hit.asset != NULL || hit.include != NULL)
		/* The file is imported: the fragment or the use of the link failed. */
		hit.file = NULL;
	p->unresolved(p->ctx, i->wanted->node.git_path, line, spelling, hit.file);
}

static void
report_link(void *ctx, const struct doc_link *link)
{
	struct resolver_state *f = ctx;

	/* includes_report() reports includes that fail, with the reason. */
	if (link->use != USE_INCLUDE)
		report_unresolved(f->plan, f->item, f->item->body_line + link->line - 1, link->spelling, link->use);
}

/* Reports fragments that name no anchor, of other pages and of this one. */
static void
report_missing_anchors(struct resolver_state *f, const struct resolver *r, const struct doc_link *l)
{
	struct plan *p = f->plan;
	struct item *i = f->item;
	struct doc_ref ref;

	for (; l != NULL && p->anchor_missing != NULL; l = l->next) {
		/* "#" alone is the top of the page; footnotes are spelled "#user-content-fn...". */
		if (l->spelling.n < 2 || memchr(l->spelling.p, '#', l->spelling.n) == NULL ||
		    str_starts(l->spelling, "#user-content-fn"))
			continue;
		f->no_anchor = false;
		if (l->spelling.p[0] == '#') {
			f->found = i;
			find_place(f, p->batch, arena_strndup(p->batch, l->spelling.p + 1, l->spelling.n - 1));
		} else
			/* This call only sets f->no_anchor; the link map was made before. */
			resolve_use(r, p->batch, l->spelling, l->use, &ref);
		if (f->no_anchor)
			p->anchor_missing(p->ctx, i->wanted->node.git_path, i->body_line + l->line - 1, l->spelling);
	}
}

/* Reports expressions and dates that cannot be read. The source keeps them; readers do not see them. */
static void
report_expressions(const struct plan *p, const struct item *i, const struct parsed_body *look)
{
	const struct expression_fault *f;
	const struct bad_date *u;

	for (f = look->bad_expressions; f != NULL; f = f->next)
		p->bad_expression(p->ctx, i->wanted->node.git_path, i->body_line + f->line - 1, f);
	for (u = look->bad_dates; u != NULL && p->bad_date != NULL; u = u->next)
		p->bad_date(p->ctx, i->wanted->node.git_path, i->body_line + u->line - 1, u->message);
}

/* The link map of a body, with reports about the body. */
static struct str
link_body(struct plan *p, struct item *i, struct str body, struct parsed_body *look)
{
	struct resolver_state f = { .plan = p, .item = i };
	struct resolver r = { .root = p->layout->root, .from = i->wanted->node.git_path,
		.find = find_in_layout, .find_place = find_place, .ctx = &f };
	struct str refs;

	plan_look(p, i, body, look);
	if (i->wanted->node.kind == NODE_DOCUMENT)
		note_places(p, i, look->read.facts.anchors);
	if (p->over_limit != NULL && look->fault != NULL)
		p->over_limit(p->ctx, i->wanted->node.git_path, i->body_line, look->fault);
	report_expressions(p, i, look);
	refs = link_map_of_links(p->batch, look->links, &r, report_link, &f);
	includes_report(p, i, look->links);
	/*
	 * Anchors are not reported for reusable content, because it is shown inside pages, whose
	 * anchors its fragments may name.
	 */
	if (i->wanted->node.kind == NODE_DOCUMENT)
		report_missing_anchors(&f, &r, look->links);
	return refs;
}

/*
 * Reads a page or reusable content, makes its link map, and keeps both; call it once all ids are set.
 * Other kinds have no body with links.
 */
static void
make_refs(struct plan *p, struct item *i)
{
	struct str body, refs = { NULL, 0 };
	struct parsed_body look = { .links = NULL };

	i->linked = true;
	if (i->kept || (i->wanted->node.kind != NODE_DOCUMENT && i->wanted->node.kind != NODE_REUSABLE))
		return;
	body = plan_body(p, p->batch, i);
	if (body.n > 0)
		refs = link_body(p, i, body, &look);
	i->inserts = include_any(refs);
	p->keep(p->ctx, i, body, refs, body.n > 0 && i->wanted->node.kind == NODE_DOCUMENT ? &look.read : NULL);
	if (arena_used(p->batch) > PLAN_BATCH)
		flush_texts(p);
}

/* ---- properties ---- */

/* Targets in the table of contents are relative to the folder of its own file. */
const char *
plan_summary(const struct plan *p)
{
	const struct layout_setting *s;

	for (s = p->layout->settings; s != NULL; s = s->next)
		if (strcmp(s->id, "SUMMARY.md") == 0 && s->file != NULL)
			return arena_strndup(p->arena, s->file->path.p, s->file->path.n);
	return NULL;
}

/* Replaces the spelling with the JSON of a ContentRef (docs/design/documents.md, "References"). */
static void
set_ref(cJSON *object, const char *name, struct arena *a, const struct doc_ref *ref)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, 64 << 10);
	json_init(&j, &b);
	ref_json(&j, ref);
	cJSON_ReplaceItemInObjectCaseSensitive(object, name, cJSON_Parse(b.p));
}

/* Replaces the target of a link page with a ContentRef; a link that does not resolve stays as an address. */
static void
set_target(struct plan *p, struct item *i, cJSON *props, const char *summary)
{
	struct resolver_state f = { .plan = p, .item = i };
	struct resolver r = { .root = p->layout->root, .from = summary, .find = find_in_layout, .ctx = &f };
	cJSON *v = cJSON_GetObjectItemCaseSensitive(props, "target");
	struct doc_ref ref;

	if (!cJSON_IsString(v))
		return;
	/* The renderer needs some target; the spelling is what an export writes back. */
	if (!resolve_use(&r, p->batch, str_of(v->valuestring), USE_LINK, &ref))
		ref = (struct doc_ref){ .kind = REF_URL, .url = v->valuestring };
	set_ref(props, "target", p->batch, &ref);
}

/* The line in the page's file on which a text of its frontmatter begins. */
static size_t
front_line(const struct item *i, const char *text)
{
	struct str front = i->wanted->node.front;
	const char *at = memmem(front.p, front.n, text, strlen(text)), *s;
	size_t line = 1;

	for (s = front.p; at != NULL && s < at; s++)
		line += *s == '\n';
	return line;
}

/* Resolves the image of a cover to a file or an address. Anything else is reported and removed. */
static void
set_image(struct plan *p, struct item *i, cJSON *cover, const char *name)
{
	struct resolver_state f = { .plan = p, .item = i };
	struct resolver r = { .root = p->layout->root, .from = i->wanted->node.git_path,
		.find = find_in_layout, .ctx = &f };
	cJSON *v = cJSON_GetObjectItemCaseSensitive(cover, name);
	struct doc_ref ref;

	if (!cJSON_IsString(v))
		return;
	/* A cover that names a page is an author's mistake. */
	if (resolve_use(&r, p->batch, str_of(v->valuestring), USE_FILE, &ref) &&
	    (ref.kind == REF_FILE || ref.kind == REF_URL)) {
		set_ref(cover, name, p->batch, &ref);
		return;
	}
	/* The string is copied, because it belongs to the tree from which the next line deletes it. */
	report_unresolved(p, i, front_line(i, v->valuestring), str_of(arena_strdup(p->batch, v->valuestring)), USE_FILE);
	cJSON_DeleteItemFromObjectCaseSensitive(cover, name);
}

static void
set_cover(struct plan *p, struct item *i, cJSON *props)
{
	cJSON *cover = cJSON_GetObjectItemCaseSensitive(props, "cover");

	set_image(p, i, cover, "ref");
	set_image(p, i, cover, "refDark");
	if (cover != NULL && cJSON_GetObjectItemCaseSensitive(cover, "ref") == NULL &&
	    cJSON_GetObjectItemCaseSensitive(cover, "refDark") == NULL)
		cJSON_DeleteItemFromObjectCaseSensitive(props, "cover");
}

static void
page_props(struct plan *p, struct item *i, const char *summary)
{
	const struct layout_page *page = i->page;
	/* The tree is many times larger than the text. */
	struct arena *outer = json_arena(p->batch);
	cJSON *props = cJSON_Parse(page->props != NULL ? page->props : "{}"), *wrapped;

	if (props == NULL)
		props = cJSON_CreateObject();
	/*
	 * The layout provides the members of the block alone; the node's properties hold it as one
	 * member beside others.
	 */
	if (page->kind == LAYOUT_COMPUTED) {
		wrapped = cJSON_CreateObject();
		cJSON_AddItemToObject(wrapped, "computed", props);
		props = wrapped;
	}
	if (page->link_title != NULL)
		cJSON_AddStringToObject(props, "linkTitle", page->link_title);
	/* The lines as spelled in SUMMARY.md: an export writes them back while nothing changed. */
	if (page->source.n > 0)
		cJSON_AddStringToObject(props, "summary",
		    arena_strndup(p->batch, page->source.p, page->source.n));
	if (page->kind == LAYOUT_LINK)
		set_target(p, i, props, summary);
	set_cover(p, i, props);
	i->wanted->node.props = arena_strdup(p->arena, cJSON_PrintUnformatted(props));
	json_arena(outer);
}

/* Sets the parent; and the path, if it is not the parent's path followed by the slug. */
static void
place_item(struct plan *p, struct item *i)
{
	const char *above = i->parent == NULL ? "" : i->parent->page->path, *usual;
	struct node *n = &i->wanted->node;

	n->parent = i->parent == NULL ? "" : i->parent->wanted->node.id;
	/* Link pages have no path of their own. */
	if (n->kind == NODE_LINK || i->page->path == NULL)
		return;
	usual = above == NULL || *above == '\0' ? n->slug :
	    arena_printf(p->arena, "%s/%s", above, n->slug);
	n->path = strcmp(usual, i->page->path) == 0 ? NULL : i->page->path;
}

/*
 * Makes the missing link maps of included texts. plan_fill() visits each item once; a text that is
 * first included by a later item was not in use then, and it may include others in turn.
 */
static void
link_included(struct plan *p)
{
	bool more = true;
	size_t k;

	while (more)
		for (more = false, k = 0; k < p->count; k++, mapped_trim())
			if (p->items[k].include != NULL && p->items[k].used && !p->items[k].linked) {
				make_refs(p, &p->items[k]);
				more = true;
			}
}

void
plan_fill(struct plan *p)
{
	const char *summary = plan_summary(p);
	size_t k;

	/* The top level is ordered here since it has no item; each other level when its parent comes up. */
	plan_order(p, NULL);
	for (k = 0; k < p->count && !p->stopped; k++, mapped_trim()) {
		struct item *i = &p->items[k];
		if (i->page != NULL) {
			place_item(p, i);
			page_props(p, i, summary);
			if (i->first != NULL)
				plan_order(p, i);
		}
		if (i->used)
			make_refs(p, i);
	}
	link_included(p);
	flush_texts(p);
	includes_report_nested(p);
}
