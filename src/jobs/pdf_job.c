/*
 * The job of a PDF. Contract: jobs/pdf.h.
 *
 *  1 what     reads the row, the revision, its pages in reading order
 *  2 print    pdf_write() into DIR/pdf/<id>.part, page by page, with a short read for each
 *  3 end      syncs and renames the file; one transaction marks the row as ready, stores warnings,
 *             and ends the job, with the processor time and the peak memory that it took
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/pdf_request.h"
#include "base/file.h"
#include "base/json.h"
#include "computed/computed.h"
#include "html_file.h"
#include "jobs/pdf.h"
#include "markdown/document.h"
#include "pandoc_file.h"
#include "pdf/pdf.h"
#include "store/content.h"
#include "sync/space_files.h"
#include "typeset/typeset.h"
#include "zip_file.h"

/*
 * WARNINGS_MAX: a damaged image may be on every page, and 200 warnings are enough. REPORT_MS: each
 * progress report is a write transaction, so one in 300 ms.
 */
enum { WARNINGS_MAX = 200, REPORT_MS = 300 };
/*
 * For all formulas of a document, some 50,000 of usual length. A site has half a second for those
 * of a page, since a reader waits and the rest is typeset on the next request; a PDF is made once.
 */
enum { FORMULAS_MS = 120000 };

/*
 * Inner joins: if the space is deleted or the revision purged, there is no row and nothing to
 * print.
 */
SQL(q_row,
    "SELECT p.space, p.revision, p.page, p.alone, s.title, s.language, o.title, r.created_at, p.edition "
    "FROM pdf p JOIN space s ON s.id = p.space AND s.deleted_at IS NULL JOIN org o ON o.id = s.org "
    "JOIN revision r ON r.id = p.revision WHERE p.id = :id");

struct warning {
	struct warning *next;
	const char     *page, *message;
};

/*
 * One run. All memory is in `arena`, except for what belongs to one page: for that the printer
 * passes an arena.
 */
struct pdf_job {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	const struct job      *job;
	const char            *id, *page;
	bool                   alone;
	enum pdf_format        format;
	struct point           point;
	struct pdf_source      source;
	struct warning        *warnings, **last_warning;
	size_t                 warning_count;
	int64_t                reported_at;
	struct typeset         typeset;      /* for the current page: code */
	struct typeset         formulas;     /* for the whole document */
};

/* ---- 1: row and pages ---- */

/* False: the row, its space or its revision does not exist. In a read transaction. */
static bool
read_row(struct pdf_job *w)
{
	cJSON *args = cJSON_Parse(w->job->args);
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(args, "pdf")), *space, *revision;
	struct arena *a = w->arena;
	struct stmt *q = db_use(w->db, &q_row);

	w->id = arena_strdup(a, id != NULL ? id : "");
	bind_text(q, ":id", w->id);
	if (!stmt_step(q))
		return false;
	space = col_dup(q, 0, a);
	revision = col_dup(q, 1, a);
	w->page = col_dup(q, 2, a);
	w->alone = col_int(q, 3) != 0;
	w->source.title = col_dup(q, 4, a);
	w->source.language = col_dup(q, 5, a);
	w->source.owner = col_dup(q, 6, a);
	w->source.at = col_int(q, 7);
	w->format = pdf_format_made(col_int(q, 8));
	return point_revision(w->db, a, space, revision, &w->point);
}

/* NULL for an empty text as well: an empty description would take up a line. */
static const char *
text_prop(struct arena *a, const cJSON *props, const char *name)
{
	const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(props, name));

	return s != NULL && *s != '\0' ? arena_strdup(a, s) : NULL;
}

static bool
is_hidden(const struct page *p)
{
	cJSON *props = cJSON_Parse(p->node.props);

	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(props, "hidden"));
}

static struct pdf_page *
take_page(struct arena *a, const struct page *p, int depth)
{
	struct pdf_page *out = arena_alloc(a, sizeof(*out));
	cJSON *props = cJSON_Parse(p->node.props);

	/* The printer's callbacks find the page of the tree by data. */
	*out = (struct pdf_page){ .id = p->node.id, .depth = depth, .data = p,
		.title = *p->node.title != '\0' ? p->node.title : "Untitled",
		.description = text_prop(a, props, "description"), .emoji = text_prop(a, props, "emoji"),
		.written = p->node.kind == NODE_DOCUMENT };
	return out;
}

/* Collects the pages to print. Hidden pages and link pages are not printed. */
static struct pdf_page **
take_pages(struct pdf_job *w, const struct page *list, int depth, struct pdf_page **at)
{
	const struct page *p;

	for (p = list; p != NULL; p = p->next) {
		if ((p->node.kind != NODE_DOCUMENT && p->node.kind != NODE_GROUP) || is_hidden(p))
			continue;
		*at = take_page(w->arena, p, depth);
		at = take_pages(w, p->first, depth + 1, &(*at)->next);
	}
	return at;
}

static const struct page *
find_page(const struct page *list, const char *id)
{
	const struct page *p, *below;

	for (p = list; p != NULL; p = p->next) {
		if (strcmp(p->node.id, id) == 0)
			return p;
		if ((below = find_page(p->first, id)) != NULL)
			return below;
	}
	return NULL;
}

/* Lists the whole tree, or the requested page (also if it is hidden) and its descendants. */
static void
read_pages(struct pdf_job *w)
{
	const struct page *tree, *root;
	struct pdf_page **at = &w->source.pages;
	size_t count;

	/* Expand computed pages, so that the PDF has the same pages as the site. */
	tree = computed_expand(w->db, w->arena, &w->point, page_tree(w->db, w->arena, &w->point, &count), "");
	if (*w->page == '\0') {
		take_pages(w, tree, 0, at);
		return;
	}
	/* The revision does not have the page (any more): a document without pages. */
	if ((root = find_page(tree, w->page)) == NULL)
		return;
	*at = take_page(w->arena, root, 0);
	if (!w->alone)
		take_pages(w, root->first, 1, &(*at)->next);
}

/* ---- 2: callbacks of the printer ---- */

/*
 * The page's document as JSON; p NULL: none. A read transaction for each page: printing takes
 * minutes, and a long read transaction prevents checkpoints of the WAL. The revision does not
 * change meanwhile.
 */
static struct str
load_document(void *ctx, struct arena *a, const struct pdf_page *page)
{
	struct pdf_job *w = ctx;
	const struct page *p = page->data;
	struct computed_page *c;
	struct str json = { NULL, 0 };
	struct node n;

	/*
	 * Start again for each page: the time spent, and the count of blocks left plain for lack of
	 * time.
	 */
	w->typeset = (struct typeset){ .dir = w->set->dir };
	db_begin(w->db, false);
	/* A page that a computed page expanded to has no row. */
	if (node_get(w->db, a, &w->point, p->node.id, &n))
		json = computed_fill(w->db, a, &w->point,
		    document_dereferenced(w->db, a, &w->point, n.id, document_of(w->db, a, &w->point, &n).json));
	else if ((c = computed_by_id(w->db, a, &w->point, p->node.id)) != NULL)
		json = computed_document(w->db, a, c);
	db_rollback(w->db);
	return json;
}

/*
 * bytes false: only name and size, for a link to a file. A file above the limit has no bytes; the
 * printer reports that.
 */
static bool
load_file(void *ctx, struct arena *a, const char *id, bool bytes, struct pdf_file *out)
{
	struct pdf_job *w = ctx;
	const char *path;
	struct stat st;
	struct node n;
	bool found;

	db_begin(w->db, false);
	found = node_get(w->db, a, &w->point, id, &n) && n.kind == NODE_FILE;
	db_rollback(w->db);
	if (!found)
		return false;
	path = blob_local_or_fail(w->db, a, w->set->dir, n.body);
	*out = (struct pdf_file){ .name = n.title, .size = stat(path, &st) == 0 ? st.st_size : 0 };
	if (bytes && out->size <= w->set->import_file_bytes)
		file_read(a, path, &out->bytes);
	return true;
}

/* NULL: the organization has no user with this id. */
static const char *
user_name(void *ctx, struct arena *a, const char *id)
{
	struct pdf_job *w = ctx;
	const char *name;

	db_begin(w->db, false);
	name = space_user_name(w->db, a, w->point.space, id);
	db_rollback(w->db);
	return name;
}

static struct str
markdown_document(void *ctx, struct arena *a, const char *text)
{
	(void)ctx;
	return doc_json_of(a, str_of(text));
}

static struct str
highlight_code(void *ctx, struct arena *a, const char *syntax, struct str source)
{
	struct pdf_job *w = ctx;

	return typeset_code(&w->typeset, a, syntax, source);
}

static struct str
formula_mathml(void *ctx, struct arena *a, const char *formula, bool display)
{
	struct pdf_job *w = ctx;

	return typeset_math(&w->formulas, a, formula, display);
}

static bool
report_progress(void *ctx, const char *stage, size_t done, size_t total)
{
	struct pdf_job *w = ctx;
	int64_t now = time_now();

	/* The second comparison: reports must go on if the clock was set back. */
	if (now - w->reported_at < REPORT_MS && now >= w->reported_at)
		return true;
	w->reported_at = now;
	return job_progress(w->db, w->job->id, stage, (int64_t)done, (int64_t)total);
}

/* path must be in the job's arena, or a literal. */
static void
warn_at(struct pdf_job *w, const char *path, const char *message)
{
	struct warning *x;

	/* Go on counting: the result gives the true number. */
	if (++w->warning_count > WARNINGS_MAX)
		return;
	x = arena_alloc(w->arena, sizeof(*x));
	*x = (struct warning){ NULL, path, arena_strdup(w->arena, message) };
	*w->last_warning = x;
	w->last_warning = &x->next;
}

static void
add_warning(void *ctx, const struct pdf_page *page, const char *message)
{
	warn_at(ctx, page != NULL ? ((const struct page *)page->data)->path : "", message);
}

/* ---- 3: the result ---- */

/*
 * A file's name is stored in its folder: sync the folder, so that the row does not outlive the
 * name.
 */
static bool
sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	bool synced;
	int fd;

	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	synced = fd >= 0 && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return synced;
}

/*
 * Renames the finished file. False: it failed, with the reason in errno. Without the first fsync, a
 * crash of the machine could leave an empty file; without the second, no file.
 */
static bool
put_in_place(const char *part, const char *path)
{
	int fd = open(part, O_RDONLY | O_CLOEXEC);
	bool synced = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return synced && rename(part, path) == 0 && sync_folder(path);
}

/*
 * The file is complete before the row says so; the next attempt replaces what a crash in between
 * leaves.
 */
static void
end_made(struct pdf_job *w, const struct pdf_result *r, int64_t bytes)
{
	const struct warning *x;
	struct rusage used;
	int64_t n = 0;

	getrusage(RUSAGE_SELF, &used);
	db_begin(w->db, true);
	pdf_made(w->db, w->arena, w->set, w->id, bytes, (int64_t)r->sheets);
	for (x = w->warnings; x != NULL; x = x->next)
		job_warn(w->db, w->job->id, ++n, x->page, 0, x->message);
	job_end(w->db, w->job->id, "done", NULL, arena_printf(w->arena,
	    "{\"sheets\":%zu,\"bytes\":%lld,\"warnings\":%zu,\"milliseconds\":%lld,\"memory\":%lld}", r->sheets,
	    /* ru_maxrss is in kilobytes (getrusage(2)). */
	    (long long)bytes, w->warning_count, (long long)used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000,
	    (long long)used.ru_maxrss * 1024));
	db_commit(w->db);
}

static void
end_without(struct pdf_job *w, const char *state, const char *why)
{
	db_begin(w->db, true);
	job_end(w->db, w->job->id, state, why, NULL);
	db_commit(w->db);
}

static void
warn_path(void *ctx, const char *path, const char *message)
{
	struct pdf_job *w = ctx;

	warn_at(w, arena_strdup(w->arena, path), message);
}

/* Adds a file of the space to the archive, or a warning. */
static void
add_blob(struct pdf_job *w, struct zip_file *z, struct arena *scratch, const struct space_file *f)
{
	const char *path = blob_local_or_fail(w->db, scratch, w->set->dir, f->hash);
	const char *why = "the file's bytes cannot be read, or are more than an import takes; it is left out";
	struct str bytes = { NULL, 0 };
	struct stat st;

	if (stat(path, &st) == 0 && st.st_size <= w->set->import_file_bytes && file_read(scratch, path, &bytes))
		why = space_file_fault(f, bytes);
	if (why != NULL)
		warn_path(w, f->path, why);
	else
		zip_add(z, f->path, bytes, w->source.at);
	arena_reset(scratch);
}

/*
 * All texts are read in one transaction. Files, which may be large, are read one by one after it.
 */
static struct pdf_result
write_zip(struct pdf_job *w, const char *part)
{
	struct space_files q = { .db = w->db, .arena = w->arena, .set = w->set, .point = &w->point, .page = w->page, .alone = w->alone,
		.warn = warn_path, .ctx = w };
	struct arena *scratch = arena_within(w->arena, (size_t)2 << 30);
	struct pdf_result r = { 0 };
	const struct space_file *f;
	struct zip_file *z;

	db_begin(w->db, false);
	f = space_files(&q);
	db_rollback(w->db);
	if ((z = zip_open(w->arena, part, &r.error)) == NULL)
		return r;
	for (r.error = NULL; f != NULL && r.error == NULL; f = f->next) {
		if (!report_progress(w, "writing", r.sheets, 0))
			r.error = PDF_STOPPED;
		if (f->text.p == NULL)
			add_blob(w, z, scratch, f);
		else
			zip_add(z, f->path, f->text, w->source.at);
		r.sheets += f->text.p != NULL;
	}
	if (r.error != NULL)
		zip_close(z);
	else
		r.error = zip_close(z);
	return r;
}

/* The callback pandoc_run.alive; false: the job was cancelled. */
static bool
report_converting(void *ctx)
{
	return report_progress(ctx, "converting", 0, 0);
}

static struct pdf_result
write_book(struct pdf_job *w, const char *part)
{
	char *html = arena_printf(w->arena, "%s.html", part);
	struct pandoc_run run = { .arena = w->arena, .program = w->set->pandoc, .from = html, .to = part, .alive = report_converting, .ctx = w,
		.format = w->format == FORMAT_EPUB ? "epub3" : "docx" };
	struct pdf_result r = html_book_write(w->arena, &w->source, html);

	if (r.error == NULL && (r.error = pdf_format_missing(w->arena, w->set, w->format)) == NULL)
		r.error = pandoc_convert(&run);
	unlink(html);
	return r;
}

static struct pdf_result
write_format(struct pdf_job *w, const char *part)
{
	switch (w->format) {
	case FORMAT_HTML:     return html_file_write(w->arena, &w->source, part);
	case FORMAT_MARKDOWN: return write_zip(w, part);
	case FORMAT_EPUB:
	case FORMAT_DOCX:     return write_book(w, part);
	default:              return pdf_write(w->arena, &w->source, part);
	}
}

static void
print_pdf(struct pdf_job *w)
{
	char *folder = arena_printf(w->arena, "%s/pdf", w->set->dir);
	/* In the same folder, because rename() works only within one file system. */
	char *part = arena_printf(w->arena, "%s/%s.part", folder, w->id), *path = pdf_path(w->arena, w->set, w->id);
	struct pdf_result r;
	struct stat st;

	mkdir(folder, 0700);
	r = write_format(w, part);
	if (r.error == NULL && (stat(part, &st) != 0 || !put_in_place(part, path)))
		r.error = arena_printf(w->arena, "%s: %s", path, strerror(errno));
	if (r.error == NULL) {
		end_made(w, &r, st.st_size);
		return;
	}
	unlink(part);
	/* The error that pdf_write() sets after report_progress() returned false. */
	end_without(w, strcmp(r.error, PDF_STOPPED) == 0 ? "cancelled" : "failed", r.error);
}

void
pdf_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct pdf_job *w = arena_alloc(a, sizeof(*w));
	bool found;

	*w = (struct pdf_job){ .db = db, .set = set, .job = job, .arena = arena_within(a, (size_t)1 << 30) };
	w->source = (struct pdf_source){ .document = load_document, .file = load_file, .user = user_name,
		.markdown = markdown_document, .code = highlight_code, .math = formula_mathml, .progress = report_progress,
		.warn = add_warning, .ctx = w, .letter = strcmp(set->pdf_paper, "letter") == 0, .font = set->pdf_font };
	w->formulas = (struct typeset){ .dir = set->dir, .limit_ms = FORMULAS_MS };
	w->last_warning = &w->warnings;
	json_arena(w->arena);
	db_begin(db, false);
	if ((found = read_row(w)))
		read_pages(w);
	db_rollback(db);
	if (found)
		print_pdf(w);
	else
		/* This is no failure: the content was deleted, and another attempt would find the same. */
		end_without(w, "done", "the content to print was deleted");
	typeset_end();
	json_arena(NULL);
}
