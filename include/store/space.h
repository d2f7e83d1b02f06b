/*
 * Creates spaces, for the API and the octavo command; inside the caller's write transaction. A new
 * space has a main branch with an empty first revision.
 */
#ifndef OCTAVO_SPACE_H
#define OCTAVO_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { SPACE_TITLE_MAX = 50 };   /* code points */

/* Languages that a space's content may have, separated by commas. */
#define SPACE_LANGUAGES "en,fr,de,es,it,pt,pt-br,ru,ja,zh,yue,ko,ar,hi,nl,pl,tr,sv,no,da,fi,el,cs,hu,ro," \
	"th,vi,id,ms,he,uk,sk,bg,hr,lt,lv,et,sl"

struct space_new {
	const char *org;
	const char *parent;      /* collection; NULL: none */
	const char *title;
	const char *emoji, *language, *edit_mode;   /* NULL: "", none, live */
	const char *icon;        /* address of a picture; NULL: none */
	const char *after;       /* as for space_place() */
	const char *author;      /* user id or NULL */
	bool        unfinished;  /* hidden from everybody until space_show() */
};

/*
 * deleted_at of an unfinished space. It counts as deleted so long ago that nobody can see or
 * restore it. The writer that created it shows it later; if that writer was killed, the purge
 * deletes it after a while (jobs/purge.h).
 */
#define SPACE_UNFINISHED "2"
/* deleted_at of a space whose removal has begun: it cannot be restored any more (jobs/purge.h). */
#define SPACE_TAKEN "1"

/* Creates a space. Returns its id; *branch: its main branch. */
char *space_make(struct db *db, struct arena *a, const struct space_new *n, int64_t *branch);

/*
 * Shows an unfinished space, with the values that n has now. Call it in the write transaction that
 * adds its first revision with content. False: the purge has deleted the space.
 */
bool space_show(struct db *db, struct arena *a, const char *space, const struct space_new *n);

/* Sets updated_at, the time of the last change of the main content, to now. In a write transaction. */
void space_touch(struct db *db, const char *space);

/*
 * Sets the title and the language of a space to those that its content declares. A title other than
 * "Untitled" and a language that the space has already are kept. Either may be NULL. A language is a
 * code in any case, with or without region or script ("zh-hans"); an unknown code is ignored, and so
 * is a title longer than SPACE_TITLE_MAX.
 */
void space_set_declared(struct db *db, const char *space, const char *title, const char *language);

/*
 * An order key right after the sibling with the key `after`; NULL: after all siblings; "": before
 * all. If keys have become too long, all siblings get new ones first; keys that the caller has read
 * before are then invalid.
 */
char *space_place(struct db *db, struct arena *a, const char *org, const char *parent,
    const char *after);

#endif
