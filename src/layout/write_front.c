/*
 * Writes heading and frontmatter as edits of the existing bytes (write.h). The key of a property
 * begins in the first column of the frontmatter, and its value extends to the next line that begins
 * with a key. These lines are replaced, and all others stay. The result is parsed again; if it does
 * not have the wanted properties, because the frontmatter has an unusual form, a fault is reported.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "layout_parts.h"

/*
 * FOLD: longer texts are folded, to lines of this length, as the published service does it.
 * FRONT_BYTES: room for additions; frontmatter beyond FRONT_MAX would not be read again.
 */
enum { FOLD = 80, FRONT_BYTES = 1 << 20 };

/* In the order in which the published service writes them (layout 5). */
static const struct {
	const char *key;     /* in the frontmatter */
	const char *name;    /* member of the properties; NULL: of the cover */
	char        kind;    /* s text, f flag, y h c d of the cover, l layout, t tags, v variables */
} keys[] = {
	{ "description", "description", 's' }, { "hidden", "hidden", 'f' }, { "noIndex", "noIndex", 'f' },
	{ "noRobotsIndex", "noRobotsIndex", 'f' }, { "icon", "icon", 's' }, { "cover", NULL, 'c' },
	{ "coverDark", NULL, 'd' }, { "coverY", NULL, 'y' }, { "coverHeight", NULL, 'h' },
	{ "layout", "layout", 'l' }, { "tags", "tags", 't' }, { "vars", "variables", 'v' },
	{ "if", "condition", 's' },
};
enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

/* ---- scalars ---- */

/* True if the text can be written with ">-": one line, single spaces, none at its ends. */
static bool
can_fold(const char *s)
{
	return *s != '\0' && *s != ' ' && s[strlen(s) - 1] != ' ' && strstr(s, "  ") == NULL && yaml_bare(s);
}

/*
 * Writes the text with ">-", which reads line ends as spaces and drops the last one. A word longer
 * than a line stays whole.
 */
static void
write_folded(struct buf *out, const char *s)
{
	size_t column = 0, n;

	buf_str(out, ">-");
	for (; *s != '\0'; s += n + (s[n] == ' ')) {
		n = strcspn(s, " ");
		if (column == 0 || column + 1 + n > FOLD) {
			buf_str(out, "\n  ");
			column = 2;
		} else {
			buf_char(out, ' ');
			column++;
		}
		buf_add(out, s, n);
		column += n;
	}
}

/*
 * Writes the text without quotes, folded or in quotes, whichever is possible first: this order is
 * the most readable.
 */
static void
write_scalar(struct buf *out, const char *s)
{
	if (yaml_plain(s) && strlen(s) < FOLD)
		buf_str(out, s);
	else if (can_fold(s) && strlen(s) >= FOLD)
		write_folded(out, s);
	else
		yaml_quoted(out, s);
}

/* ---- properties ---- */

/* NULL also if props is not an object. */
static const cJSON *
prop_member(const cJSON *props, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(props, name);
}

/*
 * Turns the flat properties of the API into the nested ones of the file. `cover` is a flag in the
 * API and a map with three members in the file.
 */
static void
put_layout(struct buf *out, const cJSON *layout)
{
	static const char *const parts[] = { "title", "description", "tableOfContents", "outline", "pagination",
		"metadata", "tags", "actions", "anchors" };
	const cJSON *width = prop_member(layout, "width"), *cover = prop_member(layout, "cover"), *v;
	const char *size = cJSON_GetStringValue(prop_member(layout, "coverSize"));
	const char *mask = cJSON_GetStringValue(prop_member(layout, "coverMask"));
	size_t i;

	buf_str(out, "layout:\n");
	if (cJSON_IsString(width))
		buf_printf(out, "  width: %s\n", width->valuestring);
	if (cJSON_IsBool(cover) || size != NULL || mask != NULL)
		buf_str(out, "  cover:\n");
	if (cJSON_IsBool(cover))
		buf_printf(out, "    visible: %s\n", cJSON_IsTrue(cover) ? "true" : "false");
	if (size != NULL)
		buf_printf(out, "    size: %s\n", size);
	if (mask != NULL)
		buf_printf(out, "    mask: %s\n", mask);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (cJSON_IsBool(v = prop_member(layout, parts[i])))
			buf_printf(out, "  %s:\n    visible: %s\n", parts[i], cJSON_IsTrue(v) ? "true" : "false");
}

static void
put_tags(struct buf *out, const cJSON *tags)
{
	const cJSON *v;
	const char *slug;

	buf_str(out, "tags:\n");
	cJSON_ArrayForEach(v, tags) {
		if ((slug = cJSON_GetStringValue(prop_member(prop_member(v, "tag"), "tag"))) == NULL)
			continue;
		buf_str(out, cJSON_IsTrue(prop_member(v, "primary")) ? "  - tag: " : "  - ");
		write_scalar(out, slug);
		buf_str(out, cJSON_IsTrue(prop_member(v, "primary")) ? "\n    primary: true\n" : "\n");
	}
}

/* Names are letters, digits and _ (layout_variable_name()), so they need no quotes. */
static void
put_variables(struct buf *out, const cJSON *vars)
{
	const cJSON *v;

	buf_str(out, "vars:\n");
	cJSON_ArrayForEach(v, vars) {
		if (!cJSON_IsString(v))
			continue;
		buf_printf(out, "  %s: ", v->string);
		/* The value is never folded, because runs of spaces and line ends must be kept. */
		(yaml_plain(v->valuestring) ? buf_str : yaml_quoted)(out, v->valuestring);
		buf_char(out, '\n');
	}
}

/* Writes nothing for an empty text: readers take it for no value. */
static void
put_text(struct buf *out, const char *key, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	buf_printf(out, "%s: ", key);
	write_scalar(out, text);
	buf_char(out, '\n');
}

static void
put_number(struct buf *out, const char *key, const cJSON *v)
{
	struct json j;

	if (!cJSON_IsNumber(v))
		return;
	buf_printf(out, "%s: ", key);
	json_init(&j, out);
	json_num(&j, v->valuedouble);
	buf_char(out, '\n');
}

/* Write the lines of one key; nothing if the properties lack it. */
static void
put_key(struct buf *out, size_t k, const struct front_edit *e, const cJSON *props)
{
	const cJSON *v = keys[k].name == NULL ? prop_member(props, "cover") : prop_member(props, keys[k].name);

	switch (keys[k].kind) {
	case 's': put_text(out, keys[k].key, cJSON_GetStringValue(v)); break;
	case 'f':
		if (cJSON_IsTrue(v))
			buf_printf(out, "%s: true\n", keys[k].key);
		break;
	case 'c': put_text(out, keys[k].key, e->cover); break;
	case 'd': put_text(out, keys[k].key, e->cover_dark); break;
	case 'y':
		/* The properties always contain a position, which has no effect without an image. */
		if (e->cover != NULL || e->cover_dark != NULL)
			put_number(out, keys[k].key, prop_member(v, "yPos"));
		break;
	case 'h': put_number(out, keys[k].key, prop_member(v, "height")); break;
	case 'l':
		if (cJSON_IsObject(v) && v->child != NULL)
			put_layout(out, v);
		break;
	case 't':
		if (cJSON_GetArraySize(v) > 0)
			put_tags(out, v);
		break;
	case 'v':
		if (cJSON_GetArraySize(v) > 0)
			put_variables(out, v);
		break;
	default: break;
	}
}

/*
 * True if the key must be written again. For the cover the caller decides: its spelling depends on
 * the folder of the file.
 */
static bool
key_differs(size_t k, const struct front_edit *e, const cJSON *old, const cJSON *now)
{
	const cJSON *x, *y;

	if (keys[k].name == NULL)
		return e->new_cover;
	x = prop_member(old, keys[k].name);
	y = prop_member(now, keys[k].name);
	return x == NULL || y == NULL ? x != y : !cJSON_Compare(x, y, true);
}

/* ---- the frontmatter's lines ---- */

/* Range of a key's lines in the YAML; from == to if it is missing. */
static void
find_key(struct str yaml, const char *key, size_t *from, size_t *to)
{
	struct layout_line l;
	size_t at, n = strlen(key);
	bool in = false;

	*from = *to = yaml.n;
	for (at = 0; layout_line_at(yaml, at, &l); at = l.next) {
		struct str s = str_slice(yaml, l.start, l.end);
		bool edge = s.n > 0 && strchr(" \t#", s.p[0]) == NULL && !str_starts(s, "- ") && !str_is(s, "-");
		if (in && (edge || (s.n > 0 && s.p[0] == '#')))
			break;
		/* Blank lines after the value belong to the next key: keep them. */
		if (in && layout_trim(s).n > 0)
			*to = l.next;
		if (!in && edge && str_starts(s, key) && s.n > n && s.p[n] == ':') {
			in = true;
			*from = l.start;
			*to = l.next;
		}
	}
}

/* Position after the last existing key that comes before this one in the fixed order; else the end. */
static size_t
key_position(struct str yaml, size_t k)
{
	size_t from, to, i;

	for (i = k; i-- > 0;) {
		find_key(yaml, keys[i].key, &from, &to);
		if (from < to)
			return to;
	}
	for (i = k + 1; i < KEYS; i++) {
		find_key(yaml, keys[i].key, &from, &to);
		if (from < to)
			return from;
	}
	return yaml.n;
}

/* Replace a key's lines, or remove them if the properties no longer have it. */
static struct str
edit_key(struct arena *a, struct str yaml, size_t k, const struct front_edit *e, const cJSON *props)
{
	struct buf b;
	size_t from, to;

	find_key(yaml, keys[k].key, &from, &to);
	if (from == to)
		from = to = key_position(yaml, k);
	buf_init(&b, a, FRONT_BYTES);
	buf_put(&b, str_slice(yaml, 0, from));
	/* The last line may lack its line end. */
	if (b.n > 0 && b.p[b.n - 1] != '\n')
		buf_char(&b, '\n');
	put_key(&b, k, e, props);
	buf_put(&b, str_slice(yaml, to, yaml.n));
	return buf_view(&b);
}

/*
 * The parts of the frontmatter: opening fence, YAML, closing fence with the blank lines after it.
 */
struct matter {
	struct str open, yaml, close;
};

/* Splits what page_file_split() has found to be frontmatter into its parts. */
static void
split_matter(struct str matter, struct matter *m)
{
	size_t at = layout_bom(matter), end = 0;
	struct layout_line l, open;

	/* Without frontmatter a byte order mark is kept. */
	*m = (struct matter){ str_slice(matter, 0, at), { "", 0 }, { "", 0 } };
	if (!layout_line_at(matter, at, &open) || !str_starts(str_slice(matter, open.start, open.end), "---"))
		return;
	for (at = open.next; layout_line_at(matter, at, &l); at = l.next) {
		struct str s = str_slice(matter, l.start, l.end);
		if (str_starts(s, "---") || str_starts(s, "..."))
			break;
		end = l.next;
	}
	/* The frontmatter may be empty. */
	end = end < open.next ? open.next : end;
	m->open = str_slice(matter, 0, open.next);
	m->yaml = str_slice(matter, open.next, end);
	m->close = str_slice(matter, end, matter.n);
}

/*
 * Replaces the keys that differ. If none does, returns the same bytes, so that an unchanged file
 * stays unchanged.
 */
static struct str
write_matter(struct arena *a, struct str old, const struct front_edit *e, const cJSON *before, const cJSON *props)
{
	struct matter m;
	struct str yaml;
	struct buf b;
	size_t k, bom = layout_bom(old);

	split_matter(old, &m);
	yaml = m.yaml;
	for (k = 0; k < KEYS; k++)
		if (key_differs(k, e, before, props))
			yaml = edit_key(a, yaml, k, e, props);
	if (str_eq(yaml, m.yaml))
		return old;
	buf_init(&b, a, FRONT_BYTES + old.n);
	/* The last key is gone: drop the empty fences. */
	if (layout_trim(yaml).n == 0) {
		buf_put(&b, str_slice(old, 0, bom));
		return b.n == 0 ? STR("") : buf_view(&b);
	}
	buf_put(&b, m.open);
	if (m.open.n == bom)
		buf_str(&b, "---\n");
	buf_put(&b, yaml);
	if (m.close.n > 0)
		buf_put(&b, m.close);
	else
		buf_str(&b, "---\n\n");
	return buf_view(&b);
}

/* ---- the heading ---- */

/* Replaces the heading, which has one or two lines. Comments before it and blank lines after it stay. */
static void
write_title(struct buf *out, struct arena *a, struct str rest, const char *title)
{
	struct layout_line l;
	struct page_file f;
	struct str tail;
	size_t at = 0, start = 0, next;

	/* Find where the heading begins: it is the last lines that are not blank. */
	for (; layout_line_at(rest, at, &l); at = l.next) {
		/*
		 * The parser decides: split the rest from this line on, and see whether it is only
		 * a heading.
		 */
		page_file_split(a, str_slice(rest, l.start, rest.n), &f);
		/* Inside a comment the split finds no heading, but it may do so from a later line. */
		if (f.h1 != NULL && f.body.p == rest.p + rest.n)
			start = l.start;
	}
	buf_put(out, str_slice(rest, 0, start));
	heading_write(out, title);
	tail = str_slice(rest, start, rest.n);
	next = 0;
	/* An underlined heading has two lines. */
	if (layout_line_at(tail, 0, &l)) {
		/* Keep the line end: it may be \r\n. */
		next = l.end;
		if (layout_trim(str_slice(tail, 0, l.end)).p[0] != '#' && layout_line_at(tail, l.next, &l))
			next = l.end;
	}
	buf_put(out, str_slice(tail, next, tail.n));
}

/* Returns the properties; an empty object if json is NULL or invalid. */
static const cJSON *
parse_props(const char *json)
{
	const cJSON *v = json == NULL ? NULL : cJSON_Parse(json);

	return v != NULL ? v : cJSON_CreateObject();
}

/* NULL if the frontmatter parses to the wanted properties, without regard to the cover; else the fault. */
static const char *
check_front(struct arena *a, struct str front, const cJSON *props, const struct front_edit *e, const cJSON *before)
{
	struct page_file f;
	const cJSON *now;
	size_t k;

	page_file_split(a, front, &f);
	now = parse_props(f.props);
	for (k = 0; k < KEYS; k++)
		if (keys[k].name != NULL && key_differs(k, e, before, props) && key_differs(k, e, now, props))
			return arena_printf(a, "%s cannot be written into this frontmatter", keys[k].key);
	return NULL;
}

/* Edits frontmatter and heading, each only if it differs. */
struct str
front_write(struct arena *a, const struct front_edit *e, const char **fault)
{
	struct arena *outer = json_arena(a);
	const cJSON *before, *props;
	struct page_file f;
	struct str matter, rest;
	struct buf out;

	before = parse_props(e->old_props);
	props = parse_props(e->props);
	*fault = NULL;
	page_file_split(a, e->old, &f);
	matter = write_matter(a, str_slice(e->old, 0, f.matter), e, before, props);
	/* Comments, heading and the blank lines after them. */
	rest = str_slice(e->old, f.matter, e->old.n);
	buf_init(&out, a, FRONT_BYTES * 2 + e->old.n);
	/* buf_view() must not be NULL, even if nothing is written. */
	buf_str(&out, "");
	buf_put(&out, matter);
	if (e->old_title == NULL) {
		heading_write(&out, e->title);
		buf_str(&out, "\n\n");
	} else if (f.h1 != NULL && strcmp(e->old_title, e->title) != 0) {
		write_title(&out, a, rest, e->title);
	} else {
		buf_put(&out, rest);
	}
	*fault = check_front(a, buf_view(&out), props, e, before);
	json_arena(outer);
	return out.n == 0 ? STR("") : buf_view(&out);
}
