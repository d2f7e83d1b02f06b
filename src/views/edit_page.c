/*
 * Writing a page as Markdown: /app/spaces/S/pages/P/edit, which makes a change request with the first text
 * that is saved, and /app/spaces/S/requests/R/pages/P/edit, which writes in one. Contract: space_parts.h.
 *
 * The form has a hash of the page as it was read (`base`), and the revision of that (`from`). If the page has
 * another text by now, both are merged by lines (edit_merge.c). Where both changed the same lines, nothing is
 * written: the form comes again with what was typed, and these places with a choice for each. If the text of `from`
 * cannot be read any more, the other text is shown as a whole, and the next "save" is for that. Changes to other
 * pages of the request do not matter.
 *
 * The script of the form saves while somebody types (step "keep"). `amend` is the revision that its last save
 * made, which the next one replaces (include/merge/request_amend.h); `since` and `sinceAbout` are the text and the
 * description that the typed ones were made from; `tried` is a text that it sent before, and for which no answer
 * came. A form that comes again has `since`, too: its text is what was typed, which the script must not take for the
 * saved one. Step "attach" adds a picture that was dropped or pasted; without the script, step "file" adds a file, and
 * the form comes again with it in its text.
 */
#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "space_parts.h"

struct editing {
	struct shown_space s;
	const char *request;     /* id of the change request; NULL: none yet */
	const char *page;        /* id; NULL: a new page */
	const char *below;       /* address of the form, below /app */
	const char *api;         /* of the page, below /v1 */
	const char *head;        /* id of the newest revision */
	const cJSON *answer;     /* the change request, as the API has answered it; NULL: none yet */
	/* What the form shows: */
	const char *text, *about;    /* Markdown; description */
	const char *base, *amend;    /* see above; "": none */
	const char *into;        /* of a new page: id of the page that it is below; "": none */
	const char *from;        /* id of the revision that the text was read at */
	const char *since, *since_about;  /* the page at that time; NULL: not known */
	struct meanwhile meanwhile, meanwhile_about;
	bool        is_merged;   /* `text` has what another person wrote meanwhile */
	const char *theirs;      /* the text of another person who saved meanwhile, if it cannot be merged; NULL: none did */
	const char *stored;      /* what the page has now, with its own ends of lines; NULL: not known */
	const char *added;       /* the Markdown of a file that was added; NULL: none was */
	const char *refusal;     /* a message of the page itself; NULL: none */
	struct call saved, preview;   /* status 0: not tried */
};

/* ---- reading ---- */

/* The page as it was at a revision. */
static struct call
read_page_at(struct view *v, const struct editing *e, const char *revision)
{
	return ask_api(v, "GET", path_of_ids(v, "/spaces/%s/revisions/%s/page/%s?format=markdown&metadata=false", e->s.id, revision, e->page), NULL);
}

/* A hash of those parts of a page that the form edits. */
static const char *
hash_page(struct view *v, const struct call *page)
{
	return secret_hash_text(v->arena, arena_printf(v->arena, "%s\001%s", json_text_or_empty(page->answer, "markdown"),
	    json_text_or_empty(page->answer, "description")));
}

/* Finds the id of the newest revision of the request, or of the primary content. False: the answer is made. */
static bool
read_head(struct view *v, struct editing *e)
{
	struct call c;

	if (e->request == NULL) {
		e->head = json_text_or_empty(e->s.space, "revision");
		return true;
	}
	c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/change-requests/%s", e->s.id, e->request), NULL);
	if (!call_succeeded(v, &c))
		return false;
	e->answer = c.answer;
	e->head = json_text_or_empty(c.answer, "revision");
	return true;
}

/* page NULL: a new one. False: the answer is made. */
static bool
open_editing(struct view *v, struct editing *e, const char *request, const char *page)
{
	const char *below = request == NULL ? NULL : path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], request);

	*e = (struct editing){ .request = request, .page = page, .below = v->path, .into = "", .base = "", .amend = "", .from = "" };
	if (!open_space(v, &e->s, page != NULL ? page : "", request == NULL ? NULL : path_of_ids(v, "/change-requests/%s/content", request), below))
		return false;
	if (!may(&e->s, "edit")) {
		page_error(v, 403, view_say(v, SAY_FAILED), view_say(v, SAY_MAY_NOT_EDIT));
		return false;
	}
	if (page != NULL)
		e->api = arena_printf(v->arena, "/spaces/%s%s/page/%s", url_segment(v->arena, str_of(e->s.id)), e->s.at, url_segment(v->arena, str_of(page)));
	return read_head(v, e);
}

/* ---- the form ---- */

/* The button's address ends in #preview, so that the browser scrolls to the preview in the answer. */
static void
write_preview_button(struct view *v, const struct editing *e)
{
	h_el(&v->h, "button", "type", "submit", "class", "btn", "name", "step", "value", "preview", "formaction",
	    app_path(v, arena_printf(v->arena, "%s#preview", e->below)), NULL);
	h_text(&v->h, view_say(v, SAY_PREVIEW));
	h_close(&v->h);
}

/* True if the request was made for this form, by its first save. */
static bool
is_own_request(const struct view *v, const struct editing *e)
{
	return v->ids[2] == NULL && e->request != NULL && e->page != NULL;
}

/*
 * What leaving the form does once something was saved: a link to the page in the request, and words about where the text is.
 * If the form made the request, there is a button that archives it; it belongs to a form that write_discard_form() writes.
 */
static void
write_kept(struct view *v, const struct editing *e)
{
	struct html *h = &v->h;

	h_el(h, "div", "id", "kept", NULL);
	h_leaf(h, "p", "hint", view_say_with(v, SAY_SAVED_IN, name_request(v, e->answer)));
	if (!is_own_request(v, e))
		h_leaf(h, "p", "hint", view_say(v, SAY_CLOSING_KEEPS));
	h_el(h, "div", "class", "actions", NULL);
	write_link(v, "btn", path_of_ids(v, "/spaces/%s/requests/%s/pages/%s?done=saved", e->s.id, e->request, e->page), view_say(v, SAY_CLOSE));
	if (is_own_request(v, e)) {
		h_el(h, "button", "type", "submit", "class", "btn danger", "form", "discard", NULL);
		h_text(h, view_say(v, SAY_DISCARD_REQUEST));
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

static void
write_discard_form(struct view *v, const struct editing *e)
{
	h_el(&v->h, "form", "id", "discard", "hidden", "", "method", "post", "action",
	    app_path(v, path_of_ids(v, "/spaces/%s/requests/%s/state", e->s.id, e->request)), NULL);
	write_hidden(v, "csrf", v->csrf != NULL ? v->csrf : "");
	write_hidden(v, "status", "archived");
	h_close(&v->h);
}

/* What the script says of a saved text: in which kind of request it is. A request that is made by saving is a draft. */
static enum say
say_saved(const struct editing *e)
{
	return strcmp(json_text_or_empty(e->answer, "status"), "open") == 0 ? SAY_ALL_SAVED_OPEN : SAY_ALL_SAVED;
}

/* True if something of the form's sitting is in the request. */
static bool
is_kept(const struct editing *e)
{
	return e->request != NULL && e->page != NULL && *e->amend != '\0';
}

/* A button for people who may merge: saves, and merges the request at once if the space's merge rules are met. */
static void
write_merge_button(struct view *v)
{
	h_el(&v->h, "button", "type", "submit", "class", "btn", "name", "step", "value", "merge", NULL);
	h_text(&v->h, view_say(v, SAY_SAVE_AND_MERGE));
	h_close(&v->h);
}

/* Links to the person's own unmerged change requests, to edit the page in one of them instead. */
static void
write_drafts(struct view *v, const struct editing *e, const char *user)
{
	struct call c;
	const cJSON *one;
	size_t count = 0;

	c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/change-requests?creator=%s&orderBy=updatedAt&limit=20", e->s.id,
	    user), NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		const char *status = json_text_or_empty(one, "status"), *subject = json_text_or_empty(one, "subject");

		if (strcmp(status, "draft") != 0 && strcmp(status, "open") != 0)
			continue;
		if (count++ == 0) {
			h_leaf(&v->h, "p", "hint", view_say(v, SAY_CONTINUE_IN));
			h_el(&v->h, "div", "class", "actions", NULL);
		}
		write_link(v, "btn small", path_of_ids(v, "/spaces/%s/requests/%s/pages/%s/edit", e->s.id, json_text_or_empty(one, "id"), e->page),
		    arena_printf(v->arena, "#%.0f %s", json_number_of(one, "number", 0), subject));
	}
	if (count > 0)
		h_close(&v->h);
}

static bool
is_step(const struct view *v, const char *step)
{
	return strcmp(form_value(v, "step"), step) == 0;
}

/* True if the person has to choose between two versions of some lines. */
static bool
has_places(const struct editing *e)
{
	return e->meanwhile.places != NULL || e->meanwhile_about.places != NULL;
}

static void
write_edit_form(struct view *v, const struct editing *e, const char *title)
{
	const char *page = e->page == NULL ? e->s.below : arena_printf(v->arena, "%s/pages/%s", e->s.below, url_segment(v->arena, str_of(e->page)));
	write_form(v, e->below, NULL);
	if (e->page != NULL) {
		write_hidden(v, "base", e->base);
		write_hidden(v, "amend", e->amend);
		write_hidden(v, "from", e->from);
		if (e->since != NULL) {
			write_hidden(v, "since", e->since);
			write_hidden(v, "sinceAbout", e->since_about);
		}
		if (has_places(e))
			write_places(v, &e->meanwhile, &e->meanwhile_about, is_step(v, "merge") || strcmp(form_value(v, "decide"), "merge") == 0);
	} else {
		write_hidden(v, "into", e->into);
		write_input(v, &(struct input){ .name = "title", .label = view_say(v, SAY_TITLE), .value = form_value(v, "title"), .focus = true,
		    .fault = e->saved.status != 0 ? fault_at(v, &e->saved, "/changes/0/title") : NULL });
	}
	/* A new page is made by its title alone: the editor, which saves and previews, then opens with it. */
	if (e->page == NULL)
		write_hidden(v, "text", e->text);
	else
		write_source(v, "text", SAY_MARKDOWN, e->text, false);
	if (e->page != NULL)
		write_file_field(v, e->below);
	write_input(v, &(struct input){ .name = "about", .label = view_say(v, SAY_DESCRIPTION), .value = e->about, .optional = true,
	    .fault = e->saved.status != 0 ? fault_at(v, &e->saved, "/changes/0/description") : NULL });
	if (e->request == NULL || e->page == NULL)
		write_once(v);
	if (e->request == NULL)
		write_input(v, &(struct input){ .name = "subject", .label = view_say(v, SAY_SUBJECT), .value = *form_value(v, "subject") != '\0' ?
		    form_value(v, "subject") : view_say_with(v, SAY_CHANGE_OF, title), .hint = view_say(v, SAY_SUBJECT_HINT) });
	h_el(&v->h, "div", "class", "actions", NULL);
	write_button(v, "primary", view_say(v, e->page != NULL ? SAY_SAVE : SAY_CONTINUE));
	if (e->page != NULL && may(&e->s, "merge"))
		write_merge_button(v);
	if (e->page != NULL)
		write_preview_button(v, e);
	if (e->page != NULL && e->request != NULL && has_preview(v, path_of_ids(v, "/spaces/%s/change-requests/%s", e->s.id, e->request)))
		write_preview_link(v, "btn", path_of_ids(v, "/spaces/%s/requests/%s", e->s.id, e->request), e->page);
	if (!is_kept(e))
		write_link(v, "btn quiet", page, view_say(v, SAY_CANCEL));
	h_close(&v->h);
	if (is_kept(e))
		write_kept(v, e);
	h_close(&v->h);
	if (is_kept(e) && is_own_request(v, e))
		write_discard_form(v, e);
}

/* The part of the page that the script works on, with the texts that it shows. data-typed: the form's text is not the saved one. */
static void
begin_script_part(struct view *v, const struct editing *e, const char *person)
{
	h_el(&v->h, "div", "id", "editing", "data-person", person, "data-typed", v->method == M_POST ? "" : NULL, "data-kept", view_say(v, SAY_TEXT_KEPT),
	    "data-take", view_say(v, SAY_TAKE_KEPT), "data-drop", view_say(v, SAY_DROP_KEPT), "data-unsaved", view_say(v, SAY_UNSAVED),
	    "data-saving", view_say(v, SAY_SAVING), "data-saved", view_say(v, say_saved(e)), "data-merged", view_say(v, SAY_MERGED_IN), "data-offline",
	    view_say(v, SAY_NO_ANSWER),
	    "data-ended", view_say(v, SAY_SAVING_ENDED), "data-refused", view_say(v, SAY_SAVING_REFUSED), "data-uploading",
	    view_say(v, SAY_UPLOADING), "data-unsent", view_say(v, SAY_FILE_UNSENT), "data-large", view_say(v, SAY_FILE_TOO_LARGE),
	    "data-most", arena_printf(v->arena, "%d", FILE_MOST), "data-plain", view_say(v, SAY_PLAIN_FIELD), "data-rich", view_say(v, SAY_EDITOR),
	    "data-find", view_say(v, SAY_FIND), "data-other", view_say(v, SAY_REPLACE_WITH), "data-next", view_say(v, SAY_FIND_NEXT), "data-before",
	    view_say(v, SAY_FIND_BEFORE), "data-replace", view_say(v, SAY_REPLACE_ONE), "data-all", view_say(v, SAY_REPLACE_ALL), "data-close",
	    view_say(v, SAY_CLOSE), "data-none", view_say(v, SAY_NO_MATCH), "data-insert", view_say(v, SAY_INSERT), "data-tools",
	    view_say(v, SAY_TOOLS), "data-keys", view_say(v, SAY_SLASH_HINT), NULL);
	write_blocks(v);
}

static void
show_editing(struct view *v, const struct editing *e, const char *title)
{
	struct call user = ask_api(v, "GET", "/user", NULL);
	const char *heading = e->page == NULL ? view_say(v, SAY_NEW_PAGE) : view_say_with(v, SAY_EDITING, title);

	const struct call *failed = e->saved.status != 0 ? &e->saved : e->preview.status != 0 && !is_success(&e->preview) ? &e->preview : NULL;

	/* 409: the page was changed meanwhile, and the person must choose; a preview shows the choices without a failure. */
	if (failed != NULL || e->theirs != NULL || (has_places(e) && !is_step(v, "preview")))
		v->status = failed != NULL ? failed->status : 409;
	else if (e->refusal != NULL)
		v->status = 400;
	v->script = v->editor = e->page != NULL;
	space_begin(v, &e->s, e->request != NULL ? TAB_REQUESTS : TAB_PAGES, e->page, heading);
	if (e->answer != NULL)
		write_request_up(v, e->answer, path_of_ids(v, "/spaces/%s/requests/%s", e->s.id, e->request));
	h_leaf(&v->h, "h1", NULL, heading);
	if (failed != NULL)
		write_failure(v, failed, "/changes/0/description", "/changes/0/title", NULL);
	if (e->refusal != NULL)
		write_alert(v, e->refusal);
	if (e->theirs != NULL) {
		write_notice(v, NOTICE_PLAIN, view_say(v, SAY_CHANGED_MEANWHILE));
		write_source(v, "theirs", SAY_THEIR_TEXT, e->theirs, true);
	} else if (e->request == NULL && e->page != NULL && v->method == M_GET) {
		write_drafts(v, e, json_text_or_empty(user.answer, "id"));
	}
	if (e->page != NULL && v->method == M_GET)
		write_also_changing(v, &e->s, e->page, e->request);
	begin_script_part(v, e, json_text_or_empty(user.answer, "id"));
	write_edit_form(v, e, title);
	if (is_success(&e->preview)) {
		h_el(&v->h, "section", "id", "preview", "tabindex", "0", "aria-label", view_say(v, SAY_PREVIEW), NULL);
		h_leaf(&v->h, "h2", NULL, view_say(v, SAY_PREVIEW));
		write_article(v, e->preview.answer);
		h_close(&v->h);
	}
	h_close(&v->h);
	page_end(v);
}

static void
begin_editing(struct view *v, const char *request, const char *page)
{
	struct editing e;
	struct call c;

	if (!open_editing(v, &e, request, page))
		return;
	c = read_page_at(v, &e, e.head);
	if (!call_succeeded(v, &c))
		return;
	if (json_text_of(c.answer, "markdown") == NULL) {
		page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NO_SOURCE));
		return;
	}
	e.text = json_text_or_empty(c.answer, "markdown");
	e.about = json_text_or_empty(c.answer, "description");
	e.base = hash_page(v, &c);
	e.from = e.head;
	show_editing(v, &e, json_text_or_empty(c.answer, "title"));
}

/* GET /app/spaces/ID/pages/ID/edit */
void
edit_space_page(struct view *v)
{
	begin_editing(v, NULL, v->ids[1]);
}

/* GET /app/spaces/ID/requests/ID/pages/ID/edit */
void
edit_request_page(struct view *v)
{
	begin_editing(v, v->ids[1], v->ids[2]);
}

/* ---- saving ---- */

static void
take_form(struct view *v, struct editing *e)
{
	e->text = with_newlines(v->arena, form_value(v, "text"));
	e->about = form_value(v, "about");
	e->base = form_value(v, "base");
	e->amend = form_value(v, "amend");
	e->from = form_value(v, "from");
	e->into = form_value(v, "into");
}

/* The body of POST …/content with the page of the form. */
static char *
make_change_body(struct view *v, const struct editing *e)
{
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	if (*e->amend != '\0')
		json_kstr(&j, "amend", e->amend);
	json_karr(&j, "changes");
	json_obj(&j);
	json_kstr(&j, "operation", e->page != NULL ? "update_page" : "insert_page");
	if (e->page != NULL)
		json_kstr(&j, "page", e->page);
	else
		json_kstr(&j, "title", form_value(v, "title"));
	json_kobj(&j, "document");
	json_kstr(&j, "markdown", e->stored != NULL ? with_ends_of(v->arena, e->text, e->stored) : e->text);
	json_end(&j);
	if (e->page != NULL || *e->about != '\0')
		json_kstr(&j, "description", e->about);
	if (*e->into != '\0')
		json_kstr(&j, "into", e->into);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	return b.p;
}

/* revision: the request must still be at it; NULL: at any, and a form that is sent twice writes once. */
static struct call
write_change(struct view *v, const struct editing *e, const char *revision)
{
	const char *path = path_of_ids(v, "/spaces/%s/change-requests/%s/content?compat=false", e->s.id, e->request);
	const char *body = make_change_body(v, e);

	return revision != NULL ? ask_api_at(v, "POST", path, body, revision) : post_once(v, path, body);
}

static bool
has_text(struct view *v, const struct call *page, const char *text, const char *about)
{
	return is_success(page) && strcmp(with_newlines(v->arena, json_text_or_empty(page->answer, "markdown")), text) == 0 &&
	    strcmp(json_text_or_empty(page->answer, "description"), about) == 0;
}

/* Finds the page as the form's text was made from it. False: it cannot be read any more. */
static bool
find_since(struct view *v, struct editing *e)
{
	struct call then;

	if (e->since != NULL)
		return true;
	if (has_field(v, "since")) {
		e->since = with_newlines(v->arena, form_value(v, "since"));
		e->since_about = form_value(v, "sinceAbout");
		return true;
	}
	if (*e->from == '\0')
		return false;
	then = read_page_at(v, e, e->from);
	/* A hash of another page: the revision was replaced by a later one. */
	if (!is_success(&then) || strcmp(hash_page(v, &then), e->base) != 0)
		return false;
	e->since = with_newlines(v->arena, json_text_or_empty(then.answer, "markdown"));
	e->since_about = json_text_or_empty(then.answer, "description");
	return true;
}

/* Merges the form's texts with the page as it is now. False: there are places at which the person has to choose. */
static bool
compare_theirs(struct view *v, struct editing *e, const struct call *now)
{
	struct meanwhile *text = &e->meanwhile, *about = &e->meanwhile_about;
	bool merged;

	*text = (struct meanwhile){ .kind = "text", .label = SAY_LINE, .base = e->since, .mine = e->text,
		.theirs = with_newlines(v->arena, json_text_or_empty(now->answer, "markdown")) };
	*about = (struct meanwhile){ .kind = "about", .label = SAY_LINE, .base = e->since_about, .mine = e->about,
		.theirs = json_text_or_empty(now->answer, "description") };
	merged = merge_meanwhile(v, text);
	return merge_meanwhile(v, about) && merged;
}

/* True if the form's texts now have what another person wrote meanwhile: the page as it is now counts as their base. */
static bool
merge_theirs(struct view *v, struct editing *e, const struct call *now)
{
	struct meanwhile *text = &e->meanwhile, *about = &e->meanwhile_about;

	if (!compare_theirs(v, e, now))
		return false;
	e->text = text->merged;
	e->about = about->merged;
	e->since = text->theirs;
	e->since_about = about->theirs;
	e->base = hash_page(v, now);
	text->places = about->places = NULL;
	e->is_merged = true;
	return true;
}

/*
 * True if the form's text may be written: the page reads as it did when the form was made, or as the form has it,
 * because it was sent twice, or what was written meanwhile is merged into the form's text. Otherwise there are
 * places to choose at, or e->theirs is the text that the page has now, and e->base is of that; or e->saved is the
 * API's failure to read it. For a page that was deleted since, the API refuses the write.
 */
static bool
is_writable(struct view *v, struct editing *e)
{
	const char *tried = with_newlines(v->arena, form_value(v, "tried"));
	struct call now;

	if (e->page == NULL)
		return true;
	now = read_page_at(v, e, e->head);
	e->stored = json_text_of(now.answer, "markdown");
	/* Deleted, unchanged, or it has the form's text: the one sent now, or the one that the editor has tried to save. */
	if (now.status == 404 || (is_success(&now) && strcmp(hash_page(v, &now), e->base) == 0) ||
	    has_text(v, &now, e->text, e->about) || (*tried != '\0' && has_text(v, &now, tried, e->about)))
		return true;
	if (!is_success(&now)) {
		e->saved = now;
		return false;
	}
	if (find_since(v, e) && merge_theirs(v, e, &now))
		return true;
	if (e->meanwhile.places == NULL && e->meanwhile_about.places == NULL) {
		e->theirs = json_text_or_empty(now.answer, "markdown");
		e->base = hash_page(v, &now);
	}
	return false;
}

/*
 * Saves, unless is_writable() finds that the page has another text by now. If somebody writes
 * between that check and the save, the API refuses the save with 412, since its revision is
 * outdated, and the check is repeated. False: the answer is made.
 */
static bool
save_in_request(struct view *v, struct editing *e)
{
	enum { TRIES = 3 };

	for (int i = 0; i < TRIES && is_writable(v, e); i++) {
		e->saved = write_change(v, e, e->head);
		if (e->saved.status != 412)
			return true;
		if (!read_head(v, e))
			return false;
	}
	if (e->theirs != NULL || has_places(e))
		e->saved = (struct call){ 0 };
	return true;
}

/* Makes the change request that the form writes in. False: e->saved is the API's failure. */
static bool
make_request(struct view *v, struct editing *e)
{
	struct call c = post_once(v, path_of_ids(v, "/spaces/%s/change-requests", e->s.id),
	    json_texts(v->arena, "subject", form_value(v, "subject"), NULL));

	if (!is_success(&c)) {
		e->saved = c;
		return false;
	}
	e->answer = c.answer;
	e->request = json_text_or_empty(c.answer, "id");
	e->head = json_text_or_empty(c.answer, "revision");
	return true;
}

/* Archives the request that make_request() has made if nothing was written in it. */
static void
archive_empty(struct view *v, struct editing *e)
{
	if (is_success(&e->saved))
		return;
	(void)ask_api(v, "PATCH", path_of_ids(v, "/spaces/%s/change-requests/%s", e->s.id, e->request), "{\"status\":\"archived\"}");
	e->request = NULL;
	e->answer = NULL;
}

/*
 * Saves in a new change request. The request begins with the primary content of this moment, which
 * may have changed, so the page is checked again. False: the answer is made.
 */
static bool
save_in_new_request(struct view *v, struct editing *e)
{
	bool unanswered;

	if (!make_request(v, e))
		return true;
	unanswered = save_in_request(v, e);
	archive_empty(v, e);
	return unanswered;
}

/*
 * Adds the file of the form to the request, and the Markdown that shows the file to the text of the
 * form. The text is not saved: the form is shown again, now for the page in the request.
 */
static void
add_file(struct view *v, struct editing *e)
{
	bool is_new = e->request == NULL;
	const char *end = e->text + strlen(e->text);

	if (v->file.name == NULL)
		e->refusal = view_say(v, SAY_CHOOSE_FILE);
	else if (v->file.bytes.n > FILE_MOST)
		e->refusal = view_say_with(v, SAY_FILE_TOO_LARGE, v->file.name);
	if (e->refusal != NULL || (is_new && !make_request(v, e)))
		return;
	e->saved = send_file_of_form(v, e->s.id, e->request, e->amend);
	if (is_new)
		archive_empty(v, e);
	if (!is_success(&e->saved))
		return;
	e->added = markdown_of_file(v, &e->saved);
	e->amend = json_text_or_empty(json_member(e->saved.answer, "changeRequest"), "revision");
	e->below = path_of_ids(v, "/spaces/%s/requests/%s/pages/%s/edit", e->s.id, e->request, e->page);
	e->text = arena_printf(v->arena, "%s%s%s\n", e->text, end == e->text ? "" : end[-1] == '\n' ? "\n" : "\n\n", e->added);
}

/*
 * Answers the script of the form: what its next save needs, and the Markdown of the file that was added. The script takes
 * over what write_kept() and write_discard_form() write.
 */
static void
answer_script(struct view *v, const struct editing *e)
{
	const char *revision = json_text_or_empty(json_member(e->saved.answer, "changeRequest"), "revision");
	struct call now = read_page_at(v, e, revision);

	buf_str(&v->body, "<!doctype html>\n");
	h_el(&v->h, "p", "id", "saved", "data-base", e->added == NULL ? hash_page(v, &now) : NULL, "data-amend", revision, "data-added", e->added,
	    "data-text", e->is_merged ? e->text : NULL, "data-about", e->is_merged ? e->about : NULL, "data-at",
	    app_path(v, path_of_ids(v, "/spaces/%s/requests/%s/pages/%s/edit", e->s.id, e->request, e->page)), "data-label",
	    view_say(v, say_saved(e)), NULL);
	h_close(&v->h);
	write_kept(v, e);
	if (is_own_request(v, e))
		write_discard_form(v, e);
}

/* Shows the form again, with what its text was made from, if that can be read. */
static void
show_again(struct view *v, struct editing *e, const char *title)
{
	if (e->page != NULL)
		(void)find_since(v, e);
	show_editing(v, e, title);
}

/*
 * The text of the form as it is previewed: with the choices that are made at places which another person changed
 * meanwhile. The form comes back with these places, and with its text as it was sent.
 */
static const char *
previewed_text(struct view *v, struct editing *e)
{
	struct call now;

	if (e->page == NULL || !has_field(v, "since"))
		return e->text;
	now = read_page_at(v, e, e->head);
	if (!is_success(&now) || strcmp(hash_page(v, &now), e->base) == 0 || !find_since(v, e))
		return e->text;
	(void)compare_theirs(v, e, &now);
	return has_places(e) && e->meanwhile.merged != NULL ? e->meanwhile.merged : e->text;
}

/* Answers after a step: redirects to the page in the request, or shows the form again. */
static void
answer_editing(struct view *v, struct editing *e, const char *title)
{
	if (e->saved.status == 401 || e->preview.status == 401)
		go_sign_in(v, false);
	else if (is_success(&e->saved) && (is_step(v, "keep") || is_step(v, "attach")))
		answer_script(v, e);
	else if (e->added != NULL)
		show_again(v, e, title);
	else if (is_success(&e->saved) && is_step(v, "merge"))
		merge_saved_page(v, e->s.id, e->request, e->page);
	else if (is_success(&e->saved) && strcmp(v->path, path_of_ids(v, "/spaces/%s/requests/%s/new", e->s.id, e->request)) == 0)
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s/pages/%s/edit", e->s.id, e->request, e->page));
	else if (is_success(&e->saved))
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s/pages/%s?done=saved", e->s.id, e->request, e->page));
	else
		show_again(v, e, title);
}

static void
finish_editing(struct view *v, const char *request, const char *page)
{
	struct editing e;

	if (!form_has(v, "text") || !open_editing(v, &e, request, page))
		return;
	take_form(v, &e);
	if (is_step(v, "file") || is_step(v, "attach"))
		add_file(v, &e);
	else if (is_step(v, "preview"))
		e.preview = ask_api(v, "POST", arena_printf(v->arena, "%s/html?language=%s", e.api, text_tag(v->language)),
		    json_texts(v->arena, "markdown", previewed_text(v, &e), NULL));
	else if (request != NULL && !save_in_request(v, &e))
		return;
	else if (request == NULL && is_writable(v, &e) && !save_in_new_request(v, &e))
		return;
	answer_editing(v, &e, json_text_or_empty(find_page(e.s.pages, page), "title"));
}

/* POST /app/spaces/ID/pages/ID/edit */
void
save_space_page(struct view *v)
{
	finish_editing(v, NULL, v->ids[1]);
}

/* POST /app/spaces/ID/requests/ID/pages/ID/edit */
void
save_request_page(struct view *v)
{
	finish_editing(v, v->ids[1], v->ids[2]);
}

/* ---- new pages ---- */

/* The id of the page that a page of the tree is below, "": none. NULL: it is not in the tree. */
static const char *
find_parent(const cJSON *pages, const char *parent, const char *id, unsigned depth)
{
	enum { DEPTH_MOST = 100 };
	const cJSON *page;
	const char *found;

	cJSON_ArrayForEach(page, pages) {
		const char *own = json_text_or_empty(page, "id");

		if (strcmp(own, id) == 0)
			return parent;
		if (depth < DEPTH_MOST && (found = find_parent(json_member(page, "pages"), own, id, depth + 1)) != NULL)
			return found;
	}
	return NULL;
}

/* The text without its first heading, because the new page gets another title. */
static const char *
without_heading(const char *text)
{
	const char *end = strncmp(text, "# ", 2) == 0 ? strchr(text, '\n') : NULL;

	return end == NULL ? text : end + strspn(end, "\n");
}

/* Prepares the form of a new page with the text of another page, as its sibling. False: the answer is made. */
static bool
copy_page(struct view *v, struct editing *e, const char *page)
{
	const cJSON *pages;
	struct call c;

	e->page = page;
	c = read_page_at(v, e, e->head);
	e->page = NULL;
	if (!call_succeeded(v, &c))
		return false;
	e->text = without_heading(json_text_or_empty(c.answer, "markdown"));
	e->about = json_text_or_empty(c.answer, "description");
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s/pages?brief=true&open=%s", path_of_ids(v, "/spaces/%s", e->s.id), e->s.at,
	    url_segment(v->arena, str_of(page))), NULL);
	if (!call_succeeded(v, &c))
		return false;
	pages = json_member(c.answer, "pages");
	e->into = find_parent(pages, "", page, 0);
	if (e->into == NULL)
		e->into = "";
	return true;
}

/* GET /app/spaces/ID/requests/ID/new?into=PAGE, or ?like=PAGE with the text of that page */
void
begin_page(struct view *v)
{
	const char *into = query_value(v, "into"), *like = query_value(v, "like");
	struct editing e;

	if (!open_editing(v, &e, v->ids[1], NULL))
		return;
	e.text = e.about = "";
	e.into = into != NULL ? into : "";
	if (like == NULL || copy_page(v, &e, like))
		show_editing(v, &e, "");
}

/* POST /app/spaces/ID/requests/ID/new */
void
add_page(struct view *v)
{
	struct editing e;

	if (!form_has(v, "text") || !open_editing(v, &e, v->ids[1], NULL))
		return;
	take_form(v, &e);
	e.saved = write_change(v, &e, NULL);
	if (is_success(&e.saved))
		e.page = json_text_or_empty(json_member(cJSON_GetArrayItem(json_member(e.saved.answer, "changes"), 0), "page"), "id");
	answer_editing(v, &e, "");
}
