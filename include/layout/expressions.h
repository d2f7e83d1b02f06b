/*
 * Finds texts in expression brackets that are no valid expression. The API refuses a text that has
 * one. An import keeps it and warns about it, and readers do not see it (audience/visit.h).
 */
#ifndef OCTAVO_EXPRESSIONS_H
#define OCTAVO_EXPRESSIONS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct expression_fault {
	struct expression_fault *next;
	const char              *text;       /* as it was typed */
	const char              *shown;      /* its first 100 characters, in quotes */
	const char              *why;        /* why it is invalid, for the author: "unexpected end at character 4" */
	const char              *where;      /* "{% if %}", or "an expression" in text */
	size_t                   line;       /* in the body, from 1 */
};

/* The invalid expressions of a body, in reading order, in the arena; NULL: there are none. */
struct expression_fault *expression_faults(struct arena *a, struct str body);
/* The same for a parsed document, which may be freed afterwards. */
struct doc;
struct expression_fault *expression_faults_of(struct arena *a, const struct doc *d);

/* True if one of them is this text. */
bool expression_is_among(const struct expression_fault *f, const char *text);

#endif
