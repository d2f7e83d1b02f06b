/*
 * The history of a space: revisions, what each changed, and how any page was then. An older state comes
 * back by a change request, which is reviewed like any other. Contract: space_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* ---- the list ---- */

static const char *
revision_title(struct view *v, const cJSON *revision)
{
	const cJSON *merged = json_member(revision, "mergedFrom");
	const char *message = json_text_of(json_member(revision, "git"), "message"), *type = json_text_or_empty(revision, "type");

	if (merged != NULL)
		return arena_printf(v->arena, "#%.0f %s", json_number_of(merged, "number", 0), json_text_or_empty(merged, "subject"));
	if (message != NULL && *message != '\0')
		return arena_strndup(v->arena, message, strcspn(message, "\n"));
	return view_say(v, strcmp(type, "rollback") == 0 ? SAY_ROLLED_BACK : strcmp(type, "merge") == 0 ? SAY_MERGED_CONTENT : SAY_EDITED);
}

/* Who made the revision: of a change request its author, and who merged it, if that is another person. */
static void
write_maker(struct view *v, const cJSON *revision)
{
	const cJSON *by = json_member(revision, "createdBy"), *author = json_member(json_member(revision, "mergedFrom"), "createdBy");

	write_author(v, author != NULL ? author : by, json_text_or_empty(revision, "createdAt"));
	if (author == NULL || by == NULL || strcmp(json_text_or_empty(author, "id"), json_text_or_empty(by, "id")) == 0)
		return;
	h_text(&v->h, " ");
	h_leaf(&v->h, "small", NULL, view_say_with(v, SAY_MERGED_BY, json_text_or_empty(by, "displayName")));
}

static void
write_revision_row(struct view *v, const struct shown_space *s, const cJSON *revision, const char *page)
{
	const char *id = json_text_or_empty(revision, "id");
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	write_link(v, NULL, page == NULL ? path_of_ids(v, "/spaces/%s/revisions/%s", s->id, id) :
	    path_of_ids(v, "/spaces/%s/revisions/%s/pages/%s", s->id, id, page), revision_title(v, revision));
	write_maker(v, revision);
	h_close(h);
	h_close(h);
}

/* Revisions that can be compared: those that the page lists, newest first, and one that was chosen before. */
struct choices {
	const cJSON *listed;
	const cJSON *kept;   /* NULL: none was */
};

static void
write_revision_option(struct view *v, const cJSON *revision, bool chosen)
{
	write_option(v, json_text_or_empty(revision, "id"), arena_printf(v->arena, "%s · %s", revision_title(v, revision),
	    show_minute(v, json_text_or_empty(revision, "createdAt"))), chosen);
}

/* chosen: index of the revision that is selected at first. */
static void
write_revision_choice(struct view *v, const char *name, enum say label, const struct choices *c, int chosen)
{
	const cJSON *revision;
	int i = 0;

	choice_begin(v, name, view_say(v, label));
	if (c->kept != NULL)
		write_revision_option(v, c->kept, i++ == chosen);
	cJSON_ArrayForEach(revision, c->listed)
		write_revision_option(v, revision, i++ == chosen);
	choice_end(v);
}

/* A form to compare two states of the page; NULL: of the whole space. */
static void
write_compare(struct view *v, const struct shown_space *s, const struct choices *c, const char *page)
{
	struct html *h = &v->h;

	if (cJSON_GetArraySize(c->listed) + (c->kept != NULL) < 2)
		return;
	h_leaf(h, "h2", NULL, view_say(v, SAY_COMPARE));
	h_el(h, "form", "method", "get", "action", app_path(v, path_of_ids(v, "/spaces/%s/history", s->id)), "class", "line range", NULL);
	if (page != NULL)
		write_hidden(v, "pageId", page);
	write_revision_choice(v, "from", SAY_COMPARE_FROM, c, c->kept != NULL ? 0 : 1);
	write_revision_choice(v, "to", SAY_COMPARE_TO, c, c->kept != NULL ? 1 : 0);
	write_button(v, "small", view_say(v, SAY_COMPARE));
	h_close(h);
}

/* The revision, without pages that are computed. */
static struct call
read_revision(struct view *v, const char *id)
{
	return ask_api(v, "GET", path_of_ids(v, "/spaces/%s/revisions/%s?computed=false", v->ids[0], id), NULL);
}

/* The query of links to other parts of the list: the page, and the revision that was chosen for a comparison. */
static const char *
history_query(struct view *v, const char *page, const char *from)
{
	return arena_printf(v->arena, "%s%s", page != NULL ? path_of_ids(v, "&pageId=%s", page) : "", from != NULL ? path_of_ids(v, "&from=%s", from) : "");
}

static void
write_history(struct view *v, const struct shown_space *s, const struct call *list, const cJSON *kept, const char *page)
{
	const cJSON *revision, *of = page != NULL ? find_page(s->pages, page) : NULL;
	const struct choices c = { json_member(list->answer, "items"), kept };

	space_begin(v, s, TAB_HISTORY, page, view_say(v, SAY_HISTORY));
	if (of != NULL)
		write_ancestors(v, s, page);
	h_leaf(&v->h, "h1", NULL, of != NULL ? view_say_with(v, SAY_HISTORY_OF, json_text_or_empty(of, "title")) : view_say(v, SAY_HISTORY));
	write_compare(v, s, &c, page);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(revision, c.listed)
		write_revision_row(v, s, revision, page);
	h_close(&v->h);
	write_more(v, list, SAY_MORE, path_of_ids(v, "/spaces/%s/history", s->id), history_query(v, page, query_value(v, "from")));
	page_end(v);
}

/*
 * GET /app/spaces/ID/history?pageId=: revisions of the space or of one page. With &from= and &to=: redirects to
 * what differs between them; with &from= alone the other one is chosen here.
 */
void
show_history(struct view *v)
{
	const char *from = query_value(v, "from"), *to = query_value(v, "to");
	const char *page = query_value(v, "pageId"), *next = query_value(v, "page");
	struct call c, kept = { 0 };
	struct shown_space s;

	if (from != NULL && to != NULL) {
		go_to(v, page != NULL ? path_of_ids(v, "/spaces/%s/revisions/%s/pages/%s?since=%s", v->ids[0], to, page, from) :
		    path_of_ids(v, "/spaces/%s/revisions/%s?since=%s", v->ids[0], to, from));
		return;
	}
	if (!open_space(v, &s, page, NULL, NULL))
		return;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s%s", path_of_ids(v, "/spaces/%s/revisions?limit=50", s.id), history_query(v, page, NULL),
	    next != NULL ? "&page=" : "", next != NULL ? url_segment(v->arena, str_of(next)) : ""), NULL);
	if (!call_succeeded(v, &c))
		return;
	if (from != NULL && (kept = read_revision(v, from), !call_succeeded(v, &kept)))
		return;
	write_history(v, &s, &c, kept.answer, page);
}

/* ---- one revision ---- */

/* The revision with its author, without its pages. */
static struct call
read_entry(struct view *v, const char *id)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/revisions?revision=%s", v->ids[0], id), NULL);
	const cJSON *items = json_member(c.answer, "items");

	/* The list has those of the primary content alone. */
	if (cJSON_GetArraySize(items) == 0)
		return read_revision(v, id);
	c.answer = items->child;
	return c;
}

/* A link to the revision, with its author and time. */
static void
write_entry(struct view *v, const struct shown_space *s, const cJSON *revision)
{
	write_link(v, NULL, path_of_ids(v, "/spaces/%s/revisions/%s", s->id, json_text_or_empty(revision, "id")), revision_title(v, revision));
	h_text(&v->h, " ");
	write_maker(v, revision);
}

static void write_restore(struct view *v, const struct shown_space *s, const cJSON *revision, const char *page);

/* One of the two states that are compared, with a link to it. page: its id; NULL: the whole space is compared. */
static void
write_compared(struct view *v, const struct shown_space *s, enum say label, const cJSON *revision, const char *page)
{
	struct html *h = &v->h;

	h_leaf(h, "dt", NULL, view_say(v, label));
	h_open(h, "dd");
	write_entry(v, s, revision);
	if (page != NULL)
		write_restore(v, s, revision, page);
	h_close(h);
}

/* The two states that the page compares. */
static void
write_both(struct view *v, const struct shown_space *s, const cJSON *from, const cJSON *to, const char *page)
{
	h_el(&v->h, "dl", "class", "facts", NULL);
	write_compared(v, s, SAY_COMPARE_FROM, from, page);
	write_compared(v, s, SAY_COMPARE_TO, to, page);
	h_close(&v->h);
}

void
write_undo(struct view *v, const struct shown_space *s, const char *revision)
{
	if (!may(s, "edit"))
		return;
	write_form(v, path_of_ids(v, "/spaces/%s/revisions/%s/undo", s->id, revision), NULL);
	write_once(v);
	write_button(v, "small", view_say(v, SAY_UNDO));
	h_close(&v->h);
}

/* entry: the revision of the list, with its author; failed: the call that could not undo the revision; NULL: it was not tried. */
static void
write_revision_head(struct view *v, const struct shown_space *s, const cJSON *revision, const cJSON *entry, const struct call *failed)
{
	struct html *h = &v->h;

	h_leaf(h, "h1", NULL, revision_title(v, revision));
	write_maker(v, entry);
	if (failed != NULL)
		write_failure(v, failed, NULL);
	write_undone(v, s->id, v->ids[1]);
	h_el(h, "div", "class", "actions", NULL);
	write_link(v, "btn small", path_of_ids(v, "/spaces/%s/history?from=%s", s->id, v->ids[1]), view_say(v, SAY_COMPARE));
	write_undo(v, s, v->ids[1]);
	h_close(h);
}

static void
show_revision_with(struct view *v, const struct call *failed)
{
	const char *since = query_value(v, "since");
	struct call revision, entry, before = { 0 }, changes;
	const cJSON *merged;
	struct shown_space s;

	if (!open_space(v, &s, NULL, NULL, NULL))
		return;
	revision = read_revision(v, v->ids[1]);
	if (!call_succeeded(v, &revision))
		return;
	entry = read_entry(v, v->ids[1]);
	merged = json_member(entry.answer, "mergedFrom");
	if (since != NULL && (before = read_entry(v, since), !call_succeeded(v, &before)))
		return;
	changes = ask_changes(v, path_of_ids(v, "/spaces/%s/revisions/%s", s.id, v->ids[1]), since != NULL ? path_of_ids(v, "&since=%s", since) : "");
	if (!call_succeeded(v, &changes))
		return;
	if (failed != NULL)
		v->status = failed->status;
	s.pages = json_member(revision.answer, "pages");
	s.below = path_of_ids(v, "/spaces/%s/revisions/%s", s.id, v->ids[1]);
	space_begin(v, &s, TAB_HISTORY, NULL, view_say(v, since != NULL ? SAY_COMPARE : SAY_REVISION));
	write_up(v, since != NULL ? path_of_ids(v, "/spaces/%s/history?from=%s", s.id, since) : path_of_ids(v, "/spaces/%s/history", s.id),
	    SAY_HISTORY);
	if (since == NULL && merged != NULL)
		write_request_up(v, merged, path_of_ids(v, "/spaces/%s/requests/%s", s.id, json_text_or_empty(merged, "id")));
	if (since != NULL) {
		h_leaf(&v->h, "h1", NULL, view_say(v, SAY_COMPARE));
		write_both(v, &s, before.answer, entry.answer, NULL);
	} else {
		write_revision_head(v, &s, revision.answer, entry.answer, failed);
	}
	write_changes(v, changes.answer, s.below, since != NULL ? path_of_ids(v, "?since=%s", since) : "?since=before", NULL);
	page_end(v);
}

/* GET /app/spaces/ID/revisions/ID: what it changed; ?since=ID: what differs from that revision */
void
show_revision(struct view *v)
{
	show_revision_with(v, NULL);
}

/* ---- a page of a revision ---- */

static struct call
ask_page(struct view *v, const char *page)
{
	return ask_api(v, "GET", arena_printf(v->arena, "%s?format=markdown&metadata=false&computed=false", page), NULL);
}

/* True if the page is another one today than in the revision, or is not there any more. */
static bool
differs_today(struct view *v, const char *revision, const char *page)
{
	/* Times and addresses, and the pages below it, which are not restored with it. */
	static const char *const others[] = { "createdAt", "updatedAt", "urls", "pages" };
	struct call then = ask_page(v, path_of_ids(v, "/spaces/%s/revisions/%s/page/%s", v->ids[0], revision, page));
	struct call now = ask_page(v, path_of_ids(v, "/spaces/%s/content/page/%s", v->ids[0], page));

	if (!is_success(&then))
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		cJSON_DeleteItemFromObjectCaseSensitive(then.answer, others[i]);
		cJSON_DeleteItemFromObjectCaseSensitive(now.answer, others[i]);
	}
	return !is_success(&now) || !cJSON_Compare(then.answer, now.answer, true);
}

/* The button that restores the page as it was in the revision, if that changes something and the caller may edit. */
static void
write_restore(struct view *v, const struct shown_space *s, const cJSON *revision, const char *page)
{
	const char *id = json_text_or_empty(revision, "id");

	if (!may(s, "edit") || !differs_today(v, id, page))
		return;
	write_form(v, path_of_ids(v, "/spaces/%s/revisions/%s/pages/%s/restore", s->id, id, page), NULL);
	write_once(v);
	write_button(v, "small", view_say_with(v, SAY_RESTORE, show_minute(v, json_text_or_empty(revision, "createdAt"))));
	h_close(&v->h);
}

/* Says which states are compared, or which one is shown. since: id of the revision that the page is compared with; NULL: none. */
static void
write_states(struct view *v, const struct shown_space *s, const cJSON *shown, const char *since)
{
	if (since != NULL) {
		write_both(v, s, read_entry(v, since).answer, shown, v->ids[2]);
		return;
	}
	h_open(&v->h, "p");
	write_entry(v, s, shown);
	h_close(&v->h);
}

/* failed: the call of a form that failed; refusal: a message of the page itself. Each may be NULL. */
static void
show_revision_page_with(struct view *v, const struct call *failed, const char *refusal)
{
	const char *since = query_value(v, "since"), *mark = "", *other = since != NULL && strcmp(since, "before") == 0 ? NULL : since;
	const char *below = path_of_ids(v, "/spaces/%s/revisions/%s", v->ids[0], v->ids[1]);
	struct shown_space s;
	struct call c, shown;

	if (!open_space(v, &s, v->ids[2], path_of_ids(v, "/revisions/%s", v->ids[1]), below))
		return;
	if (since != NULL)
		mark = path_of_ids(v, "&since=%s", since);
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s", path_of_ids(v, "/spaces/%s/revisions/%s/page/%s/html?language=%s", s.id, v->ids[1], v->ids[2],
	    text_tag(v->language)), mark), NULL);
	if (!call_succeeded(v, &c))
		return;
	shown = read_entry(v, v->ids[1]);
	if (failed != NULL || refusal != NULL)
		v->status = failed != NULL ? failed->status : 409;
	space_begin(v, &s, TAB_HISTORY, v->ids[2], json_text_or_empty(c.answer, "title"));
	if (failed != NULL)
		write_failure(v, failed, NULL);
	if (refusal != NULL)
		write_alert(v, refusal);
	write_notice(v, NOTICE_PLAIN, view_say(v, since != NULL ? SAY_CHANGES_MARKED : SAY_OLD_STATE));
	write_up(v, path_of_ids(v, "/spaces/%s/history?pageId=%s", s.id, v->ids[2]), SAY_PAGE_HISTORY);
	write_ancestors(v, &s, v->ids[2]);
	h_leaf(&v->h, "h1", NULL, json_text_or_empty(c.answer, "title"));
	write_states(v, &s, shown.answer, other);
	h_el(&v->h, "div", "class", "actions", NULL);
	write_link(v, "btn small", arena_printf(v->arena, "%s/pages/%s%s", below, url_segment(v->arena, str_of(v->ids[2])), since != NULL ? "" : "?since=before"),
	    view_say(v, since != NULL ? SAY_SHOW_PLAIN : SAY_SHOW_CHANGES));
	write_link(v, "btn small", path_of_ids(v, "/spaces/%s/pages/%s", s.id, v->ids[2]), view_say(v, SAY_SHOW_TODAY));
	if (other == NULL)
		write_restore(v, &s, shown.answer, v->ids[2]);
	h_close(&v->h);
	write_article(v, c.answer);
	page_end(v);
}

/*
 * GET /app/spaces/ID/revisions/ID/pages/ID: the page as it was; ?since=before marks what this revision
 * changed, ?since=ID what changed since another one.
 */
void
show_revision_page(struct view *v)
{
	show_revision_page_with(v, NULL, NULL);
}

/* ---- back to an older state ---- */

/* The subject of the request; long titles are cut, since a subject has at most 100 characters. */
static const char *
short_subject(struct view *v, enum say subject, const char *title)
{
	size_t n = strlen(title);

	if (n > 60)
		for (n = 60; n > 0 && ((unsigned char)title[n] & 0xc0) == 0x80; n--)
			;
	return view_say_with(v, subject, arena_strndup(v->arena, title, n));
}

/*
 * Opens a change request, makes the operation `step` in it, and redirects to the request, with the notice `done`, unless the
 * returned call has failed.
 */
static struct call
open_request_with(struct view *v, const char *subject, const char *step, const char *body, const char *done)
{
	struct call request = post_once(v, path_of_ids(v, "/spaces/%s/change-requests", v->ids[0]), json_texts(v->arena, "subject", subject, NULL)), c;
	const char *id = json_text_or_empty(request.answer, "id");

	if (!is_success(&request))
		return request;
	c = post_once(v, arena_printf(v->arena, "%s/%s", path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], id), step), body);
	/* The operation failed, so the new request is empty, and is archived. */
	if (!is_success(&c))
		ask_api(v, "PATCH", path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], id), "{\"status\":\"archived\"}");
	else
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s?done=%s", v->ids[0], id, done));
	return c;
}

/* POST …/restore: a change request with the page as it was then. */
void
restore_page(struct view *v)
{
	struct call page = ask_page(v, path_of_ids(v, "/spaces/%s/revisions/%s/page/%s", v->ids[0], v->ids[1], v->ids[2])), c;

	if (!call_succeeded(v, &page))
		return;
	if (!differs_today(v, v->ids[1], v->ids[2])) {
		show_revision_page_with(v, NULL, view_say(v, SAY_SAME_STATE));
		return;
	}
	c = open_request_with(v, short_subject(v, SAY_RESTORES, json_text_or_empty(page.answer, "title")), "content", arena_printf(v->arena,
	    "{\"changes\":[%s]}", json_texts(v->arena, "operation", "revert_page", "page", v->ids[2], "revision", v->ids[1], NULL)), "made");
	if (c.status == 401)
		go_sign_in(v, false);
	else if (!is_success(&c))
		show_revision_page_with(v, &c, NULL);
}

/* POST …/undo: a change request that takes back what the revision changed; the one that does so already, if there is one. */
void
undo_revision(struct view *v)
{
	struct call revision = read_revision(v, v->ids[1]), c;
	const char *there;

	if (!call_succeeded(v, &revision))
		return;
	if ((there = find_waiting_undo(v, v->ids[0], v->ids[1])) != NULL) {
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s?done=there", v->ids[0], there));
		return;
	}
	/* Checked first, so that an undo that is not possible leaves no change request. */
	c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/revisions/%s/undo", v->ids[0], v->ids[1]), NULL);
	if (is_success(&c))
		c = open_request_with(v, short_subject(v, SAY_UNDOES, revision_title(v, revision.answer)), "undo",
		    json_texts(v->arena, "revision", v->ids[1], NULL), "undone");
	if (c.status == 401)
		go_sign_in(v, false);
	else if (!is_success(&c))
		show_revision_with(v, &c);
}
