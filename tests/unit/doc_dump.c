/*
 * Developer's aid, not a test: reads Markdown from standard input and prints the document parsed
 * from it.
 *
 *   doc_dump      the document as JSON
 *   doc_dump -m   Markdown, after a round trip
 *   doc_dump -l   targets: line, range, use, spelling
 *   doc_dump -b   top-level blocks: key, type, first line
 *   doc_dump -s   sections
 *   doc_dump -w   warnings
 */
#include <stdio.h>
#include <stdlib.h>

#include "markdown/document.h"

static struct str
slurp(struct arena *a, FILE *in)
{
	struct buf b;
	char chunk[65536];
	size_t n;

	buf_init(&b, a, (size_t)1 << 30);
	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_add(&b, chunk, n);
	return buf_view(&b);
}

static void
print_warning(void *ctx, size_t line, const char *message)
{
	(void)ctx;
	printf("%zu: %s\n", line, message);
}

static void
print_links(struct arena *a, struct str body)
{
	for (struct doc_link *l = doc_links(a, body); l != NULL; l = l->next)
		printf("%zu %zu-%zu %d %.*s\n", l->line, l->from, l->to, (int)l->use,
		    (int)l->spelling.n, l->spelling.p);
}

static void
print_blocks(struct arena *a, struct str body)
{
	size_t n;
	struct doc_block *b = doc_blocks(a, body, &n);

	for (size_t i = 0; i < n; i++)
		printf("%s %s %.*s\n", b[i].key, b[i].type,
		    (int)strcspn(arena_strndup(a, b[i].source.p, b[i].source.n), "\r\n"), b[i].source.p);
}

static void
print_sections(struct arena *a, const struct doc *d)
{
	size_t n;
	struct doc_section *s = doc_sections(a, d, &n);

	for (size_t i = 0; i < n; i++)
		printf("%d #%s %s (%zu words)\n%s\n\n", s[i].level, s[i].anchor != NULL ? s[i].anchor : "",
		    s[i].heading != NULL ? s[i].heading : "", doc_words(s[i].text), s[i].text);
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new((size_t)4 << 30);
	struct str body = slurp(a, stdin);
	char mode = argc > 1 && argv[1][0] == '-' ? argv[1][1] : 'j';
	struct buf out;
	struct json j;

	buf_init(&out, a, (size_t)1 << 30);
	if (mode == 'l')
		print_links(a, body);
	else if (mode == 'b')
		print_blocks(a, body);
	else if (mode == 's')
		print_sections(a, doc_parse(a, body, NULL, NULL, NULL));
	else if (mode == 'w')
		doc_parse(a, body, NULL, print_warning, NULL);
	else if (mode == 'm')
		doc_markdown(&out, doc_parse(a, body, NULL, NULL, NULL), NULL);
	else {
		json_init(&j, &out);
		doc_json(&j, doc_parse(a, body, NULL, NULL, NULL));
		buf_char(&out, '\n');
	}
	fwrite(out.p, 1, out.n, stdout);
	arena_free(a);
	return 0;
}
