/*
 * Embedded pages of other sites: frames for hosts that the site allows, links for all others. A
 * frame is sandboxed to the origin of its host, and the page's policy lists the allowed hosts
 * (reader/answer.c).
 */
#include "render/frame.h"
#include "render_parts.h"

/*
 * Addresses that people copy from a browser cannot be shown in a frame: the address of the
 * service's player is used. The id is the part of the path up to the next "/", "?", "&" or "#".
 */
static const struct {
	const char *host, *before, *frame, *path;
} players[] = {
	{ "www.youtube.com", "/watch?v=", "www.youtube-nocookie.com", "/embed/" },
	{ "www.youtube.com", "/watch?v=", "www.youtube.com", "/embed/" },
	{ "youtube.com", "/watch?v=", "www.youtube-nocookie.com", "/embed/" },
	{ "youtube.com", "/watch?v=", "www.youtube.com", "/embed/" },
	{ "youtu.be", "/", "www.youtube-nocookie.com", "/embed/" },
	{ "youtu.be", "/", "www.youtube.com", "/embed/" },
	{ "vimeo.com", "/", "player.vimeo.com", "/video/" },
	{ "www.loom.com", "/share/", "www.loom.com", "/embed/" },
	{ "loom.com", "/share/", "www.loom.com", "/embed/" },
};

/* True if the host is in the list, which is separated by blanks. */
static bool
host_is_allowed(const char *hosts, struct str host)
{
	size_t n;

	for (; hosts != NULL && *hosts != '\0'; hosts += n + strspn(hosts + n, " ")) {
		n = strcspn(hosts, " ");
		if (n == host.n && memcmp(hosts, host.p, n) == 0)
			return true;
	}
	return false;
}

/* The player address of a service; NULL: the service is unknown, or its host is not allowed. */
static const char *
player_address(struct arena *a, const char *hosts, struct str host, const char *path)
{
	for (size_t i = 0; i < sizeof(players) / sizeof(players[0]); i++) {
		size_t n = strlen(players[i].before);
		const char *id = path + n;
		size_t len;
		if (!str_is(host, players[i].host) || strncmp(path, players[i].before, n) != 0 ||
		    !host_is_allowed(hosts, str_of(players[i].frame)))
			continue;
		len = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
		/* More path means another kind of address: a list, a channel. */
		if (len > 0 && (id[len] == '\0' || strchr("?&#", id[len]) != NULL))
			return arena_printf(a, "https://%s%s%.*s", players[i].frame, players[i].path, (int)len, id);
	}
	return NULL;
}

/* Address to frame; NULL if its host is not allowed. */
static const char *
frame_address(struct arena *a, const char *hosts, const char *url)
{
	struct str host;
	const char *path, *known;

	/*
	 * Only https addresses without user and port are shown in frames, because the policy names
	 * hosts with their default port.
	 */
	if (url == NULL || strncmp(url, "https://", 8) != 0 || !h_url_safe(url))
		return NULL;
	host = (struct str){ url + 8, strcspn(url + 8, "/?#") };
	path = host.p + host.n;
	if ((known = player_address(a, hosts, host, path)) != NULL)
		return known;
	return host_is_allowed(hosts, host) ? url : NULL;
}

const char *
render_frame(struct render *r, const char *url)
{
	return frame_address(r->arena, r->env->frames, url);
}

static void
write_frame(struct html *h, const char *frame, const char *title, const char *style)
{
	h_open(h, "iframe");
	h_url(h, "src", frame);
	/* Screen readers announce the title (WCAG 4.1.2). */
	h_attr(h, "title", title);
	h_attr(h, "loading", "lazy");
	h_attr(h, "allow", "fullscreen");
	/*
	 * The sandbox keeps it from navigating this page. It keeps its host's origin, which players
	 * need.
	 */
	h_attr(h, "sandbox", "allow-scripts allow-same-origin allow-popups allow-forms allow-presentation");
	if (style != NULL)
		h_attr(h, "style", style);
	h_close(h);
}

struct str
frame_html(struct arena *a, const char *hosts, const char *url, const char *title)
{
	const char *frame = frame_address(a, hosts, url);
	struct html h;
	struct buf b;

	if (frame == NULL)
		return (struct str){ NULL, 0 };
	buf_init(&b, a, 64 << 10);
	h_init(&h, &b);
	/* Inline styles: this is shown without our style sheet. */
	write_frame(&h, frame, title, "width:100%;aspect-ratio:16/9;border:0");
	return buf_view(&b);
}

/* Writes the frame with its address below: for print, and if the frame stays empty. */
void
render_framed(struct render *r, const char *frame, const char *url, const char *title)
{
	write_frame(&r->h, frame, title, NULL);
	h_open(&r->h, "p");
	h_open(&r->h, "a");
	h_url(&r->h, "href", url);
	render_away(r);
	h_text(&r->h, url);
	h_close(&r->h);
	h_close(&r->h);
}
