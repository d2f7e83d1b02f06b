/* Images, files, embedded pages, cards. */
#include <stdlib.h>

#include "render_parts.h"

/* Width or height in pixels: a JSON number or text, else `fallback`; NULL: none. */
static const char *
read_pixels(struct render *r, const cJSON *size, const char *name, int fallback)
{
	double n = json_number_of(size, name, 0);

	if (n == 0 && json_text_of(size, name) != NULL && strspn(json_text_of(size, name), "0123456789") ==
	    strlen(json_text_of(size, name)))
		n = strtod(json_text_of(size, name), NULL);
	/* Sizes beyond any screen are mistakes. */
	if (n < 1 || n > 20000)
		n = fallback;
	return n >= 1 ? arena_printf(r->arena, "%d", (int)n) : NULL;
}

/*
 * Writes width and height, so that the browser reserves the space while the picture loads. If the
 * author gives only one of them, the other is computed from the proportions of the file.
 */
static void
image_size_attrs(struct render *r, const cJSON *size, const struct render_link *to)
{
	const char *w = read_pixels(r, size, "width", 0), *h = read_pixels(r, size, "height", 0);

	if (to->width > 0 && to->height > 0 && (w == NULL) != (h == NULL)) {
		if (w != NULL)
			h = arena_printf(r->arena, "%d", (int)(strtod(w, NULL) * to->height / to->width + 0.5));
		else
			w = arena_printf(r->arena, "%d", (int)(strtod(h, NULL) * to->width / to->height + 0.5));
	} else if (w == NULL && h == NULL && to->width > 0) {
		w = arena_printf(r->arena, "%d", to->width);
		h = arena_printf(r->arena, "%d", to->height);
	}
	h_attr(&r->h, "width", w);
	h_attr(&r->h, "height", h);
}

/*
 * The width at which the style sheet displays a picture of the text: the author's width, otherwise
 * the width of the text on a page without outline. Browsers that support "auto" compute it
 * themselves for pictures that load later.
 */
static const char *
shown_width(struct render *r, const char *width)
{
	const char *most = width != NULL ? arena_printf(r->arena, "%spx", width) : r->broad ? "70rem" : "61rem";

	return arena_printf(r->arena, "%s(max-width: %s) 100vw, %s", r->images > 0 ? "auto, " : "",
	    width != NULL ? most : "55rem", most);
}

/*
 * A browser chooses the variant that fits its screen, or the original if it does not support WebP.
 */
static void
write_variants(struct render *r, const char *variants, const char *sizes)
{
	h_void(&r->h, "source");
	h_attr(&r->h, "type", "image/webp");
	h_attr(&r->h, "srcset", variants);
	h_attr(&r->h, "sizes", sizes);
}

/*
 * Always write alt: without it screen readers read the file's address (WCAG 1.1.1). alt NULL: the description of the
 * file, if it has one.
 */
static void
one_image(struct render *r, const struct render_link *to, const char *alt, const cJSON *size, const char *class)
{
	if (to->variants != NULL) {
		h_open(&r->h, "picture");
		write_variants(r, to->variants, r->sizes != NULL ? r->sizes : shown_width(r, read_pixels(r, size, "width", 0)));
	}
	h_void(&r->h, "img");
	h_url(&r->h, "src", to->href);
	h_attr(&r->h, "alt", alt != NULL ? alt : to->about != NULL ? to->about : "");
	h_attr(&r->h, "class", class);
	image_size_attrs(r, size, to);
	/*
	 * The first picture is probably visible and the largest element: load it at once, before
	 * scripts.
	 */
	if (r->images++ > 0)
		h_attr(&r->h, "loading", "lazy");
	else
		h_attr(&r->h, "fetchpriority", "high");
	h_attr(&r->h, "decoding", "async");
	if (to->variants != NULL)
		h_close(&r->h);
}

bool
render_image(struct render *r, const cJSON *ref, const cJSON *dark, const char *alt, const cJSON *size)
{
	struct render_link to, dark_link;
	/* Both pictures are written, and the style sheet shows one: the server does not know the theme. */
	bool has_dark = dark != NULL && render_target(r, dark, &dark_link);

	if (!render_target(r, ref, &to)) {
		if (alt != NULL)
			h_leaf(&r->h, "span", "broken", alt);
		return false;
	}
	/* The first picture of the page is shown in link previews (og:image). */
	if (r->r->image == NULL)
		r->r->image = to.href;
	one_image(r, &to, alt, size, has_dark ? "day" : NULL);
	if (has_dark)
		one_image(r, &dark_link, alt, size, "night");
	return true;
}

/* Write the node's caption into the open figure. */
static void
figure_caption(struct render *r, const cJSON *node)
{
	const cJSON *caption = node_fragment(node, "caption");

	if (caption == NULL || *render_plain(r->arena, caption) == '\0')
		return;
	h_open(&r->h, "figcaption");
	render_blocks(r, json_member(caption, "nodes"));
	h_close(&r->h);
}

void
render_picture(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);

	h_open(&r->h, "figure");
	render_image(r, json_member(d, "ref"), json_member(d, "refDark"), json_text_of(d, "alt"), d);
	figure_caption(r, node);
	h_close(&r->h);
}

/* One picture, or several side by side; alignment and width are classes. */
void
render_images(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);
	const char *align = json_text_of(d, "align");

	h_el(&r->h, "div", "class", arena_printf(r->arena, "pics%s%s%s",
	    same_text(align, "left") ? " left" : same_text(align, "right") ? " right" : "",
	    json_flag_of(d, "fullWidth") ? " wide" : "", json_flag_of(d, "withFrame") ? " frame" : ""), NULL);
	r->broad = json_flag_of(d, "fullWidth");
	render_blocks(r, json_member(node, "nodes"));
	r->broad = false;
	h_close(&r->h);
}

/* A drawing is shown as its stored picture. */
void
render_drawing(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);

	h_el(&r->h, "div", "class", "pics", NULL);
	h_open(&r->h, "figure");
	render_image(r, json_member(d, "ref"), NULL, json_text_of(d, "alt"), NULL);
	h_close(&r->h);
	h_close(&r->h);
}

/* ---- cards ---- */

static const char *
bytes_text(struct render *r, int64_t n)
{
	/* Decimal units, as SI defines kB and MB. */
	if (n < 1000)
		return arena_printf(r->arena, "%d B", (int)n);
	if (n < 1000000)
		return arena_printf(r->arena, "%.0f kB", (double)n / 1000);
	return arena_printf(r->arena, "%.1f MB", (double)n / 1000000);
}

/* Write a link as a block: a title and a line below it. */
static void
write_card(struct render *r, const struct render_link *to, const char *title, const char *below, const char *class)
{
	h_open(&r->h, "a");
	h_attr(&r->h, "class", class);
	h_url(&r->h, "href", to->href);
	if (to->external)
		render_away(r);
	h_open(&r->h, "strong");
	if (to->emoji != NULL) {
		h_text(&r->h, to->emoji);
		h_text(&r->h, " ");
	}
	h_text(&r->h, title);
	h_close(&r->h);
	if (below != NULL && *below != '\0')
		h_leaf(&r->h, "span", NULL, below);
	h_close(&r->h);
}

/* A card that downloads the file, with its size if known. */
void
render_file(struct render *r, const cJSON *node)
{
	struct render_link to;

	h_open(&r->h, "figure");
	if (render_target(r, json_member(data_of(node), "ref"), &to))
		write_card(r, &to, to.title != NULL ? to.title : say(r, TEXT_DOWNLOAD),
		    to.bytes >= 0 ? bytes_text(r, to.bytes) : NULL, "ref file");
	else
		h_leaf(&r->h, "span", "broken", to.title != NULL ? to.title : say(r, TEXT_BROKEN));
	figure_caption(r, node);
	h_close(&r->h);
}

/* A block that links to a page, with its title and description. */
void
render_card(struct render *r, const cJSON *node)
{
	struct render_link to;

	if (!render_target(r, json_member(data_of(node), "ref"), &to)) {
		h_leaf(&r->h, "p", "broken", to.title != NULL ? to.title : say(r, TEXT_BROKEN));
		return;
	}
	write_card(r, &to, to.title != NULL && *to.title != '\0' ? to.title : to.href,
	    to.about != NULL ? to.about : to.external ? to.href : NULL, "ref");
}

/*
 * Shows the address of another site as a card with a link. If this site allows frames of its host,
 * a frame shows it instead. The card loads nothing from other sites.
 */
static void
render_address(struct render *r, const char *url, const cJSON *node)
{
	struct render_link to = { .href = url, .external = true, .bytes = -1 };
	const char *host = url == NULL ? NULL : strstr(url, "://"), *frame = render_frame(r, url);

	/* Show an unsafe address as text, and nothing if the author has not entered an address. */
	if (url == NULL || *url == '\0' || !h_url_safe(url)) {
		if (url != NULL && *url != '\0')
			h_leaf(&r->h, "p", "broken", url);
		return;
	}
	/* Use the host as the card's title: nothing else is known without a request. */
	host = host != NULL ? host + 3 : url;
	host = arena_strndup(r->arena, host, strcspn(host, "/?#"));
	h_el(&r->h, "figure", "class", frame != NULL ? "embed" : NULL, NULL);
	if (frame != NULL)
		render_framed(r, frame, url, host);
	else
		write_card(r, &to, host, url, "ref");
	figure_caption(r, node);
	h_close(&r->h);
}

void
render_embed(struct render *r, const cJSON *node)
{
	render_address(r, json_text_of(data_of(node), "url"), node);
}

void
render_integration(struct render *r, const cJSON *node)
{
	const char *content = json_text_of(json_member(data_of(node), "props"), "content"), *name = json_text_of(data_of(node), "integration");

	if (json_text_of(data_of(node), "url") != NULL)
		render_address(r, json_text_of(data_of(node), "url"), node);
	/* A drawing has its source, which is shown as code, since nothing draws it here. */
	else if (content != NULL)
		render_sample(r, NULL, name != NULL ? name : "text", str_of(content));
}
