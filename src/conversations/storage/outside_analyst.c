/*
 * Runs an administrator's command that finds the issues of conversations instead of the built-in
 * analysis, in a child process. Its answer is checked against a shape. The contract is in
 * outside_analyst.h.
 */
#include <cjson/cJSON.h>

#include "base/filter.h"
#include "base/scan.h"
#include "http/shape.h"
#include "outside_analyst.h"

/*
 * The same check as for request bodies: the command may be a language model, whose output is not
 * trusted.
 */
static const struct shape OutsideIssue = { "OutsideIssue", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 1, .max = 300 },
	{ "summary", T_TEXT, .max = 2000 },
	{ 0 } } };
static const struct shape OutsideAnalysis = { "OutsideAnalysis", (const struct field[]){
	{ "issues", T_LIST, F_REQ, .of = &OutsideIssue, .max = ISSUES_MAX },
	{ 0 } } };

/* For the log: names of members come from the command, and may be text of a conversation. */
static const char *
make_printable(char *s)
{
	char *p;

	for (p = s; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7F)
			*p = '?';
	return s;
}

/* The first error in an answer; NULL: none. */
static const char *
check_answer(struct arena *a, struct str text, cJSON **answer)
{
	struct faults f;
	const char *wrong;
	bool large;

	/*
	 * The text is scanned before cJSON parses it, because cJSON recurses into nested values and
	 * accepts texts that are not JSON.
	 */
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

/* cJSON must use the arena (json_arena()), in which the answer stays. */
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

	/* filter_run() limits the time and the output of the command. */
	why = filter_run(a, &f);
	/* The command may break lines anywhere, also inside a string, where JSON allows no line end. */
	for (i = 0; i < f.out.n; i++)
		if (f.out.p[i] == '\n')
			f.out.p[i] = ' ';
	*error = why != NULL ? arena_printf(a, "the command %s", why) : check_answer(a, buf_view(&f.out), &answer);
	if (*error != NULL)
		return -1;
	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(answer, "issues")) {
		summary = cJSON_GetObjectItemCaseSensitive(v, "summary");
		/* Without a summary the title is used. An issue without words is skipped. */
		n += analyst_make_issue(w, a, str_of(cJSON_GetObjectItemCaseSensitive(v, "title")->valuestring),
		    str_of(cJSON_IsString(summary) ? summary->valuestring :
		    cJSON_GetObjectItemCaseSensitive(v, "title")->valuestring), &out[n]);
	}
	return n;
}
