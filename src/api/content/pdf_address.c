/*
 * PDFs of content. Table pdf (app/pdf_request.h). A request queues a job (jobs/pdf.h) and returns a
 * signed address of octavo-site. A revision is printed once for all users: a PDF shows only what
 * the role read may see.
 */
#include "api/access.h"
#include "api/examples.h"
#include "api/pdf_address.h"
#include "api/wake_runner.h"
#include "app/pdf_request.h"
#include "app/queue.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

const struct shape PDFQuery = { "PDFQuery", (const struct field[]){
	{ "only", T_BOOL, .doc = "With `page`: true exports that page without the pages below it", .example = "false" },
	{ "format", T_ENUM, .set = "pdf,html,markdown,epub,docx", .preset = "\"pdf\"",
	  .doc = "html: one HTML file that contains its pictures; markdown: a zip archive of Markdown files, pictures and other files; "
	  "epub, docx: made by pandoc; 409 if pandoc is not installed" },
	{ "page", T_TEXT, .min = 1, .max = 200, .doc = "Id of a page: exports it and the pages below it, instead of the whole space",
	  .example = EXAMPLE_PAGE },
	{ 0 } } };
const struct shape PDFAddress = { "PDFAddress", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .doc = "Address of the file; it needs no token and works for an hour",
	  .example = "https://docs.example.com/~pdf/handbook.pdf" },
	{ 0 } } };

/* Finds the PDF, or queues it if the request runs as a write. 0, or the handler's result. */
static int
find_or_queue(struct req *r, const struct pdf_wanted *w, struct pdf_found *found)
{
	if (pdf_find(r->db, r->arena, r->set, w, found))
		return 0;
	/*
	 * GET is a read route. It takes the write lock only if no PDF is found: write_needed() runs
	 * the handler again as a write.
	 */
	if (!db_writing(r->db))
		return write_needed(r);
	/* The second pdf_find() sets found to the id and the name of the PDF that was just queued. */
	if (!pdf_queue(r->db, r->arena, r->set, w) || !pdf_find(r->db, r->arena, r->set, w, found))
		return fail(r, E_BUSY, "too many PDFs of this organization wait to be made; try again later");
	r->after = wake_runner;
	return 0;
}

/* The format with this name. It exists, since the shape of the query refuses other names. */
static enum pdf_format
find_format(const char *name)
{
	int i = 0;

	while (i < FORMATS - 1 && strcmp(pdf_formats[i].name, name) != 0)
		i++;
	return (enum pdf_format)i;
}

static int
reply_pdf(struct req *r)
{
	const char *page = query_text(r, "page"), *format, *missing;
	struct computed_page *c;
	struct pdf_found found;
	struct pdf_wanted w;
	struct point p;
	struct node n;

	format = query_text(r, "format");
	w = (struct pdf_wanted){ .org = r->space.org, .space = r->space.id, .user = r->who.user,
		.request = r->request.id, .page = page != NULL ? page : "", .alone = query_bool(r, "only", false),
		.format = find_format(format != NULL ? format : "pdf") };
	if (w.alone && page == NULL)
		return fail_field(r, "/only", "needs `page`, the id of the page to print");
	if ((missing = pdf_format_missing(r->arena, r->set, w.format)) != NULL)
		return fail(r, E_CONFLICT, "%s", missing);
	/*
	 * Checked here and not in the job, so that a wrong id is a 404 instead of a file that never
	 * arrives.
	 */
	if ((page != NULL ? page_or_fail(r, page, NODE_PAGES, &p, &n, &c) : point_or_fail(r, &p)) != 0)
		return -1;
	/*
	 * Set even if the request is for the head of the space: the file must contain the content
	 * at the time of the request, not that at the time of the job.
	 */
	w.revision = p.revision;
	if (find_or_queue(r, &w, &found) != 0)
		return -1;
	json_obj(&r->json);
	/*
	 * The address contains the id of the token: octavo-site checks the token's rights again
	 * when the file is fetched (docs/design/jobs.md, "PDF").
	 */
	json_kstr(&r->json, "url", pdf_url(r->arena, r->set, &found, r->who.token, time_now()));
	json_end(&r->json);
	return 0;
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/pdf */
HANDLER(getChangeRequestPDF)
{
	return reply_pdf(r);
}

/* GET /spaces/{spaceId}/pdf */
HANDLER(getSpacePDF)
{
	return reply_pdf(r);
}
