/*
 * Requested PDFs (table pdf): finds or queues them, makes their addresses, and deletes expired
 * ones. The API gives out the addresses, octavo-site serves the files, and the job runner makes
 * them (jobs/pdf.h).
 *
 *   /~pdf/<id>/<token>/<end>/<signature>/<name>
 *
 * token: id of the bearer token of the request, with whose rights the file is served; they are
 * checked again then. end: when the address expires, in seconds since 1970, an hour after it was
 * made. The signature covers all other parts.
 */
#ifndef OCTAVO_PDF_REQUEST_H
#define OCTAVO_PDF_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

/* The file formats that content is exported to. */
enum pdf_format { FORMAT_PDF, FORMAT_HTML, FORMAT_MARKDOWN, FORMAT_EPUB, FORMAT_DOCX, FORMATS };

struct pdf_format_row {
	const char *name;        /* of the API's parameter `format` */
	const char *ending;      /* of the file's name */
	/*
	 * Version of the program's output. Increase it when the same content gives a different
	 * file: files of other editions are not served.
	 */
	int64_t     edition;
	bool        pandoc;      /* pandoc makes it, which may not be installed */
};
extern const struct pdf_format_row pdf_formats[FORMATS];

/* The format that the path's ending names; PDF for an unknown ending. */
enum pdf_format pdf_format_of(const char *path);

/* The format whose present edition this is. All other numbers are former editions of FORMAT_PDF. */
enum pdf_format pdf_format_made(int64_t edition);

/* Why this machine cannot make files of the format; NULL: it can. */
const char *pdf_format_missing(struct arena *a, const struct settings *set, enum pdf_format format);

struct pdf_wanted {
	const char *org, *space, *revision, *user;
	const char *request;     /* NULL: primary content */
	const char *page;        /* "": the whole space */
	bool        alone;       /* the page without its child pages */
	bool        visitor;     /* for a visitor of a site: such PDFs have their own queue, so that members do not wait for them */
	enum pdf_format format;
};

struct pdf_found {
	char *id;
	char *name;              /* name of the file when the reader saves it, with its ending */
};

/*
 * Finds the PDF if it is being made, or is made and will exist as long as a new address for it is
 * valid. If false, it must be queued. In any transaction.
 */
bool pdf_find(struct db *db, struct arena *a, const struct settings *set, const struct pdf_wanted *w,
    struct pdf_found *out);

/*
 * Queues the PDF if pdf_find() does not find it; otherwise keeps the existing one for another day.
 * Inside a write transaction. False if too many PDFs of the organization wait.
 */
bool pdf_queue(struct db *db, struct arena *a, const struct settings *set, const struct pdf_wanted *w);

/* The job that makes or made it; NULL: there is no such PDF. */
char *pdf_job(struct db *db, struct arena *a, const char *id);

/* The path of the file of a PDF. */
char *pdf_path(struct arena *a, const struct settings *set, const char *id);

/* The address of the download, see above. */
char *pdf_url(struct arena *a, const struct settings *set, const struct pdf_found *f, const char *token,
    int64_t now);

struct pdf_address {
	const char *id, *token, *name;
};
/*
 * Reads the decoded segments after /~pdf/; false if the signature is wrong or the address has
 * expired.
 */
bool pdf_url_read(struct arena *a, const char *const segment[5], int64_t now, struct pdf_address *out);

/*
 * Records that the file exists, inside the write transaction that ends its job. Then deletes the
 * organization's oldest files until all together have at most OCTAVO_PDF_BYTES, or only this file
 * is left.
 */
void pdf_made(struct db *db, struct arena *a, const struct settings *set, const char *id, int64_t bytes,
    int64_t sheets);

/* Deletes expired PDFs, and files without a row. In transactions of its own. */
void pdf_sweep(struct db *db, struct arena *a, const struct settings *set);

#endif
