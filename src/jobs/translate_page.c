/* One page: collects its texts, then puts their translations in. */
#include <cjson/cJSON.h>

#include "base/secret.h"
#include "text/merge_text.h"
#include "translate/body_texts.h"
#include "translate_job.h"

/* Properties that readers see as text. Others are settings, addresses or names. */
static const char *const texts_of_props[] = { "description", "linkTitle" };
enum { PROP_TEXTS = 2, MAX_PROPS = 1 << 20 };

/* ---- collect texts ---- */

/* Adds a text once: looks it up in the memory, and queues it for the engine if it is not there. */
static void
note_text(struct translate_job *j, struct str text)
{
	struct source_text *k;
	bool refresh;

	if (map_get(j->texts, text) != NULL)
		return;
	k = arena_alloc(j->arena, sizeof(*k));
	*k = (struct source_text){ .text = { arena_strndup(j->arena, text.p, text.n), text.n } };
	/* A key of the text alone is not enough: answers depend on language and instructions. */
	k->key = memory_key(j->arena, j->context, k->text);
	map_add(j->texts, k->text, k);
	if (memory_get(j->db, j->arena, j->org, k->key, &k->answer, &refresh)) {
		/* note_used() writes them later: this runs in a read transaction. */
		if (refresh) {
			k->next = j->used;
			j->used = k;
		}
		return;
	}
	/* The text is added at the end, so that the engine gets texts in the order of the pages. */
	*j->last_queued = k;
	j->last_queued = &k->next;
	j->queued_n++;
}

/* Pieces that are not sent (glossary terms, blanks, numbers) are copied as they are. */
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
read_body(struct translate_job *j, struct arena *scratch, const struct item *i)
{
	struct str body = { "", 0 };

	if ((i->node.kind & (NODE_DOCUMENT | NODE_REUSABLE)) != 0 && i->node.body.n > 0)
		if (!blob_get(j->db, scratch, i->node.body, &body))
			fail_lost_text(j->db, scratch, &i->node);
	return body;
}

/*
 * Collects the texts of a fresh item (one that the run translates). Every occurrence of a word
 * counts, even if the memory has the answer.
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
	texts_read(&t, scratch, read_body(j, scratch, i));
	for (k = 0; k < t.n; k++)
		collect_text(j, scratch, texts_get(&t, k));
	j->pages++;
}

/* ---- apply translations ---- */

/* Adds a warning (copies message); equal ones of an item come once. */
void
translate_warn(struct translate_job *j, struct item *i, const char *message)
{
	struct warning *w;

	/* A merge may run in several passes. */
	for (w = i->warnings; w != NULL; w = w->next)
		if (strcmp(w->message, message) == 0)
			return;
	w = arena_alloc(j->arena, sizeof(*w));
	*w = (struct warning){ NULL, arena_strdup(j->arena, message) };
	*i->last_warning = w;
	i->last_warning = &w->next;
}

/* The translation of a text; pieces without an answer stay, with a warning. */
static struct str
translate_text(struct translate_job *j, struct item *i, struct arena *scratch, struct str text)
{
	struct piece *p;
	const struct source_text *k;
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

/* The same as translate_text(), with a result that lives as long as the job. */
static const char *
translate_for_job(struct translate_job *j, struct item *i, struct arena *scratch, const char *text)
{
	struct str s = translate_text(j, i, scratch, str_of(text));

	return arena_strndup(j->arena, s.p, s.n);
}

/* Context of block_failed(), to name the page: texts_write() passes one pointer. */
struct item_context {
	struct translate_job *job;
	struct item          *item;
};

static void
block_failed(void *ctx, const char *words)
{
	struct item_context *f = ctx;

	translate_warn(f->job, f->item, arena_printf(f->job->arena,
	    "not translated, its parts would not have stayed in their places: %s", words));
}

/*
 * Sets the texts in the parsed body and writes it back, so marks, links and code stay where they
 * are. A block whose structure would change stays in the source language, with a warning.
 */
static void
apply_body(struct translate_job *j, struct item *i, struct arena *scratch)
{
	struct item_context f = { j, i };
	struct texts t;
	struct str body;
	size_t k;

	body = read_body(j, scratch, i);
	texts_read(&t, scratch, body);
	for (k = 0; k < t.n; k++)
		texts_set(&t, k, translate_text(j, i, scratch, texts_get(&t, k)));
	/* Without texts, the result is the source's bytes. */
	if (t.n > 0)
		body = texts_write(&t, block_failed, &f);
	i->body = (struct str){ arena_strndup(j->arena, body.p, body.n), body.n };
	i->hash = hash_of(j->arena, i->body);
}

/* translate_collect() must have put every text of the item into j->texts. */
void
translate_apply(struct translate_job *j, struct item *i, struct arena *scratch)
{
	cJSON *props = cJSON_Parse(i->node.props);
	struct json out;
	struct buf b;
	size_t k;

	i->title = translate_for_job(j, i, scratch, i->node.title);
	buf_init(&b, scratch, MAX_PROPS);
	json_init(&out, &b);
	json_obj(&out);
	for (k = 0; k < PROP_TEXTS; k++)
		if (text_prop(props, k) != NULL)
			json_kstr(&out, texts_of_props[k], translate_for_job(j, i, scratch, text_prop(props, k)));
	json_end(&out);
	i->props = arena_strndup(j->arena, b.p, b.n);
	cJSON_Delete(props);
	/* Bodies of other kinds are no Markdown: they are copied as they are. */
	if (i->node.body.n > 0 && (i->node.kind & (NODE_DOCUMENT | NODE_REUSABLE)) != 0)
		apply_body(j, i, scratch);
}

/* ---- as content ---- */

/* The node's properties, with the translated texts. */
static const char *
props_with(struct translate_job *j, const char *source, const char *texts)
{
	cJSON *all = cJSON_Parse(source), *mine = cJSON_Parse(texts), *one, *next;
	char *text;
	const char *out;

	for (one = mine == NULL ? NULL : mine->child; one != NULL && all != NULL; one = next) {
		next = one->next;
		/* This only replaces members, so that a property that the source lost does not come back. */
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
 * Pages that are not fresh have only the hash of their body: the run that translated them stored
 * the bytes.
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
		/* The frontmatter belongs to the source's file; the result has no repository. */
		w->node.front = (struct str){ NULL, 0 };
		/*
		 * The source's link map: nodes of the result have the same ids, so it resolves
		 * there, too.
		 */
		if (i->node.refs.n > 0 && !blob_get(j->db, j->arena, i->node.refs, &w->refs))
			fail_lost_text(j->db, j->arena, &i->node);
		/* A file or a setting. */
		if (i->key.n == 0)
			continue;
		w->node.title = i->title;
		w->node.props = props_with(j, i->node.props, i->props);
		/* The content differs from the source's file. */
		w->node.git_oid = NULL;
		if (i->hash.n > 0)
			w->node.body = i->hash;
		if (i->fresh) {
			w->body = i->body;
			/* Only a page that was translated in this run counts as changed. */
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
			fail_lost_text(j->db, j->arena, n);
	return s;
}

/* The link map as JSON; "{}" where there is none. */
static const char *
map_text(struct translate_job *j, const struct node *n)
{
	struct str s = { "{}", 2 };

	if (n->refs.n > 0)
		if (!blob_get(j->db, j->arena, n->refs, &s))
			fail_lost_text(j->db, j->arena, n);
	return arena_strndup(j->arena, s.p, s.n);
}

static bool
same_or_none(const char *x, const char *y)
{
	return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

/* Keeps main's value if it was corrected; warns if the source changed it as well. */
static const char *
keep_correction(struct translate_job *j, struct item *i, const char *what, const char *before, const char *now,
    const char *wanted)
{
	/* The value was not corrected. */
	if (same_or_none(before, now))
		return wanted;
	if (!same_or_none(before, wanted) && !same_or_none(now, wanted))
		translate_warn(j, i, arena_printf(j->arena, "the correction of the %s is kept; its source has changed", what));
	return now;
}

/*
 * Merges line by line: a conflict keeps the correction, with a warning. The link map is merged as
 * well, since a corrected line may have links of its own.
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
 * The merge calls this, possibly several times for one node; so it changes only warnings, and
 * allocates its result.
 */
struct wanted *
translate_both(void *ctx, const struct node *before, const struct node *now, struct wanted *w)
{
	struct translate_job *j = ctx;
	struct item *i = map_get(j->by_id, str_of(w->node.id));
	struct wanted *out = arena_alloc(j->arena, sizeof(*out));
	const char *field;

	/* NULL: keep what the result has. */
	if (now == NULL || before == NULL) {
		translate_warn(j, i, now == NULL ? "it was deleted here, and stays so; its source has changed" :
		    "it was made here, and stays as it is");
		return NULL;
	}
	*out = *w;
	out->node.title = keep_correction(j, i, "title", before->title, now->title, w->node.title);
	if (!merge_json(j->arena, before->props, now->props, w->node.props, &out->node.props, &field))
		translate_warn(j, i, arena_printf(j->arena, "the correction of \"%s\" is kept; its source has changed", field));
	/* A page that people moved in the result stays there; the two fields belong together. */
	if (strcmp(before->parent, now->parent) != 0 || strcmp(before->ord, now->ord) != 0) {
		out->node.parent = now->parent;
		out->node.ord = now->ord;
	}
	/* A path that people chose for the translated page stays, since others link to it. */
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
