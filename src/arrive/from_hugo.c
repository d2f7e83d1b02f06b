/*
 * Hugo: content/ with _index.md as the page of a folder, weights, aliases and drafts in the front matter (YAML or TOML),
 * static/ for files, and the shortcodes that many themes share (blocks_shortcodes.c).
 */
#include <string.h>

#include "readers.h"

static struct arrival_file *
settings_file(const struct arrival *t)
{
	static const char *const names[] = { "hugo.toml", "hugo.yaml", "hugo.yml", "config.toml", "config.yaml", "config.yml",
		"config/_default/hugo.toml", "config/_default/config.toml", "config/_default/hugo.yaml", "config/_default/config.yaml" };
	struct arrival_file *f = NULL;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && f == NULL; i++)
		f = source_find(t, "%s", names[i]);
	return f;
}

static bool
is_hugo(struct arrival *t)
{
	const struct arrival_file *f = source_below(t, "content");

	return settings_file(t) != NULL && f < t->files + t->file_count && path_is_below(f->path, "content");
}

static double
read_weight(struct arrival *t, struct arrival_file *f)
{
	static const char *const keys[] = { "weight", NULL };
	double weight = 0;

	/* Pages without a weight come last. */
	return front_number(t, f, keys, &weight) && weight != 0 ? weight : 1e9;
}

/* Addresses of a page: its path, its slug or url, and its aliases. */
static void
take_front(struct arrival *t, struct arrival_page *p)
{
	struct str rel = path_relative(path_stem(p->file->path), t->root), name = path_name(rel);
	const struct yaml *aliases, *y;
	const char *slug, *url, *label, *full;
	struct front front;
	struct str bytes;

	if (str_is(name, "_index") || str_is(name, "index"))
		rel = path_folder(rel);
	p->path = arena_strndup(t->arena, rel.p, rel.n);
	arrival_name(t, p, p->path);
	arrival_moved(t, p, arena_printf(t->arena, "%s/", p->path));
	if (!source_read(t, t->scratch, p->file, &bytes))
		return;
	front_read(t->scratch, bytes, &front);
	label = yaml_text(yaml_get(front.root, "linkTitle"));
	p->label = label == NULL ? NULL : arena_strdup(t->arena, label);
	slug = yaml_text(yaml_get(front.root, "slug"));
	url = yaml_text(yaml_get(front.root, "url"));
	if (slug != NULL)
		arrival_moved(t, p, arena_printf(t->arena, "%.*s/%s/", (int)path_folder(rel).n, rel.p, slug));
	if (url != NULL) {
		arrival_moved(t, p, arena_strdup(t->arena, url));
		if ((full = path_join(t->arena, STR(""), str_of(url))) != NULL)
			arrival_name(t, p, full);
	}
	aliases = yaml_get(front.root, "aliases");
	for (y = aliases == NULL || aliases->kind != YAML_LIST ? NULL : aliases->first; y != NULL; y = y->next)
		if (yaml_text(y) != NULL)
			arrival_moved(t, p, yaml_text(y)[0] == '/' ? arena_strdup(t->arena, yaml_text(y)) :
			    arena_printf(t->arena, "%.*s/%s", (int)path_folder(rel).n, rel.p, yaml_text(y)));
}

static bool
read_hugo(struct arrival *t)
{
	struct arrival_file *f = settings_file(t);
	const struct yaml *settings;
	const char *language, *folder, *slash;
	struct arrival_page *p;

	if (f == NULL) {
		t->error = "there is no hugo.toml or hugo.yaml";
		return false;
	}
	t->table = f->path.p;
	settings = front_settings(t, f);
	t->title = yaml_text(yaml_get(settings, "title"));
	t->site = yaml_text(yaml_get(settings, "baseURL"));
	language = yaml_text(yaml_get(settings, "defaultContentLanguage"));
	if (language == NULL)
		language = yaml_text(yaml_get(settings, "languageCode"));
	t->language = language;
	folder = yaml_text(yaml_get(settings, "contentDir"));
	t->root = path_join(t->arena, STR(""), str_of(folder != NULL ? folder : "content"));
	if (t->root == NULL) {
		t->error = "contentDir is outside of what is imported";
		return false;
	}
	/* One folder for each language, named by its two letters: content/en for "en-us". */
	slash = *t->root != '\0' ? "/" : "";
	folder = arena_printf(t->arena, "%s%s%.2s", t->root, slash, language != NULL ? language : "en");
	if (source_find(t, "%s%s_index.md", t->root, slash) == NULL && source_find(t, "%s/_index.md", folder) != NULL) {
		arrival_warn(t, str_of(t->root), 0, "the language \"%s\" is imported; each other one is an import of its own", path_name(str_of(folder)).p);
		t->root = folder;
	}
	arrival_add_ordered(t, NULL, t->root, read_weight);
	for (p = t->made; p != NULL; p = p->after, arena_reset(t->scratch))
		if (p->file != NULL)
			take_front(t, p);
	return true;
}

/* "/img/x.png" is in static/, or beside the pages in assets/. */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	struct str rest = text_until(s, "#?");

	(void)p;
	*out = (struct arrival_target){ 0 };
	/* A colon: an address with a scheme. */
	if (rest.n < 2 || memchr(rest.p, ':', rest.n) != NULL)
		return false;
	if (rest.p[0] == '/')
		rest = str_slice(rest, 1, rest.n);
	out->file = source_find(t, "static/%.*s", (int)rest.n, rest.p);
	if (out->file == NULL)
		out->file = source_find(t, "assets/%.*s", (int)rest.n, rest.p);
	return out->file != NULL && out->file->page == NULL;
}

const struct arrive_reader reader_hugo = { .name = "hugo", .title = "Hugo", .syntax = SYNTAX_SHORTCODES, .is = is_hugo,
	.read = read_hugo, .target = find_target };
