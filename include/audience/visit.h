/*
 * What a visitor of a published site sees. All code that shows published content uses these
 * functions: page trees, next and previous, search, sitemap, RSS, llms.txt, files.
 *
 *   struct visit v;
 *   struct visit_request ask = { .host = "docs.example.com", .path = "/sites/acme/book/a/b" };
 *   switch (visit_open(db, arena, set, &ask, &v)) …
 *
 * The parts of an address, in this order:
 *
 *   [site]     /sites/ORGANIZATION/BASENAME/ below OCTAVO_URL, where ORGANIZATION is the
 *              hostname or the id of the organization; or a custom hostname, or the host
 *              and path of the site's proxy
 *   [KEY/]     of a share link of the site
 *   [section/] where the site has sections; absent: the default one. Also s/SECTION/
 *   [variant/] of a site space; absent: the default one of its section or site. Also v/VARIANT/,
 *              as in GitBook's addresses
 *   [page]     path in the space; absent: its first document
 *
 * If the default site space has a page at the whole path, that page is found. Otherwise a first
 * segment that names a section or variant selects it; if nothing is found there, the path is tried
 * again with the segment as part of the page's path, including former addresses and redirects.
 * Addresses in answers leave out the segments of defaults, and have the mark s/ or v/ before a
 * segment that would find something else without it (visit_item.ambiguous).
 *
 * Who may see it. A site that is not published, or that this visitor may not see, gives
 * VISIT_NO_SITE, as a site that does not exist. A site of visibility share-link requires an active
 * key, one of visitor-auth signed claims. Sections, site spaces and pages whose condition does not
 * hold for the visitor are treated as missing, with everything below them; a condition that cannot
 * be evaluated does not hold.
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

/* A visitor, and the credentials that the request contains. */
struct visitor {
	const char         *share_key;  /* of a share link, where the address has none; NULL: none */
	const char         *jwt;        /* signed claims; NULL: none */
	const struct cJSON *unsigned_claims; /* claims without a signature, as a JSON object; NULL: none */
	bool                manager;    /* manages the site: sees every published site, whatever its visibility */
	bool                agent;      /* a machine: does not see sites of agentsContext "excluded" */
	bool                requests;   /* a preview may show a change request; false: its token is ignored */
};

struct visit_request {
	const char    *host;      /* as in the Host header, port allowed; NULL: that of OCTAVO_URL */
	bool           any_host;  /* treat a host that belongs to no site as the host of OCTAVO_URL */
	const char    *path;      /* as in the address, percent-encoded; a query is ignored */
	struct visitor visitor;
};

enum visit_status {
	VISIT_PAGE,       /* site, space and page were found */
	VISIT_MOVED,      /* redirect to `location`: a moved page, a redirect of the site, a link or a group in the tree */
	VISIT_NO_PAGE,    /* site and space were found, but no page: a 404 page of the site */
	VISIT_NO_SITE,    /* a 404 page that reveals nothing */
	VISIT_SIGN_IN     /* signed claims are missing: redirect to `location`, the site's sign-in address with the
	                     page as parameter "location"; NULL: the site has no such address */
};

/* The structure of a site as the visitor sees it: a tree of groups, sections and site spaces, or only site spaces. */
enum visit_kind { VISIT_SPACE, VISIT_SECTION, VISIT_GROUP, VISIT_LINK };
struct visit_item {
	enum visit_kind    kind;
	const char        *id;
	const char        *title;        /* of a site space: the title of its space */
	const char        *path;         /* its segment in addresses; NULL: a group */
	const char        *description, *icon;  /* NULL: none; icon: name of an icon */
	const char        *condition;    /* NULL: everybody sees it */
	const char        *address;      /* absolute, ends in "/", with the share key; of a link: its target; NULL: a group */
	bool               ambiguous;    /* without the mark s/ or v/, its address would be that of something else */
	bool               is_default;   /* it is the default among its siblings: sections of the site, or site spaces of its section */
	/* The members from `space` to `point` are set only for a site space. */
	const char        *space;        /* id */
	const char        *language, *emoji, *space_icon;  /* of the space; NULL: none */
	const char        *customization;  /* JSON for look.h; NULL: it has none */
	bool               hidden;       /* it can be opened by its address, but lists of variants do not show it */
	struct point       point;        /* its present primary content */
	struct visit_item *up;           /* the section or group that it is in; NULL: the site */
	struct visit_item *first, *next; /* its children; its next sibling */
};

struct visit_site {
	const char *id, *org, *org_title, *title;
	const char *basename;
	const char *visibility;       /* public, unlisted, share-link, visitor-auth */
	const char *hostname;         /* custom hostname; NULL: none */
	const char *address;          /* absolute, ends in "/", with the visitor's share key */
	const char *published;        /* the same without the key */
	const char *by_id;            /* below OCTAVO_URL, with the id of the organization in place of its name */
	const char *org_name;         /* the organization's name in addresses if the request used its id; NULL: the request used the name */
	const char *root_path;        /* path of the site as requested: "/sites/acme/book/" */
	const char *base_path;        /* the same with the share key if the requested address has it */
	const char *rest;             /* the rest of the path as typed, without a leading slash */
	bool        nested;           /* another site is published below this one, at the same host */
	const char *share_key;        /* active key of the visitor; NULL: none */
	const char *share_link;       /* id of the share link with this key */
	bool        adaptive;         /* conditions may use the visitor's claims */
	bool        indexed;          /* search engines may list it: public, and no preview */
	bool        agents;           /* machines may read it: llms.txt, MCP, Markdown */
	const char *customization;    /* JSON for look.h; NULL: the defaults */
	int64_t     published_at, updated_at;
	bool        sections;         /* `first` is a list of sections and groups; otherwise of site spaces */
	struct visit_item *first;     /* the structure, without items hidden from the visitor */
};

/*
 * The change request that a preview shows in place of the published content of its space. If the site
 * is not open to everybody, the person for whom the preview was made sees only the spaces that this
 * person may read; roles are checked in each visit.
 */
struct previewed_request {
	const char  *id, *subject;
	const char  *space;
	const char  *account;       /* the person */
	const char  *by;            /* how the person signed in: "session", "provider" (of the organization); "": by a token */
	int64_t      number;
	struct point point;         /* head of its branch */
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
	struct computed_page  *computed;  /* the page that a computed page expands to (computed/computed.h); NULL: it is a node */
	const char            *canonical; /* VISIT_PAGE: its own address */
	const char            *location;  /* VISIT_MOVED, VISIT_SIGN_IN */
	bool                   permanent; /* VISIT_MOVED by a permanent redirect */
	/* Caches: */
	struct file_visibility *file_visibility;  /* of visit_file_use() */
	struct visit_trace    *trace;     /* of visit_holds(): results of conditions, and which claims were used */
	struct map            *homes;     /* of visit_home(): id of a site space -> its first page */
	struct map            *trees;     /* of visit_pages(): revision -> struct visit_pages */
	bool                   deterministic_only;  /* leave expressions that use the visitor unevaluated */
	bool                   owns_longer_addresses;  /* every longer address leads into the same site space */
	const struct cJSON    *claims;    /* the visitor's claims, an object; conditions always see "unsigned" in it */
	/* The credentials that give the visitor access, besides the share link: */
	struct str             signing_key;  /* hash of the site's key that signed the claims; n 0: claims are unsigned */
	const char            *account;   /* the member whose test sign-in gave the claims; NULL: none */
	bool                   guest;     /* a guest of the organization: sees only spaces with a grant */
	bool                   preview;   /* the visitor manages the site, or `request` is set */
	const struct previewed_request *request;  /* NULL: the visit shows what is published */
	bool                   drafts;    /* a preview that shows drafts of the structure */
	int64_t                until;     /* ms: when these credentials expire; 0: never */
	int64_t                token_since;  /* ms: a site token cannot read revisions that were replaced before this */
	struct str             token_hash;   /* of the site token in use (site_token.h); n 0: none */
};

/*
 * The address of a published site: at its proxy, otherwise at its hostname, otherwise below
 * OCTAVO_URL; ends in "/". org: hostname or id of its organization; hostname and proxy may be NULL.
 */
char *visit_published(struct arena *a, const struct settings *set, const char *hostname, const char *proxy,
    const char *org, const char *basename);

/*
 * True if this Host header (NULL: it is missing) is the hostname of a site, and not that of
 * OCTAVO_URL. Can be called outside a transaction.
 */
bool visit_is_hostname(struct db *db, struct arena *a, const struct settings *set, const char *host);

/* A visit without a site: enough for visit_document() and visit_markdown(). */
void visit_begin(struct visit *v, struct db *db, struct arena *a, const struct settings *set);

/* Finds site, section, space and page of an address. Sets the members of v that the returned status implies. */
enum visit_status visit_open(struct db *db, struct arena *a, const struct settings *set,
    const struct visit_request *ask, struct visit *v);

/*
 * Signed claims (struct visitor, jwt) give access to a site of visitor-auth, and are the claims in
 * conditions. They are a JSON Web Token (HS256) with `exp`, made by one of four:
 *
 *   software with the site's key   the operation publishing/auth returns the key
 *   the organization's ping        for a member; valid as long as the user is a member
 *   publishing/preview             valid for an hour; also shows a site that is not published
 *   change-requests/…/previews     valid for an hour, as long as the request is not merged or archived
 *                                  and the person may read it; also shows a site that is not
 *                                  published, with the content of the change request
 *
 * Any other token is ignored.
 */

/*
 * Finds a site by its id, with the structure as the visitor sees it, but no space and no page.
 * Returns VISIT_PAGE, VISIT_NO_SITE or VISIT_SIGN_IN.
 */
enum visit_status visit_open_site(struct db *db, struct arena *a, const struct settings *set, const char *site,
    const struct visitor *who, struct visit *v);

/* The first site space of the visible structure that shows this space, defaults first; NULL: none. */
struct visit_item *visit_space(const struct visit *v, const char *space);
/* The visible item with this id (site space, section or group); NULL: none. */
struct visit_item *visit_item(const struct visit *v, const char *id);
/* The site spaces of the visible structure in its order: call with NULL, then with the last one; NULL: no more. */
struct visit_item *visit_next_space(const struct visit *v, const struct visit_item *last);

/*
 * The pages of a site space that the visitor sees, with computed pages expanded, in reading order.
 * The tree contains pages with the property "hidden", which have an address; code that shows tables
 * of contents, next pages or search results must leave them out (visit_page_hidden()).
 */
struct page *visit_tree(const struct visit *v, const struct visit_item *space);
/* The same with an index. It may be shared with other requests: callers must not change its pages. */
struct visit_pages {
	struct page  *tree;
	struct map   *by_id;    /* struct page, hidden ones too */
	struct page **order;    /* documents in reading order; without those that are hidden or have a hidden ancestor */
	size_t        count;
	const char   *pages_hash;  /* hash of the ids of these pages; "": these are all pages of the revision; NULL: not known */
};
const struct visit_pages *visit_pages(const struct visit *v, const struct visit_item *space);
/*
 * A program that serves many requests calls these at the start and the end of each request. Between
 * requests it then caches a few trees of up to 4 MB each, and up to 8 MB of trees without the pages
 * that some visitors do not see (kept_trees.c). Trees that a request got are valid until
 * visit_trees_end().
 */
void visit_trees_begin(struct db *db);
void visit_trees_end(struct db *db);
/* The page with this id in a tree; NULL: none. */
struct page *visit_find(struct page *tree, const char *id);
/* One page by id or path. False: there is none, or the visitor does not see it or one of its ancestors. */
bool visit_page(const struct visit *v, const struct visit_item *space, const char *id, struct page *out,
    struct computed_page **computed);
bool visit_page_at(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed);
/* True if the visitor sees the page with this id and all its ancestors. */
bool visit_sees_page(const struct visit *v, const struct visit_item *space, const char *id);

/*
 * Whether the visitor sees a file or reusable content (by its id). It is visible if one of these uses it: the
 * visible part of a visible page, a reusable content in such a part, a cover, a link in the tree, a redirect of the
 * revision, or a link in the header, footer or announcement of the site. FILE_UNUSED: nothing uses it; FILE_HIDDEN:
 * only hidden pages do. Uses the table of links at the head of a space, and reads all pages at other points; results
 * are cached in v.
 */
enum file_use { FILE_UNUSED, FILE_HIDDEN, FILE_SEEN };
enum file_use visit_file_use(struct visit *v, const struct visit_item *space, const char *id);
bool visit_sees_file(struct visit *v, const struct visit_item *space, const char *id);

/* Removes the pages that the visitor does not see from a tree. */
void visit_prune(const struct visit *v, const struct point *at, struct page **tree);

/* Flags from the properties (frontmatter) of a page. */
bool visit_page_hidden(const struct page *p);      /* `hidden` is set */
bool visit_page_indexed(const struct page *p);     /* none of `hidden`, `noIndex` and `noRobotsIndex` is set */

/* The absolute address of a path in the site space. */
char *visit_below(const struct visit *v, const struct visit_item *space, const char *path);
/* The absolute address of a page; the home page has the address of its space. */
char *visit_page_address(const struct visit *v, const struct visit_item *space, const struct page *p);
/* The home page: the first document of the space, in reading order, that is not hidden. False: there is none. */
bool visit_home(const struct visit *v, const struct visit_item *space, struct page *out);

/*
 * The document JSON and the Markdown of a page as the visitor sees it: without hidden parts of
 * {% if %}, with expressions replaced by their values. at: the point of the page; page: gives the
 * page's variables (NULL: none).
 */
struct str visit_document(const struct visit *v, const struct point *at, const struct node *page, struct str json);
/* text: a title, a blank line, the body, as markdown_of() gives it. */
struct str visit_markdown(const struct visit *v, const struct point *at, const struct node *page, struct str text);

/*
 * Callback of a search (struct search_viewer); ctx is a struct visit_place. True if the visitor
 * sees the page of the site space and, unless `conditions` is NULL, the part of it to which these
 * conditions apply (doc_sections()).
 */
struct visit_place {
	const struct visit      *visit;
	const struct visit_item *space;
};
bool visit_sees_part(void *ctx, const char *page, const char *conditions);

/*
 * The address of a content reference for this visitor: pages, files, spaces of the site, URLs.
 * from: the site space that contains it. NULL: the target does not exist, or the visitor does not
 * see it.
 */
char *visit_ref(const struct visit *v, const struct visit_item *from, const struct doc_ref *ref);

/* True if a page that the visitor sees shows the API description with this slug or id. */
bool visit_sees_spec(const struct visit *v, const char *name);

/*
 * The absolute address of a file of the site space, below the address of the site. There
 * octavo-site sends it to visitors who see it.
 */
char *visit_file_address(const struct visit *v, const struct visit_item *space, const struct node *file);

/*
 * Finds the target of a site's redirect from this path below its address ("/old/page"); false: there
 * is none. Callers try VISIT_EXACT first: a redirect from exactly this path. VISIT_WILDCARD: of the
 * redirects whose source ends in "*", the one with the longest match.
 */
enum visit_source { VISIT_EXACT, VISIT_WILDCARD };
struct visit_redirect {
	const char *id, *target;
	bool        permanent;   /* a permanent redirect of a site that everybody may read: browsers may cache it */
};
bool visit_redirect(const struct visit *v, const char *source, enum visit_source kind, struct visit_redirect *out);

/*
 * True if the condition holds for the visitor. NULL holds; a condition that cannot be evaluated
 * does not. It can use visitor.claims, which are empty if the site is not adaptive; the condition
 * of a page also space.vars and page.vars (visit_scope).
 */
bool visit_holds(const struct visit *v, const char *condition);

/*
 * True if the visitor's claims affected what was shown, besides the structure of the site. known: if
 * not NULL, the set of visible pages of this site space does not count, since the caller's cache key
 * contains it (visit_pages.pages_hash).
 */
bool visit_personal(const struct visit *v, const struct visit_item *known);

/* Variables of a page's expressions: { visitor: { claims }, space: { vars }, page: { vars } }; page may be NULL. */
struct cJSON *visit_scope(const struct visit *v, const struct point *at, const struct node *page);

/*
 * A text for ETags and cache keys. It changes whenever what the visitor sees of the site changes: its
 * settings, its structure, or the content of a visible space.
 */
char *visit_state(const struct visit *v);

#endif
