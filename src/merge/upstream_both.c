/* One thing that both sides changed: merged, set aside, or told that it is an export of main's own. */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "three_way.h"
#include "upstream_parts.h"

/* Its lines in the table of contents are what upstream's parse says; all else is main's. */
static const char *
props_as_exported(struct arena *a, const char *main, const char *outside)
{
	const cJSON *line = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(outside), "summary");
	cJSON *props = cJSON_Parse(main);

	json_arena(a);
	if (line == NULL || props == NULL)
		return main;
	cJSON_DeleteItemFromObjectCaseSensitive(props, "summary");
	cJSON_AddItemToObject(props, "summary", cJSON_Duplicate(line, true));
	return cJSON_PrintUnformatted(props);
}

/* Main keeps its side; upstream's goes where the caller puts it. */
void
sides_set_aside(struct sides *s, const struct wanted *w, const struct node *before, const struct node *now)
{
	struct upstream_conflict *c = arena_alloc(s->arena, sizeof(*c));

	*c = (struct upstream_conflict){ .wanted = w };
	c->id = w != NULL ? w->node.id : before->id;
	c->title = w != NULL ? w->node.title : before->title;
	if (before != NULL) {
		c->before = arena_alloc(s->arena, sizeof(*before));
		*c->before = *before;
	}
	*s->last_conflict = c;
	/* *before is copied: the caller's node lies on its stack or in a list of the pass. */
	s->last_conflict = &c->next;
	sides_look_again(s, c->id);
	sides_tell(s, UPSTREAM_BOTH, now != NULL ? now : w != NULL ? &w->node : before);
}

/* Both sides changed it: field by field and line by line, as a change request is merged. False: they clash. */
bool
sides_merge(struct sides *s, struct wanted *w, const struct node *before, const struct node *now)
{
	/*
	 * Upstream's version is no row: its bytes are not stored before stage_flush(), so
	 * three_way() gets them here.
	 */
	struct loose loose = { w->node.front, w->body, w->refs };
	struct three t = { .db = s->db, .arena = s->arena, .base = before, .ours = &w->node, .theirs = now,
		.loose = &loose };
	struct wanted merged;

	/*
	 * store false: this runs in a read transaction. The bytes that the merge makes are
	 * staged with the row.
	 */
	three_way(&t, false);
	/* A result that is a deletion is a clash here: upstream has the page and changed it. */
	if (t.clash != NULL || !t.present)
		return false;
	merged = (struct wanted){ .node = t.merged, .body = t.body.p != NULL ? t.body :
	    str_eq(t.merged.body, w->node.body) ? w->body : (struct str){ NULL, 0 },
	    .refs = t.refs.p != NULL ? t.refs : str_eq(t.merged.refs, w->node.refs) ? w->refs : (struct str){ NULL, 0 } };
	put_wanted(s, &merged);
	return true;
}

/*
 * An export wrote main's version: main takes where that went, and what was spelled
 * anew for it, and keeps what a file cannot say.
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
