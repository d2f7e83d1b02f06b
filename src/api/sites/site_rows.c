/*
 * Functions for all objects that belong to a site: audit records, lists, deletion, and unique
 * segments of addresses. Contract: site.h.
 */
#include <cjson/cJSON.h>

#include "api/audit_events.h"
#include "app/audit.h"
#include "base/slug.h"
#include "http/req.h"
#include "site.h"

SQL(q_touch, "UPDATE site SET updated_at = :now WHERE id = :id");

void
site_record(struct req *r, enum audit_action action, const char *after)
{
	audit(r, &(struct audit_event){ .action = action, .org = r->org.id, .type = "site",
	    .target = r->site.id, .after = after });
}

/*
 * Schedules the job at once (next_at 0). An existing schedule is kept, since its args record which
 * part of the work is done.
 */
SQL(q_typeset,
    "INSERT INTO schedule (id, kind, space, every, next_at) SELECT DISTINCT 'typeset:' || x.space, 'typeset', x.space, "
    "CAST(:every AS INTEGER), 0 FROM site_space x JOIN site t ON t.id = x.site JOIN space s ON s.id = x.space "
    "WHERE x.site = :site AND t.published_at IS NOT NULL AND s.deleted_at IS NULL ON CONFLICT (id) DO NOTHING");

void
site_changed(struct req *r, const char *what)
{
	struct stmt *q = db_use(r->db, &q_touch);

	bind_int(q, ":now", time_now());
	bind_text(q, ":id", r->site.id);
	stmt_run(q);
	site_record(r, AUDIT_SITE_STRUCTURE, what);
	site_typeset(r);
}

void
site_typeset(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_typeset);

	bind_text(q, ":site", r->site.id);
	bind_int(q, ":every", DAY_MS);
	stmt_run(q);
}

const struct field site_local_title = { "", T_TEXT, .max = 128 };
const struct field site_local_description = { "", T_TEXT, .max = 256 };

void
site_emit_texts(struct json *j, const struct field *f, const struct row *w)
{
	if (row_null(w, f->col))
		return;
	json_key(j, f->name);
	json_raw(j, str_of(row_text(w, f->col)));
}

/* If the member is null or {}, NULL is stored. */
void
site_bind_texts(struct stmt *q, struct req *r, const char *member, const char *name)
{
	const cJSON *map = body_get(r, member);

	bind_int(q, arena_printf(r->arena, ":has_%s", name), body_has(r, member));
	bind_text(q, arena_printf(r->arena, ":%s", name), cJSON_IsObject(map) && map->child != NULL ? body_json(r, member) : NULL);
}

int
site_list(struct req *r, const struct site_own *kind, const struct shape *item)
{
	struct stmt *q = db_use(r->db, kind->count);
	struct list l;
	int64_t count;

	bind_text(q, ":site", r->site.id);
	count = stmt_int(q, 0);
	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, kind->list);
	bind_text(q, ":site", r->site.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, item, count);
}

int
site_drop(struct req *r, const struct site_own *kind, const char *id, bool found)
{
	struct stmt *q;

	if (!found) {
		/* r->absent: a DELETE then answers 204 instead of 404 (http/req.h). */
		r->absent = true;
		return fail(r, E_NOT_FOUND, "no %s %s", kind->words, id);
	}
	q = db_use(r->db, kind->remove);
	bind_text(q, ":id", id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"%s\":\"%s\",\"deleted\":true}", kind->name, id));
	return reply_empty(r);
}

/*
 * A slug is ASCII (base/slug.h), so cutting it at 90 bytes splits no character; 10 bytes remain for
 * "-N". SEGMENT refuses a dot at the beginning. The loop ends, since each round tries another text
 * while the write lock keeps other writers out.
 */
char *
site_segment(struct req *r, const char *scope, const char *title, const struct sql *taken)
{
	const char *slug = slug_from_title(r->arena, str_of(title));
	char *path = arena_printf(r->arena, "%.90s", slug[0] == '.' ? "page" : slug);
	const char *base = path;
	struct stmt *q;
	int n;

	for (n = 2;; n++) {
		q = db_use(r->db, taken);
		/*
		 * A scope is a site or a section. All statements of this kind name its parameter
		 * :site.
		 */
		bind_text(q, ":site", scope);
		bind_text(q, ":path", path);
		if (stmt_int(q, 0) == 0)
			return path;
		path = arena_printf(r->arena, "%s-%d", base, n);
	}
}
