/*
 * Cache of answers. Contract: answers.h. It shares the memory of db/recall.h with the answers for
 * visitors of sites; a question here has no blank behind the first hash, unlike theirs.
 *
 * An entry is the body and, as one text, the status, the tag, Cache-Control and the user, whom the
 * log names. A 304 has no body and serves only clients that know its tag.
 */
#include <assert.h>
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"
#include "base/url.h"
#include "db/recall.h"
#include "answers.h"

/*
 * Only for users: what a site's token may see ends with time, and such tokens have a cache of their
 * own. A space in the trash is only available for some days. Work after the answer (r->after) would
 * make the next answer differ.
 */
static bool
may_be_kept(const struct req *r)
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
 * The cache key contains the token or the session's secret as a hash, so that a worker's memory signs nobody in. It
 * contains the day, which is part of addresses of files; a clock that is set back finds the answers
 * of that day.
 */
static const char *
question_of(struct req *r, const char *caller)
{
	struct buf b;

	buf_init(&b, r->arena, 64 << 10);
	/* No separators needed: the hash has a fixed length, and a slash ends the day. */
	buf_str(&b, hex(r->arena, hash_of(r->arena, str_of(caller))));
	buf_int(&b, time_now() / DAY_MS);
	buf_str(&b, known_address(r));
	return b.p;
}

/* Lines: status, tag, Cache-Control, user. */
static struct str
head_of(struct req *r)
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
line_end(char *line)
{
	line = strchr(line, '\n');
	*line = '\0';
	return line + 1;
}

/* False if the cached answer is a 304 for a tag that this client does not have. */
static bool
answer_recalled(struct req *r, const struct recalled *k)
{
	char *status = arena_strndup(r->arena, k->head.p, k->head.n), *etag = line_end(status), *cache = line_end(etag);
	char *user = line_end(cache);
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

bool
answer_again(struct req *r)
{
	static bool anew;
	const char *caller = auth_key(r);
	const struct recalled *k;
	unsigned moment;

	if ((r->set->self_check && (anew = !anew)) || caller == NULL || !db_unchanged(r->db, &moment))
		return false;
	k = recall_find(moment, question_of(r, caller));
	return k != NULL && answer_recalled(r, k);
}

/* With OCTAVO_SELFCHECK: the new answer must equal the cached one. */
static void
check_recalled(struct req *r, const char *question, struct str head)
{
	const struct recalled *k = recall_find(db_moment(r->db), question);

	/*
	 * Compare only equal statuses: with another status the cached answer did not apply to this
	 * client.
	 */
	if (k == NULL || k->head.p[0] != head.p[0])
		return;
	if (!str_eq(k->head, head) || !str_eq(k->body, buf_view(&r->out)))
		panic("%s: the answer is not what was kept of the same data", r->route->operation);
}

void
answer_keep(struct req *r)
{
	const char *question;
	struct str head;

	if (!may_be_kept(r))
		return;
	assert((r->status == 200 || r->status == 304) && r->content_type == NULL && r->location == NULL);
	if (r->etag == NULL)
		r->etag = etag_of_body(r);
	question = question_of(r, auth_key(r));
	head = head_of(r);
	if (r->set->self_check)
		check_recalled(r, question, head);
	recall_put(db_moment(r->db), question, &(struct recalled){ head, buf_view(&r->out), auth_keep_until(r) });
}
