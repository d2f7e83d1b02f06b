/* octavo-api: serves all paths below /v1. How a request is processed: src/http/dispatch.c. */
#include "api/routes.h"
#include "base/log.h"
#include "serve.h"

static void
handle_request(struct worker *w, struct io *io)
{
	struct req *r = arena_alloc(w->arena, sizeof(*r));

	r->io = io;
	r->arena = w->arena;
	r->db = w->db;
	r->set = w->set;
	r->app = &octavo_app;
	dispatch(r);
}

int
main(void)
{
	return serve_main("octavo-api", handle_request);
}
