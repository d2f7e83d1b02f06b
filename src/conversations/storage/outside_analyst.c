/*
 * An admin's command that finds the issues of conversations instead of the built-in rules:
 * run in a child, its answer held against a shape. Contract: outside_analyst.h.
 */
#include <cjson/cJSON.h>

#include "base/filter.h"
#include "base/scan.h"
#include "http/shape.h"
#include "outside_analyst.h"

/*
 * The same checker as for bodies of requests: the command may be a language model, which writes
 * what it likes.
 */
static const struct shape OutsideIssue = { "OutsideIssue", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 1, .max = 300 },
	{ "summary", T_TEXT, .max = 2000 },
	{ 0 } } };
static const struct shape OutsideAnalysis = { "OutsideAnalysis", (const struct field[]){
	{ "issues", T_LIST, F_REQ, .of = &OutsideIssue, .max = ISSUES_MAX },
	{ 0 } } };

/* For the log: names of members are the command's, and maybe those of a conversation. */
static const char *
make_printable(char *s)
{
	char *p;

	for (p = s; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7F)
			*p = '?';
	return s;
}

/* The first thing that is wrong with an answer; NULL: nothing. */
static const char *
check_answer(struct arena *a, struct str text, cJSON **answer)
{
	struct faults f;
	const char *wrong;
	bool large;

	/* Before cJSON, which recurses by nesting and takes what is no JSON. */
	if ((wrong = json_scan(a, text, &json_limits_body, &large)) != NULL)
		return arena_printf(a, "the answer is not JSON: %s", wrong);
	*answer = cJSON_ParseWithLength(text.p, text.n);
	faults_init(&f, a);
	if (*answer == NULL)
		return "the answer is not JSON";
	if (!shape_check(&f, &OutsideAnalysis, *answer, ""))
		return make_printable(arena_printf(a, "the answer: %.100s %.200s", f.first->path, f.first->message));
	return NULL;
}

/* Needs cJSON to have the arena (json_arena()), in which the answer stays. */
int
outside_read(struct arena *a, struct analyst *w, const char *command, struct str conversation,
    struct issue *out, const char **error)
{
	struct filter f = { .command = command, .in = conversation, .most = OUTSIDE_BYTES, .seconds = OUTSIDE_SECONDS };
	const cJSON *v, *summary;
	const char *why;
	cJSON *answer = NULL;
	size_t i;
	int n = 0;

	/* The command has a limit of time and of what it may answer: base/filter.h. */
	why = filter_run(a, &f);
	/* Lines may be broken anywhere, also within a text. */
	for (i = 0; i < f.out.n; i++)
		if (f.out.p[i] == '\n')
			f.out.p[i] = ' ';
	*error = why != NULL ? arena_printf(a, "the command %s", why) : check_answer(a, buf_view(&f.out), &answer);
	if (*error != NULL)
		return -1;
	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(answer, "issues")) {
		summary = cJSON_GetObjectItemCaseSensitive(v, "summary");
		/* Without a summary the title is one. An issue without words left is passed over. */
		n += analyst_take(w, a, str_of(cJSON_GetObjectItemCaseSensitive(v, "title")->valuestring),
		    str_of(cJSON_IsString(summary) ? summary->valuestring :
		    cJSON_GetObjectItemCaseSensitive(v, "title")->valuestring), &out[n]);
	}
	return n;
}
