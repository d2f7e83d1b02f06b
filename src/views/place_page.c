/*
 * The place of a page in a change request: what it is below, its place among its siblings, its slug, and
 * whether the contents show it. Contract: space_parts.h.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* Deeper pages are not offered as parents, and nobody needs them: a tree of the API has at most 32 levels. */
enum { DEPTH_MOST = 32, CHANGE_MOST = 64 << 10 };

/* A page of the tree, with what stands around it. */
struct place {
	const cJSON *page;
	const char  *parent;     /* id; "": the top */
	int          at, count;  /* index among its siblings, and their number */
};

/* Finds the page of an id below `parent`; false: it is not there. */
static bool
find_place(const cJSON *pages, const char *parent, const char *id, unsigned depth, struct place *out)
{
	const cJSON *page;
	int at = 0;

	cJSON_ArrayForEach(page, pages) {
		const char *own = json_text_or_empty(page, "id");

		if (strcmp(own, id) == 0) {
			*out = (struct place){ page, parent, at, cJSON_GetArraySize(pages) };
			return true;
		}
		if (depth < DEPTH_MOST && find_place(json_member(page, "pages"), own, id, depth + 1, out))
			return true;
		at++;
	}
	return false;
}

/*
 * Pages and groups that can hold pages, each indented by its level, without the page itself and what is below it.
 * folded: only those whose pages are folded.
 */
static void
write_parents(struct view *v, const cJSON *pages, const struct place *p, bool folded, unsigned depth)
{
	const cJSON *page;

	cJSON_ArrayForEach(page, pages) {
		const char *id = json_text_or_empty(page, "id"), *type = page_type(page), *title = json_text_or_empty(page, "title");
		struct buf label;

		if (strcmp(id, json_text_or_empty(p->page, "id")) == 0 || (strcmp(type, "document") != 0 && strcmp(type, "group") != 0))
			continue;
		buf_init(&label, v->arena, CHANGE_MOST);
		for (unsigned i = 0; i < depth; i++)
			buf_str(&label, "\u2003");
		buf_str(&label, *title != '\0' ? title : view_say(v, SAY_UNTITLED));
		if (!folded || json_number_of(page, "folded", 0) > 0)
			write_option(v, id, label.p, !folded && strcmp(id, p->parent) == 0);
		if (depth < DEPTH_MOST)
			write_parents(v, json_member(page, "pages"), p, folded, depth + 1);
	}
}

static bool
has_folded(const cJSON *pages, unsigned depth)
{
	const cJSON *page;

	cJSON_ArrayForEach(page, pages)
		if (json_number_of(page, "folded", 0) > 0 || (depth < DEPTH_MOST && has_folded(json_member(page, "pages"), depth + 1)))
			return true;
	return false;
}

/* The choice of a parent has the pages of the folded tree; this form unfolds it at another one. */
static void
write_unfold(struct view *v, const cJSON *pages, const struct place *p)
{
	if (!has_folded(pages, 0))
		return;
	h_el(&v->h, "form", "method", "get", "action", app_path(v, v->path), "class", "line", NULL);
	choice_begin(v, "open", view_say(v, SAY_UNFOLD));
	write_parents(v, pages, p, true, 0);
	choice_end(v);
	write_button(v, "small", view_say(v, SAY_SHOW_BELOW));
	h_close(&v->h);
}

/* parent: the page that it is below now; NULL: the top. */
static void
write_place_form(struct view *v, const cJSON *pages, const struct place *p, const cJSON *parent, const char *below, const struct call *failed)
{
	struct html *h = &v->h;

	write_form(v, v->path, NULL);
	write_hidden(v, "from", p->parent);
	choice_begin(v, "into", view_say(v, SAY_BELOW));
	write_option(v, "", view_say(v, SAY_AT_TOP), *p->parent == '\0');
	if (parent != NULL && find_page(pages, p->parent) == NULL)
		write_option(v, p->parent, json_text_or_empty(parent, "title"), true);
	write_parents(v, pages, p, false, 0);
	choice_end(v);
	write_input(v, &(struct input){ .name = "slug", .label = view_say(v, SAY_SLUG), .value = json_text_or_empty(p->page, "slug"),
	    .fault = failed != NULL ? fault_at(v, failed, "/changes/0/slug") : NULL });
	write_select(v, "hidden", view_say(v, SAY_IN_CONTENTS), json_flag_of(p->page, "hidden") ? "1" : "", "", view_say(v, SAY_SHOWN), "1",
	    view_say(v, SAY_HIDDEN), NULL);
	h_el(h, "div", "class", "actions", NULL);
	write_button(v, "primary", view_say(v, SAY_SAVE));
	write_link(v, "btn quiet", below, view_say(v, SAY_DENY));
	h_close(h);
	h_close(h);
}

static void
write_step(struct view *v, const char *step, int at, enum say label)
{
	write_form(v, v->path, NULL);
	write_hidden(v, "step", step);
	write_hidden(v, "at", arena_printf(v->arena, "%d", at));
	write_button(v, "small", view_say(v, label));
	h_close(&v->h);
}

static void
show_place_with(struct view *v, const struct call *failed)
{
	const char *request = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]), *open = query_value(v, "open");
	const cJSON *pages;
	struct shown_space s;
	struct place p;
	struct call c;

	if (!open_space(v, &s, v->ids[2], path_of_ids(v, "/change-requests/%s/content", v->ids[1]), request))
		return;
	if (!may(&s, "edit")) {
		page_error(v, 403, view_say(v, SAY_FAILED), view_say(v, SAY_MAY_NOT_EDIT));
		return;
	}
	pages = s.pages;
	if (open != NULL) {
		c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/change-requests/%s/content/pages?metadata=false&open=%s", s.id, v->ids[1], open), NULL);
		if (!call_succeeded(v, &c))
			return;
		pages = json_member(c.answer, "pages");
	}
	if (!find_place(s.pages, "", v->ids[2], 0, &p)) {
		page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NOT_FOUND_HELP));
		return;
	}
	if (failed != NULL)
		v->status = failed->status;
	space_begin(v, &s, TAB_REQUESTS, v->ids[2], view_say_with(v, SAY_PLACE_OF, json_text_or_empty(p.page, "title")));
	h_leaf(&v->h, "h1", NULL, view_say_with(v, SAY_PLACE_OF, json_text_or_empty(p.page, "title")));
	if (failed != NULL)
		write_failure(v, failed, "/changes/0/slug", NULL);
	h_el(&v->h, "div", "class", "actions", NULL);
	if (p.at > 0)
		write_step(v, "move", p.at - 1, SAY_MOVE_UP);
	if (p.at + 1 < p.count)
		write_step(v, "move", p.at + 1, SAY_MOVE_DOWN);
	h_close(&v->h);
	write_unfold(v, pages, &p);
	write_place_form(v, pages, &p, find_page(s.pages, p.parent), arena_printf(v->arena, "%s/pages/%s", request, url_segment(v->arena, str_of(v->ids[2]))),
	    failed);
	page_end(v);
}

/* GET /app/spaces/ID/requests/ID/pages/ID/place */
void
show_place(struct view *v)
{
	show_place_with(v, NULL);
}

/* The change that the form asks for: a step among the siblings, or all of the form. */
static char *
change_of_place(struct view *v)
{
	bool step = strcmp(form_value(v, "step"), "move") == 0;
	const char *into = form_value(v, "into");
	struct json j;
	struct buf b;

	buf_init(&b, v->arena, CHANGE_MOST);
	json_init(&j, &b);
	json_obj(&j);
	json_karr(&j, "changes");
	json_obj(&j);
	json_kstr(&j, "operation", "update_page");
	json_kstr(&j, "page", v->ids[2]);
	if (step)
		json_kint(&j, "at", strtol(form_value(v, "at"), NULL, 10));
	else
		json_kstr(&j, "slug", form_value(v, "slug"));
	if (!step)
		json_kbool(&j, "hidden", *form_value(v, "hidden") != '\0');
	/* "into" moves a page to the end: it is sent only if the page is to have another parent. */
	if (!step && strcmp(into, form_value(v, "from")) != 0) {
		json_key(&j, "into");
		if (*into != '\0')
			json_str(&j, into);
		else
			json_null(&j);
	}
	json_end(&j);
	json_end(&j);
	json_end(&j);
	return b.p;
}

/* POST /app/spaces/ID/requests/ID/pages/ID/place */
void
change_place(struct view *v)
{
	const char *page = path_of_ids(v, "/spaces/%s/requests/%s/pages/%s", v->ids[0], v->ids[1], v->ids[2]);
	struct call c = ask_api(v, "POST", path_of_ids(v, "/spaces/%s/change-requests/%s/content", v->ids[0], v->ids[1]), change_of_place(v));

	if (c.status == 401)
		go_sign_in(v, false);
	else if (!is_success(&c))
		show_place_with(v, &c);
	else
		go_to(v, strcmp(form_value(v, "step"), "move") == 0 ? arena_printf(v->arena, "%s/place", page) : page);
}
