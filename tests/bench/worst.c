/*
 * The worst construct per byte: for each of many constructs of Markdown, HTML and tags the
 * processor time of a body of 32 KiB made of it, through all steps for a document (parse, JSON,
 * sections, links), compared with plain text of the same size. Prints lines "CONSTRUCT MS
 * PLAIN-MS", the worst ratio first.
 *
 *   bench_worst [BYTES [CONSTRUCT]]
 */
#include <sodium.h>
#include <time.h>

#include "constructs.h"
#include "markdown/document.h"

/* Runs all steps for one body; returns ms of processor time. */
static double
once(void *ctx, const char *piece, size_t bytes)
{
	struct arena *a = ctx;
	struct str body = body_of(a, piece, bytes);
	struct buf out;
	struct json j;
	struct doc *d;
	clock_t start;
	double took;
	size_t n;

	buf_init(&out, a, (size_t)1 << 30);
	json_init(&j, &out);
	start = clock();
	d = doc_parse(a, body, NULL, NULL, NULL);
	doc_json(&j, d);
	doc_sections(a, d, &n);
	doc_links_of(a, d, body);
	took = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
	arena_reset(a);
	return took;
}

int
main(int argc, char **argv)
{
	size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 32 << 10, i;
	struct arena *a = arena_new((size_t)4 << 30);
	struct cost all[CONSTRUCTS] = { { 0, 1 } };

	/* Otherwise libsodium would hash with its slowest code, unlike Octavo's programs. */
	if (sodium_init() < 0)
		return 1;
	for (i = 0; i < CONSTRUCTS; i++)
		if (argc <= 2 || strcmp(argv[2], constructs[i].name) == 0)
			all[i] = cost(once, a, 7, constructs[i].piece, bytes);
	costs_print(all);
	arena_free(a);
	return 0;
}
