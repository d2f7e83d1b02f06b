/*
 * PDFs for visitors, where the customization's `pdf.enabled` allows them: ~print/PAGE. POST asks
 * for the PDF of a page, with ?all of the page and those below it; GET sends it, or a page that
 * says that it is being made. Robots do not send forms, so PDFs are made only for people.
 *
 * The PDFs are the same as those of the API (app/pdf_request.h), of the current revision: each is
 * made once for all visitors. The job does not know the visitor, so it omits content with a
 * condition. Pages below are printed only if this visitor sees all of them.
 */
#include <sys/stat.h>

#include "app/pdf_request.h"
#include "app/queue.h"
#include "base/slug.h"
#include "reader_parts.h"
#include "store/computed.h"
#include "store/content.h"

enum { LOOK_AGAIN_S = 3 };

/* Pages that a PDF would have. */
static size_t
count_printed(const struct page *list)
{
	size_t n = 0;

	for (; list != NULL; list = list->next)
		if ((list->node.kind == NODE_DOCUMENT || list->node.kind == NODE_GROUP) && !visit_page_hidden(list))
			n += 1 + count_printed(list->first);
	return n;
}

static const struct page *
find_below(const struct page *list, const char *id)
{
	const struct page *found;

	for (; list != NULL; list = list->next)
		if (strcmp(list->node.id, id) == 0)
			return list;
		else if ((found = find_below(list->first, id)) != NULL)
			return found;
	return NULL;
}

/* True if the visitor sees every page below this one that the job would print. */
static bool
sees_all_below(struct view *s, const char *id)
{
	const struct point *at = &s->v.space->point;
	const struct page *seen = view_page(s, id), *all;
	size_t count;

	all = find_below(computed_expand(s->w->db, s->arena, at, page_tree(s->w->db, s->arena, at, &count), ""), id);
	return seen != NULL && all != NULL && count_printed(seen->first) == count_printed(all->first);
}

/* Sends a page that says that the PDF is being made; browsers reload it. */
static void
send_waiting_page(struct view *s)
{
	struct frame f = { .title = page_title(s, &s->v.page), .plain = true };
	struct buf content, out;
	struct html h;

	buf_init(&content, s->arena, 1 << 16);
	h_init(&h, &content);
	h_leaf(&h, "p", NULL, say_in(s, TEXT_PDF_WAIT));
	f.content = buf_view(&content);
	buf_init(&out, s->arena, 4 << 20);
	frame_write(s, &out, &f);
	buf_printf(&s->w->h, "Refresh: %d\r\n", LOOK_AGAIN_S);
	send_body(s, &(struct body){ .type = "text/html; charset=utf-8", .bytes = buf_view(&out) });
}

static void
send_finished(struct view *s, const char *id)
{
	struct answer *w = s->w;
	struct sent_file f = { .path = pdf_path(w->arena, w->set, id), .tag = id, .saved = true,
		.name = arena_printf(w->arena, "%s.pdf", slug_from_title(w->arena, str_of(s->v.page.node.title))) };
	struct stat st;

	/* The file appears under this name when the job has completed it. */
	if (stat(f.path, &st) != 0) {
		send_waiting_page(s);
		return;
	}
	f.size = st.st_size;
	w->cache = cache_control(s, false);
	/* A slow download must not keep the snapshot open. */
	db_rollback(w->db);
	send_file(w, &f);
}

/* Queues the PDF unless it exists, and redirects to its address. */
static void
ask_for_pdf(struct view *s, const struct pdf_wanted *want, const char *address)
{
	struct answer *w = s->w;
	bool queued;

	/* The open transaction is a read transaction. */
	db_rollback(w->db);
	db_begin(w->db, true);
	queued = pdf_queue(w->db, w->arena, w->set, want);
	if (queued)
		db_commit(w->db);
	else
		db_rollback(w->db);
	if (!queued) {
		write_refusal(w, 503, "Too many PDFs wait to be made: try again in a moment");
		return;
	}
	send_redirect(s, 303, address, NULL);
	runner_wake(w->arena, w->set);
}

void
serve_print(struct view *s)
{
	const char *id = s->v.page.node.id, *address;
	struct pdf_wanted want = { .org = s->v.site.org, .space = s->v.space->space, .revision = s->v.space->point.revision,
		.page = id, .visitor = true };
	struct pdf_found found;

	want.alone = query_parameter(s->w, "all") == NULL || !sees_all_below(s, id);
	address = print_href(s, &s->v.page, !want.alone);
	if (s->w->post && is_foreign(s->w))
		write_refusal(s->w, 400, "Bad Request");
	else if (s->w->post)
		ask_for_pdf(s, &want, address);
	else if (pdf_find(s->w->db, s->arena, s->w->set, &want, &found))
		send_finished(s, found.id);
	else
		/*
		 * The PDF was not requested, or the page has changed since: redirect to the page,
		 * which has the button.
		 */
		send_redirect(s, 303, view_page_href(s, &s->v.page), NULL);
}

char *
print_href(struct view *s, const struct page *p, bool all)
{
	return arena_printf(s->arena, "%s%s%s", view_own(s, "~print/"), view_local(s, visit_below(&s->v, s->v.space, p->path)) +
	    strlen(s->v.site.base_path), all ? "?all=1" : "");
}
