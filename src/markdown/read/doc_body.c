/* What is asked of a body as a whole, by a parse that is thrown away. Contract: markdown/document.h. */
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
	/* A byte of Markdown is no more than two nodes, but for cells that tables are filled up with. */
	enum { SMALL = 32 << 10 };

	/* Definitions may repeat, and the libraries need more than linear time. */
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
	/* An arena of its own: the tree is thrown away, and may be large. */
	a = arena_new(SIZE_MAX / 2);
	fault = doc_fault(doc_parse_words(a, body, NULL, NULL));
	arena_free(a);
	return fault;
}
