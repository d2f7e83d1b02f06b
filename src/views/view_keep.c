/*
 * Pages in a worker's memory: a page that is made from cached answers alone is sent again while these are valid
 * (http/page_cache.h). Contract: view_parts.h.
 */
#include "base/panic.h"
#include "base/secret.h"
#include "view_parts.h"

enum { KEY_MOST = 64 << 10 };

/* The HTML before the value of the field that write_once() writes; the value has ONCE_LENGTH characters. */
static const char once_field[] = "name=\"once\" value=\"";
enum { ONCE_LENGTH = 22 };

/*
 * The key of a page in the cache: everything that the page depends on, except the data. The cookie
 * is hashed, so that the cache does not contain the session's secret.
 */
static const char *
make_key(struct view *v)
{
	struct buf b;

	buf_init(&b, v->arena, KEY_MOST);
	buf_str(&b, "page ");
	buf_str(&b, hex(v->arena, hash_of(v->arena, str_of(v->io->param(v->io, "HTTP_COOKIE")))));
	buf_int(&b, time_now() / DAY_MS);
	buf_str(&b, text_tag(v->language));
	buf_str(&b, v->io->param(v->io, "REQUEST_URI"));
	return b.p;
}

/* True for every second page if OCTAVO_SELFCHECK is set: it is made again, and compared with the cached one. */
static bool
wants_new_page(const struct view *v)
{
	static bool anew;

	return v->set->self_check && (anew = !anew);
}

/*
 * Replaces the random values of write_once() in a cached page. Without this, a form that is opened
 * and sent twice would count as one form that the browser sent twice.
 */
static void
renew_once(struct view *v)
{
	char *at = v->body.p;

	while (v->body.n > 0 && (at = strstr(at, once_field)) != NULL) {
		at += strlen(once_field);
		memcpy(at, secret_id(v->arena), ONCE_LENGTH);
	}
}

bool
find_kept_page(struct view *v)
{
	const struct recalled *k;

	if (v->method != M_GET || v->secret == NULL || strlen(v->io->param(v->io, "REQUEST_URI")) > KEY_MOST / 2)
		return false;
	v->key = make_key(v);
	if (wants_new_page(v) || (k = find_cached_page(v->db, v->key)) == NULL)
		return false;
	v->policies = (struct str){ arena_strndup(v->arena, k->head.p, k->head.n), k->head.n };
	buf_put(&v->body, k->body);
	renew_once(v);
	return true;
}

/* True if the pages are the same except for the random values of write_once(). */
static bool
is_same_page(struct str a, struct str b)
{
	const size_t n = strlen(once_field);

	for (size_t i = 0; a.n == b.n && i < a.n; i++) {
		if (a.p[i] != b.p[i])
			return false;
		if (i + 1 >= n && memcmp(a.p + i + 1 - n, once_field, n) == 0)
			i += ONCE_LENGTH;
	}
	return a.n == b.n;
}

static void
check_kept_page(struct view *v)
{
	const struct recalled *k = find_cached_page(v->db, v->key);

	if (k != NULL && (!str_eq(k->head, v->policies) || !is_same_page(k->body, buf_view(&v->body))))
		panic("%s: the page differs from the one that was cached for the same data", v->path);
}

void
keep_page(struct view *v)
{
	if (v->key == NULL || v->status != 200 || v->type != NULL || v->cookies.n > 0)
		return;
	if (v->set->self_check && v->sources.some && !v->sources.lacking)
		check_kept_page(v);
	cache_page(&v->sources, v->key, &(struct recalled){ v->policies, buf_view(&v->body), 0 });
}
