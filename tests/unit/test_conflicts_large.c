/*
 * Choices for the conflicts of a large page: its new text is made before the write transaction, so that
 * other writers do not wait for it.
 */
#include <cjson/cJSON.h>

#include "api/routes.h"
#include "../memory_io.h"
#include "base/json.h"
#include "edit/edit.h"

#include "db_fixture.h"

static struct settings set;

static int
setup(void **state)
{
	db_setup(state);
	set = db_settings(*state);
	return 0;
}

/* Sends a request, whose answer it returns. ahead: whether the handler ran again after a preparation; may be NULL. */
static cJSON *
ask(struct fixture *f, const char *method, const char *path, const char *body, bool *ahead)
{
	struct req *r = arena_alloc(f->arena, sizeof(*r));
	struct memory_io m = { 0 };
	cJSON *answer;

	memory_request(&m, f->arena, method, arena_printf(f->arena, "/v1/spaces/%s%s", f->space, path), f->token,
	    body != NULL ? str_of(body) : (struct str){ NULL, 0 });
	*r = (struct req){ .io = &m.io, .arena = f->arena, .db = f->db, .set = &set, .app = &octavo_app };
	dispatch(r);
	assert_true(r->status >= 200 && r->status < 300);
	if (ahead != NULL)
		*ahead = r->went_ahead;
	json_arena(f->arena);
	answer = cJSON_Parse(strstr(m.out, "\r\n\r\n") + 4);
	json_arena(NULL);
	assert_non_null(answer);
	memory_free(&m);
	return answer;
}

static const char *
member(const cJSON *v, const char *name)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, name));

	assert_non_null(text);
	return text;
}

/* A change request with one change of content: its address below the space. */
static const char *
request_with(struct fixture *f, const char *change)
{
	const char *at = arena_printf(f->arena, "/change-requests/%s", member(ask(f, "POST", "/change-requests", "{}", NULL), "id"));

	ask(f, "POST", arena_printf(f->arena, "%s/content", at), arena_printf(f->arena, "{\"changes\":[%s]}", change), NULL);
	return at;
}

/* The page's text: one line, and `rest`. */
static const char *
change_of(struct fixture *f, const char *page, const char *line, const char *rest)
{
	return arena_printf(f->arena, "{\"operation\":\"%s\",%s%s%s\"document\":{\"markdown\":\"%s\\n\\n%s\\n\"}}",
	    page != NULL ? "update_page" : "insert_page", page != NULL ? "\"page\":\"" : "\"title\":\"Long\",", page != NULL ? page : "",
	    page != NULL ? "\"," : "", line, rest);
}

/* Both sides change the first line of a page with this rest. True: the choice was prepared ahead. */
static bool
resolve(struct fixture *f, const char *rest, const char **text)
{
	const char *page, *mine, *theirs, *revision;
	bool ahead;

	theirs = request_with(f, change_of(f, NULL, "First.", rest));
	ask(f, "POST", arena_printf(f->arena, "%s/merge", theirs), NULL, NULL);
	page = member(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(ask(f, "GET", "/content/pages", NULL, NULL), "pages"), 0), "id");
	mine = request_with(f, change_of(f, page, "Mine.", rest));
	theirs = request_with(f, change_of(f, page, "Theirs.", rest));
	ask(f, "POST", arena_printf(f->arena, "%s/merge", theirs), NULL, NULL);
	revision = member(ask(f, "POST", arena_printf(f->arena, "%s/update", mine), NULL, NULL), "revision");
	ask(f, "POST", arena_printf(f->arena, "%s/conflicts", mine), arena_printf(f->arena,
	    "{\"revision\":\"%s\",\"choices\":[{\"page\":\"%s\",\"kind\":\"text\",\"take\":\"both\"}]}", revision, page), &ahead);
	*text = member(ask(f, "GET", arena_printf(f->arena, "%s/content/page/%s?format=markdown", mine, page), NULL, NULL), "markdown");
	return ahead;
}

static void
a_large_page_is_resolved_without_the_lock(void **state)
{
	struct fixture *f = *state;
	const char *text;
	struct buf rest;

	buf_init(&rest, f->arena, 1 << 20);
	while (rest.n < 2 * EDIT_AHEAD_MIN)
		buf_str(&rest, "A *word*, and one more. ");
	assert_true(resolve(f, rest.p, &text));
	assert_non_null(strstr(text, "Theirs.\n\nMine.\n\nA *word*"));
}

/* To run twice would take longer than the small text. */
static void
a_small_page_is_resolved_at_once(void **state)
{
	struct fixture *f = *state;
	const char *text;

	assert_false(resolve(f, "Last.", &text));
	assert_non_null(strstr(text, "Theirs.\n\nMine.\n\nLast."));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_large_page_is_resolved_without_the_lock, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_small_page_is_resolved_at_once, setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
