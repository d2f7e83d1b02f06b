/*
 * Answers given again. Contract: answers.h. The memory is that of db/recall.h, with what visitors of
 * sites are told; a question begins with the operation here.
 *
 * Kept of an answer are its body and, as one text, the status, the tag and Cache-Control. One that
 * was 304 has no body and serves those alone who know its tag.
 */
#include <string.h>

#include "base/panic.h"
#include "db/recall.h"
#include "answers.h"

/* Only users: what a site's token may see ends by the clock. Site tokens have a memory of their own. */
static bool
may_be_kept(const struct req *r)
{
	return r->route->mode == KEPT && r->who.kind == BY_USERS && !db_writing(r->db);
}

/* By user and cap, not by token: their tokens get the same. */
static const char *
question_of(struct req *r)
{
	struct buf b;

	buf_init(&b, r->arena, 64 << 10);
	buf_str(&b, r->route->operation);
	buf_char(&b, ' ');
	buf_str(&b, r->who.user);
	buf_char(&b, ' ');
	buf_int(&b, r->who.cap);
	buf_char(&b, '\n');
	buf_str(&b, r->set->url);
	buf_char(&b, '\n');
	buf_str(&b, r->io->param(r->io, "REQUEST_URI"));
	buf_char(&b, '\0');
	return b.p;
}

/* 200 or 304, tag, Cache-Control: a line each. */
static struct str
head_of(struct req *r)
{
	return str_of(arena_printf(r->arena, "%d\n%s\n%s", r->status, r->etag, r->cache != NULL ? r->cache : ""));
}

static bool
wants_tag(struct req *r, const char *etag)
{
	const char *header = r->io->param(r->io, "HTTP_IF_NONE_MATCH");

	return header != NULL && etag_listed(header, etag, true);
}

/* False: it is a 304 for a tag that this client does not hold. */
static bool
take(struct req *r, const struct recalled *k)
{
	char *etag = arena_strndup(r->arena, k->head.p + 4, k->head.n - 4), *cache = strchr(etag, '\n');
	bool modified = k->head.p[0] == '2';

	*cache++ = '\0';
	if (!modified && !wants_tag(r, etag))
		return false;
	r->status = modified ? 200 : 304;
	r->etag = etag;
	r->cache = *cache != '\0' ? cache : NULL;
	buf_put(&r->out, k->body);
	return true;
}

bool
answer_again(struct req *r)
{
	static unsigned turn;
	const struct recalled *k;

	if (!may_be_kept(r) || (r->set->self_check && turn++ % 2 == 0))
		return false;
	k = recall_find(db_moment(r->db), question_of(r));
	return k != NULL && take(r, k);
}

/* OCTAVO_SELFCHECK: what was made anew is what would have been given again. */
static void
compare(struct req *r, const char *question, struct str head)
{
	const struct recalled *k = recall_find(db_moment(r->db), question);

	/* Of the same status: with another one there was nothing to give to this client. */
	if (k == NULL || k->head.p[0] != head.p[0])
		return;
	if (!str_eq(k->head, head) || !str_eq(k->body, buf_view(&r->out)))
		panic("%s: the answer is not what was kept of the same data", r->route->operation);
}

void
answer_keep(struct req *r)
{
	int64_t now = time_now();
	const char *question;
	struct str head;

	/* A space in the trash is there for some days; what is done after the answer makes the next one another. */
	if (!may_be_kept(r) || (r->status != 200 && r->status != 304) || r->space.deleted_at != 0 || r->after != NULL ||
	    r->content_type != NULL || r->location != NULL)
		return;
	if (r->etag == NULL)
		r->etag = etag_of_body(r);
	question = question_of(r);
	head = head_of(r);
	if (r->set->self_check)
		compare(r, question, head);
	recall_put(db_moment(r->db), question, &(struct recalled){ head, buf_view(&r->out), (now / DAY_MS + 1) * DAY_MS });
}
