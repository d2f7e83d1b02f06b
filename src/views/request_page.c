/* A change request: what it changes, what reviewers said, and its comments. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* Reviewers that the field of addresses offers at first, so that the page stays small, and at most, on the page with ?reviewers. */
enum { REVIEWERS_FIRST = 4, REVIEWERS_MOST = 1000 };

/* Writes a notice about what the last form of this page did. The query's "done" names it. */
static void
write_done(struct view *v)
{
	static const struct { const char *done; enum say text; } notices[] = { { "merged", SAY_DONE_MERGED }, { "updated", SAY_DONE_UPDATED },
		{ "reviewed", SAY_DONE_REVIEWED }, { "asked", SAY_DONE_ASKED }, { "resolved", SAY_DONE_RESOLVED }, { "saved", SAY_SAVED },
		{ "made", SAY_DONE_MADE }, { "undone", SAY_DONE_MADE }, { "opened", SAY_DONE_OPENED }, { "there", SAY_UNDO_THERE } };
	const char *done = query_value(v, "done");

	for (size_t i = 0; i < sizeof(notices) / sizeof(notices[0]); i++)
		if (done != NULL && strcmp(done, notices[i].done) == 0)
			write_notice(v, NOTICE_GOOD, view_say(v, notices[i].text));
	if (done != NULL && strcmp(done, "undone") == 0)
		h_leaf(&v->h, "p", "hint", view_say(v, SAY_UNDO_KEEPS_FILES));
}

/* One of the three texts of a conflict; NULL: the side has none. */
static void
write_side(struct view *v, enum say label, const char *text)
{
	if (text == NULL)
		return;
	h_leaf(&v->h, "small", NULL, view_say(v, label));
	h_el(&v->h, "pre", "dir", "auto", "tabindex", "0", NULL);
	h_text(&v->h, text);
	h_close(&v->h);
}

/* A conflict of a merge or an update: which page, and what both sides changed there. */
static void
write_conflicts(struct view *v, const cJSON *conflicts)
{
	const cJSON *one;
	struct html *h = &v->h;

	h_el(h, "section", "class", "card", "role", "alert", NULL);
	h_leaf(h, "h2", NULL, view_say(v, SAY_CONFLICTS));
	h_leaf(h, "p", "lead", view_say(v, SAY_CONFLICTS_LEAD));
	write_link(v, NULL, path_of_ids(v, "/spaces/%s/requests/%s/conflicts", v->ids[0], v->ids[1]), view_say(v, SAY_RESOLVE_CONFLICTS));
	h_el(h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, conflicts) {
		h_el(h, "li", "class", "change", NULL);
		h_leaf(h, "strong", NULL, json_text_or_empty(one, "title"));
		write_side(v, SAY_CONFLICT_BASE, json_text_of(one, "base"));
		write_side(v, SAY_CONFLICT_OURS, json_text_of(one, "ours"));
		write_side(v, SAY_CONFLICT_THEIRS, json_text_of(one, "theirs"));
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

/* ---- what can be done ---- */

/* A button of the form that write_states() opens. */
static void
write_state_button(struct view *v, const char *status, enum say label)
{
	h_el(&v->h, "button", "class", "btn small", "name", "status", "value", status, NULL);
	h_text(&v->h, view_say(v, label));
	h_close(&v->h);
}

/* The states into which the request can be brought, in one form. */
static void
write_states(struct view *v, const char *below, const char *status)
{
	write_form(v, arena_printf(v->arena, "%s/state", below), "actions");
	if (strcmp(status, "draft") == 0)
		write_state_button(v, "open", SAY_ASK_REVIEW);
	if (strcmp(status, "archived") == 0)
		write_state_button(v, "open", SAY_REOPEN);
	else
		write_state_button(v, "archived", SAY_ARCHIVE);
	h_close(&v->h);
}

static void
write_step(struct view *v, const char *below, const char *step, const char *class, enum say label)
{
	write_form(v, arena_printf(v->arena, "%s/%s", below, step), NULL);
	write_button(v, class, view_say(v, label));
	h_close(&v->h);
}

/* The names of the reviewers whose present review asks for changes, with commas between them; NULL: there are none. */
static const char *
list_objectors(struct view *v, const cJSON *reviews)
{
	const char *names = NULL;
	const cJSON *one;

	cJSON_ArrayForEach(one, reviews) {
		const char *name = json_text_or_empty(json_member(one, "reviewer"), "displayName");

		if (!json_flag_of(one, "outdated") && strcmp(json_text_or_empty(one, "status"), "changes-requested") == 0)
			names = names == NULL ? name : arena_printf(v->arena, "%s, %s", names, name);
	}
	return names;
}

/*
 * The button that merges. It is not the first choice while a reviewer asks for changes or has yet to answer a request
 * for a review, which is said beside it.
 */
static void
write_merge(struct view *v, const char *below, const cJSON *reviews, const cJSON *asked)
{
	const char *names = list_objectors(v, reviews);
	bool waits = names != NULL || cJSON_GetArraySize(asked) > 0;

	write_step(v, below, "merge", waits ? "small" : "primary small", SAY_MERGE);
	if (waits)
		h_leaf(&v->h, "span", "step", names != NULL ? view_say_with(v, SAY_WANTED_BY, names) : view_say(v, SAY_ASKED));
}

/* A button that leads to a part of the change request. Its address is short, since the page may be long already. */
static void
write_part(struct view *v, const char *below, const char *part, enum say label)
{
	h_el(&v->h, "a", "class", "btn small", "href", near_path(v, arena_printf(v->arena, "%s/%s", below, part)), NULL);
	h_text(&v->h, view_say(v, label));
	h_close(&v->h);
}

/* The id of the first page of the changes that is still there; NULL: there is none. */
static const char *
first_changed(const cJSON *changes)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, changes)
		if (json_member(one, "page") != NULL && strcmp(json_text_or_empty(one, "type"), "page_deleted") != 0)
			return json_text_of(json_member(one, "page"), "id");
	return NULL;
}

static void
write_request_actions(struct view *v, const struct shown_space *s, const cJSON *request, const char *below, const cJSON *reviews,
    const cJSON *asked, const cJSON *changes)
{
	const char *status = json_text_or_empty(request, "status"), *merged = json_text_of(request, "revisionMerged");

	h_el(&v->h, "div", "class", "actions", NULL);
	if (is_unmerged(status) && may(s, "merge"))
		write_merge(v, below, reviews, asked);
	if (is_unmerged(status) && may(s, "review")) {
		/* On a narrow screen the reviews are far below, so there is a link to them. */
		h_el(&v->h, "a", "class", "btn small", "href", "#reviews", NULL);
		h_text(&v->h, view_say(v, SAY_REVIEWS));
		h_close(&v->h);
	}
	if (is_unmerged(status) && has_preview(v, path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1])))
		write_preview_link(v, "btn small", below, first_changed(changes));
	if (is_unmerged(status) && may(s, "edit")) {
		write_part(v, below, "new", SAY_NEW_PAGE);
		write_part(v, below, "files", SAY_FILES);
		if (json_flag_of(request, "outdated"))
			write_step(v, below, "update", "small", SAY_UPDATE);
	}
	if (strcmp(status, "merged") != 0 && may(s, "edit"))
		write_states(v, below, status);
	if (merged != NULL) {
		write_link(v, "btn small", path_of_ids(v, "/spaces/%s/revisions/%s", s->id, merged), view_say(v, SAY_SHOW_REVISION));
		write_undo(v, s, merged);
		write_site_links(v, s->id);
	}
	h_close(&v->h);
	if (is_unmerged(status) && may(s, "edit") && !may(s, "merge"))
		h_leaf(&v->h, "p", "hint", view_say(v, SAY_WHO_MERGES));
}

/* ---- reviews ---- */

/* The reviews of a change request, as its page shows them. */
struct review_list {
	const struct shown_space *s;
	const cJSON *reviews;     /* the newest first */
	const cJSON *asked;       /* requested reviewers whose review is still missing */
	const char  *revision;    /* id of the newest revision of the change request */
	const char  *author;      /* id of the person who opened it */
	const char  *below;       /* its address */
	bool         open;        /* it can be reviewed */
};

/*
 * Why the review may no longer count; NULL: it is of the newest revision. newer: the reviewer gave another one later.
 * An outdated review without a newer one was followed by another request for a review.
 */
static const char *
say_replaced(struct view *v, const cJSON *review, const char *revision, bool newer)
{
	if (json_flag_of(review, "outdated"))
		return view_say(v, newer ? SAY_REPLACED : SAY_ASKED_AGAIN);
	return strcmp(json_text_or_empty(review, "revision"), revision) != 0 ? view_say(v, SAY_OUTDATED) : NULL;
}

static const char *
reviewer_id(const cJSON *review)
{
	return json_text_or_empty(json_member(review, "reviewer"), "id");
}

/* True if the list, which begins with the newest review, has one of the same reviewer before this one. */
static bool
is_reviewed_again(const cJSON *reviews, const cJSON *review)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, reviews)
		if (one == review || strcmp(reviewer_id(one), reviewer_id(review)) == 0)
			return one != review;
	return false;
}

/* The form that asks the reviewer once more, after a review that asks for changes. */
static void
write_ask_again(struct view *v, const struct review_list *l, const cJSON *review)
{
	if (!l->open || !may(l->s, "edit") || json_flag_of(review, "outdated") ||
	    strcmp(json_text_or_empty(review, "status"), "changes-requested") != 0)
		return;
	write_form(v, arena_printf(v->arena, "%s/reviewers", l->below), NULL);
	write_hidden(v, "user", reviewer_id(review));
	write_row_button(v, false, view_say(v, SAY_ASK_AGAIN), json_text_or_empty(json_member(review, "reviewer"), "displayName"));
	h_close(&v->h);
}

static void
write_review(struct view *v, const struct review_list *l, const cJSON *review)
{
	const char *replaced = say_replaced(v, review, l->revision, is_reviewed_again(l->reviews, review));
	const char *of = json_text_or_empty(review, "revision");
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	h_leaf(h, "strong", NULL, json_text_or_empty(json_member(review, "reviewer"), "displayName"));
	h_leaf(h, "small", NULL, show_minute(v, json_text_or_empty(review, "createdAt")));
	h_close(h);
	write_verdict_tag(v, json_text_of(review, "status"));
	if (replaced != NULL)
		h_leaf(h, "small", NULL, replaced);
	if (strcmp(of, l->revision) != 0)
		write_link(v, NULL, path_of_ids(v, "/spaces/%s/revisions/%s?since=%s", l->s->id, l->revision, of), view_say(v, SAY_SINCE_REVIEW));
	write_ask_again(v, l, review);
	h_close(h);
}

static void
write_verdict(struct view *v, const char *below)
{
	struct html *h = &v->h;

	write_form(v, arena_printf(v->arena, "%s/review", below), NULL);
	write_text_area(v, "verdict", "comment", SAY_REMARK, true);
	h_el(h, "div", "class", "actions", NULL);
	h_el(h, "button", "type", "submit", "class", "btn primary", "name", "status", "value", "approved", NULL);
	h_text(h, view_say(v, SAY_APPROVE));
	h_close(h);
	h_el(h, "button", "type", "submit", "class", "btn", "name", "status", "value", "changes-requested", NULL);
	h_text(h, view_say(v, SAY_WANT_CHANGES));
	h_close(h);
	h_close(h);
	h_close(h);
}

/* True if the person opened the change request, or was asked already. */
static bool
is_not_offered(const struct review_list *l, const char *id)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, l->asked)
		if (strcmp(json_text_or_empty(json_member(one, "user"), "id"), id) == 0)
			return true;
	return strcmp(l->author, id) == 0;
}

/* The addresses that the field offers: of members who may review, of those whom the person may see; a link leads to more of them. */
static void
write_possible_reviewers(struct view *v, const struct review_list *l)
{
	int most = query_value(v, "reviewers") != NULL ? REVIEWERS_MOST : REVIEWERS_FIRST, n = 0;
	/* The author and those who were asked are in the list, but are not offered. */
	int limit = most + cJSON_GetArraySize(l->asked) + 1;
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s?limit=%d", path_of_ids(v, "/spaces/%s/reviewers", l->s->id),
	    limit < REVIEWERS_MOST ? limit : REVIEWERS_MOST), NULL);
	const cJSON *one, *user;
	struct html *h = &v->h;

	h_el(h, "datalist", "id", "reviewers", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		user = json_member(one, "user");
		if (!is_not_offered(l, json_text_or_empty(user, "id")) && n++ < most)
			write_option(v, json_text_or_empty(user, "email"), json_text_or_empty(user, "displayName"), false);
	}
	h_close(h);
	if (most == REVIEWERS_FIRST && json_number_of(c.answer, "count", 0) > cJSON_GetArraySize(json_member(c.answer, "items")))
		write_link(v, "step", arena_printf(v->arena, "%s?reviewers=all#reviews", l->below), view_say(v, SAY_LIST_REVIEWERS));
}

/* The requested reviewers, and a form that requests a review by address if the caller may edit. */
static void
write_reviewers(struct view *v, const struct review_list *l)
{
	const cJSON *one;
	struct html *h = &v->h;

	cJSON_ArrayForEach(one, l->asked) {
		h_open(h, "li");
		h_el(h, "div", "class", "what", NULL);
		h_leaf(h, "strong", NULL, json_text_or_empty(json_member(one, "user"), "displayName"));
		h_close(h);
		h_leaf(h, "span", "tag", view_say(v, SAY_ASKED));
		h_close(h);
	}
	if (!l->open || !may(l->s, "edit"))
		return;
	h_open(h, "li");
	write_form(v, arena_printf(v->arena, "%s/reviewers", l->below), "line");
	write_input(v, &(struct input){ .name = "email", .type = "email", .label = view_say(v, SAY_ASK_REVIEWER), .value = form_value(v, "email"),
	    .list = "reviewers" });
	write_possible_reviewers(v, l);
	write_button(v, "small", view_say(v, SAY_ASK));
	h_close(h);
	h_close(h);
}

static void
write_reviews(struct view *v, const struct review_list *l)
{
	const cJSON *one;

	/* Leave out the section if the request is closed and has no reviews. */
	if (!l->open && cJSON_GetArraySize(l->reviews) == 0)
		return;
	section_begin(v, "reviews", view_say(v, SAY_REVIEWS), NULL);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, l->reviews)
		write_review(v, l, one);
	write_reviewers(v, l);
	h_close(&v->h);
	if (l->open && may(l->s, "review"))
		write_verdict(v, l->below);
	h_close(&v->h);
}

/* ---- the page ---- */

/* The members of the query that links of comments keep: the part of the changes, and which difference is shown whole. */
static const char *
kept_of_query(struct view *v)
{
	const char *full = query_value(v, "full"), *lines = query_value(v, "lines");

	return arena_printf(v->arena, "%s%s", part_query(v), lines != NULL ? path_of_ids(v, "lines=%s&", lines) :
	    full != NULL ? path_of_ids(v, "full=%s&", full) : "");
}

/* A link to the pages of a request in which nothing has changed yet: each of them can be edited there. */
static void
write_edit_first(struct view *v, const char *below)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/change-requests/%s/content/pages?brief=true&open=", v->ids[0], v->ids[1]), NULL);
	const cJSON *page = first_page(json_member(c.answer, "pages"));

	if (page == NULL)
		return;
	h_leaf(&v->h, "p", "hint", view_say(v, SAY_EDIT_FIRST_HINT));
	write_link(v, "btn small", arena_printf(v->arena, "%s/pages/%s", below, url_segment(v->arena, str_of(json_text_or_empty(page, "id")))),
	    view_say(v, SAY_EDIT_FIRST));
}

/* failed: the call of a form that failed; NULL: no form was sent. conflicts: of a merge; NULL: none. */
void
show_request_with(struct view *v, const struct call *failed, const cJSON *conflicts)
{
	const char *api = path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1]);
	const char *below = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]), *status;
	struct talk talk = { .api = api, .below = below, .query = kept_of_query(v) };
	const char *lines = query_value(v, "lines");
	struct shown_space s;
	struct call c, changes, reviewed, requested;
	const cJSON *reviews, *asked;

	if (!open_space(v, &s, NULL, NULL, NULL))
		return;
	c = ask_api(v, "GET", api, NULL);
	if (!call_succeeded(v, &c))
		return;
	changes = ask_changes(v, api, lines != NULL ? path_of_ids(v, "&lines=%s", lines) : "");
	if (!call_succeeded(v, &changes))
		return;
	reviewed = ask_api(v, "GET", arena_printf(v->arena, "%s/reviews?limit=1000", api), NULL);
	reviews = json_member(reviewed.answer, "items");
	requested = ask_api(v, "GET", arena_printf(v->arena, "%s/requested-reviewers", api), NULL);
	asked = json_member(requested.answer, "items");
	status = json_text_or_empty(c.answer, "status");
	talk.may_write = may(&s, "comment");
	talk.closed = !is_unmerged(status);
	talk.changes = json_member(changes.answer, "changes");
	talk.shown = shown_changes(v, changes.answer);
	open_talk(v, &talk);
	if (failed != NULL)
		v->status = failed->status;
	after_saving(v);
	space_begin(v, &s, TAB_REQUESTS, NULL, json_text_or_empty(c.answer, "subject"));
	h_el(&v->h, "div", "class", "about", NULL);
	write_up(v, path_of_ids(v, "/spaces/%s/requests", s.id), SAY_REQUESTS);
	h_leaf(&v->h, "h1", NULL, name_request(v, c.answer));
	h_leaf(&v->h, "span", arena_printf(v->arena, "tag %s", status), request_status(v, status));
	write_author(v, json_member(c.answer, "createdBy"), json_text_or_empty(c.answer, "updatedAt"));
	if (failed != NULL)
		write_failure(v, failed, NULL);
	else
		write_done(v);
	if (conflicts != NULL)
		write_conflicts(v, conflicts);
	if (json_member(c.answer, "description") != NULL)
		write_rich_text(v, json_member(c.answer, "description"));
	if (may(&s, "edit"))
		write_about_form(v, c.answer, below);
	if (is_unmerged(status))
		write_before_merge(v, api, below, json_flag_of(c.answer, "outdated"));
	if (json_text_of(c.answer, "revisionMerged") != NULL)
		write_undone(v, s.id, json_text_or_empty(c.answer, "revisionMerged"));
	write_request_actions(v, &s, c.answer, below, reviews, asked, talk.changes);
	write_comment_links(&talk);
	h_leaf(&v->h, "h2", NULL, view_say(v, SAY_CHANGES));
	write_changes(v, changes.answer, below, "", &talk);
	if (is_unmerged(status) && may(&s, "edit") && cJSON_GetArraySize(talk.changes) == 0)
		write_edit_first(v, below);
	h_close(&v->h);
	write_reviews(v, &(struct review_list){ .s = &s, .reviews = reviews, .asked = asked, .revision = json_text_or_empty(c.answer, "revision"),
	    .author = json_text_or_empty(json_member(c.answer, "createdBy"), "id"), .below = below, .open = is_unmerged(status) });
	write_comments(&talk);
	page_end(v);
}

/* GET /app/spaces/ID/requests/ID; ?full=N: with the whole difference of the N-th change */
void
show_request(struct view *v)
{
	show_request_with(v, NULL, NULL);
}

void
write_saved_in(struct view *v, const cJSON *request)
{
	const char *subject = json_text_or_empty(request, "subject");

	write_notice(v, NOTICE_GOOD, view_say_with(v, SAY_SAVED_IN, *subject != '\0' ? subject : view_say(v, SAY_UNTITLED)));
}

/* What a writer does with a page of a request. */
static void
write_page_tools(struct view *v, const char *below, const char *page)
{
	write_link(v, "btn small", arena_printf(v->arena, "%s/edit", page), view_say(v, SAY_EDIT));
	write_link(v, "btn small", arena_printf(v->arena, "%s/place", page), view_say(v, SAY_PLACE));
	write_link(v, "btn small", arena_printf(v->arena, "%s/new?into=%s", below, strrchr(page, '/') + 1), view_say(v, SAY_NEW_PAGE_BELOW));
	write_link(v, "btn small", arena_printf(v->arena, "%s/new?like=%s", below, strrchr(page, '/') + 1), view_say(v, SAY_NEW_PAGE_LIKE));
}

static void
write_delete(struct view *v, const char *page)
{
	write_link(v, "btn small danger", arena_printf(v->arena, "%s/delete", page), view_say(v, SAY_DELETE_PAGE));
}

/* GET /app/spaces/ID/requests/ID/pages/ID: the page with its changes marked; ?plain=1: without. */
void
show_request_page(struct view *v)
{
	const char *below = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]), *api = path_of_ids(v, "/spaces/%s/change-requests/%s",
	    v->ids[0], v->ids[1]), *page;
	bool plain = query_value(v, "plain") != NULL;
	struct talk talk = { .api = api, .below = below, .page = v->ids[2], .query = plain ? "plain=1&" : "" };
	struct shown_space s;
	struct call c, request;

	if (!open_space(v, &s, v->ids[2], path_of_ids(v, "/change-requests/%s/content", v->ids[1]), below))
		return;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s", path_of_ids(v, "/spaces/%s/change-requests/%s/content/page/%s/html?blocks=true&language=",
	    s.id, v->ids[1], v->ids[2]), text_tag(v->language), plain ? "" : "&since=base"), NULL);
	if (!call_succeeded(v, &c))
		return;
	request = ask_api(v, "GET", api, NULL);
	page = arena_printf(v->arena, "%s/pages/%s", below, url_segment(v->arena, str_of(v->ids[2])));
	talk.may_write = may(&s, "comment");
	talk.blocks = json_member(c.answer, "blocks");
	open_talk(v, &talk);
	after_saving(v);
	space_begin(v, &s, TAB_REQUESTS, v->ids[2], json_text_or_empty(c.answer, "title"));
	if (query_value(v, "done") != NULL)
		write_saved_in(v, request.answer);
	write_request_up(v, request.answer, below);
	write_ancestors(v, &s, v->ids[2]);
	h_leaf(&v->h, "h1", NULL, json_text_or_empty(c.answer, "title"));
	h_el(&v->h, "div", "class", "actions", NULL);
	if (may(&s, "edit"))
		write_page_tools(v, below, page);
	write_link(v, "btn small", arena_printf(v->arena, "%s%s", page, plain ? "" : "?plain=1"), view_say(v, plain ? SAY_SHOW_CHANGES : SAY_SHOW_PLAIN));
	if (may(&s, "edit"))
		write_delete(v, page);
	h_close(&v->h);
	write_talked_article(&talk, c.answer);
	write_comments(&talk);
	page_end(v);
}
