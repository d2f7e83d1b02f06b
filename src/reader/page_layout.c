/*
 * What the frontmatter of a page says of the page around its text: parts that are left out, its
 * width, a picture above it. What it does not name is shown (API: the page's layout).
 */
#include "reader_parts.h"

static unsigned
hidden_parts(const cJSON *layout)
{
	static const struct { const char *name; unsigned part; } parts[] = { { "title", HIDE_TITLE },
		{ "description", HIDE_ABOUT }, { "tableOfContents", HIDE_CONTENTS }, { "outline", HIDE_OUTLINE },
		{ "pagination", HIDE_AROUND }, { "metadata", HIDE_END } };
	unsigned hides = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(layout, parts[i].name)))
			hides |= parts[i].part;
	return hides;
}

/* Where a picture is; NULL: it is none, or the visitor may not know of it. */
static const char *
picture_address(struct view *s, const struct render_env *env, const cJSON *ref)
{
	struct render_link to = { .bytes = -1 };

	/* By the same function as pictures in the text, so that both are authorised alike. */
	return ref != NULL && env->link(s, ref, &to) && h_url_safe(to.href) ? to.href : NULL;
}

void
frame_layout(struct view *s, const struct page *p, struct frame *f)
{
	const char *props = p->node.props != NULL ? p->node.props : "";
	const cJSON *all, *layout, *cover, *width;
	struct render_env env;

	/* Most pages have neither: the text says so at once. */
	if (strstr(props, "\"layout\"") == NULL && strstr(props, "\"cover\"") == NULL)
		return;
	all = page_props(p);
	layout = cJSON_GetObjectItemCaseSensitive(all, "layout");
	cover = cJSON_GetObjectItemCaseSensitive(all, "cover");
	width = cJSON_GetObjectItemCaseSensitive(layout, "width");
	f->hides = hidden_parts(layout);
	f->wide = cJSON_IsString(width) && strcmp(width->valuestring, "wide") == 0;
	if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(layout, "cover")))
		return;
	view_env(s, &env);
	f->cover.light = picture_address(s, &env, cJSON_GetObjectItemCaseSensitive(cover, "ref"));
	f->cover.dark = picture_address(s, &env, cJSON_GetObjectItemCaseSensitive(cover, "refDark"));
	/* One that is for the dark alone is better than none by day. */
	if (f->cover.light == NULL)
		f->cover.light = f->cover.dark;
}
