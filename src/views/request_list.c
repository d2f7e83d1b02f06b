/* The change requests of a space, and opening one. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

const char *
request_status(struct view *v, const char *status)
{
	static const struct { const char *status; enum say label; } labels[] = { { "draft", SAY_DRAFT }, { "open", SAY_OPEN },
		{ "merged", SAY_MERGED }, { "archived", SAY_ARCHIVED } };

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (strcmp(labels[i].status, status) == 0)
			return view_say(v, labels[i].label);
	return status;
}

bool
is_unmerged(const char *status)
{
	return strcmp(status, "draft") == 0 || strcmp(status, "open") == 0;
}

void
write_verdict_tag(struct view *v, const char *verdict)
{
	bool approved = verdict != NULL && strcmp(verdict, "approved") == 0;

	if (verdict != NULL)
		h_leaf(&v->h, "span", approved ? "tag good" : "tag gone", view_say(v, approved ? SAY_APPROVED : SAY_CHANGES_WANTED));
}

const char *
title_of_space(struct view *v, struct space_title **known, const cJSON *request)
{
	const char *id = json_text_or_empty(request, "space");
	struct space_title *one;
	struct call c;

	for (one = *known; one != NULL; one = one->next)
		if (strcmp(one->id, id) == 0)
			return one->title;
	c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s", id), NULL);
	one = arena_alloc(v->arena, sizeof(*one));
	*one = (struct space_title){ id, json_text_or_empty(c.answer, "title"), *known };
	if (*one->title == '\0')
		one->title = view_say(v, SAY_UNTITLED);
	*known = one;
	return one->title;
}

void
write_request_line(struct view *v, const cJSON *request, const char *space)
{
	const char *subject = json_text_or_empty(request, "subject"), *status = json_text_or_empty(request, "status");
	double comments = json_number_of(request, "comments", 0);
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	write_link(v, NULL, path_of_ids(v, "/spaces/%s/requests/%s", json_text_or_empty(request, "space"), json_text_or_empty(request, "id")),
	    *subject != '\0' ? subject : view_say(v, SAY_UNTITLED));
	h_el(h, "div", "class", "by", NULL);
	if (space != NULL)
		h_leaf(h, "small", NULL, space);
	h_leaf(h, "small", NULL, arena_printf(v->arena, "#%.0f", json_number_of(request, "number", 0)));
	write_author(v, json_member(request, "createdBy"), json_text_or_empty(request, "updatedAt"));
	if (comments > 0)
		h_leaf(h, "small", NULL, view_say_with(v, SAY_OPEN_COMMENTS, arena_printf(v->arena, "%.0f", comments)));
	h_close(h);
	h_close(h);
	if (is_unmerged(status))
		write_verdict_tag(v, json_text_of(request, "review"));
	h_leaf(h, "span", arena_printf(v->arena, "tag %s", status), request_status(v, status));
	h_close(h);
}

/* ---- change requests that a page names ---- */

/* Most change requests that one page names. If there are more, a link leads to the list of all. */
enum { NAMED_MOST = 3 };

/* A sentence about a change request, which leads to it. */
static void
write_named(struct view *v, const cJSON *request, enum say sentence)
{
	h_el(&v->h, "p", "class", "hint", NULL);
	write_link(v, NULL, path_of_ids(v, "/spaces/%s/requests/%s", json_text_or_empty(request, "space"), json_text_or_empty(request, "id")),
	    view_say_with(v, sentence, name_request(v, request)));
	h_close(&v->h);
}

void
write_also_changing(struct view *v, const struct shown_space *s, const char *page, const char *own)
{
	struct call c = { 0 };
	const cJSON *one;
	int n = 0;

	/* Two more than are named: the request that is shown, and one that says that there are more. */
	if (may(s, "edit"))
		c = ask_api(v, "GET", arena_printf(v->arena, "%s&limit=%d", path_of_ids(v, "/spaces/%s/change-requests?changesPage=%s", s->id, page),
		    NAMED_MOST + 2), NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		if ((own == NULL || strcmp(json_text_or_empty(one, "id"), own) != 0) && n++ < NAMED_MOST)
			write_named(v, one, SAY_ALSO_CHANGES);
	if (n > NAMED_MOST)
		write_link(v, "step", path_of_ids(v, "/spaces/%s/requests", s->id), view_say(v, SAY_REQUESTS));
}

/* Statuses of change requests that are said to undo a revision: archived ones undo nothing. The first ones are not merged yet. */
static const char *const undoing[] = { "open", "draft", "merged" };
enum { UNDOING_UNMERGED = 2, UNDOING = sizeof(undoing) / sizeof(undoing[0]), UNDOING_MOST = 5 };

/* Change requests of this status that undo a revision of the primary content, the newest first. */
static const cJSON *
ask_undoing(struct view *v, const char *space, const char *revision, const char *status)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s&limit=%d", path_of_ids(v, "/spaces/%s/change-requests?undoes=%s&status=%s",
	    space, revision, status), UNDOING_MOST), NULL);

	return json_member(c.answer, "items");
}

void
write_undone(struct view *v, const char *space, const char *revision)
{
	const cJSON *one;
	int n = 0;

	for (size_t i = 0; i < UNDOING; i++)
		cJSON_ArrayForEach(one, ask_undoing(v, space, revision, undoing[i]))
			if (n++ < NAMED_MOST)
				write_named(v, one, i < UNDOING_UNMERGED ? SAY_UNDO_WAITS : SAY_UNDONE_BY);
}

/* The first changes of a revision or a change request: more than an undo makes. */
static const cJSON *
ask_all_changes(struct view *v, const char *of)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/changes?limit=1000", of), NULL);

	return json_member(c.answer, "changes");
}

/* True if both lists have a change of the same page. */
static bool
has_common_page(const cJSON *changes, const cJSON *others)
{
	const cJSON *one, *other;

	cJSON_ArrayForEach(one, changes) {
		const char *page = json_text_of(json_member(one, "page"), "id");

		cJSON_ArrayForEach(other, others)
			if (page != NULL && strcmp(json_text_or_empty(json_member(other, "page"), "id"), page) == 0)
				return true;
	}
	return false;
}

const char *
find_waiting_undo(struct view *v, const char *space, const char *revision)
{
	const cJSON *changes = NULL, *one;

	for (size_t i = 0; i < UNDOING_UNMERGED; i++)
		cJSON_ArrayForEach(one, ask_undoing(v, space, revision, undoing[i])) {
			const char *id = json_text_or_empty(one, "id");

			if (changes == NULL)
				changes = ask_all_changes(v, path_of_ids(v, "/spaces/%s/revisions/%s", space, revision));
			if (has_common_page(changes, ask_all_changes(v, path_of_ids(v, "/spaces/%s/change-requests/%s", space, id))))
				return id;
		}
	return NULL;
}

/* ---- the list of a space ---- */

/* Links to the list of each status; current: "" is all. */
static void
write_filter(struct view *v, const char *below, const char *current)
{
	static const char *const statuses[] = { "", "open", "draft", "merged", "archived" };
	struct html *h = &v->h;

	h_el(h, "nav", "class", "filter", "aria-label", view_say(v, SAY_STATUS), NULL);
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		h_el(h, "a", "href", app_path(v, arena_printf(v->arena, "%s%s%s", below, *statuses[i] != '\0' ? "?status=" : "", statuses[i])),
		    "aria-current", strcmp(statuses[i], current) == 0 ? "page" : NULL, NULL);
		h_text(h, *statuses[i] != '\0' ? request_status(v, statuses[i]) : view_say(v, SAY_ALL));
		h_close(h);
	}
	h_close(h);
}

static void
write_new_request(struct view *v, const struct shown_space *s, const struct call *failed)
{
	if (!may(s, "edit"))
		return;
	section_begin(v, "new", view_say(v, SAY_NEW_REQUEST), view_say(v, SAY_NEW_REQUEST_LEAD));
	if (failed != NULL)
		write_failure(v, failed, "/subject", NULL);
	write_form(v, path_of_ids(v, "/spaces/%s/requests", s->id), NULL);
	write_once(v);
	write_input(v, &(struct input){ .name = "subject", .label = view_say(v, SAY_SUBJECT), .value = form_value(v, "subject"),
	    .fault = failed != NULL ? fault_at(v, failed, "/subject") : NULL });
	write_select(v, "template", view_say(v, SAY_TEMPLATE), form_value(v, "template"), "", view_say(v, SAY_TEMPLATE_NONE), "blank",
	    view_say(v, SAY_TEMPLATE_BLANK), "product-docs", view_say(v, SAY_TEMPLATE_PRODUCT), "changelog", view_say(v, SAY_TEMPLATE_CHANGES),
	    "knowledge-base", view_say(v, SAY_TEMPLATE_KNOWLEDGE), NULL);
	write_button(v, "primary", view_say(v, SAY_OPEN_REQUEST));
	h_close(&v->h);
	h_close(&v->h);
}

/* failed: opening one failed; NULL: it was not tried. */
static void
show_list(struct view *v, const struct call *failed)
{
	const char *status = query_value(v, "status"), *next = query_value(v, "page"), *below = path_of_ids(v, "/spaces/%s/requests", v->ids[0]);
	const cJSON *one;
	struct shown_space s;
	struct call c;

	if (!open_space(v, &s, NULL, NULL, NULL))
		return;
	if (status == NULL)
		status = "";
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s%s%s", path_of_ids(v, "/spaces/%s/change-requests?orderBy=updatedAt&limit=50", s.id),
	    *status != '\0' ? "&status=" : "", url_segment(v->arena, str_of(status)), next != NULL ? "&page=" : "",
	    next != NULL ? url_segment(v->arena, str_of(next)) : ""), NULL);
	if (!call_succeeded(v, &c))
		return;
	if (failed != NULL)
		v->status = failed->status;
	space_begin(v, &s, TAB_REQUESTS, NULL, view_say(v, SAY_REQUESTS));
	h_leaf(&v->h, "h1", NULL, view_say(v, SAY_REQUESTS));
	write_filter(v, below, status);
	if (cJSON_GetArraySize(json_member(c.answer, "items")) == 0)
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_REQUESTS));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_request_line(v, one, NULL);
	h_close(&v->h);
	write_more(v, &c, SAY_MORE, below, *status != '\0' ? path_of_ids(v, "&status=%s", status) : "");
	write_new_request(v, &s, failed);
	page_end(v);
}

/* GET /app/spaces/ID/requests */
void
show_requests(struct view *v)
{
	show_list(v, NULL);
}

/* The request of the form, with the pages of a template if one was chosen. */
static const char *
request_of_form(struct view *v)
{
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_kstr(&j, "subject", form_value(v, "subject"));
	if (*form_value(v, "template") != '\0') {
		json_kobj(&j, "template");
		json_kstr(&j, "id", form_value(v, "template"));
		json_end(&j);
	}
	json_end(&j);
	return b.p;
}

/* POST /app/spaces/ID/requests */
void
open_request(struct view *v)
{
	struct call c = post_once(v, path_of_ids(v, "/spaces/%s/change-requests", v->ids[0]), request_of_form(v));

	if (is_success(&c))
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], json_text_or_empty(c.answer, "id")));
	else if (c.status == 401)
		go_sign_in(v, false);
	else
		show_list(v, &c);
}
