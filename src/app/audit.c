/* The audit record; see include/app/audit.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "app/audit.h"
#include "base/json.h"
#include "base/role.h"
#include "base/secret.h"

/*
 * The current name of the target, which exists at this moment: it was just created, or is about to
 * be deleted.
 */
#define LABEL \
	"CASE CAST(:type AS TEXT) " \
	"WHEN 'space' THEN (SELECT title FROM space WHERE id = :target) " \
	"WHEN 'collection' THEN (SELECT title FROM collection WHERE id = :target) " \
	"WHEN 'organization' THEN (SELECT title FROM org WHERE id = :target) " \
	"WHEN 'team' THEN (SELECT title FROM team WHERE id = :target) " \
	"WHEN 'saml-provider' THEN (SELECT label FROM saml_provider WHERE id = :target) " \
	"WHEN 'openapi-spec' THEN (SELECT slug FROM openapi_spec WHERE id = :target) " \
	"WHEN 'token' THEN (SELECT NULLIF(label, '') FROM token WHERE id = :target) " \
	"WHEN 'member' THEN (SELECT name FROM account WHERE id = :target) " \
	"WHEN 'font' THEN (SELECT family FROM font WHERE id = :target) " \
	"WHEN 'site-file' THEN (SELECT name FROM stored_file WHERE id = :target) " \
	"WHEN 'user' THEN (SELECT name FROM account WHERE id = :target) END"
SQL(q_add,
    "INSERT INTO audit_event (id, org, at, action, source, actor, actor_label, address, token, "
    "request, target_type, target, target_label, before, after) VALUES (:id, :org, :now, :action, "
    ":source, :actor, (SELECT name FROM account WHERE id = :actor), :address, :token, :request, :type, "
    ":target, " LABEL ", :before, :after)");
/*
 * The record goes only to organizations that the user chose to be in: an invitation alone must not
 * put a stranger's actions into an organization's record.
 */
SQL(q_orgs, "SELECT org FROM member WHERE account = :user AND chosen = 1 ORDER BY org");

static const struct { const char *id, *label; } actions[] = {
#define AUDIT(constant, id, label) [constant] = { id, label },
#include "app/audit.def"
#undef AUDIT
};

/* Maximum size of a snapshot. A snapshot is one row, so only a bug can exceed this. */
enum { OBJECT_MAX = 16 << 20 };

const char *
audit_id(enum audit_action action)
{
	return actions[action].id;
}

const char *
audit_label(enum audit_action action)
{
	return actions[action].label;
}

/* RFC 9562, version 4. */
static char *
make_uuid(struct arena *a)
{
	const char *seed = secret_id(a);
	unsigned char h[HASH_BYTES];
	const char *x;

	hash_bytes(str_of(seed), h);
	/* Version and variant (RFC 9562, sections 4.1 and 4.2); all other bits are random. */
	h[6] = (unsigned char)((h[6] & 0x0f) | 0x40);
	h[8] = (unsigned char)((h[8] & 0x3f) | 0x80);
	x = hex(a, (struct str){ (const char *)h, 16 });
	return arena_printf(a, "%.8s-%.4s-%.4s-%.4s-%.12s", x, x + 8, x + 12, x + 16, x + 20);
}

void
audit_add(struct db *db, struct arena *a, const struct audit_event *e)
{
	struct stmt *q = db_use(db, &q_add);

	bind_text(q, ":id", make_uuid(a));
	bind_text(q, ":org", e->org);
	bind_int(q, ":now", time_now());
	bind_text(q, ":action", audit_id(e->action));
	bind_text(q, ":source", e->source);
	bind_text(q, ":actor", e->actor != NULL ? e->actor : "system");
	bind_text(q, ":address", e->address);
	bind_text(q, ":token", e->token);
	bind_text(q, ":request", e->request);
	bind_text(q, ":type", e->type);
	bind_text(q, ":target", e->target);
	bind_text(q, ":before", e->before);
	bind_text(q, ":after", e->after);
	stmt_run(q);
}

/*
 * An event of an account is recorded in each of its organizations; if it has none, in the record of
 * the installation (org NULL).
 */
void
audit_add_everywhere(struct db *db, struct arena *a, const char *user, const struct audit_event *e)
{
	struct audit_event one = *e;
	struct stmt *q = db_use(db, &q_orgs);

	one.org = NULL;
	bind_text(q, ":user", user);
	while (stmt_step(q)) {
		one.org = col_dup(q, 0, a);
		audit_add(db, a, &one);
	}
	if (one.org == NULL)
		audit_add(db, a, &one);
}

/* Two records of the same secret have the same fingerprint; the secret cannot be derived from it. */
char *
audit_fingerprint(struct arena *a, const char *secret)
{
	return arena_strndup(a, hex(a, hash_of(a, str_of(secret))), 24);
}

/* The API's name of a role: from a column of roles (NULL: none), or of levels. */
static void
write_role(struct json *j, struct stmt *q, int i)
{
	int64_t role = col_null(q, i) ? ROLE_NONE : col_int(q, i);

	if (role == ROLE_NONE)
		json_null(j);
	else
		json_str(j, role == LEVEL_INHERIT ? "inherit" : role_name(role));
}

/*
 * The prefix of a column's name tells how its value is written: json_ unchanged, bool_, role_,
 * time_. The member's name is without the prefix.
 */
static void
write_cell(struct json *j, struct stmt *q, int i)
{
	static const char *const kinds[] = { "json_", "bool_", "role_", "time_" };
	const char *name = col_name(q, i);
	size_t kind = 0;

	while (kind < 4 && strncmp(name, kinds[kind], 5) != 0)
		kind++;
	json_key(j, kind < 4 ? name + 5 : name);
	if (kind == 2)
		write_role(j, q, i);
	else if (col_null(q, i))
		json_null(j);
	else if (kind == 0)
		json_raw(j, col_bytes(q, i));
	else if (kind == 1)
		json_bool(j, col_int(q, i) != 0);
	else if (kind == 3)
		json_time(j, col_int(q, i));
	else if (col_is_number(q, i))
		json_int(j, col_int(q, i));
	else
		json_strn(j, col_bytes(q, i));
}

char *
audit_snapshot(struct arena *a, struct stmt *q)
{
	struct buf b;
	struct json j;
	int i;

	if (!stmt_step(q))
		return NULL;
	buf_init(&b, a, OBJECT_MAX);
	json_init(&j, &b);
	json_obj(&j);
	for (i = 0; i < col_count(q); i++)
		write_cell(&j, q, i);
	json_end(&j);
	return arena_strndup(a, b.p, b.n);
}

/* Frees v: in the command cJSON has no arena. */
static char *
print_and_free(struct arena *a, cJSON *v)
{
	char *text = cJSON_PrintUnformatted(v), *kept = arena_strdup(a, text);

	cJSON_free(text);
	cJSON_Delete(v);
	return kept;
}

/*
 * Keeps only the members that differ. False: none differs, and there is nothing to record. A
 * missing side means a creation or a deletion.
 */
bool
audit_differ(struct arena *a, char **before, char **after)
{
	cJSON *x, *y, *m, *next, *other;
	bool left;

	if (*before == NULL || *after == NULL)
		return true;
	x = cJSON_Parse(*before);
	y = cJSON_Parse(*after);
	for (m = x->child; m != NULL; m = next) {
		next = m->next;
		other = cJSON_GetObjectItemCaseSensitive(y, m->string);
		if (!cJSON_Compare(m, other, true))
			continue;
		cJSON_DeleteItemFromObjectCaseSensitive(y, m->string);
		cJSON_Delete(cJSON_DetachItemViaPointer(x, m));
	}
	left = x->child != NULL || y->child != NULL;
	*before = print_and_free(a, x);
	*after = print_and_free(a, y);
	return left;
}
