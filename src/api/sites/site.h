/*
 * Functions that the files of this folder share. Tables site, site_space, site_section,
 * site_section_group, site_external_link.
 *
 * A site space is a space as the site shows it. A section contains site spaces, which are its
 * variants. A site has either site spaces of its own, or sections that contain them, never both.
 * Sections and external links may be in groups, and groups in groups; the items of one group share
 * one order.
 *
 * While a space is deleted, its site spaces are hidden: counts and defaults ignore them.
 */
#ifndef OCTAVO_API_SITE_H
#define OCTAVO_API_SITE_H

#include "api/site_addresses.h"
#include "app/audit.h"
#include "api/visitor.h"
#include "http/req.h"

/* Bounds the recursion of structure answers and of the recursive SQL queries. */
enum { SITE_GROUP_DEPTH = 8 };      /* maximum nesting of groups */

/*
 * Segments of addresses: the characters that slug_from_title() makes, without a dot at the
 * beginning.
 */
#define SEGMENT .min = 1, .max = 100, .pattern = "^[a-z0-9_+-][a-z0-9._+-]*$", \
	.want = "lower-case letters, digits and - _ . +, no dot in front"

/* The member `draft` of bodies. Only users who manage the site see a draft. */
#define DRAFT_SET { "draft", T_BOOL, .doc = "true: a draft, which no visitor sees; false: live" }
/* The same member in answers. */
#define DRAFT_SHOWN { "draft", T_BOOL, F_REQ, .doc = "It is a draft, which no visitor sees, nor what is in it" }

/*
 * Titles and descriptions by language. Octavo stores them in the columns titles and descriptions
 * (JSON) and returns them to renderers, which may show them. The macros are the fields of bodies,
 * and those that end in _SHOWN the fields of answers. site_bind_texts() binds a member of the body
 * to :has_NAME and :NAME.
 */
#define LOCAL_TITLE(...) { "localizedTitle", T_MAP, __VA_ARGS__ .item = &site_local_title, .example = "{\"es\":\"Estado\"}", \
	.doc = "Titles by language, for renderers that show them; Octavo's own pages show the title" }
#define LOCAL_DESCRIPTION(...) { "localizedDescription", T_MAP, __VA_ARGS__ .item = &site_local_description, \
	.example = "{\"es\":\"C\u00f3mo va todo\"}", .doc = "Descriptions by language, for renderers that show them; Octavo's own pages show the description" }
#define LOCAL_TITLE_SHOWN LOCAL_TITLE(.col = "titles", .emit = site_emit_texts,)
#define LOCAL_DESCRIPTION_SHOWN LOCAL_DESCRIPTION(.col = "descriptions", .emit = site_emit_texts,)
extern const struct field site_local_title, site_local_description;
void site_emit_texts(struct json *j, const struct field *f, const struct row *w);
void site_bind_texts(struct stmt *q, struct req *r, const char *member, const char *name);

/* An item of the structure; ord is its order key among its siblings. */
enum site_kind { SITE_SPACE, SITE_SECTION, SITE_GROUP, SITE_LINK };
struct site_item {
	enum site_kind kind;
	const char    *id, *ord;
	const char    *parent;      /* the section of a site space, the group of any other item; NULL: top level */
};

/* Finds the item with this id in the site of the path; false: none, or its space is deleted. */
bool site_item_get(struct req *r, enum site_kind kind, const char *id, struct site_item *out);
/* As site_item_get(), but an unknown id is a 404 with the usual message. 0 or fail(). */
int site_item_or_fail(struct req *r, enum site_kind kind, const char *id, struct site_item *out);
/* As site_item_or_fail() for a DELETE: an unknown id answers 204. */
int site_item_to_delete(struct req *r, enum site_kind kind, const char *name, struct site_item *out);

/*
 * A new order key after all siblings under parent (NULL: top level). spaces: parent is a section
 * and the siblings are site spaces; else parent is a group, whose sections, groups and links share
 * one order.
 */
char *site_place(struct req *r, bool spaces, const char *parent);
/*
 * All siblings under a parent in their order, hidden ones included. spaces, parent: as in
 * site_place(). *n: their number. The array ends with an item whose id is NULL.
 */
struct site_item *site_siblings(struct req *r, bool spaces, const char *parent, size_t *n);
/*
 * The sections, groups and links in a group (NULL: at the top level), in their order. The array
 * ends with an item whose id is NULL.
 */
struct site_item *site_children(struct req *r, const char *group);

/* Order key of the sibling after `it`; "": `it` is the last one. */
const char *site_next_ord(struct req *r, const struct site_item *it);
/* Moves a section, group or link into a group (NULL: top level), to the place of the order key. */
void site_put(struct req *r, const struct site_item *it, const char *parent, const char *ord);
/*
 * Moves a section, group or link to the end of a group (NULL: top level), if groups may nest so
 * deep. An item that is in that group already stays in its place. 0 or fail().
 */
int site_into_or_fail(struct req *r, const struct site_item *it, const char *group);
/*
 * Refuses to move a group into itself, into one of its descendants, where it would be disconnected
 * from the tree, or to a place where groups would be nested too deeply. parent NULL: the top level.
 * member: the body's member that the message names. 0 or fail().
 */
int site_nests_or_fail(struct req *r, const struct site_item *it, const char *parent, const char *member);
/* Nesting level of a group, 1 at the top level; NULL: 0. */
int site_group_depth(struct req *r, const char *id);
/*
 * Writes the children of a group (NULL: of the site), each with its descendants, into the open
 * array.
 */
void site_children_json(struct req *r, struct json *j, const char *group);

/*
 * Emitters of two fields of site spaces and sections. The condition is written for users and never
 * for visitors. Which item is the default depends on the visitor.
 */
void site_emit_condition(struct json *j, const struct field *f, const struct row *w);
void site_emit_default(struct json *j, const struct field *f, const struct row *w);

/*
 * Writes the customization of the site, or of one of its site spaces (NULL: the site), as the
 * visitor r->visit gets it; as the value of the open key.
 */
void customization_json(struct req *r, const struct visit_item *space);
/*
 * Convert uploaded pictures and fonts in a customization: _in() from the form of clients (r->body)
 * to the stored form, _out() back. customization_files_in() returns 0 or fail().
 */
int customization_files_in(struct req *r);
void customization_files_out(struct req *r, struct cJSON *all);
/* Checks that a condition can be parsed; path: its place in the body, for the message. 0 or fail(). */
int condition_or_fail(struct req *r, const char *text, const char *path);

/* Writes { type, structure }, without the items that the visitor of a site token may not see. */
void site_structure_json(struct req *r);

/*
 * Ids of the site spaces and sections that the visitor of r->visit sees, as ",a,,b,". NULL, which
 * means all, if the caller is a user.
 */
const char *site_seen(struct req *r);

/* Rows for the shapes of the same names. NULL: there is no object with this id. */
struct stmt *site_row(struct req *r, const char *id);
struct stmt *site_space_row(struct req *r, const char *id);
struct stmt *site_section_row(struct req *r, const char *id);
struct stmt *site_group_row(struct req *r, const char *id);
struct stmt *site_link_row(struct req *r, const char *id);

/*
 * Sets r->share_key to the query's shareKey if it belongs to an active link of this published site
 * with visibility share-link; else to NULL.
 */
void share_key_take(struct req *r);
#define SHARE_KEY { "shareKey", T_TEXT, .max = 512, .example = "k3y", \
	.doc = "Secret of a share link of the site: opens the site for callers without a role on it, and is part of addresses in the answer; a wrong key is ignored" }

/*
 * Title of a space of the organization, if the caller may show the space on a site; NULL after
 * fail().
 */
char *site_space_publishable(struct req *r, const char *space);
/*
 * Adds a space to the site, in a section (NULL: to the site itself), if the caller may show it.
 * Returns the id of the new site space; NULL after fail().
 */
char *site_space_add(struct req *r, const char *section, const char *space, bool draft);
/*
 * The space that a body names, or, if space is NULL, a new one at the top level of the organization
 * with this title (NULL: "Untitled") and the body's template. Returns its id; NULL after fail().
 */
const char *site_new_space(struct req *r, const char *space, const char *title);

/*
 * Adds a section with its first space, if the caller may show that space. Returns the id of the
 * section; NULL after fail().
 */
struct site_section_new {
	const char *space, *title, *icon, *group;   /* title NULL: that of the space; icon NULL: none; group NULL: top level */
	bool        draft;
};
char *site_section_add(struct req *r, const struct site_section_new *n);
/* Makes this item the default among its siblings. */
void site_space_default(struct req *r, const struct site_item *it);
void site_section_default(struct req *r, const char *id);
/*
 * Number of sections of the site of the path; number of site spaces in a section, without those of
 * deleted spaces.
 */
int64_t site_sections(struct req *r);
int64_t site_spaces_in(struct req *r, const char *section);

/*
 * A segment made from the title that is free in a scope: the statement `taken` (parameters :site,
 * the scope, and :path) has no row for it. At most 100 characters.
 */
char *site_segment(struct req *r, const char *scope, const char *title, const struct sql *taken);

/*
 * Writes an audit record about the site of the path, for changes without a state before; for others
 * use audit_change().
 */
void site_record(struct req *r, enum audit_action action, const char *after);

/*
 * After a change of the structure of the site of the path: sets the site's updated_at and writes
 * the audit record. what: JSON; may be NULL.
 */
void site_changed(struct req *r, const char *what);
/*
 * Schedules the job that highlights code and typesets formulas of a published site's spaces, so
 * that its first readers need not wait (src/jobs/typeset_job.c). site_changed() calls it.
 */
void site_typeset(struct req *r);

/*
 * A kind of object that belongs to a site, and its statements. count and list take :site, and list
 * returns the page keys k1 and k2; remove takes :id.
 */
struct site_own {
	const char       *name, *words;      /* name in audit records; words in messages ("no WORDS ID") */
	const struct sql *count, *list, *remove;
};
/* Replies with the list of the site's objects of this kind. Returns as a handler. */
int site_list(struct req *r, const struct site_own *kind, const struct shape *item);
/*
 * Deletes an object of this kind. found: the caller has checked that it belongs to the site of the
 * path. Returns as a handler.
 */
int site_drop(struct req *r, const struct site_own *kind, const char *id, bool found);

extern const struct shape SiteGroupChild, Favicon;

#endif
