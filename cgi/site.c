/* octavo-site: published sites, downloads of files (src/site). */
#include "base/log.h"
#include "serve.h"
#include "site/site.h"

static void
handle(struct worker *w, struct io *io)
{
	site_handle(io, w->arena, w->db, w->set);
}

int
main(void)
{
	log_program("octavo-site");
	return serve_main(handle);
}
