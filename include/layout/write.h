/*
 * Writes the git-sync layout (layout 3, 5): page files and the table of contents, as edits of the
 * existing bytes. The inverse of layout.h, as pure functions. What did not change keeps its bytes.
 */
#ifndef OCTAVO_LAYOUT_WRITE_H
#define OCTAVO_LAYOUT_WRITE_H

#include "base/buf.h"
#include "layout/layout.h"

/* ---- page files ---- */

/* The bytes before a body, and what they should say. Properties as in struct layout_page, except the cover. */
struct front_edit {
	struct str  old;         /* the existing bytes; n 0: a new file */
	const char *old_title;   /* NULL: a new file */
	const char *title;       /* with its emoji at the beginning */
	const char *old_props, *props;         /* JSON */
	/* Spellings of the cover's images relative to the file; NULL: none. Used only with new_cover. */
	const char *cover, *cover_dark;
	bool        new_cover;   /* the cover has changed, or must be spelled in another way */
};

/*
 * The bytes before the body, with the wanted title and properties. If the title differs, the
 * heading is replaced, if there is one; a new file gets one. Keys of the frontmatter that differ
 * are replaced in their places; all other bytes stay. *fault: NULL, or what could not be written;
 * the result then has all the rest.
 */
struct str front_write(struct arena *a, const struct front_edit *e, const char **fault);

/*
 * Writes a text as a YAML scalar in double quotes, with an escape for every character that some
 * parser would change.
 */
void yaml_quoted(struct buf *out, const char *s);

/* "# Title", escaped. */
void heading_write(struct buf *out, const char *title);

/* ---- the table of contents ---- */

struct toc_item {
	enum layout_kind kind;
	const char *title;       /* with its emoji at the beginning */
	const char *link_title;  /* NULL if none */
	const char *target;      /* documents and links: address, or path relative to the table; NULL: none */
	const char *slug;        /* groups */
	const char *json;        /* computed items: type, props, dependencies */
	ptrdiff_t   parent;      /* index of the parent in the same list; -1: top level */
	struct str  source;      /* the lines that it had when the text was read; n 0: not known */
	ptrdiff_t   was;         /* wanted items: index of the same item in the old list; -1: new */
	bool        same;        /* the item itself did not change, so its line may stay if its level is the same */
};

/*
 * The table of contents with the wanted items. Both lists are in reading order. Lines of items that
 * did not change, and all text between items, keep their bytes. text.n 0: there is no table yet.
 * Sets the sources of `held`, the old items. A table that is too irregular to be edited is written anew.
 */
struct str toc_write(struct arena *a, struct str text, struct toc_item *held, size_t held_n,
    const struct toc_item *want, size_t want_n);

/*
 * The path of a file as the target of a link in Markdown: in angle brackets if it contains blanks
 * or brackets.
 */
const char *target_write(struct arena *a, const char *path);

/* The relative path from one file to another ("../x/y.md"). Both paths are relative to the same folder. */
const char *path_between(struct arena *a, const char *from, const char *to);

/* The page path of a file relative to root (layout 4). */
const char *layout_page_path(struct arena *a, struct str rel);

/* True if the file is called README.md, in any case. */
bool layout_is_readme(struct str path);

#endif
