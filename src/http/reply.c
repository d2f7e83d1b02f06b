/* The functions by which handlers answer: a row, a list, or no content. */
#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/url.h"
#include "http/req.h"
#include "base/secret.h"

/* A page of a list ends early if it has more bytes than this, because items may be long. */
enum { PAGE_BYTES = 8 << 20 };

char *
url_for(struct req *r, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = url_make_v(r->arena, r->set, fmt, ap);
	va_end(ap);
	return s;
}

int
reply_current(struct req *r, struct stmt *q, const struct shape *s)
{
	shape_row(&r->json, s, r, q);
	return 0;
}

int
reply_row(struct req *r, struct stmt *q, const struct shape *s)
{
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "not found");
	return reply_current(r, q, s);
}

int
reply_empty(struct req *r)
{
	(void)r;
	return 0;
}

int
reply_created(struct req *r, const char *path)
{
	r->location = url_for(r, "/v1%s", path);
	return 0;
}

/*
 * The text that the signature of a page token covers: the keys of the last row shown, the
 * operation, its path and the query. Since the token contains keys, it stays valid after inserts
 * and deletes; since the query is signed, it is invalid for another list, order or filter. The page
 * size may change between pages.
 */
static struct str
token_context(struct req *r, struct str keys)
{
	const struct field *f = r->route->query->fields;
	const cJSON *value;
	struct buf b;

	buf_init(&b, r->arena, 256 << 10);
	buf_printf(&b, "%s\n%s\n%.*s", r->route->operation, r->path, (int)keys.n, keys.p);
	for (; f->name != NULL; f++) {
		value = cJSON_GetObjectItemCaseSensitive(r->query, f->name);
		if (value != NULL && strcmp(f->name, "page") != 0 && strcmp(f->name, "limit") != 0)
			buf_printf(&b, "\n%s=%s", f->name, cJSON_PrintUnformatted(value));
	}
	return buf_view(&b);
}

/*
 * Makes a page token. A NUL ends each key, since no stored text contains one. A client can read the
 * keys in a token, which come from rows that it was shown, but cannot forge a token.
 */
static char *
write_page_token(struct req *r, const struct list *l, const char *const *next)
{
	struct buf keys;
	int i;

	buf_init(&keys, r->arena, 64 << 10);
	for (i = 0; i < l->keys; i++)
		buf_add(&keys, next[i], strlen(next[i]) + 1);
	return arena_printf(r->arena, "%s.%s", base64url(r->arena, buf_view(&keys)),
	    secret_sign(r->arena, SECRET_PAGE,
	        token_context(r, str_of(base64url(r->arena, buf_view(&keys))))));
}

static bool
read_page_token(struct req *r, struct list *l, const char *token)
{
	const char *dot = strchr(token, '.'), *p;
	struct str keys, bytes;
	int i;

	if (dot == NULL)
		return false;
	keys = (struct str){ token, (size_t)(dot - token) };
	if (!secret_verify(r->arena, SECRET_PAGE, token_context(r, keys), str_of(dot + 1)) ||
	    !base64url_read(r->arena, keys, &bytes))
		return false;
	/*
	 * The signature proves that this installation made the token. An older build may have made
	 * it with fewer keys: check the bound.
	 */
	for (i = 0, p = bytes.p; i < l->keys; i++) {
		l->key[i] = p;
		p += strlen(p) + 1;
		if (p > bytes.p + bytes.n)
			return false;
	}
	return true;
}

int
list_open(struct req *r, struct list *l, int keys)
{
	const char *token = query_text(r, "page");

	*l = (struct list){ .limit = query_int(r, "limit", 50), .keys = keys };
	/* An empty token means the first page, so that clients can begin a loop with it. */
	if (token != NULL && *token != '\0' && !read_page_token(r, l, token))
		return fail_field(r, "/page", "is no page token of this list");
	return 0;
}

void
list_bind(struct stmt *q, const struct list *l)
{
	static const char *const names[] = { ":k1", ":k2", ":k3", ":k4" };
	int i;

	/* One more row than is shown, to find out whether there is a next page. */
	bind_int(q, ":limit", l->limit == 0 ? 0 : l->limit + 1);
	for (i = 0; i < l->keys; i++)
		bind_text(q, names[i], l->key[i]);
}

void
list_begin(struct req *r, const struct list *l)
{
	(void)l;
	json_obj(&r->json);
	json_karr(&r->json, "items");
}

void
list_end(struct req *r, const struct list *l, int64_t count, const char *const *next)
{
	json_end(&r->json);
	list_tail(r, l, count, next);
}

void
list_tail(struct req *r, const struct list *l, int64_t count, const char *const *next)
{
	json_kint(&r->json, "count", count);
	if (next != NULL) {
		json_kobj(&r->json, "next");
		json_kstr(&r->json, "page", write_page_token(r, l, next));
		json_end(&r->json);
	}
	json_end(&r->json);
}

static void
remember_keys(struct req *r, struct stmt *q, const int *cols, int keys, const char **last)
{
	int i;

	for (i = 0; i < keys; i++)
		last[i] = col_dup(q, cols[i], r->arena);
}

int
list_reply(struct req *r, struct list *l, struct stmt *q, const struct shape *item, int64_t count)
{
	static const char *const names[] = { "k1", "k2", "k3", "k4" };
	const char *last[4] = { NULL };
	bool more = false, full = l->limit == 0, in_rows = count == COUNT_IN_ROWS;
	int64_t shown = 0;
	int cols[4], i;

	for (i = 0; i < l->keys; i++)
		cols[i] = col(q, names[i]);
	list_begin(r, l);
	while (stmt_step(q)) {
		if (in_rows)
			/* Each row contains the count; an empty page is one row of NULLs and the count. */
			count = col_int(q, col(q, "total"));
		/* If the extra row exists, there is a next page, and its token contains the keys of the row before. */
		if ((in_rows && col_null(q, cols[0])) || (more = full))
			break;
		shape_row(&r->json, item, r, q);
		full = ++shown == l->limit || r->out.n > PAGE_BYTES;
		if (full)
			remember_keys(r, q, cols, l->keys, last);
	}
	list_end(r, l, count, more ? last : NULL);
	return 0;
}
