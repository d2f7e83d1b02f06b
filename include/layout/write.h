/*
 * Writing the git-sync layout (layout 3, 5): page files and the table of
 * contents as edits of what is there. Pure functions of bytes, the way back of
 * layout.h: what nobody changed keeps its bytes.
 */
#ifndef OCTAVO_LAYOUT_WRITE_H
#define OCTAVO_LAYOUT_WRITE_H

#include "base/buf.h"
#include "layout/layout.h"

/* ---- page files ---- */

/* What stands before a body, old and wanted. Properties as in struct layout_page, but for the cover. */
struct front_edit {
	struct str  old;         /* the bytes that are there; n 0: a new file */
	const char *old_title;   /* NULL: a new file */
	const char *title;       /* with its emoji in front */
	const char *old_props, *props;         /* JSON */
	/* Spellings of the cover's images as seen from the file; NULL: none. Only looked at with new_cover. */
	const char *cover, *cover_dark;
	bool        new_cover;   /* the cover differs, or its spelling has to */
};

/*
 * The bytes before the body with title and properties as wanted. The heading is
 * replaced where the title differs and there is one; a new file gets one. Keys of
 * the frontmatter that differ are replaced where they stand; all other bytes stay. NULL
 * in *fault, or what could not be written: then front is as good as can be.
 */
struct str front_write(struct arena *a, const struct front_edit *e, const char **fault);

/* A text as a scalar of YAML in double quotes, with escapes for all that any reader would not take as it is. */
void yaml_quoted(struct buf *out, const char *s);

/* "# Title", escaped. */
void heading_write(struct buf *out, const char *title);

/* ---- the table of contents ---- */

struct toc_item {
	enum layout_kind kind;
	const char *title;       /* with its emoji in front */
	const char *link_title;  /* NULL if none */
	const char *target;      /* documents and links: address or path as seen from the table; NULL: none */
	const char *slug;        /* groups */
	const char *json;        /* computed items: type, props, dependencies */
	ptrdiff_t   parent;      /* index in the same list; -1: at the top */
	struct str  source;      /* lines that it had when the text was read; n 0: not known */
	ptrdiff_t   was;         /* in the wanted list: its index in the other; -1: new */
	bool        same;        /* its own line need not differ (where its level is the same) */
};

/*
 * The table of contents with the wanted items, both lists in reading order. Lines of
 * items that stay, and everything between them that is no item, keep their bytes.
 * text.n 0: there is none yet. Sets the sources of what is held. What has grown too odd to be edited is written anew.
 */
struct str toc_write(struct arena *a, struct str text, struct toc_item *held, size_t held_n,
    const struct toc_item *want, size_t want_n);

/* The path of a file as a link's target in Markdown: in angle brackets where it holds blanks or brackets. */
const char *target_write(struct arena *a, const char *path);

/* "../x/y.md" from one file to another, both relative to the same folder. */
const char *path_between(struct arena *a, const char *from, const char *to);

/* Page path of a file relative to root: layout 4. */
const char *layout_page_path(struct arena *a, struct str rel);

/* Is it called README.md, in any case? */
bool layout_is_readme(struct str path);

#endif
