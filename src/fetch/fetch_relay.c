/* One request of a reader who tries an API. Contract: fetch/fetch_relay.h. */
#include <cjson/cJSON.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "fetch/fetch.h"
#include "fetch/fetch_relay.h"

enum { HEADERS_MOST = 100 };

/* True for headers that store cookies: the reader's browser must not get them from this site. */
static bool
is_cookie(struct str name)
{
	return (name.n == 10 && strncasecmp(name.p, "set-cookie", 10) == 0) || (name.n == 11 && strncasecmp(name.p, "set-cookie2", 11) == 0);
}

/*
 * Writes the lines "Name: value" after the status line. A line that is not UTF-8 is omitted, since
 * JSON cannot contain it.
 */
static void
write_headers(struct json *j, struct str lines)
{
	struct str line;
	const char *colon;
	size_t n;

	json_karr(j, "headers");
	for (; lines.n > 0; lines = str_slice(lines, n, lines.n)) {
		colon = memchr(lines.p, '\n', lines.n);
		n = colon != NULL ? (size_t)(colon - lines.p) + 1 : lines.n;
		line = str_trim(str_slice(lines, 0, n));
		colon = line.n > 0 ? memchr(line.p, ':', line.n) : NULL;
		if (colon == NULL || is_cookie((struct str){ line.p, (size_t)(colon - line.p) }) || !utf8_valid(line))
			continue;
		json_arr(j);
		json_strn(j, (struct str){ line.p, (size_t)(colon - line.p) });
		json_strn(j, str_trim(str_slice(line, (size_t)(colon - line.p) + 1, line.n)));
		json_end(j);
	}
	json_end(j);
}

/* Appends the bytes of the file. False: they cannot be read. */
static bool
add_file(struct buf *b, int fd, int64_t bytes)
{
	char piece[65536];
	ssize_t n;
	off_t at = 0;

	while (at < bytes && (n = pread(fd, piece, sizeof(piece), at)) > 0) {
		buf_add(b, piece, (size_t)n);
		at += n;
	}
	return at == bytes;
}

static struct str
write_answer(struct arena *a, const struct fetch_result *r, int fd, int64_t ms)
{
	bool good = r->status == FETCH_DONE;
	struct json j;
	struct buf b;

	buf_init(&b, a, RELAY_HEAD + RELAY_BYTES);
	json_init(&j, &b);
	json_obj(&j);
	if (good) {
		json_kint(&j, "status", r->http);
		json_kint(&j, "ms", ms);
		write_headers(&j, r->headers);
	} else {
		json_kstr(&j, "failure", r->message);
	}
	json_end(&j);
	buf_char(&b, '\n');
	if (good && !add_file(&b, fd, r->bytes))
		return STR("{\"failure\":\"the answer cannot be read\"}\n");
	return buf_view(&b);
}

/* The first HEADERS_MOST strings of a list of header lines; ends with NULL. */
static const char **
header_lines(struct arena *a, const cJSON *list)
{
	const char **out = arena_alloc(a, (HEADERS_MOST + 1) * sizeof(*out));
	const cJSON *one;
	size_t n = 0;

	cJSON_ArrayForEach(one, list)
		if (cJSON_IsString(one) && n < HEADERS_MOST)
			out[n++] = one->valuestring;
	return out;
}

static struct str
send_question(struct arena *a, struct str question, const struct fetch_network *network)
{
	const char *end = question.n > 0 ? memchr(question.p, '\n', question.n) : NULL;
	struct str head = { question.p, end != NULL ? (size_t)(end - question.p) : 0 }, body = str_slice(question, end != NULL ? head.n + 1 : 0, question.n);
	struct fetch_request q = { .seconds = RELAY_SECONDS, .bytes = RELAY_BYTES, .verbatim = true, .elsewhere = true, .network = network };
	int64_t started = time_steady();
	struct fetch_result r;
	struct str answer;
	bool large;
	cJSON *v;
	int fd;

	if (end == NULL || json_scan(a, head, &json_limits_body, &large) != NULL || (v = cJSON_ParseWithLength(head.p, head.n)) == NULL ||
	    (q.url = json_text_of(v, "url")) == NULL || (q.method = json_text_of(v, "method")) == NULL)
		return (struct str){ NULL, 0 };
	/* The answer stays in memory, since it may contain secrets of the reader. */
	if ((fd = memfd_create("answer", MFD_CLOEXEC)) < 0)
		return STR("{\"failure\":\"there is no memory for an answer\"}\n");
	q.file = arena_printf(a, "/proc/self/fd/%d", fd);
	q.headers = header_lines(a, json_member(v, "headers"));
	q.post = body.n > 0 ? body : (struct str){ NULL, 0 };
	q.private_hosts = json_flag_of(v, "private");
	r = fetch(a, &q);
	answer = write_answer(a, &r, fd, time_steady() - started);
	close(fd);
	return answer;
}

struct str
fetch_relay(struct arena *a, struct str question, const struct fetch_network *network)
{
	struct arena *outer = json_arena(a);
	struct str answer = send_question(a, question, network);

	json_arena(outer);
	return answer;
}
