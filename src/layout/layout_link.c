/*
 * Resolves the spellings of links. They are decoded as in layout 3.10: Markdown escapes, entities,
 * percent-encoding. Paths are relative to the directory of the file that contains the link, and
 * never leave root.
 */
#include <cmark-gfm.h>
#include <ctype.h>
#include <string.h>

#include "base/url.h"
#include "layout_parts.h"

/*
 * Decodes a link destination as CommonMark does: backslash escapes, then entities. cmark itself
 * decodes it, as a destination in angle brackets; the three characters that are not allowed there
 * are escaped first.
 */
static struct str
decode_markdown(struct arena *a, struct str s)
{
	cmark_node *doc, *link;
	const char *url;
	bool escaped = false;
	struct buf b;
	size_t i;

	if (memchr(s.p, '\\', s.n) == NULL && memchr(s.p, '&', s.n) == NULL)
		return s;
	buf_init(&b, a, s.n * 2 + 16);
	buf_str(&b, "[x](<");
	for (i = 0; i < s.n; i++) {
		if ((s.p[i] == '<' || s.p[i] == '>') && !escaped)
			buf_char(&b, '\\');
		buf_char(&b, s.p[i] == '\n' || s.p[i] == '\r' ? ' ' : s.p[i]);
		escaped = s.p[i] == '\\' && !escaped;
	}
	if (escaped)
		buf_char(&b, '\\');
	buf_str(&b, ">)");
	doc = cmark_parse_document(b.p, b.n, CMARK_OPT_DEFAULT);
	link = cmark_node_first_child(doc);
	link = link == NULL ? NULL : cmark_node_first_child(link);
	/* If cmark finds no link (a line of blanks), keep the spelling as it is. */
	url = link != NULL && cmark_node_get_type(link) == CMARK_NODE_LINK ? cmark_node_get_url(link) : NULL;
	if (url != NULL)
		s = str_of(arena_strdup(a, url));
	/* Free the document only now: url belongs to its node. */
	cmark_node_free(doc);
	return s;
}

/* Decodes %xx, except %00. Text that is no valid escape stays. */
static struct str
decode_percent(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;
	int c;

	if (memchr(s.p, '%', s.n) == NULL)
		return s;
	buf_init(&b, a, s.n);
	for (i = 0; i < s.n; i++) {
		/* A NUL would end the path in C, but not in git: "%00" stays as it was typed. */
		c = url_escaped(s, i);
		buf_char(&b, c > 0 ? (char)c : s.p[i]);
		i += c > 0 ? 2 : 0;
	}
	return buf_view(&b);
}

/* Other backslashes are path separators of Windows. */
static struct str
forward_slashes(struct arena *a, struct str s)
{
	char *p;
	size_t i;

	if (memchr(s.p, '\\', s.n) == NULL)
		return s;
	p = arena_strndup(a, s.p, s.n);
	for (i = 0; i < s.n; i++)
		if (p[i] == '\\')
			p[i] = '/';
	return (struct str){ p, s.n };
}

/*
 * Appends the components of a path, and resolves "." and "..". False if ".." climbs above the top;
 * this is checked at each component, so that "a/../../b" cannot pass. If up is not NULL, such
 * climbs are counted in *up instead.
 */
static bool
add_components(struct buf *b, struct str path, size_t *up)
{
	size_t i, start = 0;

	for (i = 0; i <= path.n; i++) {
		struct str part;

		if (i < path.n && path.p[i] != '/')
			continue;
		part = str_slice(path, start, i);
		start = i + 1;
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			if (b->n == 0 && up == NULL)
				return false;
			if (b->n == 0) {
				++*up;
				continue;
			}
			/* The last component and its slash are removed; at the top there is no slash. */
			while (b->n > 0 && b->p[b->n - 1] != '/')
				buf_cut(b, 1);
			buf_cut(b, 1);
			continue;
		}
		if (b->n > 0)
			buf_char(b, '/');
		buf_put(b, part);
	}
	return true;
}

/* base may contain dots too, so it goes through the same loop. */
const char *
layout_join(struct arena *a, const char *base, struct str path)
{
	struct buf b;

	buf_init(&b, a, strlen(base) + path.n + 2);
	if (!add_components(&b, str_of(base), NULL) || !add_components(&b, path, NULL))
		return NULL;
	return b.p;
}

/* The same as layout_join(), but writes "../" in front for each level above the top of base. */
static const char *
join_up(struct arena *a, const char *base, struct str path)
{
	struct buf b, out;
	size_t up = 0;

	buf_init(&b, a, strlen(base) + path.n + 2);
	add_components(&b, str_of(base), NULL);
	add_components(&b, path, &up);
	buf_init(&out, a, b.n + up * 3 + 1);
	for (; up > 0; up--)
		buf_str(&out, "../");
	buf_put(&out, buf_view(&b));
	return out.n == 0 ? "" : out.p;
}

/* Length of "scheme:", 0 if there is none. A single letter is a Windows drive. */
static size_t
scheme_length(struct str s)
{
	size_t i = 0;

	while (i < s.n && (isalpha((unsigned char)s.p[i]) || (i > 0
	    && (isdigit((unsigned char)s.p[i]) || strchr("+-.", s.p[i]) != NULL))))
		i++;
	return i > 1 && i < s.n && s.p[i] == ':' ? i + 1 : 0;
}

/* Skip a prefix, ignoring case; false if s does not begin with it. */
static bool
skip_prefix(struct str *s, const char *prefix)
{
	size_t n = strlen(prefix);

	if (s->n < n || strncasecmp(s->p, prefix, n) != 0)
		return false;
	*s = str_slice(*s, n, s->n);
	return true;
}

/* Take the text up to the first of the stop characters; *s continues after it. */
static struct str
take_until(struct str *s, const char *stops)
{
	struct str head;
	size_t i = 0;

	while (i < s->n && strchr(stops, s->p[i]) == NULL)
		i++;
	head = str_slice(*s, 0, i);
	*s = str_slice(*s, i, s->n);
	return head;
}

static const char *
copy_text(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p, s.n);
}

/* Resolve https://app.gitbook.com/s/<space>/<path>#<fragment>, also below /o/<organization>. */
static bool
resolve_space(struct arena *a, struct str s, struct layout_target *t)
{
	struct str id, path;
	const char *joined;

	if (!skip_prefix(&s, "https://app.gitbook.com/") && !skip_prefix(&s, "http://app.gitbook.com/"))
		return false;
	if (skip_prefix(&s, "o/")) {
		take_until(&s, "/");
		if (!skip_prefix(&s, "/"))
			return false;
	}
	if (!skip_prefix(&s, "s/"))
		return false;
	id = take_until(&s, "/?#");
	if (id.n == 0)
		return false;
	path = take_until(&s, "?#");
	if (s.n > 0 && s.p[0] == '?')
		take_until(&s, "#");
	joined = layout_join(a, "", decode_percent(a, path));
	t->kind = TARGET_SPACE;
	t->space = copy_text(a, id);
	/* A path that climbs out is no page of that space: link to the first page of the space. */
	t->path = joined == NULL ? "" : joined;
	if (s.n > 1)
		t->fragment = copy_text(a, decode_percent(a, str_slice(s, 1, s.n)));
	return true;
}

/* True for the text that the published service writes in place of a lost target (layout 5). */
static bool
is_broken(struct str s)
{
	if (skip_prefix(&s, "/broken/"))
		return true;
	return skip_prefix(&s, "broken-reference") && (s.n == 0 || strchr("/#?", s.p[0]) != NULL);
}

/*
 * Directory that relative paths start from: that of the file with the link, "" for paths that begin
 * with "/".
 */
static const char *
base_directory(struct arena *a, const char *from, struct str s)
{
	const char *slash = strrchr(from, '/');

	if (slash == NULL || (s.n > 0 && s.p[0] == '/'))
		return "";
	return arena_strndup(a, from, (size_t)(slash - from));
}

static void
resolve_path(struct arena *a, const char *from, struct str s, struct layout_target *t)
{
	struct str rest = s, path = take_until(&rest, "?#");

	if (rest.n > 0 && rest.p[0] == '?')
		take_until(&rest, "#");
	if (rest.n > 0)
		t->fragment = copy_text(a, decode_percent(a, str_slice(rest, 1, rest.n)));
	if (path.n == 0) {
		/* "#x" and "?x" point into the page itself. */
		t->path = rest.n > 0 || s.n > 0 ? from : NULL;
	} else {
		/*
		 * Fragment and query were split off before decoding: "%23" and "%3F" are part of a
		 * file name.
		 */
		path = forward_slashes(a, decode_percent(a, path));
		t->path = join_up(a, base_directory(a, from, path), path);
		t->spelled = copy_text(a, path);
		t->from = from;
	}
	t->kind = t->path == NULL ? TARGET_BROKEN : TARGET_PATH;
	/* A file name may contain %, # or ?: the spelling is also kept undecoded, to be tried last. */
	if (t->kind == TARGET_PATH && path.n > 0 && strpbrk(copy_text(a, s), "%#?") != NULL)
		t->literal = layout_join(a, base_directory(a, from, s), s);
}

/*
 * The order matters: addresses of the service's application also have a scheme, and "//host" looks
 * like a path.
 */
struct layout_target
layout_resolve(struct arena *a, const char *from, struct str spelling)
{
	struct layout_target t = { .kind = TARGET_NONE };
	struct str s = layout_trim(spelling);

	if (s.n > 1 && s.p[0] == '<' && s.p[s.n - 1] == '>')
		s = layout_trim(str_slice(s, 1, s.n - 1));
	if (s.n == 0)
		return t;
	s = decode_markdown(a, s);
	/* A NUL would end the string: one path would be checked and another opened. */
	if (s.n == 0 || memchr(s.p, '\0', s.n) != NULL)
		return t;
	if (resolve_space(a, s, &t)) {
		t.url = copy_text(a, s);
	} else if (scheme_length(s) > 0) {
		t.kind = TARGET_URL;
		t.url = copy_text(a, s);
	} else if (str_starts(s, "//")) {
		t.kind = TARGET_URL;
		t.url = arena_printf(a, "https:%s", copy_text(a, s));
	} else if (is_broken(s)) {
		t.kind = TARGET_BROKEN;
	} else {
		resolve_path(a, from, s, &t);
	}
	return t;
}

/* Candidate paths of one target, without duplicates; at most two per folder above it. */
struct candidate_list {
	struct arena *arena;
	const char  **list;
	size_t        n, room;
};

static void
add_target_path(struct candidate_list *w, const char *path)
{
	size_t i;

	for (i = 0; path != NULL && i < w->n; i++)
		if (strcmp(w->list[i], path) == 0)
			return;
	w->list = arena_grow(w->arena, w->list, w->n, &w->room, sizeof(*w->list));
	w->list[w->n++] = path;
}

/* Add a path below this folder and below each folder above it. */
static void
add_upward(struct candidate_list *w, const char *dir, const char *path)
{
	char *d = arena_strdup(w->arena, dir), *slash;
	const char *joined;

	for (;; *(slash == NULL ? d : slash) = '\0') {
		if ((joined = layout_join(w->arena, d, str_of(path))) != NULL)
			add_target_path(w, joined);
		if (*d == '\0')
			return;
		slash = strrchr(d, '/');
	}
}

/* The path after its leading "../". */
static const char *
skip_ups(const char *path)
{
	while (strncmp(path, "../", 3) == 0 || strncmp(path, "./", 2) == 0)
		path += path[1] == '.' ? 3 : 2;
	return path;
}

const char *const *
layout_target_paths(struct arena *a, const char *root, const struct layout_target *t)
{
	struct candidate_list w = { .arena = a };
	const char *path = layout_join(a, root, str_of(t->path)), *dir;

	/* Outside root only files that are shown or included are looked up. */
	if (path != NULL && (t->shown || t->included || strncmp(t->path, "../", 3) != 0))
		add_target_path(&w, path);
	/* "/x" may be meant from root or from any folder above it. */
	if (t->spelled != NULL && *t->spelled == '/' && (t->shown || t->included))
		add_upward(&w, root, t->spelled);
	if (t->spelled != NULL && *t->spelled != '/' && t->included) {
		dir = layout_join(a, root, str_of(base_directory(a, t->from, STR(""))));
		add_upward(&w, dir == NULL ? root : dir, t->spelled);
		/* The page was moved: its "../.gitbook/includes/x.md" is still relative to the old folder. */
		add_upward(&w, dir == NULL ? root : dir, skip_ups(t->spelled));
	}
	add_target_path(&w, NULL);
	return w.list;
}

/* Append path without its last `cut` bytes, plus suffix, to the list. */
static void
add_candidate(struct arena *a, const char **list, size_t *n, const char *path, size_t cut, const char *suffix)
{
	list[(*n)++] = arena_printf(a, "%.*s%s", (int)(strlen(path) - cut), path, suffix);
}

static bool
ends_like(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n > m && strcasecmp(path + n - m, end) == 0;
}

/* Names of a directory's page, best first: README.md, then those of other generators. */
static const char *const directory_pages[] = { "/README.md", "/index.md", "/_index.md" };

/*
 * Number of these names that are tried for a path: only the first one if the path ends in .md or
 * .html, since it is hardly a directory then.
 */
static size_t
directory_count(const char *path)
{
	return ends_like(path, ".md") || ends_like(path, ".html") ? 1 : sizeof(directory_pages) / sizeof(*directory_pages);
}

const char *const *
layout_candidates(struct arena *a, const char *path)
{
	/* The list has at most five entries, and NULL at its end. */
	const char **list = arena_array(a, 6, sizeof(*list));
	size_t n = 0, i, length = strlen(path), directories = directory_count(path);

	if (length == 0) {
		for (i = 0; i < directories; i++)
			list[n++] = directory_pages[i] + 1;
		return list;
	}
	list[n++] = path;
	for (i = 0; i < directories; i++)
		add_candidate(a, list, &n, path, 0, directory_pages[i]);
	add_candidate(a, list, &n, path, 0, ".md");
	if (ends_like(path, ".html"))
		add_candidate(a, list, &n, path, 5, ".md");
	if (ends_like(path, "/index.html") || strcasecmp(path, "index.html") == 0)
		add_candidate(a, list, &n, path, 10, "README.md");
	return list;
}

/* Tries all candidates exactly, then all of them loosely: "API" must mean API.md, not api/README.md. */
const struct layout_entry *
layout_find_path(const struct layout_index *x, const char *rel, bool *guess)
{
	const char *const *list = layout_candidates(x->scratch, rel);
	const struct layout_entry *e = NULL;
	size_t i;

	for (i = 0; list[i] != NULL && e == NULL; i++)
		e = layout_exact(x, str_of(list[i]));
	/*
	 * The loop has incremented i once more. A path itself and the page of a directory are no
	 * guesses.
	 */
	*guess = e != NULL && i > 1 + directory_count(rel);
	for (i = 0; list[i] != NULL && e == NULL; i++) {
		e = layout_similar(x, str_of(list[i]));
		*guess = e != NULL;
	}
	return e;
}

/* Find a path of the repository: below root as layout_find_path() does, elsewhere exactly. */
static const struct layout_entry *
find_anywhere(const struct layout_index *x, const char *path, bool *guess)
{
	const struct layout_entry *e = NULL;
	const char *const *list;
	size_t n = x->root.n, i;

	*guess = false;
	if (n == 0 || (strncmp(path, x->root.p, n) == 0 && (path[n] == '/' || path[n] == '\0')))
		return layout_find_path(x, path + n + (n > 0 && path[n] == '/'), guess);
	list = layout_candidates(x->scratch, path);
	for (i = 0; list[i] != NULL && e == NULL; i++)
		e = layout_anywhere(x, str_of(list[i]));
	return e;
}

/*
 * Finds the page, asset or include that an entry was imported as. A link never resolves to a text
 * that is only included, nor to a file outside root that no page shows.
 */
static void
find_imported(const struct layout_index *x, const struct layout_target *t, struct layout_found *f)
{
	size_t n = layout_number(x, f->file);

	f->page = x->pages[n];
	if (x->assets[n] != NULL && (!x->assets[n]->outside || t->shown))
		f->asset = x->assets[n];
	if (x->includes[n] != NULL && (x->includes[n]->listed || t->included))
		f->include = x->includes[n];
	/* A plain text file was imported both as asset and as include. */
	if (t->included && f->include != NULL)
		f->asset = NULL;
}

struct layout_found
layout_find(const struct layout *l, const struct layout_target *t)
{
	struct layout_found found = { 0 };
	const struct layout_index *x = l->index;
	const char *const *ways;

	if (x == NULL || t->kind != TARGET_PATH)
		return found;
	for (ways = layout_target_paths(x->scratch, l->root, t); *ways != NULL && found.file == NULL; ways++)
		found.file = find_anywhere(x, *ways, &found.guessed);
	/* Try the undecoded spelling last, since a "#" nearly always begins a fragment. */
	if (found.file == NULL && t->literal != NULL)
		found.file = layout_find_path(x, t->literal, &found.guessed);
	if (found.file != NULL)
		find_imported(x, t, &found);
	arena_reset(x->scratch);
	return found;
}
