/*
 * Front matter of a page in the git-sync layout. Keys that Octavo does not use are copied
 * unchanged; keys that have a meaning here are read and written again.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "layout/write.h"
#include "write_parts.h"

/* Keys that the layout reads (layout 5.2), or that become the title. They are not copied. */
static bool
is_ours(struct str key)
{
	static const char *const keys[] = { "title", "description", "icon", "hidden", "noIndex", "noRobotsIndex", "cover",
		"coverDark", "coverY", "coverHeight", "layout", "tags", "vars", "if", "label" };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (str_is(key, keys[i]))
			return true;
	return false;
}

/* A date with or without a time: "2024-05-01", "2024-05-01 10:00:00", RFC 3339. 0: the text is not a date. */
static int64_t
parse_date(struct arena *a, const char *s)
{
	int64_t ms;
	char *full;

	if (s == NULL || strlen(s) < 10)
		return 0;
	if (time_parse(s, &ms))
		return ms;
	full = strlen(s) >= 19 ? arena_printf(a, "%.10sT%.8sZ", s, s + 11) : arena_printf(a, "%.10sT00:00:00Z", s);
	return time_parse(full, &ms) ? ms : 0;
}

static void
take_date(struct arrival *t, struct arrival_page *p, const struct yaml *root)
{
	static const char *const keys[] = { "lastmod", "last_updated", "lastUpdated", "updated", "updatedAt", "date" };
	const struct yaml *last = yaml_get(root, "last_update");
	size_t i;

	if (p->at == 0)
		p->at = parse_date(t->scratch, yaml_text(yaml_get(last, "date")));
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]) && p->at == 0; i++)
		p->at = parse_date(t->scratch, yaml_text(yaml_get(root, keys[i])));
}

static void
take_tags(struct arrival *t, struct arrival_page *p, const struct yaml *tags)
{
	const struct yaml *y;

	if (yaml_text(tags) != NULL && tags->text.n > 0)
		arrival_tag(t, p, tags->text);
	for (y = tags == NULL || tags->kind != YAML_LIST ? NULL : tags->first; y != NULL; y = y->next) {
		const char *label = yaml_text(y) != NULL ? yaml_text(y) : yaml_text(yaml_get(y, "label"));
		if (label != NULL && *label != '\0')
			arrival_tag(t, p, str_of(label));
	}
}

/* Names of Font Awesome consist of words and hyphens. */
static bool
is_icon(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return n > 0 && s[n] == '\0' && n <= 50;
}

static void
take_properties(struct arrival *t, struct arrival_page *p, const struct front *f)
{
	const struct yaml *icon = yaml_get(f->root, "icon"), *y;
	const char *s = yaml_text(yaml_get(f->root, "description"));
	bool flag;

	if (p->description == NULL && s != NULL)
		p->description = arena_strdup(t->arena, s);
	if (p->icon == NULL && yaml_text(icon) != NULL && is_icon(yaml_text(icon)))
		p->icon = arena_strdup(t->arena, yaml_text(icon));
	else if (icon != NULL && p->icon == NULL)
		arrival_warn(t, page_source(p), icon->line + 1, "the icon \"%.100s\" has no equal here; left out",
		    yaml_text(icon) != NULL ? yaml_text(icon) : "");
	if (yaml_bool(yaml_get(f->root, "hidden"), &flag) && flag)
		p->hidden = true;
	if (yaml_bool(yaml_get(f->root, "draft"), &flag) && flag)
		p->draft = true;
	take_tags(t, p, yaml_get(f->root, "tags"));
	take_date(t, p, f->root);
	for (y = f->root == NULL ? NULL : f->root->first; y != NULL; y = y->next)
		if (is_ours(y->key) && (str_starts(y->key, "cover") || str_is(y->key, "layout") || str_is(y->key, "vars") ||
		    str_is(y->key, "if")))
			arrival_warn(t, page_source(p), y->line + 1, "the key \"%.*s\" of the front matter has another meaning here; left "
			    "out", (int)y->key.n, y->key.p);
}

/* Copies the lines of keys that Octavo does not use. */
static void
copy_foreign(const struct front *f, struct arena *scratch, struct buf *out)
{
	const struct yaml *y;
	struct text t;
	size_t i, end;

	if (f->root == NULL)
		return;
	text_read(&t, scratch, f->text, 1, false);
	for (y = f->root->first; y != NULL; y = y->next) {
		end = y->next != NULL ? y->next->line : t.n + 1;
		if (is_ours(y->key))
			continue;
		for (i = y->line; i < end && i <= t.n; i++) {
			if (text_blank(t.v[i - 1].s) || t.v[i - 1].s.p[0] == '#')
				continue;
			buf_put(out, t.v[i - 1].s);
			buf_char(out, '\n');
		}
	}
}

static void
put_text(struct buf *out, const char *key, const char *value)
{
	if (value == NULL || *value == '\0')
		return;
	buf_printf(out, "%s: ", key);
	yaml_quoted(out, value);
	buf_char(out, '\n');
}

void
front_write_page(struct arrival *t, struct arrival_page *p, const struct front *f, struct buf *out)
{
	const struct arrival_address *x;
	size_t begin = out->n;

	take_properties(t, p, f);
	buf_str(out, "---\n");
	/* Front matter in one line of braces cannot be divided into lines with one key each. */
	if (f->root == NULL || f->text.n == 0 || f->text.p[0] != '{')
		copy_foreign(f, t->scratch, out);
	put_text(out, "author", p->author);
	put_text(out, "description", p->description);
	put_text(out, "icon", p->icon);
	if (p->hidden || p->draft)
		buf_str(out, "hidden: true\n");
	if (p->draft) {
		buf_str(out, "if: \"false\"\n");
		arrival_warn(t, p->file != NULL ? p->file->path : str_of(p->shown), 0,
		    "a draft at the source: it is a hidden page with the condition \"false\", which no visitor sees");
	}
	if (p->tags != NULL)
		buf_str(out, "tags:\n");
	/* Tags use the list of addresses; path is the tag's slug. */
	for (x = p->tags; x != NULL; x = x->next)
		buf_printf(out, "  - %s\n", x->path);
	if (out->n == begin + 4)
		buf_cut(out, 4);
	else
		buf_str(out, "---\n\n");
}
