/*
 * Reader for MkDocs. mkdocs.yml contains the table of contents (nav), the folder of the pages
 * (docs_dir) and the extensions of Markdown. If the first page of a section is its index.md, it
 * becomes the section's page. The address of a page is its path with a slash at the end
 * (use_directory_urls); pages have the same path in the space. Redirects of the plugin "redirects"
 * are kept.
 */
#include <string.h>

#include "readers.h"

struct mkdocs {
	struct arrival *t;
	const char     *file;       /* "mkdocs.yml" */
	bool            flat;       /* use_directory_urls: false */
};

static struct arrival_file *
settings_file(const struct arrival *t)
{
	struct arrival_file *f = source_find(t, "mkdocs.yml");

	return f != NULL ? f : source_find(t, "mkdocs.yaml");
}

static bool
is_mkdocs(struct arrival *t)
{
	return settings_file(t) != NULL;
}

static const char *
docs_path(const struct mkdocs *m, const char *path)
{
	return path_join(m->t->arena, str_of(m->t->root), str_of(path));
}

/* The address of a page relative to the site: "guide/x/", or "guide/x.html". */
static const char *
page_address(const struct mkdocs *m, struct str file)
{
	struct str rel = path_is_below(file, m->t->root) && *m->t->root != '\0' ?
	    str_slice(file, strlen(m->t->root) + 1, file.n) : file;
	struct str stem = path_stem(rel), name = path_name(stem);

	if (m->flat)
		return arena_printf(m->t->arena, "%.*s.html", (int)stem.n, stem.p);
	if (str_is(name, "index") || str_is(name, "README"))
		return arena_printf(m->t->arena, "%.*s/", (int)path_folder(stem).n, stem.p);
	return arena_printf(m->t->arena, "%.*s/", (int)stem.n, stem.p);
}

static void add_items(struct mkdocs *m, struct arrival_page *parent, const struct yaml *list);

static void
add_target(struct mkdocs *m, struct arrival_page *parent, const char *label, const struct yaml *y)
{
	struct arrival *t = m->t;
	const char *s = yaml_text(y), *path;
	struct arrival_file *f;
	struct arrival_page *p;

	if (s == NULL || *s == '\0') {
		arrival_warn(t, str_of(m->file), y->line, "an item of the nav has no page; left out");
		return;
	}
	path = has_scheme(str_of(s)) ? NULL : docs_path(m, s);
	f = path == NULL ? NULL : source_find(t, "%s", path);
	if (f != NULL && path_is_markdown(f->path)) {
		arrival_add_file(t, parent, f, label, m->file, y->line);
		return;
	}
	if (!has_scheme(str_of(s)) && f == NULL && *s != '/' && *s != '#') {
		arrival_warn(t, str_of(m->file), y->line, "the nav names \"%s\", which does not exist; left out", s);
		return;
	}
	p = arrival_add(t, parent, ARRIVAL_LINK, label != NULL ? label : s);
	p->target = arena_strdup(t->arena, s);
}

/* The index.md of a section if it is the section's first page; NULL: none. */
static struct arrival_file *
section_index(struct mkdocs *m, const struct yaml *list)
{
	const struct yaml *y = list->first;
	const char *s = yaml_text(y);
	struct arrival_file *f;

	if (y != NULL && y->kind == YAML_MAP && y->first != NULL)
		s = yaml_text(y->first);
	if (s == NULL || !(path_ends(str_of(s), "index.md") || path_ends(str_of(s), "README.md")) || docs_path(m, s) == NULL)
		return NULL;
	f = source_find(m->t, "%s", docs_path(m, s));
	return f != NULL && f->page == NULL ? f : NULL;
}

static void
add_section(struct mkdocs *m, struct arrival_page *parent, const char *label, const struct yaml *list)
{
	struct arrival_file *index = section_index(m, list);
	struct yaml rest = *list;
	struct arrival_page *p;

	/* The first page of the site stays a page of its own. */
	if (index != NULL && *page_address(m, index->path) != '/' && *page_address(m, index->path) != '\0') {
		p = arrival_add_file(m->t, parent, index, label, m->file, list->line);
		rest.first = list->first->next;
	} else {
		p = arrival_add(m->t, parent, ARRIVAL_GROUP, label);
	}
	add_items(m, p, &rest);
}

static void
add_items(struct mkdocs *m, struct arrival_page *parent, const struct yaml *list)
{
	const struct yaml *y, *x;

	for (y = list->first; y != NULL; y = y->next) {
		if (y->kind == YAML_SCALAR) {
			add_target(m, parent, NULL, y);
			continue;
		}
		for (x = y->kind == YAML_MAP ? y->first : NULL; x != NULL; x = x->next) {
			const char *label = arena_strndup(m->t->arena, x->key.p, x->key.n);
			if (x->kind == YAML_LIST)
				add_section(m, parent, label, x);
			else
				add_target(m, parent, label, x);
		}
	}
}

/* The entry with this name in a list of names and of maps with one member: plugins, markdown_extensions. */
static const struct yaml *
entry_named(const struct yaml *list, const char *name)
{
	const struct yaml *y;

	if (list != NULL && list->kind == YAML_MAP)
		return yaml_get(list, name);
	for (y = list == NULL ? NULL : list->first; y != NULL; y = y->next) {
		if (yaml_get(y, name) != NULL)
			return yaml_get(y, name);
		if (yaml_text(y) != NULL && strcmp(yaml_text(y), name) == 0)
			return y;
	}
	return NULL;
}

static void
take_redirects(struct mkdocs *m, const struct yaml *root)
{
	const struct yaml *map = yaml_get(entry_named(yaml_get(root, "plugins"), "redirects"), "redirect_maps"), *y;
	const char *from, *to;

	for (y = map == NULL ? NULL : map->first; y != NULL; y = y->next) {
		if ((to = yaml_text(y)) == NULL)
			continue;
		from = arena_strndup(m->t->arena, y->key.p, y->key.n);
		arrival_redirect(m->t, path_is_markdown(y->key) ? page_address(m, y->key) : from,
		    has_scheme(str_of(to)) ? to : arena_printf(m->t->arena, "/%s", to));
	}
}

static void
take_include_folders(struct mkdocs *m, const struct yaml *root)
{
	const struct yaml *base = yaml_get(entry_named(yaml_get(root, "markdown_extensions"), "pymdownx.snippets"), "base_path"), *y;
	const char **list = arena_array(m->t->arena, 32, sizeof(*list));
	size_t n = 0;

	if (yaml_text(base) != NULL)
		list[n++] = yaml_text(base);
	for (y = base == NULL || base->kind != YAML_LIST ? NULL : base->first; y != NULL && n < 31; y = y->next)
		if (yaml_text(y) != NULL)
			list[n++] = yaml_text(y);
	m->t->include_folders = list;
}

/* Warns about plugins that the site uses: they are programs, which an import does not run. */
static void
warn_of_plugins(struct mkdocs *m, const struct yaml *root)
{
	static const char *const names[] = { "macros", "gen-files", "mkdocstrings", "mkdocs-jupyter", "awesome-pages", "awesome-nav",
		"literate-nav", "blog", "i18n", "monorepo", "multirepo" };
	const struct yaml *plugins = yaml_get(root, "plugins"), *y;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((y = entry_named(plugins, names[i])) != NULL)
			arrival_warn(m->t, str_of(m->file), y->line, "the plugin \"%s\" is a program, which an import does not run: what "
			    "it writes into pages is not there", names[i]);
}

/* Adds names and addresses of all pages, once all pages are known. */
static void
name_pages(struct mkdocs *m)
{
	struct arrival_page *p;
	const char *address;

	for (p = m->t->made; p != NULL; p = p->after) {
		if (p->file == NULL)
			continue;
		address = page_address(m, p->file->path);
		arrival_moved(m->t, p, address);
		arrival_name(m->t, p, arena_strndup(m->t->arena, address, strlen(address) - (*address != '\0' && !m->flat)));
	}
}

static const struct yaml *
parse_settings(struct mkdocs *m, struct arrival_file *f)
{
	struct yaml *root = NULL;
	const char *error;
	size_t line, repeated;
	struct str bytes;

	if (!source_read(m->t, m->t->arena, f, &bytes))
		return NULL;
	if (!yaml_parse(m->t->arena, bytes, &yaml_limits_settings, &root, &repeated, &error, &line)) {
		arrival_warn(m->t, f->path, line, "the file cannot be read: %s", error);
		return NULL;
	}
	f->part = true;
	return root;
}

static bool
read_mkdocs(struct arrival *t)
{
	struct mkdocs m = { .t = t };
	struct arrival_file *f = settings_file(t);
	const struct yaml *root, *nav;
	bool directories = true;

	if (f == NULL) {
		t->error = "there is no mkdocs.yml";
		return false;
	}
	t->table = m.file = f->path.p;
	root = parse_settings(&m, f);
	t->root = yaml_text(yaml_get(root, "docs_dir"));
	t->root = path_join(t->arena, STR(""), str_of(t->root != NULL ? t->root : "docs"));
	if (t->root == NULL) {
		t->error = "docs_dir is outside of what is imported";
		return false;
	}
	t->title = yaml_text(yaml_get(root, "site_name"));
	t->site = yaml_text(yaml_get(root, "site_url"));
	t->language = yaml_text(yaml_get(yaml_get(root, "theme"), "language"));
	m.flat = yaml_bool(yaml_get(root, "use_directory_urls"), &directories) && !directories;
	if (yaml_get(root, "INHERIT") != NULL)
		arrival_warn(t, f->path, yaml_get(root, "INHERIT")->line, "settings that this file inherits are not read");
	take_include_folders(&m, root);
	warn_of_plugins(&m, root);
	nav = yaml_get(root, "nav");
	if (nav != NULL && nav->kind == YAML_LIST)
		add_items(&m, NULL, nav);
	else
		arrival_add_folder(t, NULL, t->root);
	arrival_add_rest(t, t->root, "the nav does not name this page");
	name_pages(&m);
	take_redirects(&m, root);
	return true;
}

const struct arrive_reader reader_mkdocs = { .name = "mkdocs", .title = "MkDocs",
	.syntax = SYNTAX_ADMONITIONS | SYNTAX_SNIPPETS | SYNTAX_ATTRIBUTES, .is = is_mkdocs, .read = read_mkdocs };
