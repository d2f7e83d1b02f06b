/*
 * octavo-fetch: runs one job that makes requests to other servers (an API description, a
 * translation or an upload), then exits. It is a separate program because of libcurl: loading it
 * with its twenty libraries takes longer than loading all of libgit2, and runs of git bindings are
 * frequent.
 *
 * `octavo-fetch --relay` makes one request of a reader who tries an API instead, without data: question
 * and answer are those of fetch/fetch_relay.h, on standard input and output (app/outside.h starts it).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fetch/fetch_relay.h"
#include "base/buf.h"
#include "base/json.h"
#include "jobs/openapi.h"
#include "jobs/translate.h"
#include "jobs/upload.h"
#include "job.h"

enum { RELAY_ARENA = 32 << 20 };

static const struct {
	const char *kind;
	job_work   *run;
} kinds[] = { { "openapi", openapi_run }, { "translate", translate_run }, { "upload", upload_run } };

static void
run_kind(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(job->kind, kinds[i].kind) == 0)
			kinds[i].run(db, a, set, job);
}

/* The exit status. */
static int
relay(void)
{
	struct arena *a = arena_new(RELAY_ARENA);
	char piece[65536];
	struct str answer;
	struct buf b;
	ssize_t n;

	json_arena(a);
	buf_init(&b, a, RELAY_HEAD + RELAY_BYTES + sizeof(piece));
	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) > 0 && b.n <= RELAY_HEAD + RELAY_BYTES)
		buf_add(&b, piece, (size_t)n);
	answer = n == 0 ? fetch_relay(a, buf_view(&b), NULL) : (struct str){ NULL, 0 };
	if (answer.p == NULL)
		fprintf(stderr, "octavo-fetch: octavo-site starts it with --relay; there is nothing to do by hand\n");
	return answer.p != NULL && fwrite(answer.p, 1, answer.n, stdout) == answer.n && fflush(stdout) == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	/* job_main() refuses to run over HTTP; this mode does not. */
	if (argc == 2 && strcmp(argv[1], "--relay") == 0 && getenv("GATEWAY_INTERFACE") == NULL && getenv("REQUEST_METHOD") == NULL)
		return relay();
	return job_main(argc, argv, "octavo-fetch", run_kind);
}
