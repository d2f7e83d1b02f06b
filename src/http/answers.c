/*
 * Answers given again. Contract: answers.h. The memory is that of db/recall.h, with what visitors of
 * sites are told; a question begins with the operation here.
 *
 * Kept of an answer are its body and, as one text, the status, the tag, Cache-Control and the user,
 * whom the log names. One that was 304 has no body and serves those alone who know its tag.
 */
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"
#include "db/recall.h"
#include "answers.h"

/* Only users: what a site's token may see ends by the clock. Site tokens have a memory of their own. */
static bool
may_be_kept(const struct req *r)
{
	return r->route->mode == KEPT && r->who.kind == BY_USERS && !db_writing(r->db);
}

/* By token, as its hash: what a worker remembers signs nobody in. NULL: nobody asks. */
static const char *
question_of(struct req *r)
{
	const char *token = auth_header(r);
	struct str hash;
	struct buf b;

	if (token == NULL)
		return NULL;
	hash = hash_of(r->arena, str_of(token));
	buf_init(&b, r->arena, 64 << 10);
	buf_str(&b, r->route->operation);
	buf_char(&b, ' ');
	buf_str(&b, hex(r->arena, hash));
	buf_char(&b, '\n');
	buf_str(&b, r->set->url);
	buf_char(&b, '\n');
	buf_str(&b, r->io->param(r->io, "REQUEST_URI"));
	buf_char(&b, '\0');
	return b.p;
}

/* Status, tag, Cache-Control, user: a line each. */
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

/* Ends the line, and returns what is behind it. */
static char *
line_end(char *line)
{
	line = strchr(line, '\n');
	*line = '\0';
	return line + 1;
}

/* False: it is a 304 for a tag that this client does not hold. */
static bool
take(struct req *r, const struct recalled *k)
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
	static unsigned turn;
	const struct recalled *k;
	const char *question;
	unsigned moment;

	if ((r->set->self_check && turn++ % 2 == 0) || !db_still(r->db, &moment))
		return false;
	question = question_of(r);
	k = question == NULL ? NULL : recall_find(moment, question);
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

/* With the day, or with the token: ms. */
static int64_t
ends_at(const struct req *r)
{
	int64_t day = (time_now() / DAY_MS + 1) * DAY_MS;

	return r->who.ends != 0 && r->who.ends < day ? r->who.ends : day;
}

void
answer_keep(struct req *r)
{
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
	recall_put(db_moment(r->db), question, &(struct recalled){ head, buf_view(&r->out), ends_at(r) });
}
