/*
 * Makes preview pictures of pages, which other services show beside links
 * (reader/preview_picture.h). A picture is made on its first request, and cached under a hash of
 * all its inputs: the content and this build. The hash is part of the address, so services that
 * cache pictures by address load a changed picture.
 *
 * Only for public sites, because other services cannot load any others.
 */
#include <limits.h>
#include <unistd.h>

#include "base/build.h"
#include "base/child.h"
#include "base/kept.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/url.h"
#include "reader_parts.h"
#include "reader/preview_picture.h"

enum {
	SECONDS = 8,            /* limit per picture; it usually takes a tenth of a second */
	MEMORY = 512 << 20,
	REST_MS = 30000,        /* pause after a failure */
	KEPT_IN_FOLDER = 100,   /* per folder, of 256 */
	NAME = 16,              /* hex digits of the hash in an address */
	PLACES = 8              /* titles above the page's */
};

/* One picture: the program's input lines, and its output. */
struct picture_job {
	const char  *program;
	struct str   lines;
	struct buf   base64;
};

/* Write text as one line: line ends become blanks, and it is cut between two characters. */
static void
write_line(struct buf *b, const char *text)
{
	size_t n = text != NULL ? strlen(text) : 0, i;

	if (n > PICTURE_LINE - 2)
		for (n = PICTURE_LINE - 2; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			;
	for (i = 0; i < n; i++)
		buf_char(b, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
	buf_char(b, '\n');
}

/* Titles of the page's ancestors, from the top. */
static const char *
ancestor_titles(struct view *s, const struct page *p)
{
	const struct page *up[PLACES];
	struct buf b;
	int n = 0;

	while (n < PLACES && *p->node.parent != '\0' && (p = view_page(s, p->node.parent)) != NULL)
		up[n++] = p;
	buf_init(&b, s->arena, 1 << 20);
	buf_str(&b, "");
	while (n-- > 0)
		buf_printf(&b, "%s%s", b.n > 0 ? " / " : "", page_label(s, up[n]));
	return b.p;
}

/* All inputs of a picture. */
static struct str
input_lines(struct view *s, const struct page *p, const char *about)
{
	struct buf b;

	buf_init(&b, s->arena, PICTURE_LINES * PICTURE_LINE);
	write_line(&b, s->tag);
	write_line(&b, s->rtl ? "rtl" : "ltr");
	write_line(&b, s->look->primary.light);
	write_line(&b, view_title(s));
	write_line(&b, ancestor_titles(s, p));
	write_line(&b, page_title(s, p));
	write_line(&b, about);
	return buf_view(&b);
}

static const char *
cache_key(struct view *s, struct str lines)
{
	return hex(s->arena, hash_of(s->arena, str_of(arena_printf(s->arena, "%s\n%.*s", octavo_build, (int)lines.n, lines.p))));
}

const char *
picture_href(struct view *s, const struct page *p, const char *about)
{
	const char *page;
	size_t n = strlen(s->v.site.address);

	if (p == NULL || s->v.space == NULL || !view_shared(s))
		return NULL;
	page = visit_below(&s->v, s->v.space, p->path);
	/* Absolute, since services fetch it, and below the site, whose visibility applies. */
	return strncmp(page, s->v.site.address, n) != 0 ? NULL : arena_printf(s->arena, "%s~picture/%.*s/%s.png",
	    s->v.site.address, NAME, cache_key(s, input_lines(s, p, about)), page + n);
}

/*
 * Runs in the child (child_run): becomes the program. The pipe is large enough for all input lines.
 */
static int
run_drawer(void *ctx, int out)
{
	const struct picture_job *d = ctx;
	int in[2];

	if (pipe(in) != 0 || write(in[1], d->lines.p, d->lines.n) != (ssize_t)d->lines.n)
		return 126;
	close(in[1]);
	if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		return 126;
	execl(d->program, d->program, (char *)NULL);
	return 127;
}

static void
take_base64(void *ctx, char *text)
{
	struct picture_job *d = ctx;
	size_t n = strlen(text);

	/* Output that is too long fails below as damaged. */
	if (d->base64.n + n < PICTURE_MAX)
		buf_add(&d->base64, text, n);
}

/* Make the PNG; false on failure. */
static bool
draw_picture(struct view *s, struct str lines, struct str *png)
{
	static int64_t rests_until;     /* of time_steady() */
	char path[PATH_MAX];
	struct picture_job d = { .program = path, .lines = lines };
	struct child_result r;

	if (time_steady() < rests_until || !child_beside("picture", path))
		return false;
	buf_init(&d.base64, s->arena, PICTURE_MAX + 1);
	buf_str(&d.base64, "");
	r = child_run(&(struct child_job){ .run = run_drawer, .line = take_base64, .ctx = &d, .seconds = SECONDS, .memory = MEMORY });
	if (r.end == CHILD_EXITED && r.code == 0 && base64_read(s->arena, buf_view(&d.base64), png) && png->n > 0)
		return true;
	/* Wait before the next try: on a machine without fonts, the program would fail again for each page. */
	rests_until = time_steady() + REST_MS;
	log_line("octavo-picture failed (%d, %d): pages have no pictures", (int)r.end, r.code);
	return false;
}

/*
 * Serves HASH/PATH.png, PATH being a page that the visitor sees. For an old hash serve the present
 * picture.
 */
void
serve_picture(struct view *s, const char *hash, const struct frame *f)
{
	struct str lines = input_lines(s, f->page, frame_about(s, f));
	const char *key = cache_key(s, lines);
	struct body b = { .type = "image/png", .index = s->v.site.indexed,
		.immutable = strncmp(hash, key, NAME) == 0 && hash[NAME] == '\0' };

	if (!kept_get(s->arena, s->w->set->dir, "pictures", key, &b.bytes)) {
		if (!draw_picture(s, lines, &b.bytes)) {
			write_refusal(s->w, 503, "Service Unavailable");
			return;
		}
		kept_put(s->arena, s->w->set->dir, "pictures", key, b.bytes, KEPT_IN_FOLDER);
	}
	send_body(s, &b);
}
