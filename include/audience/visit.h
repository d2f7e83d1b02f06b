/*
 * What a visitor of a published site sees. Everything that shows published content asks
 * here: page trees, next and previous, search, sitemap, RSS, llms.txt, files.
 *
 *   struct visit v;
 *   struct visit_ask ask = { .host = "docs.example.com", .path = "/sites/acme/book/a/b" };
 *   switch (visit_open(db, arena, set, &ask, &v)) …
 *
 * An address is, in this order:
 *
 *   [site]     /sites/ORGANIZATION/BASENAME/ below OCTAVO_URL, where ORGANIZATION is the
 *              hostname or the id of the organization; or a custom hostname, or the host
 *              and path of the site's proxy
 *   [KEY/]     of a share link of the site
 *   [section/] where the site has sections; absent: the default one. Also s/SECTION/
 *   [variant/] of a site space; absent: the default one of its section or site. Also v/VARIANT/,
 *              as the published service had it
 *   [page]     path in the space; absent: its first document
 *
 * A page that the site has at the whole path comes before a segment of the same name; else a segment
 * that could be a section or variant is one, and where that leads nowhere, the path is looked for
 * without it, old addresses and redirects included. Addresses that are given out leave the segments
 * of defaults out, and have s/ or v/ before those that alone would lead to something else.
 *
 * Who may see it. A site that is not published, or that nobody of this kind may see, is
 * VISIT_NO_SITE, in no way to tell from one that is not there. A site of visibility
 * share-link takes an active key, one of visitor-auth takes signed claims.
 * Sections, site spaces and pages whose condition does not hold for the visitor are not
 * there either, nor is what lies below them; a condition that cannot be evaluated hides.
 *
 * All functions run inside the caller's read transaction; results live in the arena.
 */
#ifndef OCTAVO_VISIT_H
#define OCTAVO_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"
#include "computed/computed.h"
#include "store/content.h"

struct cJSON;

/* Somebody who reads, and what they show of themselves. */
struct visitor {
	const char         *share_key;  /* of a share link, where the address has none; NULL: none */
	const char         *jwt;        /* signed claims; NULL: none */
	const struct cJSON *unsigned_claims; /* claims without a signature, as a JSON object; NULL: none */
	bool                manager;    /* the request is made by a manager of the site: it must only be published */
	bool                agent;      /* a machine: sites of agentsContext "excluded" are not there */
};

struct visit_ask {
	const char    *host;      /* as in the Host header, port allowed; NULL: that of OCTAVO_URL */
	bool           any_host;  /* a host that is no site's own counts as that of OCTAVO_URL */
	const char    *path;      /* as in the address, percent-encoded; a query is ignored */
	struct visitor visitor;
};

enum visit_status {
	VISIT_PAGE,       /* site, space and page are there */
	VISIT_MOVED,      /* to location: a moved page, a redirect of the site, a link or a group in the tree */
	VISIT_NO_PAGE,    /* site and space are there, the page is not: 404 with the site around it */
	VISIT_NO_SITE,    /* 404 without further information */
	VISIT_SIGN_IN     /* the site takes signed claims: to location, its fallback address with the page as
	                     parameter "location"; NULL: it has none */
};

/* What a site is made of, as the visitor sees it: sections and groups in a tree, or site spaces alone. */
enum visit_kind { VISIT_SPACE, VISIT_SECTION, VISIT_GROUP };
struct visit_item {
	enum visit_kind    kind;
	const char        *id;
	const char        *title;        /* of a site space: the title of its space */
	const char        *path;         /* its segment; NULL: a group */
	const char        *description, *icon;  /* NULL: none; icon: name of an icon */
	const char        *condition;    /* NULL: everybody sees it */
	const char        *address;      /* absolute, ends in "/", share key included; NULL: a group */
	bool               unclear;      /* its segment alone would name something else: the address contains a mark */
	bool               is_default;   /* among its siblings: a section of the site, a space of its section */
	/* Of a site space. */
	const char        *space;        /* id */
	const char        *language, *emoji, *space_icon;  /* of the space; NULL: none */
	const char        *customization;  /* JSON for look.h; NULL: it has none */
	struct point       point;        /* its primary content now */
	struct visit_item *up;           /* the section or group that it is in; NULL: the site */
	struct visit_item *first, *next; /* its children; its next sibling */
};

struct visit_site {
	const char *id, *org, *org_title, *title;
	const char *basename;
	const char *visibility;       /* public, unlisted, share-link, visitor-auth */
	const char *hostname;         /* custom hostname; NULL: none */
	const char *address;          /* absolute, ends in "/", with the share key that the visitor came by */
	const char *published;        /* the same without it */
	const char *root_path;        /* path of the site as requested: "/sites/acme/book/" */
	const char *base_path;        /* the same with the share key that was in the address */
	const char *rest;             /* the rest of the path as typed, without a leading slash */
	bool        nested;           /* another site is published below this one, at the same host */
	const char *share_key;        /* that the visitor came by; NULL: none */
	const char *share_link;       /* its id */
	bool        adaptive;         /* conditions see the visitor's claims */
	bool        indexed;          /* search engines may list it: public, and no preview */
	bool        agents;           /* machines may read it: llms.txt, MCP, Markdown */
	const char *customization;    /* JSON for look.h; NULL: the defaults */
	int64_t     published_at, updated_at;
	bool        sections;         /* `first` are sections and groups; otherwise site spaces */
	struct visit_item *first;     /* the structure, without what the visitor does not see */
};

struct visit {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	struct visit_site      site;
	struct visit_item     *section;   /* NULL: the site has none */
	struct visit_item     *space;     /* the site space; NULL: nothing of the site is visible */
	const char            *base_path; /* path of the site space as requested, ends in "/" */
	const char            *rest;      /* decoded path of the requested page, in lower case; "" for the home page */
	struct page            page;      /* VISIT_PAGE: node and full path; first is NULL, next too: see visit_tree() */
	struct computed_page  *computed;  /* set if the page is one of these (computed/computed.h), otherwise NULL */
	const char            *canonical; /* VISIT_PAGE: its own address */
	const char            *location;  /* VISIT_MOVED, VISIT_SIGN_IN */
	bool                   permanent; /* VISIT_MOVED, by a redirect that says so */
	struct unseen         *unseen;    /* remembered by visit_file_use() */
	struct visit_trace           *trace;      /* conditions and whether they hold for these claims, remembered by visit_holds() */
	struct map            *homes;     /* id of a site space -> its first page, remembered by visit_home() */
	struct map            *trees;     /* revision -> struct visit_pages, remembered by visit_pages() */
	bool                   constant;  /* expressions that look at the visitor are left as they were written */
	bool                   complete;  /* a longer address would lead into the same site space */
	const struct cJSON    *claims;    /* the visitor's claims, an object; conditions always see "unsigned" in it */
	/* By what they were let in, besides the share link. */
	struct str             signer;    /* hash of the site's key that signed the claims; n 0: it did not */
	const char            *account;   /* the member whose test sign-in gave the claims; NULL: none */
	bool                   guest;     /* a guest of the organization: sees what a grant opens, alone */
	bool                   preview;   /* the visitor manages the site */
	bool                   drafts;    /* a preview that shows drafts of the structure */
	int64_t                until;     /* when what they showed of themselves ends; 0: it does not */
	int64_t                since;     /* of a site token: its bearer reads no revision that was replaced before that */
	struct str             pass;      /* hash of the site token that they read with (site_token.h); n 0: with none */
};

/*
 * The address of a published site: at its proxy, otherwise at its hostname, otherwise below
 * OCTAVO_URL; ends in "/". org: hostname or id of its organization; hostname and proxy may be NULL.
 */
char *visit_published(struct arena *a, const struct settings *set, const char *hostname, const char *proxy,
    const char *org, const char *basename);

/* Is this Host header (NULL: none came) the hostname of a site, and not that of OCTAVO_URL? Outside of a transaction, too. */
bool visit_is_hostname(struct db *db, struct arena *a, const struct settings *set, const char *host);

/* A visit without a site: enough for visit_document() and visit_markdown(). */
void visit_begin(struct visit *v, struct db *db, struct arena *a, const struct settings *set);

/* Finds all of it. v is filled as far as the status goes. */
enum visit_status visit_open(struct db *db, struct arena *a, const struct settings *set,
    const struct visit_ask *ask, struct visit *v);

/*
 * The text that opens a site of visitor-auth, or gives claims to conditions elsewhere, is
 * a JSON Web Token (HS256) with `exp`, made by one of three:
 *
 *   who knows the site's key    publishing/auth tells it
 *   the organization's ping     for its members, as long as they are members
 *   publishing/preview          for an hour; opens a site that is not published, too
 *
 * Any other is as if there were none.
 */

/* The site alone, by its id: structure as the visitor sees it, no space and no page. PAGE or NO_SITE or SIGN_IN. */
enum visit_status visit_open_site(struct db *db, struct arena *a, const struct settings *set, const char *site,
    const struct visitor *who, struct visit *v);

/* The first site space of the visible structure that shows this space, defaults first; NULL: none. */
struct visit_item *visit_space(const struct visit *v, const char *space);
/* That with this id (of a site space, section or group). */
struct visit_item *visit_item(const struct visit *v, const char *id);
/* The site spaces of the visible structure in its order: call with NULL, then with the last one; NULL: no more. */
struct visit_item *visit_next_space(const struct visit *v, const struct visit_item *last);

/*
 * The pages of a site space that the visitor sees, computed ones expanded, in reading
 * order. Pages with the property "hidden" are in it: they have an address, but no tree,
 * next or search shows them (visit_page_hidden).
 */
struct page *visit_tree(const struct visit *v, const struct visit_item *space);
/*
 * The same with an index. If it is cached, other requests use it too: no page in it may be changed.
 */
struct visit_pages {
	struct page  *tree;
	struct map   *by_id;    /* struct page, hidden ones too */
	struct page **order;    /* documents that neither are hidden nor below a page that is, in reading order */
	size_t        count;
	const char   *seen;     /* which pages of the revision these are, as a hash; "": all; NULL: not known */
};
const struct visit_pages *visit_pages(const struct visit *v, const struct visit_item *space);
/*
 * Around a request of a program that serves many: trees of pages are kept for the next ones, a
 * few of up to 4 MB, and with them what visitors saw of those that have conditions, 8 MB of that.
 * What visits of the request gave lives until visit_trees_end().
 */
void visit_trees_begin(struct db *db);
void visit_trees_end(struct db *db);
/* The page with this id in a tree; NULL: it is not there. */
struct page *visit_find(struct page *tree, const char *id);
/* One page by id or path, where the visitor sees it and all that is above it. */
bool visit_page(const struct visit *v, const struct visit_item *space, const char *id, struct page *out,
    struct computed_page **computed);
bool visit_page_at(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed);
/* Is the page with this id seen, itself and all above it? The same, without loading it for the caller. */
bool visit_sees_page(const struct visit *v, const struct visit_item *space, const char *id);

/*
 * A file or reusable content is seen where something uses it that the visitor sees: a page, in a part that no
 * condition hides from them, a reusable content in such a page, a cover, a link in the tree; a redirect of the
 * revision; a link of header, footer or announcement of the site. What nothing uses, and what is used by hidden
 * pages alone, is nobody's. Asks the table of links at the head of a space, and
 * reads all pages elsewhere; what it learned of a revision is remembered for as long as v lives.
 */
enum file_use { FILE_UNUSED, FILE_HIDDEN, FILE_SEEN };
enum file_use visit_file_use(struct visit *v, const struct visit_item *space, const char *id);
bool visit_sees_file(struct visit *v, const struct visit_item *space, const char *id);

/* Takes out of a tree what the visitor does not see. */
void visit_prune(const struct visit *v, const struct point *at, struct page **tree);

/* Properties of a page (its frontmatter), parsed. */
bool visit_page_hidden(const struct page *p);      /* hidden: */
bool visit_page_indexed(const struct page *p);     /* neither hidden: nor noIndex: nor noRobotsIndex: */

/* The absolute address of a path in the site space. */
char *visit_below(const struct visit *v, const struct visit_item *space, const char *path);
/* That of a page; the home page's is that of the space. */
char *visit_page_address(const struct visit *v, const struct visit_item *space, const struct page *p);
/* The first document of the space, in reading order, that has no "hidden"; false: there is none. */
bool visit_home(const struct visit *v, const struct visit_item *space, struct page *out);

/*
 * The document JSON and the Markdown of a page as the visitor sees it: what {% if %} hides
 * is not there, expressions are their values. at: the point that it was read at; page: for
 * its variables (NULL: none).
 */
struct str visit_document(const struct visit *v, const struct point *at, const struct node *page, struct str json);
/* text: a title, a blank line, the body, as markdown_of() gives it. */
struct str visit_markdown(const struct visit *v, const struct point *at, const struct node *page, struct str text);

/*
 * True if the visitor sees the page of a site space, or the part of it under these conditions
 * (doc_sections(); NULL: the whole page). ctx: struct visit_place. The callback of a search (struct
 * search_viewer).
 */
struct visit_place {
	const struct visit      *visit;
	const struct visit_item *space;
};
bool visit_sees_part(void *ctx, const char *page, const char *conditions);

/*
 * The address of a content reference for this visitor: pages, files, spaces of the site, URLs.
 * from: the site space that contains it. NULL: there is none that the visitor may know.
 */
char *visit_ref(const struct visit *v, const struct visit_item *from, const struct doc_ref *ref);

/* True if a page that the visitor sees shows the API description with this slug or id. */
bool visit_sees_spec(const struct visit *v, const char *name);

/* The absolute address of a file of the site space below the site, where octavo-site serves it to those who see it. */
char *visit_file_address(const struct visit *v, const struct visit_item *space, const struct node *file);

/*
 * The target of a site's redirect from this path below its address ("/old/page"); false: there is
 * none. wild: a redirect whose source ends in "*", the longest match; otherwise one from exactly
 * this path, which callers try first.
 */
struct visit_redirect {
	const char *id, *target;
	bool        permanent;   /* and everybody reads the site, so that browsers may keep it */
};
bool visit_redirect(const struct visit *v, const char *source, bool wild, struct visit_redirect *out);

/*
 * True if the condition holds for the visitor. NULL holds; a condition that cannot be evaluated
 * does not. It can use visitor.claims, which are empty if the site is not adaptive; the condition
 * of a page also space.vars and page.vars (visit_scope).
 */
bool visit_holds(const struct visit *v, const char *condition);

/*
 * True if the visitor's claims affected what was shown, besides the structure of the site. told: if
 * not NULL, a different set of visible pages of this site space does not count (struct visit_pages,
 * seen).
 */
bool visit_personal(const struct visit *v, const struct visit_item *told);

/* What expressions of a page see: { visitor: { claims }, space: { vars }, page: { vars } }; page NULL: none. */
struct cJSON *visit_scope(const struct visit *v, const struct point *at, const struct node *page);

/*
 * When what a visitor sees of the site last changed: its settings, structure, or the
 * content of a space that it shows. A text for ETags and caches that differs after each.
 */
char *visit_state(const struct visit *v);

#endif
