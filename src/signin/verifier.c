/* Runs programs that verify data from strangers. Contract: signin/verifier.h. */
#include <cjson/cJSON.h>
#include <limits.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/filter.h"
#include "base/json.h"
#include "base/scan.h"
#include "signin/verifier.h"

enum { ANSWER_MOST = 64 << 10, RUN_SECONDS = 6 };

static const struct json_limits limits = { 100, 4 };

enum verifier_failure
verifier_ask(struct arena *a, const char *name, const char *path, struct str request, cJSON **answer, const char **why)
{
	static const char *const no_env[] = { NULL };
	struct filter f = { .command = path, .bare = true, .env = no_env, .in = request, .most = ANSWER_MOST, .seconds = RUN_SECONDS };
	char beside[PATH_MAX];
	bool large;

	*answer = NULL;
	if (path == NULL && !child_beside(name, beside)) {
		*why = arena_printf(a, "octavo-%s is missing beside this program", name);
		return VERIFIER_ABSENT;
	}
	if (path == NULL)
		f.command = beside;
	*why = filter_run(a, &f);
	if (*why == NULL && json_scan(a, buf_view(&f.out), &limits, &large) == NULL)
		*answer = cJSON_ParseWithLength(f.out.p, f.out.n);
	if (*answer != NULL)
		return VERIFIER_GOOD;
	*why = arena_printf(a, "octavo-%s %s", name, *why != NULL ? *why : "printed no answer");
	return VERIFIER_BROKEN;
}

const char *
verifier_text(struct arena *a, const cJSON *answer, const char *name)
{
	const char *text = json_text_of(answer, name);

	return text == NULL ? NULL : arena_strdup(a, text);
}
