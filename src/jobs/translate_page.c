/* One page in the other language: its texts out, their translations in. */
#include <cjson/cJSON.h>

#include "base/secret.h"
#include "text/merge_text.h"
#include "translate/body_texts.h"
#include "translate_job.h"

/* The properties that readers see as text. Others are settings, addresses or names. */
static const char *const texts_of_props[] = { "description", "linkTitle" };
enum { PROP_TEXTS = 2, MAX_PROPS = 1 << 20 };

/* ---- out ---- */

/*
 * Each distinct text once: the memory is asked, and what it does not know joins the queue for
 * the engine.
 */
static void
note_text(struct translate_job *j, struct str text)
{
	struct asked *k;
	bool worn;

	if (map_get(j->texts, text) != NULL)
		return;
	k = arena_alloc(j->arena, sizeof(*k));
	*k = (struct asked){ .text = { arena_strndup(j->arena, text.p, text.n), text.n } };
	/*
	 * The text alone is no key: the same words have other answers in another language or
	 * with other instructions.
	 */
	k->key = memory_key(j->arena, j->context, k->text);
	map_add(j->texts, k->text, k);
	if (memory_get(j->db, j->arena, j->org, k->key, &k->answer, &worn)) {
		/* Listed here and written later (note_used()): this runs in a read transaction. */
		if (worn) {
			k->next = j->worn;
			j->worn = k;
		}
		return;
	}
	/* At the end, so that the engine gets texts in the order of the pages. */
	*j->last_asked = k;
	j->last_asked = &k->next;
	j->asked_n++;
}

/* Pieces that are not sent (terms of the glossary, blanks, numbers) are put back as they are. */
static void
collect_text(struct translate_job *j, struct arena *scratch, struct str text)
{
	struct piece *p;

	for (p = pieces_cut(scratch, j->terms, text); p != NULL; p = p->next)
		if (p->send) {
			note_text(j, p->text);
			j->words += (int64_t)doc_words(p->text.p);
		}
}

static const char *
text_prop(const cJSON *props, size_t i)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(props, texts_of_props[i]));
}

/* "" for kinds without a text; valid until scratch is reset. */
static struct str
body_of(struct translate_job *j, struct arena *scratch, const struct item *i)
{
	struct str body = { "", 0 };

	if ((i->node.kind & (NODE_DOCUMENT | NODE_REUSABLE)) != 0 && i->node.body.n > 0)
		if (!blob_get(j->db, scratch, i->node.body, &body))
			lose_text(j->db, scratch, &i->node);
	return body;
}

/*
 * Only for fresh items. Words are counted as often as they stand in pages, also where the memory
 * has the answer.
 */
void
translate_collect(struct translate_job *j, struct item *i, struct arena *scratch)
{
	cJSON *props = cJSON_Parse(i->node.props);
	struct texts t;
	size_t k;

	collect_text(j, scratch, str_of(i->node.title));
	for (k = 0; k < PROP_TEXTS; k++)
		if (text_prop(props, k) != NULL)
			collect_text(j, scratch, str_of(text_prop(props, k)));
	cJSON_Delete(props);
	texts_read(&t, scratch, body_of(j, scratch, i));
	for (k = 0; k < t.n; k++)
		collect_text(j, scratch, texts_get(&t, k));
	j->pages++;
}

/* ---- in ---- */

/* Copies message; equal ones of an item are told once. */
void
translate_warn(struct translate_job *j, struct item *i, const char *message)
{
	struct warning *w;

	/* A merge may be planned more than once. */
	for (w = i->warnings; w != NULL; w = w->next)
		if (strcmp(w->message, message) == 0)
			return;
	w = arena_alloc(j->arena, sizeof(*w));
	*w = (struct warning){ NULL, arena_strdup(j->arena, message) };
	*i->last_warning = w;
	i->last_warning = &w->next;
}

/* The text in the other language; what has no answer stays, and is told. */
static struct str
translate_text(struct translate_job *j, struct item *i, struct arena *scratch, struct str text)
{
	struct piece *p;
	const struct asked *k;
	struct buf b;

	buf_init(&b, scratch, (size_t)1 << 28);
	for (p = pieces_cut(scratch, j->terms, text); p != NULL; p = p->next) {
		k = p->send ? map_get(j->texts, p->text) : NULL;
		if (p->send && (k == NULL || k->answer.p == NULL)) {
			i->unanswered = j->unanswered = true;
			translate_warn(j, i, arena_printf(scratch, "not translated, the engine gave no usable answer: %.*s",
			    (int)(p->text.n < 100 ? p->text.n : 100), p->text.p));
		}
		buf_put(&b, k != NULL && k->answer.p != NULL ? k->answer : p->text);
	}
	return buf_view(&b);
}

/* translate_text() in memory that lasts as long as the job. */
static const char *
one_line_of(struct translate_job *j, struct item *i, struct arena *scratch, const char *text)
{
	struct str s = translate_text(j, i, scratch, str_of(text));

	return arena_strndup(j->arena, s.p, s.n);
}

/* What block_failed() needs to name the page: texts_write() hands on one pointer. */
struct failing {
	struct translate_job *job;
	struct item          *item;
};

static void
block_failed(void *ctx, const char *words)
{
	struct failing *f = ctx;

	translate_warn(f->job, f->item, arena_printf(f->job->arena,
	    "not translated, its parts would not have stayed in their places: %s", words));
}

/*
 * Texts are set in the parsed body and written back, so marks, links and code stay where they
 * are. A block whose structure would not survive stays in the source language and is told.
 */
static void
apply_body(struct translate_job *j, struct item *i, struct arena *scratch)
{
	struct failing f = { j, i };
	struct texts t;
	struct str body;
	size_t k;

	body = body_of(j, scratch, i);
	texts_read(&t, scratch, body);
	for (k = 0; k < t.n; k++)
		texts_set(&t, k, translate_text(j, i, scratch, texts_get(&t, k)));
	/* Without texts the source's bytes are the result. */
	if (t.n > 0)
		body = texts_write(&t, block_failed, &f);
	i->body = (struct str){ arena_strndup(j->arena, body.p, body.n), body.n };
	i->hash = hash_of(j->arena, i->body);
}

/* Wants every text of the item to be in j->texts, as translate_collect() put it there. */
void
translate_apply(struct translate_job *j, struct item *i, struct arena *scratch)
{
	cJSON *props = cJSON_Parse(i->node.props);
	struct json out;
	struct buf b;
	size_t k;

	i->title = one_line_of(j, i, scratch, i->node.title);
	buf_init(&b, scratch, MAX_PROPS);
	json_init(&out, &b);
	json_obj(&out);
	for (k = 0; k < PROP_TEXTS; k++)
		if (text_prop(props, k) != NULL)
			json_kstr(&out, texts_of_props[k], one_line_of(j, i, scratch, text_prop(props, k)));
	json_end(&out);
	i->props = arena_strndup(j->arena, b.p, b.n);
	cJSON_Delete(props);
	/* A body of another kind is no Markdown: it goes over as it is. */
	if (i->node.body.n > 0 && (i->node.kind & (NODE_DOCUMENT | NODE_REUSABLE)) != 0)
		apply_body(j, i, scratch);
}

/* ---- as content ---- */

/* The node's properties with those that are texts in the other language. */
static const char *
props_with(struct translate_job *j, const char *source, const char *texts)
{
	cJSON *all = cJSON_Parse(source), *mine = cJSON_Parse(texts), *one, *next;
	char *text;
	const char *out;

	for (one = mine == NULL ? NULL : mine->child; one != NULL && all != NULL; one = next) {
		next = one->next;
		/* Only replaces: a property that the source does not have any more does not come back. */
		cJSON_ReplaceItemInObjectCaseSensitive(all, one->string, cJSON_Duplicate(one, true));
	}
	text = all == NULL ? NULL : cJSON_PrintUnformatted(all);
	out = text == NULL ? source : arena_strdup(j->arena, text);
	cJSON_free(text);
	cJSON_Delete(all);
	cJSON_Delete(mine);
	return out;
}

/*
 * Pages that are not fresh have no body here, only its hash: the bytes are in the store since
 * the run that made them.
 */
struct wanted *
translate_wanted(struct translate_job *j)
{
	struct wanted *list = arena_array(j->arena, j->n, sizeof(*list));
	size_t k;

	for (k = 0; k < j->n; k++) {
		const struct item *i = &j->items[k];
		struct wanted *w = &list[k];
		*w = (struct wanted){ .node = i->node };
		/* The frontmatter is the source's file's; the result has no repository. */
		w->node.front = (struct str){ NULL, 0 };
		/* The source's link map: the result has nodes of the same ids, so its links lead to them. */
		if (i->node.refs.n > 0 && !blob_get(j->db, j->arena, i->node.refs, &w->refs))
			lose_text(j->db, j->arena, &i->node);
		/* A file or a setting. */
		if (i->key.n == 0)
			continue;
		w->node.title = i->title;
		w->node.props = props_with(j, i->node.props, i->props);
		/* Its content is not that of the source's file. */
		w->node.git_oid = NULL;
		if (i->hash.n > 0)
			w->node.body = i->hash;
		if (i->fresh) {
			w->body = i->body;
			/* Only a page that was made anew counts as changed. */
			w->node.at = j->started;
		}
	}
	return list;
}

/* ---- corrections ---- */

static struct str
body_bytes(struct translate_job *j, const struct node *n)
{
	struct str s = { "", 0 };

	if (n->body.n > 0)
		if (!blob_get(j->db, j->arena, n->body, &s))
			lose_text(j->db, j->arena, n);
	return s;
}

/* The link map as JSON; "{}" where there is none. */
static const char *
map_text(struct translate_job *j, const struct node *n)
{
	struct str s = { "{}", 2 };

	if (n->refs.n > 0)
		if (!blob_get(j->db, j->arena, n->refs, &s))
			lose_text(j->db, j->arena, n);
	return arena_strndup(j->arena, s.p, s.n);
}

static bool
same_or_none(const char *x, const char *y)
{
	return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

/* Main's where it was corrected; tells where the source changed it as well. */
static const char *
keep_correction(struct translate_job *j, struct item *i, const char *what, const char *before, const char *now,
    const char *wanted)
{
	/* Nobody corrected it here. */
	if (same_or_none(before, now))
		return wanted;
	if (!same_or_none(before, wanted) && !same_or_none(now, wanted))
		translate_warn(j, i, arena_printf(j->arena, "the correction of the %s is kept; its source has changed", what));
	return now;
}

/*
 * Line by line: a clash keeps the correction and is told. The link map is merged with it, for a
 * corrected line may hold links of its own.
 */
static void
merge_bodies(struct translate_job *j, struct item *i, const struct node *before, const struct node *now,
    const struct wanted *w, struct wanted *out)
{
	struct str theirs = w->body.p != NULL ? w->body : body_bytes(j, &w->node);
	struct text_conflict *c = NULL;
	const char *field, *refs;

	merge_text(j->arena, body_bytes(j, before), body_bytes(j, now), theirs, &out->body, &c);
	for (; c != NULL; c = c->next)
		translate_warn(j, i, arena_printf(j->arena, "a correction is kept; its source has changed (line %zu): %.*s",
		    c->line, (int)(c->ours.n < 100 ? c->ours.n : 100), c->ours.p != NULL ? c->ours.p : ""));
	if (merge_json(j->arena, map_text(j, before), map_text(j, now),
	    w->refs.n > 0 ? arena_strndup(j->arena, w->refs.p, w->refs.n) : "{}", &refs, &field) || refs != NULL)
		out->refs = strcmp(refs, "{}") == 0 ? (struct str){ NULL, 0 } : str_of(refs);
}

/*
 * Called while the merge reads, possibly in several passes for one node; so it changes nothing
 * but warnings, and allocates what it returns.
 */
struct wanted *
translate_both(void *ctx, const struct node *before, const struct node *now, struct wanted *w)
{
	struct translate_job *j = ctx;
	struct item *i = map_get(j->by_id, str_of(w->node.id));
	struct wanted *out = arena_alloc(j->arena, sizeof(*out));
	const char *field;

	/* NULL keeps what the result has. */
	if (now == NULL || before == NULL) {
		translate_warn(j, i, now == NULL ? "it was deleted here, and stays so; its source has changed" :
		    "it was made here, and stays as it is");
		return NULL;
	}
	*out = *w;
	out->node.title = keep_correction(j, i, "title", before->title, now->title, w->node.title);
	if (!merge_json(j->arena, before->props, now->props, w->node.props, &out->node.props, &field))
		translate_warn(j, i, arena_printf(j->arena, "the correction of \"%s\" is kept; its source has changed", field));
	/* A page that was moved in the result stays where people put it; the two fields go together. */
	if (strcmp(before->parent, now->parent) != 0 || strcmp(before->ord, now->ord) != 0) {
		out->node.parent = now->parent;
		out->node.ord = now->ord;
	}
	/* An address that people chose for the translated page stays, since others link to it. */
	if (strcmp(before->slug, now->slug) != 0 || !same_or_none(before->path, now->path)) {
		out->node.slug = now->slug;
		out->node.path = now->path;
	}
	if ((w->node.kind & (NODE_DOCUMENT | NODE_REUSABLE)) != 0)
		merge_bodies(j, i, before, now, w, out);
	else if (!str_eq(before->body, now->body))
		out->node.body = now->body;
	out->node.at = j->started;
	return out;
}
