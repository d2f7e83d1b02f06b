/*
 * Writes the table of contents as an edit of its lines (write.h).
 *
 * The text is cut into the lines of its items and the gaps between them (blank lines, comments,
 * dividers, remarks). Items that keep their order keep their lines and the gap before them. The
 * others get new lines in their places. The result is parsed again and must give the wanted tree.
 * If it does not, because the text is too irregular, the whole table is written anew.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "layout_parts.h"
#include "base/mapped.h"
#include "base/slug.h"

/* Deepest level that can be written; imports accept less. It is the size of the array of prefixes. */
enum { TOC_DEPTH = 300 };

/* The text between two items. */
struct gap {
	struct str text;
	bool       blank;    /* nothing but blank lines */
	bool       ends;     /* contains a divider, which closes the open group */
};

struct toc {
	struct arena          *arena;
	struct str             text;       /* the old table of contents */
	struct toc_item       *held;       /* its items */
	const struct toc_item *want;       /* the items that the new one should have */
	size_t                 held_n, want_n;
	struct gap            *gaps;       /* gap before each old item; the last one follows all items */
	size_t                *level, *old_level;   /* nesting level of each item within its group */
	bool                  *kept;       /* for each wanted item: its lines stay in their place */
	struct buf             out;
	bool                   group;      /* a group is open at this place */
	bool                   after_group;/* the last line was a group's */
	bool                   any;        /* an item was written */
	struct str             prefix[TOC_DEPTH];  /* indentation and marker of each level's last item */
	size_t                 step;       /* columns by which a level is indented */
	char                   marker;     /* of new items: that of the old ones */
};

/*
 * Upper bound of the result: the old text, and a generous line per item; computed items are
 * longest.
 */
static size_t
max_size(struct str text, size_t n)
{
	return text.n * 2 + n * 8192 + (1 << 20);
}

/* ---- lines ---- */

/* One pass is enough, since parents come before their children. */
static void
set_levels(const struct toc_item *list, size_t n, size_t *level)
{
	size_t i;

	for (i = 0; i < n; i++, mapped_trim())
		level[i] = list[i].parent < 0 || list[list[i].parent].kind == LAYOUT_GROUP ? 0 :
		    level[list[i].parent] + 1;
}

/* The beginning of an item's line: indentation, list marker and the blanks after the marker. */
static struct str
item_prefix(struct str source)
{
	size_t i = 0;

	while (i < source.n && (source.p[i] == ' ' || source.p[i] == '\t'))
		i++;
	while (i < source.n && strchr("*+-0123456789.)", source.p[i]) != NULL && source.p[i] != '[')
		i++;
	while (i < source.n && source.p[i] == ' ')
		i++;
	return str_slice(source, 0, i);
}

/*
 * The number of spaces at the beginning. 0 for a line that begins with a tab: such an item then
 * keeps its prefix.
 */
static size_t
count_spaces(struct str s)
{
	size_t i = 0;

	while (i < s.n && s.p[i] == ' ')
		i++;
	return i;
}

/* Takes the indentation of this text from its first nested item. */
static void
read_indentation(struct toc *t)
{
	size_t i;

	t->step = 2;
	t->marker = '*';
	/* Goes backwards, so that the first item of the text is the last to set it. */
	for (i = t->held_n; i-- > 0;) {
		struct str p = item_prefix(t->held[i].source);
		if (t->held[i].kind == LAYOUT_GROUP || p.n == 0)
			continue;
		if (p.p[count_spaces(p)] != '\0' && strchr("*+-", p.p[count_spaces(p)]) != NULL)
			t->marker = p.p[count_spaces(p)];
		if (t->old_level[i] == 1 && count_spaces(p) >= 2)
			t->step = count_spaces(p);
	}
}

/* Write text as one line, with a backslash before each special character. */
static void
put_escaped(struct buf *out, const char *s, const char *special)
{
	for (; *s != '\0'; s++) {
		if (strchr(special, *s) != NULL)
			buf_char(out, '\\');
		buf_char(out, (unsigned char)*s < ' ' ? ' ' : *s);
	}
}

const char *
target_write(struct arena *a, const char *path)
{
	struct buf b;

	/*
	 * The published service writes targets without brackets; CommonMark allows neither blanks
	 * nor unbalanced parentheses there.
	 */
	if (path[strcspn(path, " ()<>\\")] == '\0')
		return path;
	buf_init(&b, a, strlen(path) * 2 + 3);
	buf_char(&b, '<');
	put_escaped(&b, path, "<>\\");
	buf_char(&b, '>');
	return b.p;
}

static void
put_link(struct toc *t, const struct toc_item *w)
{
	if (w->target == NULL) {
		title_write(&t->out, w->title);
		return;
	}
	buf_char(&t->out, '[');
	title_write(&t->out, w->title);
	buf_printf(&t->out, "](%s", target_write(t->arena, w->target));
	if (w->link_title != NULL) {
		buf_str(&t->out, " \"");
		link_title_write(&t->out, w->link_title);
		buf_char(&t->out, '"');
	}
	buf_char(&t->out, ')');
}

/* Writes a name or path without quotes, as the published service does; quotes everything else. */
static void
put_scalar(struct buf *out, const char *s)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:_/-";

	(s[strspn(s, bare)] == '\0' && yaml_plain(s) ? buf_str : yaml_quoted)(out, s);
}

/* Writes JSON as YAML in block style, indented by two columns per level. */
static void
put_yaml(struct buf *out, const cJSON *v, size_t indent)
{
	const cJSON *m;

	cJSON_ArrayForEach(m, v) {
		buf_printf(out, "%*s", (int)indent, "");
		if (cJSON_IsArray(v)) {
			buf_char(out, '-');
		} else {
			put_scalar(out, m->string);
			buf_char(out, ':');
		}
		if ((cJSON_IsObject(m) || cJSON_IsArray(m)) && m->child != NULL) {
			buf_char(out, '\n');
			put_yaml(out, m, indent + 2);
			continue;
		}
		buf_char(out, ' ');
		if (cJSON_IsString(m))
			put_scalar(out, m->valuestring);
		else
			/* Any other JSON is valid YAML, empty maps and lists too. */
			buf_str(out, cJSON_PrintUnformatted(m));
		buf_char(out, '\n');
	}
}

static void
put_computed(struct toc *t, const struct toc_item *w, size_t column)
{
	/*
	 * The order that the published service uses, so that both sides write the same bytes for an
	 * unchanged item.
	 */
	static const char *const order[] = { "props", "type", "dependencies" };
	const cJSON *all = w->json == NULL ? NULL : cJSON_Parse(w->json), *v;
	cJSON *sorted = cJSON_CreateObject();
	size_t i;

	for (i = 0; i < 3; i++)
		if ((v = cJSON_GetObjectItemCaseSensitive(all, order[i])) != NULL)
			cJSON_AddItemToObject(sorted, order[i], cJSON_Duplicate(v, true));
	buf_str(&t->out, "```yaml\n");
	put_yaml(&t->out, sorted, column);
	buf_printf(&t->out, "%*s```", (int)column, "");
}

static void
put_group(struct toc *t, const struct toc_item *w)
{
	const char *slug = slug_from_title(t->arena, str_of(w->title));

	buf_str(&t->out, "## ");
	title_write(&t->out, w->title);
	/* Writes the id only if it differs from the one that readers derive from the title (layout 3.2). */
	if (w->slug != NULL && strcmp(slug, w->slug) != 0)
		buf_printf(&t->out, " <a href=\"#%s\" id=\"%s\"></a>", w->slug, w->slug);
}

/* Write the line of an item that is new or has changed. */
static void
put_new_item(struct toc *t, size_t j)
{
	const struct toc_item *w = &t->want[j];
	size_t level = t->level[j], column;
	struct str p = t->prefix[level];

	if (w->kind == LAYOUT_GROUP) {
		put_group(t, w);
		buf_char(&t->out, '\n');
		return;
	}
	/* A changed item at the same level keeps its indentation and marker. */
	if (w->was >= 0 && t->old_level[w->was] == level && t->held[w->was].kind != LAYOUT_GROUP)
		p = item_prefix(t->held[w->was].source);
	/* This level has no prefix that can be used yet: a link outside a list has none. */
	if (p.n == 0 || p.p[p.n - 1] != ' ') {
		column = level == 0 ? 0 : count_spaces(t->prefix[level - 1]) + t->step;
		p = str_of(arena_printf(t->arena, "%*s%c ", (int)column, "", t->marker));
	}
	t->prefix[level] = p;
	buf_put(&t->out, p);
	if (w->kind == LAYOUT_COMPUTED)
		put_computed(t, w, count_spaces(p) + 2);
	else
		put_link(t, w);
	buf_char(&t->out, '\n');
}

/* ---- what is between items ---- */

/* The text may end without a line end. */
static void
end_line(struct toc *t)
{
	if (t->out.n > 0 && t->out.p[t->out.n - 1] != '\n')
		buf_char(&t->out, '\n');
}

/* Makes sure that an empty line precedes what follows. */
static void
blank_line(struct toc *t)
{
	end_line(t);
	if (t->out.n > 1 && (t->out.p[t->out.n - 2] != '\n'))
		buf_char(&t->out, '\n');
}

static void
put_gap(struct toc *t, const struct gap *g)
{
	if (g->text.n == 0)
		return;
	end_line(t);
	buf_put(&t->out, g->text);
	if (g->ends)
		t->group = false;
}

/*
 * Writes what must precede an item: a line end, a blank line next to a group, and a divider if the
 * item must not belong to the open group.
 */
static void
begin_item(struct toc *t, size_t j)
{
	const struct toc_item *w = &t->want[j];

	end_line(t);
	if (w->kind == LAYOUT_GROUP || t->after_group || !t->any)
		blank_line(t);
	/*
	 * After a group, a top-level item would be read as part of the group: a divider closes the
	 * group (layout 3.3).
	 */
	if (w->kind != LAYOUT_GROUP && w->parent < 0 && t->group) {
		blank_line(t);
		buf_str(&t->out, "***\n\n");
		t->group = false;
	}
}

/* Copies the item's own bytes if nothing in them changed and its level is the same; else writes a new line. */
static void
put_item(struct toc *t, size_t j)
{
	const struct toc_item *w = &t->want[j];
	const struct toc_item *h = w->was < 0 ? NULL : &t->held[w->was];

	begin_item(t, j);
	if (h != NULL && w->same && h->source.n > 0 && t->level[j] == t->old_level[w->was]) {
		buf_put(&t->out, h->source);
		t->prefix[t->level[j]] = item_prefix(h->source);
	} else {
		put_new_item(t, j);
	}
	t->any = true;
	t->after_group = w->kind == LAYOUT_GROUP;
	if (t->after_group)
		t->group = true;
}

/* Joins the gaps from..to: keeps all remarks and, of blank lines, the longest run. */
static struct gap
join_gaps(struct toc *t, size_t from, size_t to)
{
	struct gap all = t->gaps[from];
	size_t i;

	for (i = from + 1; i <= to; i++) {
		const struct gap *g = &t->gaps[i];
		if (all.blank && (!g->blank || g->text.n > all.text.n))
			all = *g;
		else if (!g->blank)
			all.text = str_of(arena_printf(t->arena, "%.*s%.*s", (int)all.text.n, all.text.p,
			    (int)g->text.n, g->text.p));
		all.ends |= g->ends;
	}
	return all;
}

/* ---- cutting ---- */

/* True if the texts agree; for items whose lines were not stored. */
static bool
matches_item(const struct toc_item *h, const struct summary_item *i)
{
	switch (h->kind) {
	case LAYOUT_GROUP:    return i->kind == SUMMARY_GROUP && strcmp(i->text.text, h->title) == 0;
	case LAYOUT_COMPUTED: return i->kind == SUMMARY_YAML;
	default: break;
	}
	if (i->kind != SUMMARY_ITEM)
		return false;
	return h->target == NULL ? i->text.url == NULL && strcmp(i->text.text, h->title) == 0 :
	    i->text.url != NULL && strcmp(i->text.url, h->target) == 0;
}

/* Finds the item by its stored lines, or by its text if none are stored; NULL if it is missing. */
static struct summary_item *
find_item(const struct toc_item *h, struct summary_item *from)
{
	struct summary_item *i;

	for (i = from; i != NULL && h->source.n > 0; i = i->next)
		if (i->kind != SUMMARY_END && i->kind != SUMMARY_IGNORED && str_eq(i->source, h->source))
			return i;
	for (i = from; i != NULL; i = i->next)
		if (matches_item(h, i))
			return i;
	return NULL;
}

/* Records the gap between two items. It is parsed by itself: only the parser recognises a divider. */
static void
set_gap(struct toc *t, size_t n, size_t from, size_t to)
{
	struct gap *g = &t->gaps[n];
	struct summary s = { 0 };

	g->text = str_slice(t->text, from, to);
	g->blank = layout_trim(g->text).n == 0;
	if (g->blank)
		return;
	summary_parse(t->arena, g->text, TOC_DEPTH, &s);
	for (; s.items != NULL; s.items = s.items->next)
		g->ends |= s.items->kind == SUMMARY_END;
}

/* Find the lines of each item in order; false if one is missing. */
static bool
find_item_lines(struct toc *t)
{
	struct summary s = { 0 };
	struct summary_item *hit, *next;
	size_t i, from = 0, start;

	summary_parse(t->arena, t->text, TOC_DEPTH, &s);
	t->gaps = arena_array(t->arena, t->held_n + 1, sizeof(*t->gaps));
	for (i = 0, next = s.items; i < t->held_n; i++, next = hit->next) {
		/*
		 * Search after the last item found. The items are in the order of the text, so each
		 * of several equal lines is found once.
		 */
		if ((hit = find_item(&t->held[i], next)) == NULL)
			return false;
		t->held[i].source = hit->source;
		start = (size_t)(hit->source.p - t->text.p);
		set_gap(t, i, from, start);
		from = start + hit->source.n;
	}
	set_gap(t, t->held_n, from, t->text.n);
	return true;
}

/* Marks the longest subsequence of old items that have kept their order. */
static void
mark_kept_items(struct toc *t)
{
	size_t *best = arena_array(t->arena, t->want_n + 1, sizeof(*best)), len = 0, i, lo, hi, mid;
	ptrdiff_t *before = arena_array(t->arena, t->want_n + 1, sizeof(*before)), k;

	/*
	 * Patience sorting, O(n log n): best[n] is the index of the smallest element that ends a
	 * subsequence of length n+1.
	 */
	for (i = 0; i < t->want_n; i++, mapped_trim()) {
		if (t->want[i].was < 0)
			continue;
		for (lo = 0, hi = len; lo < hi;) {
			mid = (lo + hi) / 2;
			if (t->want[best[mid]].was < t->want[i].was)
				lo = mid + 1;
			else
				hi = mid;
		}
		/*
		 * before[] links each element to its predecessor, so that the subsequence can be
		 * read from its end.
		 */
		before[i] = lo == 0 ? -1 : (ptrdiff_t)best[lo - 1];
		best[lo] = i;
		len = lo == len ? len + 1 : len;
	}
	for (k = len == 0 ? -1 : (ptrdiff_t)best[len - 1]; k >= 0; k = before[k])
		t->kept[k] = true;
}

/* ---- writing ---- */

/* Writes the new items from..to. They come before the gap of the next kept item, or at the end. */
static void
put_between(struct toc *t, size_t from, size_t to, const struct gap *g)
{
	const struct toc_item *next = to < t->want_n ? &t->want[to] : NULL;
	/*
	 * Remarks, and the blank lines before a group, belong to the item after them: new items go
	 * before these. Plain blank lines go before the new items.
	 */
	bool first = next != NULL && g->blank && next->kind != LAYOUT_GROUP;
	size_t j;

	/* A new first item goes after the heading of the table. */
	if (!t->any && g->text.n > 0)
		first = true;
	if (from == to || first)
		put_gap(t, g);
	for (j = from; j < to; j++, mapped_trim())
		put_item(t, j);
	if (from < to && !first)
		put_gap(t, g);
}

/*
 * Edits from one kept item to the next. The gaps of removed and moved items are joined with that of
 * the next kept item, so that no remark of the author is lost.
 */
static struct str
edit_toc(struct toc *t)
{
	size_t j, from = 0, next_gap = 0;
	struct gap g;

	for (j = 0; j <= t->want_n; j++, mapped_trim()) {
		if (j < t->want_n && !t->kept[j])
			continue;
		g = join_gaps(t, next_gap, j < t->want_n ? (size_t)t->want[j].was : t->held_n);
		put_between(t, from, j, &g);
		if (j == t->want_n)
			break;
		put_item(t, j);
		/* Kept items are in text order, so each gap is used once. */
		next_gap = (size_t)t->want[j].was + 1;
		from = j + 1;
	}
	return buf_view(&t->out);
}

/*
 * Writes the whole table as the published service does. Remarks are lost: this is only for new
 * files, and if the edit fails.
 */
static struct str
write_anew(struct toc *t)
{
	size_t j;

	buf_cut(&t->out, t->out.n);
	memset(t->prefix, 0, sizeof(t->prefix));
	t->group = t->after_group = t->any = false;
	t->step = 2;
	t->marker = '*';
	buf_str(&t->out, "# Table of contents\n");
	for (j = 0; j < t->want_n; j++, mapped_trim()) {
		begin_item(t, j);
		put_new_item(t, j);
		t->any = true;
		t->after_group = t->want[j].kind == LAYOUT_GROUP;
		t->group |= t->after_group;
	}
	return buf_view(&t->out);
}

/* True if the item of the text is the wanted one, at the same level and in the same group. */
static bool
is_item(const struct toc *t, const struct summary_item *i, size_t j, const struct summary_item *group)
{
	const struct toc_item *w = &t->want[j];
	bool grouped = w->parent >= 0;
	ptrdiff_t top = (ptrdiff_t)j;

	/* Find the top-level ancestor: if it is a group, the item must be in a group. */
	while (t->want[top].parent >= 0)
		top = t->want[top].parent;
	grouped = t->want[top].kind == LAYOUT_GROUP;
	if (w->kind == LAYOUT_GROUP)
		return i->kind == SUMMARY_GROUP;
	if (i->depth != t->level[j] || grouped != (group != NULL))
		return false;
	if (w->kind == LAYOUT_COMPUTED)
		return i->kind == SUMMARY_YAML;
	if (i->kind != SUMMARY_ITEM || (w->target != NULL) != (i->text.url != NULL))
		return false;
	/*
	 * An unchanged item keeps its spelling, which may differ from the one that would be
	 * written.
	 */
	return (w->same && w->was >= 0) || w->target == NULL || strcmp(w->target, i->text.url) == 0;
}

/* True if the text parses to the wanted items. Items of the old text that became no pages may be among them. */
static bool
toc_has_items(struct toc *t, struct str text)
{
	const struct summary_item *i, *group = NULL;
	struct summary s = { 0 };
	size_t j = 0;

	summary_parse(t->arena, text, TOC_DEPTH, &s);
	for (i = s.items; i != NULL; i = i->next, mapped_trim()) {
		if (i->kind == SUMMARY_END)
			group = NULL;
		if (i->kind == SUMMARY_GROUP)
			group = i;
		/* Matching greedily is correct: both lists are in reading order. */
		if (j < t->want_n && is_item(t, i, j, group))
			j++;
	}
	return j == t->want_n;
}

struct str
toc_write(struct arena *a, struct str text, struct toc_item *held, size_t held_n,
    const struct toc_item *want, size_t want_n)
{
	struct toc *t = arena_alloc(a, sizeof(*t));
	struct arena *outer = json_arena(a);
	struct str done = { NULL, 0 };

	*t = (struct toc){ .arena = a, .text = text, .held = held, .want = want, .held_n = held_n, .want_n = want_n };
	t->level = arena_array(a, want_n + 1, sizeof(*t->level));
	t->old_level = arena_array(a, held_n + 1, sizeof(*t->old_level));
	t->kept = arena_array(a, want_n + 1, sizeof(*t->kept));
	set_levels(want, want_n, t->level);
	set_levels(held, held_n, t->old_level);
	buf_init(&t->out, a, max_size(text, want_n));
	buf_str(&t->out, "");
	/*
	 * The edit is used only if it parses to the wanted items. So if it is wrong, the author's
	 * style is lost, but no content.
	 */
	if (text.n > 0 && find_item_lines(t)) {
		read_indentation(t);
		mark_kept_items(t);
		done = edit_toc(t);
		/* Copy the result, since write_anew() may write to the same buffer. */
		done = toc_has_items(t, done) ? str_of(arena_strndup(a, done.p, done.n)) : (struct str){ NULL, 0 };
	}
	if (done.p == NULL)
		done = write_anew(t);
	json_arena(outer);
	return done;
}

const char *
path_between(struct arena *a, const char *from, const char *to)
{
	size_t i, common = 0;
	struct buf b;

	for (i = 0; from[i] != '\0' && from[i] == to[i]; i++)
		if (from[i] == '/')
			common = i + 1;
	buf_init(&b, a, strlen(from) * 3 + strlen(to) + 1);
	for (i = common; from[i] != '\0'; i++)
		if (from[i] == '/')
			buf_str(&b, "../");
	buf_str(&b, to + common);
	return b.n == 0 ? "" : b.p;
}
