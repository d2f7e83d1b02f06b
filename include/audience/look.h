/*
 * The look of a site: its customization, with defaults. There are three layers: the defaults, the
 * customization of the site (column site.customization), and that of a site space
 * (site_space.customization). A layer replaces members of the layer before it. All members of a
 * layer are optional; the result has every member that clients require. Texts are in the language
 * of the site space if the customization has them in that language (localizedTitle,
 * localizedMessage).
 */
#ifndef OCTAVO_LOOK_H
#define OCTAVO_LOOK_H

#include "audience/visit.h"

struct look_pair {
	const char *light, *dark;     /* colours "#rrggbb" or addresses; NULL: none is set */
};

struct look_font {
	const char *name;             /* name from the client's list, or fontFamily of a font that readers may have; NULL: an uploaded font */
	const char *id;               /* of an uploaded font (app/stored.h); NULL: the font has a name */
};

struct look_link {
	const char       *title;
	const char       *href;       /* target of the link for this visitor; NULL: none, so the link is shown as a heading */
	const char       *style;      /* link, button-primary, button-secondary */
	const char       *icon;       /* name of a platform's icon; NULL: none */
	struct look_link *first, *next;
};

enum { LOOK_ACTIONS = 12 };

struct look {
	const char      *title;                /* used in place of the site's own title; NULL: the site's own */
	const char      *theme;                /* clean, muted, bold, gradient */
	struct look_pair primary, tint;        /* tint.light NULL: none */
	struct look_pair info, success, warning, danger;
	const char      *corners;              /* straight, rounded, circular */
	const char      *depth;                /* subtle, flat */
	const char      *links;                /* default, accent */
	struct look_font font, heading, monospace;   /* heading: name and id are NULL if headings have the font of the text */
	struct look_pair code;                 /* names of colour themes for code */
	const char      *background;           /* plain, match */
	const char      *icons;                /* regular, solid, duotone, light, thin */
	const char      *sidebar_background;   /* default, filled */
	const char      *sidebar_list;         /* default, pill, line */
	const char      *search;               /* prominent, subtle */
	const char      *locale;               /* language of the interface around the content: en, fr, … */
	struct look_pair favicon;              /* addresses */
	const char      *favicon_emoji;        /* code points in hex; NULL: none */
	const char      *header_preset;        /* default, bold, contrast, custom, none */
	struct look_pair logo, header_background, header_link;
	const char      *home;                 /* target of the logo; NULL: the first page */
	struct look_link *header;              /* links that the visitor sees */
	struct look_pair footer_logo;
	struct look_link *footer;              /* groups, each with links */
	struct look_link *social_header, *social_footer;   /* links to accounts on other services */
	const char      *copyright;            /* NULL: none */
	const char      *announcement;         /* announcement; NULL: there is none, or it is off */
	const char      *announcement_style;   /* info, warning, danger, success */
	struct look_link *announcement_link;
	const char      *theme_default;        /* light, dark, system; NULL: never set, which means system */
	bool             theme_toggle;         /* readers may choose the theme */
	bool             tries;                /* readers can send requests from API references ("Try it") */
	bool             pdf, feedback, edit_link, pagination, trademark;
	const char      *actions[LOOK_ACTIONS];   /* actions in the menu of each page, in this order: markdown, external-ai, mcp, git, pdf */
	size_t           action_count;
	bool             links_blank;          /* external links open a new window */
	const char      *frames;               /* hosts whose pages may be shown in frames, separated by blanks; "": none */
	const char      *privacy_url, *social_image;   /* NULL: none */
};

/* The look of a site space for the visitor; space NULL: the look of the site itself. */
struct look *look_of(const struct visit *v, const struct visit_item *space);

/* True if the text is a host name in lower case, without a port. */
bool look_host(const char *name);

/*
 * The merged layers as JSON, for clients. site, override: the customizations of a site and a site
 * space; each may be NULL. cJSON allocates the result from the arena that is set (json_arena()).
 */
struct cJSON *look_json(const char *site, const char *override);

/*
 * The same for the visitor of v, for clients that show the site to this visitor: header links whose
 * condition is false are removed, and the conditions of the others as well.
 */
struct cJSON *look_seen(const struct visit *v, const struct visit_item *space);

/* The hosts whose pages these layers allow in frames, separated by blanks; "": none. cJSON as above. */
const char *look_frames(struct arena *a, const char *site, const char *override);

/* Applies a change to a layer: members of the change replace those of the layer, and null removes them. */
void look_patch(struct cJSON *layer, const struct cJSON *change);

#endif
