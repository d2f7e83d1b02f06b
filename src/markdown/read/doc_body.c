/* Facts about a whole body that need a parse, but not its tree. Contract: markdown/document.h. */
#include "../doc_cost.h"
#include "../doc_parse.h"
#include "markdown/document.h"

bool
doc_body_shows(struct str body)
{
	struct arena *a = arena_new(SIZE_MAX / 2);
	bool shows = doc_shows(doc_parse_words(a, body, NULL, NULL)->root);

	arena_free(a);
	return shows;
}

bool
doc_is_small(struct str body)
{
	/*
	 * So small that the limits cannot be reached: a byte of Markdown makes at most two nodes,
	 * except for the cells that cmark adds to short table rows.
	 */
	enum { SMALL = 32 << 10 };

	/*
	 * Definitions are excluded, since they may be repeated, and texts for which the libraries
	 * need more than linear time.
	 */
	return body.n < SMALL && str_find(body, "]:").p == NULL && cost_of_markdown(body) == NULL &&
	    cost_of_html(body) == NULL;
}

const char *
doc_body_fault(struct str body)
{
	struct arena *a;
	const char *fault;

	if (doc_is_small(body))
		return NULL;
	/* Use a separate arena: the tree may be large and is thrown away. */
	a = arena_new(SIZE_MAX / 2);
	fault = doc_fault(doc_parse_words(a, body, NULL, NULL));
	arena_free(a);
	return fault;
}
