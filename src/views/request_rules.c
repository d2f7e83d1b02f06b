/* What a change request still lacks before it can be merged: rules, and conflicts. Contract: space_parts.h. */
#include "base/json.h"
#include "space_parts.h"

/* The API's message is shown for a rule that is not here. */
static const struct { const char *rule; enum say label; } labels[] = {
	{ "require_at_least_one_review", SAY_RULE_REVIEW }, { "require_at_least_one_approved_review", SAY_RULE_APPROVAL },
	{ "require_all_reviews_approved", SAY_RULE_NO_OBJECTION }, { "require_specific_reviewers", SAY_RULE_ALL_OF },
	{ "require_one_of_specific_reviewers", SAY_RULE_ONE_OF }, { "require_up_to_date_change_request", SAY_RULE_CURRENT },
	{ "require_change_request_subject", SAY_RULE_SUBJECT }, { "require_change_request_description", SAY_RULE_DESCRIPTION },
	{ "require_author_to_merge", SAY_RULE_AUTHOR } };

static void
write_state(struct view *v, bool met)
{
	h_leaf(&v->h, "span", met ? "tag good" : "tag gone", view_say(v, met ? SAY_MET : SAY_NOT_MET));
}

static void
write_waiting(struct view *v, const cJSON *users)
{
	const cJSON *one;

	h_open(&v->h, "small");
	cJSON_ArrayForEach(one, users) {
		if (one != users->child)
			h_text(&v->h, ", ");
		h_leaf(&v->h, "bdi", NULL, json_text_or_empty(one, "displayName"));
	}
	h_close(&v->h);
}

static void
write_rule(struct view *v, const cJSON *rule)
{
	const char *name = json_text_or_empty(rule, "rule"), *message = json_text_of(rule, "message");
	struct html *h = &v->h;
	size_t i = 0;

	while (i < sizeof(labels) / sizeof(labels[0]) && strcmp(labels[i].rule, name) != 0)
		i++;
	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	if (i < sizeof(labels) / sizeof(labels[0])) {
		h_leaf(h, "span", NULL, view_say(v, labels[i].label));
	} else {
		h_el(h, "span", "lang", "en", NULL);
		h_text(h, message != NULL ? message : name);
		h_close(h);
	}
	if (cJSON_GetArraySize(json_member(rule, "waitingFor")) > 0)
		write_waiting(v, json_member(rule, "waitingFor"));
	h_close(h);
	write_state(v, json_flag_of(rule, "met"));
	h_close(h);
}

/* The titles of the pages with conflicts, each once, with commas between them. */
static void
write_pages_of(struct view *v, const cJSON *conflicts)
{
	const cJSON *one, *before;

	h_open(&v->h, "small");
	cJSON_ArrayForEach(one, conflicts) {
		before = conflicts->child;
		while (before != one && strcmp(json_text_or_empty(before, "page"), json_text_or_empty(one, "page")) != 0)
			before = before->next;
		if (before != one)
			continue;
		if (one != conflicts->child)
			h_text(&v->h, ", ");
		h_leaf(&v->h, "bdi", NULL, json_text_or_empty(one, "title"));
	}
	h_close(&v->h);
}

/* Writes whether there are conflicts: which pages have them, and a link to them. */
static void
write_conflict_state(struct view *v, const char *below, const cJSON *conflicts)
{
	bool some = cJSON_GetArraySize(conflicts) > 0;
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	h_leaf(h, "span", NULL, view_say(v, some ? SAY_CONFLICTS : SAY_RULE_CONFLICTS));
	if (some) {
		h_text(h, " ");
		write_link(v, NULL, arena_printf(v->arena, "%s/conflicts", below), view_say(v, SAY_RESOLVE_CONFLICTS));
		write_pages_of(v, conflicts);
	}
	h_close(h);
	if (!some)
		write_state(v, true);
	h_close(h);
}

void
write_before_merge(struct view *v, const char *api, const char *below, bool outdated)
{
	struct call rules = ask_api(v, "GET", arena_printf(v->arena, "%s/merge-rules", api), NULL);
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/conflicts", api), NULL);
	const cJSON *list = json_member(rules.answer, "rules"), *conflicts = json_member(c.answer, "conflicts"), *one;
	bool bypass = json_flag_of(rules.answer, "bypass"), some = cJSON_GetArraySize(conflicts) > 0;

	if (cJSON_GetArraySize(list) == 0 && !some)
		return;
	section_begin(v, "rules", view_say(v, SAY_BEFORE_MERGE), bypass && cJSON_GetArraySize(list) > 0 ? view_say(v, SAY_RULE_BYPASS) : NULL);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, list)
		write_rule(v, one);
	/* An update may find others, so only a request that is up to date is said to have none. */
	if (some || (is_success(&c) && !outdated))
		write_conflict_state(v, below, conflicts);
	h_close(&v->h);
	h_close(&v->h);
}

/* True if the request may be merged without passing over a rule. */
static bool
is_met(struct view *v, const char *api)
{
	struct call rules = ask_api(v, "GET", arena_printf(v->arena, "%s/merge-rules", api), NULL);
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(rules.answer, "rules"))
		if (!json_flag_of(one, "met"))
			return false;
	return is_success(&rules);
}

void
merge_saved_page(struct view *v, const char *space, const char *request, const char *page)
{
	const char *api = path_of_ids(v, "/spaces/%s/change-requests/%s", space, request);
	struct call c = { 0 };

	if (is_met(v, api))
		c = ask_api(v, "POST", arena_printf(v->arena, "%s/merge", api), NULL);
	if (is_success(&c) && strcmp(json_text_or_empty(c.answer, "result"), "conflicts") != 0)
		go_to(v, path_of_ids(v, "/spaces/%s/pages/%s?done=saved", space, page));
	else
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s?done=saved#rules", space, request));
}
