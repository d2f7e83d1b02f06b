/* insert_files: stores the bytes as blobs and writes a node for each file. */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "app/download.h"
#include "edit_parts.h"
#include "base/secret.h"

/* The maximum size of one file in a batch, decoded; larger files have an endpoint of their own. */
enum { MAX_FILE = 5 << 20 };

/* Records a fault of the i-th file of change k; member may be "". */
static bool
file_fault(struct edit *e, int k, int i, const char *member, const char *why)
{
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
	/* Checked after decoding: base64 is a third longer, and may contain line ends. */
	if (bytes->n > MAX_FILE)
		return file_fault(e, k, i, "base64", "holds more than 5 MB");
	return true;
}

static bool
insert_file(struct edit *e, int k, int i, const cJSON *f, struct node *n)
{
	const char *name = json_text_of(f, "name"), *ref = json_text_of(f, "ref");
	struct edit_file *out = arena_alloc(e->arena, sizeof(*out));
	struct str bytes;
	int w, h;

	*n = (struct node){ .kind = NODE_FILE, .parent = "", .ord = "", .slug = "", .title = name,
		.made = time_now() };
	if (!name_or_fault(e, k, i, name) || !source_or_fault(e, k, i, f, &bytes) ||
	    /*
	     * The bytes stay in a temporary file until edit_apply() has done everything else: a
	     * refused batch leaves no file.
	     */
	    !blob_batch_add(e->batch, bytes, &n->body, &e->disk))
		return false;
	n->id = ref != NULL ? edit_ref_id(e, ref) : secret_id(e->arena);
	/*
	 * The size of an image is read once, here: browsers need it to lay out a page before the
	 * image is loaded.
	 */
	n->props = image_size(bytes, &w, &h) ?
	    arena_printf(e->arena, "{\"size\":%zu,\"width\":%d,\"height\":%d}", bytes.n, w, h) :
	    arena_printf(e->arena, "{\"size\":%zu}", bytes.n);
	out->id = n->id;
	*e->last_file = out;
	e->last_file = &out->next;
	return true;
}

bool
edit_files(struct edit *e, int k, const cJSON *c)
{
	const cJSON *f, *list = cJSON_GetObjectItemCaseSensitive(c, "files");
	struct node *nodes = arena_array(e->arena, (size_t)cJSON_GetArraySize(list), sizeof(*nodes));
	int n = 0, i;

	/* One batch for all insert_files of the request, so that they are synced once. */
	if (e->batch == NULL)
		e->batch = blob_batch_new(e->arena, e->dir);
	cJSON_ArrayForEach(f, list) {
		if (!insert_file(e, k, n, f, &nodes[n]))
			return false;
		n++;
	}
	/*
	 * The write lock has been held since before the files were written, so no sweep ran in
	 * between.
	 */
	if (!blob_batch_rows(e->batch, e->db)) {
		e->disk = "a file vanished while it was stored";
		return false;
	}
	for (i = 0; i < n; i++)
		edit_put(e, &nodes[i]);
	return true;
}
