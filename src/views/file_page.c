/*
 * Files of a space, and of a change request: a list, and a page for each file with the pages that use it and a form that
 * replaces, renames, describes or deletes it. For a file of the primary content, the form also creates a change request.
 * Contract: space_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* ---- the list ---- */

/* Files of a part of the list: each has a signed address of its own. */
enum { FILES_PART = 20 };

static const char *
show_bytes(struct view *v, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB" };
	size_t i = 0;

	for (; bytes >= 1000 && i < 3; i++)
		bytes /= 1000;
	return arena_printf(v->arena, i == 0 ? "%.0f %s" : "%.1f %s", bytes, units[i]);
}

/* A file of the list, with a link to its page, which shows it, where it is used, and the form that changes it. */
static void
write_file(struct view *v, const struct shown_space *s, const cJSON *file)
{
	const char *url = json_text_or_empty(file, "downloadURL");
	struct html *h = &v->h;

	h_open(h, "li");
	if (strncmp(json_text_or_empty(file, "contentType"), "image/", 6) == 0) {
		h_void(h, "img");
		h_url(h, "src", url);
		h_attr(h, "alt", "");
		h_attr(h, "loading", "lazy");
		h_attr(h, "class", "thumb");
	}
	h_el(h, "div", "class", "what", NULL);
	h_el(h, "a", "href", near_path(v, arena_printf(v->arena, "%s/files/%s", s->below, url_segment(v->arena, str_of(json_text_or_empty(file, "id"))))), NULL);
	h_text(h, json_text_or_empty(file, "name"));
	h_close(h);
	if (json_text_of(file, "description") != NULL)
		h_leaf(h, "small", NULL, json_text_of(file, "description"));
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s · %s", json_text_or_empty(file, "contentType"),
	    show_bytes(v, json_number_of(file, "size", 0))));
	h_close(h);
	h_close(h);
}

/* Opens the space of the address, for the list or a file in it. request NULL: its primary content. */
static bool
open_files(struct view *v, struct shown_space *s, const char *request)
{
	return request == NULL ? open_space(v, s, NULL, NULL, NULL) :
	    open_space(v, s, NULL, path_of_ids(v, "/change-requests/%s/content", request), path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], request));
}

static void
list_files(struct view *v, const char *request)
{
	struct shown_space s;
	const cJSON *file, *list;
	struct call c;

	if (!open_files(v, &s, request) ||
	    (list = ask_part(v, &c, arena_printf(v->arena, "%s%s/files", path_of_ids(v, "/spaces/%s", s.id), s.at), FILES_PART)) == NULL)
		return;
	space_begin(v, &s, request != NULL ? TAB_REQUESTS : TAB_FILES, NULL, view_say(v, SAY_FILES));
	if (request != NULL)
		write_up(v, s.below, SAY_TO_REQUEST);
	h_leaf(&v->h, "h1", NULL, view_say(v, SAY_FILES));
	if (list->child == NULL)
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_FILES));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(file, list)
		write_file(v, &s, file);
	h_close(&v->h);
	write_more(v, &c, SAY_FIND_NEXT, arena_printf(v->arena, "%s/files", s.below), "");
	page_end(v);
}

/* GET /app/spaces/ID/files */
void
show_files(struct view *v)
{
	list_files(v, NULL);
}

/* GET /app/spaces/ID/requests/ID/files */
void
show_request_files(struct view *v)
{
	list_files(v, v->ids[1]);
}

/* ---- a file ---- */

struct file_form {
	struct shown_space s;
	const char        *request;     /* id; NULL: none yet */
	const char        *id;          /* of the file */
	const char        *api;         /* of the file, below /v1 */
	const cJSON       *file;
	const char        *refusal;     /* a message of the page itself; NULL: none */
	struct call        failed;      /* status 0: no change was refused */
};

/* False: an error page was written. */
static bool
open_file(struct view *v, struct file_form *f, bool with_request)
{
	struct call c;

	*f = (struct file_form){ .request = with_request ? v->ids[1] : NULL, .id = v->ids[with_request ? 2 : 1] };
	if (!open_files(v, &f->s, f->request))
		return false;
	f->api = arena_printf(v->arena, "%s%s%s", path_of_ids(v, "/spaces/%s", f->s.id), f->s.at, path_of_ids(v, "/files/%s", f->id));
	c = ask_api(v, "GET", f->api, NULL);
	f->file = c.answer;
	return call_succeeded(v, &c);
}

static void
write_file_input(struct view *v, const struct file_form *f, const char *name, enum say label, enum say hint, bool optional)
{
	const char *value = json_text_or_empty(f->file, name);
	bool again = f->failed.status != 0 || f->refusal != NULL;

	write_was(v, name, again ? form_value(v, arena_printf(v->arena, "was-%s", name)) : value);
	write_input(v, &(struct input){ .name = name, .label = view_say(v, label), .value = again ? form_value(v, name) : value, .optional = optional,
	    .hint = hint != SAYS ? view_say(v, hint) : NULL,
	    .fault = f->failed.status != 0 ? fault_at(v, &f->failed, arena_printf(v->arena, "/changes/0/%s", name)) : NULL });
}

static void
write_file_choice(struct view *v, const struct file_form *f)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", f->refusal != NULL ? "field wrong" : "field", NULL);
	h_el(h, "label", "for", "file", NULL);
	h_text(h, view_say(v, SAY_OTHER_FILE));
	h_close(h);
	h_one(h, "input", "id", "file", "name", "file", "type", "file", "aria-describedby", "file-about", NULL);
	h_el(h, "p", "id", "file-about", "class", f->refusal != NULL ? "fault" : "hint", NULL);
	h_text(h, f->refusal != NULL ? f->refusal : view_say(v, SAY_OTHER_FILE_HINT));
	h_close(h);
	h_close(h);
}

static void
write_file_form(struct view *v, const struct file_form *f)
{
	struct html *h = &v->h;

	h_el(h, "form", "method", "post", "action", app_path(v, v->path), "enctype", "multipart/form-data", NULL);
	write_hidden(v, "csrf", v->csrf != NULL ? v->csrf : "");
	write_file_input(v, f, "name", SAY_NAME, SAYS, false);
	write_file_input(v, f, "description", SAY_ALTERNATIVE, SAY_ALTERNATIVE_HINT, true);
	write_file_choice(v, f);
	if (f->request == NULL) {
		write_once(v);
		write_input(v, &(struct input){ .name = "subject", .label = view_say(v, SAY_SUBJECT), .hint = view_say(v, SAY_SUBJECT_HINT),
		    .value = *form_value(v, "subject") != '\0' ? form_value(v, "subject") :
		    view_say_with(v, SAY_CHANGE_OF, json_text_or_empty(f->file, "name")) });
	}
	h_el(h, "div", "class", "actions", NULL);
	write_button(v, "primary", view_say(v, SAY_SAVE));
	h_el(h, "button", "type", "submit", "class", "btn danger", "name", "step", "value", "delete", NULL);
	h_text(h, view_say(v, SAY_DELETE_FILE));
	h_close(h);
	h_close(h);
	h_close(h);
}

static void
write_usages(struct view *v, const struct file_form *f, const cJSON *list)
{
	const cJSON *place;

	section_begin(v, "users", view_say(v, SAY_WHERE_USED), list->child == NULL ? view_say(v, SAY_USED_NOWHERE) : NULL);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(place, list)
		write_link_place(v, &f->s, place);
	h_close(&v->h);
	h_close(&v->h);
}

static void
write_preview(struct view *v, const struct file_form *f)
{
	struct html *h = &v->h;
	const char *url = json_text_or_empty(f->file, "downloadURL");

	if (strncmp(json_text_or_empty(f->file, "contentType"), "image/", 6) == 0) {
		h_el(h, "div", "class", "pair", NULL);
		h_void(h, "img");
		h_url(h, "src", url);
		h_attr(h, "alt", json_text_or_empty(f->file, "description"));
		h_close(h);
	}
	h_open(h, "p");
	h_open(h, "a");
	h_url(h, "href", url);
	h_text(h, view_say(v, SAY_DOWNLOAD));
	h_close(h);
	h_leaf(h, "small", NULL, arena_printf(v->arena, " %s · %s", json_text_or_empty(f->file, "contentType"),
	    show_bytes(v, json_number_of(f->file, "size", 0))));
	h_close(h);
}

static void
show_file(struct view *v, const struct file_form *f)
{
	const char *name = json_text_or_empty(f->file, "name");
	const cJSON *list;
	struct call usages;

	if ((list = ask_part(v, &usages, arena_printf(v->arena, "%s/backlinks", f->api), 25)) == NULL)
		return;
	if (f->failed.status != 0 || f->refusal != NULL)
		v->status = f->failed.status != 0 ? f->failed.status : 400;
	space_begin(v, &f->s, f->request != NULL ? TAB_REQUESTS : TAB_FILES, NULL, name);
	write_up(v, arena_printf(v->arena, "%s/files", f->s.below), SAY_FILES);
	h_leaf(&v->h, "h1", NULL, name);
	if (f->failed.status != 0)
		write_failure(v, &f->failed, "/changes/0/name", "/changes/0/description", NULL);
	else if (query_value(v, "done") != NULL && f->request != NULL)
		write_saved_in(v, ask_api(v, "GET", path_of_ids(v, "/spaces/%s/change-requests/%s", f->s.id, f->request), NULL).answer);
	write_preview(v, f);
	write_usages(v, f, list);
	write_more(v, &usages, SAY_FIND_NEXT, arena_printf(v->arena, "%s/files/%s", f->s.below, url_segment(v->arena, str_of(f->id))), "");
	if (may(&f->s, "edit"))
		write_file_form(v, f);
	page_end(v);
}

static void
show_file_of_path(struct view *v, bool with_request)
{
	struct file_form f;

	if (open_file(v, &f, with_request))
		show_file(v, &f);
}

/* GET /app/spaces/ID/files/ID */
void
show_space_file(struct view *v)
{
	show_file_of_path(v, false);
}

/* GET /app/spaces/ID/requests/ID/files/ID */
void
show_request_file(struct view *v)
{
	show_file_of_path(v, true);
}

/* ---- changes ---- */

static bool
is_deletion(const struct view *v)
{
	return strcmp(form_value(v, "step"), "delete") == 0;
}

static const char *
change_of_file(struct view *v, const struct file_form *f)
{
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_karr(&j, "changes");
	json_obj(&j);
	json_kstr(&j, "operation", is_deletion(v) ? "delete_file" : "update_file");
	json_kstr(&j, "file", f->id);
	if (!is_deletion(v) && is_changed(v, "name"))
		json_kstr(&j, "name", form_value(v, "name"));
	if (!is_deletion(v) && is_changed(v, "description"))
		json_kstr(&j, "description", form_value(v, "description"));
	if (!is_deletion(v) && v->file.name != NULL)
		json_kstr(&j, "base64", encode_file(v));
	json_end(&j);
	json_end(&j);
	json_end(&j);
	return b.p;
}

/* Writes the change. If there is no change request yet, makes one, and archives it again if the change fails. */
static void
send_change(struct view *v, struct file_form *f)
{
	const char *request = f->request;
	struct call c;

	if (request == NULL) {
		f->failed = post_once(v, path_of_ids(v, "/spaces/%s/change-requests", f->s.id), json_texts(v->arena, "subject", form_value(v, "subject"), NULL));
		if (!is_success(&f->failed))
			return;
		request = json_text_or_empty(f->failed.answer, "id");
	}
	c = ask_api(v, "POST", path_of_ids(v, "/spaces/%s/change-requests/%s/content", f->s.id, request), change_of_file(v, f));
	f->failed = is_success(&c) ? (struct call){ 0 } : c;
	if (is_success(&c))
		f->request = request;
	else if (f->request == NULL)
		(void)ask_api(v, "PATCH", path_of_ids(v, "/spaces/%s/change-requests/%s", f->s.id, request), "{\"status\":\"archived\"}");
}

static void
change_file(struct view *v, bool with_request)
{
	struct file_form f;

	if (!open_file(v, &f, with_request))
		return;
	if (v->file.name != NULL && v->file.bytes.n > FILE_MOST)
		f.refusal = view_say_with(v, SAY_FILE_TOO_LARGE, v->file.name);
	else
		send_change(v, &f);
	if (f.failed.status == 401)
		go_sign_in(v, false);
	else if (f.refusal != NULL || f.failed.status != 0)
		show_file(v, &f);
	else if (is_deletion(v))
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s", f.s.id, f.request));
	else
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s/files/%s?done=file", f.s.id, f.request, f.id));
}

/* POST /app/spaces/ID/files/ID */
void
change_space_file(struct view *v)
{
	change_file(v, false);
}

/* POST /app/spaces/ID/requests/ID/files/ID */
void
change_request_file(struct view *v)
{
	change_file(v, true);
}
