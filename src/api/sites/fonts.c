/*
 * Fonts of an organization: a family with a file for each weight (app/stored.h). The customization
 * of a site contains the ids of the fonts that it uses, so that a changed font shows on its sites
 * at once.
 */
#include <cjson/cJSON.h>

#include "api/audit_events.h"
#include "api/examples.h"
#include "api/fonts.h"
#include "api/lists.h"
#include "api/refusals.h"
#include "app/stored.h"
#include "base/secret.h"
#include "http/req.h"
#include "site.h"

enum { REGULAR = 400 };   /* the weight that every font must have */

#define EXAMPLE_FONT "n5HrT9vKxQb2LsWc7ZdM"
#define EXAMPLE_KEY "f7QnT2wKxVb5LsZc9RhM"

static const struct shape FontSource = { "FontSource", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 2048, .doc = "Address of the file", .example = "https://docs.example.com/~stored/" EXAMPLE_KEY "/a.woff2" },
	{ "format", T_ENUM, .set = "woff2,woff", .doc = "Format of the file" },
	{ 0 } } };
const struct shape FontFace = { "FontFace", (const struct field[]){
	{ "weight", T_INT, F_REQ, .min = 1, .max = 1000, .doc = "Weight: 400 is regular, 700 bold", .example = "400" },
	{ "sources", T_LIST, F_REQ, .of = &FontSource, .max = 10, .doc = "Files of this weight" },
	{ 0 } } };
static const struct shape FontPermissions = { "FontPermissions", (const struct field[]){
	{ "edit", T_BOOL, F_REQ, .doc = "You may change the font" },
	{ 0 } } };

static void
write_faces(struct req *r, struct json *j, const struct font *f)
{
	json_karr(j, "fontFaces");
	for (size_t i = 0; i < f->count; i++) {
		json_obj(j);
		json_kint(j, "weight", f->faces[i].weight);
		json_karr(j, "sources");
		json_obj(j);
		json_kstr(j, "url", url_for(r, "/%s", stored_path(r->arena, f->faces[i].file, f->faces[i].name)));
		json_kstr(j, "format", font_format(f->faces[i].name));
		json_end(j);
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

static void
emit_faces(struct json *j, const struct field *field, const struct row *w)
{
	struct font f;

	(void)field;
	if (font_find(w->r->db, w->r->arena, w->r->org.id, row_text(w, "id"), &f))
		write_faces(w->r, j, &f);
}

static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kbool(j, "edit", w->r->org.role >= ROLE_CREATE);
	json_end(j);
}

#define FAMILY(flags_, ...) { "fontFamily", T_TEXT, flags_, .min = 1, .max = 50, __VA_ARGS__ .doc = "Name of the font", .example = "House Sans" }
const struct shape FontDefinition = { "CustomFont", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_FONT },
	{ "custom", T_BOOL, F_REQ, .doc = "true: a font of the organization" },
	FAMILY(F_REQ, .col = "family",),
	{ "fontFaces", T_LIST, F_REQ, .of = &FontFace, .max = STORED_FACES, .emit = emit_faces, .doc = "Its weights, lightest first" },
	{ "permissions", T_OBJECT, F_REQ, .of = &FontPermissions, .emit = emit_permissions, .doc = "What you may do with it" },
	{ 0 } } };
LIST_SHAPE(FontList, FontDefinition);

#define FACE(name, flags_, doc_) static const struct shape name = { #name, (const struct field[]){ \
	{ "weight", T_INT, F_REQ, .min = 1, .max = 1000, .doc = "Weight: 400 is regular, 700 bold", .example = "400" }, \
	{ "storageKey", T_TEXT, F_REQ | (flags_), .min = 1, .max = 512, .doc = doc_, .example = EXAMPLE_KEY }, \
	{ 0 } } }
FACE(FontFaceCreate, 0, "The uploaded file");
FACE(FontFaceEdit, F_NULL, "The uploaded file; null ends the weight");
const struct shape FontCreate = { "CreateCustomFont", (const struct field[]){
	FAMILY(F_REQ,),
	{ "fontFaces", T_LIST, F_REQ, .of = &FontFaceCreate, .min = 1, .max = STORED_FACES, .doc = "Its weights, 400 among them" },
	{ 0 } } };
const struct shape FontEdit = { "UpdateCustomFont", (const struct field[]){
	FAMILY(0,),
	{ "fontFaces", T_LIST, .of = &FontFaceEdit, .max = STORED_FACES, .doc = "Weights to add, replace or remove; the others stay" },
	{ 0 } } };

#define COLS "id, 1 AS custom, family"
SQL(q_list,
    "SELECT " COLS ", created_at AS k1, id AS k2 FROM font WHERE org = :org "
    "AND (created_at, id) > (COALESCE(CAST(:k1 AS BIGINT), -1), COALESCE(:k2, '')) ORDER BY created_at, id LIMIT :limit");
SQL(q_one, "SELECT " COLS " FROM font WHERE id = :id AND org = :org");
SQL(q_count, "SELECT count(*) FROM font WHERE org = :org");
SQL(q_add, "INSERT INTO font (id, org, family, created_at) VALUES (:id, :org, :family, :now)");
SQL(q_family, "UPDATE font SET family = :family WHERE id = :id");
SQL(q_remove, "DELETE FROM font WHERE id = :id");
/* Finds an uploaded font file of the organization. A file of another organization or kind is not found. */
SQL(q_file, "SELECT 1 FROM stored_file WHERE id = :id AND org = :org AND kind = '" STORED_FONT "' AND hash IS NOT NULL");
SQL(q_face_put,
    "INSERT INTO font_face (font, weight, file) VALUES (:font, :weight, :file) "
    "ON CONFLICT (font, weight) DO UPDATE SET file = excluded.file");
SQL(q_faces, "SELECT count(*) FROM font_face WHERE font = :font");
SQL(q_face_end, "DELETE FROM font_face WHERE font = :font AND weight = :weight");
/* The sites that use the font. Ids are letters and digits only, so LIKE needs no escapes. */
#define USES \
	"t.org = :org AND (t.customization LIKE '%' || :id || '%' OR EXISTS " \
	"(SELECT 1 FROM site_space x WHERE x.site = t.id AND x.customization LIKE '%' || :id || '%'))"
SQL(q_user, "SELECT t.title FROM site t WHERE " USES " LIMIT 1");
/* Sets updated_at, which is part of the ETags of a site's pages (visit_state()), so that caches drop these pages. */
SQL(q_touch, "UPDATE site SET updated_at = :now WHERE id IN (SELECT t.id FROM site t WHERE " USES ")");

/* ---- answers ---- */

cJSON *
font_json(struct req *r, const char *id)
{
	struct font f;
	struct json j;
	struct buf b;

	/* NULL: of any organization. The id comes from a stored customization, which was checked when it was stored. */
	if (!font_find(r->db, r->arena, NULL, id, &f))
		return NULL;
	buf_init(&b, r->arena, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "id", f.id);
	json_kbool(&j, "custom", true);
	json_kstr(&j, "fontFamily", f.family);
	write_faces(r, &j, &f);
	json_end(&j);
	return cJSON_ParseWithLength(b.p, b.n);
}

static struct stmt *
font_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	return stmt_step(q) ? q : NULL;
}

/* Reads the font of the path. 0 or fail() with 404; a DELETE of an unknown font answers 204. */
static int
font_or_fail(struct req *r, struct font *out)
{
	if (font_find(r->db, r->arena, r->org.id, path_id(r, "fontId"), out))
		return 0;
	r->absent = true;
	return fail(r, E_NOT_FOUND, "no font %s", path_id(r, "fontId"));
}

/* GET /orgs/{organizationId}/fonts: oldest first. */
HANDLER(listCustomFonts)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_count);
	bind_text(q, ":org", r->org.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_list);
	bind_text(q, ":org", r->org.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &FontDefinition, count);
}

/* ---- changes ---- */

/* Applies one weight from the body to the font. 0 or fail(). */
static int
face_or_fail(struct req *r, const char *font, const cJSON *face)
{
	const char *key = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(face, "storageKey"));
	struct stmt *q;

	if (key != NULL) {
		q = db_use(r->db, &q_file);
		bind_text(q, ":id", key);
		bind_text(q, ":org", r->org.id);
		if (!stmt_step(q))
			return fail(r, E_PRECONDITION, "no font file was uploaded for the storage key %s", key);
	}
	q = db_use(r->db, key != NULL ? &q_face_put : &q_face_end);
	bind_text(q, ":font", font);
	bind_int(q, ":weight", (int64_t)cJSON_GetObjectItemCaseSensitive(face, "weight")->valuedouble);
	if (key != NULL)
		bind_text(q, ":file", key);
	stmt_run(q);
	return 0;
}

static int64_t
count_faces(struct req *r, const char *font)
{
	struct stmt *q = db_use(r->db, &q_faces);

	bind_text(q, ":font", font);
	return stmt_int(q, 0);
}

/*
 * Applies the weights from the body, and requires that the font then has the regular weight. 0 or
 * fail().
 */
static int
faces_or_fail(struct req *r, const char *font)
{
	const cJSON *face, *other;
	struct font f;
	size_t i;

	cJSON_ArrayForEach(face, body_get(r, "fontFaces")) {
		for (other = face->next; other != NULL; other = other->next)
			if (cJSON_Compare(cJSON_GetObjectItemCaseSensitive(face, "weight"), cJSON_GetObjectItemCaseSensitive(other, "weight"), true))
				return fail(r, E_PRECONDITION, "two faces have the same weight");
		if (face_or_fail(r, font, face) != 0)
			return -1;
	}
	if (count_faces(r, font) > STORED_FACES)
		return fail(r, E_PRECONDITION, "a font has %d weights at most", STORED_FACES);
	font_find(r->db, r->arena, r->org.id, font, &f);
	for (i = 0; i < f.count && f.faces[i].weight != REGULAR; i++)
		;
	return i < f.count ? 0 : fail(r, E_PRECONDITION, "a font needs a face with the weight %d", REGULAR);
}

/* Returns the family, and the file of each weight, as JSON for the audit record. */
static char *
font_snapshot(struct req *r, const char *id)
{
	struct font f;
	struct json j;
	struct buf b;

	font_find(r->db, r->arena, r->org.id, id, &f);
	buf_init(&b, r->arena, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "fontFamily", f.family);
	json_kobj(&j, "fontFaces");
	for (size_t i = 0; i < f.count; i++)
		json_kstr(&j, arena_printf(r->arena, "%d", f.faces[i].weight), f.faces[i].file);
	json_end(&j);
	json_end(&j);
	return b.p;
}

static void
record_font(struct req *r, enum audit_action action, const char *id, char *before, char *after)
{
	struct audit_event e = { .action = action, .org = r->org.id, .type = "font", .target = id };

	audit_change(r, &e, before, after);
}

/* Replies with 201, which published clients expect for an update, too. */
static int
reply_made(struct req *r, const char *id)
{
	reply_created(r, arena_printf(r->arena, "/orgs/%s/fonts/%s", r->org.id, id));
	return reply_current(r, font_row(r, id), &FontDefinition);
}

/* PUT /orgs/{organizationId}/fonts */
HANDLER(createCustomFont)
{
	const char *id = secret_id(r->arena);
	struct stmt *q = db_use(r->db, &q_count);

	bind_text(q, ":org", r->org.id);
	if (stmt_int(q, 0) >= STORED_FILES)
		return fail(r, E_PRECONDITION, "an organization has %d fonts at most", STORED_FILES);
	q = db_use(r->db, &q_add);
	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":family", body_text(r, "fontFamily"));
	bind_int(q, ":now", time_now());
	stmt_run(q);
	if (faces_or_fail(r, id) != 0)
		return -1;
	record_font(r, AUDIT_FONT_CREATE, id, NULL, font_snapshot(r, id));
	return reply_made(r, id);
}

/* GET /orgs/{organizationId}/fonts/{fontId} */
HANDLER(getCustomFont)
{
	struct font f;

	return font_or_fail(r, &f) != 0 ? -1 : reply_current(r, font_row(r, f.id), &FontDefinition);
}

/* POST /orgs/{organizationId}/fonts/{fontId} */
HANDLER(updateCustomFont)
{
	struct font f;
	struct stmt *q;
	char *before;

	if (font_or_fail(r, &f) != 0)
		return -1;
	before = font_snapshot(r, f.id);
	if (body_has(r, "fontFamily")) {
		q = db_use(r->db, &q_family);
		bind_text(q, ":family", body_text(r, "fontFamily"));
		bind_text(q, ":id", f.id);
		stmt_run(q);
	}
	if (faces_or_fail(r, f.id) != 0)
		return -1;
	q = db_use(r->db, &q_touch);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":id", f.id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	record_font(r, AUDIT_FONT_UPDATE, f.id, before, font_snapshot(r, f.id));
	return reply_made(r, f.id);
}

/* DELETE /orgs/{organizationId}/fonts/{fontId}: answers 205, as the published API does. */
HANDLER(deleteCustomFont)
{
	struct font f;
	struct stmt *q;
	char *title;

	if (font_or_fail(r, &f) != 0)
		return -1;
	q = db_use(r->db, &q_user);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":id", f.id);
	if ((title = stmt_dup(q, r->arena)) != NULL)
		return fail(r, E_CONFLICT, "the site \"%s\" uses this font: choose another one there first", title);
	record_font(r, AUDIT_FONT_DELETE, f.id, font_snapshot(r, f.id), NULL);
	q = db_use(r->db, &q_remove);
	bind_text(q, ":id", f.id);
	stmt_run(q);
	r->status = 205;
	return reply_empty(r);
}
