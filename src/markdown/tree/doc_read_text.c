/*
 * Checks texts from clients that Markdown contains unescaped: conditions, names in tags, formulas.
 * Refuses those that the parser would read as something else.
 */
#include <ctype.h>

#include <cjson/cJSON.h>

#include "../doc_parse.h"
#include "doc_read.h"

/* Fails with an error at the member `name` of the node's data. */
static void
fail_at(struct reader *r, const struct path *up, const char *name, const char *why)
{
	struct path data = { up, "data", 0 }, at = { &data, name, 0 };

	read_fail(r, &at, why);
}

/* True if the tag scanner reads exactly s between the name of a tag and its end. */
static bool
fits_tag(struct reader *r, const char *s)
{
	char *source = arena_printf(r->a, "{%% if %s %%}", s);
	struct tag t;

	return tag_scan(str_of(source), &t) == strlen(source) && str_is(t.args, s);
}

static void
check_condition(struct reader *r, struct doc_node *n, const struct path *at)
{
	struct str s = str_trim(str_of(doc_attr_str(n, "expression")));
	char *one = arena_strndup(r->a, s.p, s.n), *p;

	/* In expressions a line feed is equal to a blank, but a new line may begin a block. */
	for (p = one; (p = strpbrk(p, "\r\n\t")) != NULL; )
		*p = ' ';
	if (!fits_tag(r, one))
		fail_at(r, at, "expression", "cannot stand in {% if %}: \"%}\" ends the tag");
	doc_set_str(r->a, n, "expression", one);
}

/* True if s has only letters, digits and characters of more (see name_char() of doc_tag.c). */
static bool
is_name(const char *s, const char *more)
{
	for (; *s != '\0'; s++)
		if (!isalnum((unsigned char)*s) && strchr(more, *s) == NULL)
			return false;
	return true;
}

static void
check_integration(struct reader *r, const struct doc_node *n, const struct path *at)
{
	cJSON *props = cJSON_Parse(n->props), *x;
	const char *name = doc_attr_str(n, "integration");

	if (!is_name(name, "-_@"))
		fail_at(r, at, "integration", "must be a name of letters, digits, \"-\" and \"_\"");
	if (!is_name(doc_attr_str(n, "block"), "-_@/"))
		fail_at(r, at, "block", "must be a name of letters, digits, \"-\", \"_\" and \"/\"");
	for (x = props == NULL ? NULL : props->child; x != NULL; x = x->next)
		/* These end a name: a blank, "=", a quote, straight or curly (tag_attrs()), or the end of the tag. */
		if (*x->string == '\0' || strpbrk(x->string, " \t\r\n=\"'") != NULL || strstr(x->string, "%}") != NULL ||
		    strstr(x->string, "\xE2\x80\x9C") != NULL || strstr(x->string, "\xE2\x80\x9D") != NULL)
			fail_at(r, at, "props", "has a member whose name cannot stand in a tag");
	cJSON_Delete(props);
}

/* True if a line of the formula ends it for the parser (doc_cmark.c). */
static bool
ends_early(struct str s)
{
	struct str line;
	size_t i;

	for (; s.n > 0; s = str_slice(s, i < s.n ? i + 1 : i, s.n)) {
		for (i = 0; i < s.n && s.p[i] != '\n' && s.p[i] != '\r'; )
			i++;
		line = str_trim(str_slice(s, 0, i));
		if (line.n >= 2 && memcmp(line.p + line.n - 2, "$$", 2) == 0)
			return true;
	}
	return false;
}

static void
check_math(struct reader *r, struct doc_node *n, const struct path *at)
{
	struct str s = str_trim(str_of(doc_attr_str(n, "formula")));
	char *text = arena_strndup(r->a, s.p, s.n), *p;

	if (n->type == DOC_MATH) {
		if (ends_early(s))
			fail_at(r, at, "formula", "holds a line that ends with \"$$\", which ends a formula");
	} else if (s.n == 0) {
		fail_at(r, at, "formula", "is empty");
	} else if (strstr(text, "$$") != NULL) {
		fail_at(r, at, "formula", "holds \"$$\", which ends a formula");
	}
	/* An inline formula must be one line (inline_put_math()). */
	for (p = text; n->type == DOC_INLINE_MATH && (p = strpbrk(p, "\r\n")) != NULL; )
		*p = ' ';
	doc_set_str(r->a, n, "formula", text);
}

void
read_check_text(struct reader *r, struct doc_node *n, const struct path *at)
{
	if (n->type == DOC_IF)
		check_condition(r, n, at);
	else if (n->type == DOC_INTEGRATION)
		check_integration(r, n, at);
	else if (n->type == DOC_MATH || n->type == DOC_INLINE_MATH)
		check_math(r, n, at);
}
