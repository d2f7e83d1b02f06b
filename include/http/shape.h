/*
 * Shapes: tables of fields that describe the objects of the API.
 *
 * The same table checks input (shape_check), determines the types of output (shape_row) and becomes
 * the schema in /v1/openapi.json (shape_schema). Rows are written field by field, so a column that
 * is not in a shape is never sent. In self-check mode (OCTAVO_SELFCHECK, set in the tests) each
 * finished answer is also checked against its shape. People generate clients from the description,
 * so each field has an explanation in .doc, and an example.
 *
 * Lengths of strings are counted in code points. Unknown and duplicate members are refused, and the
 * error names them, unless the shape is SHAPE_OPEN.
 */
#ifndef OCTAVO_SHAPE_H
#define OCTAVO_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"

struct cJSON;
struct req;
struct stmt;
struct shape;
struct field;

enum field_type {
	T_TEXT,     /* string; limits: min and max in code points, pattern, set */
	T_CONST,    /* a string with one possible value: set */
	T_ENUM,     /* one of the comma-separated strings in set */
	T_INT,      /* integer from min to max */
	T_NUMBER,
	T_BOOL,     /* boolean; output: an integer column, true if not 0 */
	T_TIME,     /* date-time of RFC 3339; output: a column with milliseconds */
	T_URI,      /* absolute http(s) address; limits: min and max */
	T_EMOJI,    /* one emoji: its characters, or their code points in hex joined by "-" (emoji.h) */
	T_ROLE,     /* a role from read to admin; output: enum role, and ROLE_NONE is null */
	T_LEVEL,    /* a role, null or "inherit"; output: enum role, LEVEL_INHERIT */
	T_OBJECT,   /* an object of shape `of` */
	T_LIST,     /* a list of objects of shape `of`, or of values of field `item` */
	T_MAP,      /* an object with any names, whose values are of field `item` or shape `of` */
	T_EITHER,   /* a string of field `item`, or an object of shape `of` */
	T_ANY       /* any JSON; output: a text column with JSON. No field of the API's own may have this type, because it describes nothing. */
};

enum {
	F_REQ   = 1,   /* required */
	F_NULL  = 2,   /* may be null */
	F_MULTI = 4,   /* a query parameter that may be repeated; its value is a list */
	F_EMPTY = 8,   /* T_URI, T_EMOJI: the empty string is allowed, and means that there is no value */
	F_TYPE_ONLY = 32,    /* the shape checks only the JSON type (string, list, object …); the handler checks what is inside */
	F_ALTERNATIVE = 16   /* excludes another member, so it is omitted from the shape's example */
};

/* The row that a field's emit function writes from. */
struct row {
	struct req  *r;
	struct stmt *q;
	const int   *cols;   /* number of the column for each field of the shape; -1: none */
	const char  *prefix; /* prefix of the columns' names if the object is inside another one; NULL: none */
};

struct field {
	const char         *name;
	enum field_type     type;
	unsigned            flags;
	int64_t             min, max;      /* min and max both 0: no limits */
	const char         *set;
	const char         *pattern;       /* POSIX extended regular expression; also used in the JSON Schema */
	const struct shape *of;
	const struct field *item;
	const char         *col;           /* name of the column; NULL: the name of the field */
	/*
	 * For a T_OBJECT whose members are columns of the same row: the prefix of the columns'
	 * names. If the column id with this prefix is NULL, the object is left out. "": the columns
	 * have no prefix, and the object is always written.
	 */
	const char         *join;
	/*
	 * For a T_TEXT: template of an address below OCTAVO_URL. {name} is replaced by the column
	 * `name`; {:org}, {:space}, {:request} and {:site} by the id of the object that the request
	 * is about. Each value is encoded as one segment of the path.
	 */
	const char         *url;
	/*
	 * As `url`, for an address in the application. If OCTAVO_APP is 0, `url` is written
	 * instead.
	 */
	const char         *app;
	/*
	 * Writes the member, or nothing. NULL: the member is written from its column, and left out
	 * if the column is NULL.
	 */
	void              (*emit)(struct json *j, const struct field *f, const struct row *w);
	const char         *preset;        /* default value as JSON, for the documentation, and for query parameters that are not sent */
	const char         *want;          /* words for the pattern in error messages: "must be WANT" */
	/*
	 * Documentation; tests/unit/test_openapi.c fails for a field without it. doc: the meaning
	 * in a few plain words, for example "Open comments". example: a value that the field would
	 * accept; strings without quotes, other types as JSON. No example is needed if one follows
	 * from the type (sets, booleans, times, roles, presets) or from the shape or item inside.
	 */
	const char         *doc;
	const char         *example;
};

enum {
	SHAPE_OPEN = 1,
	SHAPE_SOME = 2,    /* the object must have at least one member */
	SHAPE_BYTES = 4    /* not JSON: the body is the bytes of a file, whatever its Content-Type (r->raw_body) */
};

struct shape {
	const char                *name;
	const struct field        *fields;   /* ends with a zero name */
	const struct shape *const *one_of;   /* instead of fields: alternative shapes, distinguished by a T_CONST field; NULL-terminated */
	unsigned                   flags;
	const struct shape        *one_or_list; /* instead of fields: an object of that shape, or a list of them */
	int64_t                    list_max;    /* maximum length of that list */
};

/* The body of operations that receive a file. */
extern const struct shape FileBytes;

/* A fault of an input. */
struct fault {
	struct fault *next;
	const char   *path;      /* JSON pointer, for example "/position/before/space" */
	const char   *message;
};

struct faults {
	struct arena *arena;
	struct fault *first, **last;
	size_t        count;
};

void faults_init(struct faults *f, struct arena *a);
void faults_add(struct faults *f, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The JSON pointer of a member. Its name is encoded (RFC 6901, 3), because clients choose some names. */
const char *pointer_below(struct arena *a, const char *path, const char *name);

/* Checks a value against a shape or a field, and adds all faults. True if there was none. */
bool shape_check(struct faults *f, const struct shape *s, const struct cJSON *v, const char *path);

/*
 * Writes the row that q is on: shape_row() as an object, shape_members() as members of the object
 * that is open.
 */
void shape_row(struct json *j, const struct shape *s, struct req *r, struct stmt *q);
void shape_members(struct json *j, const struct shape *s, struct req *r, struct stmt *q);

/* Columns of the row that an emit function writes from, by name. Panics if there is no such column. */
const char *row_text(const struct row *w, const char *name);
int64_t     row_int(const struct row *w, const char *name);
bool        row_null(const struct row *w, const char *name);

/* Writes the JSON Schema of a shape or field. References point to #/components/schemas/NAME. */
void shape_schema(struct json *j, const struct shape *s);
void field_schema(struct json *j, const struct field *f);

/*
 * Writes an example of a shape or field. An object inside another object has only its required
 * members, and F_ALTERNATIVE members are always left out. A shape that contains itself ends with an empty
 * list or without the member.
 */
void shape_example(struct json *j, const struct shape *s);
void field_example(struct json *j, const struct field *f);
/* True if an example is given, or follows from the type. */
bool field_has_example(const struct field *f);

/* The field name of the shape that is most similar to `name`, for error messages. NULL if none is similar. */
const char *shape_nearest(const struct shape *s, const char *name);

/* True if s is one of the words of the set. */
bool set_has(const char *set, const char *s);

#endif
