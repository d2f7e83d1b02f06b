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

static void
show_view(struct worker *w, struct io *io)
{
	const struct asset *style = asset_find("app/app.css");
	struct views_setup setup = { .app = &octavo_app, .style_name = asset_name(w->arena, style), .style = asset_bytes(style) };

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
