/* Requested PDFs. The contract is in app/pdf_request.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/pdf_request.h"
#include "app/queue.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/slug.h"
#include "base/url.h"

/*
 * WAITING_MAX: PDFs of one organization in the queue, so that it cannot fill the queue.
 * VISITORS_MAX: the same for PDFs that visitors of its sites request. ORPHAN_SECONDS: longer than a
 * job needs between writing its file and its row.
 */
enum { HOUR_MS = 3600000, WAITING_MAX = 100, VISITORS_MAX = 10, ORPHAN_SECONDS = 3600 };

/* What a PDF shows besides the revision: renaming a space makes another PDF. */
#define SHOWN "s.title || '|' || COALESCE(s.language, '') || '|' || o.title"
#define OF_WANTED \
	"space = :space AND revision = :revision AND page = :page AND alone = :alone AND edition = :edition "

SQL(q_find,
    "SELECT p.id, p.made_at, p.keep_until, j.state, s.title FROM space s JOIN org o ON o.id = s.org "
    "JOIN pdf p ON p.space = s.id AND p.revision = :revision AND p.page = :page AND p.alone = :alone "
    "AND p.edition = :edition AND p.shown = " SHOWN " LEFT JOIN job j ON j.id = p.job WHERE s.id = :space");
/*
 * The statement that writes the row also reads the names, so that a space renamed meanwhile gets
 * another PDF.
 */
SQL(q_put,
    "INSERT INTO pdf (id, org, space, request, revision, page, alone, edition, shown, job, keep_until) "
    "SELECT :id, s.org, s.id, :request, :revision, :page, :alone, :edition, " SHOWN ", :job, :until "
    "FROM space s JOIN org o ON o.id = s.org WHERE s.id = :space");
SQL(q_again, "UPDATE pdf SET job = :job, made_at = NULL, bytes = 0, keep_until = :until WHERE id = :id");
SQL(q_keep, "UPDATE pdf SET keep_until = :until WHERE id = :id");
SQL(q_waiting,
    "SELECT count(*) FROM job WHERE queue = :queue AND state IN ('queued', 'running')");
SQL(q_job, "SELECT job FROM pdf WHERE id = :id");
SQL(q_made,
    "UPDATE pdf SET made_at = :now, bytes = :bytes, sheets = :sheets, keep_until = :until WHERE id = :id "
    "RETURNING org");
SQL(q_sum, "SELECT COALESCE(sum(bytes), 0) FROM pdf WHERE org = :org AND made_at IS NOT NULL");
/* The newest one stays, however large it is. */
SQL(q_oldest,
    "DELETE FROM pdf WHERE id = (SELECT id FROM pdf WHERE org = :org AND made_at IS NOT NULL AND id <> :id "
    "ORDER BY made_at LIMIT 1) RETURNING id");
SQL(q_over,
    "DELETE FROM pdf WHERE id IN (SELECT p.id FROM pdf p LEFT JOIN job j ON j.id = p.job "
    "WHERE p.keep_until < :now AND (p.made_at IS NOT NULL OR COALESCE(j.state, '') NOT IN ('queued', 'running')) "
    "ORDER BY p.keep_until LIMIT 100)");
SQL(q_known, "SELECT 1 FROM pdf WHERE id = :id");

/* ---- formats ---- */

const struct pdf_format_row pdf_formats[FORMATS] = {
	[FORMAT_PDF] = { "pdf", "pdf", 5, false },
	[FORMAT_HTML] = { "html", "html", 1000, false },
	[FORMAT_MARKDOWN] = { "markdown", "zip", 2000, false },
	[FORMAT_EPUB] = { "epub", "epub", 3000, true },
	[FORMAT_DOCX] = { "docx", "docx", 4000, true },
};

enum pdf_format
pdf_format_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	int i;

	for (i = 0; dot != NULL && i < FORMATS; i++)
		if (strcasecmp(dot + 1, pdf_formats[i].ending) == 0)
			return (enum pdf_format)i;
	return FORMAT_PDF;
}

enum pdf_format
pdf_format_made(int64_t edition)
{
	int i;

	for (i = 0; i < FORMATS; i++)
		if (pdf_formats[i].edition == edition)
			return (enum pdf_format)i;
	return FORMAT_PDF;
}

const char *
pdf_format_missing(struct arena *a, const struct settings *set, enum pdf_format format)
{
	if (!pdf_formats[format].pandoc || access(set->pandoc, X_OK) == 0)
		return NULL;
	return arena_printf(a, "%s files are made by the program pandoc, and there is none at %s: the admin of the machine "
	    "installs it (package pandoc), or names it by OCTAVO_PANDOC", pdf_formats[format].name, set->pandoc);
}

/* ---- requested content ---- */

/* A file of an older edition is not found; it expires. */
static void
bind_wanted(struct stmt *q, const struct pdf_wanted *w)
{
	bind_text(q, ":space", w->space);
	bind_text(q, ":revision", w->revision);
	bind_text(q, ":page", w->page);
	bind_int(q, ":alone", w->alone);
	bind_int(q, ":edition", pdf_formats[w->format].edition);
}

/* The state of a PDF that has a row. */
struct pdf_state {
	char   *id, *title;        /* of the PDF; of the space */
	bool    pending, made;     /* its job is queued; its file exists */
	int64_t keep_until;
};

/*
 * False: this PDF was not requested yet with the space's current name. Database and files may
 * disagree, so both are checked.
 */
static bool
find_made(struct db *db, struct arena *a, const struct settings *set, const struct pdf_wanted *w, struct pdf_state *out)
{
	struct stmt *q = db_use(db, &q_find);
	const char *state;

	bind_wanted(q, w);
	if (!stmt_step(q))
		return false;
	*out = (struct pdf_state){ .id = col_dup(q, 0, a), .made = !col_null(q, 1), .keep_until = col_int(q, 2),
		.title = col_dup(q, 4, a) };
	state = col_null(q, 3) ? "" : col_text(q, 3);
	out->pending = strcmp(state, "queued") == 0 || strcmp(state, "running") == 0;
	/* A database restored from a backup has rows of files that the backup does not contain. */
	out->made = out->made && access(pdf_path(a, set, out->id), R_OK) == 0;
	return true;
}

/*
 * True if the file will exist for at least two hours. An address that is made now is valid for one
 * hour, and the file must not be deleted before.
 */
static bool
is_usable(const struct pdf_state *s, int64_t now)
{
	return s->made ? s->keep_until > now + 2 * HOUR_MS : s->pending;
}

/* This only reads. If it returns false, pdf_queue() must be called, inside a write transaction. */
bool
pdf_find(struct db *db, struct arena *a, const struct settings *set, const struct pdf_wanted *w,
    struct pdf_found *out)
{
	struct pdf_state s;

	if (!find_made(db, a, set, w, &s) || !is_usable(&s, time_now()))
		return false;
	*out = (struct pdf_found){ s.id, arena_printf(a, "%s.%s", slug_from_title(a, str_of(s.title)), pdf_formats[w->format].ending) };
	return true;
}

/* Each organization has its own queues, so that many requests of one do not delay others. */
static char *
queue_name(struct arena *a, const struct pdf_wanted *w)
{
	return arena_printf(a, "%s:%s", w->visitor ? "pdf-visitors" : "pdf", w->org);
}

static char *
add_job(struct db *db, struct arena *a, const struct pdf_wanted *w, const char *id)
{
	struct job job = { .kind = "pdf", .space = w->space, .user = w->user,
		.queue = queue_name(a, w), .args = arena_printf(a, "{\"pdf\":\"%s\"}", id) };

	return job_add(db, a, &job, 0);
}

/* Adds the job before the row that names it; both in the caller's transaction. */
static void
add_pdf(struct db *db, struct arena *a, const struct pdf_wanted *w)
{
	char *id = secret_id(a), *job = add_job(db, a, w, id);
	struct stmt *q = db_use(db, &q_put);

	bind_wanted(q, w);
	bind_text(q, ":id", id);
	bind_text(q, ":request", w->request);
	bind_text(q, ":job", job);
	bind_int(q, ":until", time_now() + DAY_MS);
	stmt_run(q);
}

/* A PDF that is requested again is kept for another day. */
static void
keep_another_day(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_keep);

	bind_int(q, ":until", time_now() + DAY_MS);
	bind_text(q, ":id", id);
	stmt_run(q);
}

/* Queues a failed PDF again, or one whose file was lost. */
static void
queue_again(struct db *db, struct arena *a, const struct pdf_wanted *w, const char *id)
{
	char *job = add_job(db, a, w, id);
	struct stmt *q = db_use(db, &q_again);

	bind_text(q, ":job", job);
	bind_int(q, ":until", time_now() + DAY_MS);
	bind_text(q, ":id", id);
	stmt_run(q);
}

/*
 * True if the organization may have one more PDF in its queue. Call it inside the write transaction
 * that queues the PDF, so that two requests cannot both take the last place.
 */
static bool
has_room(struct db *db, struct arena *a, const struct pdf_wanted *w)
{
	struct stmt *q = db_use(db, &q_waiting);

	bind_text(q, ":queue", queue_name(a, w));
	return stmt_int(q, 0) < (w->visitor ? VISITORS_MAX : WAITING_MAX);
}

bool
pdf_queue(struct db *db, struct arena *a, const struct settings *set, const struct pdf_wanted *w)
{
	struct pdf_state s;
	bool known, done = true;

	known = find_made(db, a, set, w, &s);
	if (known && s.made)
		keep_another_day(db, s.id);
	else if ((!known || !s.pending) && (done = has_room(db, a, w))) {
		if (known)
			queue_again(db, a, w, s.id);
		else
			add_pdf(db, a, w);
	}
	return done;
}

char *
pdf_job(struct db *db, struct arena *a, const char *id)
{
	struct stmt *q = db_use(db, &q_job);

	bind_text(q, ":id", id);
	return stmt_dup(q, a);
}

/* ---- addresses ---- */

char *
pdf_path(struct arena *a, const struct settings *set, const char *id)
{
	return arena_printf(a, "%s/pdf/%s.pdf", set->dir, id);
}

/*
 * The text that is signed: all parts of the address, separated by slashes. Only the name, which
 * comes last, may contain a slash, so no two addresses have the same text.
 */
static struct str
signed_text(struct arena *a, const char *id, const char *token, long long end, const char *name)
{
	return str_of(arena_printf(a, "%s/%s/%lld/%s", id, token, end, name));
}

char *
pdf_url(struct arena *a, const struct settings *set, const struct pdf_found *f, const char *token, int64_t now)
{
	long long end = (now + HOUR_MS) / 1000;

	return url_make(a, set, "/~pdf/%s/%s/%lld/%s/%s", f->id, token, end,
	    secret_sign(a, SECRET_PDF, signed_text(a, f->id, token, end, f->name)),
	    url_segment(a, str_of(f->name)));
}

bool
pdf_url_read(struct arena *a, const char *const segment[5], int64_t now, struct pdf_address *out)
{
	char *rest;
	long long end = strtoll(segment[2], &rest, 10);

	/*
	 * The time is compared before the signature, because that costs less; the time is signed
	 * too.
	 */
	if (*rest != '\0' || end <= now / 1000)
		return false;
	*out = (struct pdf_address){ segment[0], segment[1], segment[4] };
	return secret_verify(a, SECRET_PDF, signed_text(a, segment[0], segment[1], end, segment[4]),
	    str_of(segment[3]));
}

/* ---- what is kept ---- */

/*
 * The file is deleted although the transaction may be rolled back: lost files are made again
 * (is_usable()).
 */
static bool
drop_oldest(struct db *db, struct arena *a, const struct settings *set, const char *org, const char *but)
{
	struct stmt *q = db_use(db, &q_oldest);
	char *id;

	bind_text(q, ":org", org);
	bind_text(q, ":id", but);
	if ((id = stmt_dup(q, a)) == NULL)
		return false;
	unlink(pdf_path(a, set, id));
	return true;
}

/*
 * If the space was deleted meanwhile, the row is missing: the file is then an orphan, and is swept.
 */
void
pdf_made(struct db *db, struct arena *a, const struct settings *set, const char *id, int64_t bytes, int64_t sheets)
{
	struct stmt *q = db_use(db, &q_made);
	char *org;

	bind_int(q, ":now", time_now());
	bind_int(q, ":until", time_now() + DAY_MS);
	bind_int(q, ":bytes", bytes);
	bind_int(q, ":sheets", sheets);
	bind_text(q, ":id", id);
	if ((org = stmt_dup(q, a)) == NULL)
		return;
	do {
		q = db_use(db, &q_sum);
		bind_text(q, ":org", org);
	} while (stmt_int(q, 0) > set->pdf_bytes && drop_oldest(db, a, set, org, id));
}

/* The name of the file is the id of its row. */
static bool
is_known(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_known);

	bind_text(q, ":id", id);
	return stmt_int(q, 0) != 0;
}

/* Deletes files without a row, except new ones, whose job may not have ended. */
static void
sweep_files(struct db *db, struct arena *a, const struct settings *set)
{
	char *folder = arena_printf(a, "%s/pdf", set->dir), *path, *id;
	int64_t now = time_now() / 1000;
	struct dirent *e;
	struct stat st;
	DIR *d = opendir(folder);

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		path = arena_printf(a, "%s/%s", folder, e->d_name);
		if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		id = arena_strndup(a, e->d_name, strcspn(e->d_name, "."));
		if (!is_known(db, id) || strstr(e->d_name, ".part") != NULL) {
			if (now - (int64_t)st.st_mtim.tv_sec > (is_known(db, id) ? DAY_MS / 1000 : ORPHAN_SECONDS))
				unlink(path);
		}
	}
	closedir(d);
}

/* Rows before files, in transactions of 100 rows, so that others may write in between. */
void
pdf_sweep(struct db *db, struct arena *a, const struct settings *set)
{
	struct stmt *q;
	int64_t n;

	do {
		db_begin(db, true);
		q = db_use(db, &q_over);
		bind_int(q, ":now", time_now());
		n = stmt_run(q);
		db_commit(db);
	} while (n > 0);
	sweep_files(db, a, set);
}
