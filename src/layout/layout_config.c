/*
 * Reads .gitbook.yaml, book.json, redirects, vars.yaml and tags.yaml ("layout 2" is section 2 of
 * include/layout/rules.md). Invalid settings do not fail an import: they are ignored, with a
 * warning.
 */
#include <ctype.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "layout_parts.h"
#include "base/mapped.h"
#include "base/scan.h"
#include "base/url.h"
#include "base/utf8.h"

/* Limits in characters, as in the API. */
enum { VALUE_MAX = 256, LABEL_MAX = 256 };

/*
 * Removes zero-width characters everywhere and blanks at both ends: many users copied settings from
 * a web page that contained such characters (layout 2.3).
 */
static struct str
strip_invisible(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, s.n);
	for (i = 0; i < s.n; i++) {
		struct str rest = str_slice(s, i, s.n);

		if (str_starts(rest, "\xE2\x80\x8B") || str_starts(rest, "\xE2\x80\x8C")
		    || str_starts(rest, "\xEF\xBB\xBF"))
			/* All three characters have three bytes. */
			i += 2;
		else
			buf_char(&b, s.p[i]);
	}
	return layout_trim(buf_view(&b));
}

/* yaml_get() that ignores zero-width characters around the key. */
static struct yaml *
get_setting(struct arena *a, const struct yaml *m, const char *key)
{
	struct yaml *y = m != NULL && m->kind == YAML_MAP ? m->first : NULL;

	while (y != NULL && !str_is(strip_invisible(a, y->key), key))
		y = y->next;
	return y;
}

/*
 * Path that a setting gives, relative to a directory; NULL if unset. A path that climbs out is
 * reported.
 */
static const char *
path_setting(struct arena *a, const struct yaml *m, const char *key, struct layout_config *out)
{
	const struct yaml *y = get_setting(a, m, key);
	const char *text = yaml_text(y), *path;

	if (text == NULL)
		return NULL;
	path = layout_join(a, "", strip_invisible(a, str_of(text)));
	if (path == NULL && out->message == NULL) {
		out->message = arena_printf(a, "%s leads out of its directory and is ignored", key);
		out->line = y->line;
	}
	return path;
}

/* Keys that are not named here are ignored (layout 2.3). */
static void
read_settings(struct arena *a, const struct yaml *root, struct layout_config *out)
{
	const struct yaml *structure = get_setting(a, root, "structure"), *y = get_setting(a, root, "root");
	struct yaml *redirects = get_setting(a, root, "redirects");
	const char *path;

	/*
	 * NULL if root climbs out of the repository; layout_read() then fails. The paths below fall
	 * back to their defaults.
	 */
	if (yaml_text(y) != NULL)
		out->root = layout_join(a, "", strip_invisible(a, str_of(yaml_text(y))));
	if ((path = path_setting(a, structure, "readme", out)) != NULL && *path != '\0')
		out->readme = path;
	if ((path = path_setting(a, structure, "summary", out)) != NULL && *path != '\0') {
		out->summary = path;
		out->summary_set = true;
	}
	if (redirects != NULL && redirects->kind == YAML_MAP)
		out->redirects = redirects;
}

/*
 * This function never fails: a setting that cannot be read keeps its default, and out->message says
 * why. out points into the arena.
 */
void
layout_config_parse(struct arena *a, struct str bytes, struct layout_config *out)
{
	const char *error = NULL;
	size_t line = 0, repeated = 0;
	struct yaml *root;

	*out = (struct layout_config){ .root = "", .readme = "README.md", .summary = "SUMMARY.md" };
	if (!yaml_parse(a, bytes, &yaml_limits_settings, &root, &repeated, &error, &line)) {
		out->message = arena_printf(a, "the settings cannot be read and are ignored: %s", error);
		out->line = line;
		return;
	}
	if (root != NULL && root->kind != YAML_MAP) {
		out->message = "the settings are not a map and are ignored";
		out->line = root->line;
		return;
	}
	/*
	 * This message is set first, because only the first one is kept, and a repeated key is the
	 * more serious fault.
	 */
	if (repeated != 0) {
		out->message = "a key occurs twice; the first counts";
		out->line = repeated;
	}
	read_settings(a, root, out);
}

/* ---- book.json ------------------------------------------------------------ */

/* NULL if unset, not a text, or climbing out: a legacy file never fails an import. */
static const char *
book_path(struct arena *a, const cJSON *object, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsString(v) ? layout_join(a, "", strip_invisible(a, str_of(v->valuestring))) : NULL;
}

/* NULL if unset, or if the text is not valid UTF-8, which escapes can produce. */
static const char *
book_text(struct arena *a, const cJSON *object, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
	struct str s = cJSON_IsString(v) ? strip_invisible(a, str_of(v->valuestring)) : STR("");

	return s.n > 0 && utf8_valid(s) ? arena_strndup(a, s.p, s.n) : NULL;
}

/* Reads only the members of layout 2.4. Copies the strings, since the cJSON tree is freed here. */
void
layout_book_parse(struct arena *a, struct str bytes, struct layout_config *out)
{
	cJSON *root = NULL, *structure;
	const char *path;
	bool large;

	/* JSON allows no byte order mark (RFC 8259, section 8.1), but some editors write one. */
	bytes = str_slice(bytes, layout_bom(bytes), bytes.n);
	/* Scan first: cJSON recurses with the nesting, and accepts text that is not JSON. */
	if (json_scan(a, bytes, &json_limits_body, &large) == NULL)
		root = cJSON_ParseWithLength(bytes.p, bytes.n);
	*out = (struct layout_config){ .root = "", .readme = "README.md", .summary = "SUMMARY.md" };
	if (!cJSON_IsObject(root)) {
		out->message = "the settings are no JSON object and are ignored";
		cJSON_Delete(root);
		return;
	}
	out->title = book_text(a, root, "title");
	out->language = book_text(a, root, "language");
	structure = cJSON_GetObjectItemCaseSensitive(root, "structure");
	if ((path = book_path(a, root, "root")) != NULL)
		out->root = path;
	if ((path = book_path(a, structure, "readme")) != NULL && *path != '\0')
		out->readme = path;
	if ((path = book_path(a, structure, "summary")) != NULL && *path != '\0') {
		out->summary = path;
		out->summary_set = true;
	}
	cJSON_Delete(root);
}

/* ---- redirects ------------------------------------------------------------ */

/*
 * The page path that the key of a redirect means: lower case, without slashes at the ends, fragment
 * or ".md". NULL if nothing remains.
 */
static const char *
redirect_key(struct arena *a, struct str key)
{
	struct str s = strip_invisible(a, key);
	const char *joined, *hash = s.n == 0 ? NULL : memchr(s.p, '#', s.n);

	if (hash != NULL)
		s.n = (size_t)(hash - s.p);
	joined = layout_join(a, "", s);
	if (joined == NULL || *joined == '\0')
		return NULL;
	s = str_of(joined);
	if (layout_is_markdown(s))
		s.n -= 3;
	return utf8_lower(a, s);
}

/* If several redirects have the same path, the first one counts, as for repeated keys. */
static void
put_redirect(struct layout_index *x, struct json *j, struct map *seen, const char *key,
    const char *target)
{
	if (map_add(seen, str_of(key), x))
		json_kstr(j, key, target);
}

/* Writes the redirect even if its target does not exist (layout 2.2): a later import may bring the file. */
static void
write_redirect(struct layout_index *x, struct json *j, struct map *seen, const struct layout_config *c,
    const struct yaml *y)
{
	const char *key = redirect_key(x->arena, y->key), *target;
	struct layout_target t;
	size_t n;
	bool guess;

	if (key == NULL || yaml_text(y) == NULL) {
		layout_warn_at(x, &(struct layout_entry){ .path = str_of(c->file) }, y->line,
		    "a redirect needs a path and a target; it is ignored");
		return;
	}
	target = strip_invisible(x->arena, y->text).p;
	target = arena_strdup(x->arena, target);
	t = layout_resolve(x->arena, "", strip_invisible(x->arena, y->text));
	if (t.kind == TARGET_BROKEN || t.kind == TARGET_NONE || (t.kind == TARGET_PATH
	    && layout_find_path(x, t.path, &guess) == NULL))
		layout_warn_at(x, &(struct layout_entry){ .path = str_of(c->file) }, y->line,
		    "the target %s of a redirect does not exist", target);
	put_redirect(x, j, seen, key, target);
	/* The path of a README.md is that of its folder. */
	n = strlen(key);
	if (n > 7 && strcmp(key + n - 7, "/readme") == 0)
		put_redirect(x, j, seen, arena_strndup(x->arena, key, n - 7), target);
}

/*
 * Begins JSON in a buffer whose limit is far above what can be written: a byte of the YAML becomes at
 * most six (\u001f), and a redirect may be written twice.
 */
static void
begin_json(struct layout_index *x, struct buf *b, struct json *j)
{
	buf_init(b, x->arena, yaml_limits_settings.text * 24 + yaml_limits_settings.nodes * 128);
	json_init(j, b);
}

/*
 * Writes a redirect for each page whose file name had to be cleaned (layout 4.1): from the name as
 * it is, which was the address of the page in older versions.
 */
static void
redirect_unclean_names(struct layout_index *x, struct json *j, struct map *seen)
{
	const struct layout_page *p;
	const char *path;
	struct str rel;

	for (p = x->out->pages; p != NULL; p = p->next, mapped_trim()) {
		if (p->file == NULL || !layout_name_unclean(rel = layout_rel(x, p->file)))
			continue;
		if ((path = redirect_key(x->arena, str_of(arena_strndup(x->arena, rel.p, rel.n)))) != NULL)
			put_redirect(x, j, seen, path, url_path(x->arena, arena_strndup(x->arena, rel.p, rel.n)));
	}
}

/*
 * Writes redirects in the order of the file. Call it when the pages are known: it warns about
 * targets that do not exist.
 */
const char *
layout_redirects(struct layout_index *x, const struct layout_config *c)
{
	struct map *seen = map_new(x->arena);
	const struct yaml *y;
	struct json j;
	struct buf b;

	begin_json(x, &b, &j);
	json_obj(&j);
	for (y = c->redirects == NULL ? NULL : c->redirects->first; y != NULL; y = y->next)
		write_redirect(x, &j, seen, c, y);
	redirect_unclean_names(x, &j, seen);
	json_end(&j);
	return b.p;
}

/* ---- variables and tags --------------------------------------------------- */

bool
layout_variable_name(struct str name)
{
	size_t i;

	for (i = 0; i < name.n; i++)
		if (!isalpha((unsigned char)name.p[i]) && (i == 0
		    || (!isdigit((unsigned char)name.p[i]) && name.p[i] != '_')))
			return false;
	return name.n > 0;
}

/*
 * Root of a settings file as a map or list; NULL, with a warning, if it is empty or something else.
 */
static struct yaml *
read_settings_file(struct layout_index *x, const struct layout_entry *e, struct str bytes, enum yaml_kind kind)
{
	const char *error = NULL;
	size_t line = 0, repeated = 0;
	struct yaml *root;

	if (!yaml_parse(x->arena, bytes, &yaml_limits_settings, &root, &repeated, &error, &line)) {
		layout_warn_at(x, e, line, "the file cannot be read and is ignored: %s", error);
		return NULL;
	}
	if (repeated != 0)
		layout_warn_at(x, e, repeated, "a key occurs twice; the first counts");
	if (root != NULL && root->kind != kind) {
		layout_warn_at(x, e, root->line, "the file is not a %s and is ignored",
		    kind == YAML_MAP ? "map" : "list");
		return NULL;
	}
	return root;
}

/*
 * Returns the variables as a JSON object; "{}" if the file cannot be read. The export keeps the
 * bytes of the file.
 */
const char *
layout_vars(struct layout_index *x, const struct layout_entry *e, struct str bytes)
{
	/*
	 * Keys may become equal once zero-width characters are removed, which the YAML parser
	 * cannot see.
	 */
	struct map *seen = map_new(x->arena);
	const struct yaml *root = read_settings_file(x, e, bytes, YAML_MAP), *y;
	struct json j;
	struct buf b;

	begin_json(x, &b, &j);
	json_obj(&j);
	for (y = root == NULL ? NULL : root->first; y != NULL; y = y->next) {
		struct str name = strip_invisible(x->arena, y->key);

		if (!layout_variable_name(name))
			layout_warn_at(x, e, y->line, "a name is a letter, then letters, digits and _; left out");
		else if (y->kind != YAML_SCALAR || utf8_count(y->text) > VALUE_MAX)
			layout_warn_at(x, e, y->line, "a value is plain text of up to %d characters; left out", VALUE_MAX);
		else if (map_add(seen, name, x))
			json_kstrn(&j, arena_strndup(x->arena, name.p, name.n), y->text);
	}
	json_end(&j);
	return b.p;
}

/* One of the API's DocumentTextColor; NULL for any other text, which gives the default. */
static const char *
tag_color(const char *s)
{
	static const char *const colors[] = { "default", "green", "blue", "red", "orange", "yellow",
		"purple", "pink", "violet", "cyan", "$primary", "$info", "$success", "$warning",
		"$danger", "$tint" };
	size_t i;

	for (i = 0; s != NULL && i < sizeof(colors) / sizeof(colors[0]); i++)
		if (strcmp(s, colors[i]) == 0)
			return colors[i];
	return NULL;
}

static void
put_tag(struct layout_index *x, const struct layout_entry *e, struct json *j, const struct yaml *y)
{
	const char *slug = yaml_text(yaml_get(y, "tag")), *label = yaml_text(yaml_get(y, "label"));
	const char *icon = yaml_text(yaml_get(y, "icon")), *emoji = yaml_text(yaml_get(y, "emoji"));
	const char *color = yaml_text(yaml_get(y, "color"));

	if (color != NULL && tag_color(color) == NULL)
		layout_warn_at(x, e, yaml_get(y, "color")->line, "the color is not known; the default is taken");
	json_obj(j);
	json_kstr(j, "slug", slug);
	json_kstr(j, "label", label == NULL || *label == '\0' ? slug : layout_clip(x->arena, label, LABEL_MAX));
	json_kstr(j, "color", tag_color(color) == NULL ? "default" : tag_color(color));
	/* The API allows an icon or an emoji, not both: the emoji wins. */
	if (emoji != NULL && *emoji != '\0')
		json_kstr(j, "emoji", layout_clip(x->arena, emoji, 50));
	else if (icon != NULL && *icon != '\0')
		json_kstr(j, "icon", layout_clip(x->arena, icon, 50));
	json_end(j);
}

/*
 * Returns the tags as a JSON list; "[]" if the file cannot be read. Pages may use tags that are not
 * defined here.
 */
const char *
layout_tags(struct layout_index *x, const struct layout_entry *e, struct str bytes)
{
	struct map *seen = map_new(x->arena);
	const struct yaml *root = read_settings_file(x, e, bytes, YAML_LIST), *y;
	struct json j;
	struct buf b;

	begin_json(x, &b, &j);
	json_arr(&j);
	for (y = root == NULL ? NULL : root->first; y != NULL; y = y->next) {
		const char *slug = yaml_text(yaml_get(y, "tag"));

		if (slug == NULL || *slug == '\0')
			layout_warn_at(x, e, y->line, "a tag needs \"tag\", its slug; it is ignored");
		else if (!map_add(seen, str_of(slug), x))
			layout_warn_at(x, e, y->line, "the tag %s is defined twice; the first counts", slug);
		else
			put_tag(x, e, &j, y);
	}
	json_end(&j);
	return b.p;
}
