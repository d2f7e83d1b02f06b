/*
 * octavo-api: serves all paths below /v1, and the pages below /app. How a request is processed:
 * src/http/dispatch.c, include/views/views.h.
 */
#include "api/routes.h"
#include "app/assets.h"
#include "base/log.h"
#include "serve.h"
#include "views/views.h"

static struct req *
new_request(struct worker *w, struct io *io)
{
	struct req *r = arena_alloc(w->arena, sizeof(*r));

	r->io = io;
	r->arena = w->arena;
	r->db = w->db;
	r->set = w->set;
	r->app = &octavo_app;
	return r;
}

static struct views_file
file_of(struct worker *w, const char *name)
{
	const struct asset *a = asset_find(name);

	return (struct views_file){ asset_name(w->arena, a), asset_bytes(a) };
}

static void
show_view(struct worker *w, struct io *io)
{
	struct views_setup setup = { .app = &octavo_app, .style = file_of(w, "app/app.css"), .icon = file_of(w, "app/icon.svg"), .script = file_of(w, "app/edit.js"),
		.passkey = file_of(w, "app/passkey.js"), .review = file_of(w, "app/review.js"), .tree = file_of(w, "app/tree.js"),
		.editor = file_of(w, "app/editor.js"), .editor_style = file_of(w, "app/editor.css") };

	views_handle(io, w->arena, w->db, w->set, &setup);
}

static void
handle_request(struct worker *w, struct io *io)
{
	/* On the hostname of a site /app is a page of the site: the dispatcher passes it on. */
	if (views_own(io, w->set) && !is_other_host(new_request(w, io)))
		show_view(w, io);
	else
		dispatch(new_request(w, io));
}

int
main(void)
{
	return serve_main("octavo-api", handle_request);
}
