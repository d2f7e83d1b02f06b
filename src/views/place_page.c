/*
 * The form for the properties of a page in a change request: parent, position among the siblings, slug, and
 * the fields of property_form.c. From a page of the primary content, the first change makes the request.
 * Contract: space_parts.h.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* DEPTH_MOST: the maximum depth of a tree in the API. */
enum { DEPTH_MOST = 32, LABEL_MOST = 64 << 10 };

/* A page of the tree, with its parent and position. */
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

/* An option for a page, indented by its level. */
static void
write_parent(struct view *v, const cJSON *page, unsigned depth, const char *chosen)
{
	const char *id = json_text_or_empty(page, "id"), *title = json_text_or_empty(page, "title");
	struct buf label;

	buf_init(&label, v->arena, LABEL_MOST);
	for (unsigned i = 0; i < depth; i++)
		buf_str(&label, "\u2003");
	buf_str(&label, *title != '\0' ? title : view_say(v, SAY_UNTITLED));
	write_option(v, id, label.p, strcmp(id, chosen) == 0);
}

static bool
can_be_parent(const cJSON *page, const struct place *p)
{
	const char *type = page_type(page);

	return strcmp(json_text_or_empty(page, "id"), json_text_or_empty(p->page, "id")) != 0 &&
	    (strcmp(type, "document") == 0 || strcmp(type, "group") == 0);
}

/* Writes as options the pages above the page, and the one before it: most moves go there. */
static void
write_near_parents(struct view *v, const cJSON *pages, const struct place *p, unsigned depth, const char *chosen)
{
	const char *own = json_text_or_empty(p->page, "id");
	const cJSON *page;

	cJSON_ArrayForEach(page, pages) {
		bool above = find_page(json_member(page, "pages"), own) != NULL;
		bool before = page->next != NULL && strcmp(json_text_or_empty(page->next, "id"), own) == 0;

		if (above || (before && can_be_parent(page, p)))
			write_parent(v, page, depth, chosen);
		if (above && depth < DEPTH_MOST)
			write_near_parents(v, json_member(page, "pages"), p, depth + 1, chosen);
	}
}

/*
 * Writes the possible parents as options: documents and groups, without the page itself and its
 * descendants. folded: only those whose children the API has left out.
 */
static void
write_parents(struct view *v, const cJSON *pages, const struct place *p, bool folded, unsigned depth, const char *chosen)
{
	const cJSON *page;

	cJSON_ArrayForEach(page, pages) {
		if (!can_be_parent(page, p))
			continue;
		if (!folded || json_number_of(page, "folded", 0) > 0)
			write_parent(v, page, depth, chosen);
		if (depth < DEPTH_MOST)
			write_parents(v, json_member(page, "pages"), p, folded, depth + 1, chosen);
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

/*
 * The API returns large trees folded (without some children). This form requests the tree again
 * with the children of a chosen page, so that they can be chosen as parents.
 */
static void
write_unfold(struct view *v, const cJSON *pages, const struct place *p)
{
	if (!has_folded(pages, 0))
		return;
	h_el(&v->h, "form", "method", "get", "action", app_path(v, v->path), "class", "line", NULL);
	choice_begin(v, "open", view_say(v, SAY_UNFOLD));
	write_parents(v, pages, p, true, 0, "");
	choice_end(v);
	write_button(v, "small", view_say(v, SAY_SHOW_BELOW));
	h_close(&v->h);
}

/* What the views of this file are about. */
struct placing {
	struct shown_space s;
	const char        *request;  /* id; NULL: none yet */
	const char        *id;       /* of the page */
	const char        *below;    /* address of the page, below /app */
	const cJSON       *page;     /* with its properties */
	struct place       place;
	const struct call *failed;   /* the change that was refused; NULL: none */
	bool               all;      /* all pages and pictures are offered, not only those near the page */
};

/* The choice of the page's parent. parent: the present one; NULL: top level. */
static void
write_into(struct view *v, const struct placing *p, const cJSON *pages, const cJSON *parent)
{
	const char *chosen = p->failed != NULL && has_field(v, "into") ? form_value(v, "into") : p->place.parent;

	choice_begin(v, "into", view_say(v, SAY_BELOW));
	write_option(v, "", view_say(v, SAY_AT_TOP), *chosen == '\0');
	if (!p->all) {
		write_near_parents(v, p->s.pages, &p->place, 0, chosen);
	} else {
		if (parent != NULL && find_page(pages, p->place.parent) == NULL)
			write_parent(v, parent, 0, chosen);
		write_parents(v, pages, &p->place, false, 0, chosen);
	}
	choice_end(v);
}

/* The link to this form with all choices. They come on demand, since a large space has many. */
static void
write_all_choices(struct view *v, const struct placing *p)
{
	if (p->all) {
		write_hidden(v, "all", "1");
		return;
	}
	h_el(&v->h, "p", "class", "field", NULL);
	write_link(v, NULL, arena_printf(v->arena, "%s?all=1", v->path), view_say(v, SAY_ALL_CHOICES));
	h_close(&v->h);
}

/*
 * Writes the form for the parent, the slug and the properties of property_form.c, which may include
 * a file. parent: the present parent; NULL: top level.
 */
static void
write_place_form(struct view *v, const struct placing *p, const cJSON *pages, const cJSON *parent)
{
	const struct call *failed = p->failed;
	const char *slug = json_text_or_empty(p->page, "slug");
	struct html *h = &v->h;

	h_el(h, "form", "method", "post", "action", app_path(v, v->path), "enctype", "multipart/form-data", NULL);
	write_hidden(v, "csrf", v->csrf != NULL ? v->csrf : "");
	write_hidden(v, "from", p->place.parent);
	write_all_choices(v, p);
	write_properties(v, &p->s, p->page, failed, p->all);
	write_was(v, "slug", failed != NULL ? form_value(v, "was-slug") : slug);
	write_input(v, &(struct input){ .name = "slug", .label = view_say(v, SAY_SLUG), .value = failed != NULL ? form_value(v, "slug") : slug,
	    .fault = failed != NULL ? fault_at(v, failed, "/changes/0/slug") : NULL });
	write_into(v, p, pages, parent);
	if (p->request == NULL) {
		write_once(v);
		write_input(v, &(struct input){ .name = "subject", .label = view_say(v, SAY_SUBJECT), .hint = view_say(v, SAY_SUBJECT_HINT),
		    .value = *form_value(v, "subject") != '\0' ? form_value(v, "subject") : view_say_with(v, SAY_CHANGE_OF, json_text_or_empty(p->page, "title")) });
	}
	h_el(h, "div", "class", "actions", NULL);
	write_button(v, "primary", view_say(v, SAY_SAVE));
	write_link(v, "btn quiet", p->below, view_say(v, SAY_CANCEL));
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

/* Opens the page of the address, which has a request or not. False: the answer is made. */
static bool
open_placing(struct view *v, struct placing *p, bool with_request)
{
	const char *below;
	struct call c;

	*p = (struct placing){ .request = with_request ? v->ids[1] : NULL, .id = v->ids[with_request ? 2 : 1],
		.all = has_field(v, "all") || query_value(v, "all") != NULL || query_value(v, "open") != NULL };
	below = with_request ? path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], p->request) : NULL;
	if (!open_space(v, &p->s, p->id, with_request ? path_of_ids(v, "/change-requests/%s/content", p->request) : NULL, below))
		return false;
	if (!may(&p->s, "edit")) {
		page_error(v, 403, view_say(v, SAY_FAILED), view_say(v, SAY_MAY_NOT_EDIT));
		return false;
	}
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s", path_of_ids(v, "/spaces/%s", p->s.id), p->s.at,
	    path_of_ids(v, "/page/%s?format=markdown&metadata=false", p->id)), NULL);
	if (!call_succeeded(v, &c))
		return false;
	p->page = c.answer;
	p->below = arena_printf(v->arena, "%s/pages/%s", p->s.below, url_segment(v->arena, str_of(p->id)));
	if (find_place(p->s.pages, "", p->id, 0, &p->place))
		return true;
	page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NOT_FOUND_HELP));
	return false;
}

/* The tree in which a parent is chosen: unfolded at the page of the query, if it has one. NULL: the answer is made. */
static const cJSON *
ask_parents(struct view *v, const struct placing *p)
{
	const char *open = query_value(v, "open");
	struct call c;

	if (open == NULL)
		return p->s.pages;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s", path_of_ids(v, "/spaces/%s", p->s.id), p->s.at,
	    path_of_ids(v, "/pages?metadata=false&open=%s", open)), NULL);
	return call_succeeded(v, &c) ? json_member(c.answer, "pages") : NULL;
}

static void
write_steps(struct view *v, const struct placing *p)
{
	if (p->request == NULL)
		return;
	h_el(&v->h, "div", "class", "actions", NULL);
	if (p->place.at > 0)
		write_step(v, "move", p->place.at - 1, SAY_MOVE_UP);
	if (p->place.at + 1 < p->place.count)
		write_step(v, "move", p->place.at + 1, SAY_MOVE_DOWN);
	h_close(&v->h);
}

static void
show_placing(struct view *v, const struct placing *p)
{
	const char *heading = view_say_with(v, SAY_PLACE_OF, json_text_or_empty(p->page, "title"));
	const cJSON *pages = ask_parents(v, p);

	if (pages == NULL)
		return;
	if (p->failed != NULL)
		v->status = p->failed->status;
	space_begin(v, &p->s, p->request != NULL ? TAB_REQUESTS : TAB_PAGES, p->id, heading);
	h_leaf(&v->h, "h1", NULL, heading);
	if (p->failed != NULL)
		write_failure(v, p->failed, "/changes/0/slug", "/changes/0/title", "/changes/0/description", "/changes/0/icon", "/changes/0/condition",
		    "/changes/0/cover/ref", "/changes/0/cover/refDark", NULL);
	write_place_form(v, p, pages, find_page(p->s.pages, p->place.parent));
	write_steps(v, p);
	if (p->all)
		write_unfold(v, pages, &p->place);
	page_end(v);
}

static void
begin_placing(struct view *v, bool with_request)
{
	struct placing p;

	if (open_placing(v, &p, with_request))
		show_placing(v, &p);
}

/* GET /app/spaces/ID/pages/ID/place */
void
show_place_in_space(struct view *v)
{
	begin_placing(v, false);
}

/* GET /app/spaces/ID/requests/ID/pages/ID/place */
void
show_place(struct view *v)
{
	begin_placing(v, true);
}

/*
 * The API moves a page with "into" to the end of its siblings, so it is sent only if the parent
 * changes.
 */
static void
add_place(struct view *v, struct json *j)
{
	const char *into = form_value(v, "into");

	if (is_changed(v, "slug"))
		json_kstr(j, "slug", form_value(v, "slug"));
	if (!has_field(v, "into") || strcmp(into, form_value(v, "from")) == 0)
		return;
	json_key(j, "into");
	if (*into != '\0')
		json_str(j, into);
	else
		json_null(j);
}

/* The changes of the form as JSON: a step among the siblings, or all properties. */
static char *
change_of_place(struct view *v, const struct placing *p)
{
	bool has_file = false;
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_karr(&j, "changes");
	json_obj(&j);
	json_kstr(&j, "operation", "update_page");
	json_kstr(&j, "page", p->id);
	add_place(v, &j);
	if (strcmp(form_value(v, "step"), "move") == 0) {
		if (has_field(v, "at"))
			json_kint(&j, "at", strtol(form_value(v, "at"), NULL, 10));
	} else {
		has_file = add_properties(v, &j, p->page);
	}
	json_end(&j);
	if (has_file)
		write_file_change(v, &j, COVER_REF);
	json_end(&j);
	json_end(&j);
	return b.p;
}

/* Creates the change request that the form names, if the page has none yet. */
static struct call
make_request_of_form(struct view *v, struct placing *p)
{
	struct call c = post_once(v, path_of_ids(v, "/spaces/%s/change-requests", v->ids[0]),
	    json_texts(v->arena, "subject", form_value(v, "subject"), NULL));

	if (is_success(&c))
		p->request = json_text_or_empty(c.answer, "id");
	return c;
}

static void
finish_placing(struct view *v, bool with_request)
{
	struct call c = { .status = 200 };
	const char *page;
	struct placing p;

	if (!open_placing(v, &p, with_request))
		return;
	if (!with_request)
		c = make_request_of_form(v, &p);
	if (is_success(&c))
		c = ask_api(v, "POST", path_of_ids(v, "/spaces/%s/change-requests/%s/content", v->ids[0], p.request), change_of_place(v, &p));
	if (!is_success(&c) && !with_request && p.request != NULL) {
		(void)ask_api(v, "PATCH", path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], p.request), "{\"status\":\"archived\"}");
		p.request = NULL;
	}
	if (c.status == 401) {
		go_sign_in(v, false);
		return;
	}
	if (!is_success(&c)) {
		p.failed = &c;
		show_placing(v, &p);
		return;
	}
	page = path_of_ids(v, "/spaces/%s/requests/%s/pages/%s", v->ids[0], p.request, p.id);
	go_to(v, strcmp(form_value(v, "step"), "move") == 0 ? arena_printf(v->arena, "%s/place", page) :
	    arena_printf(v->arena, "%s?done=place", page));
}

/* POST /app/spaces/ID/pages/ID/place */
void
change_place_in_space(struct view *v)
{
	finish_placing(v, false);
}

/* POST /app/spaces/ID/requests/ID/pages/ID/place */
void
change_place(struct view *v)
{
	finish_placing(v, true);
}
