/* Shared by the files of the audience room. The comment above each group names the file that defines it. */
#ifndef OCTAVO_VISIT_PARTS_H
#define OCTAVO_VISIT_PARTS_H

#include "audience/visit.h"

/* Segments before a section's or variant's name, used if a page or section has the same name. */
#define SECTION_MARK "s"
#define VARIANT_MARK "v"

/* Columns of the site's row that struct visit_site lacks. */
struct site_more {
	const char *sign_in_url;  /* where visitors without claims are sent to sign in; NULL: nowhere */
};

/* ---- site_structure.c: sites, and their structure as a visitor sees it ---- */

/*
 * `address`, here and in the functions below: the path of the requested address, percent-encoded, without
 * query and fragment. Reads the segment at offset *at and moves *at to its end; false at the end of the path.
 */
bool  next_segment(struct str address, size_t *at, struct str *out);

/*
 * Finds the row of the site that the address names. Sets *address, and *at: the offset where the site's
 * part of it ends. False if there is none.
 */
bool  find_site(struct visit *v, const struct visit_request *ask, struct str *address, size_t *at,
    struct site_more *m);
bool  find_site_by_id(struct visit *v, const char *id, struct site_more *m);

/*
 * If the site has an active share link with this key, stores both in v->site and adds the key to
 * the site's address. False: there is no such link.
 */
bool  use_share_link(struct visit *v, const char *key);

/* Reads the structure as the visitor sees it. */
void  site_structure(struct visit *v);

/* ---- visitor_claims.c ---- */

/* Key that signs claims of this site's visitors; n 0: none. */
struct str visitor_key(const struct visit *v);
/* Sets v->claims from the visitor's signed claims, with the unsigned ones as its member "unsigned". */
void  read_claims(struct visit *v, const struct visitor *who);
/*
 * True if the account is now a member of the site's organization; records it as the visitor.
 * by_session: the claims are of a session that no provider of the organization began; the
 * organization's `sso` may exclude such sessions (app/roles.h).
 */
bool  is_member_now(struct visit *v, const char *account, bool by_session);
/* True unless the visitor is a guest without a grant on the space. */
bool  guest_may_see(const struct visit *v, const char *space);

/* ---- previewed_request.c ---- */

/*
 * Sets v->request to the change request that the claims of a preview name. False: it is merged or
 * archived, or the person of the claims may not read it or the site any more.
 */
bool  open_previewed_request(struct visit *v, const struct cJSON *claims);
/*
 * In the preview of a change request: true if the person who previews may read the space, or if
 * every visitor sees the published site. True in all other visits.
 */
bool  preview_shows_space(const struct visit *v, const char *space);

/* ---- visible_pages.c ---- */

/* True if the visitor sees this node and all its ancestors. */
bool  sees_with_ancestors(const struct visit *v, const struct point *at, const struct node *n);
/*
 * True if the condition of this page itself holds; conditions of its ancestors are not checked.
 * `at`: the point with the variables of its space.
 */
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

/* Makes the trace of a visit, which records the conditions and claims that affected what is shown. */
struct visit_trace *trace_new(struct arena *a);
/* Records that conditions of pages at this point were evaluated. */
void  trace_pages(const struct visit *v, const struct point *at);
/* Records that claims were used for something other than conditions of pages. */
void  trace_claims(const struct visit *v);
/*
 * Counts look-ups of single pages: the number of consecutive calls for this point's revision, this one
 * included. After many, visible_pages.c reads the whole tree instead.
 */
int   count_searches(const struct visit *v, const struct point *at);
/*
 * Call it after the structure of the site was read: claims that were used until now do not count in
 * visit_personal().
 */
void  trace_forget_claims(const struct visit *v);
/* visit_holds() for a page's condition; the caller calls trace_pages() or trace_claims(). */
bool  visit_holds_at(const struct visit *v, const char *condition, const struct point *at, const struct node *page);

/* ---- kept_expressions.c ---- */

/*
 * Parses a text, or returns it parsed from a cache. The result, and values computed with it, are
 * valid until the next call. a: memory for results that are not cached.
 */
struct expr;
struct parsed_expression {
	const struct expr *e;      /* NULL: not a valid expression */
	bool               local;  /* it uses page or space, so its value differs between pages */
};
const struct parsed_expression *read_expression(struct db *db, struct arena *a, struct str text);

/* ---- visit.c ---- */

/*
 * section_at() finds a section by its segment in a structure, space_at() a site space by its
 * segment among its siblings. path NULL: finds the default one.
 */
struct visit_item *section_at(struct visit_item *first, const char *path);
struct visit_item *space_at(struct visit_item *first, const char *path);

/* ---- evaluate.c ---- */

/*
 * True if the Markdown contains the tag of a condition, so that parts may be hidden from some
 * visitors; also if the tag is only part of a code block.
 */
bool visit_conditional(struct str text);

/* ---- kept_trees.c ---- */

/* All pages of a revision, including those that the visitor does not see. The tree is shared with other visits. */
const struct page *read_tree_at(const struct visit *v, const struct point *at);
/* Result of visit_pages() if it is cached; NULL: call visit_pages(). */
const struct visit_pages *find_cached_pages(const struct visit *v, const struct point *at);

#endif
