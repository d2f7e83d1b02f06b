/*
 * insert_files, update_file and delete_file: the bytes are stored as blobs, and each file is a node. A file that is
 * replaced keeps its id, so that the links of pages to it stay; earlier revisions keep its earlier bytes.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "app/download.h"
#include "edit_parts.h"
#include "base/secret.h"
#include "merge/request.h"
#include "store/overlay.h"

/* The maximum size of one file in a batch, decoded; larger files have an endpoint of their own. */
enum { MAX_FILE = 5 << 20 };

/* Records a fault of the i-th file of change k (-1: of the change itself); member may be "". */
static bool
file_fault(struct edit *e, int k, int i, const char *member, const char *why)
{
	if (i < 0)
		return edit_fault(e, k, member, why);
	return edit_fault(e, k, arena_printf(e->arena, "files/%d%s%s", i, *member != '\0' ? "/" : "",
	    member), why);
}

/* type/subtype, optionally with parameters, in visible ASCII. */
static bool
is_media_type(const char *s)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "!#$&^_.+-";
	size_t type = strspn(s, token), sub = s[type] == '/' ? strspn(s + type + 1, token) : 0;
	const char *p;

	if (type == 0 || sub == 0 || (s[type + 1 + sub] != '\0' && s[type + 1 + sub] != ';' &&
	    s[type + 1 + sub] != ' '))
		return false;
	for (p = s; *p != '\0'; p++)
		if (*p < ' ' || *p > '~')
			return false;
	return true;
}

const char *
file_name_fault(const char *name)
{
	const char *p;

	if (strchr(name, '/') != NULL)
		return "holds a slash";
	/* Names become file names in exports and in git: these two would leave the folder. */
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return "names a folder";
	for (p = name; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7F)
			return "holds a control character";
	return NULL;
}

static bool
name_or_fault(struct edit *e, int k, int i, const char *name)
{
	const char *why = file_name_fault(name);

	return why == NULL || file_fault(e, k, i, "name", why);
}

static bool
source_or_fault(struct edit *e, int k, int i, const cJSON *f, struct str *bytes)
{
	const char *data = json_text_of(f, "base64"), *type = json_text_of(f, "contentType");

	if (data != NULL && json_text_of(f, "url") != NULL)
		return file_fault(e, k, i, "", "has both url and base64; send one of them");
	if (json_text_of(f, "url") != NULL)
		return file_fault(e, k, i, "url", "cannot be fetched by this operation, which answers at once: use POST …/change-requests/ID/files, or send base64");
	if (data == NULL)
		return file_fault(e, k, i, "base64", "is required");
	/* The name decides the type that a file is sent with (app/download.h). */
	if (type != NULL && !is_media_type(type))
		return file_fault(e, k, i, "contentType", "is no media type, like image/png");
	if (!base64_read(e->arena, str_of(data), bytes))
		return file_fault(e, k, i, "base64", "is damaged");
	/* The size is checked after decoding, because base64 is a third longer, and may contain line ends. */
	if (bytes->n > MAX_FILE)
		return file_fault(e, k, i, "base64", "holds more than 5 MB");
	return true;
}

/*
 * The properties with the size of the bytes. That of an image is read once, here: browsers need it to lay out a page
 * before the image is loaded.
 */
static const char *
with_size(const char *props, struct str bytes)
{
	static const char *const members[] = { "size", "width", "height" };
	cJSON *all = cJSON_Parse(props);
	int w, h;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		cJSON_DeleteItemFromObjectCaseSensitive(all, members[i]);
	cJSON_AddNumberToObject(all, "size", (double)bytes.n);
	if (image_size(bytes, &w, &h)) {
		cJSON_AddNumberToObject(all, "width", w);
		cJSON_AddNumberToObject(all, "height", h);
	}
	return cJSON_PrintUnformatted(all);
}

/* Notes what the batch did to a file. */
static void
note_file(struct edit *e, const char *id, enum edit_effect effect)
{
	struct edit_file *f = arena_alloc(e->arena, sizeof(*f));

	f->id = id;
	f->effect = effect;
	*e->last_file = f;
	e->last_file = &f->next;
}

/*
 * Writes the rows of the blobs so far. The write lock (blob_hold()) has been held since before the files were written,
 * so no sweep ran in between.
 */
static bool
write_blob_rows(struct edit *e)
{
	if (blob_batch_rows(e->batch, e->db))
		return true;
	e->disk = "a file vanished while it was stored";
	return false;
}

static bool
insert_file(struct edit *e, int k, int i, const cJSON *f, struct node *n)
{
	const char *name = json_text_of(f, "name"), *ref = json_text_of(f, "ref");
	struct str bytes;

	*n = (struct node){ .kind = NODE_FILE, .parent = "", .ord = "", .slug = "", .title = name,
		.made = time_now() };
	blob_hold(e->db);
	if (!name_or_fault(e, k, i, name) || !source_or_fault(e, k, i, f, &bytes) ||
	    /*
	     * The bytes stay in a temporary file until edit_apply() has done everything else: a
	     * refused batch leaves no file.
	     */
	    !blob_batch_add(e->batch, bytes, &n->body, &e->disk))
		return false;
	n->id = ref != NULL ? edit_ref_id(e, ref) : secret_id(e->arena);
	n->props = with_size("{}", bytes);
	note_file(e, n->id, EDIT_CREATED);
	return true;
}

/* One batch for all files of the request, so that they are synced once. */
static void
open_blobs(struct edit *e)
{
	if (e->batch == NULL)
		e->batch = blob_batch_new(e->arena, e->dir);
}

bool
edit_files(struct edit *e, int k, const cJSON *c)
{
	const cJSON *f, *list = cJSON_GetObjectItemCaseSensitive(c, "files");
	struct node *nodes = arena_array(e->arena, (size_t)cJSON_GetArraySize(list), sizeof(*nodes));
	int n = 0, i;

	open_blobs(e);
	cJSON_ArrayForEach(f, list) {
		if (!insert_file(e, k, n, f, &nodes[n]))
			return false;
		n++;
	}
	if (!write_blob_rows(e))
		return false;
	for (i = 0; i < n; i++)
		edit_put(e, &nodes[i]);
	return true;
}

/* ---- files that are there ---- */

/* Sets the description that the change has; null and "" remove it. */
static void
set_file_description(const cJSON *c, struct node *n)
{
	const cJSON *sent = cJSON_GetObjectItemCaseSensitive(c, "description");
	const char *text = edit_text(c, "description");
	cJSON *props;

	if (sent == NULL)
		return;
	props = cJSON_Parse(n->props);
	cJSON_DeleteItemFromObjectCaseSensitive(props, "description");
	if (text != NULL && *text != '\0')
		cJSON_AddStringToObject(props, "description", text);
	n->props = cJSON_PrintUnformatted(props);
}

static bool
replace_bytes(struct edit *e, int k, const cJSON *c, struct node *n)
{
	struct str bytes;

	if (edit_text(c, "base64") == NULL)
		return true;
	open_blobs(e);
	blob_hold(e->db);
	if (!source_or_fault(e, k, -1, c, &bytes) || !blob_batch_add(e->batch, bytes, &n->body, &e->disk))
		return false;
	n->props = with_size(n->props, bytes);
	return write_blob_rows(e);
}

static bool
file_or_fault(struct edit *e, int k, const cJSON *c, struct node *n)
{
	const char *id = edit_text(c, "file");

	return (node_get(e->db, e->arena, &e->now, id, n) && n->kind == NODE_FILE) ||
	    edit_missing(e, k, "file", "file of this change request", id);
}

bool
edit_update_file(struct edit *e, int k, const cJSON *c)
{
	const char *name = edit_text(c, "name");
	struct node n;

	if (!file_or_fault(e, k, c, &n) || (name != NULL && !name_or_fault(e, k, -1, name)) ||
	    !replace_bytes(e, k, c, &n))
		return false;
	if (name != NULL)
		n.title = name;
	set_file_description(c, &n);
	note_file(e, n.id, EDIT_UPDATED);
	edit_put(e, &n);
	return true;
}

/* Deleting a deleted file again resolves a clash with main's change to it, as for pages. */
bool
edit_delete_file(struct edit *e, int k, const cJSON *c)
{
	struct point base = overlay_base(e->request);
	const char *id = edit_text(c, "file");
	struct node n;

	if (node_get(e->db, e->arena, &e->now, id, &n) || !node_get(e->db, e->arena, &base, id, &n) || n.kind != NODE_FILE) {
		if (!file_or_fault(e, k, c, &n))
			return false;
	}
	note_file(e, n.id, EDIT_DELETED);
	request_drop(e->db, e->arena, e->request, e->now.seq, n.id);
	edit_note_moved(e, n.id);
	return true;
}
