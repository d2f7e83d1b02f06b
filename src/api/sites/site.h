/*
 * What the files about sites share. A site has site spaces of its own, or sections
 * that have them, never both; sections and groups stand in groups, in one order
 * with them. Tables site, site_space, site_section, site_section_group.
 *
 * A space that is deleted hides its site spaces; what counts or names a default
 * looks at living ones alone.
 */
#ifndef OCTAVO_API_SITE_H
#define OCTAVO_API_SITE_H

#include "api/site_addresses.h"
#include "app/audit.h"
#include "api/visitor.h"
#include "http/req.h"

/* Bounds the recursion of structure answers and of the SQL that walks up and down. */
enum { SITE_GROUP_DEPTH = 8 };      /* how deep groups nest */

/* Segments of addresses: what slug_from_title() makes, and no dot in front. */
#define SEGMENT .min = 1, .max = 100, .pattern = "^[a-z0-9_+-][a-z0-9._+-]*$", \
	.want = "lower-case letters, digits and - _ . +, no dot in front"

/* What stands in an order of its siblings. */
enum site_kind { SITE_SPACE, SITE_SECTION, SITE_GROUP };
struct site_item {
	enum site_kind kind;
	const char    *id, *ord;
	const char    *parent;      /* section of a site space, group of the others; NULL: the top */
};

/* The item with this id in the site of the path, living; false: there is none. */
bool site_item_get(struct req *r, enum site_kind kind, const char *id, struct site_item *out);
/* The same, and NOT_FOUND in the words of an id that is nowhere. 0 or fail(). */
int site_item_or_fail(struct req *r, enum site_kind kind, const char *id, struct site_item *out);
/* That of a DELETE: where there is none, nothing is left to do (204). */
int site_item_to_delete(struct req *r, enum site_kind kind, const char *name, struct site_item *out);

/* A key after all siblings under parent (NULL: the top); sections and groups share one order. */
char *site_place(struct req *r, bool spaces, const char *parent);
/*
 * All siblings under a parent (spaces: a section, else a group; NULL: the top) in their order, hidden ones too, and
 * their number; NULL-terminated by id.
 */
struct site_item *site_siblings(struct req *r, bool spaces, const char *parent, size_t *n);
/* Children of a group (NULL: of the site), sections and groups in their order; NULL-terminated by id. */
struct site_item *site_children(struct req *r, const char *group);

/* The key of what stands behind it; "": it is the last. */
const char *site_next_ord(struct req *r, const struct site_item *it);
/* Puts a section or a group into a group (NULL: the top). */
void site_put(struct req *r, const struct site_item *it, const char *parent, const char *ord);
/* How many groups there are from this one up, itself included; NULL: 0. */
int site_group_depth(struct req *r, const char *id);
/* Children of a group (NULL: of the site), each with all that is in it, into the open list. */
void site_children_json(struct req *r, struct json *j, const char *group);

/* Emitters of site spaces and sections: who sees it is told to users alone; the default as the caller sees it. */
void site_emit_condition(struct json *j, const struct field *f, const struct row *w);
void site_emit_default(struct json *j, const struct field *f, const struct row *w);

/* How the site of r->visit, or a site space of it (NULL: the site), looks to its visitor, as the value of the open key. */
void customization_json(struct req *r, const struct visit_item *space);
/* An expression of the body parses: 0, or fail(). */
int condition_or_fail(struct req *r, const char *text, const char *path);

/* { type, structure }: without what the bearer of a site token does not see. */
void site_structure_json(struct req *r);

/* Ids of the site spaces and sections that a reader sees as visitors do (visit_as_reader()), ",a,,b,"; NULL: all. */
const char *site_seen(struct req *r);

/* Rows as their shapes want them; NULL: there is none. */
struct stmt *site_row(struct req *r, const char *id);
struct stmt *site_space_row(struct req *r, const char *id);
struct stmt *site_section_row(struct req *r, const char *id);
struct stmt *site_group_row(struct req *r, const char *id);

/* r->share_key: the query's shareKey, where it is of an active link of the site, which its visibility lets count; else NULL. */
void share_key_take(struct req *r);
#define SHARE_KEY { "shareKey", T_TEXT, .max = 512, .example = "k3y", \
	.doc = "Secret of a share link of the site: opens it for whom nothing else does, and addresses have it; one that is none is ignored" }

/* The title of a space of the organization that the caller may show on a site; NULL after fail(). */
char *site_space_publishable(struct req *r, const char *space);
/* Shows a space on the site, in a section (NULL: on the site itself), where the caller may; its id, NULL after fail(). */
char *site_space_add(struct req *r, const char *section, const char *space);
/* Makes this one the default among its siblings. */
void site_space_default(struct req *r, const struct site_item *it);
void site_section_default(struct req *r, const char *id);
/* Number of sections of the site of the path; of living site spaces in a section. */
int64_t site_sections(struct req *r);
int64_t site_spaces_in(struct req *r, const char *section);

/* A slug of the title that `taken` does not find in a scope (:site, :path); at most 100 characters. */
char *site_segment(struct req *r, const char *scope, const char *title, const struct sql *taken);

/* Records a change of the site of the path that has no state before; one that has takes audit_change(). */
void site_record(struct req *r, enum audit_action action, const char *after);

/* The structure of the site of the path changed: its time, and the audit record. what: JSON, may be NULL. */
void site_changed(struct req *r, const char *what);

/*
 * What belongs to a site and is listed and deleted alike, by statements with :site (count, list) and
 * :id (remove); list gives the keys k1 and k2.
 */
struct site_own {
	const char       *name, *words;      /* in the audit record; for people ("no WORDS ID") */
	const struct sql *count, *list, *remove;
};
/* Lists what is of the site of the path. As a handler. */
int site_list(struct req *r, const struct site_own *kind, const struct shape *item);
/* Deletes one of them; found: it is of this site, as the caller looked. As a handler. */
int site_drop(struct req *r, const struct site_own *kind, const char *id, bool found);

extern const struct shape SiteGroupChild, Favicon;

#endif
