/* A program that reads one JSON object and prints one. Contract: question.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scan.h"
#include "question.h"

/* Reads the request; NULL: the input is not a request. */
static cJSON *
read_request(struct arena *a, size_t most)
{
	char piece[4096];
	struct buf b;
	ssize_t n;
	bool large;

	buf_init(&b, a, most);
	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) > 0 && b.n + (size_t)n <= most)
		buf_add(&b, piece, (size_t)n);
	return n == 0 && json_scan(a, buf_view(&b), &json_limits_body, &large) == NULL ? cJSON_ParseWithLength(b.p, b.n) : NULL;
}

/* The refusal is in the CGI format (RFC 3875, section 6). */
static bool
refuse_http(void)
{
	if (getenv("GATEWAY_INTERFACE") == NULL && getenv("REQUEST_METHOD") == NULL)
		return false;
	printf("Status: 404 Not Found\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n\r\n"
	    "{\"error\":{\"code\":404,\"message\":\"there is nothing at this address\"}}");
	fflush(stdout);
	return true;
}

int
question_answer(struct arena *a, const char *program, size_t most, void (*answer)(struct arena *a, const cJSON *v, struct json *j))
{
	struct json j;
	struct buf b;
	cJSON *v;

	if (refuse_http())
		return 1;
	json_arena(a);
	if ((v = read_request(a, most)) == NULL) {
		fprintf(stderr, "%s: octavo-api starts it; there is nothing to do by hand\n", program);
		return 2;
	}
	buf_init(&b, a, most);
	json_init(&j, &b);
	json_obj(&j);
	answer(a, v, &j);
	json_end(&j);
	return fwrite(b.p, 1, b.n, stdout) == b.n && fflush(stdout) == 0 ? 0 : 1;
}
