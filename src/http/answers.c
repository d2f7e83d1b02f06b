/*
 * Cache of answers. Contract: answers.h. The entries are in the cache of db/recall.h, as are the
 * answers for visitors of sites. Keys of those have a blank after the first hash, and the keys made
 * here have none, so they never collide.
 *
 * An entry is the body and, as one text, the status, the tag, Cache-Control and the user, which the
 * log needs. A cached 304 has no body, and is sent only to clients that have its tag.
 */
#include <assert.h>
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"
#include "base/url.h"
#include "db/recall.h"
#include "answers.h"

/*
 * Answers are cached only for users: the rights of a site's token expire, and answers for such
 * tokens have a cache of their own. A space in the trash exists only for some days. If the handler
 * sets r->after, that work would not be done for a cached answer.
 */
static bool
is_cacheable(const struct req *r)
{
	return r->route->mode == KEPT && r->who.kind == BY_USERS && r->space.deleted_at == 0 && r->after == NULL &&
	    !r->unfinished;
}

/* True if the operation knows a parameter of this name, which is still encoded. */
static bool
is_known(struct req *r, struct str name)
{
	const struct field *f = r->route->query != NULL ? r->route->query->fields : NULL;
	const char *plain = url_decode(r->arena, name, true);

	for (; f != NULL && plain != NULL && f->name != NULL; f++)
		if (strcmp(f->name, plain) == 0)
			return true;
	/* A broken encoding is an error, and errors are never cached. */
	return plain == NULL;
}

const char *
known_address(struct req *r)
{
	const char *uri = r->io->param(r->io, "REQUEST_URI"), *p = uri + strcspn(uri, "?");
	const char *q = r->io->param(r->io, "QUERY_STRING");
	struct buf b;
	size_t n;

	buf_init(&b, r->arena, 64 << 10);
	buf_add(&b, uri, (size_t)(p - uri));
	for (; q != NULL && *q != '\0'; q += n + (q[n] == '&')) {
		n = strcspn(q, "&");
		/*
		 * Check the value's encoding too: a broken one is an error even for unknown names.
		 */
		if (!is_known(r, (struct str){ q, strcspn(q, "=&") }) && url_decode(r->arena, (struct str){ q, n }, true) != NULL)
			continue;
		buf_char(&b, '&');
		buf_add(&b, q, n);
	}
	return b.p;
}

/*
 * The cache key contains a hash of the token or of the session's secret, and not the secret itself, so
 * that a copy of a worker's memory is not enough to sign in. It also contains the day, which is part of
 * addresses of files.
 */
static const char *
cache_key(struct req *r, const char *caller)
{
	struct buf b;

	buf_init(&b, r->arena, 64 << 10);
	/* No separators are needed: the hash has a fixed length, and the address begins with a slash. */
	buf_str(&b, hex(r->arena, hash_of(r->arena, str_of(caller))));
	buf_int(&b, time_now() / DAY_MS);
	buf_str(&b, known_address(r));
	return b.p;
}

/* The text that is stored with the body: the lines status, tag, Cache-Control and user. */
static struct str
answer_head(struct req *r)
{
	return str_of(arena_printf(r->arena, "%d\n%s\n%s\n%s", r->status, r->etag, r->cache != NULL ? r->cache : "",
	    r->who.user));
}

static bool
wants_tag(struct req *r, const char *etag)
{
	const char *header = r->io->param(r->io, "HTTP_IF_NONE_MATCH");

	return header != NULL && etag_listed(header, etag, true);
}

/* Terminate the line and return the next one. */
static char *
split_line(char *line)
{
	line = strchr(line, '\n');
	*line = '\0';
	return line + 1;
}

/* Sets the members of r from the entry. False: the entry is a 304, and this client did not send its tag. */
static bool
restore_answer(struct req *r, const struct recalled *k)
{
	char *status = arena_strndup(r->arena, k->head.p, k->head.n), *etag = split_line(status), *cache = split_line(etag);
	char *user = split_line(cache);
	bool modified = *status == '2';

	if (!modified && !wants_tag(r, etag))
		return false;
	r->who.user = user;
	r->status = modified ? 200 : 304;
	r->etag = etag;
	r->cache = *cache != '\0' ? cache : NULL;
	buf_put(&r->out, k->body);
	return true;
}

static void
mark_cached(struct req *r, unsigned moment, int64_t until)
{
	r->cached.is = true;
	r->cached.moment = moment;
	r->cached.until = until;
}

bool
answer_from_cache(struct req *r)
{
	static bool anew;
	const char *caller = auth_key(r);
	const struct recalled *k;
	unsigned moment;

	/* With OCTAVO_SELFCHECK, every other answer is made anew, to be compared with the cached one. */
	if ((r->set->self_check && (anew = !anew)) || caller == NULL || !db_unchanged(r->db, &moment))
		return false;
	k = recall_find(moment, cache_key(r, caller));
	if (k == NULL || !restore_answer(r, k))
		return false;
	mark_cached(r, moment, k->until);
	return true;
}

/* With OCTAVO_SELFCHECK, panics unless the new answer equals the cached one. */
static void
check_recalled(struct req *r, const char *key, struct str head)
{
	const struct recalled *k = recall_find(db_moment(r->db), key);

	/* Compares only answers with the same status: an answer 200 for a client without the tag differs from a 304. */
	if (k == NULL || k->head.p[0] != head.p[0])
		return;
	if (!str_eq(k->head, head) || !str_eq(k->body, buf_view(&r->out)))
		panic("%s: the answer differs from the one that was cached for the same data", r->route->operation);
}

void
answer_cache(struct req *r)
{
	const char *key;
	struct str head;

	if (!is_cacheable(r))
		return;
	assert((r->status == 200 || r->status == 304) && r->content_type == NULL && r->location == NULL);
	if (r->etag == NULL)
		r->etag = etag_of_body(r);
	key = cache_key(r, auth_key(r));
	head = answer_head(r);
	if (r->set->self_check)
		check_recalled(r, key, head);
	recall_put(db_moment(r->db), key, &(struct recalled){ head, buf_view(&r->out), auth_keep_until(r) });
	mark_cached(r, db_moment(r->db), auth_keep_until(r));
}
