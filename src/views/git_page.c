/* The state of a space and its repository, with the last error and what to do. Contract: space_parts.h. */
#include "base/json.h"
#include "space_parts.h"

static void
write_fact(struct view *v, const char *name, const char *value)
{
	if (value == NULL || *value == '\0')
		return;
	h_leaf(&v->h, "dt", NULL, name);
	h_el(&v->h, "dd", "dir", "auto", NULL);
	h_text(&v->h, value);
	h_close(&v->h);
}

static void
write_binding(struct view *v, const cJSON *binding)
{
	const char *state = json_text_or_empty(binding, "state"), *reason = json_text_of(binding, "reason");
	const char *request = json_text_of(binding, "changeRequest");
	struct html *h = &v->h;

	if (reason != NULL)
		write_alert(v, reason);
	if (request != NULL) {
		h_open(h, "p");
		write_link(v, NULL, path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], request), view_say(v, SAY_TO_REQUEST));
		h_close(h);
	}
	h_el(h, "dl", "class", "facts", NULL);
	write_fact(v, view_say(v, SAY_STATUS), state);
	write_fact(v, "URL", json_text_of(binding, "url"));
	write_fact(v, "ref", json_text_of(binding, "ref"));
	write_fact(v, view_say(v, SAY_LAST_RUN), json_text_of(binding, "checkedAt") != NULL ? show_minute(v, json_text_of(binding, "checkedAt")) : NULL);
	h_close(h);
}

/* The present stage, and how much of it is done, once that is known (all > 0). */
static void
write_progress(struct view *v, const char *stage, double done, double all)
{
	struct html *h = &v->h;

	h_leaf(h, "dt", NULL, stage);
	h_open(h, "dd");
	h_el(h, "progress", "max", all > 0 ? arena_printf(v->arena, "%.0f", all) : NULL, "value", all > 0 ? arena_printf(v->arena, "%.0f", done) : NULL,
	    "aria-label", stage, NULL);
	h_close(h);
	if (all > 0)
		h_text(h, arena_printf(v->arena, " %.0f / %.0f", done, all));
	h_close(h);
}

/* The last import or export, also of a space that is bound to no repository. */
static void
write_operation(struct view *v, const cJSON *operation)
{
	const char *error = json_text_of(operation, "error"), *stage = json_text_of(operation, "stage");
	struct html *h = &v->h;

	section_begin(v, "operation", view_say(v, SAY_LAST_RUN), NULL);
	if (error != NULL) {
		write_alert(v, error);
		h_leaf(h, "p", "lead", view_say(v, SAY_RUN_AGAIN));
	}
	h_el(h, "dl", "class", "facts", NULL);
	write_fact(v, view_say(v, SAY_STATUS), arena_printf(v->arena, "%s · %s · %s", json_text_or_empty(operation, "direction"),
	    json_text_or_empty(operation, "state"), show_minute(v, json_text_or_empty(operation, "updatedAt"))));
	if (stage != NULL && strcmp(json_text_or_empty(operation, "state"), "running") == 0)
		write_progress(v, stage, json_number_of(operation, "completedTasks", 0), json_number_of(operation, "dispatchedTasks", 0));
	h_close(h);
	h_close(h);
}

/* failed: the call that queued no run; NULL: no run was requested. */
static void
show_state(struct view *v, const struct call *failed)
{
	struct call binding, info;
	struct shown_space s;

	if (!open_space(v, &s, NULL, NULL, NULL))
		return;
	binding = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/git/binding", s.id), NULL);
	info = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/git/info", s.id), NULL);
	if (failed != NULL)
		v->status = failed->status;
	space_begin(v, &s, TAB_GIT, NULL, "Git");
	h_leaf(&v->h, "h1", NULL, "Git");
	if (failed != NULL)
		write_failure(v, failed, NULL);
	if (is_success(&binding))
		write_binding(v, binding.answer);
	else
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_GIT));
	if (is_success(&binding) && may(&s, "merge")) {
		write_form(v, path_of_ids(v, "/spaces/%s/git", s.id), NULL);
		write_button(v, NULL, view_say(v, SAY_RUN_NOW));
		h_close(&v->h);
	}
	if (is_success(&info) && json_member(info.answer, "operation") != NULL)
		write_operation(v, json_member(info.answer, "operation"));
	page_end(v);
}

/* GET /app/spaces/ID/git */
void
show_git(struct view *v)
{
	show_state(v, NULL);
}

/* POST /app/spaces/ID/git */
void
run_git(struct view *v)
{
	struct call c = ask_api(v, "POST", path_of_ids(v, "/spaces/%s/git/binding/run", v->ids[0]), NULL);

	if (c.status == 401)
		go_sign_in(v, false);
	else if (is_success(&c))
		go_to(v, path_of_ids(v, "/spaces/%s/git", v->ids[0]));
	else
		show_state(v, &c);
}
