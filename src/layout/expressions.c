/* Texts in expression brackets that do not parse. Contract: layout/expressions.h. */
#include <string.h>

#include "expr/expr.h"
#include "layout/expressions.h"
#include "markdown/document.h"

/* The beginning of an invalid expression, for a message: the whole may be as long as the body. */
static const char *
quote_start(struct arena *a, const char *text)
{
	size_t n = 0, characters = 0;

	while (text[n] != '\0' && characters < 100)
		/* Skip to the start of the next character. */
		for (n++, characters++; (text[n] & 0xc0) == 0x80; n++)
			;
	return arena_printf(a, "\"%.*s%s\"", (int)n, text, text[n] == '\0' ? "" : "…");
}

static struct expression_fault *
find_faults(struct arena *a, const struct doc_expression *x, size_t count)
{
	struct expression_fault *first = NULL, **last = &first;
	const char *why;
	size_t i;

	for (i = 0; i < count; i++) {
		/* Blanks around an expression belong to its brackets. */
		if (expr_parse(a, str_trim(str_of(x[i].text)), &why) != NULL)
			continue;
		*last = arena_alloc(a, sizeof(**last));
		**last = (struct expression_fault){ NULL, arena_strdup(a, x[i].text), quote_start(a, x[i].text), why,
			x[i].condition ? "{% if %}" : "an expression", x[i].line };
		last = &(*last)->next;
	}
	return first;
}

struct expression_fault *
expression_faults(struct arena *a, struct str body)
{
	size_t count;
	struct doc_expression *x = doc_expressions(a, body, &count);

	return find_faults(a, x, count);
}

struct expression_fault *
expression_faults_of(struct arena *a, const struct doc *d)
{
	size_t count;
	struct doc_expression *x = doc_expressions_of(a, d, &count);

	return find_faults(a, x, count);
}

bool
expression_is_among(const struct expression_fault *f, const char *text)
{
	for (; f != NULL; f = f->next)
		if (strcmp(f->text, text) == 0)
			return true;
	return false;
}
