/* Finds the view for a request below /app. Contract: views/views.h. */
#include <assert.h>

#include "base/json.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/url.h"
#include "view_parts.h"

/* Limits that only a bug can exceed: a page holds at most the HTML of one answer of the API. */
enum { PAGE_MOST = 512 << 20, COOKIES_MOST = 16 << 10 };

static const struct view_row {
	enum method method;
	const char *path;
	void      (*show)(struct view *v);
} rows[] = {
#define VIEW(method, path, function) { method, path, function },
#include "views.def"
#undef VIEW
};

/* The path below OCTAVO_URL, from "/app" on; n 0: it is not one of our paths. */
static struct str
request_path(struct io *io, const struct settings *set)
{
	const char *uri = io->param(io, "REQUEST_URI");

	if (uri == NULL)
		return (struct str){ "", 0 };
	return url_below(set, io->param(io, "SCRIPT_NAME"), (struct str){ uri, strcspn(uri, "?") }, "/app");
}

bool
views_own(struct io *io, const struct settings *set)
{
	return request_path(io, set).n > 0;
}

/*
 * True if the path has the form of the pattern, segment by segment: ":" stands for any segment. The
 * segments in its place become v->ids, decoded, in their order.
 */
static bool
has_form(struct view *v, const char *pattern)
{
	const char *p = v->path;
	size_t count = 0, n;

	memset(v->ids, 0, sizeof(v->ids));

	for (; *pattern != '\0'; pattern++, p += n) {
		n = 1;
		if (*pattern != ':') {
			if (*p != *pattern)
				return false;
			continue;
		}
		n = strcspn(p, "/");
		assert(count < sizeof(v->ids) / sizeof(v->ids[0]));
		v->ids[count] = n > 0 ? url_decode(v->arena, (struct str){ p, n }, false) : NULL;
		if (v->ids[count++] == NULL)
			return false;
	}
	return *p == '\0';
}

/* The view for this path and method; NULL: none, and v->allow names the methods of the path. */
static const struct view_row *
find_view(struct view *v)
{
	const char *allow = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!has_form(v, rows[i].path))
			continue;
		if (rows[i].method == v->method)
			return &rows[i];
		if (rows[i].method == M_GET)
			allow = "GET, HEAD";
		else
			allow = allow != NULL ? "GET, HEAD, POST" : "POST";
	}
	v->allow = allow;
	return NULL;
}

/* The query of the request, from "?" on; "": it has none. */
static const char *
request_query(const struct view *v)
{
	const char *query = strchr(v->io->param(v->io, "REQUEST_URI"), '?');

	return query != NULL ? query : "";
}

/* The address to which a form is sent is that of the page that contains it, and one segment more. */
static const char *
page_of_form(struct view *v)
{
	const char *last = strrchr(v->path, '/');

	return last != NULL ? arena_strndup(v->arena, v->path, (size_t)(last - v->path)) : "";
}

/* The address to return to after sign-in: this page with its query, or for a form the page that contains it. */
static const char *
address_after_sign_in(struct view *v)
{
	if (v->method == M_POST)
		return strrchr(v->path, '/') > v->path ? page_of_form(v) : v->path;
	return arena_printf(v->arena, "%s%s", v->path, request_query(v));
}

/*
 * Leads from the address of a form to the page that contains it. A form that was refused is shown again at
 * its own address, where people load the page again, and where its links "?reply=ID" lead.
 */
static void
go_to_page_of_form(struct view *v)
{
	v->allow = NULL;
	go_to(v, arena_printf(v->arena, "%s%s", page_of_form(v), request_query(v)));
}

static void
begin_view(struct view *v)
{
	const char *id = v->io->param(v->io, "REQUEST_ID");
	struct str path = request_path(v->io, v->set);

	v->id = id != NULL && *id != '\0' ? id : secret_id(v->arena);
	log_id(v->id);
	path = str_slice(path, 4, path.n);
	/* People also type /app with a slash at the end. */
	v->path = str_is(path, "/") ? "" : arena_strndup(v->arena, path.p, path.n);
	v->status = 200;
	buf_init(&v->body, v->arena, PAGE_MOST);
	buf_init(&v->cookies, v->arena, COOKIES_MOST);
	buf_str(&v->cookies, "");
	h_init(&v->h, &v->body);
	form_begin_view(v);
	v->back = *v->path == '\0' && v->method == M_POST ? "" : address_after_sign_in(v);
}

/* True if the installation has this view: OCTAVO_APP=0 leaves those of sign-in and the account. */
static bool
is_enabled(const struct view *v)
{
	return v->set->app || (!str_starts(str_of(v->path), "/orgs/") && !str_starts(str_of(v->path), "/spaces/"));
}

/* A page of the provider sends its response, which is signed and belongs to a sign-in, not to a session. */
static bool
is_of_other_site(const struct view_row *row)
{
	return row->show == take_saml_response;
}

static void
show_view(struct view *v)
{
	const struct view_row *row = is_enabled(v) ? find_view(v) : NULL;

	if (row != NULL && v->method == M_POST && !(is_of_other_site(row) ? form_read(v) : form_check(v)))
		return;
	if (row != NULL)
		row->show(v);
	else if (v->allow != NULL && v->method == M_GET)
		go_to_page_of_form(v);
	else if (v->allow != NULL)
		page_error(v, 405, view_say(v, SAY_FAILED), view_say(v, SAY_NO_DIRECT));
	else
		page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NOT_FOUND_HELP));
}

void
views_handle(struct io *io, struct arena *a, struct db *db, const struct settings *set,
    const struct views_setup *setup)
{
	struct view *v = arena_alloc(a, sizeof(*v));

	v->io = io;
	v->arena = a;
	v->db = db;
	v->set = set;
	v->setup = setup;
	begin_view(v);
	json_arena(a);
	if (!send_asset(v)) {
		if (!find_kept_page(v))
			show_view(v);
		send_view(v);
		keep_page(v);
	}
	json_arena(NULL);
	log_id(NULL);
}
