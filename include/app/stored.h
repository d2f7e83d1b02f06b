/*
 * Files of sites: fonts, logos, favicons and social preview pictures that are uploaded for an
 * organization (tables stored_file, font, font_face). Their bytes are blobs.
 *
 * octavo-site serves a file as "~stored/ID/NAME" below the address of each site. It checks no role:
 * only those who know the random id can read the file. The bytes of an id never change. Columns
 * site.customization and site_space.customization name pictures in this form, so that they survive
 * another OCTAVO_URL, and fonts by their id.
 */
#ifndef OCTAVO_STORED_H
#define OCTAVO_STORED_H

#include "base/arena.h"
#include "base/str.h"
#include "db/db.h"

enum {
	STORED_BYTES = 8 << 20,   /* largest file */
	STORED_FILES = 200,       /* maximum number of files, and of fonts, of an organization */
	STORED_FACES = 20         /* most weights of a font */
};

#define STORED_FONT "customization_font"
#define STORED_PICTURE "organization_file"

struct stored_file {
	const char *id, *org, *kind, *name;
	struct str  hash;         /* of its bytes */
	int64_t     size;
};
/* Finds a file whose bytes have been received. False: no such file. */
bool stored_find(struct db *db, struct arena *a, const char *id, struct stored_file *out);

/* "~stored/ID/NAME". */
char *stored_path(struct arena *a, const char *id, const char *name);
/*
 * The id in an address that ends in "~stored/ID/NAME", whatever precedes it and however the name is
 * escaped; NULL: it has another form.
 */
const char *stored_id(struct arena *a, const char *address);

/* Why a file of this kind cannot have this name; NULL: it can.  */
const char *stored_name_fault(const char *kind, const char *name);
/* Why these bytes are not of the type that the name's ending says; NULL: they are. */
const char *stored_bytes_fault(const char *name, struct str bytes);

struct font_face {
	int         weight;
	const char *file, *name;  /* id and name of the stored file */
};
struct font {
	const char      *id, *family;
	struct font_face faces[STORED_FACES];   /* lightest first */
	size_t           count;
};
/* Finds a font of the organization; org NULL: of any. False: no such font. */
bool font_find(struct db *db, struct arena *a, const char *org, const char *id, struct font *out);
/* "woff2" or "woff", by the ending of the file's name. */
const char *font_format(const char *name);

/*
 * Removes unused files: those whose bytes did not arrive within a day, and those that nothing has
 * referred to since `before` (ms). The next sweep of blobs removes their bytes. In transactions of
 * its own. Returns the number of removed files.
 */
size_t stored_sweep(struct db *db, struct arena *a, int64_t now, int64_t before);

#endif
