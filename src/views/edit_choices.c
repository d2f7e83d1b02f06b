/*
 * What the editor of a text completes: pages, headings, files, reusable contents, API descriptions, their operations,
 * and people, found by a part of their name. The answer is a list for the script (src/views/editor.js), each item with the
 * Markdown that it writes. Contract: space_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "base/utf8.h"
#include "space_parts.h"

enum { CHOICES_MOST = 12 };

struct choices {
	struct view       *v;
	struct shown_space s;
	const char        *query;   /* as it was typed */
	const char        *folded;
	size_t             count;
};

/* Reads a part of the content that is edited: of the space, or of its change request. */
static struct call
ask_content(const struct choices *c, const char *part)
{
	return ask_api(c->v, "GET", arena_printf(c->v->arena, "%s%s%s", path_of_ids(c->v, "/spaces/%s", c->s.id), c->s.at, part), NULL);
}

static bool
is_found(const struct choices *c, const char *name)
{
	return c->count < CHOICES_MOST && strstr(utf8_casefold(c->v->arena, str_of(name)), c->folded) != NULL;
}

static void
write_choice(struct choices *c, const char *markdown, const char *label, const char *detail)
{
	h_el(&c->v->h, "li", "data-markdown", markdown, "data-detail", detail, NULL);
	h_text(&c->v->h, *label != '\0' ? label : view_say(c->v, SAY_UNTITLED));
	h_close(&c->v->h);
	c->count++;
}

/* A part of the content that the server searches, by what was typed. */
static struct call
find_content(const struct choices *c, const char *part)
{
	return ask_content(c, arena_printf(c->v->arena, "%s?metadata=false%s%s", part, *c->query != '\0' ? "&find=" : "",
	    url_segment(c->v->arena, str_of(c->query))));
}

/* Writes the pages that the query finds; without a query, the pages at the top of the tree. */
static void
write_found_pages(struct choices *c)
{
	struct call got = *c->query != '\0' ? find_content(c, "/pages") : ask_content(c, "/pages?metadata=false&open=-");
	const cJSON *page;

	cJSON_ArrayForEach(page, json_member(got.answer, "pages"))
		if (strcmp(json_text_or_empty(page, "type"), "document") == 0 && c->count < CHOICES_MOST)
			write_choice(c, arena_printf(c->v->arena, "/pages/%s", json_text_or_empty(page, "id")), json_text_or_empty(page, "title"),
			    json_text_or_empty(page, "path"));
}

/* The headings of a page: of the one that the query names before "#", or of the edited one. */
static void
write_headings(struct choices *c, const char *edited)
{
	static const char pages[] = "/pages/";
	size_t before = strcspn(c->query, "#");
	const char *page = edited, *prefix = arena_strndup(c->v->arena, c->query, before + 1);
	const cJSON *heading;
	struct call got;

	if (before > 0 && strncmp(c->query, pages, strlen(pages)) != 0)
		return;
	if (before > 0)
		page = arena_strndup(c->v->arena, c->query + strlen(pages), before - strlen(pages));
	c->folded = utf8_casefold(c->v->arena, str_of(c->query + before + 1));
	got = ask_content(c, path_of_ids(c->v, "/page/%s/html", page));
	cJSON_ArrayForEach(heading, json_member(got.answer, "outline")) {
		const char *anchor = json_text_or_empty(heading, "anchor"), *title = json_text_or_empty(heading, "title");

		if (is_found(c, title) || is_found(c, anchor))
			write_choice(c, arena_printf(c->v->arena, "%s%s", prefix, anchor), title, NULL);
	}
}

/* Writes items of a list of the API whose names match. format: makes the Markdown from an item's id (printf). */
static void
write_items(struct choices *c, const cJSON *items, const char *name, const char *format, const char *id)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, items) {
		const char *label = json_text_or_empty(item, name);

		if (is_found(c, label))
			write_choice(c, arena_printf(c->v->arena, "%s%s", format, json_text_or_empty(item, id)), label, NULL);
	}
}

/*
 * The part of a file's address that does not change: its space and the hash of its bytes. NULL: it is no such address
 * (docs/design/security.md). A picture that is pasted from a page has it.
 */
static const char *
lasting_part(struct arena *a, const char *address)
{
	const char *from = strstr(address, "/~files/"), *to = from;

	for (int slashes = 0; to != NULL && slashes < 4; slashes++)
		to = strchr(to + (slashes > 0), '/');
	return to == NULL ? NULL : arena_strndup(a, from, (size_t)(to + 1 - from));
}

/* Files by a part of their name, or the one with an address. */
static void
write_files(struct choices *c)
{
	const char *address = lasting_part(c->v->arena, c->query), *name = strrchr(c->query, '/');
	struct call got;
	const cJSON *file;

	if (address != NULL && (c->query = url_decode(c->v->arena, str_of(name + 1), false)) == NULL)
		return;
	got = find_content(c, "/files");
	cJSON_ArrayForEach(file, json_member(got.answer, "items"))
		if (c->count < CHOICES_MOST && (address == NULL || strstr(json_text_or_empty(file, "downloadURL"), address) != NULL))
			write_choice(c, arena_printf(c->v->arena, "/files/%s", json_text_or_empty(file, "id")), json_text_or_empty(file, "name"),
			    json_text_of(file, "description"));
}

static void
write_reusable(struct choices *c)
{
	struct call got = ask_content(c, arena_printf(c->v->arena, "?metadata=false&find=%s", url_segment(c->v->arena, str_of(c->query))));

	write_items(c, json_member(got.answer, "reusableContents"), "title", "/reusable-contents/", "id");
}

static void
write_specs(struct choices *c)
{
	struct call got = ask_api(c->v, "GET", path_of_ids(c->v, "/orgs/%s/openapi?limit=100", json_text_or_empty(c->s.space, "organization")), NULL);

	write_items(c, json_member(got.answer, "items"), "slug", "", "slug");
}

/*
 * The operations of a description: its slug is in the query before "#". The script writes the path, and the method
 * after it.
 */
static void
write_operations(struct choices *c)
{
	const char *rest = strchr(c->query, '#');
	const cJSON *one;
	struct call got;

	if (rest == NULL)
		return;
	got = ask_api(c->v, "GET", path_of_ids(c->v, "/orgs/%s/openapi/%s/versions/latest/operations?limit=12&find=%s",
	    json_text_or_empty(c->s.space, "organization"), arena_strndup(c->v->arena, c->query, (size_t)(rest - c->query)), rest + 1), NULL);
	cJSON_ArrayForEach(one, json_member(got.answer, "items")) {
		const char *method = json_text_or_empty(one, "method"), *path = json_text_or_empty(one, "path");
		const char *label = arena_printf(c->v->arena, "%s %s", method, path), *title = json_text_or_empty(one, "title");

		write_choice(c, arena_printf(c->v->arena, "%s\" method=\"%s", path, method), label, strcmp(title, label) != 0 ? title : NULL);
	}
}

static void
write_people(struct choices *c)
{
	struct call got = ask_api(c->v, "GET", path_of_ids(c->v, "/orgs/%s/members?limit=12&search=%s",
	    json_text_or_empty(c->s.space, "organization"), c->query), NULL);
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(got.answer, "items")) {
		const cJSON *user = json_member(one, "user");
		const char *name = json_text_or_empty(user, "displayName");
		char *label = arena_strdup(c->v->arena, name);

		for (char *p = label; *p != '\0'; p++)
			if (strchr("[]\\`*_<>", *p) != NULL)
				*p = ' ';
		write_choice(c, arena_printf(c->v->arena, "[%s](/users/%s \"mention\")", label, json_text_or_empty(user, "id")), name, NULL);
	}
}

static void
write_kind(struct choices *c, const char *kind, const char *edited)
{
	if (strcmp(kind, "link") == 0 && strchr(c->query, '#') != NULL)
		write_headings(c, edited);
	if (strcmp(kind, "link") == 0 || strcmp(kind, "page") == 0)
		write_found_pages(c);
	if (strcmp(kind, "link") == 0 || strcmp(kind, "file") == 0)
		write_files(c);
	if (strcmp(kind, "include") == 0)
		write_reusable(c);
	if (strcmp(kind, "spec") == 0)
		write_specs(c);
	if (strcmp(kind, "operation") == 0)
		write_operations(c);
	if (strcmp(kind, "person") == 0)
		write_people(c);
}

static void
answer_choices(struct view *v, const char *at)
{
	const char *kind = query_value(v, "kind"), *query = query_value(v, "q"), *page = query_value(v, "page");
	struct choices c = { .v = v, .query = query != NULL ? query : "" };

	if (!open_space(v, &c.s, NULL, at, NULL))
		return;
	c.folded = utf8_casefold(v->arena, str_of(c.query));
	buf_str(&v->body, "<!doctype html>\n");
	h_el(&v->h, "ul", "id", "choices", NULL);
	write_kind(&c, kind != NULL ? kind : "", page != NULL ? page : "");
	h_close(&v->h);
}

/* GET /app/spaces/ID/choices?kind=KIND&q=QUERY&page=PAGE */
void
show_choices(struct view *v)
{
	answer_choices(v, NULL);
}

/* GET /app/spaces/ID/requests/ID/choices?kind=KIND&q=QUERY&page=PAGE */
void
show_request_choices(struct view *v)
{
	answer_choices(v, path_of_ids(v, "/change-requests/%s/content", v->ids[1]));
}
