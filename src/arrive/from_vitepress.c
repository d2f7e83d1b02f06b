/*
 * Readers for VitePress and Starlight. The sidebars are in a configuration that is read as data
 * (js.h); their items have the members text, link and items. The address of a page is the path of
 * its file. The pages of VitePress are beside .vitepress/, those of Starlight in src/content/docs.
 */
#include <string.h>

#include "js.h"
#include "readers.h"

struct site {
	struct arrival *t;
	const char     *base;      /* folder of the project */
	bool            star;      /* Starlight */
};

static struct arrival_file *
find_config(const struct arrival *t, const char *folder, const char *name, const char **base)
{
	static const char *const ends[] = { ".ts", ".js", ".mts", ".mjs" };
	size_t i, k;

	for (i = 0; i < t->file_count; i++)
		for (k = 0; k < 4; k++) {
			struct str path = t->files[i].path, at = path_folder(path);
			if (!str_starts(path_name(path), name) || !str_is(str_slice(path_name(path), strlen(name), path_name(path).n), ends[k]))
				continue;
			if (*folder != '\0' && !str_is(path_name(at), folder))
				continue;
			if (*folder != '\0')
				at = path_folder(at);
			/* The file must be at the top, or in a folder at the top. */
			if (memchr(at.p, '/', at.n) != NULL)
				continue;
			*base = arena_strndup(t->arena, at.p, at.n);
			return &t->files[i];
		}
	return NULL;
}

static bool
is_vitepress(struct arrival *t)
{
	const char *base;

	return find_config(t, ".vitepress", "config", &base) != NULL;
}

static bool
is_starlight(struct arrival *t)
{
	const char *base;

	if (find_config(t, "", "astro.config", &base) == NULL)
		return false;
	base = arena_printf(t->arena, "%s%ssrc/content/docs", base, *base != '\0' ? "/" : "");
	return source_below(t, base) < t->files + t->file_count && path_is_below(source_below(t, base)->path, base);
}

static const char *
copy_text(struct site *s, const char *x)
{
	return x == NULL ? NULL : arena_strdup(s->t->arena, x);
}

/* The page that a link of the sidebar means: "/guide/x", "x", "/guide/". */
static struct arrival_file *
linked_file(struct site *s, const char *link)
{
	static const char *const ends[] = { ".md", ".mdx", "/index.md", "/index.mdx", "/README.md", "" };
	struct arena *a = s->t->arena;
	const char *full;
	size_t i, n = strcspn(link, "#?");

	while (n > 0 && link[n - 1] == '/')
		n--;
	if (n > 5 && memcmp(link + n - 5, ".html", 5) == 0)
		n -= 5;
	full = path_join(a, str_of(s->t->root), str_of(arena_printf(a, "./%.*s", (int)n, link)));
	for (i = 0; full != NULL && i < 6; i++) {
		struct arrival_file *f = source_find(s->t, "%s%s", full, ends[i] + (*full == '\0' && ends[i][0] == '/'));
		if (f != NULL && path_is_markdown(f->path))
			return f;
	}
	return NULL;
}

static void add_items(struct site *s, struct arrival_page *parent, const struct yaml *list, const char *base);

static double
read_order(struct arrival *t, struct arrival_file *f)
{
	static const char *const keys[] = { "sidebar", "order", NULL };
	double order = 1e9;

	front_number(t, f, keys, &order);
	return order;
}

/* Adds a page, or a link if the target is not a page of the source. */
static struct arrival_page *
add_linked(struct site *s, struct arrival_page *parent, const char *label, const char *link, size_t line)
{
	struct arrival_file *f = strstr(link, "://") != NULL ? NULL : linked_file(s, link);
	struct arrival_page *p;

	if (f != NULL)
		return arrival_add_file(s->t, parent, f, label, s->t->table, line);
	p = arrival_add(s->t, parent, ARRIVAL_LINK, label != NULL ? label : link);
	p->target = link;
	return p;
}

static void
add_item(struct site *s, struct arrival_page *parent, const struct yaml *y, const char *base)
{
	const char *label = copy_text(s, yaml_text(yaml_get(y, s->star ? "label" : "text"))), *link = copy_text(s, yaml_text(yaml_get(y, "link")));
	const char *folder = yaml_text(yaml_get(yaml_get(y, "autogenerate"), "directory")), *full;
	const struct yaml *items = yaml_get(y, "items");
	struct arrival_page *p = NULL;

	if (link == NULL)
		link = copy_text(s, yaml_text(yaml_get(y, "slug")));
	if (yaml_text(yaml_get(y, "base")) != NULL)
		base = copy_text(s, yaml_text(yaml_get(y, "base")));
	if (link != NULL && *base != '\0' && strstr(link, "://") == NULL)
		link = arena_printf(s->t->arena, "%s%s", base, link);
	if (link != NULL)
		p = add_linked(s, parent, label, link, y->line);
	if (items == NULL && folder == NULL)
		return;
	if (p == NULL || p->kind == ARRIVAL_LINK)
		p = label == NULL ? parent : arrival_add(s->t, parent, ARRIVAL_GROUP, label);
	if (items != NULL)
		add_items(s, p, items, base);
	if (folder == NULL)
		return;
	full = path_join(s->t->arena, str_of(s->t->root), str_of(folder));
	if (full != NULL && path_is_in(full, s->t->root))
		arrival_add_ordered(s->t, p, full, read_order);
	else
		arrival_warn(s->t, str_of(s->t->table), y->line, "the folder \"%.200s\" is outside of the pages; left out", folder);
}

static void
add_items(struct site *s, struct arrival_page *parent, const struct yaml *list, const char *base)
{
	const struct yaml *y;

	for (y = list == NULL || list->kind != YAML_LIST ? NULL : list->first; y != NULL; y = y->next)
		if (y->kind == YAML_MAP)
			add_item(s, parent, y, base);
		else if (yaml_text(y) != NULL)
			add_linked(s, parent, NULL, copy_text(s, yaml_text(y)), y->line);
}

/* Adds the sidebars one after the other. If each part of the site has its own, each becomes a group. */
static void
add_sidebars(struct site *s, const struct yaml *sidebar)
{
	const struct yaml *y, *items;

	if (sidebar == NULL || sidebar->kind != YAML_MAP) {
		add_items(s, NULL, sidebar, "");
		return;
	}
	for (y = sidebar->first; y != NULL; y = y->next) {
		items = y->kind == YAML_MAP && yaml_get(y, "items") != NULL ? yaml_get(y, "items") : y;
		add_items(s, NULL, items, y->kind == YAML_MAP && yaml_text(yaml_get(y, "base")) != NULL ?
		    copy_text(s, yaml_text(yaml_get(y, "base"))) : "");
	}
}

static const struct yaml *
find_member(const struct yaml *y, const char *name, unsigned depth)
{
	const struct yaml *x, *found = NULL;

	if (y == NULL || y->kind == YAML_SCALAR || depth > 6)
		return NULL;
	if (yaml_get(y, name) != NULL)
		return y;
	for (x = y->first; x != NULL && found == NULL; x = x->next)
		found = find_member(x, name, depth + 1);
	return found;
}

static void
name_pages(struct site *s)
{
	struct arrival_page *p;

	for (p = s->t->made; p != NULL; p = p->after) {
		struct str rel, name;
		if (p->file == NULL)
			continue;
		rel = path_relative(path_stem(p->file->path), s->t->root);
		name = path_name(rel);
		if (str_is(name, "index") || str_is(name, "README"))
			rel = path_folder(rel);
		arrival_name(s->t, p, arena_strndup(s->t->arena, rel.p, rel.n));
		if (!s->star)
			arrival_moved(s->t, p, arena_printf(s->t->arena, "%.*s.html", (int)rel.n, rel.p));
	}
}

/* Leaves out translations: each language except the main one has a folder of its own. */
static void
leave_locales(struct site *s, const struct yaml *config)
{
	const struct yaml *list = yaml_get(find_member(config, "locales", 0), "locales"), *y;
	const char *home = yaml_text(yaml_get(find_member(config, "defaultLocale", 0), "defaultLocale"));

	for (y = list == NULL || list->kind != YAML_MAP ? NULL : list->first; y != NULL; y = y->next) {
		const char *folder = path_join(s->t->arena, str_of(s->t->root), y->key);
		struct arrival_file *f = folder == NULL ? s->t->files + s->t->file_count : source_below(s->t, folder);
		size_t n = 0;

		if (str_is(y->key, "root") || (home != NULL && str_is(y->key, home)))
			continue;
		for (; f < s->t->files + s->t->file_count && path_is_below(f->path, folder); f++, n++)
			f->part = true;
		if (n > 0)
			arrival_warn(s->t, str_of(folder), 0, "a translation (%zu files); import the folder by itself", n);
	}
}

static bool
read_site(struct site *s, struct arrival_file *f)
{
	struct arrival *t = s->t;
	struct js_skipped skipped;
	const struct yaml *config, *with;
	const char *sub;
	struct str bytes;

	f->part = true;
	t->table = f->path.p;
	config = source_read(t, t->arena, f, &bytes) ? js_read(t->arena, bytes, &skipped) : NULL;
	if (config == NULL)
		arrival_warn(t, f->path, 0, "it exports nothing that can be read without running it: folders make the tree");
	else if (skipped.full)
		arrival_warn(t, f->path, 0, "it has more values than are read; the rest of them is left out");
	sub = yaml_text(yaml_get(config, "srcDir"));
	t->root = path_join(t->arena, str_of(s->base), str_of(s->star ? "src/content/docs" : sub != NULL ? sub : "."));
	if (t->root == NULL) {
		t->error = "the folder of the pages is outside of what is imported";
		return false;
	}
	with = find_member(config, "sidebar", 0);
	t->title = copy_text(s, yaml_text(yaml_get(s->star ? with != NULL ? with : find_member(config, "title", 0) : config, "title")));
	t->site = copy_text(s, yaml_text(yaml_get(config, "site")));
	t->language = copy_text(s, yaml_text(yaml_get(config, "lang")));
	if (config != NULL && skipped.count > 0 && with == NULL)
		arrival_warn(t, f->path, skipped.line, "the sidebar is a program, which an import does not run: folders make the tree");
	leave_locales(s, config);
	add_sidebars(s, yaml_get(with, "sidebar"));
	if (t->made == NULL)
		arrival_add_ordered(t, NULL, t->root, read_order);
	arrival_add_rest(t, t->root, "no sidebar names this page");
	name_pages(s);
	return true;
}

/* Excludes all files below a folder, which belong to tools, from the pages. */
static void
leave_out(struct arrival *t, const char *folder)
{
	struct arrival_file *f = source_below(t, folder);

	for (; f < t->files + t->file_count && path_is_below(f->path, folder); f++)
		f->part = true;
}

static bool
read_vitepress(struct arrival *t)
{
	struct site *s = arena_alloc(t->arena, sizeof(*s));
	struct arrival_file *f;

	*s = (struct site){ .t = t, .base = "" };
	t->own = s;
	if ((f = find_config(t, ".vitepress", "config", &s->base)) == NULL) {
		t->error = "there is no .vitepress/config";
		return false;
	}
	leave_out(t, path_join(t->arena, str_of(s->base), STR(".vitepress")));
	return read_site(s, f);
}

static bool
read_starlight(struct arrival *t)
{
	struct site *s = arena_alloc(t->arena, sizeof(*s));
	struct arrival_file *f;

	*s = (struct site){ .t = t, .base = "", .star = true };
	t->own = s;
	if ((f = find_config(t, "", "astro.config", &s->base)) == NULL) {
		t->error = "there is no astro.config";
		return false;
	}
	return read_site(s, f);
}

/* "/picture.png" is in public/; "@/x" and "~/x" begin at the project, in Starlight at its src/. */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	struct site *x = t->own;
	struct str rest = text_until(s, "#?");
	const char *full = NULL;

	(void)p;
	*out = (struct arrival_target){ 0 };
	if (rest.n > 1 && rest.p[0] == '/')
		full = path_join(t->scratch, str_of(*x->base != '\0' || !x->star ? x->base : ""), str_of(arena_printf(t->scratch, "public%.*s",
		    (int)rest.n, rest.p)));
	else if (str_starts(rest, "@/") || str_starts(rest, "~/"))
		full = path_join(t->scratch, str_of(x->base), str_of(arena_printf(t->scratch, "%s%.*s", x->star ? "src/" : "",
		    (int)(rest.n - 2), rest.p + 2)));
	out->file = full == NULL ? NULL : source_find(t, "%s", full);
	if (out->file != NULL && out->file->page != NULL) {
		out->page = out->file->page;
		out->file = NULL;
	}
	return out->file != NULL || out->page != NULL;
}

const struct arrive_reader reader_vitepress = { .name = "vitepress", .title = "VitePress",
	.syntax = SYNTAX_CONTAINERS | SYNTAX_MDX | SYNTAX_VITE, .is = is_vitepress, .read = read_vitepress, .target = find_target };
const struct arrive_reader reader_starlight = { .name = "starlight", .title = "Starlight", .syntax = SYNTAX_CONTAINERS | SYNTAX_MDX,
	.is = is_starlight, .read = read_starlight, .target = find_target };
