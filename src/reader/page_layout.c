/*
 * Applies the layout that a page's frontmatter sets (member `layout` of a page in the API): hidden
 * parts, width, cover. Parts that the layout does not name are shown.
 */
#include "reader_parts.h"

static unsigned
hidden_parts(const cJSON *layout)
{
	static const struct { const char *name; unsigned part; } parts[] = { { "title", HIDE_TITLE },
		{ "description", HIDE_DESCRIPTION }, { "tableOfContents", HIDE_CONTENTS }, { "outline", HIDE_OUTLINE },
		{ "pagination", HIDE_PAGINATION }, { "metadata", HIDE_METADATA }, { "actions", HIDE_ACTIONS } };
	unsigned hides = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(layout, parts[i].name)))
			hides |= parts[i].part;
	return hides;
}

/* Address of a picture; NULL if there is none or the visitor may not see it. *variants: see struct render_link. */
static const char *
picture_address(struct view *s, const struct render_env *env, const cJSON *ref, const char **variants)
{
	struct render_link to = { .bytes = -1 };

	/* Use the function for pictures in text, so that both have the same access check. */
	if (ref == NULL || !env->link(s, ref, &to) || !h_url_safe(to.href))
		return NULL;
	*variants = to.variants;
	return to.href;
}

void
frame_layout(struct view *s, const struct page *p, struct frame *f)
{
	const char *props = p->node.props != NULL ? p->node.props : "";
	const cJSON *all, *layout, *cover, *width;
	struct render_env env;

	/* Most pages have neither: test the text before parsing. */
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
	f->cover.light = picture_address(s, &env, cJSON_GetObjectItemCaseSensitive(cover, "ref"), &f->cover_variants.light);
	f->cover.dark = picture_address(s, &env, cJSON_GetObjectItemCaseSensitive(cover, "refDark"), &f->cover_variants.dark);
	/* Use a picture for the dark theme in the light one too, if it is the only one. */
	if (f->cover.light == NULL) {
		f->cover.light = f->cover.dark;
		f->cover_variants.light = f->cover_variants.dark;
	}
}
