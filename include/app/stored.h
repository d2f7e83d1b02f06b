/*
 * Files of sites: fonts, logos, icons of tabs and pictures for links, which people upload for an
 * organization (tables stored_file, font, font_face). Their bytes are blobs.
 *
 * octavo-site serves a file as "~stored/ID/NAME" below the address of each site. It checks no role: the
 * random id in the address is what protects the file. The bytes of an id never change. Columns
 * site.customization and site_space.customization name pictures in this form, so that they survive another OCTAVO_URL, and fonts by their id.
 */
#ifndef OCTAVO_STORED_H
#define OCTAVO_STORED_H

#include "base/arena.h"
#include "base/str.h"
#include "db/db.h"

enum {
	STORED_BYTES = 8 << 20,   /* largest file */
	STORED_FILES = 200,       /* most files of an organization, and most fonts */
	STORED_FACES = 20         /* most weights of a font */
};

#define STORED_FONT "customization_font"
#define STORED_PICTURE "organization_file"

struct stored_file {
	const char *id, *org, *kind, *name;
	struct str  hash;         /* of its bytes */
	int64_t     size;
};
/* A file whose bytes have arrived; false: there is none with this id. */
bool stored_find(struct db *db, struct arena *a, const char *id, struct stored_file *out);

/* "~stored/ID/NAME". */
char *stored_path(struct arena *a, const char *id, const char *name);
/*
 * The id in an address that ends in this form, whatever is before it and however the name is spelled;
 * NULL: it does not.
 */
const char *stored_id(struct arena *a, const char *address);

/* Why a file of this kind cannot have this name; NULL: it can. */
const char *stored_name_fault(const char *kind, const char *name);
/* Why these bytes are not what the name's ending says; NULL: they are. */
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
/* A font of the organization; org NULL: of any. False: there is none with this id. */
bool font_find(struct db *db, struct arena *a, const char *org, const char *id, struct font *out);
/* "woff2" or "woff", by the name of its file. */
const char *font_format(const char *name);

/*
 * Removes what the organizations no longer use: files whose bytes did not arrive within a day, and
 * files that nothing has named since `before` (ms). Their bytes go with the next sweep of blobs. In
 * transactions of its own. Returns how many.
 */
size_t stored_sweep(struct db *db, struct arena *a, int64_t now, int64_t before);

#endif
