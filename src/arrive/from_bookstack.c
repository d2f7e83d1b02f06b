/*
 * Reader for BookStack: a portable ZIP of a book, a chapter or a page. data.json contains all
 * texts, and files/ contains pictures and attachments, whose names there are random. Links have the
 * form [[bsexport:page:40]], [[bsexport:image:7]] and the like. BookStack's description of the format
 * says that these name pictures and attachments by their files, but BookStack writes their ids.
 * Attachments of a page are added after its text.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/slug.h"
#include "base/sort.h"
#include "blocks.h"
#include "html.h"
#include "readers.h"

struct bookstack {
	struct map *fragments;   /* ids that links name */
	struct map *files;       /* "bsexport:image:7" -> the file of the picture or attachment */
};

static struct arrival_file *
data_file(const struct arrival *t)
{
	return source_find(t, "data.json");
}

static bool
is_bookstack(struct arrival *t)
{
	struct arrival_file *f = data_file(t);
	struct str bytes;
	bool is;

	if (f == NULL || !source_read(t, t->scratch, f, &bytes))
		return false;
	is = memmem(bytes.p, bytes.n, "\"exported_at\"", 13) != NULL && (memmem(bytes.p, bytes.n, "\"book\"", 6) != NULL ||
	    memmem(bytes.p, bytes.n, "\"chapter\"", 9) != NULL || memmem(bytes.p, bytes.n, "\"page\"", 6) != NULL);
	arena_reset(t->scratch);
	return is;
}

static const cJSON *
get_member(const cJSON *v, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(v, name);
}

/* The name by which references name an object: "bsexport:page:40". */
static void
name_item(struct arrival *t, struct arrival_page *p, const char *kind, const cJSON *v)
{
	const cJSON *id = get_member(v, "id");

	if (cJSON_IsNumber(id))
		arrival_name(t, p, arena_printf(t->arena, "bsexport:%s:%.0f", kind, id->valuedouble));
}

/* Gives a file its name at the source, with the ending of the file unless the name has it. */
static void
name_file(struct arrival *t, struct arrival_file *f, const char *name)
{
	struct str path = path_name(f->path), stem = path_stem(path), end = str_slice(path, stem.n, path.n);
	char *plain = path_of_title(t->arena, str_of(name));

	if (plain != NULL)
		f->want = arena_printf(t->arena, "files/%s%.*s", plain, path_ends(str_of(plain), arena_strndup(t->arena, end.p, end.n)) ? 0 :
		    (int)end.n, end.p);
}

/* Notes the files of a page, which references name by id. */
static void
note_files(struct arrival *t, const cJSON *list, const char *kind)
{
	struct bookstack *b = t->own;
	const cJSON *v, *id;

	cJSON_ArrayForEach(v, list) {
		const char *name = json_text_of(v, "file");
		struct arrival_file *f = name == NULL ? NULL : source_find(t, "files/%s", name);

		if (f == NULL)
			continue;
		name_file(t, f, json_text_or_empty(v, "name"));
		if (cJSON_IsNumber(id = get_member(v, "id")))
			map_add(b->files, str_of(arena_printf(t->arena, "bsexport:%s:%.0f", kind, id->valuedouble)), f);
	}
}

static void
take_tags(struct arrival *t, struct arrival_page *p, const cJSON *v)
{
	const cJSON *tag;

	cJSON_ArrayForEach(tag, get_member(v, "tags")) {
		const char *name = json_text_of(tag, "name"), *value = json_text_or_empty(tag, "value");
		if (name != NULL && *name != '\0')
			arrival_tag(t, p, str_of(*value != '\0' ? arena_printf(t->arena, "%s: %s", name, value) : name));
	}
}

static struct arrival_page *
add_item(struct arrival *t, struct arrival_page *parent, const cJSON *v, const char *kind)
{
	const char *name = json_text_or_empty(v, "name"), *text;
	struct arrival_page *p = arrival_add(t, parent, ARRIVAL_PAGE, *name != '\0' ? name : "Page");
	struct text words = { .arena = t->scratch };
	struct html_rules none = { .t = t, .file = str_of(*name != '\0' ? name : "Page") };

	p->own = (void *)v;
	name_item(t, p, kind, v);
	take_tags(t, p, v);
	note_files(t, get_member(v, "images"), "image");
	note_files(t, get_member(v, "attachments"), "attachment");
	text = json_text_of(v, "description_html");
	if (text != NULL) {
		html_text_convert(&words, str_of(text), &none, 1);
		if (words.n > 0 && words.v[0].s.n < 200)
			p->description = arena_strndup(t->arena, words.v[0].s.p, words.v[0].s.n);
		arena_reset(t->scratch);
	}
	return p;
}

/* A chapter, or a page without a chapter, with its position in the book. */
struct placed {
	const cJSON *v;
	bool         chapter;
	double       place;
	size_t       n;
};

static int
by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : (x->n > y->n) - (x->n < y->n);
}

static size_t
list_placed(struct arrival *t, const cJSON *list, bool chapter, struct placed **out, size_t n, size_t *room)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, list) {
		const cJSON *place = get_member(v, "priority");
		*out = arena_grow(t->arena, *out, n, room, sizeof(**out));
		(*out)[n] = (struct placed){ v, chapter, cJSON_IsNumber(place) ? place->valuedouble : 0, n };
		n++;
	}
	return n;
}

static void
add_content(struct arrival *t, struct arrival_page *parent, const cJSON *v)
{
	struct placed *list = NULL;
	size_t room = 0, n, i;

	n = list_placed(t, get_member(v, "chapters"), true, &list, 0, &room);
	n = list_placed(t, get_member(v, "pages"), false, &list, n, &room);
	sort_list(list, n, sizeof(*list), by_place);
	for (i = 0; i < n; i++) {
		struct arrival_page *p = add_item(t, parent, list[i].v, list[i].chapter ? "chapter" : "page");
		if (list[i].chapter)
			add_content(t, p, list[i].v);
	}
}

static bool
read_bookstack(struct arrival *t)
{
	struct bookstack *b = arena_alloc(t->arena, sizeof(*b));
	struct arrival_file *f = data_file(t);
	const cJSON *root, *v;
	struct arrival_page *p;
	struct str bytes;

	if (f == NULL || !source_read(t, t->arena, f, &bytes) || (root = cJSON_ParseWithLength(bytes.p, bytes.n)) == NULL) {
		t->error = "data.json cannot be read";
		return false;
	}
	f->part = true;
	*b = (struct bookstack){ map_new(t->arena), map_new(t->arena) };
	t->own = b;
	html_note_fragments(b->fragments, t->arena, bytes);
	t->table = "data.json";
	if ((v = get_member(root, "book")) != NULL) {
		t->title = json_text_of(v, "name");
		/* The book becomes the first page, with the book's description. */
		p = add_item(t, NULL, v, "book");
		p->path = "";
		if (json_text_of(v, "cover") != NULL)
			arrival_warn(t, str_of(json_text_of(v, "cover")), 0, "the cover of the book is left out");
		add_content(t, NULL, v);
	} else if ((v = get_member(root, "chapter")) != NULL) {
		t->title = json_text_of(v, "name");
		p = add_item(t, NULL, v, "chapter");
		p->path = "";
		add_content(t, NULL, v);
	} else if ((v = get_member(root, "page")) != NULL) {
		t->title = json_text_of(v, "name");
		add_item(t, NULL, v, "page");
	} else {
		t->error = "data.json has neither a book, a chapter nor a page";
		return false;
	}
	return true;
}

/* ---- texts ---- */

static struct str
keep_spelling(void *ctx, struct html *h, struct str s)
{
	(void)ctx;
	(void)h;
	return s;
}

static bool
is_linked_id(void *ctx, struct str id)
{
	const struct bookstack *b = ctx;

	return map_has(b->fragments, id);
}

/* Converts callouts, such as <p class="callout info">, to hints. */
static enum html_way
convert_element(void *ctx, struct html *h, const GumboNode *n)
{
	const char *style;

	(void)ctx;
	if (!html_has_class(n, "callout"))
		return HTML_PLAIN;
	style = html_has_class(n, "success") ? "success" : html_has_class(n, "warning") ? "warning" : html_has_class(n, "danger") ?
	    "danger" : "info";
	html_put_hint(h, style, NULL, NULL);
	buf_str(&h->out, "<p>");
	html_put_children(h, n);
	buf_str(&h->out, "</p>");
	html_end_hint(h);
	return HTML_WRITTEN;
}

static void
add_attachments(struct arrival *t, struct arrival_page *p, const cJSON *v, struct text *out)
{
	const cJSON *x;
	bool some = false;

	cJSON_ArrayForEach(x, get_member(v, "attachments")) {
		const char *name = json_text_or_empty(x, "name"), *link = json_text_of(x, "link"), *file = json_text_of(x, "file");
		if (link == NULL && file == NULL)
			continue;
		if (!some) {
			text_gap(out, 0);
			text_printf(out, 0, "## Attachments");
			text_add(out, STR(""), 0);
		}
		some = true;
		if (file != NULL && source_find(t, "files/%s", file) == NULL)
			arrival_warn(t, str_of(p->title), 0, "the attachment \"%s\" (%s) is not in the archive", name, file);
		text_printf(out, 0, "* [%s](<%s%s>)", *name != '\0' ? name : "file", file != NULL ? "/files/" : "", file != NULL ? file : link);
	}
}

static void
page_body(struct arrival *t, struct arrival_page *p, struct str bytes, struct text *out)
{
	const cJSON *v = p->own;
	const char *markdown = json_text_of(v, "markdown"), *html = json_text_of(v, "html");
	struct html_rules rules = { convert_element, keep_spelling, is_linked_id, t->own, t, page_source(p) };

	(void)bytes;
	if (html == NULL)
		html = json_text_of(v, "description_html");
	if (markdown != NULL && *markdown != '\0')
		text_read(out, t->scratch, str_of(markdown), 0, true);
	else if (html != NULL)
		html_text_convert(out, str_of(html), &rules, SIZE_MAX);
	add_attachments(t, p, v, out);
}

static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	const struct bookstack *b = t->own;
	const char *end, *colon, *hash;
	struct str ref, name;

	(void)p;
	*out = (struct arrival_target){ 0 };
	if (!str_starts(s, "[[bsexport:") || (end = memmem(s.p, s.n, "]]", 2)) == NULL)
		return false;
	ref = str_slice(s, 2, (size_t)(end - s.p));
	colon = memrchr(ref.p, ':', ref.n);
	name = str_slice(ref, (size_t)(colon - ref.p) + 1, ref.n);
	/* A query may be before the fragment. */
	hash = memchr(end, '#', (size_t)(s.p + s.n - end));
	out->fragment = hash == NULL ? "" : arena_strndup(t->scratch, hash, (size_t)(s.p + s.n - hash));
	out->page = arrival_named(t, t->scratch, ref);
	out->file = out->page != NULL ? NULL : map_get(b->files, ref);
	if (out->page == NULL && out->file == NULL)
		out->file = source_find(t, "files/%.*s", (int)name.n, name.p);
	return out->page != NULL || out->file != NULL;
}

const struct arrive_reader reader_bookstack = { .name = "bookstack", .title = "BookStack", .is = is_bookstack,
	.read = read_bookstack, .body = page_body, .target = find_target };
