/* The request that all samples show, so that they are equal in all languages. */
#ifndef OCTAVO_OPENAPI_SAMPLE_H
#define OCTAVO_OPENAPI_SAMPLE_H

#include "base/buf.h"
#include "parts_inside.h"

/*
 * Maximum number of headers, and of fields; more are omitted, since the description decides their
 * number.
 */
enum { MAX_PARTS = 50 };

struct header {
	const char *name, *value;
};

/* A field of a form. */
struct form_field {
	const char *name, *value;
	bool        file;               /* value: a name for it */
};

struct request {
	struct part_writer *t;
	const char    *method;              /* upper case */
	const char    *url;
	const char    *cookies;             /* NULL: none */
	struct header  headers[MAX_PARTS];  /* without Content-Type */
	size_t         header_count;
	const char    *type;                /* Content-Type; NULL: no body */
	enum {
		BODY_NONE,
		BODY_TEXT,
		BODY_JSON,                      /* JSON that was written from the value `json`; text contains it */
		BODY_FORM,                      /* urlencoded; text contains the encoded fields */
		BODY_MULTIPART,
		BODY_FILE                       /* the bytes of a file */
	} kind;
	const char         *text;       /* BODY_TEXT, BODY_JSON, BODY_FORM: the body */
	const struct value *json;       /* BODY_JSON */
	struct form_field   fields[MAX_PARTS]; /* BODY_FORM, BODY_MULTIPART */
	size_t              field_count;
};

struct sample_language {
	const char *lang, *label;
	/* False: such a request has no short form in the language. */
	bool      (*write)(struct buf *b, const struct request *r);
};

/* Encodes all characters except the unreserved ones of RFC 3986, 2.3. */
void add_encoded(struct buf *b, const char *s);

/* Ends with an entry whose lang is NULL. */
extern const struct sample_language sample_languages[];

#endif
