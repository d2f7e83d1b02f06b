/*
 * Merges what another person wrote in a page while its form was open with the text of the form, by
 * lines. The places where both changed the same lines are shown with a choice. Contract:
 * space_parts.h.
 *
 * The form that comes back has the text as it was sent. So the same merge finds the same places again, and each
 * place is known by a hash of its texts: a choice is never used for other texts than the person has seen.
 */
#include "base/secret.h"
#include "space_parts.h"

/* PLACES_MOST: with more of them, the whole text of the other side is shown. */
enum { PLACES_MOST = 200, NAME_BYTES = 16 };

/* ---- ends of lines ---- */

char *
with_newlines(struct arena *a, const char *s)
{
	char *out = arena_strdup(a, s), *to = out;

	for (; *s != '\0'; s++)
		if (*s != '\r' || s[1] != '\n')
			*to++ = *s;
	*to = '\0';
	return out;
}

/* Lines with their ends; the last one has none, and may be empty. */
static size_t
split_lines(struct arena *a, const char *s, struct str **out)
{
	size_t n = 1, i = 0;

	for (const char *p = s; (p = strchr(p, '\n')) != NULL; p++)
		n++;
	*out = arena_array(a, n, sizeof(**out));
	for (; i + 1 < n; i++) {
		size_t size = strcspn(s, "\n") + 1;

		(*out)[i] = (struct str){ s, size };
		s += size;
	}
	(*out)[i] = str_of(s);
	return n;
}

static bool
ends_with_return(struct str line)
{
	return line.n > 1 && memcmp(line.p + line.n - 2, "\r\n", 2) == 0;
}

/* A line without its end. */
static struct str
words_of(struct str line)
{
	size_t end = ends_with_return(line) ? 2 : line.n > 0 && line.p[line.n - 1] == '\n' ? 1 : 0;

	return str_slice(line, 0, line.n - end);
}

static bool
is_same_line(struct str x, struct str y)
{
	return str_eq(words_of(x), words_of(y));
}

/*
 * The line of the page whose end line i of the new text gets. The new text has n lines and the page
 * m; the first `from` and the last `end` of both are the same. A line that is new ends like the one
 * in whose place it is, or like the one before the last, which has no end.
 */
static size_t
line_to_end_like(size_t i, size_t n, size_t m, size_t from, size_t end)
{
	if (i < from && i + 1 < m)
		return i;
	if (i >= n - end)
		return m - (n - i);
	return from + 1 < m ? from : m - 2;
}

char *
with_ends_of(struct arena *a, const char *text, const char *page)
{
	struct str *own, *old;
	size_t n = split_lines(a, text, &own), m = split_lines(a, page, &old), least = n < m ? n : m, from = 0, end = 0;
	struct buf out;

	if (strstr(page, "\r\n") == NULL)
		return arena_strdup(a, text);
	while (from < least && is_same_line(own[from], old[from]))
		from++;
	while (end < least - from && is_same_line(own[n - 1 - end], old[m - 1 - end]))
		end++;
	buf_init(&out, a, 2 * strlen(text) + 1);
	for (size_t i = 0; i < n; i++) {
		buf_put(&out, words_of(own[i]));
		if (i + 1 < n)
			buf_str(&out, ends_with_return(old[line_to_end_like(i, n, m, from, end)]) ? "\r\n" : "\n");
	}
	return arena_strndup(a, out.p, out.n);
}

/* ---- places ---- */

/* Name of the field with the choice for a place. */
static const char *
choice_field(struct view *v, const char *kind, const struct text_conflict *place, int index)
{
	const char *texts = arena_printf(v->arena, "%s\001%d\001%.*s\001%.*s", kind, index, (int)place->ours.n, place->ours.p,
	    (int)place->theirs.n, place->theirs.p);

	return arena_printf(v->arena, "take-%.*s", NAME_BYTES, secret_hash_text(v->arena, texts));
}

/* The choices of the form for the places; false: one has none. */
static bool
put_choices(struct view *v, const struct meanwhile *m, struct str text, struct buf *out)
{
	const struct text_conflict *place;
	const char *take;
	size_t done = 0;
	int i = 0;

	for (place = m->places; place != NULL; place = place->next) {
		take = form_value(v, choice_field(v, m->kind, place, i++));
		if (*take == '\0')
			return false;
		buf_put(out, str_slice(text, done, place->at));
		buf_put(out, strcmp(take, "theirs") == 0 ? place->theirs : strcmp(take, "both") == 0 ?
		    merge_both(v->arena, place->theirs, place->ours) : place->ours);
		done = place->at + place->ours.n;
	}
	buf_put(out, str_slice(text, done, text.n));
	return true;
}

bool
merge_meanwhile(struct view *v, struct meanwhile *m)
{
	struct str text;
	struct buf out;
	int count = 0;

	m->merged = NULL;
	if (merge_text(v->arena, str_of(m->base), str_of(m->mine), str_of(m->theirs), &text, &m->places)) {
		m->merged = arena_strndup(v->arena, text.p, text.n);
		return true;
	}
	for (const struct text_conflict *place = m->places; place != NULL; place = place->next)
		count++;
	if (count > PLACES_MOST) {
		m->places = NULL;
		return false;
	}
	buf_init(&out, v->arena, text.n + 3 * strlen(m->theirs) + strlen(m->mine) + 16);
	if (put_choices(v, m, text, &out))
		m->merged = arena_strndup(v->arena, buf_view(&out).p, out.n);
	return m->merged != NULL;
}

static void
write_take(struct view *v, const char *name, const char *take, enum say label)
{
	struct html *h = &v->h;

	h_el(h, "label", "class", "pick", NULL);
	h_one(h, "input", "type", "radio", "name", name, "value", take, "checked", strcmp(form_value(v, name), take) == 0 ? "" : NULL, NULL);
	h_text(h, view_say(v, label));
	h_close(h);
}

static void
write_version(struct view *v, enum say label, struct str text)
{
	struct html *h = &v->h;

	h_open(h, "div");
	h_leaf(h, "small", NULL, view_say(v, label));
	h_el(h, "pre", "dir", "auto", "tabindex", "0", NULL);
	h_text(h, text.n == 0 ? view_say(v, SAY_DELETED) : arena_strndup(v->arena, text.p, text.n));
	h_close(h);
	h_close(h);
}

static void
write_place(struct view *v, const struct meanwhile *m, const struct text_conflict *place, int index)
{
	const char *name = choice_field(v, m->kind, place, index);
	struct html *h = &v->h;

	h_el(h, "li", "class", "change", NULL);
	h_open(h, "fieldset");
	h_leaf(h, "legend", NULL, view_say_with(v, m->label, arena_printf(v->arena, "%zu", place->line)));
	h_el(h, "div", "class", "sides", NULL);
	write_version(v, SAY_MY_VERSION, place->ours);
	write_version(v, SAY_THEIR_TEXT, place->theirs);
	h_close(h);
	write_take(v, name, "mine", SAY_TAKE_MINE);
	write_take(v, name, "theirs", SAY_TAKE_OTHER);
	write_take(v, name, "both", SAY_TAKE_TWO);
	h_close(h);
	h_close(h);
}

static void
write_text_places(struct view *v, const struct meanwhile *m)
{
	int i = 0;

	for (const struct text_conflict *place = m->places; place != NULL; place = place->next)
		write_place(v, m, place, i++);
}

void
write_places(struct view *v, const struct meanwhile *text, const struct meanwhile *about, bool merges)
{
	struct html *h = &v->h;

	h_el(h, "section", "id", "places", "aria-label", view_say(v, SAY_RESOLVE_CONFLICTS), NULL);
	write_notice(v, NOTICE_PLAIN, view_say(v, SAY_MEANWHILE_PLACES));
	h_el(h, "ol", "class", "changes", NULL);
	write_text_places(v, text);
	write_text_places(v, about);
	h_close(h);
	h_el(h, "div", "class", "actions", NULL);
	/* A preview does not change what the button does. */
	if (merges)
		write_hidden(v, "decide", "merge");
	h_el(h, "button", "type", "submit", "class", "btn primary", "name", merges ? "step" : NULL, "value", merges ? "merge" : NULL, NULL);
	h_text(h, view_say(v, merges ? SAY_SAVE_AND_MERGE : SAY_SAVE_CHOICES));
	h_close(h);
	h_close(h);
	h_close(h);
}
