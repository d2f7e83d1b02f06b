/*
 * Making spaces, for the API and the octavo command; inside the caller's write
 * transaction. A space has a main branch with an empty first revision from its
 * first moment on.
 */
#ifndef OCTAVO_SPACE_H
#define OCTAVO_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { SPACE_TITLE_MAX = 50 };   /* code points */

/* Languages that content can be said to be in, by comma. */
#define SPACE_LANGUAGES "en,fr,de,es,it,pt,pt-br,ru,ja,zh,yue,ko,ar,hi,nl,pl,tr,sv,no,da,fi,el,cs,hu,ro," \
	"th,vi,id,ms,he,uk,sk,bg,hr,lt,lv,et,sl"

struct space_new {
	const char *org;
	const char *parent;      /* collection; NULL: at the top */
	const char *title;
	const char *emoji, *language, *edit_mode;   /* NULL: "", none, live */
	const char *icon;        /* address; NULL: none */
	const char *after;       /* as for space_place() */
	const char *author;      /* user id or NULL */
	bool        unfinished;  /* nobody sees it before space_show() */
};

/*
 * deleted_at of a space that is not whole yet: deleted for everybody, too long ago for anybody to see or restore
 * it. Whoever made it shows it, or was killed: the purge takes it after a while (jobs/purge.h).
 */
#define SPACE_UNFINISHED "2"

/* Its id; its main branch in *branch. */
char *space_make(struct db *db, struct arena *a, const struct space_new *n, int64_t *branch);

/*
 * Shows one that was made unfinished, as n has it by now; in the write transaction that adds its first revision
 * with content. False: the purge was there before.
 */
bool space_show(struct db *db, struct arena *a, const char *space, const struct space_new *n);

/* Its primary content changed now; in a write transaction. */
void space_touch(struct db *db, const char *space);

/*
 * Gives a space the title and the language that its content says it has, where it has
 * none yet; either may be NULL. A language is a code in any case, with or without region
 * or script ("zh-hans"); others are ignored.
 */
void space_told(struct db *db, const char *space, const char *title, const char *language);

/*
 * An order key right after a sibling's, or (after NULL) after all of them, or (after
 * "") before all. Where keys got long, all siblings are dealt new ones first: keys
 * that were read before are of no use then.
 */
char *space_place(struct db *db, struct arena *a, const char *org, const char *parent,
    const char *after);

#endif
