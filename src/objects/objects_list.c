/*
 * Lists objects (ListObjectsV2), a page of a thousand at a time. The answer is XML of a fixed form,
 * whose texts are keys, numbers and times: so its elements are found by name. Contract:
 * include/objects/objects.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/url.h"
#include "objects_parts.h"

/* A page of the list has at most a thousand objects of less than 1 kB each. */
enum { PAGE_MAX = 4 << 20 };

static bool
add_piece(void *ctx, const char *p, size_t n)
{
	struct buf *b = ctx;

	if (b->n + n > PAGE_MAX)
		return false;
	buf_add(b, p, n);
	return true;
}

/* The text of the first element with this name from s on; p NULL: there is none. *after: what follows it. */
static struct str
element(struct arena *a, struct str s, const char *name, struct str *after)
{
	const char *open = arena_printf(a, "<%s>", name), *end = arena_printf(a, "</%s>", name), *from, *to;

	from = s.n == 0 ? NULL : memmem(s.p, s.n, open, strlen(open));
	to = from == NULL ? NULL : memmem(from, (size_t)(s.p + s.n - from), end, strlen(end));
	if (to == NULL)
		return (struct str){ NULL, 0 };
	from += strlen(open);
	if (after != NULL)
		*after = str_slice(s, (size_t)(to + strlen(end) - s.p), s.n);
	return (struct str){ from, (size_t)(to - from) };
}

/* The text without the five entities of XML. */
static char *
plain_text(struct arena *a, struct str s)
{
	static const struct { const char *entity; char is; } entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' },
		{ "&quot;", '"' }, { "&apos;", '\'' } };
	char *out = arena_strndup(a, s.p, s.n), *to = out, *from = out;
	size_t i;

	while (*from != '\0') {
		for (i = 0; i < 5 && strncmp(from, entities[i].entity, strlen(entities[i].entity)) != 0; i++)
			;
		*to++ = i < 5 ? entities[i].is : *from;
		from += i < 5 ? strlen(entities[i].entity) : 1;
	}
	*to = '\0';
	return out;
}

/* Calls fn for each object of a page. Returns the token of the next page; NULL: this was the last one. */
static char *
read_page(struct objects *o, struct arena *a, struct str page, void (*fn)(void *, const struct object *), void *ctx)
{
	struct str rest = page, one, token = element(a, page, "NextContinuationToken", NULL);
	struct arena *step = arena_within(a, 1 << 16);
	size_t skip = strlen(objects_set(o)->prefix);

	while ((one = element(a, rest, "Contents", &rest)).p != NULL) {
		struct str key = element(step, one, "Key", NULL), size = element(step, one, "Size", NULL);
		struct str at = element(step, one, "LastModified", NULL);
		struct object found = { .at = 0 };

		if (key.n > skip && size.p != NULL) {
			found.key = plain_text(step, key) + skip;
			found.size = strtoll(arena_strndup(step, size.p, size.n), NULL, 10);
			if (at.p == NULL || !time_parse(arena_strndup(step, at.p, at.n), &found.at))
				found.at = 0;
			fn(ctx, &found);
		}
		arena_reset(step);
	}
	return token.p == NULL || str_is(element(a, page, "IsTruncated", NULL), "false") ? NULL : plain_text(a, token);
}

static void
note_any(void *ctx, const struct object *one)
{
	(void)one;
	*(bool *)ctx = true;
}

enum objects_result
objects_any(struct objects *o, bool *any)
{
	struct arena *a = arena_new(32 << 20);
	struct buf page;
	struct objects_request q = { .method = OBJECTS_GET, .key = NULL, .take = add_piece, .ctx = &page };
	enum objects_result result;

	buf_init(&page, a, PAGE_MAX);
	objects_scratch(o);
	q.query = arena_printf(a, "list-type=2&max-keys=1&prefix=%s", url_segment(a, str_of(objects_set(o)->prefix)));
	*any = false;
	if ((result = objects_request(o, &q)) == OBJECTS_DONE)
		read_page(o, a, buf_view(&page), note_any, any);
	arena_free(a);
	return result;
}

enum objects_result
objects_each(struct objects *o, void (*fn)(void *, const struct object *), void *ctx)
{
	struct arena *tokens = arena_new(64 << 20), *a = arena_within(tokens, 16 << 20);
	const char *token = NULL;
	enum objects_result result;
	struct buf page;

	do {
		struct objects_request q = { .method = OBJECTS_GET, .key = NULL, .take = add_piece, .ctx = &page };

		arena_reset(a);
		buf_init(&page, a, PAGE_MAX);
		objects_scratch(o);
		/* Names of parameters are in order, as signatures need them. */
		q.query = arena_printf(a, "%s%s%slist-type=2&max-keys=1000&prefix=%s", token == NULL ? "" : "continuation-token=",
		    token == NULL ? "" : url_segment(a, str_of(token)), token == NULL ? "" : "&",
		    url_segment(a, str_of(objects_set(o)->prefix)));
		if ((result = objects_request(o, &q)) != OBJECTS_DONE)
			break;
		token = read_page(o, a, buf_view(&page), fn, ctx);
		token = token == NULL ? NULL : arena_strdup(tokens, token);
	} while (token != NULL);
	arena_free(tokens);
	return result;
}
