/*
 * Serves diagrams, which a script that the admin provides (OCTAVO_MERMAID) draws in a frame without
 * the site's origin:
 *
 *   ~diagram              the frame, which takes the source of its diagram from the fragment of its address
 *   ~diagram/mermaid.js   the admin's script
 *
 * The script is not part of Octavo, and its input is written by authors. So the frame has its own
 * content security policy: the script can access neither the page, nor the reader's cookies, nor
 * the network.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/assets.h"
#include "base/file.h"
#include "reader_parts.h"

/* SCRIPT_MOST: bytes of the script, many times those of Mermaid. HOUR: seconds until a browser asks for it again. */
enum { SCRIPT_MOST = 32 << 20, HOUR = 3600 };

static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";

static bool
has_script(const struct settings *set, struct stat *st)
{
	return *set->mermaid != '\0' && stat(set->mermaid, st) == 0 && S_ISREG(st->st_mode) && st->st_size <= SCRIPT_MOST;
}

const char *
diagram_frame(struct view *s)
{
	struct stat st;

	/* A copy has no program that serves the script, and feeds are read elsewhere. */
	return s->w->copy || s->absolute || !has_script(s->w->set, &st) ? NULL : view_own(s, "~diagram");
}

static void
send_bytes(struct answer *w, const char *type, const char *more, struct str bytes)
{
	/*
	 * The frame has no origin, so its script is a cross-origin resource (Fetch,
	 * "Cross-Origin-Resource-Policy").
	 */
	buf_printf(&w->h, "Status: 200 OK\r\nContent-Type: %s; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
	    "Cross-Origin-Resource-Policy: cross-origin\r\nReferrer-Policy: no-referrer\r\nX-Robots-Tag: noindex\r\n"
	    "Cache-Control: public, max-age=%d\r\n%sContent-Length: %zu\r\n\r\n", type, HOUR, more, bytes.n);
	w->io->write(w->io, w->h.p, w->h.n);
	if (!w->head)
		w->io->write(w->io, bytes.p, bytes.n);
}

static void
send_frame(struct answer *w)
{
	const char *glue = asset_name(w->arena, asset_find("site/diagram.js"));
	struct str page = str_of(arena_printf(w->arena, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Diagram</title>"
	    "<style>body{margin:0;padding:.5rem;background:#fff;color:#111;text-align:center}svg{max-width:100%%;height:auto}</style>"
	    "<div id=\"diagram\"></div><script src=\"~diagram/mermaid.js\"></script><script src=\"~asset/%s\"></script></html>\n",
	    glue + strlen("site/")));

	send_bytes(w, "text/html", arena_printf(w->arena, "Content-Security-Policy: %s\r\n", policy), page);
}

bool
serve_diagram(struct answer *w, const char *rest)
{
	struct str bytes;
	struct stat st;

	if (!has_script(w->set, &st))
		return false;
	if (*rest == '\0') {
		send_frame(w);
		return true;
	}
	if (strcmp(rest, "/mermaid.js") != 0 || !file_read(w->arena, w->set->mermaid, &bytes))
		return false;
	send_bytes(w, "text/javascript", "", bytes);
	return true;
}
