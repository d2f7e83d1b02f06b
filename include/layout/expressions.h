/*
 * Expressions in bodies that are none. Whoever writes over the API is refused; what an import
 * brings is kept, is hidden from readers (audience/visit.h), and warned about.
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
	const char              *why;        /* in words for its author: "unexpected end at character 4" */
	const char              *where;      /* "{% if %}", or "an expression" in text */
	size_t                   line;       /* in the body, from 1 */
};

/* Those of a body, in reading order; NULL: all can be read. They live in the arena. */
struct expression_fault *expression_faults(struct arena *a, struct str body);
/* Those of a document, which need not live as long. */
struct doc;
struct expression_fault *expression_faults_of(struct arena *a, const struct doc *d);

/* Is one of them this text? */
bool expression_is_among(const struct expression_fault *f, const char *text);

#endif
