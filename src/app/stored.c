/* Files of sites and fonts; the contract is in app/stored.h. */
#include <string.h>
#include <strings.h>

#include "app/download.h"
#include "app/stored.h"
#include "base/json.h"
#include "base/map.h"
#include "base/url.h"
#include "base/utf8.h"

/* What ids consist of. */
#define ALNUM "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

SQL(q_file, "SELECT id, org, kind, name, hash, size FROM stored_file WHERE id = :id AND hash IS NOT NULL");
SQL(q_font, "SELECT id, family FROM font WHERE id = :id AND (CAST(:org AS TEXT) IS NULL OR org = :org)");
SQL(q_faces,
    "SELECT e.weight, f.id, f.name FROM font_face e JOIN stored_file f ON f.id = e.file WHERE e.font = :id "
    "ORDER BY e.weight");

bool
stored_find(struct db *db, struct arena *a, const char *id, struct stored_file *out)
{
	struct stmt *q = db_use(db, &q_file);
	struct str hash;

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return false;
	hash = col_bytes(q, 4);
	*out = (struct stored_file){ .id = col_dup(q, 0, a), .org = col_dup(q, 1, a), .kind = col_dup(q, 2, a),
		.name = col_dup(q, 3, a), .hash = { arena_strndup(a, hash.p, hash.n), hash.n }, .size = col_int(q, 5) };
	return true;
}

char *
stored_path(struct arena *a, const char *id, const char *name)
{
	return arena_printf(a, "~stored/%s/%s", id, url_segment(a, str_of(name)));
}

const char *
stored_id(struct arena *a, const char *address)
{
	static const char form[] = "~stored/";
	const char *at = strstr(address, form), *id;
	size_t n;

	if (at == NULL || (at > address && at[-1] != '/'))
		return NULL;
	id = at + sizeof(form) - 1;
	n = strspn(id, ALNUM);
	return n == 0 || id[n] != '/' || id[n + 1] == '\0' || strpbrk(id + n + 1, "/?#") != NULL ? NULL :
	    arena_strndup(a, id, n);
}

/* ---- what a file may be ---- */

static const char *
ending_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot == NULL ? "" : dot + 1;
}

static bool
has_bytes_at(struct str bytes, size_t at, const char *with, size_t n)
{
	return bytes.n >= at + n && memcmp(bytes.p + at, with, n) == 0;
}

/* WOFF and WOFF 2.0 (W3C): signature, then at 8 the length of the whole file, at 12 the number of tables. */
static bool
is_font(struct str b, const char *signature)
{
	const unsigned char *p = (const unsigned char *)b.p;

	return b.n > 48 && has_bytes_at(b, 0, signature, 4) && (p[12] | p[13]) != 0 &&
	    ((size_t)p[8] << 24 | (size_t)p[9] << 16 | (size_t)p[10] << 8 | (size_t)p[11]) == b.n;
}

static bool
is_woff(struct str b)
{
	return is_font(b, "wOFF");
}

static bool
is_woff2(struct str b)
{
	return is_font(b, "wOF2");
}

/* True if the picture's size can be read. A signature alone would accept damaged pictures. */
static bool
has_size(struct str b)
{
	int width, height;

	return image_size(b, &width, &height) && width > 0 && height > 0;
}

static bool
is_png(struct str b)
{
	return has_bytes_at(b, 0, "\x89PNG\r\n\x1a\n", 8) && has_size(b);
}

static bool
is_jpeg(struct str b)
{
	return has_bytes_at(b, 0, "\xff\xd8\xff", 3) && has_size(b);
}

static bool
is_gif(struct str b)
{
	return (has_bytes_at(b, 0, "GIF87a", 6) || has_bytes_at(b, 0, "GIF89a", 6)) && has_size(b);
}

static bool
is_webp(struct str b)
{
	return has_bytes_at(b, 0, "RIFF", 4) && has_bytes_at(b, 8, "WEBP", 4) && has_size(b);
}

/* ISO base media file: its first box is "ftyp" with the brand. */
static bool
is_avif(struct str b)
{
	return has_bytes_at(b, 4, "ftypavif", 8) || has_bytes_at(b, 4, "ftypavis", 8);
}

static bool
is_ico(struct str b)
{
	return has_bytes_at(b, 0, "\0\0\1\0", 4) && b.n > 22 && b.p[4] != 0;
}

/* Skips everything up to the end of this text. False: the text does not occur. */
static bool
skip_behind(struct str *s, const char *text)
{
	size_t n = strlen(text);
	const char *at = memmem(s->p, s->n, text, n);

	if (at == NULL)
		return false;
	*s = str_slice(*s, (size_t)(at - s->p) + n, s->n);
	return true;
}

/* Skips an XML document's declaration, comments and document type. False: no element follows. */
static bool
skip_prolog(struct str *s)
{
	static const char *const parts[][2] = { { "<?", "?>" }, { "<!--", "-->" }, { "<!DOCTYPE", ">" } };
	size_t i, n;

	if (str_starts(*s, "\xef\xbb\xbf"))
		*s = str_slice(*s, 3, s->n);
	for (;;) {
		for (n = 0; n < s->n && strchr(" \t\r\n", s->p[n]) != NULL; n++)
			;
		*s = str_slice(*s, n, s->n);
		for (i = 0; i < 3 && !str_starts(*s, parts[i][0]); i++)
			;
		if (i == 3)
			return true;
		/* A document type with a list in brackets defines entities or elements. */
		for (n = 0; n < s->n && s->p[n] != '[' && s->p[n] != '>'; n++)
			;
		if (i == 2 && n < s->n && s->p[n] == '[' && !skip_behind(s, "]"))
			return false;
		if (!skip_behind(s, parts[i][1]))
			return false;
	}
}

/*
 * True for UTF-8 whose first element is svg. Scripts in it do not run, because of the policy that
 * it is served with (reader/reader.h).
 */
static bool
is_svg(struct str b)
{
	size_t n;

	if (!utf8_valid(b) || memchr(b.p, '\0', b.n) != NULL || !skip_prolog(&b))
		return false;
	/* Drawing programs write <svg:svg>, too. */
	n = str_starts(b, "<svg:svg") ? 8 : str_starts(b, "<svg") ? 4 : 0;
	return n > 0 && b.n > n && strchr(" \t\r\n/>", b.p[n]) != NULL;
}

static const struct form {
	const char *kind, *ending;
	bool      (*is)(struct str bytes);
} forms[] = {
	{ STORED_FONT, "woff2", is_woff2 }, { STORED_FONT, "woff", is_woff },
	{ STORED_PICTURE, "png", is_png }, { STORED_PICTURE, "jpg", is_jpeg }, { STORED_PICTURE, "jpeg", is_jpeg },
	{ STORED_PICTURE, "gif", is_gif }, { STORED_PICTURE, "webp", is_webp }, { STORED_PICTURE, "avif", is_avif },
	{ STORED_PICTURE, "svg", is_svg }, { STORED_PICTURE, "ico", is_ico },
};

/* The form that a name's ending stands for, among those of this kind (NULL: all); NULL: none. */
static const struct form *
find_form(const char *kind, const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if ((kind == NULL || strcmp(forms[i].kind, kind) == 0) && strcasecmp(forms[i].ending, ending_of(name)) == 0)
			return &forms[i];
	return NULL;
}

const char *
stored_name_fault(const char *kind, const char *name)
{
	if (find_form(kind, name) != NULL)
		return NULL;
	return strcmp(kind, STORED_FONT) == 0 ? "must end in .woff2 or .woff" :
	    "must end in .png, .jpg, .gif, .webp, .avif, .svg or .ico";
}

const char *
stored_bytes_fault(const char *name, struct str bytes)
{
	const struct form *f = find_form(NULL, name);

	return f != NULL && f->is(bytes) ? NULL : "the bytes are not what the name of the file says";
}

/* ---- fonts ---- */

bool
font_find(struct db *db, struct arena *a, const char *org, const char *id, struct font *out)
{
	struct stmt *q = db_use(db, &q_font);

	bind_text(q, ":id", id);
	bind_text(q, ":org", org);
	if (!stmt_step(q))
		return false;
	*out = (struct font){ .id = col_dup(q, 0, a), .family = col_dup(q, 1, a) };
	q = db_use(db, &q_faces);
	bind_text(q, ":id", id);
	while (out->count < STORED_FACES && stmt_step(q))
		out->faces[out->count++] = (struct font_face){ (int)col_int(q, 0), col_dup(q, 1, a), col_dup(q, 2, a) };
	return true;
}

const char *
font_format(const char *name)
{
	return strcasecmp(ending_of(name), "woff2") == 0 ? "woff2" : "woff";
}

/* ---- the sweep ---- */

SQL(q_next_org, "SELECT org FROM stored_file WHERE org > :after ORDER BY org LIMIT 1");
SQL(q_org_files,
    "SELECT id, unused_since, hash IS NULL, created_at, EXISTS (SELECT 1 FROM font_face e WHERE e.file = stored_file.id) "
    "FROM stored_file WHERE org = :org");
SQL(q_org_texts,
    "SELECT customization FROM site WHERE org = :org AND customization IS NOT NULL UNION ALL "
    "SELECT x.customization FROM site t JOIN site_space x ON x.site = t.id WHERE t.org = :org AND x.customization IS NOT NULL");
SQL(q_used, "UPDATE stored_file SET unused_since = NULL WHERE id = :id");
SQL(q_unused, "UPDATE stored_file SET unused_since = :now WHERE id = :id AND unused_since IS NULL");
/*
 * Checks once more that nothing refers to the file. Ids are letters and digits only, so LIKE needs
 * no escapes.
 */
SQL(q_remove,
    "DELETE FROM stored_file WHERE id = :id AND (hash IS NULL OR (unused_since < :before AND "
    "NOT EXISTS (SELECT 1 FROM font_face e WHERE e.file = stored_file.id) AND NOT EXISTS "
    "(SELECT 1 FROM site t WHERE t.org = stored_file.org AND (t.customization LIKE '%' || stored_file.id || '%' "
    "OR EXISTS (SELECT 1 FROM site_space x WHERE x.site = t.id AND x.customization LIKE '%' || stored_file.id || '%')))))");

struct swept {
	const char *id;
	bool        named, awaited;
	int64_t     unused_since, created_at;   /* unused_since 0: the file is used, or new */
};

/* Marks the files to which a text refers: each word of it may be an id. Reads each text once. */
static void
note_named(struct map *files, const char *text)
{
	struct swept *f;
	size_t n;

	for (; *text != '\0'; text += n == 0 ? 1 : n)
		if ((n = strspn(text, ALNUM)) > 0 && (f = map_get(files, (struct str){ text, n })) != NULL)
			f->named = true;
}

/* Lists the files of an organization, and marks those in use. */
static struct swept **
list_files(struct db *db, struct arena *a, const char *org, size_t *n)
{
	struct map *files = map_new(a);
	struct swept **list = NULL, *f;
	struct stmt *q;
	size_t room = 0;

	*n = 0;
	db_begin(db, false);
	q = db_use(db, &q_org_files);
	bind_text(q, ":org", org);
	while (stmt_step(q)) {
		f = arena_alloc(a, sizeof(*f));
		*f = (struct swept){ .id = col_dup(q, 0, a), .unused_since = col_int(q, 1), .awaited = col_int(q, 2) != 0,
			.created_at = col_int(q, 3), .named = col_int(q, 4) != 0 };
		map_add(files, str_of(f->id), f);
		list = arena_grow(a, list, *n, &room, sizeof(*list));
		list[(*n)++] = f;
	}
	q = db_use(db, &q_org_texts);
	bind_text(q, ":org", org);
	while (stmt_step(q))
		note_named(files, col_text(q, 0));
	db_rollback(db);
	return list;
}

/* The statement that the sweep runs for a file; NULL: none. */
static const struct sql *
choose_statement(const struct swept *f, int64_t now, int64_t before)
{
	if (f->awaited)
		return f->created_at < now - DAY_MS ? &q_remove : NULL;
	if (f->named)
		return f->unused_since != 0 ? &q_used : NULL;
	if (f->unused_since != 0)
		return f->unused_since < before ? &q_remove : NULL;
	return f->created_at < now - DAY_MS ? &q_unused : NULL;
}

/* One transaction per file, so that other writers do not wait. */
static size_t
sweep_org(struct db *db, const char *org, int64_t now, int64_t before)
{
	struct arena *a = arena_new(1 << 26);
	size_t n, gone = 0;
	struct swept **list = list_files(db, a, org, &n);

	for (size_t i = 0; i < n; i++) {
		const struct sql *sql = choose_statement(list[i], now, before);
		struct stmt *q;

		if (sql == NULL)
			continue;
		db_begin(db, true);
		q = db_use(db, sql);
		bind_text(q, ":id", list[i]->id);
		if (sql == &q_unused)
			bind_int(q, ":now", now);
		if (sql == &q_remove)
			bind_int(q, ":before", before);
		gone += (size_t)stmt_run(q) * (sql == &q_remove);
		db_commit(db);
	}
	arena_free(a);
	return gone;
}

size_t
stored_sweep(struct db *db, struct arena *a, int64_t now, int64_t before)
{
	const char *org = "";
	struct stmt *q;
	size_t gone = 0;

	for (;;) {
		db_begin(db, false);
		q = db_use(db, &q_next_org);
		bind_text(q, ":after", org);
		org = stmt_dup(q, a);
		db_rollback(db);
		if (org == NULL)
			return gone;
		gone += sweep_org(db, org, now, before);
	}
}
