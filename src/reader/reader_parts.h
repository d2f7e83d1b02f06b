/* What the files of this room share; nobody else includes it. */
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
	struct buf             h;        /* status and headers */
	const char            *cache;    /* Cache-Control of a file; NULL: that of signed addresses */
	jmp_buf                escape;
	const char            *question; /* by which the answer may be remembered; NULL: not at all */
	int                    now;      /* what the web server sends by itself (base/served.h); -1: nothing */
};

/* answer.c */
void write_refusal(struct answer *w, int status, const char *text);
/* Does the client prefer Markdown? */
bool wants_markdown(struct answer *w);
/* A query parameter of the request, decoded; NULL: there is none. */
const char *query_parameter(struct answer *w, const char *name);
/* A cookie; NULL: there is none. */
const char *get_cookie(struct answer *w, const char *name);
/* The strict policy of pages: nothing but what the site itself sends, and pictures from anywhere. */
extern const char site_policy[];

/* signed_files.c */
void serve_download(struct answer *w, const char *uri);
/* The bytes of a file by hash and name, with headers; size: of the blob, -1: 404. cache: of Cache-Control. */
void serve_blob(struct answer *w, struct str hash, const char *name, int64_t size, const char *cache);
int64_t file_size(struct answer *w, const char *space, struct str hash);

/* The five decoded segments after a prefix such as "/~files"; false if it is no such address. */
enum { SEGMENTS = 5 };
bool split_segments(struct answer *w, const char *uri, const char *below, const char *out[SEGMENTS]);

/* A file of this machine, sent whole or the part that was asked for; w->cache as for serve_blob(). */
struct sent_file {
	const char *path, *name;   /* of the bytes; as it is to be saved */
	const char *tag;           /* ETag, without quotes */
	int64_t     size;
};
void send_file(struct answer *w, const struct sent_file *f);

/* pdf_files.c: answers an address of a PDF; false: it is none. */
bool serve_pdf(struct answer *w, const char *uri);

/* A site that is shown: what its pages have in common. */
struct view {
	struct answer      *w;
	struct arena       *arena;
	struct visit        v;
	enum visit_status   status;
	bool                lost;        /* the text of the page is damaged: what is sent says so, with 503 */
	const char         *state;      /* visit_state(), and more */
	struct look        *look;       /* NULL where the site is not to be seen */
	enum text_language  language;
	const char         *tag;        /* of the content: "en" */
	bool                rtl;
	bool                absolute;   /* links have scheme and host: a feed is read elsewhere */
	struct typeset      typeset;    /* what this page has had set */
	const struct visit_pages *pages;  /* of the site space; NULL until view_tree() */
	const char         *home;       /* id of its first page, whose address is that of the space; "": there is none */
	struct str          icons;        /* the picture with icons (icon.c); p NULL: not made yet */
	const char         *icons_at;     /* its address; NULL: not asked for yet */
	struct map         *texts;      /* descriptions of an API -> documents; NULL: none yet */
	struct map         *above;      /* pages above hits, by space and id (search_page.c); NULL: none yet */
};

/* view.c */
/* Opens the site at a path (as in the address, percent-encoded). */
enum visit_status view_open(struct answer *w, const char *path, struct view *s);
/* Does everybody see the site as this visitor does? No key, no claims, no preview: caches of others may keep it. */
bool view_shared(const struct view *s);
struct page *view_tree(struct view *s);
struct page *view_page(struct view *s, const char *id);
/* An absolute address of the site as a path on this host, unless links shall be absolute; others as they are. */
const char *view_local(struct view *s, const char *address);
const char *view_page_href(struct view *s, const struct page *p);
/* The absolute address of a page as Markdown. */
char *view_markdown_href(struct view *s, const struct visit_item *item, const struct page *p);
/* Address of something of the site itself: view_own(s, "~search"). */
char *view_own(struct view *s, const char *rest);
/* The served address of an asset below assets/site/. */
char *view_asset(struct view *s, const char *name);
const char *say_in(const struct view *s, enum text t);
/* Properties of a page: parsed frontmatter. */
const cJSON *page_props(const struct page *p);
/* The site's name. */
const char *view_title(const struct view *s);
const char *page_title(struct view *s, const struct page *p);
const char *page_label(struct view *s, const struct page *p);
const char *page_about(const struct page *p);
/* The name of its icon; NULL: it has none. */
const char *page_icon(const struct page *p);

/* page_links.c: struct render_env of a view. */
void view_env(struct view *s, struct render_env *env);
/* Documents of a page; p NULL: it has none. */
struct str page_document(struct view *s, const struct page *p, struct computed_page *c);
struct str page_markdown(struct view *s, const struct page *p, struct computed_page *c);

/* source_links.c: where the file of a page can be edited, and faults of it told; NULL: nowhere that is known. */
struct source {
	const char *edit, *report;
};
void source_of_page(struct view *s, const struct page *p, struct source *out);
/* What these addresses are made of besides the page: a text for tags (view_tags). */
const char *source_state(struct view *s);

/*
 * preview_picture.c: the absolute address of the picture of a page; NULL: it has none. about: its
 * description or first words (frame_about); NULL: none.
 */
const char *picture_href(struct view *s, const struct page *p, const char *about);
struct frame;
void serve_picture(struct view *s, const char *hash, const struct frame *f);

/* Parts of the frame that a page's own layout takes off. */
enum { HIDE_TITLE = 1, HIDE_ABOUT = 2, HIDE_CONTENTS = 4, HIDE_OUTLINE = 8, HIDE_AROUND = 16, HIDE_END = 32 };

/* frame.c: a page around some content. */
struct frame {
	const char             *title;      /* of the page */
	const char             *about;      /* description; NULL: none */
	const char             *canonical;  /* NULL: search engines do not list it */
	const struct page      *page;       /* NULL: no page of the tree */
	const struct rendering *made;       /* outline; NULL: none */
	struct str              content;    /* HTML of the article */
	bool                    plain;      /* without table of contents and outline */
	unsigned                hides;      /* HIDE_… */
	bool                    wide;       /* as wide as the screen allows */
	struct look_pair        cover;      /* a picture above the text; light NULL: none */
	const char             *query;      /* what was searched for; NULL: nothing */
};
void frame_write(struct view *s, struct buf *out, const struct frame *f);
/* head.c: its head. */
void head_write(struct view *s, struct html *h, const struct frame *f);
/* What the page is about in a few words, for those who list it; NULL: it says nothing. */
const char *frame_about(struct view *s, const struct frame *f);
/* page_layout.c: what the frontmatter of a page says of its frame. */
void frame_layout(struct view *s, const struct page *p, struct frame *f);
/* Table of contents, breadcrumbs, previous and next (navigation.c). */
void nav_contents(struct view *s, struct html *h, const struct page *current);
void nav_crumbs(struct view *s, struct html *h, const struct page *current);
void nav_around(struct view *s, struct html *h, const struct page *current);
void nav_sections(struct view *s, struct html *h);
void nav_variants(struct view *s, struct html *h);

/* What there is to be asked for. */
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
void serve_file(struct view *s, const char *rest);
bool serve_asset(struct answer *w, const char *rest);
void serve_look(struct view *s, const char *rest);
/* The style sheet of the site's customization; "" where it is as by default. */
const char *look_css(struct view *s);
const char *look_href(struct view *s);
/* icon.c: the icon of a name, as HTML by itself, p NULL where there is none; and one of the contents or a section. */
struct str icon_drawn(struct view *s, const char *name);
void icon_shown(struct view *s, struct html *h, const char *name);
void serve_icons(struct view *s, const char *rest);
/* font.c: the rules for its fonts, where some are chosen. */
void look_fonts(struct buf *b, const struct look *l);

/* Hits of a search in all that the visitor sees, best first. */
struct hit {
	const struct visit_item *space;
	struct search_hit       *found;
	struct page              page;
	const char              *href;
};
struct hit *view_search(struct view *s, const char *query, size_t want, size_t *count);

/* Sends a body: HTML with the policy of pages, everything else as it is. */
struct body {
	int         status;       /* 200 */
	const char *type;         /* "text/html; charset=utf-8" */
	struct str  bytes;
	const char *etag;         /* without quotes; NULL: none */
	const char *key;          /* that it is kept by; NULL: not at all */
	bool        claimed;      /* the visitor has claims: key is for what does not depend on them */
	const char *kind;         /* what view_tags() was called for */
	const char *seen_key;     /* for what depends on which pages the claims let them see, and no more; NULL: not at all */
	bool        index;        /* search engines may list it */
	bool        stays;        /* by its name it never changes */
	bool        page;         /* the web server may send it by itself (base/served.h) */
};
void send_body(struct view *s, const struct body *b);
/* Cache-Control of what this visitor sees; stays: it never changes by this name. */
const char *cache_control(const struct view *s, bool stays);
/*
 * An answer that is made once: true, and it is sent, where the client has it already (304), or
 * it is kept. Else make its bytes and call send_and_keep(); what lacks colours or formulas for
 * want of time is neither tagged nor kept, and what a visitor's claims decided is not kept.
 */
bool send_kept(struct view *s, struct body *b);
void send_and_keep(struct view *s, struct body *b);
/*
 * kept_answers.c: an answer that this worker remembers, sent: then a read transaction is open. False:
 * none is open, and the answer is to be made.
 */
bool recall_answer(struct answer *w, const char *uri);
/* Remembers what send_body() has just sent, where the answer is one of those. */
void remember_answer(struct view *s, const struct body *b);
/* served_pages.c: around a request; w->now is theirs. */
void served_begin(struct answer *w);
void served_end(struct answer *w);
/* Hands the page over, where the web server may send it to everybody. */
void served_keep(struct view *s, const struct body *b);
/*
 * The tag that the web server makes of the file of a page (nginx: "TIME-LENGTH"), so that both
 * say the same; and the one in a list (If-None-Match) that is this page's; NULL: none.
 */
char *served_tag(struct view *s, const struct body *b);
char *served_tag_in(struct view *s, const char *list, const char *etag);
/*
 * Tag and key of an answer of this kind: what the site shows, this program, and the address. The
 * tag of a visitor with claims has them too; by the key others find it, whatever they claim.
 */
void view_tags(struct view *s, const char *kind, struct body *b);
void send_redirect(struct view *s, int status, const char *to, const char *cookies);

#endif
