/* Writes rows of statements as JSON objects, field by field of a shape. */
#include <assert.h>

#include "db/db.h"
#include "base/exact.h"
#include "base/panic.h"
#include "base/url.h"
#include "http/req.h"
#include "http/shape.h"

/* The name of a column with the prefix that columns of nested objects have. */
static const char *
full_name(const struct row *w, const char *name)
{
	return w->prefix == NULL ? name : arena_printf(w->r->arena, "%s%s", w->prefix, name);
}

const char *
row_text(const struct row *w, const char *name)
{
	return col_text(w->q, col(w->q, full_name(w, name)));
}

int64_t
row_int(const struct row *w, const char *name)
{
	return col_int(w->q, col(w->q, full_name(w, name)));
}

bool
row_null(const struct row *w, const char *name)
{
	return col_null(w->q, col(w->q, full_name(w, name)));
}

#define MAX_EXACT ((double)EXACT_MAX + 1)   /* beyond 2^53 a double is not one integer, and beyond 2^63 the cast is undefined */

static void
write_number(struct json *j, struct stmt *q, int c)
{
	double d = col_double(q, c);

	/* Write integers in a column of numbers without a decimal point. */
	if (d >= -MAX_EXACT && d <= MAX_EXACT && d == (double)(int64_t)d)
		json_int(j, col_int(q, c));
	else
		json_num(j, d);
}

static void
write_level(struct json *j, int64_t level)
{
	if (level == LEVEL_INHERIT)
		json_str(j, "inherit");
	else
		json_str(j, role_name(level));
}

/*
 * The caller has checked that the column is not NULL. Names of fields are literals without escapes.
 */
static void
write_column(struct json *j, const struct field *f, struct stmt *q, int c)
{
	json_name(j, f->name, strlen(f->name));
	switch (f->type) {
	case T_INT:
	case T_NUMBER: write_number(j, q, c); break;
	case T_BOOL:   json_bool(j, col_int(q, c) != 0); break;
	case T_TIME:   json_time(j, col_int(q, c)); break;
	case T_ROLE:   json_str(j, role_name(col_int(q, c))); break;
	case T_LEVEL:  write_level(j, col_int(q, c)); break;
	case T_OBJECT:
	case T_LIST:
	case T_MAP:
	/* These columns hold JSON that was checked when it was written. */
	case T_ANY:    json_raw(j, col_bytes(q, c)); break;
	default:       json_strn(j, col_bytes(q, c));
	}
}

/* Find the column of each field by name. */
static const int *
find_columns(const struct row *w, const struct shape *s)
{
	size_t n = 0;
	bool made;
	int *cols;

	while (s->fields[n].name != NULL)
		n++;
	cols = col_map(w->q, s, w->prefix != NULL ? w->prefix : "", n, &made);
	if (!made)
		return cols;
	for (n = 0; s->fields[n].name != NULL; n++) {
		const struct field *f = &s->fields[n];
		cols[n] = f->emit != NULL || f->join != NULL || f->url != NULL || f->type == T_CONST ? -1 :
		    col_find(w->q, full_name(w, f->col != NULL ? f->col : f->name));
	}
	return cols;
}

static void write_members(struct json *j, const struct shape *s, struct row *w);

/* Write an object from columns of the same row; false if the row has none. */
static bool
write_joined(struct json *j, const struct field *f, const struct row *outer)
{
	bool other = *f->join != '\0';
	struct row w = { .r = outer->r, .q = outer->q, .prefix = other ? full_name(outer, f->join) : outer->prefix };

	/* An outer join without a match gives NULLs. */
	if (other && row_null(&w, "id"))
		return false;
	json_kobj(j, f->name);
	write_members(j, f->of, &w);
	json_end(j);
	return true;
}

enum { ADDRESS_BYTES = 1 << 20 };

/* The value of a {name} in the template of an address. */
static const char *
address_value(const struct row *w, const char *name)
{
	if (strcmp(name, ":org") == 0)
		return w->r->org.id;
	if (strcmp(name, ":space") == 0)
		return w->r->space.id;
	if (strcmp(name, ":request") == 0)
		return w->r->request.id;
	if (strcmp(name, ":site") == 0)
		return w->r->site.id;
	return row_text(w, name);
}

static void
write_address(struct json *j, const struct field *f, const struct row *w)
{
	const char *t = f->app != NULL && w->r->set->app ? f->app : f->url, *value;
	char name[32];
	struct buf b;
	size_t n;

	buf_init(&b, w->r->arena, ADDRESS_BYTES);
	buf_str(&b, w->r->set->url);
	for (; *t != '\0'; t += n) {
		n = strcspn(t, "{");
		buf_put(&b, (struct str){ t, n });
		t += n;
		if (*t == '\0')
			break;
		n = strcspn(t, "}") + 1;
		assert(n >= 3 && n - 2 < sizeof(name));
		memcpy(name, t + 1, n - 2);
		name[n - 2] = '\0';
		if ((value = address_value(w, name)) == NULL)
			panic("%s: the address %s has no %s", f->name, f->url, name);
		/* The value may be a text that a client chose: an unescaped slash in it would name another resource. */
		buf_str(&b, url_segment(w->r->arena, str_of(value)));
	}
	json_name(j, f->name, strlen(f->name));
	json_strn(j, buf_view(&b));
}

/*
 * A member without a value is left out, is null (F_NULL), or is a bug (F_REQ): the answer must not
 * lack what its schema promises.
 */
static void
write_field(struct json *j, const struct field *f, const struct row *w, int c)
{
	if (f->emit != NULL) {
		f->emit(j, f, w);
	} else if (f->join != NULL && write_joined(j, f, w)) {
		return;
	} else if (f->url != NULL) {
		write_address(j, f, w);
	} else if (f->type == T_CONST) {
		json_kstr(j, f->name, f->set);
	} else if (c >= 0 && !col_null(w->q, c)) {
		write_column(j, f, w->q, c);
	} else if (c >= 0 && (f->flags & F_NULL)) {
		json_name(j, f->name, strlen(f->name));
		json_null(j);
	} else if (f->flags & F_REQ) {
		panic("the required member %s has no value", f->name);
	}
}

/* The members are written in the shape's order, as in the description. */
static void
write_members(struct json *j, const struct shape *s, struct row *w)
{
	size_t i;

	w->cols = find_columns(w, s);
	for (i = 0; s->fields[i].name != NULL; i++)
		write_field(j, &s->fields[i], w, w->cols[i]);
}

void
shape_members(struct json *j, const struct shape *s, struct req *r, struct stmt *q)
{
	struct row w = { .r = r, .q = q };

	write_members(j, s, &w);
}

void
shape_row(struct json *j, const struct shape *s, struct req *r, struct stmt *q)
{
	json_obj(j);
	shape_members(j, s, r, q);
	json_end(j);
}
