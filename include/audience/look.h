/*
 * How a site wants to look: its customization, with defaults that look good. Three layers,
 * each replacing members of the one before: the defaults, those of the site (column
 * site.customization), those of a site space (site_space.customization). All is optional
 * in the layers; the result has every member that clients require.
 */
#ifndef OCTAVO_LOOK_H
#define OCTAVO_LOOK_H

#include "audience/visit.h"

struct look_pair {
	const char *light, *dark;     /* colours "#rrggbb" or addresses; NULL: none is set */
};

struct look_link {
	const char       *title;
	const char       *href;       /* where it leads for this visitor; NULL: nowhere, it is a heading */
	const char       *style;      /* link, button-primary, button-secondary */
	struct look_link *first, *next;
};

struct look {
	const char      *title;                /* instead of the site's own; NULL: that */
	const char      *theme;                /* clean, muted, bold, gradient */
	struct look_pair primary, tint;        /* tint.light NULL: none */
	struct look_pair info, success, warning, danger;
	const char      *corners;              /* straight, rounded, circular */
	const char      *depth;                /* subtle, flat */
	const char      *links;                /* default, accent */
	const char      *font, *monospace;     /* a name of the client's list, or the fontFamily of a custom one */
	struct look_pair code;                 /* names of themes for code */
	const char      *background;           /* plain, match */
	const char      *icons;                /* regular, solid, duotone, light, thin */
	const char      *sidebar_background;   /* default, filled */
	const char      *sidebar_list;         /* default, pill, line */
	const char      *search;               /* prominent, subtle */
	const char      *locale;               /* of the words around the content: en, fr, … */
	struct look_pair favicon;              /* addresses */
	const char      *favicon_emoji;        /* code points in hex; NULL: none */
	const char      *header_preset;        /* default, bold, contrast, custom, none */
	struct look_pair logo, header_background, header_link;
	const char      *home;                 /* where the logo leads; NULL: to the first page */
	struct look_link *header;              /* those that the visitor sees */
	struct look_pair footer_logo;
	struct look_link *footer;              /* groups, each with links */
	struct look_link *social_header, *social_footer;   /* accounts elsewhere */
	const char      *copyright;            /* NULL: none */
	const char      *announcement;         /* NULL: none, or it is off */
	const char      *announcement_style;   /* info, warning, danger, success */
	struct look_link *announcement_link;
	const char      *theme_default;        /* light, dark, system */
	bool             theme_toggle;         /* readers may choose */
	bool             pdf, feedback, edit_link, pagination, trademark;
	bool             markdown_action, external_ai_action, mcp_action;   /* what pages offer */
	bool             links_blank;          /* external links open a new window */
	const char      *frames;               /* hosts whose pages may be shown in frames, separated by blanks; "": none */
	const char      *privacy_url, *social_image;   /* NULL: none */
};

/* How this site space is to look for the visitor; space NULL: the site. */
struct look *look_of(const struct visit *v, const struct visit_item *space);

/* True if the text is a host name in lower case, without a port. */
bool look_host(const char *name);

/* The layers as JSON, for clients: site and override may be NULL. cJSON in the arena that is set (json_arena). */
struct cJSON *look_json(const char *site, const char *override);

/*
 * The same for the visitor of v, for clients that show the site to this visitor: header links whose
 * condition is false are removed, and the conditions of the others as well.
 */
struct cJSON *look_seen(const struct visit *v, const struct visit_item *space);

/* The hosts whose pages these layers allow in frames, separated by blanks; "": none. cJSON as above. */
const char *look_frames(struct arena *a, const char *site, const char *override);

/* What a change leaves of a layer: members that it sets replace those of the layer, null takes them out. */
void look_patch(struct cJSON *layer, const struct cJSON *change);

#endif
