/* What the files of the audience room share. */
#ifndef OCTAVO_VISIT_PARTS_H
#define OCTAVO_VISIT_PARTS_H

#include "audience/visit.h"

/* Segments that say what the next one names, where a page or section is called like it. */
#define SECTION_MARK "s"
#define VARIANT_MARK "v"

/* The address that is looked up. */
struct asked {
	struct str path;       /* as it came, without its query */
};

/* What else the row of a site says. */
struct site_more {
	const char *fallback;  /* where visitors without claims are sent; NULL: nowhere */
};

/* The next segment from *at on, raw; false: the path ends. */
bool  next_segment(const struct asked *k, size_t *at, struct str *out);

/* The row of the site that the address names, and where in the path the site begins; false: none. */
bool  site_asked(struct visit *v, const struct visit_ask *ask, struct asked *k, size_t *at,
    struct site_more *m);
bool  site_by_id(struct visit *v, const char *id, struct site_more *m);

/* The active share link of the site with this key: notes it and puts it into the site's address. */
bool  share_link(struct visit *v, const char *key);

/* The key that claims of this site's visitors are signed with; n 0: it has none. */
struct str visitor_key(const struct visit *v);
/* Takes over the claims of the visitor that somebody vouches for, and the others under "unsigned". */
void  take_claims(struct visit *v, const struct visitor *who);
/* Is this account a member of the site's organization now? Notes who it is. */
bool  member_now(struct visit *v, const char *account);
/* May they see the space, as far as they are a guest? */
bool  guest_sees(const struct visit *v, const char *space);

/* Is this one seen, and all that is above it? */
bool  seen_from_top(const struct visit *v, const struct point *at, const struct node *n);
/* The condition of this page alone; `at` for the variables of its space. */
bool  visit_sees_node(const struct visit *v, const struct point *at, const struct node *n);
/* What visit_holds_at() remembers: nothing yet. */
struct held *held_new(struct arena *a);
/* Conditions of pages at this point are looked at. */
void  held_look(const struct visit *v, const struct point *at);
/* Something else looks at claims. */
void  held_claims(const struct visit *v);
/* How often it was called for this point, with no other between. */
int   held_ask(const struct visit *v, const struct point *at);
/* What was looked at so far was for the structure. */
void  held_structure(const struct visit *v);
/* visit_holds() of a page's condition; who calls it says that claims are looked at. */
bool  visit_holds_at(const struct visit *v, const char *condition, const struct point *at, const struct node *page);

/*
 * The text parsed, by this call or an earlier one of the program. Good until the next call, and so
 * are the values that it gives. a: for what is not kept.
 */
struct expr;
struct reading {
	const struct expr *e;      /* NULL: it is no expression */
	bool               local;  /* it names page or space: its value differs from page to page */
};
const struct reading *read_expression(struct arena *a, struct str text);

/* The section with this segment in a structure, and the site space among its siblings; path NULL: the default one. */
struct visit_item *section_at(struct visit_item *first, const char *path);
struct visit_item *space_at(struct visit_item *first, const char *path);

/* Is a page at this path of the site space now, which the visitor sees? Old addresses do not count. */
bool page_is_at(const struct visit *v, const struct visit_item *space, const char *path);
/* Has a page that the visitor sees a path of its own below this one? */
bool page_is_below(const struct visit *v, const struct visit_item *space, const char *path);

/* May a part of the Markdown be hidden from somebody? Code that shows tags counts, too. */
bool visit_conditional(struct str text);

/* Has the page a condition of its own, whatever it is? */
bool  visit_has_condition(const struct node *n);

/* The pages of a revision, all of them, whoever sees them; others may use them, too. */
const struct page *tree_at(const struct visit *v, const struct point *at);
/* What visit_pages() would give, where that is known already; NULL: ask visit_pages(). */
const struct visit_pages *pages_at_hand(const struct visit *v, const struct point *at);

/* Reads the structure as the visitor sees it. */
void  site_structure(struct visit *v);

#endif
