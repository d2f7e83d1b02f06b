/*
 * Shapes: what an object of the API looks like, as tables of fields.
 *
 * The same rows check input (shape_check), type output (shape_row) and become
 * components/schemas of /v1/openapi.json (shape_schema). What is not in a
 * shape cannot leave the program: rows are written field by field, and in
 * self-check mode (OCTAVO_SELFCHECK, on in the tests) every finished reply is
 * checked against its shape once more. People generate clients from the
 * description: each field says in .doc what it means, and has an example.
 *
 * Strings are measured in code points. Unknown and duplicate members are
 * refused by name, unless the shape is SHAPE_OPEN.
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
	T_TEXT,     /* string; min..max code points, pattern, set */
	T_CONST,    /* the one string in set */
	T_ENUM,     /* one of the comma-separated strings in set */
	T_INT,      /* integer, min..max */
	T_NUMBER,
	T_BOOL,     /* output: integer column, not 0 */
	T_TIME,     /* RFC 3339; output: milliseconds */
	T_URI,      /* absolute http(s) address; min..max */
	T_EMOJI,    /* one emoji: its characters, or their code points in hex joined by "-" (emoji.h) */
	T_ROLE,     /* a role, read to admin; output: enum role, ROLE_NONE is null */
	T_LEVEL,    /* Role, null or "inherit"; output: enum role, LEVEL_INHERIT */
	T_OBJECT,   /* of */
	T_LIST,     /* of item: objects of `of`, or `item` */
	T_MAP,      /* string -> item, or objects of `of` */
	T_EITHER,   /* of item, a string; or an object of `of` */
	T_ANY       /* any JSON; output: text column that holds JSON. Nothing of the API may be so vague. */
};

enum {
	F_REQ   = 1,   /* must be there */
	F_NULL  = 2,   /* may be null */
	F_MULTI = 4,   /* query: may be repeated (a list) */
	F_EMPTY = 8,   /* T_URI, T_EMOJI: "" is none */
	F_TOLD  = 32,  /* clients see any JSON; the handler checks it, not the shape */
	F_OTHER = 16   /* stands instead of another member: left out of the shape's example */
};

/* What an emitter sees of the row that it writes. */
struct row {
	struct req  *r;
	struct stmt *q;
	const int   *cols;   /* column of each field of the shape, -1: none */
	const char  *prefix; /* of the columns' names, of an object inside another; NULL: none */
};

struct field {
	const char         *name;
	enum field_type     type;
	unsigned            flags;
	int64_t             min, max;      /* 0, 0: no limit */
	const char         *set;
	const char         *pattern;       /* POSIX extended; the JSON Schema text as well */
	const struct shape *of;
	const struct field *item;
	const char         *col;           /* column, where its name is not the field's */
	/*
	 * T_OBJECT, from the same row: its columns' names begin with this. Left out where id is NULL; "": never,
	 * its columns are those of the object around it.
	 */
	const char         *join;
	/*
	 * T_TEXT: an address below OCTAVO_URL. What is in braces becomes one segment of it: {name} that column of
	 * the row, {:org}, {:space}, {:request}, {:site} the id of what the request is about.
	 */
	const char         *url;
	/* Writes key and value, or nothing; NULL: the column of that name, left out where NULL. */
	void              (*emit)(struct json *j, const struct field *f, const struct row *w);
	const char         *preset;        /* default, as JSON, for the documentation and the query */
	const char         *want;          /* for a pattern: a description for the error message */
	/*
	 * Each field of the API has these, or tests/unit/test_openapi.c fails. What it means, in a
	 * few plain words: "Open comments". An example that the field itself would accept: strings
	 * as they are, the rest as JSON. Left out where it follows from the type (sets, booleans,
	 * times, roles, presets) or from the shape or item inside.
	 */
	const char         *doc;
	const char         *example;
};

enum { SHAPE_OPEN = 1, SHAPE_SOME = 2 /* at least one member */ };

struct shape {
	const char                *name;
	const struct field        *fields;   /* ends with a zero name */
	const struct shape *const *one_of;   /* instead of fields; NULL-terminated; distinguished by T_CONST */
	unsigned                   flags;
	const struct shape        *one_or_list; /* instead of fields: an object of that shape, or a list of them */
	int64_t                    list_max;    /* of one_or_list: how many the list may hold */
};

/* One thing wrong with an input. */
struct fault {
	struct fault *next;
	const char   *path;      /* "/position/before/space" */
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

/* The JSON pointer of a member, whose name may be the client's own (RFC 6901, 3). */
const char *pointer_below(struct arena *a, const char *path, const char *name);

/* Checks a value against a shape, or one field; every fault is added. True if none was. */
bool shape_check(struct faults *f, const struct shape *s, const struct cJSON *v, const char *path);

/* The row that q stands on, as an object (shape_row) or as members of the open one (shape_members). */
void shape_row(struct json *j, const struct shape *s, struct req *r, struct stmt *q);
void shape_members(struct json *j, const struct shape *s, struct req *r, struct stmt *q);

/* Columns of the row that an emitter works on, by name; a missing one is a panic. */
const char *row_text(const struct row *w, const char *name);
int64_t     row_int(const struct row *w, const char *name);
bool        row_null(const struct row *w, const char *name);

/* JSON Schema of a shape or field; references go to #/components/schemas/NAME. */
void shape_schema(struct json *j, const struct shape *s);
void field_schema(struct json *j, const struct field *f);

/*
 * An example of a shape or field as a JSON value. Members that are not required
 * are left out of objects inside objects, and so is F_OTHER; a shape inside
 * itself ends there (an empty list, no member).
 */
void shape_example(struct json *j, const struct shape *s);
void field_example(struct json *j, const struct field *f);
/* True if the field has an example, by itself or by its type. */
bool field_has_example(const struct field *f);

/* Of the names in the shape the one most like name; NULL if none is near. */
const char *shape_nearest(const struct shape *s, const char *name);

/* True if it is one of the words of an enum's set. */
bool set_has(const char *set, const char *s);

#endif
