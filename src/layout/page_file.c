/*
 * Page files (layout 5): byte order mark, frontmatter, title at the beginning, body. Front and body
 * are slices that together are the whole file, whatever it contains. Damaged frontmatter gives a
 * warning and no properties. Keys of other tools are ignored.
 */
#include <ctype.h>
#include <string.h>

#include "layout_parts.h"
#include "base/utf8.h"
#include "expr/expr.h"

/*
 * FRONT_MAX: larger frontmatter is data, and is not parsed. VALUE_MAX, ICON_MAX: limits of the API
 * for the value of a variable and for an icon, in characters.
 */
enum { FRONT_MAX = 64 * 1024, VALUE_MAX = 256, ICON_MAX = 50 };

/* ---- properties ----------------------------------------------------------- */

/* The properties that the source sets, and no others. */
struct props {
	struct arena     *arena;
	struct json       j;
	struct page_file *out;
	size_t            base;  /* line in the file before the first line of YAML */
	struct str        condition;       /* text after "if:"; n 0: none */
	size_t            condition_line;
};

/* Report only the first fault of a file: struct page_file holds one. */
static void
warn_once(struct props *p, const struct yaml *y, const char *message)
{
	if (p->out->warning != NULL)
		return;
	p->out->warning = message;
	p->out->warning_line = p->base + y->line;
}

/* The text of any scalar as it was typed: a description may look like a number or a date. */
static const char *
scalar_text(struct props *p, const struct yaml *y, const char *what)
{
	struct str s;

	if (yaml_is_null(y))
		return NULL;
	if (y->kind != YAML_SCALAR) {
		warn_once(p, y, arena_printf(p->arena, "%s is not plain text and is left out", what));
		return NULL;
	}
	s = layout_trim(y->text);
	return s.n == 0 ? NULL : arena_strndup(p->arena, s.p, s.n);
}

static void
put_text(struct props *p, const struct yaml *root, const char *key)
{
	const char *s = scalar_text(p, yaml_get(root, key), key);

	if (s != NULL)
		json_kstr(&p->j, key, s);
}

/*
 * A condition that cannot be read hides the page: otherwise everybody would see it. It is the value
 * that YAML read or, without one, the raw text, since YAML reads "if: !visitor.claims.a" as a tag
 * without a value, and rejects "a ? b : c". If both are empty, there is no condition. A list or a map
 * is no condition, and a fault.
 */
static void
put_condition(struct props *p, const struct yaml *root)
{
	const struct yaml typed = { .kind = YAML_SCALAR, .line = p->condition_line }, *y = yaml_get(root, "if");
	struct str s = { NULL, 0 };
	const char *error = "it is not plain text";

	if (y != NULL && y->kind == YAML_SCALAR && !yaml_is_null(y))
		s = layout_trim(y->text);
	if (s.n == 0 && (yaml_is_null(y) || y->kind == YAML_SCALAR)) {
		s = p->condition;
		y = &typed;
	}
	if (s.n == 0 && y->kind == YAML_SCALAR)
		return;
	if (s.n == 0 || expr_parse(p->arena, s, &error) == NULL) {
		p->out->condition_fault = error;
		warn_once(p, y, arena_printf(p->arena, "if is not a valid expression, so the page is hidden: %s", error));
	}
	/* A faulty text is kept for its author, if the column can hold it: "false" hides the page as well. */
	json_kstrn(&p->j, "condition", s.n == 0 || utf8_count(s) > EXPR_MAX ? STR("false") : s);
}

/* Writes only true: false is the default of the API, and props contain only what the source sets. */
static void
put_flag(struct props *p, const struct yaml *root, const char *key)
{
	const struct yaml *y = yaml_get(root, key);
	bool value;

	if (yaml_bool(y, &value)) {
		if (value)
			json_kbool(&p->j, key, true);
	} else if (!yaml_is_null(y)) {
		warn_once(p, y, arena_printf(p->arena, "%s is neither true nor false and is left out", key));
	}
}

/* Names of icons are not checked: octavo-site has the icons, and shows none for an unknown name. */
static void
put_icon(struct props *p, const struct yaml *root)
{
	const struct yaml *y = yaml_get(root, "icon");
	const char *s = scalar_text(p, y, "icon");

	/* Accept Font Awesome's class as a name. */
	if (s != NULL && strncmp(s, "fa-", 3) == 0)
		s += 3;
	if (s == NULL || *s == '\0')
		return;
	if (utf8_count(str_of(s)) > ICON_MAX)
		warn_once(p, y, "icon is no name of an icon and is left out");
	else
		json_kstr(&p->j, "icon", s);
}

/* A number of the cover; false, with a warning, for anything else. */
static bool
scalar_number(struct props *p, const struct yaml *y, const char *what, double *value)
{
	if (yaml_is_null(y))
		return false;
	if (yaml_number(y, value))
		return true;
	warn_once(p, y, arena_printf(p->arena, "%s is not a number and is left out", what));
	return false;
}

/*
 * Keeps the spelling of the image, which the import resolves to a file. Position and height are
 * written only with an image.
 */
static void
put_cover(struct props *p, const struct yaml *root)
{
	const struct yaml *height = yaml_get(root, "coverHeight");
	const char *ref = scalar_text(p, yaml_get(root, "cover"), "cover");
	const char *dark = scalar_text(p, yaml_get(root, "coverDark"), "coverDark");
	double y = 0, h;

	if (ref == NULL && dark == NULL)
		return;
	json_kobj(&p->j, "cover");
	if (ref != NULL)
		json_kstr(&p->j, "ref", ref);
	if (dark != NULL)
		json_kstr(&p->j, "refDark", dark);
	if (!scalar_number(p, yaml_get(root, "coverY"), "coverY", &y))
		y = 0;
	json_key(&p->j, "yPos");
	json_num(&p->j, y);
	if (scalar_number(p, height, "coverHeight", &h)) {
		/*
		 * Limits of layout 5.2. A value outside is clamped, which is closer to the author's
		 * intent than the default.
		 */
		if (h < 10 || h > 700)
			warn_once(p, height, "coverHeight is not between 10 and 700; the nearest of these values is used");
		json_key(&p->j, "height");
		json_num(&p->j, h < 10 ? 10 : h > 700 ? 700 : h);
	}
	json_end(&p->j);
}

/* Writes a word that the API allows; ignores any other. */
static void
put_word(struct props *p, const struct yaml *y, const char *name, const char *const *words)
{
	const char *s = scalar_text(p, y, name);

	if (s == NULL)
		return;
	for (; *words != NULL; words++) {
		if (strcmp(s, *words) == 0) {
			json_kstr(&p->j, name, s);
			return;
		}
	}
	warn_once(p, y, arena_printf(p->arena, "layout: %s \"%s\" is not known and is left out", name,
	    layout_clip(p->arena, s, 40)));
}

/* Reads "title: {visible: true}" or "title: true". */
static void
put_visible(struct props *p, const struct yaml *layout, const char *name)
{
	const struct yaml *y = yaml_get(layout, name);
	bool value;

	if (y != NULL && y->kind == YAML_MAP)
		y = yaml_get(y, "visible");
	if (yaml_bool(y, &value))
		json_kbool(&p->j, name, value);
	else if (!yaml_is_null(y))
		warn_once(p, y, arena_printf(p->arena, "layout: %s is neither visible nor not", name));
}

/*
 * Writes the members of `layout` that are set; absent ones have the defaults of the API. A `layout`
 * that is a plain word is ignored, since it belongs to another tool.
 */
static void
put_layout(struct props *p, const struct yaml *root)
{
	static const char *const widths[] = { "default", "wide", NULL };
	static const char *const sizes[] = { "hero", "full", "background", NULL };
	static const char *const masks[] = { "none", "radial", NULL };
	static const char *const parts[] = { "cover", "title", "description", "tableOfContents",
		"outline", "pagination", "metadata", "tags", "actions", "anchors" };
	const struct yaml *layout = yaml_get(root, "layout"), *cover;
	size_t i;

	if (layout == NULL || layout->kind != YAML_MAP)
		return;
	cover = yaml_get(layout, "cover");
	json_kobj(&p->j, "layout");
	put_word(p, yaml_get(layout, "width"), "width", widths);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		put_visible(p, layout, parts[i]);
	put_word(p, yaml_get(cover, "size"), "coverSize", sizes);
	put_word(p, yaml_get(cover, "mask"), "coverMask", masks);
	json_end(&p->j);
}

/* Reads "- slug" or "- tag: slug". A repeated tag is written once, because the API identifies tags by slug. */
static void
put_tag(struct props *p, const struct yaml *y, struct map *seen)
{
	const struct yaml *name = y->kind == YAML_MAP ? yaml_get(y, "tag") : y;
	const char *slug = name == NULL ? NULL : scalar_text(p, name, "tag");
	bool primary = false;

	if (slug == NULL || !map_add(seen, str_of(slug), NULL))
		return;
	json_obj(&p->j);
	json_kobj(&p->j, "tag");
	json_kstr(&p->j, "kind", "tag");
	json_kstr(&p->j, "tag", slug);
	json_end(&p->j);
	if (yaml_bool(yaml_get(y, "primary"), &primary) && primary)
		json_kbool(&p->j, "primary", true);
	json_end(&p->j);
}

/* Reads a list of tags, or a single tag. */
static void
put_tags(struct props *p, const struct yaml *root)
{
	const struct yaml *tags = yaml_get(root, "tags"), *y;
	struct map *seen = map_new(p->arena);

	if (yaml_is_null(tags))
		return;
	json_karr(&p->j, "tags");
	if (tags->kind == YAML_LIST)
		for (y = tags->first; y != NULL; y = y->next)
			put_tag(p, y, seen);
	else
		put_tag(p, tags, seen);
	json_end(&p->j);
}

/* The rules of .gitbook/vars.yaml apply (layout 2.5). The YAML parser has dropped repeated keys. */
static void
put_variables(struct props *p, const struct yaml *root)
{
	const struct yaml *vars = yaml_get(root, "vars"), *y;

	if (yaml_is_null(vars))
		return;
	if (vars->kind != YAML_MAP) {
		warn_once(p, vars, "vars is not a map and is left out");
		return;
	}
	json_kobj(&p->j, "variables");
	for (y = vars->first; y != NULL; y = y->next) {
		if (!layout_variable_name(y->key))
			warn_once(p, y, "vars: a name is a letter, then letters, digits and _; left out");
		else if (y->kind != YAML_SCALAR || utf8_count(y->text) > VALUE_MAX)
			warn_once(p, y, "vars: a value is plain text of up to 256 characters; left out");
		else
			json_kstrn(&p->j, arena_strndup(p->arena, y->key.p, y->key.n), y->text);
	}
	json_end(&p->j);
}

/* Use a fixed order, so that two versions of a page with equal properties have equal bytes. */
static void
put_properties(struct props *p, const struct yaml *root)
{
	put_text(p, root, "description");
	put_icon(p, root);
	put_flag(p, root, "hidden");
	put_flag(p, root, "noIndex");
	put_flag(p, root, "noRobotsIndex");
	put_cover(p, root);
	put_layout(p, root);
	put_tags(p, root);
	put_variables(p, root);
	put_condition(p, root);
}

/* ---- the parts of a file -------------------------------------------------- */

/* True for a line that consists of the three characters of `fence` and trailing blanks. */
static bool
is_fence(struct str text, const struct layout_line *l, const char *fence)
{
	struct str s = str_slice(text, l->start, l->end);

	return str_starts(s, fence) && layout_trim(str_slice(s, 3, s.n)).n == 0;
}

/*
 * True if the first meaningful line is "key:", as in frontmatter but rarely in prose. Markers of
 * merge conflicts are skipped.
 */
static bool
looks_like_yaml(struct str yaml)
{
	struct layout_line l;
	size_t at = 0;

	for (; layout_line_at(yaml, at, &l); at = l.next) {
		struct str s = layout_trim(str_slice(yaml, l.start, l.end));
		size_t i = 0;

		if (s.n == 0 || s.p[0] == '#' || str_starts(s, "<<<<<<<"))
			continue;
		while (i < s.n && (isalnum((unsigned char)s.p[i]) || strchr("\"'_-.", s.p[i]) != NULL))
			i++;
		return i > 0 && i < s.n && s.p[i] == ':' && (i + 1 == s.n || s.p[i + 1] == ' ' || s.p[i + 1] == '\t');
	}
	return false;
}

/*
 * Records the text after an "if:" at the beginning of a line, unless it is empty. Returns where
 * that line begins.
 */
static size_t
find_condition(struct props *p, struct str yaml)
{
	struct layout_line l;
	struct str s;
	size_t i, n = 0;

	for (i = 0; layout_line_at(yaml, i, &l); i = l.next) {
		n++;
		s = str_slice(yaml, l.start, l.end);
		if (!str_starts(s, "if:"))
			continue;
		s = layout_trim(str_slice(s, 3, s.n));
		if (s.n > 1 && (s.p[0] == '\'' || s.p[0] == '"') && s.p[s.n - 1] == s.p[0])
			s = layout_trim(str_slice(s, 1, s.n - 1));
		if (s.n > 0 && s.p[0] != '#' && !str_is(s, "~") && !str_is(s, "null"))
			p->condition = s;
		p->condition_line = n;
		return l.start;
	}
	return 0;
}

/* The YAML with the line at `at` commented out. */
static struct str
comment_out_line(struct arena *a, struct str yaml, size_t at)
{
	char *s = arena_strndup(a, yaml.p, yaml.n);

	s[at] = '#';
	return (struct str){ s, yaml.n };
}

/*
 * Parses frontmatter between two lines of ---. False if it is not meant as frontmatter, such as
 * prose between two dividers. *root: the parsed map; NULL if it is empty or damaged.
 */
static bool
parse_frontmatter(struct props *p, struct str yaml, struct yaml **root)
{
	const char *error = NULL;
	size_t line = 0, repeated = 0, at = find_condition(p, yaml);

	*root = NULL;
	if (yaml.n > FRONT_MAX) {
		error = "too large";
	} else if (yaml_parse(p->arena, yaml, &yaml_limits_settings, root, &repeated, &error, &line) ||
	    (p->condition.n > 0 && yaml_parse(p->arena, comment_out_line(p->arena, yaml, at), &yaml_limits_settings, root,
	    &repeated, &error, &line))) {
		/* Prose between dividers parses as a scalar: it belongs to the body. */
		if (*root != NULL && (*root)->kind != YAML_MAP) {
			p->condition.n = 0;
			return false;
		}
		if (repeated != 0) {
			p->out->warning = "a key of the frontmatter occurs twice; the first counts";
			p->out->warning_line = p->base + repeated;
		}
		return true;
	}
	/*
	 * Prose that is no valid YAML belongs to the body, too: only text that was meant as
	 * frontmatter is hidden.
	 */
	if (!looks_like_yaml(yaml)) {
		p->condition.n = 0;
		return false;
	}
	p->out->warning = arena_printf(p->arena, "frontmatter cannot be read and is ignored: %s", error);
	p->out->warning_line = p->base + (line == 0 ? 1 : line);
	return true;
}

/* Position after the frontmatter; `at` if there is none. *root: as in parse_frontmatter(). */
static size_t
skip_frontmatter(struct props *p, struct str text, size_t at, struct yaml **root)
{
	struct layout_line open, l;
	size_t i;

	*root = NULL;
	if (!layout_line_at(text, at, &open) || !is_fence(text, &open, "---"))
		return at;
	/*
	 * The first closing line ends it, as in all parsers of frontmatter; without one there is no
	 * frontmatter.
	 */
	for (i = open.next; layout_line_at(text, i, &l); i = l.next) {
		if (is_fence(text, &l, "---") || is_fence(text, &l, "..."))
			return parse_frontmatter(p, str_slice(text, open.next, l.start), root) ? l.next : at;
	}
	return at;
}

/* Position after the blank lines at `at`. */
static size_t
skip_blank(struct str text, size_t at)
{
	struct layout_line l;

	while (layout_line_at(text, at, &l) && layout_trim(str_slice(text, l.start, l.end)).n == 0)
		at = l.next;
	return at;
}

/* Reads "# Title #"; false if the line is no such heading. */
static bool
atx_title(struct str line, struct str *title)
{
	struct str s;
	size_t end;

	s = layout_trim(line);
	/*
	 * Four spaces make it code (CommonMark, "ATX headings"); "##" is a heading of the body
	 * (layout 5.3).
	 */
	if (s.p - line.p > 3 || s.n == 0 || s.p[0] != '#')
		return false;
	if (s.n > 1 && s.p[1] != ' ' && s.p[1] != '\t')
		return false;
	s = layout_trim(str_slice(s, 1, s.n));
	end = s.n;
	while (end > 0 && s.p[end - 1] == '#')
		end--;
	/* Closing # count only after a blank: "C#" keeps its sign. */
	if (end == 0 || (end < s.n && (s.p[end - 1] == ' ' || s.p[end - 1] == '\t')))
		s = layout_trim(str_slice(s, 0, end));
	*title = s;
	return true;
}

/* Reads a line of text that a line of = underlines as a title, unless the text begins another block. */
static bool
setext_title(struct str text, const struct layout_line *l, struct str *title, size_t *next)
{
	struct str s = layout_trim(str_slice(text, l->start, l->end)), under;
	struct layout_line l2;
	size_t i = 0;

	if (s.n == 0 || strchr("#>-*+|`~<{", s.p[0]) != NULL || text.p[l->start] == '\t'
	    || !layout_line_at(text, l->next, &l2))
		return false;
	under = layout_trim(str_slice(text, l2.start, l2.end));
	while (i < under.n && under.p[i] == '=')
		i++;
	if (i == 0 || i != under.n)
		return false;
	*title = s;
	*next = l2.next;
	return true;
}

/* Position after a leading title, which is stored in *out. */
static size_t
skip_title(struct arena *a, struct str text, size_t at, struct page_file *out)
{
	struct layout_inline in;
	struct layout_line l;
	struct str title;
	size_t next;

	if (!layout_line_at(text, at, &l))
		return at;
	next = l.next;
	if (!atx_title(str_slice(text, l.start, l.end), &title)
	    && !setext_title(text, &l, &title, &next))
		return at;
	layout_inline_parse(a, title, &in);
	/* An empty heading is removed, too: it shows nothing. */
	out->h1 = *in.text == '\0' ? NULL : in.text;
	out->h1_id = in.anchor;
	return skip_blank(text, next);
}

/*
 * True for a comment in the form of a link definition, `[//]: # (text)` or `[comment]: <> (text)`.
 * No link uses these labels, so the body does not need it.
 */
static bool
defined_comment(struct str line)
{
	static const char *const begins[] = { "[//]: #", "[//]: <>", "[comment]: #", "[comment]: <>" };
	size_t n;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		n = strlen(begins[i]);
		if (str_starts(line, begins[i]) && (line.n == n || line.p[n] == ' ' || line.p[n] == '\t'))
			return true;
	}
	return false;
}

/* Position after a comment at `at` that fills whole lines; `at` if there is none. */
static size_t
skip_comment(struct str text, size_t at)
{
	struct layout_line l;
	const char *end;
	size_t from = at;

	while (from < text.n && from - at < 3 && text.p[from] == ' ')
		from++;
	if (layout_line_at(text, from, &l) && defined_comment(layout_trim(str_slice(text, from, l.end))))
		return l.next;
	if (!str_starts(str_slice(text, from, text.n), "<!--"))
		return at;
	/* Search from the dashes of "<!--": in CommonMark "<!-->" is a whole comment. */
	end = memmem(text.p + from + 2, text.n - from - 2, "-->", 3);
	if (end == NULL || !layout_line_at(text, (size_t)(end + 3 - text.p), &l) ||
	    layout_trim(str_slice(text, (size_t)(end + 3 - text.p), l.end)).n > 0)
		return at;
	return l.next;
}

/*
 * Position after comments and the title that follows them. Comments without a title after them
 * belong to the body.
 */
static size_t
skip_comments_and_title(struct arena *a, struct str text, size_t at, struct page_file *out)
{
	size_t from = at, next, end;

	/* Comments of linters and licences may precede the heading: they stay in the front. */
	while ((next = skip_blank(text, skip_comment(text, from))) > from)
		from = next;
	end = skip_title(a, text, from, out);
	return end > from ? end : at;
}

/* `at` is the start of a line. */
static size_t
count_lines_before(struct str text, size_t at)
{
	struct layout_line l;
	size_t n = 0, i = 0;

	for (; i < at && layout_line_at(text, i, &l); i = l.next)
		n++;
	return n;
}

/* Warns, once for a file, about bytes that are not UTF-8. */
static void
check_encoding(struct page_file *out, struct str bytes)
{
	if (out->warning != NULL || utf8_valid(bytes))
		return;
	out->warning = str_starts(bytes, "\xFF\xFE") || str_starts(bytes, "\xFE\xFF")
	    ? "the file is UTF-16, not UTF-8; its text cannot be shown"
	    : "the file is not valid UTF-8; the bytes at fault are shown as U+FFFD";
	out->warning_line = 0;
}

/*
 * Splits the file and reads its properties, in the order of layout 5.1; each step begins where the
 * last one ended. page: comments and title are split off, too.
 */
static void
split_file(struct arena *a, struct str bytes, bool page, struct page_file *out)
{
	struct props p = { .arena = a, .out = out, .base = 1 };
	struct yaml *root;
	struct buf json;
	struct str t;
	size_t at;

	*out = (struct page_file){ 0 };
	at = skip_frontmatter(&p, bytes, layout_bom(bytes), &root);
	/* Blank lines after the frontmatter belong to it, so that an edit of the heading keeps them. */
	at = out->matter = skip_blank(bytes, at);
	if (page)
		at = skip_comments_and_title(a, bytes, at, out);
	out->front = str_slice(bytes, 0, at);
	out->body = str_slice(bytes, at, bytes.n);
	/* Lines are counted from the beginning of the file, so that authors find the lines that warnings name. */
	out->body_line = count_lines_before(bytes, at) + 1;
	/* Upper bounds: six bytes of JSON for one of text, and about 40 more for a tag. */
	buf_init(&json, a, yaml_limits_settings.text * 8 + yaml_limits_settings.nodes * 64);
	json_init(&p.j, &json);
	json_obj(&p.j);
	if (root != NULL)
		put_properties(&p, root);
	else
		put_condition(&p, NULL);
	json_end(&p.j);
	out->props = json.p;
	t = layout_trim(str_of(yaml_text(yaml_get(root, "title"))));
	out->title = t.n == 0 ? NULL : arena_strndup(a, t.p, t.n);
	check_encoding(out, bytes);
}

void
page_file_split(struct arena *a, struct str bytes, struct page_file *out)
{
	split_file(a, bytes, true, out);
}

/* The title stays in the body: reusable content has none, so a heading is part of its text (layout 6). */
void
include_file_split(struct arena *a, struct str bytes, struct page_file *out)
{
	split_file(a, bytes, false, out);
}
