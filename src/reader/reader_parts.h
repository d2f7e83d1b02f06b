/* Shared by the files of this room; no other room includes it. */
#ifndef OCTAVO_SITE_PARTS_H
#define OCTAVO_SITE_PARTS_H

#include <setjmp.h>

#include <cjson/cJSON.h>

#include "base/map.h"
#include "render/html.h"
#include "render/render.h"
#include "reader/reader.h"
#include "typeset/typeset.h"
#include "audience/look.h"
#include "audience/visit.h"

/* A request and its answer. */
struct answer {
	struct io             *io;
	struct arena          *arena;
	struct db             *db;
	const struct settings *set;
	bool                   head, post;
	bool                   copy;     /* for a copy of the site as files, see site_copy() */
	struct buf             h;        /* status and headers */
	const char            *cache;    /* Cache-Control of a file; NULL: the one for signed addresses */
	jmp_buf                escape;
	const char            *cache_key; /* cache key of the answer; NULL: do not cache */
	int                    served_folder;      /* folder of pages for the web server (base/served.h); -1: none */
};

/* answer.c */
void write_refusal(struct answer *w, int status, const char *text);
/* True if the client prefers Markdown. */
bool wants_markdown(struct answer *w);
/* A query parameter of the request, decoded; NULL: there is none. */
const char *query_parameter(struct answer *w, const char *name);
/* The same for a parameter of a form that was sent as application/x-www-form-urlencoded. */
const char *form_parameter(struct answer *w, const char *form, const char *name);
/* A cookie; NULL: there is none. */
const char *get_cookie(struct answer *w, const char *name);
/* The strict policy of pages: everything must come from the site itself, except pictures. */
extern const char site_policy[];

/* signed_files.c */
void serve_download(struct answer *w, const char *uri);
/* Sends a file by hash and name, with headers. size: of the blob, -1: 404. cache: Cache-Control. */
void serve_blob(struct answer *w, struct str hash, const char *name, int64_t size, const char *cache);
/* The same, but never by an address of an object store: for fonts, which site_policy accepts from the site only. */
void serve_blob_here(struct answer *w, struct str hash, const char *name, int64_t size, const char *cache);
int64_t file_size(struct answer *w, const char *space, struct str hash);

/* The five decoded segments after a prefix such as "/~files"; false if there are not five. */
enum { SEGMENTS = 5 };
bool split_segments(struct answer *w, const char *uri, const char *below, const char *out[SEGMENTS]);

/* A local file, sent whole or the requested range; w->cache as for serve_blob(). */
struct sent_file {
	const char *path, *name;   /* path of the bytes; name to save it as */
	const char *tag;           /* ETag, without quotes */
	bool        saved;         /* browsers download it instead of displaying it, whatever its type */
	int64_t     size;
};
void send_file(struct answer *w, const struct sent_file *f);

/* pdf_files.c: serves the address of a PDF. False: it is not such an address. */
bool serve_pdf(struct answer *w, const char *uri);
/*
 * export_files.c: serves the address of an export of an organization. False: it is not such an
 * address.
 */
bool serve_export(struct answer *w, const char *uri);

/* A site as its pages show it. */
struct view {
	struct answer      *w;
	struct arena       *arena;
	struct visit        v;
	enum visit_status   status;
	bool                damaged;        /* the page's text is damaged: answer 503 and say so */
	const char         *state;      /* visit_state() and more, see make_state() */
	struct look        *look;       /* NULL if the visitor may not see the site */
	enum text_language  language;
	const char         *tag;        /* language of the content: "en" */
	bool                rtl;
	bool                absolute;   /* links are absolute, for a feed */
	struct typeset      typeset;    /* formulas and highlighting of this page */
	const struct visit_pages *pages;  /* of the site space; NULL until view_tree() */
	const char         *home;       /* id of the first page, whose address is the space's; "": none */
	struct str          icons;        /* the sprite (icon.c); p NULL: not made yet */
	const char         *icons_at;     /* its address; NULL: not computed yet */
	struct map         *twins;      /* cache of nav_same_page(): id of a site space -> address, or NULL; twins NULL: empty */
	int                 twin_cost;  /* of the look-ups that this needed */
	struct map         *above;      /* ancestors of hits, by space and id (search_page.c); NULL: none */
};

/* view.c */
/* Opens the site at a path, as in the address (percent-encoded). */
enum visit_status view_open(struct answer *w, const char *path, struct view *s);
/*
 * True if everybody sees the site as this visitor does (no key, claims or preview), so that shared
 * caches may keep it.
 */
bool view_shared(const struct view *s);
struct page *view_tree(struct view *s);
struct page *view_page(struct view *s, const char *id);
/*
 * An absolute address of the site, or the stored name of an uploaded file, as a path on this host,
 * unless links must be absolute. Other addresses are unchanged.
 */
const char *view_local(struct view *s, const char *address);
const char *view_page_href(struct view *s, const struct page *p);
/* The absolute address of a page as Markdown. */
char *view_markdown_href(struct view *s, const struct visit_item *item, const struct page *p);
/* Address of something of the site itself: view_own(s, "~search"). */
char *view_own(struct view *s, const char *rest);
/* The served address of an asset below assets/site/. */
char *view_asset(struct view *s, const char *name);
const char *say_in(const struct view *s, enum text t);
/* The parsed properties of a page (its frontmatter). */
const cJSON *page_props(const struct page *p);
/* The site's name. */
const char *view_title(const struct view *s);
const char *page_title(struct view *s, const struct page *p);
const char *page_label(struct view *s, const struct page *p);
const char *page_about(const struct page *p);
/* Name of its icon; NULL: none. */
const char *page_icon(const struct page *p);
/* Method of the API operation that the page is about; NULL: none. */
const char *page_method(const struct page *p);

/* page_links.c: the renderer's callbacks for a view. */
void view_env(struct view *s, struct render_env *env);
/* Document of a page; p NULL: it has none. */
struct str page_document(struct view *s, const struct page *p, struct computed_page *c);
struct str page_markdown(struct view *s, const struct page *p, struct computed_page *c);

/* source_links.c: addresses to edit the file of a page and to report a fault; NULL: unknown. */
struct source {
	const char *edit, *report;
};
void source_of_page(struct view *s, const struct page *p, struct source *out);
/* All inputs of these addresses except the page, for tags (view_tags). */
const char *source_state(struct view *s);

/*
 * preview_picture.c: absolute address of a page's preview picture; NULL: none. about: its
 * description or first words (frame_about); may be NULL.
 */
const char *picture_href(struct view *s, const struct page *p, const char *about);
struct frame;
void serve_picture(struct view *s, const char *hash, const struct frame *f);

/*
 * Parts of the frame that a page's layout hides. HIDE_METADATA: the facts below the page, and the
 * buttons that rate it.
 */
enum { HIDE_TITLE = 1, HIDE_DESCRIPTION = 2, HIDE_CONTENTS = 4, HIDE_OUTLINE = 8, HIDE_PAGINATION = 16, HIDE_METADATA = 32, HIDE_ACTIONS = 64 };

/* frame.c: a page around its content. */
struct frame {
	const char             *title;      /* of the page */
	const char             *about;      /* description; NULL: none */
	const char             *canonical;  /* NULL: noindex */
	const struct page      *page;       /* NULL: not a page of the tree */
	const struct rendering *made;       /* its outline; NULL: none */
	struct str              content;    /* HTML of the article */
	bool                    plain;      /* without table of contents and outline */
	unsigned                hides;      /* HIDE_… */
	bool                    wide;       /* uses the full width of the screen */
	struct look_pair        cover;      /* a picture above the text; light NULL: none */
	struct look_pair        cover_variants; /* of these pictures, see struct render_link */
	const char             *query;      /* search query; NULL: none */
};
void frame_write(struct view *s, struct buf *out, const struct frame *f);
/*
 * The id of the current banner, by which browsers remember that the reader closed it; NULL: no
 * banner.
 */
const char *news_hash(struct view *s);
/* head.c: its head. */
void head_write(struct view *s, struct html *h, const struct frame *f);
/* A few words about the page, for lists and previews; NULL: none. */
const char *frame_about(struct view *s, const struct frame *f);
/* page_layout.c: applies the page's own layout to its frame. */
void frame_layout(struct view *s, const struct page *p, struct frame *f);
/* navigation.c: table of contents, breadcrumbs, previous and next. */
void nav_contents(struct view *s, struct html *h, const struct page *current);
void nav_crumbs(struct view *s, struct html *h, const struct page *current);
void nav_around(struct view *s, struct html *h, const struct page *current);
void nav_sections(struct view *s, struct html *h);
/*
 * The absolute address of this page in another site space; NULL: it is not there. Translations have
 * the same ids as their source; versions have at least the same paths. If there are very many
 * variants, only some are looked up.
 */
const char *nav_same_page(struct view *s, const struct visit_item *it, const struct page *page);
/*
 * Writes links to this page in the other site spaces of its section, or to their first pages. page
 * may be NULL.
 */
void nav_variants(struct view *s, struct html *h, const struct page *page);
/* True if the site shows another variant of this section. */
bool nav_has_variants(const struct view *s);
/* page_actions.c: writes the menu of actions of a page, as in the customization's pageActions. */
void page_actions(struct view *s, struct html *h, const struct frame *f);

/* Handlers of the addresses of a site. */
void serve_page(struct view *s);
void serve_page_picture(struct view *s, const char *hash);
void serve_markdown(struct view *s);
void serve_missing(struct view *s);
void serve_search(struct view *s);
void serve_search_json(struct view *s);
void serve_sitemap(struct view *s);
void serve_robots(struct view *s);
void serve_about(struct view *s);
void serve_llms(struct view *s);
void serve_llms_full(struct view *s);
void serve_feed(struct view *s);
void serve_mcp(struct view *s);
void serve_count(struct view *s);
void serve_relay(struct view *s);
/* True for a form that a page of another site sent (Fetch Metadata). */
bool is_foreign(struct answer *w);
/*
 * print.c: serves PDFs for visitors, if the site allows them. print_href: the address for the PDF
 * of a page, or of the page and those below it.
 */
void serve_print(struct view *s);
char *print_href(struct view *s, const struct page *p, bool all);
void serve_file(struct view *s, const char *rest);
/*
 * diagrams.c: the address of the frame that draws diagrams, without a diagram's source; NULL:
 * diagrams are not drawn.
 */
const char *diagram_frame(struct view *s);
/* Serves ~diagram and the addresses below it. False: unknown address. */
bool serve_diagram(struct answer *w, const char *rest);
bool serve_asset(struct answer *w, const char *rest);
/* Serves SPEC/NAME, a schema of a specification that the visitor sees; false: there is none. */
bool serve_schema(struct view *s, const char *rest);
void serve_look(struct view *s, const char *rest);
/* Style sheet of the site's customization; "" if it changes nothing. */
const char *look_css(struct view *s);
const char *look_href(struct view *s);
/*
 * icon.c: an icon as inline HTML, p NULL if unknown; and one of the sprite, for the contents or a
 * section.
 */
struct str icon_drawn(struct view *s, const char *name);
void icon_shown(struct view *s, struct html *h, const char *name);
void serve_icons(struct view *s, const char *rest);
/*
 * font.c: look_fonts() writes style rules for the chosen fonts. The other returns the file of an
 * uploaded font that every page needs, so that browsers load it before they have read the rules;
 * NULL: none.
 */
void look_fonts(struct view *s, struct buf *b);
const char *look_font_early(struct view *s);

/* Hits of a search in all that the visitor sees, best first. */
struct hit {
	const struct visit_item *space;
	struct search_hit       *found;
	struct page              page;
	const char              *href;
	bool                     other;    /* the site space is another version or language than the reader's */
};
struct hit *view_search(struct view *s, const char *query, size_t want, size_t *count);

/*
 * nearest.c: finds pages of the space whose address is similar to this one, the most similar first,
 * and the page above it. Returns their number, at most max.
 */
size_t nearest_pages(struct view *s, const char *path, const struct page **out, size_t max);

/* Body of an answer. HTML gets the policy of pages, anything else is sent as it is. */
struct body {
	int         status;       /* 200 */
	const char *type;         /* "text/html; charset=utf-8" */
	struct str  bytes;
	const char *etag;         /* without quotes; NULL: none */
	const char *key;          /* cache key; NULL: do not cache */
	bool        has_claims;      /* the visitor has claims: key is for answers that do not depend on them */
	const char *kind;         /* kind passed to view_tags() */
	const char *seen_key;     /* cache key for answers that depend only on which pages the claims show; NULL: none */
	bool        index;        /* search engines may list it */
	bool        immutable;        /* immutable under this name */
	bool        page;         /* the web server may send it without a program (base/served.h) */
};
void send_body(struct view *s, const struct body *b);
/* Cache-Control for this visitor; stays: immutable under this name. */
const char *cache_control(const struct view *s, bool stays);
/*
 * Sends a cached answer: returns true if the client has it already (304) or the cache has it. If
 * false, make the bytes and call send_and_keep(). An answer in which highlighting or formulas were
 * not ready in time gets no tag and is not cached. An answer that depends on a visitor's claims is
 * not cached either.
 */
bool send_kept(struct view *s, struct body *b);
void send_and_keep(struct view *s, struct body *b);
/*
 * kept_answers.c: sends an answer from this worker's memory, and leaves a read transaction open.
 * False: no transaction is open, and the answer must be made.
 */
bool recall_answer(struct answer *w, const char *uri);
/* Stores what send_body() has just sent, if it may be cached. */
void remember_answer(struct view *s, const struct body *b);
/* served_pages.c: at the start and end of a request; they open and close w->served_folder. */
void served_begin(struct answer *w);
void served_end(struct answer *w);
/* Stores the page for the web server, if it may send it to everybody. */
void served_keep(struct view *s, const struct body *b);
/*
 * served_tag: the tag that the web server gives to the page's file (nginx: "TIME-LENGTH"), so that
 * both send the same tag. The other function returns the tag of a list (If-None-Match) that is this
 * page's; NULL: none.
 */
char *served_tag(struct view *s, const struct body *b);
char *served_tag_in(struct view *s, const char *list, const char *etag);
/*
 * Sets tag and key of an answer of this kind, from the site's state, this program and the address.
 * The tag of a visitor with claims includes them; the key does not, so that others find the answer.
 */
void view_tags(struct view *s, const char *kind, struct body *b);
void send_redirect(struct view *s, int status, const char *to, const char *cookies);

#endif
