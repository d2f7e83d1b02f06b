/* Translation engines. The contract is in translate/engine.h. */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

#include "base/filter.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "fetch/fetch.h"
#include "translate/engine.h"

/*
 * MOST: bytes of a request and of an answer. TIMES_LONGER, LONGER: an answer longer than this many
 * times the text plus this many bytes is not a translation, but for example an error page.
 */
enum { MOST = 4 << 20, REDIRECTS = 3, TIMES_LONGER = 10, LONGER = 200, MODES = 2 };
/*
 * Maximum numbers of answers with a wrong number of texts, in a row and in total. One bad text
 * causes several in a row (ask_engine()).
 */
enum { MISFITS = 20, MISFITS_IN_ALL = 200 };
/*
 * A command loads its dictionaries for each batch; a service has them loaded, and may need longer
 * for a text.
 */
enum { COMMAND_TEXTS = 10000, COMMAND_BYTES = 256 << 10, SERVICE_TEXTS = 1000, SERVICE_BYTES = 64 << 10 };
/* A variable in a command's environment has at most 128 KiB (execve(2), MAX_ARG_STRLEN). */
enum { ENV_MOST = 100 << 10 };

/* ---- choosing an engine ---- */

/* ISO 639-3 codes of the languages that Apertium has pairs for, by the API's code. */
static const char *
three_letters(const char *language)
{
	static const char *const codes[][2] = { { "en", "eng" }, { "es", "spa" }, { "fr", "fra" }, { "de", "deu" },
		{ "it", "ita" }, { "pt", "por" }, { "pt-br", "por_BR" }, { "ru", "rus" }, { "nl", "nld" }, { "pl", "pol" },
		{ "sv", "swe" }, { "no", "nob" }, { "da", "dan" }, { "ro", "ron" }, { "uk", "ukr" }, { "ar", "arb" },
		{ "hi", "hin" }, { "id", "ind" }, { "ms", "zlm" }, { "hr", "hrv" }, { "sl", "slv" }, { "bg", "bul" } };
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(codes[i][0], language) == 0)
			return codes[i][1];
	return language;
}

/* OCTAVO_TRANSLATE_PT_BR_EN */
static char *
setting_name(struct arena *a, const char *from, const char *to)
{
	char *name = arena_printf(a, "OCTAVO_TRANSLATE_%s_%s", from, to), *p;

	for (p = name; *p != '\0'; p++)
		*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
	return name;
}

/* Searches PATH each time, so that a pair installed after the start is found. */
static bool
is_in_path(struct arena *a, const char *program)
{
	const char *path = getenv("PATH"), *p, *end;

	for (p = path != NULL ? path : "/usr/bin:/bin"; ; p = end + 1) {
		end = strchrnul(p, ':');
		if (access(arena_printf(a, "%.*s/%s", (int)(end - p), p, program), X_OK) == 0)
			return true;
		if (*end == '\0')
			return false;
	}
}

/*
 * Sets the command if an installed Apertium mode translates the pair; the names of modes have codes
 * of three letters, older ones of two.
 */
static bool
find_apertium(struct arena *a, struct engine *e)
{
	const char *modes[MODES] = { arena_printf(a, "%s-%s", three_letters(e->from), three_letters(e->to)),
		arena_printf(a, "%s-%s", e->from, e->to) };
	size_t i;

	for (i = 0; i < MODES && is_in_path(a, "apertium"); i++) {
		if (access(arena_printf(a, "/usr/share/apertium/modes/%s.mode", modes[i]), R_OK) != 0)
			continue;
		/* -u: without the star that marks unknown words. */
		e->command = arena_printf(a, "apertium -u %s", modes[i]);
		e->name = arena_printf(a, "apertium %s", modes[i]);
		return true;
	}
	return false;
}

/* A configured command comes before Apertium, even if a pair is installed. */
bool
engine_find(struct arena *a, const char *from, const char *to, struct engine *out, const char **why)
{
	const char *name = setting_name(a, from, to), *value = getenv(name);

	*out = (struct engine){ .from = from, .to = to, .texts = COMMAND_TEXTS, .bytes = COMMAND_BYTES };
	if (value != NULL && *value != '\0') {
		/* Copy it, since the environment may change. */
		out->name = arena_strdup(a, value);
		if (strncmp(value, "http://", 7) == 0 || strncmp(value, "https://", 8) == 0) {
			out->url = out->name;
			out->texts = SERVICE_TEXTS;
			out->bytes = SERVICE_BYTES;
		} else {
			out->command = out->name;
		}
		return true;
	}
	if (find_apertium(a, out))
		return true;
	*why = arena_printf(a, "nothing translates from %s to %s here: set %s for the job runner to a command or to the "
	    "address of a LibreTranslate service, or install Apertium with the pair (apertium-%s-%s)", from, to, name,
	    three_letters(from), three_letters(to));
	return false;
}

/* ---- one call ---- */

/* One call of engine_ask(); why is set whenever a function returns false. */
struct engine_call {
	struct arena        *arena;
	const struct engine *engine;
	struct engine_batch *batch;
	const char          *why;
	int                  misfits;     /* answers in a row with a wrong number of texts */
	int                  all_misfits;
};

static bool
stop_asking(struct engine_call *k, const char *why)
{
	k->why = why;
	return false;
}

/* Checks the answer s for a text. False: it cannot be used. */
static bool
is_usable(struct str text, struct str s)
{
	size_t i;

	/*
	 * The text comes from another system: control characters and invalid UTF-8 must not reach a
	 * page.
	 */
	if (s.n == 0 || s.n > text.n * TIMES_LONGER + LONGER || !utf8_valid(s))
		return false;
	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7F)
			return false;
	return true;
}

/*
 * Replaces a capital at the beginning of an answer, if the text begins with a small letter because
 * it continues a sentence: engines take it for a whole sentence. Not for German, where nouns have
 * capitals.
 */
static struct str
undo_capital(struct engine_call *k, struct str text, struct str s)
{
	uint32_t t, first = 0, second = 0;
	size_t n = utf8_next(s, &first);
	struct buf b;

	utf8_next(str_slice(s, n, s.n), &second);
	if (strcmp(k->engine->to, "de") == 0 || utf8_next(text, &t) == 0 || n == 0 ||
	    utf8proc_category((utf8proc_int32_t)t) != UTF8PROC_CATEGORY_LL ||
	    utf8proc_category((utf8proc_int32_t)first) != UTF8PROC_CATEGORY_LU ||
	    utf8proc_category((utf8proc_int32_t)second) == UTF8PROC_CATEGORY_LU)
		return s;
	buf_init(&b, k->arena, s.n + 8);
	buf_utf8(&b, (uint32_t)utf8proc_tolower((utf8proc_int32_t)first));
	buf_put(&b, str_slice(s, n, s.n));
	return buf_view(&b);
}

/* Apertium leaves two blanks where a word has no counterpart in the other language. */
static struct str
single_blanks(struct arena *a, struct str s)
{
	char *out = arena_strndup(a, s.p, s.n);
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		if (s.p[i] != ' ' || n == 0 || out[n - 1] != ' ')
			out[n++] = s.p[i];
	return (struct str){ out, n };
}

/* Copies a usable text: the bytes belong to cJSON or to the filter. */
static void
use_answer(struct engine_call *k, size_t i, struct str s)
{
	s = undo_capital(k, k->batch->texts[i], single_blanks(k->arena, str_trim(s)));
	k->batch->out[i] = is_usable(k->batch->texts[i], s) ?
	    (struct str){ arena_strndup(k->arena, s.p, s.n), s.n } : (struct str){ NULL, 0 };
}

/* Takes the paragraphs of an answer; false: their number is wrong, and none is taken. */
static bool
take_paragraphs(struct engine_call *k, struct str all, size_t from, size_t n)
{
	struct str rest = str_trim(all), one;
	size_t count = 0, pass;
	const char *end;

	/*
	 * Counts in the first pass, and takes the paragraphs in the second one: if the number is
	 * wrong, it is unknown which text was split or joined.
	 */
	for (pass = 0; pass < 2; pass++, rest = str_trim(all)) {
		for (count = 0; rest.n > 0; count++) {
			end = memmem(rest.p, rest.n, "\n\n", 2);
			one = end == NULL ? rest : str_slice(rest, 0, (size_t)(end - rest.p));
			rest = end == NULL ? (struct str){ "", 0 } : str_trim(str_slice(rest, one.n, rest.n));
			if (pass == 1)
				use_answer(k, from + count, one);
		}
		if (count != n)
			return false;
	}
	return true;
}

/* False: the command failed or was cancelled. *fits: the answer has the right number of texts. */
static bool
translate_by_command(struct engine_call *k, size_t from, size_t n, bool *fits)
{
	const struct engine_batch *b = k->batch;
	/*
	 * Instructions and glossary are passed in the environment, not on the command line: users
	 * write them, and a shell reads the line.
	 */
	const char *env[5] = { arena_printf(k->arena, "OCTAVO_FROM=%s", k->engine->from),
		arena_printf(k->arena, "OCTAVO_TO=%s", k->engine->to),
		arena_printf(k->arena, "OCTAVO_INSTRUCTIONS=%s", b->instructions),
		arena_printf(k->arena, "OCTAVO_GLOSSARY=%s", strlen(b->glossary) > ENV_MOST ? "" : b->glossary) };
	struct filter f = { .command = k->engine->command, .shell = true, .env = env, .most = MOST,
		.seconds = b->set->translate_seconds, .tick = b->tick, .ctx = b->ctx };
	const char *why;
	struct buf in;
	size_t i;

	if (strlen(b->instructions) > ENV_MOST)
		return stop_asking(k, "the instructions are longer than the 100 KiB that a command can take: shorten them");
	/* Enough: a batch has at most COMMAND_BYTES, or one text of ENGINE_TEXT. */
	buf_init(&in, k->arena, MOST);
	for (i = 0; i < n; i++) {
		buf_put(&in, b->texts[from + i]);
		buf_str(&in, i + 1 < n ? "\n\n" : "\n");
	}
	f.in = buf_view(&in);
	if ((why = filter_run(k->arena, &f)) != NULL)
		return stop_asking(k, arena_printf(k->arena, "the command \"%.200s\" %s", k->engine->command, why));
	*fits = take_paragraphs(k, buf_view(&f.out), from, n);
	return true;
}

static char *
request_json(struct engine_call *k, size_t from, size_t n)
{
	const struct engine_batch *b = k->batch;
	const char *key = getenv("OCTAVO_TRANSLATE_KEY");
	struct json j;
	struct buf out;
	size_t i;

	/* A byte becomes at most six in JSON; the glossary is JSON already. */
	buf_init(&out, k->arena, MOST + strlen(b->glossary) + 6 * strlen(b->instructions));
	json_init(&j, &out);
	json_obj(&j);
	json_karr(&j, "q");
	for (i = 0; i < n; i++)
		json_strn(&j, b->texts[from + i]);
	json_end(&j);
	json_kstr(&j, "source", k->engine->from);
	json_kstr(&j, "target", k->engine->to);
	json_kstr(&j, "format", "text");
	if (key != NULL && *key != '\0')
		json_kstr(&j, "api_key", key);
	if (*b->instructions != '\0')
		json_kstr(&j, "instructions", b->instructions);
	if (*b->glossary != '\0') {
		json_key(&j, "glossary");
		/* The glossary is JSON already. */
		json_raw(&j, str_of(b->glossary));
	}
	json_end(&j);
	return out.p;
}

/* The download calls it regularly, so that a job can be cancelled while it receives a long answer. */
static bool
continue_download(void *ctx, int64_t received)
{
	const struct engine_batch *b = ctx;

	(void)received;
	return b->tick == NULL || b->tick(b->ctx);
}

static void
remove_file(void *path)
{
	unlink(path);
}

/* The fetcher runs in its own process and writes to a file, whose size is bounded there. */
static bool
read_answer(struct engine_call *k, const char *path, struct str *out)
{
	char *bytes = arena_bytes(k->arena, MOST + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t n = 0;

	while (fd >= 0 && done < MOST && (n = read(fd, bytes + done, MOST - done)) > 0)
		done += (size_t)n;
	if (fd >= 0)
		close(fd);
	*out = (struct str){ bytes, done };
	return fd >= 0 && n >= 0;
}

/* Takes the texts of { translatedText: [...] }. */
static bool
take_answer(struct engine_call *k, struct str json, size_t from, size_t n, bool *fits)
{
	cJSON *root = cJSON_ParseWithLength(json.p, json.n), *list, *one;
	size_t i = 0;

	list = cJSON_GetObjectItemCaseSensitive(root, "translatedText");
	if (!cJSON_IsArray(list)) {
		cJSON_Delete(root);
		return stop_asking(k, arena_printf(k->arena, "%s answered without a list \"translatedText\"", k->engine->url));
	}
	*fits = (size_t)cJSON_GetArraySize(list) == n;
	if (*fits)
		cJSON_ArrayForEach(one, list)
			/* A value that is not a string gives an empty text, which is not usable. */
			use_answer(k, from + i++, cJSON_IsString(one) ? str_of(one->valuestring) : (struct str){ "", 0 });
	cJSON_Delete(root);
	return true;
}

static bool
translate_by_service(struct engine_call *k, size_t from, size_t n, bool *fits)
{
	const struct settings *set = k->batch->set;
	size_t size = strlen(k->engine->url);
	char *path = arena_printf(k->arena, "%s/run/translate.%s", set->dir, secret_id(k->arena));
	/*
	 * private_first: the admin may configure an address on loopback, but a redirect must not
	 * lead into the private network (docs/design/security.md, "S9").
	 */
	struct fetch_request q = { .file = path, .private_hosts = set->fetch_private, .private_first = true,
		.seconds = set->translate_seconds, .bytes = MOST, .redirects = REDIRECTS, .accept = "application/json",
		.progress = continue_download, .ctx = k->batch };
	struct fetch_result r;
	struct str answer;

	while (size > 0 && k->engine->url[size - 1] == '/')
		size--;
	q.url = arena_printf(k->arena, "%.*s/translate", (int)size, k->engine->url);
	q.post = str_of(request_json(k, from, n));
	/*
	 * The file is also removed if the arena ends because of an error, because the answer may
	 * contain users' text.
	 */
	arena_on_end(k->arena, remove_file, path);
	r = fetch(k->arena, &q);
	if (r.status != FETCH_DONE)
		return stop_asking(k, r.message != NULL ? r.message : "the service gave no answer");
	if (!read_answer(k, path, &answer))
		return stop_asking(k, "the answer of the service cannot be read again");
	unlink(path);
	return take_answer(k, answer, from, n, fits);
}

/*
 * Translates texts [from, from + n): all at once, or in halves if the answer has a wrong number of
 * texts.
 */
static bool
ask_engine(struct engine_call *k, size_t from, size_t n)
{
	bool fits = false;

	if (n == 0)
		return true;
	/* A text that is too long to send: batches are made so that such a text is alone in its batch. */
	if (n == 1 && k->batch->texts[from].n > ENGINE_TEXT) {
		k->batch->out[from] = (struct str){ NULL, 0 };
		return true;
	}
	if (!(k->engine->url != NULL ? translate_by_service : translate_by_command)(k, from, n, &fits))
		return false;
	if (fits) {
		k->misfits = 0;
		return true;
	}
	/*
	 * One bad text among n causes log2(n) wrong answers in a row, which good halves interrupt.
	 * Without the limit an engine that always answers wrongly would be called 2n times.
	 */
	if (++k->misfits > MISFITS || ++k->all_misfits > MISFITS_IN_ALL)
		return stop_asking(k, arena_printf(k->arena, "\"%.200s\" answers other many texts than it is asked", k->engine->name));
	if (n == 1) {
		k->batch->out[from] = (struct str){ NULL, 0 };
		return true;
	}
	return ask_engine(k, from, n / 2) && ask_engine(k, from + n / 2, n - n / 2);
}

/* All texts in one request first: ask_engine() splits them only after a wrong answer. */
bool
engine_ask(struct arena *a, const struct engine *e, struct engine_batch *b, const char **why)
{
	struct engine_call k = { .arena = a, .engine = e, .batch = b };
	bool ok = ask_engine(&k, 0, b->n);

	*why = k.why;
	return ok;
}
