/*
 * Serves PDFs by signed addresses (app/pdf_request.h). The rights of the token that requested the
 * PDF are checked again: after a space was deleted, a grant ended or a token was revoked, the
 * answer is 404 at once.
 */
#include <string.h>
#include <sys/stat.h>

#include "app/pdf_request.h"
#include "app/roles.h"
#include "reader_parts.h"

/*
 * Requires at least the role read (1). The scope of a token is not checked, since every scope
 * allows reading.
 */
SQL(q_fetch,
    "SELECT p.id, p.made_at, j.state FROM pdf p "
    "JOIN space s ON s.id = p.space AND s.deleted_at IS NULL "
    "JOIN (SELECT account, NULL AS org, 0 AS by_session FROM token WHERE id = :token AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now) "
    "UNION ALL SELECT account, org, 1 FROM session WHERE id = :token AND ends_at > :now) t "
    "ON t.org = s.org OR (t.org IS NULL AND NOT " IS_CLOSED("s.org", "t.account", "t.by_session") ") "
    "JOIN member m ON m.org = s.org AND m.account = t.account AND m.disabled = 0 "
    "JOIN account a ON a.id = t.account AND a.disabled = 0 "
    "LEFT JOIN job j ON j.id = p.job "
    "WHERE p.id = :id AND (p.request IS NULL OR EXISTS (SELECT 1 FROM change_request cr WHERE cr.id = p.request)) "
    "AND " ROLE_FROM("space", "p.space", "t.account") " >= " SQL_ROLE_READ);

/* Row of the PDF if the token may still read its space; otherwise NULL. */
static struct stmt *
fetch_row(struct answer *w, const struct pdf_address *at)
{
	struct stmt *q = db_use(w->db, &q_fetch);

	bind_text(q, ":id", at->id);
	bind_text(q, ":token", at->token);
	bind_int(q, ":now", time_now());
	return stmt_step(q) ? q : NULL;
}

static void
serve_finished(struct answer *w, const struct pdf_address *at)
{
	struct sent_file f = { .path = pdf_path(w->arena, w->set, at->id), .name = at->name, .tag = at->id };
	struct stat st;

	if (stat(f.path, &st) != 0) {
		write_refusal(w, 404, "Not Found");
		return;
	}
	/* End the transaction: a slow reader would hold the snapshot, and with it the WAL. */
	db_rollback(w->db);
	f.size = st.st_size;
	/* Rights are checked on each request, so caches must not keep the file. */
	w->cache = "private, no-cache";
	send_file(w, &f);
}

/* The signature is valid; check whether its token may still have the file. */
static void
serve_requested(struct answer *w, const struct pdf_address *at)
{
	struct stmt *q = fetch_row(w, at);
	const char *state;

	if (q == NULL) {
		write_refusal(w, 404, "Not Found");
		return;
	}
	if (!col_null(q, 1)) {
		serve_finished(w, at);
		return;
	}
	/* LEFT JOIN: the row of a finished job may have been removed. */
	state = col_null(q, 2) ? "gone" : col_text(q, 2);
	if (strcmp(state, "queued") == 0 || strcmp(state, "running") == 0)
		/* 503 with Retry-After until the file is made (docs/design/jobs.md, "PDF"). */
		write_refusal(w, 503, "The PDF is being made: try again in a moment");
	else
		write_refusal(w, 500, "The PDF could not be made: ask the API for its address again");
}

bool
serve_pdf(struct answer *w, const char *uri)
{
	const char *part[SEGMENTS];
	struct pdf_address at;

	/* If it is another kind of address, the caller tries other handlers. */
	if (!split_segments(w, uri, "/~pdf", part))
		return false;
	if (pdf_url_read(w->arena, part, time_now(), &at))
		serve_requested(w, &at);
	else
		write_refusal(w, 404, "Not Found");
	return true;
}
