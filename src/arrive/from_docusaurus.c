/*
 * Reader for Docusaurus: the documentation ("docs") of a project. sidebars.js and
 * docusaurus.config.js are read as data (js.h). A page's id is its path without the numbers at the
 * beginning of its parts, or the id in its front matter. Its address is its id below routeBasePath,
 * or its slug. Several sidebars become groups. Versions, the blog and translations are listed in
 * the report; each can be imported by itself.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "js.h"
#include "readers.h"

struct doc {
	struct arrival_file *file;
	const char *id, *address, *slug, *label, *title;   /* address below routeBasePath */
	double      position;                      /* sidebar_position; 1e9: none */
	bool        index;                         /* it is the page of its folder */
	bool        draft, unlisted;
};

struct docusaurus {
	struct arrival *t;
	const char     *base;          /* folder of the settings */
	const char     *route;         /* routeBasePath, "" or "docs" */
	const char     *site;          /* baseUrl, "/" or "/manual/", without its slashes */
	const char     *table;
	struct doc     *docs;
	size_t          count, room;
	struct map     *by_id;
};

static const char *const config_names[] = { "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs",
	"docusaurus.config.cjs" };

/* Finds the settings, at the top or in a folder at the top. */
static struct arrival_file *
settings_file(const struct arrival *t)
{
	size_t i, k;

	for (i = 0; i < t->file_count; i++)
		for (k = 0; k < 4; k++)
			if (str_is(path_name(t->files[i].path), config_names[k]) && memchr(path_folder(t->files[i].path).p, '/',
			    path_folder(t->files[i].path).n) == NULL)
				return &t->files[i];
	return NULL;
}

static bool
is_docusaurus(struct arrival *t)
{
	return settings_file(t) != NULL;
}

/*
 * Length of a number at the beginning of a name, such as "01-" or "2. ", unless it is a date or
 * version; 0: none.
 */
static size_t
number_prefix(struct str s, double *position)
{
	size_t n = 0, i;

	while (n < s.n && isdigit((unsigned char)s.p[n]))
		n++;
	for (i = n; i < s.n && (s.p[i] == '-' || s.p[i] == '_' || s.p[i] == '.' || s.p[i] == ' '); i++)
		;
	if (n == 0 || n > 6 || i == n || i == s.n || isdigit((unsigned char)s.p[i]))
		return 0;
	if (position != NULL)
		*position = strtod(s.p, NULL);
	return i;
}

/* The path without the numbers at the beginning of its parts. */
static char *
path_without_numbers(struct arena *a, struct str path)
{
	char *out = arena_bytes(a, path.n + 1);
	size_t n = 0;

	while (path.n > 0) {
		struct str part = path_part(&path);
		size_t skip = number_prefix(part, NULL);

		if (n > 0)
			out[n++] = '/';
		memcpy(out + n, part.p + skip, part.n - skip);
		n += part.n - skip;
	}
	out[n] = '\0';
	return out;
}

static bool
is_partial(struct str rel)
{
	return rel.p[0] == '_' || memmem(rel.p, rel.n, "/_", 2) != NULL;
}

/* ---- pages ---- */

static const char *
doc_address(struct docusaurus *d, const struct doc *x, const char *id_path)
{
	struct arena *a = d->t->arena;
	struct str folder = path_folder(str_of(id_path));
	const char *full = x->slug == NULL ? NULL : path_join(a, x->slug[0] == '/' ? STR("") : folder, str_of(x->slug));

	if (full != NULL)
		return full;
	if (x->slug != NULL)
		arrival_warn(d->t, x->file->path, 0, "the slug \"%.200s\" leads out of the site; the address is that of the file", x->slug);
	return x->index ? arena_strndup(a, folder.p, folder.n) : id_path;
}

static void
take_front(struct docusaurus *d, struct doc *x, const char **id)
{
	struct arena *a = d->t->arena;
	struct front f;
	struct str bytes;
	const char *s;

	if (!source_read(d->t, d->t->scratch, x->file, &bytes))
		return;
	front_read(d->t->scratch, bytes, &f);
	if ((s = yaml_text(yaml_get(f.root, "id"))) != NULL)
		*id = arena_strdup(a, s);
	if ((s = yaml_text(yaml_get(f.root, "slug"))) != NULL)
		x->slug = arena_strdup(a, s);
	if ((s = yaml_text(yaml_get(f.root, "sidebar_label"))) != NULL)
		x->label = arena_strdup(a, s);
	if ((s = yaml_text(yaml_get(f.root, "title"))) != NULL)
		x->title = arena_strdup(a, s);
	yaml_number(yaml_get(f.root, "sidebar_position"), &x->position);
	yaml_bool(yaml_get(f.root, "unlisted"), &x->unlisted);
}

static void
add_doc(struct docusaurus *d, struct arrival_file *f)
{
	struct arena *a = d->t->arena;
	struct doc x = { .file = f, .position = 1e9 };
	struct str rel = path_relative(f->path, d->t->root);
	struct str stem = path_stem(rel), name = path_name(stem), folder = path_folder(stem), parent;
	const char *last = NULL, *path = path_without_numbers(a, stem);

	if (is_partial(rel)) {
		f->part = true;
		return;
	}
	number_prefix(name, &x.position);
	take_front(d, &x, &last);
	parent = path_name(folder);
	parent = str_slice(parent, number_prefix(parent, NULL), parent.n);
	name = path_name(str_of(path));
	x.index = str_is(name, "index") || str_is(name, "README") || str_is(name, "readme") || (parent.n > 0 && str_eq(parent, name));
	if (last != NULL) {
		struct str at = path_folder(str_of(path));
		path = at.n == 0 ? last : arena_printf(a, "%.*s/%s", (int)at.n, at.p, last);
	}
	x.id = path;
	x.address = doc_address(d, &x, path);
	d->docs = arena_grow(a, d->docs, d->count, &d->room, sizeof(*d->docs));
	d->docs[d->count++] = x;
}

static void
list_docs(struct docusaurus *d)
{
	struct arrival *t = d->t;
	struct arrival_file *f;
	size_t i;

	for (f = source_below(t, t->root); f < t->files + t->file_count && path_is_below(f->path, t->root); f++, arena_reset(t->scratch))
		if (path_is_markdown(f->path))
			add_doc(d, f);
	d->by_id = map_new(t->arena);
	for (i = 0; i < d->count; i++)
		map_add(d->by_id, str_of(d->docs[i].id), &d->docs[i]);
}

static struct arrival_page *
add_page(struct docusaurus *d, struct arrival_page *parent, struct doc *x, const char *label, size_t line)
{
	struct arrival_page *p = arrival_add_file(d->t, parent, x->file, label != NULL ? label : x->label, d->table, line);

	struct str name;

	if (p == NULL)
		return NULL;
	p->path = x->address;
	name = path_name(str_of(x->id));
	p->fallback = title_from_name(d->t->arena, name);
	p->hidden = x->unlisted;
	p->own = x;
	return p;
}

/* ---- sidebars ---- */

static void add_items(struct docusaurus *d, struct arrival_page *parent, const struct yaml *list);
static void add_generated(struct docusaurus *d, struct arrival_page *parent, const char *folder);

static struct doc *
find_doc(struct docusaurus *d, const char *id, size_t line)
{
	struct doc *x = id == NULL ? NULL : map_get(d->by_id, str_of(id));

	if (x == NULL)
		arrival_warn(d->t, str_of(d->table), line, "there is no page with the id \"%s\"; left out", id != NULL ? id : "");
	return x;
}

static const char *
copy_text(struct docusaurus *d, const char *s)
{
	return s == NULL ? NULL : arena_strdup(d->t->arena, s);
}

/* A generated index page: it lists the items below it, and has an address and a description. */
static void
generated_index(struct docusaurus *d, struct arrival_page *p, const struct yaml *link)
{
	const char *slug = yaml_text(yaml_get(link, "slug")), *title = copy_text(d, yaml_text(yaml_get(link, "title"))), *full;

	p->kind = ARRIVAL_PAGE;
	if (title != NULL) {
		p->label = p->title;
		p->title = title;
	}
	p->description = copy_text(d, yaml_text(yaml_get(link, "description")));
	if (slug == NULL)
		return;
	p->path = path_join(d->t->arena, STR(""), str_of(slug));
	if (p->path == NULL) {
		arrival_warn(d->t, str_of(d->table), link->line, "the slug \"%.200s\" leads out of the site; left out", slug);
		return;
	}
	full = *d->route == '\0' ? p->path : arena_printf(d->t->arena, "%s/%s", d->route, p->path);
	arrival_moved(d->t, p, full);
	arrival_name(d->t, p, full);
}

/* Adds the page or group of a category. */
static struct arrival_page *
add_category(struct docusaurus *d, struct arrival_page *parent, const struct yaml *y, const char *label)
{
	const struct yaml *link = yaml_get(y, "link");
	const char *type = yaml_text(yaml_get(link, "type"));
	struct arrival_page *p = NULL;
	struct doc *x;

	if (type != NULL && strcmp(type, "doc") == 0 && (x = find_doc(d, yaml_text(yaml_get(link, "id")), y->line)) != NULL)
		p = add_page(d, parent, x, label, y->line);
	if (p != NULL)
		return p;
	p = arrival_add(d->t, parent, ARRIVAL_GROUP, label != NULL ? label : "Pages");
	if (type != NULL && strcmp(type, "generated-index") == 0)
		generated_index(d, p, link);
	return p;
}

static void
add_item(struct docusaurus *d, struct arrival_page *parent, const struct yaml *y)
{
	const char *type = yaml_text(yaml_get(y, "type")), *label = copy_text(d, yaml_text(yaml_get(y, "label")));
	struct arrival_page *p;
	struct doc *x;

	if (type == NULL && yaml_get(y, "type") == NULL) {
		/* The short form of a category: { Label: [items] }. */
		const struct yaml *m;
		for (m = y->first; m != NULL; m = m->next)
			add_items(d, arrival_add(d->t, parent, ARRIVAL_GROUP, arena_strndup(d->t->arena, m->key.p, m->key.n)), m);
	} else if (type != NULL && (strcmp(type, "doc") == 0 || strcmp(type, "ref") == 0)) {
		if ((x = find_doc(d, yaml_text(yaml_get(y, "id")), y->line)) != NULL)
			add_page(d, parent, x, label, y->line);
	} else if (type != NULL && strcmp(type, "category") == 0) {
		add_items(d, add_category(d, parent, y, label), yaml_get(y, "items"));
	} else if (type != NULL && strcmp(type, "autogenerated") == 0) {
		const char *name = yaml_text(yaml_get(y, "dirName")), *folder;
		folder = path_join(d->t->arena, str_of(d->t->root), str_of(name != NULL ? name : "."));
		if (folder != NULL && path_is_in(folder, d->t->root))
			add_generated(d, parent, folder);
		else
			arrival_warn(d->t, str_of(d->table), y->line, "the folder \"%.200s\" is outside of the documentation; left out", name);
	} else if (type != NULL && strcmp(type, "link") == 0) {
		p = arrival_add(d->t, parent, ARRIVAL_LINK, label);
		p->target = copy_text(d, yaml_text(yaml_get(y, "href")));
	} else {
		arrival_warn(d->t, str_of(d->table), y->line, "an item of the type \"%s\" has no equal here; left out", type != NULL ? type : "");
	}
}

static void
add_items(struct docusaurus *d, struct arrival_page *parent, const struct yaml *list)
{
	const struct yaml *y;
	struct doc *x;

	if (list != NULL && list->kind == YAML_MAP) {
		/* Adds a sidebar in the short form, or one that is only { type: 'autogenerated' }. */
		add_item(d, parent, list);
		return;
	}
	for (y = list == NULL || list->kind != YAML_LIST ? NULL : list->first; y != NULL; y = y->next) {
		if (y->kind == YAML_SCALAR) {
			if ((x = find_doc(d, yaml_text(y), y->line)) != NULL)
				add_page(d, parent, x, NULL, y->line);
		} else if (y->kind == YAML_MAP) {
			add_item(d, parent, y);
		}
	}
}

/* ---- generated sidebars ---- */

/* An entry of a generated sidebar: a page, or a folder with its settings. */
struct generated {
	struct doc  *doc;
	const char  *folder;
	struct yaml *settings;
	double       position;
	const char  *name;
};

static int
generated_order(const void *a, const void *b)
{
	const struct generated *x = a, *y = b;

	return x->position != y->position ? (x->position > y->position) - (x->position < y->position) : strcmp(x->name, y->name);
}

/* The file _category_.json or .yml of a folder; NULL: none. */
static struct yaml *
category_settings(struct docusaurus *d, const char *folder)
{
	static const char *const names[] = { "_category_.json", "_category_.yml", "_category_.yaml" };
	struct arrival_file *f = NULL;
	struct yaml *root = NULL;
	struct str bytes;
	const char *error;
	size_t i, line, repeated;

	for (i = 0; i < 3 && f == NULL; i++)
		f = source_find(d->t, "%s/%s", folder, names[i]);
	if (f == NULL || !source_read(d->t, d->t->arena, f, &bytes))
		return NULL;
	f->part = true;
	if (!yaml_parse(d->t->arena, bytes, &yaml_limits_settings, &root, &repeated, &error, &line))
		arrival_warn(d->t, f->path, line, "the file cannot be read: %s", error);
	return root;
}

static struct generated
generated_folder(struct docusaurus *d, const char *folder)
{
	struct generated g = { .folder = folder, .settings = category_settings(d, folder), .position = 1e9, .name = folder };

	number_prefix(path_name(str_of(folder)), &g.position);
	yaml_number(yaml_get(g.settings, "position"), &g.position);
	return g;
}

/* The first page below a folder: pages are in the order of the files. */
static size_t
first_below(const struct docusaurus *d, const char *folder)
{
	const struct arrival_file *f = source_below(d->t, folder);
	size_t low = 0, high = d->count, mid;

	while (low < high)
		if (d->docs[mid = low + (high - low) / 2].file < f)
			low = mid + 1;
		else
			high = mid;
	return low;
}

static size_t
list_generated(struct docusaurus *d, const char *folder, struct generated **out)
{
	struct generated *list = NULL;
	size_t n = 0, room = 0, skip = strlen(folder) + (*folder != '\0'), i;
	const char *sub = "";

	for (i = first_below(d, folder); i < d->count && path_is_below(d->docs[i].file->path, folder); i++) {
		struct str path = d->docs[i].file->path;
		const char *slash = memchr(path.p + skip, '/', path.n - skip);

		if (slash != NULL && strlen(sub) == (size_t)(slash - path.p) && memcmp(sub, path.p, strlen(sub)) == 0)
			continue;
		list = arena_grow(d->t->arena, list, n, &room, sizeof(*list));
		if (slash != NULL)
			list[n++] = generated_folder(d, sub = arena_strndup(d->t->arena, path.p, (size_t)(slash - path.p)));
		else
			list[n++] = (struct generated){ .doc = &d->docs[i], .position = d->docs[i].position, .name = path.p };
	}
	sort_list(list, n, sizeof(*list), generated_order);
	*out = list;
	return n;
}

/* The page of a folder: the one that its settings name, otherwise the page with the folder's address. */
static struct doc *
folder_doc(struct docusaurus *d, const struct generated *g)
{
	const struct yaml *link = yaml_get(g->settings, "link");
	const char *type = yaml_text(yaml_get(link, "type")), *id = yaml_text(yaml_get(link, "id"));
	size_t i;

	if (type != NULL && strcmp(type, "doc") == 0 && id != NULL) {
		struct str rel = path_relative(str_of(g->folder), d->t->root);
		struct doc *x = map_get(d->by_id, str_of(id));
		return x != NULL ? x : map_get(d->by_id, str_of(arena_printf(d->t->arena, "%s/%s", path_without_numbers(d->t->arena, rel), id)));
	}
	for (i = first_below(d, g->folder); link == NULL && i < d->count && path_is_below(d->docs[i].file->path, g->folder); i++)
		if (d->docs[i].index && str_is(path_folder(d->docs[i].file->path), g->folder))
			return &d->docs[i];
	return NULL;
}

static void
add_generated_folder(struct docusaurus *d, struct arrival_page *parent, const struct generated *g)
{
	const char *label = copy_text(d, yaml_text(yaml_get(g->settings, "label")));
	struct str name = path_name(str_of(g->folder)), rel;
	struct doc *x = folder_doc(d, g);
	struct arrival_page *p = x == NULL || x->file->page != NULL ? NULL : add_page(d, parent, x, label, 0);

	if (p == NULL) {
		name = str_slice(name, number_prefix(name, NULL), name.n);
		rel = path_relative(str_of(g->folder), d->t->root);
		p = arrival_add(d->t, parent, ARRIVAL_GROUP, label != NULL ? label : title_from_name(d->t->arena, name));
		p->path = path_without_numbers(d->t->arena, rel);
		if (yaml_get(g->settings, "link") != NULL)
			generated_index(d, p, yaml_get(g->settings, "link"));
	}
	add_generated(d, p, g->folder);
}

static void
add_generated(struct docusaurus *d, struct arrival_page *parent, const char *folder)
{
	struct generated *list;
	size_t n = list_generated(d, folder, &list), i;

	for (i = 0; i < n; i++) {
		if (list[i].doc == NULL)
			add_generated_folder(d, parent, &list[i]);
		else if (list[i].doc->file->page == NULL)
			add_page(d, parent, list[i].doc, NULL, 0);
	}
}

/* ---- the reader ---- */

static struct yaml *
read_js(struct docusaurus *d, struct arrival_file *f)
{
	struct js_skipped skipped;
	struct yaml *root;
	struct str bytes;

	f->part = true;
	if (!source_read(d->t, d->t->arena, f, &bytes))
		return NULL;
	root = js_read(d->t->arena, bytes, &skipped);
	if (root == NULL)
		arrival_warn(d->t, f->path, 0, "it exports nothing that can be read without running it");
	else if (skipped.full)
		arrival_warn(d->t, f->path, 0, "it has more values than are read; the rest of them is left out");
	else if (skipped.count > 0 && memmem(f->path.p, f->path.n, "sidebar", 7) != NULL)
		arrival_warn(d->t, f->path, skipped.line, "%zu values are programs, which an import does not run; they are left out",
		    skipped.count);
	return root;
}

/* The first map in the tree that has a member of this name. */
static const struct yaml *
find_member(const struct yaml *y, const char *name, unsigned depth)
{
	const struct yaml *x, *found;

	if (y == NULL || y->kind == YAML_SCALAR || depth > 8)
		return NULL;
	if ((found = yaml_get(y, name)) != NULL)
		return found;
	for (x = y->first; x != NULL; x = x->next)
		if ((found = find_member(x, name, depth + 1)) != NULL)
			return found;
	return NULL;
}

/* The options of the documentation, from a preset or from its plugin. */
static const struct yaml *
docs_settings(const struct yaml *config)
{
	const struct yaml *docs = find_member(yaml_get(config, "presets"), "docs", 0), *y, *plugins = yaml_get(config, "plugins");

	if (docs != NULL && docs->kind == YAML_MAP)
		return docs;
	for (y = plugins == NULL || plugins->kind != YAML_LIST ? NULL : plugins->first; y != NULL; y = y->next)
		if (y->kind == YAML_LIST && y->first != NULL && yaml_text(y->first) != NULL &&
		    strstr(yaml_text(y->first), "content-docs") != NULL)
			return y->first->next;
	return NULL;
}

static void
take_redirects(struct docusaurus *d, const struct yaml *list)
{
	const struct yaml *y, *from;
	const char *to;

	for (y = list == NULL || list->kind != YAML_LIST ? NULL : list->first; y != NULL; y = y->next) {
		to = yaml_text(yaml_get(y, "to"));
		from = yaml_get(y, "from");
		if (to == NULL)
			continue;
		if (yaml_text(from) != NULL)
			arrival_redirect(d->t, yaml_text(from), to);
		for (from = from == NULL || from->kind != YAML_LIST ? NULL : from->first; from != NULL; from = from->next)
			if (yaml_text(from) != NULL)
				arrival_redirect(d->t, yaml_text(from), to);
	}
}

static struct arrival_file *
sidebar_file(struct docusaurus *d, const struct yaml *docs)
{
	static const char *const names[] = { "sidebars.js", "sidebars.ts", "sidebars.mjs", "sidebars.cjs", "sidebars.json" };
	const char *path = yaml_text(yaml_get(docs, "sidebarPath"));
	struct arrival_file *f = NULL;
	size_t i;

	if (path != NULL && (path = path_join(d->t->arena, str_of(d->base), str_of(path))) != NULL)
		f = source_find(d->t, "%s", path);
	for (i = 0; i < 5 && f == NULL; i++)
		f = source_find(d->t, "%s%s%s", d->base, *d->base != '\0' ? "/" : "", names[i]);
	return f;
}

static void
add_sidebars(struct docusaurus *d, const struct yaml *root)
{
	const struct yaml *y;
	struct arrival_page *group;

	for (y = root->first; y != NULL; y = y->next) {
		group = root->first->next == NULL ? NULL : arrival_add(d->t, NULL, ARRIVAL_GROUP,
		    title_from_name(d->t->arena, (struct str){ arena_strndup(d->t->arena, y->key.p, y->key.n), y->key.n }));
		add_items(d, group, y);
	}
}

/* Adds names and former addresses of pages: links use full addresses. */
static void
name_pages(struct docusaurus *d)
{
	struct arrival_page *p;

	for (p = d->t->made; p != NULL; p = p->after) {
		const struct doc *x = p->own;
		const char *full;
		if (x == NULL)
			continue;
		full = *d->route == '\0' ? x->address : *x->address == '\0' ? d->route :
		    arena_printf(d->t->arena, "%s/%s", d->route, x->address);
		arrival_moved(d->t, p, full);
		arrival_name(d->t, p, full);
		arrival_name(d->t, p, x->address);
		arrival_name(d->t, p, x->id);
	}
}

static void
name_others(struct docusaurus *d)
{
	static const char *const folders[][2] = { { "blog", "the blog" }, { "versioned_docs", "earlier versions" },
		{ "i18n", "translations" }, { "src/pages", "pages outside of the documentation" } };
	size_t i;

	for (i = 0; i < 4; i++) {
		const char *folder = path_join(d->t->arena, str_of(d->base), str_of(folders[i][0]));
		struct arrival_file *f = source_below(d->t, folder);
		size_t n = 0;
		for (; f < d->t->files + d->t->file_count && path_is_below(f->path, folder); f++)
			if (path_is_markdown(f->path)) {
				f->part = true;
				n++;
			}
		if (n > 0)
			arrival_warn(d->t, str_of(folder), 0, "%s (%zu pages) are not of the documentation; import the folder by itself",
			    folders[i][1], n);
	}
}

static bool
read_docusaurus(struct arrival *t)
{
	struct docusaurus *d = arena_alloc(t->arena, sizeof(*d));
	struct arrival_file *f = settings_file(t), *sidebars;
	const struct yaml *config, *docs, *root = NULL;
	const char *s;
	size_t i;

	if (f == NULL) {
		t->error = "there is no docusaurus.config.js";
		return false;
	}
	*d = (struct docusaurus){ .t = t, .table = f->path.p };
	t->own = d;
	d->base = arena_strndup(t->arena, f->path.p, path_folder(f->path).n);
	config = read_js(d, f);
	docs = docs_settings(config);
	t->title = copy_text(d, yaml_text(yaml_get(config, "title")));
	t->site = copy_text(d, yaml_text(yaml_get(config, "url")));
	t->language = copy_text(d, yaml_text(yaml_get(yaml_get(config, "i18n"), "defaultLocale")));
	s = yaml_text(yaml_get(docs, "path"));
	t->root = path_join(t->arena, str_of(d->base), str_of(s != NULL ? s : "docs"));
	if (t->root == NULL) {
		t->error = "the folder of the documentation is outside of what is imported";
		return false;
	}
	s = yaml_text(yaml_get(docs, "routeBasePath"));
	d->route = path_join(t->arena, STR(""), str_of(s != NULL ? s : "docs"));
	if (d->route == NULL) {
		arrival_warn(t, f->path, 0, "the routeBasePath \"%.200s\" leads out of the site; \"docs\" is used", s);
		d->route = "docs";
	}
	s = yaml_text(yaml_get(config, "baseUrl"));
	d->site = path_join(t->arena, STR(""), str_of(s != NULL ? s : ""));
	if (t->site != NULL && d->site != NULL && *d->site != '\0')
		t->site = arena_printf(t->arena, "%.*s/%s", (int)(strlen(t->site) - (path_ends(str_of(t->site), "/") ? 1 : 0)), t->site, d->site);
	list_docs(d);
	sidebars = sidebar_file(d, docs);
	if (sidebars != NULL) {
		t->table = d->table = sidebars->path.p;
		root = read_js(d, sidebars);
	}
	if (root != NULL && root->kind == YAML_MAP && root->first != NULL)
		add_sidebars(d, root);
	else
		add_generated(d, NULL, t->root);
	for (i = 0; i < d->count; i++)
		if (d->docs[i].file->page == NULL) {
			struct arrival_page *p = add_page(d, NULL, &d->docs[i], NULL, 0);
			if (*d->docs[i].address == '\0') {
				arrival_put_first(t, p);
				continue;
			}
			p->hidden = p->last_resort = true;
			arrival_warn(t, p->file->path, 0, "no sidebar names this page; it is a hidden page");
		}
	name_pages(d);
	name_others(d);
	take_redirects(d, find_member(config, "redirects", 0));
	return true;
}

/* As Docusaurus does: an address that begins with the site's own folder gets it no second time. */
static bool
find_below_site(struct docusaurus *d, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	size_t n = d->site == NULL ? 0 : strlen(d->site);

	return n > 0 && s.n > n + 1 && s.p[0] == '/' && memcmp(s.p + 1, d->site, n) == 0 && s.p[n + 1] == '/' &&
	    target_in_source(d->t, p, str_slice(s, n + 1, s.n), out);
}

/*
 * "@site/x" is relative to the folder of the settings, "pathname:///x" to static/. "/x" may be a
 * file in static/.
 */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	struct docusaurus *d = t->own;
	const char *full = NULL;
	struct arrival_file *f;

	*out = (struct arrival_target){ 0 };
	if (str_starts(s, "@site/"))
		full = path_join(t->scratch, str_of(d->base), str_slice(s, 6, memchr(s.p, '#', s.n) == NULL ? s.n :
		    (size_t)((const char *)memchr(s.p, '#', s.n) - s.p)));
	else if (str_starts(s, "pathname://"))
		full = path_join(t->scratch, str_of(arena_printf(t->scratch, "%s/static", d->base)),
		    str_of(arena_printf(t->scratch, "./%.*s", (int)(s.n - 11), s.p + 11)));
	else if (s.n > 1 && s.p[0] == '/')
		full = path_join(t->scratch, STR(""), str_of(arena_printf(t->scratch, "%s/static/%.*s", d->base, (int)s.n, s.p)));
	f = full == NULL ? NULL : source_find(t, "%s", full);
	if (f == NULL)
		return find_below_site(d, p, s, out);
	out->page = f->page;
	out->file = f->page == NULL ? f : NULL;
	out->fragment = memchr(s.p, '#', s.n) == NULL ? NULL : arena_strndup(t->scratch, memchr(s.p, '#', s.n),
	    s.n - (size_t)((const char *)memchr(s.p, '#', s.n) - s.p));
	return true;
}

const struct arrive_reader reader_docusaurus = { .name = "docusaurus", .title = "Docusaurus",
	.syntax = SYNTAX_CONTAINERS | SYNTAX_MDX, .is = is_docusaurus, .read = read_docusaurus, .target = find_target };
