/*
 * Trees of values: look-up, comparison, writing. Maps of fewer than INDEX_FROM members are searched one
 * by one, larger ones through a hash index, so that a hostile description with 10^5 names costs no
 * more than others of its size.
 */
#include <assert.h>
#include <stdlib.h>

#include "openapi/value.h"

/*
 * INDEX_FROM: below it a search costs less than a hash. POINTER_MAX bounds the length of a
 * reference.
 */
enum { INDEX_FROM = 24, POINTER_MAX = 8 << 10 };

/* Everything is zero except the kind: no members, no index, no name. */
struct value *
value_new(struct arena *a, enum value_kind kind)
{
	struct value *v = arena_alloc(a, sizeof(*v));

	v->kind = (uint8_t)kind;
	return v;
}

/* Recursion is as deep as the tree, at most VALUE_MAX_DEPTH. */
size_t
value_count(const struct value *v)
{
	const struct value *m;
	size_t n = 1;

	for (m = value_first(v); m != NULL; m = m->next)
		n += value_count(m);
	return n;
}

/* Texts are shorter than 4 GiB, as all sources are, so 32 bits hold their length. */
struct value *
value_string(struct arena *a, struct str text)
{
	struct value *v = value_new(a, VALUE_STRING);

	v->text_p = text.p;
	v->n = (uint32_t)text.n;
	return v;
}

/* The parent must have no index: members added later would not be found by name. */
void
value_append(struct value *parent, struct value ***tail, struct str key, struct value *v)
{
	assert(parent->kind >= VALUE_LIST && parent->index == NULL);
	/*
	 * The value has its name, not the map, so that a map needs nothing but a list of members.
	 */
	v->key_p = key.p;
	v->key_n = (uint32_t)key.n;
	v->next = NULL;
	**tail = v;
	*tail = &v->next;
	parent->n++;
}

/* The second of two members of a small map with the same name; NULL: there is none. */
static const struct value *
find_twice(const struct value *map)
{
	const struct value *x, *y;

	for (x = map->first; x != NULL; x = x->next)
		for (y = x->next; y != NULL; y = y->next)
			if (x->key_n == y->key_n && memcmp(x->key_p, y->key_p, x->key_n) == 0)
				return y;
	return NULL;
}

/* Keeps the last of all members with one name. */
static void
drop_repeated(struct arena *a, struct value *map)
{
	struct map *last = map_new(a);
	struct value *v, *next, **tail = &map->first;
	void **slot;

	for (v = map->first; v != NULL; v = v->next) {
		slot = map_at(last, value_key(v));
		*slot = v;
	}
	map->n = 0;
	for (v = map->first; v != NULL; v = next) {
		next = v->next;
		if (map_get(last, value_key(v)) != v)
			continue;
		*tail = v;
		tail = &v->next;
		map->n++;
	}
	*tail = NULL;
}

bool
value_index(struct arena *a, struct value *map, struct str *twice)
{
	const struct value *again = NULL;
	struct value *v;

	if (map->n < INDEX_FROM) {
		again = find_twice(map);
	} else {
		map->index = map_new(a);
		/* map_add() detects a second member of the same name. */
		for (v = map->first; v != NULL && again == NULL; v = v->next)
			if (!map_add(map->index, value_key(v), v))
				again = v;
	}
	*twice = again != NULL ? value_key(again) : (struct str){ NULL, 0 };
	if (again == NULL)
		return true;
	map->index = NULL;
	drop_repeated(a, map);
	/* There is at most one further call, since no name is left twice. */
	if (map->n >= INDEX_FROM)
		value_index(a, map, &(struct str){ NULL, 0 });
	return false;
}

/* The first member with the name; value_index() has checked that there is at most one. */
struct value *
value_getn(const struct value *m, struct str key)
{
	struct value *v;

	if (m == NULL || m->kind != VALUE_MAP)
		return NULL;
	if (m->index != NULL)
		return map_get(m->index, key);
	for (v = m->first; v != NULL; v = v->next)
		if (v->key_n == key.n && memcmp(v->key_p, key.p, key.n) == 0)
			return v;
	return NULL;
}

struct value *
value_get(const struct value *m, const char *key)
{
	return value_getn(m, str_of(key));
}

/* Returns a copy with a NUL at its end: the texts of the tree have none. */
char *
value_dup(struct arena *a, const struct value *m, const char *key)
{
	const struct value *v = value_get(m, key);

	return value_is(v, VALUE_STRING) ? arena_strndup(a, v->text_p, v->n) : NULL;
}

/* The element of a list whose index the digits name (RFC 6901, 4: no leading zeros). */
static struct value *
list_element(const struct value *list, struct str digits)
{
	struct value *v = list->first;
	size_t n = 0, i;

	if (digits.n == 0 || digits.n > 9 || (digits.n > 1 && digits.p[0] == '0'))
		return NULL;
	for (i = 0; i < digits.n; i++) {
		if (digits.p[i] < '0' || digits.p[i] > '9')
			return NULL;
		n = n * 10 + (size_t)(digits.p[i] - '0');
	}
	/* Linear: pointers into lists are rare, and a list has no index. */
	while (v != NULL && n-- > 0)
		v = v->next;
	return v;
}

/* One token of a pointer with ~1 and ~0 replaced. */
static struct str
unescape_token(struct arena *a, struct str t)
{
	struct buf b;
	size_t i;

	if (memchr(t.p, '~', t.n) == NULL)
		return t;
	buf_init(&b, a, t.n);
	for (i = 0; i < t.n; i++) {
		if (t.p[i] == '~' && i + 1 < t.n && (t.p[i + 1] == '0' || t.p[i + 1] == '1'))
			buf_char(&b, t.p[++i] == '0' ? '~' : '/');
		else
			buf_char(&b, t.p[i]);
	}
	return buf_view(&b);
}

struct value *
value_at(const struct value *v, struct str pointer, struct arena *a)
{
	/* The result is not const, because openapi_follow() writes the targets of references. */
	struct value *found = (struct value *)(uintptr_t)v;
	size_t i = 0, end;
	struct str token;

	/* "" names the whole document (RFC 6901, 5); any other pointer begins with a slash. */
	if (pointer.n > POINTER_MAX || (pointer.n > 0 && pointer.p[0] != '/'))
		return NULL;
	while (i < pointer.n && found != NULL) {
		for (end = ++i; end < pointer.n && pointer.p[end] != '/'; )
			end++;
		token = unescape_token(a, str_slice(pointer, i, end));
		/* value_getn() returns NULL for scalars, which ends the loop. */
		found = found->kind == VALUE_LIST ? list_element(found, token) : value_getn(found, token);
		i = end;
	}
	return found;
}

/* Recurses from the root, at most VALUE_MAX_DEPTH levels. */
void
value_pointer(struct buf *b, const struct value_place *at)
{
	struct str key;
	size_t i;

	/* The root has the pointer "". */
	if (at->up == NULL)
		return;
	value_pointer(b, at->up);
	buf_char(b, '/');
	if (at->in_list) {
		buf_int(b, (int64_t)at->index);
		return;
	}
	key = value_key(at->v);
	for (i = 0; i < key.n; i++) {
		/* RFC 6901, 3: both characters have a meaning in pointers. */
		if (key.p[i] == '~' || key.p[i] == '/')
			buf_str(b, key.p[i] == '~' ? "~0" : "~1");
		else
			buf_char(b, key.p[i]);
	}
}

/* The character after a number in a source is never part of one, so strtod() stops there. */
double
value_number(const struct value *v)
{
	return value_is(v, VALUE_NUMBER) ? strtod(v->text_p, NULL) : 0;
}

/* True if a number is spelled as an integer (draft 4 core, 3.5): 1.0 is a number, not an integer. */
bool
value_is_integer(const struct value *v)
{
	return value_is(v, VALUE_NUMBER) && memchr(v->text_p, '.', v->n) == NULL &&
	    memchr(v->text_p, 'e', v->n) == NULL && memchr(v->text_p, 'E', v->n) == NULL;
}

/*
 * Both have the same number of members, and no name twice, so it is enough that y has every member
 * of x.
 */
static bool
same_members(const struct value *x, const struct value *y)
{
	const struct value *m, *k = y->first;

	for (m = x->first; m != NULL; m = m->next) {
		if (x->kind == VALUE_MAP)
			k = value_getn(y, value_key(m));
		if (k == NULL || !value_same(m, k))
			return false;
		k = k->next;
	}
	return true;
}

/* Compares counts and lengths first, in which most values differ. true and false differ by kind. */
bool
value_same(const struct value *x, const struct value *y)
{
	if (x->kind != y->kind)
		return false;
	/* 1 and 1.0 are the same value in JSON Schema (draft 4 core, 3.6). */
	if (x->kind == VALUE_NUMBER)
		return str_eq(value_text(x), value_text(y)) || value_number(x) == value_number(y);
	if (x->n != y->n)
		return false;
	if (x->kind == VALUE_STRING)
		return memcmp(x->text_p, y->text_p, x->n) == 0;
	return x->kind < VALUE_LIST || same_members(x, y);
}

/*
 * FNV-1a: values with equal hashes are compared in full afterwards, so nothing depends on its
 * strength.
 */
static uint64_t
mix_hash(uint64_t h, const void *p, size_t n)
{
	const unsigned char *c = p;

	while (n-- > 0)
		h = (h ^ *c++) * UINT64_C(0x100000001b3);
	return h;
}

/* Hashes numbers by value, not by spelling, because value_same() compares them so. */
uint64_t
value_hash(const struct value *v)
{
	uint64_t h = mix_hash(UINT64_C(0xcbf29ce484222325), &v->kind, 1), part;
	const struct value *m;
	double number;

	if (v->kind == VALUE_STRING)
		return mix_hash(h, v->text_p, v->n);
	if (v->kind == VALUE_NUMBER) {
		/* -0.0 + 0.0 is 0.0: equal numbers must have equal bytes. */
		number = value_number(v) + 0.0;
		return mix_hash(h, &number, sizeof(number));
	}
	for (m = value_first(v); m != NULL; m = m->next) {
		part = value_hash(m);
		if (v->kind == VALUE_LIST)
			h = mix_hash(h, &part, sizeof(part));
		else
			/* Members have no order, and a sum does not depend on it. */
			h += mix_hash(part, m->key_p, m->key_n);
	}
	return h;
}

/*
 * A reference is written as its text. openapi_follow() stores the target of a reference in `first` of
 * its string; only lists and maps have members there. Recursion is bounded by VALUE_MAX_DEPTH.
 */
void
value_write(struct json *j, const struct value *v)
{
	const struct value *m;

	switch (v->kind) {
	case VALUE_NULL:   json_null(j); return;
	case VALUE_FALSE:  json_bool(j, false); return;
	case VALUE_TRUE:   json_bool(j, true); return;
	case VALUE_NUMBER: json_raw(j, value_text(v)); return;
	case VALUE_STRING: json_strn(j, value_text(v)); return;
	case VALUE_LIST:   json_arr(j); break;
	default:           json_obj(j); break;
	}
	for (m = v->first; m != NULL; m = m->next) {
		if (v->kind == VALUE_MAP)
			json_keyn(j, value_key(m));
		value_write(j, m);
	}
	json_end(j);
}
