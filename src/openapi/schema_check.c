/*
 * Checks a value against a compiled schema.
 *
 * The first pass only determines whether the value is valid. A second pass, which makes messages,
 * runs only for an invalid value, so that a valid description of 13 MB needs no memory here. For
 * anyOf and oneOf, messages explain the closest branch: the one whose first fault is deepest,
 * otherwise the one with the fewest faults.
 */
#include <math.h>

#include "base/sort.h"
#include "base/utf8.h"
#include "schema_parts.h"

/*
 * SAY_MAX: bytes of a text in a message. BRANCH_ERRORS: errors kept of each branch. MAX_LEVELS ends
 * schemas that refer to themselves without descending in the value; MAX_HOPS a cycle of references.
 */
enum { SAY_MAX = 100, BRANCH_ERRORS = 20, MAX_LEVELS = 2000, MAX_HOPS = 100 };

/* One walk; each tried branch has a struct run of its own, at the same level. */
struct run {
	struct schema_report *report;   /* NULL: only the result is needed */
	unsigned              levels;
};

static bool check_value(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at);

void
schema_report_init(struct schema_report *r, struct arena *a, size_t max)
{
	*r = (struct schema_report){ .arena = a, .last = &r->first, .max = max };
}

/* ---- messages ---- */

/* Errors beyond max are counted, so that the caller can report their number. */
void
schema_report_add(struct schema_report *r, const char *pointer, const char *message)
{
	struct schema_error *e;

	if (r->count++ >= r->max)
		return;
	e = arena_alloc(r->arena, sizeof(*e));
	*e = (struct schema_error){ NULL, pointer, message };
	*r->last = e;
	r->last = &e->next;
}

static void report_fault(struct run *r, const struct value_place *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void
report_fault(struct run *r, const struct value_place *at, const char *fmt, ...)
{
	struct schema_report *p = r->report;
	struct buf b;
	va_list ap;

	/*
	 * Neither pointer nor message is made for an error that is not kept: a broken description
	 * of 13 MB has millions.
	 */
	if (p == NULL || p->count >= p->max) {
		if (p != NULL)
			p->count++;
		return;
	}
	buf_init(&b, p->arena, 1 << 20);
	buf_str(&b, "");
	value_pointer(&b, at);
	va_start(ap, fmt);
	schema_report_add(p, b.p, arena_vprintf(p->arena, fmt, ap));
	va_end(ap);
}

/* The beginning of a text, for a message, cut between characters. */
static const char *
clip_text(struct run *r, struct str s)
{
	size_t n = s.n < SAY_MAX ? s.n : SAY_MAX;

	if (r->report == NULL)
		return "";
	while (n > 0 && n < s.n && ((unsigned char)s.p[n] & 0xC0) == 0x80)
		n--;
	return arena_printf(r->report->arena, "%.*s%s", (int)n, s.p, n < s.n ? "…" : "");
}

static const char *
kind_name(const struct value *v)
{
	static const char *const names[] = { [VALUE_NULL] = "null", [VALUE_FALSE] = "false", [VALUE_TRUE] = "true",
		[VALUE_NUMBER] = "a number", [VALUE_STRING] = "a string", [VALUE_LIST] = "a list", [VALUE_MAP] = "an object" };

	return names[v->kind];
}

/*
 * "" without a report: otherwise the text would be made for each tried branch of anyOf. 200 bytes
 * hold all types.
 */
static const char *
types_text(struct run *r, unsigned types)
{
	static const struct { unsigned bits; const char *name; } names[] = {
		{ BOOLEAN_BITS, "true or false" }, { 1 << VALUE_NUMBER, "a number" }, { INTEGER_BIT, "an integer" },
		{ 1 << VALUE_STRING, "a string" }, { 1 << VALUE_LIST, "a list" }, { 1 << VALUE_MAP, "an object" },
		{ 1 << VALUE_NULL, "null" } };
	struct buf b;
	size_t i;

	if (r->report == NULL)
		return "";
	buf_init(&b, r->report->arena, 200);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (types & names[i].bits)
			buf_printf(&b, "%s%s", b.n > 0 ? " or " : "", names[i].name);
	return b.p;
}

/* ---- any value ---- */

/* "integer" depends on the spelling (value_is_integer()): in draft 4 1.0 is not an integer. */
static bool
check_type(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	if (s->types == 0 || (s->types & 1u << v->kind))
		return true;
	if ((s->types & INTEGER_BIT) && value_is_integer(v))
		return true;
	report_fault(r, at, "must be %s, not %s", types_text(r, s->types), kind_name(v));
	return false;
}

static const char *
list_choices(struct run *r, const struct value *list)
{
	const struct value *m;
	struct json j;
	struct buf b;

	if (r->report == NULL)
		return "";
	buf_init(&b, r->report->arena, 1 << 20);
	/* Long lists are cut between two values. */
	for (m = list->first; m != NULL && b.n < SAY_MAX * 3; m = m->next) {
		json_init(&j, &b);
		if (b.n > 0)
			buf_str(&b, ", ");
		value_write(&j, m);
	}
	return b.p;
}

static bool
check_enum(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	const struct value *m;

	/* An empty list, which draft 4 forbids, would allow nothing. */
	if (s->enumeration == NULL)
		return true;
	for (m = s->enumeration->first; m != NULL; m = m->next)
		if (value_same(m, v))
			return true;
	report_fault(r, at, s->enumeration->n == 1 ? "must be %s" : "must be one of %s", list_choices(r, s->enumeration));
	return false;
}

/* ---- numbers and strings ---- */

static bool
check_number(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	double n = value_number(v), times;
	bool ok = true;

	if ((s->flags & HAS_MAXIMUM) && (n > s->maximum || ((s->flags & EXCLUSIVE_MAXIMUM) && n == s->maximum))) {
		report_fault(r, at, "must be %s %g", s->flags & EXCLUSIVE_MAXIMUM ? "less than" : "at most", s->maximum);
		ok = false;
	}
	if ((s->flags & HAS_MINIMUM) && (n < s->minimum || ((s->flags & EXCLUSIVE_MINIMUM) && n == s->minimum))) {
		report_fault(r, at, "must be %s %g", s->flags & EXCLUSIVE_MINIMUM ? "more than" : "at least", s->minimum);
		ok = false;
	}
	/*
	 * The error is relative to the quotient's size; a quotient that overflows is no multiple.
	 */
	times = s->flags & HAS_MULTIPLE ? n / s->multiple : 0;
	/* 0.0075 is a multiple of 0.0001, though not in doubles. */
	if (fabs(times - round(times)) > 1e-9 * fmax(1, fabs(times)) || isinf(times)) {
		report_fault(r, at, "must be a multiple of %g", s->multiple);
		ok = false;
	}
	return ok;
}

static bool
check_string(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	struct str text = value_text(v);
	/*
	 * Lengths are in characters (draft 4, 5.2.1), and are counted only if a keyword needs them.
	 */
	size_t n = s->max_length == SIZE_MAX && s->min_length == 0 ? 0 : utf8_count(text);
	bool ok = true;

	if (n > s->max_length) {
		report_fault(r, at, "must have at most %zu characters", s->max_length);
		ok = false;
	}
	if (n < s->min_length) {
		report_fault(r, at, "must have at least %zu characters", s->min_length);
		ok = false;
	}
	if (s->pattern != NULL && !pattern_match(s->pattern, text)) {
		report_fault(r, at, "\"%s\" does not match %s", clip_text(r, text), clip_text(r, pattern_source(s->pattern)));
		ok = false;
	}
	return ok;
}

/* ---- lists ---- */

struct hashed_value {
	uint64_t            hash;
	const struct value *v;
};

static int
by_hash(const void *x, const void *y)
{
	const struct hashed_value *a = x, *b = y;

	return (a->hash > b->hash) - (a->hash < b->hash);
}

/*
 * True if all values of the list differ. They are compared by sorted hashes, because the
 * description decides the length of its lists, and comparing each pair would be quadratic. The
 * function's own arena is freed at once.
 */
static bool
all_differ(const struct value *list)
{
	struct arena *a;
	struct hashed_value *h;
	const struct value *m;
	size_t n = 0, i, k;
	bool ok = true;

	if (list->n < 2)
		return true;
	a = arena_new(SIZE_MAX);
	/* Equal hashes are compared in full, so a chosen collision only costs time. */
	h = arena_array(a, list->n, sizeof(*h));
	for (m = list->first; m != NULL; m = m->next)
		h[n++] = (struct hashed_value){ value_hash(m), m };
	sort_list(h, n, sizeof(*h), by_hash);
	for (i = 0; i < n && ok; i++)
		for (k = i + 1; k < n && h[k].hash == h[i].hash && ok; k++)
			ok = !value_same(h[i].v, h[k].v);
	arena_free(a);
	return ok;
}

static bool
check_list(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	struct value_place below = { .up = at, .in_list = true };
	const struct schema *item;
	bool ok = true;

	if (v->n > s->max_items) {
		report_fault(r, at, "must have at most %zu items", s->max_items);
		ok = false;
	}
	if (v->n < s->min_items) {
		report_fault(r, at, "must have at least %zu items", s->min_items);
		ok = false;
	}
	if ((s->flags & UNIQUE_ITEMS) && !all_differ(v)) {
		report_fault(r, at, "must not have the same item twice");
		ok = false;
	}
	if (s->has_items_at && (s->flags & NO_MORE_ITEMS) && v->n > s->items_at.n) {
		report_fault(r, at, "must have at most %zu items", s->items_at.n);
		ok = false;
	}
	/* Without a report the first fault ends the loop; with one all faults are reported. */
	for (below.v = v->first; below.v != NULL && (ok || r->report != NULL); below.v = below.v->next) {
		/* Draft 4, 5.3.1: additionalItems is used only beside a list of schemas. */
		item = below.index < s->items_at.n ? s->items_at.at[below.index] :
		    s->has_items_at ? s->more_items : s->items;
		if (item != NULL && !check_value(r, item, below.v, &below))
			ok = false;
		below.index++;
	}
	return ok;
}

/* ---- objects ---- */

/*
 * A member is checked against its property and every pattern that matches its name;
 * additionalProperties is for members that neither names (draft 4, 5.4.4).
 */
static bool
check_member(struct run *r, const struct schema *s, const struct value_place *at)
{
	struct str name = value_key(at->v);
	const struct schema *own;
	bool ok = true, known = false;
	size_t i;

	/* The property is looked up in a map: a loop over properties for each member would be quadratic. */
	own = s->property_at == NULL ? NULL : map_get(s->property_at, name);
	if (own != NULL) {
		known = true;
		ok = check_value(r, own, at->v, at);
	}
	for (i = 0; i < s->patterns.n && (ok || r->report != NULL); i++) {
		if (!pattern_match(s->patterns.at[i].pattern, name))
			continue;
		known = true;
		if (!check_value(r, s->patterns.at[i].schema, at->v, at))
			ok = false;
	}
	if (known)
		return ok;
	/* additionalProperties false. */
	if (s->flags & NO_MORE_PROPERTIES) {
		report_fault(r, at, "\"%s\" is not known here", clip_text(r, name));
		return false;
	}
	return s->more_properties == NULL || check_value(r, s->more_properties, at->v, at);
}

/* names: a list of strings, NULL: none. For required and for dependencies. */
static bool
check_names(struct run *r, const struct value *names, const struct value *v, const struct value_place *at)
{
	const struct value *m;
	bool ok = true;

	for (m = value_first(names); m != NULL; m = m->next) {
		if (value_getn(v, value_text(m)) != NULL)
			continue;
		report_fault(r, at, "\"%s\" is missing", clip_text(r, value_text(m)));
		ok = false;
	}
	return ok;
}

static bool
check_dependencies(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	const struct named_schema *d;
	bool ok = true;
	size_t i;

	for (i = 0; i < s->dependencies.n; i++) {
		d = &s->dependencies.at[i];
		if (value_getn(v, d->name) != NULL && !(d->names != NULL ? check_names(r, d->names, v, at) :
		    check_value(r, d->schema, v, at)))
			ok = false;
	}
	return ok;
}

static bool
check_map(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	/*
	 * Places are on the stack, from the member up to the root: a pointer is written only for an
	 * error that is kept.
	 */
	struct value_place below = { .up = at };
	bool ok = check_names(r, s->required, v, at);

	if (v->n > s->max_properties) {
		report_fault(r, at, "must have at most %zu members", s->max_properties);
		ok = false;
	}
	if (v->n < s->min_properties) {
		report_fault(r, at, "must have at least %zu members", s->min_properties);
		ok = false;
	}
	if (s->dependencies.n > 0 && !check_dependencies(r, s, v, at))
		ok = false;
	for (below.v = v->first; below.v != NULL && (ok || r->report != NULL); below.v = below.v->next)
		if (!check_member(r, s, &below))
			ok = false;
	return ok;
}

/* ---- several schemas ---- */

/* A "/" within a name is written ~1, so each "/" is a level. */
static size_t
pointer_depth(const char *pointer)
{
	size_t n = 0;

	while (*pointer != '\0')
		n += *pointer++ == '/';
	return n;
}

/* True if the first fault of x explains more than that of y. */
static bool
is_closer(const struct schema_report *x, const struct schema_report *y)
{
	size_t dx, dy;

	/* No branch was tried yet. */
	if (y->arena == NULL)
		return true;
	dx = x->first == NULL ? 0 : pointer_depth(x->first->pointer);
	dy = y->first == NULL ? 0 : pointer_depth(y->first->pointer);
	return dx != dy ? dx > dy : x->count < y->count;
}

/* Explains, for a value that no branch accepts, why the closest branch does not. */
static void
explain_closest(struct run *r, const struct schema_list *list, const struct value *v, const struct value_place *at)
{
	struct schema_report best = { NULL }, one;
	/* Errors of a branch go to a report of its own; only those of the best one are copied. */
	struct run quiet = { &one, r->levels };
	struct schema_error *e;
	size_t i;

	if (r->report == NULL)
		return;
	for (i = 0; i < list->n; i++) {
		schema_report_init(&one, r->report->arena, BRANCH_ERRORS);
		check_value(&quiet, list->at[i], v, at);
		if (is_closer(&one, &best)) {
			best = one;
			/*
			 * It points into `one`, which the next branch resets; nothing is appended
			 * to best.
			 */
			best.last = NULL;
		}
	}
	if (best.first == NULL)
		report_fault(r, at, "does not have any of the forms that are possible here");
	for (e = best.first; e != NULL; e = e->next)
		schema_report_add(r->report, e->pointer, e->message);
}

static bool
check_all_of(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	bool ok = true;
	size_t i;

	for (i = 0; i < s->all_of.n && (ok || r->report != NULL); i++)
		if (!check_value(r, s->all_of.at[i], v, at))
			ok = false;
	return ok;
}

/* How many branches hold; counting stops at two. */
static unsigned
count_holding(struct run *r, const struct schema_list *list, const struct value *v, const struct value_place *at,
    unsigned most)
{
	struct run quiet = { NULL, r->levels };
	unsigned n = 0;
	size_t i;

	for (i = 0; i < list->n && n < most; i++)
		n += check_value(&quiet, list->at[i], v, at);
	return n;
}

static bool
check_branches(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	bool ok = check_all_of(r, s, v, at);
	unsigned n;

	if (s->any_of.n > 0 && count_holding(r, &s->any_of, v, at, 1) == 0) {
		explain_closest(r, &s->any_of, v, at);
		ok = false;
	}
	/* 1 if the schema has no oneOf. */
	n = s->one_of.n == 0 ? 1 : count_holding(r, &s->one_of, v, at, 2);
	if (n == 0)
		explain_closest(r, &s->one_of, v, at);
	if (n > 1)
		report_fault(r, at, "has more than one of the forms that exclude each other");
	if (s->no != NULL && count_holding(r, &(struct schema_list){ (const struct schema *[]){ s->no }, 1 }, v, at, 1)) {
		report_fault(r, at, "has a form that is not possible here");
		ok = false;
	}
	return ok && n == 1;
}

static bool
check_value(struct run *r, const struct schema *s, const struct value *v, const struct value_place *at)
{
	unsigned hops;
	bool ok;

	for (hops = 0; s->ref != NULL && hops < MAX_HOPS; hops++)
		s = s->ref;
	if (r->levels >= MAX_LEVELS) {
		report_fault(r, at, "is nested too deeply");
		return false;
	}
	r->levels++;
	/*
	 * A value of the wrong type is reported once: the faults of its members would follow from
	 * that.
	 */
	ok = check_type(r, s, v, at) && check_enum(r, s, v, at);
	if (ok && v->kind == VALUE_NUMBER)
		ok = check_number(r, s, v, at);
	else if (ok && v->kind == VALUE_STRING)
		ok = check_string(r, s, v, at);
	else if (ok && v->kind == VALUE_LIST)
		ok = check_list(r, s, v, at);
	else if (ok && v->kind == VALUE_MAP)
		ok = check_map(r, s, v, at);
	/* Branches last: the schema's own keywords give clearer messages. */
	if ((ok || r->report != NULL) && !check_branches(r, s, v, at))
		ok = false;
	r->levels--;
	return ok;
}

/*
 * The first walk reports nothing and ends at the first fault; only a value with faults is walked
 * again.
 */
bool
schema_check(const struct schema *s, const struct value *v, struct schema_report *report)
{
	struct value_place whole = { .v = v };
	struct run quiet = { 0 }, loud = { .report = report };

	if (check_value(&quiet, s, v, &whole))
		return true;
	if (report != NULL)
		check_value(&loud, s, v, &whole);
	return false;
}
