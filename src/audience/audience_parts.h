/* Shared by the files of the audience room. The comment above each group names the file that defines it. */
#ifndef OCTAVO_VISIT_PARTS_H
#define OCTAVO_VISIT_PARTS_H

#include "audience/visit.h"

/* Segments before a section's or variant's name, used if a page or section has the same name. */
#define SECTION_MARK "s"
#define VARIANT_MARK "v"

/* The path of the requested address. */
struct request_path {
	struct str path;       /* percent-encoded, without the query */
};

/* Columns of the site's row that struct visit_site lacks. */
struct site_more {
	const char *sign_in_url;  /* where visitors without claims are sent to sign in; NULL: nowhere */
};

/* ---- site_structure.c: sites, and their structure as a visitor sees it ---- */

/* Reads the percent-encoded segment at offset *at and moves *at behind it; false at the end of the path. */
bool  next_segment(const struct request_path *k, size_t *at, struct str *out);

/*
 * Finds the row of the site that the address names, and the offset where the site's part of the
 * path ends; false if there is none.
 */
bool  find_site(struct visit *v, const struct visit_request *ask, struct request_path *k, size_t *at,
    struct site_more *m);
bool  site_by_id(struct visit *v, const char *id, struct site_more *m);

/* Finds the site's active share link with this key, notes it and adds it to the site's address. */
bool  share_link(struct visit *v, const char *key);

/* Reads the structure as the visitor sees it. */
void  site_structure(struct visit *v);

/* ---- visitor_claims.c ---- */

/* Key that signs claims of this site's visitors; n 0: none. */
struct str visitor_key(const struct visit *v);
/* Takes the visitor's signed claims, and the unsigned ones under "unsigned". */
void  take_claims(struct visit *v, const struct visitor *who);
/*
 * True if the account is now a member of the site's organization; records it as the visitor.
 * by_session: signed in by a session that no provider of the organization made, which the
 * organization's `sso` may exclude (app/roles.h).
 */
bool  member_now(struct visit *v, const char *account, bool by_session);
/* True unless the visitor is a guest without a grant on the space. */
bool  guest_sees(const struct visit *v, const char *space);

/* ---- visible_pages.c ---- */

/* True if the visitor sees this node and all its ancestors. */
bool  seen_from_top(const struct visit *v, const struct point *at, const struct node *n);
/* Evaluates the condition of this page only; `at` gives the variables of its space. */
bool  visit_sees_node(const struct visit *v, const struct point *at, const struct node *n);
/*
 * True if the visitor sees a page at this path of the site space now; former addresses do not
 * count.
 */
bool  page_is_at(const struct visit *v, const struct visit_item *space, const char *path);
/* True if a page that the visitor sees has its own path below this one. */
bool  page_is_below(const struct visit *v, const struct visit_item *space, const char *path);
/* True if the page has any condition of its own. */
bool  visit_has_condition(const struct node *n);

/* ---- conditions.c ---- */

/* New trace of a visit: which conditions and claims decided what it shows. */
struct visit_trace *trace_new(struct arena *a);
/* Notes that conditions of pages at this point were evaluated. */
void  trace_pages(const struct visit *v, const struct point *at);
/* Notes another use of claims. */
void  trace_claims(const struct visit *v);
/* Number of consecutive calls for this point's revision, this one included. */
int   count_searches(const struct visit *v, const struct point *at);
/* Marks all uses so far as belonging to the structure. */
void  trace_structure(const struct visit *v);
/* visit_holds() for a page's condition; the caller calls trace_pages() or trace_claims(). */
bool  visit_holds_at(const struct visit *v, const char *condition, const struct point *at, const struct node *page);

/* ---- kept_expressions.c ---- */

/*
 * The parsed text, from this call or a cache. The result, and values computed with it, are valid
 * until the next call. a: memory for what is not cached.
 */
struct expr;
struct parsed_expression {
	const struct expr *e;      /* NULL: not a valid expression */
	bool               local;  /* it uses page or space, so its value differs between pages */
};
const struct parsed_expression *read_expression(struct db *db, struct arena *a, struct str text);

/* ---- visit.c ---- */

/*
 * section_at(): the section with this segment in a structure. space_at(): the site space with this
 * segment among its siblings. path NULL: the default one.
 */
struct visit_item *section_at(struct visit_item *first, const char *path);
struct visit_item *space_at(struct visit_item *first, const char *path);

/* ---- evaluate.c ---- */

/*
 * True if part of the Markdown may be hidden from some visitors. Also true if the tags of a
 * condition are only shown as code.
 */
bool visit_conditional(struct str text);

/* ---- kept_trees.c ---- */

/* All pages of a revision, those hidden from the visitor too; the tree is shared with other visits. */
const struct page *tree_at(const struct visit *v, const struct point *at);
/* Result of visit_pages() if it is cached; NULL: call visit_pages(). */
const struct visit_pages *pages_at_hand(const struct visit *v, const struct point *at);

#endif
