/*
 * Three-way merge of JSON objects by member. cJSON is used to check that a text is valid, to find
 * the names of its members, and to compare two values. The result copies names and values from the
 * source byte for byte, because cJSON would round numbers and end strings at a NUL.
 */
#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "text/merge_text.h"
#include "base/exact.h"
#include "base/sort.h"

/* A member of an object. The sources are name and value as they are spelled in the text. */
struct member {
	const char   *name;
	const cJSON  *value;
	struct str    name_source, source;
};

struct object {
	cJSON          *json;
	struct member  *members;  /* in source order */
	struct member **sorted;   /* by name, then in source order */
	size_t          n;
};

/* cJSON treats every byte up to the space as white space. */
static const char *
skip_blanks(const char *p)
{
	while (*p != '\0' && (unsigned char)*p <= ' ')
		p++;
	return p;
}

/* End of the value that begins at p; the text must be valid JSON. */
static const char *
value_end(const char *p)
{
	unsigned depth = 0;

	for (; *p != '\0'; p++) {
		if (*p == '"') {
			for (p++; *p != '"'; p++)
				/*
				 * Skip the escaped character, which may be a quote. \u needs no
				 * more: digits are no quotes.
				 */
				p += *p == '\\';
		} else if (*p == '{' || *p == '[') {
			depth++;
		} else if (depth == 0 && (strchr(",:}]", *p) != NULL || (unsigned char)*p <= ' ')) {
			return p;
		} else if (*p == '}' || *p == ']') {
			depth--;
		}
	}
	return p;
}

static struct str
value_source(const char **p)
{
	const char *from = skip_blanks(*p);

	*p = value_end(from);
	return (struct str){ from, (size_t)(*p - from) };
}

static int
by_name(const void *x, const void *y)
{
	const struct member *const *a = x, *const *b = y;
	int c = strcmp((*a)->name, (*b)->name);

	return c != 0 ? c : (*a > *b) - (*a < *b);
}

/* Order of cJSON nodes by name. */
static int
by_string(const void *x, const void *y)
{
	const cJSON *const *a = x, *const *b = y;

	return strcmp((*a)->string, (*b)->string);
}

static struct object
object_read(struct arena *a, const char *text)
{
	struct object o = { .json = text == NULL ? NULL : cJSON_ParseWithOpts(text, NULL, 1) };
	const cJSON *c;
	size_t i = 0;

	if (!cJSON_IsObject(o.json))
		return o;
	for (c = o.json->child; c != NULL; c = c->next)
		o.n++;
	o.members = arena_array(a, o.n, sizeof(*o.members));
	o.sorted = arena_array(a, o.n, sizeof(struct member *));
	text = strchr(text, '{');
	for (c = o.json->child; c != NULL; c = c->next, i++) {
		text++;  /* skip the brace or the comma */
		/* Walk the source and cJSON's list in step: cJSON keeps the order of members. */
		o.members[i] = (struct member){ .name = c->string, .value = c, .name_source = value_source(&text) };
		text = skip_blanks(text) + 1;
		o.members[i].source = value_source(&text);
		text = skip_blanks(text);
		o.sorted[i] = &o.members[i];
	}
	/*
	 * Sort for bisection: linear search would be quadratic for a hostile object of many
	 * members.
	 */
	sort_list(o.sorted, o.n, sizeof(struct member *), by_name);
	return o;
}

/* The first member of that name, which is the one that counts; NULL if absent. */
static const struct member *
object_find(const struct object *o, const char *name)
{
	size_t lo = 0, hi = o->n, mid;

	/* Find the lowest of equal names: by_name puts the first in the source first. */
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (strcmp(o->sorted[mid]->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < o->n && strcmp(o->sorted[lo]->name, name) == 0 ? o->sorted[lo] : NULL;
}

static const cJSON **
list_children(struct arena *a, const cJSON *v, size_t *n)
{
	const cJSON **list, *c;
	size_t i = 0;

	for (*n = 0, c = v->child; c != NULL; c = c->next)
		++*n;
	list = arena_array(a, *n, sizeof(const cJSON *));
	for (c = v->child; c != NULL; c = c->next)
		list[i++] = c;
	/* Members of an object have no order; items of an array have. */
	if (cJSON_IsObject(v))
		sort_list(list, *n, sizeof(const cJSON *), by_string);
	return list;
}

/*
 * cJSON_Compare(), but not quadratic. Numbers that a double cannot hold exactly never compare
 * equal.
 */
static bool
value_equal(struct arena *a, const cJSON *x, const cJSON *y)
{
	const cJSON **xs, **ys;
	size_t n, m, i;

	if ((x->type & 0xFF) != (y->type & 0xFF))
		return false;
	/*
	 * "==" would give a compiler warning. Above the limit, two different numbers may have the
	 * same double.
	 */
	if (cJSON_IsNumber(x))
		return x->valuedouble >= y->valuedouble && x->valuedouble <= y->valuedouble &&
		    fabs(x->valuedouble) <= (double)EXACT_MAX;
	if (cJSON_IsString(x))
		return strcmp(x->valuestring, y->valuestring) == 0;
	if (!cJSON_IsArray(x) && !cJSON_IsObject(x))
		return true;
	xs = list_children(a, x, &n);
	ys = list_children(a, y, &m);
	for (i = 0; n == m && i < n; i++)
		if ((cJSON_IsObject(x) && strcmp(xs[i]->string, ys[i]->string) != 0) || !value_equal(a, xs[i], ys[i]))
			return false;
	return n == m;
}

/*
 * cJSON ends a string at an escaped NUL: two that differ after it would seem equal, so compare
 * their source.
 */
static bool
has_nul(const struct member *m)
{
	return memmem(m->source.p, m->source.n, "\\u0000", 6) != NULL;
}

static bool
same_member(struct arena *a, const struct member *x, const struct member *y)
{
	if (x == NULL || y == NULL)
		return x == y;
	return str_eq(x->source, y->source) || (!has_nul(x) && !has_nul(y) && value_equal(a, x->value, y->value));
}

/*
 * Choose a side's member, or NULL to drop it. *clashes is set if both changed it, and ours is
 * returned.
 */
static const struct member *
choose_member(struct arena *a, const struct member *base, const struct member *ours,
    const struct member *theirs, bool *clashes)
{
	*clashes = false;
	if (same_member(a, ours, theirs) || same_member(a, base, theirs))
		return ours;
	if (same_member(a, base, ours))
		return theirs;
	*clashes = true;
	return ours;
}

static void
write_member(struct buf *out, const struct member *m)
{
	/* The one byte is the opening brace. */
	buf_str(out, out->n > 1 ? "," : "");
	buf_put(out, m->name_source);
	buf_char(out, ':');
	buf_put(out, m->source);
}

struct sides {
	struct arena *a, *scratch;
	struct object base, ours, theirs;
	struct buf    out;       /* the merged object */
	const char   *field;     /* name of the first member that clashes; NULL: none */
};

/* Merge the members of one side. With theirs, skip those that ours has as well: they are done. */
static void
merge_members(struct sides *s, const struct object *of)
{
	const struct member *o, *m;
	const char *name;
	bool clashes;

	for (size_t i = 0; i < of->n; i++) {
		name = of->members[i].name;
		o = object_find(&s->ours, name);
		/* If a name is repeated, only its first member counts, as for parsers. */
		if (object_find(of, name) != &of->members[i] || (of == &s->theirs && o != NULL))
			continue;
		m = choose_member(s->scratch, object_find(&s->base, name), o, object_find(&s->theirs, name), &clashes);
		/* Report the first clash; copy its name, since scratch is freed. */
		if (clashes && s->field == NULL)
			s->field = arena_strdup(s->a, name);
		if (m != NULL)
			write_member(&s->out, m);
	}
}

bool
merge_json(struct arena *a, const char *base, const char *ours, const char *theirs,
    const char **out, const char **field)
{
	struct sides s = { .a = a, .scratch = arena_new(SIZE_MAX / 2) };

	s.base = object_read(s.scratch, base);
	s.ours = object_read(s.scratch, ours);
	s.theirs = object_read(s.scratch, theirs);
	/*
	 * Each member is copied once from one side: the result is never longer than both together.
	 */
	buf_init(&s.out, a, str_of(ours).n + str_of(theirs).n + 3);
	buf_char(&s.out, '{');
	merge_members(&s, &s.ours);
	merge_members(&s, &s.theirs);
	buf_char(&s.out, '}');
	cJSON_Delete(s.base.json);
	cJSON_Delete(s.ours.json);
	cJSON_Delete(s.theirs.json);
	arena_free(s.scratch);
	*out = s.out.p;
	*field = s.field;
	return s.field == NULL;
}
