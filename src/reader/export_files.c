/*
 * Serves exports of an organization by signed addresses (app/org_export.h). The user who requested
 * the address must still be an admin: after the membership ends or the token is revoked, the answer
 * is 404 at once.
 */
#include <sys/stat.h>

#include "app/org_export.h"
#include "base/role.h"
#include "reader_parts.h"

SQL(q_fetch_export,
    "SELECT 1 FROM job j "
    "JOIN (SELECT account, NULL AS org FROM token WHERE id = :token AND scope = 'admin' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now) "
    "UNION ALL SELECT account, org FROM session WHERE id = :token AND ends_at > :now) t ON t.org IS NULL OR t.org = j.org "
    "JOIN member m ON m.org = j.org AND m.account = t.account AND m.disabled = 0 AND m.role = " SQL_ROLE_ADMIN " "
    "JOIN account a ON a.id = t.account AND a.disabled = 0 "
    "WHERE j.id = :id AND j.kind = '" EXPORT_KIND "' AND j.state = 'done'");

static bool
may_fetch(struct answer *w, const struct org_export_address *at)
{
	struct stmt *q = db_use(w->db, &q_fetch_export);

	bind_text(q, ":token", at->token);
	bind_text(q, ":id", at->id);
	bind_int(q, ":now", time_now());
	return stmt_int(q, 0) != 0;
}

bool
serve_export(struct answer *w, const char *uri)
{
	const char *part[SEGMENTS];
	struct org_export_address at;
	struct sent_file f;
	struct stat st;

	/* Another kind of address, for the caller's other handlers. */
	if (!split_segments(w, uri, "/~exports", part))
		return false;
	if (!org_export_url_read(w->arena, part, time_now(), &at) || !may_fetch(w, &at) ||
	    stat(org_export_path(w->arena, w->set, at.id), &st) != 0) {
		write_refusal(w, 404, "Not Found");
		return true;
	}
	f = (struct sent_file){ .path = org_export_path(w->arena, w->set, at.id), .name = at.name, .tag = at.id, .size = st.st_size };
	/*
	 * End the transaction: a slow download would keep the snapshot open, and with it the WAL.
	 */
	db_rollback(w->db);
	w->cache = "private, no-cache";
	send_file(w, &f);
	return true;
}
