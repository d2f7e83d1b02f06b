/*
 * Regular expressions of schemas, with PCRE2. Most of those in OpenAPI's schemas are a plain text
 * after "^": these are compared without the library.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/buf.h"
#include "schema_parts.h"

enum { MATCH_LIMIT = 100000 };   /* steps, so that every match ends soon */

/* code, data and context are NULL where the pattern is literal. */
struct pattern {
	struct str           source;
	struct str           literal;   /* the prefix of every match, or the whole match */
	bool                 is_literal, is_whole;
	pcre2_code          *code;
	pcre2_match_data    *data;
	pcre2_match_context *context;
};

/* "^x-", "^\/" and "^\$ref$" are plain text. */
static bool
read_literal(struct arena *a, struct pattern *p)
{
	struct str s = p->source;
	struct buf b;
	size_t i;

	if (s.n == 0 || s.p[0] != '^')
		return false;
	buf_init(&b, a, s.n);
	for (i = 1; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && strchr("/$.-", s.p[i + 1]) != NULL) {
			buf_char(&b, s.p[++i]);
		} else if (s.p[i] == '$' && i + 1 == s.n) {
			p->is_whole = true;
		} else if (strchr("\\^$.|?*+()[]{}", s.p[i]) != NULL) {
			return false;
		} else {
			buf_char(&b, s.p[i]);
		}
	}
	p->literal = buf_view(&b);
	return true;
}

/* PCRE2 allocates with malloc(): the arena calls this when it ends. */
static void
pattern_free(void *arg)
{
	struct pattern *p = arg;

	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
}

struct pattern *
pattern_new(struct arena *a, struct str source, const char **why)
{
	struct pattern *p = arena_alloc(a, sizeof(*p));
	PCRE2_SIZE at;
	int error;

	p->source = source;
	if ((p->is_literal = read_literal(a, p)))
		return p;
	/* read_literal() may have set it before it failed. */
	p->is_whole = false;
	/* DOLLAR_ENDONLY: "$" in ECMA 262 does not match before a final line feed. */
	p->code = pcre2_compile((PCRE2_SPTR)source.p, source.n, PCRE2_UTF | PCRE2_DOLLAR_ENDONLY, &error,
	    &at, NULL);
	if (p->code == NULL) {
		*why = arena_printf(a, "the pattern %.*s is no regular expression", (int)source.n, source.p);
		return NULL;
	}
	p->data = pcre2_match_data_create_from_pattern(p->code, NULL);
	p->context = pcre2_match_context_create(NULL);
	/*
	 * A match that exceeds the limit counts as none: a wrong message is better than a blocked
	 * worker.
	 */
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	arena_on_end(a, pattern_free, p);
	return p;
}

bool
pattern_match(const struct pattern *p, struct str s)
{
	if (p->is_literal)
		return s.n >= p->literal.n && (!p->is_whole || s.n == p->literal.n) &&
		    memcmp(s.p, p->literal.p, p->literal.n) == 0;
	/* The match data is written although the pattern is const: only one thread uses it. */
	return pcre2_match(p->code, (PCRE2_SPTR)s.p, s.n, 0, 0, p->data, p->context) >= 0;
}

struct str
pattern_source(const struct pattern *p)
{
	return p->source;
}
