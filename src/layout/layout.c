/*
 * layout_read(): the order of work. Settings are read first, since they name root. Then the entries
 * below root are indexed, then the pages are made, and last all other files are sorted.
 */
#include <string.h>

#include "layout_parts.h"
#include "base/mapped.h"
#include "base/utf8.h"

/* A ceiling, not an allocation: one file is in memory at a time. */
#define SCRATCH ((size_t)4 << 30)

/* ---- settings ------------------------------------------------------------- */

/* Appends a setting. There are at most six, so walking the list costs nothing. */
static void
add_setting(struct layout_index *x, const char *id, const struct layout_entry *e, struct str bytes,
    const char *json)
{
	struct layout_setting *s = arena_alloc(x->arena, sizeof(*s)), **at = &x->out->settings;

	s->id = id;
	s->file = e;
	s->bytes = bytes;
	s->json = json;
	while (*at != NULL)
		at = &(*at)->next;
	*at = s;
}

/* Finds a file by its path in the repository, before root is known. */
static const struct layout_entry *
find_before_index(struct layout_index *x, const char *dir, const char *name)
{
	struct layout_index probe = *x;
	const char *path = layout_join(x->arena, dir, str_of(name));

	/*
	 * The index is built later, since it needs root: use a copy of it whose range is the whole
	 * repository.
	 */
	probe.root = STR("");
	layout_index_range(&probe);
	return path == NULL ? NULL : layout_plain_file(&probe, str_of(path));
}

/* True if an entry is below the directory. Git stores no empty directories. */
static bool
directory_exists(const struct layout_index *x, const char *dir)
{
	struct layout_index probe = *x;

	probe.root = str_of(dir);
	layout_index_range(&probe);
	return *dir == '\0' || probe.from < probe.to;
}

/* Settings of a legacy book.json. A root that does not exist is ignored, never refused. */
static bool
read_book(struct layout_index *x, const char *project, struct layout_config *c)
{
	const struct layout_entry *e = find_before_index(x, project, "book.json"), *langs;
	struct str bytes = STR("");
	const char *root;

	if (e != NULL) {
		if (!layout_load(x, x->arena, e, yaml_limits_settings.bytes, &bytes))
			return false;
		layout_book_parse(x->arena, bytes, c);
		root = layout_join(x->arena, project, str_of(c->root));
		if (root == NULL || !directory_exists(x, root)) {
			layout_warn_at(x, e, 0, "root is no directory of the repository and is ignored");
			c->root = "";
		}
		if (c->message != NULL)
			layout_warn_at(x, e, 0, "%s", c->message);
		x->out->title = c->title;
		x->out->language = c->language;
	} else if ((e = find_before_index(x, project, "book.js")) != NULL) {
		layout_warn_at(x, e, 0, "settings that are a program are not read; write them as book.json");
	}
	langs = find_before_index(x, *c->root != '\0' ? layout_join(x->arena, project, str_of(c->root)) : project, "LANGS.md");
	if (langs != NULL)
		layout_warn_at(x, langs, 0, "a book in several languages: import the folder of each language "
		    "as a space of its own (its project directory)");
	return true;
}

/* Reads .gitbook.yaml of the project directory, else book.json (layout 2.4), else uses the defaults. */
static bool
read_config(struct layout_index *x, const char *project, struct layout_config *c)
{
	const struct layout_entry *e = find_before_index(x, project, ".gitbook.yaml");
	struct str bytes = STR("");

	if (e != NULL && !layout_load(x, x->arena, e, yaml_limits_settings.bytes, &bytes))
		return false;
	/* Without a file, empty bytes give the defaults. */
	layout_config_parse(x->arena, bytes, c);
	if (e == NULL)
		return read_book(x, project, c);
	c->file = arena_strndup(x->arena, e->path.p, e->path.n);
	if (c->message != NULL)
		layout_warn_at(x, e, c->line, "%s", c->message);
	/* Keep the bytes even if they cannot be parsed: the export writes them back. */
	add_setting(x, ".gitbook.yaml", e, bytes, NULL);
	return true;
}

static bool
same_oid(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/*
 * Reads the variables of book.json, also if there is a .gitbook.yaml: the texts may have been
 * written with them. The file is kept as a setting, so that an export can edit such texts, and an
 * import notices when the file changes.
 */
static bool
read_variables(struct layout_index *x, const char *project)
{
	const struct layout_entry *e = find_before_index(x, project, "book.json");
	struct str bytes = { 0 };

	if (e == NULL)
		e = find_before_index(x, x->out->root, "book.json");
	if (e != NULL) {
		if (!layout_load(x, x->arena, e, yaml_limits_settings.bytes, &bytes))
			return false;
		x->book = book_parse(x->arena, bytes);
	}
	if (book_has_variables(x->book))
		add_setting(x, LAYOUT_BOOK, e, bytes, NULL);
	x->stale = !same_oid(x->src->known_book, book_has_variables(x->book) ? e->oid : NULL);
	return true;
}

/* Sets the root; fails with the reason if it cannot be used. */
static bool
set_root(struct layout_index *x, const char *project_dir, struct layout_config *c)
{
	const char *project = layout_join(x->arena, "", str_of(project_dir)), *root;

	if (project == NULL)
		return layout_fail(x, NULL, "the project directory %s leads out of the repository", project_dir);
	if (!directory_exists(x, project))
		return layout_fail(x, NULL, "the repository has no directory %s", project);
	/*
	 * The settings name root, so they are read after the project directory is known to exist,
	 * and before root is.
	 */
	if (!read_config(x, project, c))
		return false;
	/*
	 * This is the only bad content that fails the import: with another root, all pages of the
	 * space would be replaced by those of another directory.
	 */
	if (c->root == NULL)
		return layout_fail(x, c->file, "root in .gitbook.yaml leads out of the project directory");
	root = layout_join(x->arena, project, str_of(c->root));
	if (!directory_exists(x, root))
		return layout_fail(x, c->file, "root in .gitbook.yaml: the repository has no directory %s", root);
	x->root = str_of(root);
	x->out->root = root;
	return read_variables(x, project);
}

/* ---- pages ---------------------------------------------------------------- */

/* Find the file that a setting names. Case is ignored where only one file fits. */
static const struct layout_entry *
setting_file(struct layout_index *x, const char *rel)
{
	const struct layout_entry *e = layout_exact(x, str_of(rel));

	if (e == NULL && (e = layout_similar(x, str_of(rel))) != NULL)
		layout_warn(x, rel, 0, "the file is spelled %.*s", (int)layout_rel(x, e).n, layout_rel(x, e).p);
	return e;
}

/* The readme is the first page even if the table of contents does not list it. */
static bool
add_readme(struct layout_index *x, struct layout_builder *b, const struct layout_entry *readme)
{
	struct layout_page *first = x->out->pages, *p;
	struct layout_builder front = { .x = x, .tail = &x->out->pages };

	if (readme == NULL || x->pages[layout_number(x, readme)] != NULL)
		return true;
	layout_warn_at(x, readme, 0, "not in the table of contents; it is taken as the first page");
	if ((p = layout_page_add(&front, LAYOUT_DOCUMENT, NULL)) == NULL
	    || !layout_page_file(&front, p, readme, NULL))
		return false;
	p->next = first;
	/* The list was empty, so the builder must append after this page. */
	if (first == NULL)
		b->tail = &p->next;
	return true;
}

/* Make the pages from the table of contents, or from files and folders if there is none. */
static bool
read_pages(struct layout_index *x, const struct layout_config *c)
{
	struct layout_builder b = { .x = x, .tail = &x->out->pages };
	const struct layout_entry *summary = setting_file(x, c->summary);
	const struct layout_entry *readme = setting_file(x, c->readme);
	struct str bytes;

	/* A setting may name any file, but only Markdown becomes a page. */
	if (readme != NULL && !layout_is_markdown(readme->path))
		readme = NULL;
	if (readme == NULL && summary == NULL)
		readme = layout_infer_first(x);
	if (readme == NULL)
		layout_warn(x, c->readme, 0, "the first page is not in the repository");
	if (summary == NULL) {
		layout_warn(x, c->summary, 0, "there is no table of contents; pages follow files and folders");
		return layout_infer(&b, readme);
	}
	if (!layout_load_text(x, x->arena, summary, x->limits.table_bytes > 0 ? x->limits.table_bytes : x->limits.page_bytes,
	    &bytes))
		return false;
	if (!utf8_valid(bytes))
		layout_warn_at(x, summary, 0, "the file is not valid UTF-8; the bytes at fault are read as U+FFFD");
	add_setting(x, "SUMMARY.md", summary, bytes, NULL);
	/* The flag is set before the items are read, because the table may list its own file. */
	x->flags[layout_number(x, summary)] |= ENTRY_SUMMARY;
	return layout_pages(&b, bytes, arena_strndup(x->arena, layout_rel(x, summary).p,
	    layout_rel(x, summary).n)) && add_readme(x, &b, readme);
}

/* ---- all other files ------------------------------------------------------ */

/*
 * True for files of tools, which pages never show: dot files, and files in the directories of
 * version control and build tools.
 */
static bool
is_private(struct str rel)
{
	static const char *const dirs[] = { ".git", ".github", ".gitlab", ".vscode", ".idea",
		".circleci", "node_modules" };
	size_t start = 0, i, k;

	for (i = 0; i < rel.n; i++) {
		if (rel.p[i] != '/')
			continue;
		for (k = 0; k < sizeof(dirs) / sizeof(dirs[0]); k++)
			if (str_is(str_slice(rel, start, i), dirs[k]))
				return true;
		start = i + 1;
	}
	/*
	 * A dot file is private, but not a file in a dot directory: .gitbook/ and others hold
	 * images of pages.
	 */
	return start < rel.n && rel.p[start] == '.';
}

static struct layout_asset *
append_asset(struct layout_index *x, struct layout_asset ***tail, const struct layout_entry *e)
{
	struct str base = layout_base(e->path);
	struct layout_asset *s = arena_alloc(x->arena, sizeof(*s));

	s->file = e;
	s->name = arena_strndup(x->arena, base.p, base.n);
	x->assets[layout_number(x, e)] = s;
	**tail = s;
	*tail = &s->next;
	return s;
}

static bool
add_asset(struct layout_index *x, struct layout_asset ***tail, const struct layout_entry *e, bool listed)
{
	struct str bytes, front, body;
	bool known = x->src->known != NULL && x->src->known(x->src->known_ctx, e, &front, &body);

	if (!known && layout_size(x, e) > x->limits.file_bytes) {
		layout_warn_at(x, e, 0, "larger than %lld bytes", (long long)x->limits.file_bytes);
		/*
		 * A file below .gitbook/assets belongs to the space, and a space is never imported
		 * in part, so a fault in it fails the import. Any other file may be unused, so a
		 * fault in it fails nothing.
		 */
		return !listed || layout_fail(x, arena_strndup(x->arena, e->path.p, e->path.n),
		    "%.*s is larger than %lld bytes", (int)e->path.n, e->path.p, (long long)x->limits.file_bytes);
	}
	if (!known && layout_size(x, e) <= LFS_POINTER_MAX) {
		if (!layout_load(x, x->scratch, e, LFS_POINTER_MAX, &bytes))
			return false;
		if (layout_is_lfs_pointer(bytes))
			layout_warn_at(x, e, 0, "a pointer of git LFS; the file itself is not in the repository");
		arena_reset(x->scratch);
	}
	append_asset(x, tail, e)->listed = listed;
	return true;
}

/*
 * Splits the file of reusable content. Without a title in the frontmatter its title is the name of
 * the file.
 */
static void
split_include(struct layout_index *x, struct layout_include *i, struct str bytes)
{
	struct page_file f;

	include_file_split(x->arena, bytes, &f);
	if (f.warning != NULL)
		layout_warn_at(x, i->file, f.warning_line, "%s", f.warning);
	i->title = f.title != NULL ? f.title : layout_pretty(x->arena, layout_base(i->file->path));
	i->front = f.front;
	i->body = f.body;
	i->body_line = f.body_line;
}

/* Adds an include. listed: its file is read now; otherwise it is read when a page includes it. */
static bool
add_include(struct layout_index *x, struct layout_include ***tail, const struct layout_entry *e, bool listed)
{
	struct layout_include *i = arena_alloc(x->arena, sizeof(*i));
	struct str bytes;

	i->file = e;
	i->listed = listed;
	i->title = "";
	if (listed && !layout_load_text(x, x->arena, e, x->limits.page_bytes, &bytes))
		return false;
	if (listed)
		split_include(x, i, bytes);
	x->includes[layout_number(x, e)] = i;
	**tail = i;
	*tail = &i->next;
	return true;
}

const char *
layout_include_read(const struct layout *l, struct layout_include *i)
{
	struct layout_index *x = l->index;
	struct str bytes;

	if (i->body.p != NULL)
		return NULL;
	if (layout_size(x, i->file) > x->limits.page_bytes)
		return arena_printf(x->arena, "larger than %lld bytes", (long long)x->limits.page_bytes);
	if (!x->src->read(x->src->ctx, x->arena, i->file, &bytes))
		return "it cannot be read";
	if (layout_is_lfs_pointer(bytes))
		return "a pointer of git LFS; the text is not in the repository";
	if (!utf8_valid(bytes) || memchr(bytes.p, '\0', bytes.n) != NULL)
		return "it is no text in UTF-8";
	split_include(x, i, layout_fill(x, x->arena, i->file, bytes, true));
	return NULL;
}

/* True if a page may include the file: text of documentation, not code. */
static bool
is_text(struct str path)
{
	static const char *const ends[] = { ".md", ".markdown", ".mdx", ".txt", ".text", ".html", ".htm" };
	struct str base = layout_base(path);
	size_t i, n;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		n = strlen(ends[i]);
		if (base.n > n && strncasecmp(base.p + base.n - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

/* Reads .gitbook/vars.yaml or tags.yaml; *is: set to true if the entry is one of them. */
static bool
read_setting(struct layout_index *x, const struct layout_entry *e, bool *is)
{
	struct str rel = layout_rel(x, e), bytes;
	bool vars = str_is(rel, ".gitbook/vars.yaml");

	*is = vars || str_is(rel, ".gitbook/tags.yaml");
	if (!*is)
		return true;
	if (!layout_load(x, x->arena, e, yaml_limits_settings.bytes, &bytes))
		return false;
	add_setting(x, vars ? "vars" : "tags", e, bytes,
	    vars ? layout_vars(x, e, bytes) : layout_tags(x, e, bytes));
	return true;
}

/*
 * Ends of the lists, so that entries are appended in constant time: there may be thousands of
 * assets.
 */
struct tails {
	struct layout_asset   **assets;
	struct layout_include **includes;
};

/* Record a file of another space, since a page may show or include it. */
static bool
sort_outside(struct layout_index *x, struct tails *t, const struct layout_entry *e)
{
	size_t n = layout_number(x, e);

	if (layout_unusable(e) != NULL || is_private(e->path))
		return true;
	if (x->includes[n] == NULL && is_text(e->path) && !add_include(x, &t->includes, e, false))
		return false;
	if (!layout_is_markdown(e->path))
		append_asset(x, &t->assets, e)->outside = true;
	return true;
}

/* Sort one entry that is not a page into its list. */
static bool
sort_entry(struct layout_index *x, struct tails *t, size_t i)
{
	const struct layout_entry *e = &x->src->entries[i];
	unsigned char flags = x->flags[i];
	struct str rel = layout_rel(x, e);
	bool asset = str_starts(rel, ".gitbook/assets/"), done;

	if (flags & ENTRY_UNUSABLE)
		return true;
	/*
	 * This is tested before pages are, because a file that SUMMARY.md lists and that is in
	 * .gitbook/includes is both.
	 */
	if (str_starts(rel, ".gitbook/includes/") && layout_is_markdown(rel))
		return add_include(x, &t->includes, e, true);
	if (!(flags & (ENTRY_LISTED | ENTRY_SUMMARY)) && is_text(rel) && !add_include(x, &t->includes, e, false))
		return false;
	if (layout_is_markdown(rel) && !asset) {
		x->out->unlisted += !(flags & (ENTRY_LISTED | ENTRY_SUMMARY))
		    && !str_is(layout_base(rel), "SUMMARY.md");
		return true;
	}
	/* Nested spaces are skipped only here, since their unlisted Markdown is counted, too. */
	if (flags & ENTRY_NESTED)
		return sort_outside(x, t, e);
	if (flags & ENTRY_LISTED)
		return true;
	if (!read_setting(x, e, &done))
		return false;
	if (done || (!asset && is_private(rel)))
		return true;
	return add_asset(x, &t->assets, e, asset);
}

/* In the order of paths, so that two imports of the same tree give the same lists. */
static bool
sort_entries(struct layout_index *x)
{
	struct tails t = { &x->out->assets, &x->out->includes };
	size_t i;

	/* layout_index_books() needs to know which files have become pages. */
	layout_index_books(x);
	for (i = 0; i < x->src->count; i++, mapped_trim())
		if (i < x->from || i >= x->to ? !sort_outside(x, &t, &x->src->entries[i]) : !sort_entry(x, &t, i))
			return false;
	return true;
}

/* The index stays in the arena, because layout_find() uses it as long as the layout lives. */
bool
layout_read(struct arena *a, const struct layout_source *src, const char *project_dir,
    const struct layout_limits *limits, struct layout *out)
{
	struct layout_index *x = arena_alloc(a, sizeof(*x));
	struct layout_config c;
	const char *redirects;

	*out = (struct layout){ .root = "", .index = x };
	x->arena = a;
	x->scratch = arena_within(a, SCRATCH);
	x->src = src;
	x->limits = *limits;
	x->out = out;
	if (!set_root(x, project_dir == NULL ? "" : project_dir, &c) || !layout_index_build(x)
	    || !read_pages(x, &c) || !sort_entries(x))
		return false;
	redirects = layout_redirects(x, &c);
	if (c.redirects != NULL || strcmp(redirects, "{}") != 0)
		add_setting(x, "redirects", NULL, STR(""), redirects);
	arena_reset(x->scratch);
	/* The names are made last, since a path of an asset must differ from the paths of all pages. */
	layout_names(x);
	return true;
}
