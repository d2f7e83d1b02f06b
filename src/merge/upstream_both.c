/*
 * A node that both sides changed: it is merged, becomes a conflict, or is recognised as an export
 * of main's own version.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "three_way.h"
#include "upstream_parts.h"

/* Main's properties, with upstream's `summary`: the page's line in SUMMARY.md. */
static const char *
props_as_exported(struct arena *a, const char *main, const char *upstream)
{
	struct arena *outer = json_arena(a);
	const cJSON *line = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(upstream), "summary");
	cJSON *props = cJSON_Parse(main);

	if (line != NULL && props != NULL) {
		cJSON_DeleteItemFromObjectCaseSensitive(props, "summary");
		cJSON_AddItemToObject(props, "summary", cJSON_Duplicate(line, true));
		main = cJSON_PrintUnformatted(props);
	}
	json_arena(outer);
	return main;
}

/* Compares everything that a reader, a merge or an export can see. */
bool
sides_same(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && str_eq(a->body, b->body) && str_eq(a->refs, b->refs) &&
	    same_text(a->parent, b->parent) && same_text(a->ord, b->ord) &&
	    same_text(a->slug, b->slug) && same_text(a->path, b->path) &&
	    same_text(a->title, b->title) && same_text(a->props, b->props) &&
	    same_text(a->git_path, b->git_path) && same_text(a->git_oid, b->git_oid);
}

/* Lists do not read the front matter, so it is compared only if all the rest is equal. */
bool
sides_same_front(struct sides *s, const struct node *before, const struct wanted *w)
{
	return str_eq(node_front(s->db, s->scratch, before), w->node.front);
}

static bool
has_same_file(const struct node *before, const struct node *now)
{
	return same_text(before->git_path, now->git_path) && same_text(before->git_oid, now->git_oid);
}

/* True if both have the same place, title and properties; the line in SUMMARY.md may differ. */
static bool
has_same_properties(struct arena *a, const struct node *before, const struct node *now)
{
	return same_text(before->parent, now->parent) && same_text(before->ord, now->ord) &&
	    same_text(before->slug, now->slug) && same_text(before->path, now->path) &&
	    same_text(before->title, now->title) &&
	    strcmp(props_as_exported(a, now->props, before->props), props_as_exported(a, before->props, before->props)) == 0;
}

/*
 * True if both have the same content and only their file differs. An export to a repository with
 * other folders spells links differently, so bodies are compared with their links resolved. False
 * if the task decides about such nodes itself (both).
 */
static bool
has_same_content(struct sides *s, const struct node *before, const struct node *now)
{
	return s->task->both == NULL && before->kind == now->kind &&
	    (now->kind & (NODE_DOCUMENT | NODE_REUSABLE | NODE_FILE)) != 0 && before->git_path != NULL &&
	    !has_same_file(before, now) && has_same_properties(s->arena, before, now) &&
	    (str_eq(before->body, now->body) || str_eq(markdown_of(s->db, s->arena, s->view, before, true),
	    markdown_of(s->db, s->arena, &s->main, now, true)));
}

bool
sides_untouched(struct sides *s, const struct node *before, const struct node *now, bool was, bool is)
{
	if (!was || !is)
		return was == is;
	return (before->branch == now->branch && before->since == now->since) || sides_same(before, now) ||
	    has_same_content(s, before, now);
}

bool
is_place_setting(const struct node *n)
{
	return n->kind == NODE_SETTING && (strcmp(n->id, SETTING_LAYOUT) == 0 || strcmp(n->id, "SUMMARY.md") == 0 ||
	    strcmp(n->id, "book.json") == 0);
}

/*
 * True if main takes upstream's version, although upstream did not change it. Of settings, only those
 * that record places in the repository; of other nodes, those whose file is at another path and that
 * main did not change.
 */
static bool
needs_return(struct sides *s, const struct wanted *w, const struct node *before, const struct node *now)
{
	if (sides_same(now, &w->node))
		return false;
	if (w->node.kind == NODE_SETTING)
		return is_place_setting(&w->node);
	return !same_text(now->git_path, w->node.git_path) && sides_untouched(s, before, now, true, true);
}

void
sides_return(struct sides *s, struct wanted *w, const struct node *before)
{
	struct node now;

	if (!node_get(s->db, s->arena, &s->main, w->node.id, &now) || !needs_return(s, w, before, &now))
		return;
	put_wanted(s, w);
	count_put(s, before);
}

/* Main keeps its version; upstream's version becomes a conflict. */
void
sides_add_conflict(struct sides *s, const struct wanted *w, const struct node *before, const struct node *now)
{
	struct upstream_conflict *c = arena_alloc(s->arena, sizeof(*c));

	*c = (struct upstream_conflict){ .wanted = w, .main_since = -1 };
	if (before != NULL && now != NULL && sides_untouched(s, before, now, true, true))
		c->main_since = now->since;
	c->id = w != NULL ? w->node.id : before->id;
	c->title = w != NULL ? w->node.title : before->title;
	/* Copied: the caller's node is on its stack or in a list of the pass. */
	if (before != NULL) {
		c->before = arena_alloc(s->arena, sizeof(*before));
		*c->before = *before;
	}
	*s->last_conflict = c;
	s->last_conflict = &c->next;
	sides_compare_later(s, c->id);
	sides_add_event(s, UPSTREAM_BOTH, now != NULL ? now : w != NULL ? &w->node : before);
}

/*
 * Both sides changed the node: merges it field by field and line by line, as in a change request.
 * False: they clash.
 */
bool
sides_merge(struct sides *s, struct wanted *w, const struct node *before, const struct node *now)
{
	/*
	 * Upstream's version is no stored row: stage_flush() stores its bytes later, so three_way()
	 * gets them here.
	 */
	struct loose loose = { w->node.front, w->body, w->refs };
	struct three_way t = { .db = s->db, .arena = s->arena, .base = before, .ours = &w->node, .theirs = now,
		.loose = &loose };
	struct wanted merged;

	/*
	 * three_way_store() is not called, since this runs in a read transaction. The bytes that
	 * the merge produces are staged with the row.
	 */
	three_way(&t);
	/* If the result is a deletion, it is a clash: upstream has the page and has changed it. */
	if (t.clash != NULL || !t.present)
		return false;
	merged = (struct wanted){ .node = t.merged, .body = t.body.p != NULL ? t.body :
	    str_eq(t.merged.body, w->node.body) ? w->body : (struct str){ NULL, 0 },
	    .refs = t.refs.p != NULL ? t.refs : str_eq(t.merged.refs, w->node.refs) ? w->refs : (struct str){ NULL, 0 } };
	/* Upstream decides where the file is. */
	if (!same_text(merged.node.git_path, w->node.git_path)) {
		merged.node.git_path = w->node.git_path;
		merged.node.git_oid = w->node.git_oid;
	}
	put_wanted(s, &merged);
	return true;
}

/*
 * Upstream's version is an export of main's. Main takes over the new paths and the spellings of
 * links, and keeps what a file cannot express.
 */
struct node
sides_as_exported(struct sides *s, const struct wanted *w, const struct node *before)
{
	struct node n = w->node;

	n.title = before->title;
	n.slug = before->slug;
	n.path = before->path;
	n.parent = before->parent;
	n.ord = before->ord;
	n.kind = before->kind;
	n.props = props_as_exported(s->arena, before->props, w->node.props);
	if (w->node.kind != NODE_DOCUMENT && w->node.kind != NODE_REUSABLE) {
		n.body = before->body;
		n.refs = before->refs;
	}
	return n;
}
