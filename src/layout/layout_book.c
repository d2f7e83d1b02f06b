/* Fills variables of a legacy book.json into texts. Contract: layout/book.h. */
#include <string.h>

#include <cjson/cJSON.h>

#include "layout_parts.h"
#include "layout/book.h"
#include "base/scan.h"
#include "base/utf8.h"

/*
 * VALUE_BYTES: a longer value is not substituted. NAME_BYTES: limit of a whole path ("a.b.c") and
 * of a spelling in a message.
 */
enum { VALUE_BYTES = 64 << 10, NAME_BYTES = 256 };

struct book {
	struct map *values;     /* "book.a.b", "config.title" -> struct str */
	bool        variables;
};

/* ---- values ---- */

/* The text of a value as Honkit prints it; p NULL: a list or object has no text. */
static struct str
value_text(struct arena *a, const cJSON *v)
{
	char *number;
	struct str s;

	if (cJSON_IsString(v) && utf8_valid(str_of(v->valuestring)) && strlen(v->valuestring) <= VALUE_BYTES)
		return str_of(arena_strdup(a, v->valuestring));
	if (cJSON_IsNumber(v)) {
		number = cJSON_PrintUnformatted(v);
		s = str_of(arena_strdup(a, number));
		cJSON_free(number);
		return s;
	}
	if (cJSON_IsBool(v))
		return cJSON_IsTrue(v) ? STR("true") : STR("false");
	return (struct str){ NULL, 0 };
}

/*
 * Adds the values of an object or list and of all that it contains. json_limits_body limits the
 * nesting, and so the recursion.
 */
static void
add_values(struct arena *a, struct book *b, const char *path, const cJSON *v)
{
	struct str text = value_text(a, v), *kept;
	const cJSON *m;
	int i = 0;

	if (text.p != NULL) {
		kept = arena_alloc(a, sizeof(*kept));
		*kept = text;
		/* If a name occurs twice, the first one counts, as in all settings. */
		map_add(b->values, str_of(path), kept);
	}
	cJSON_ArrayForEach(m, v) {
		const char *below = cJSON_IsArray(v) ? arena_printf(a, "%s.%d", path, i++) : arena_printf(a, "%s.%s", path, m->string);
		if (strlen(below) <= NAME_BYTES)
			add_values(a, b, below, m);
	}
}

struct book *
book_parse(struct arena *a, struct str bytes)
{
	struct book *b = arena_alloc(a, sizeof(*b));
	const cJSON *root = NULL, *variables;
	bool large;

	bytes = str_slice(bytes, layout_bom(bytes), bytes.n);
	if (json_scan(a, bytes, &json_limits_body, &large) == NULL)
		root = cJSON_ParseWithLength(bytes.p, bytes.n);
	if (!cJSON_IsObject(root)) {
		cJSON_Delete((cJSON *)root);
		return NULL;
	}
	variables = cJSON_GetObjectItemCaseSensitive(root, "variables");
	*b = (struct book){ map_new(a), cJSON_IsObject(variables) && variables->child != NULL };
	add_values(a, b, "book", variables);
	/*
	 * The other members of the file are variables, too. No secret is shown by this: the file is
	 * part of the repository, whose texts are imported.
	 */
	add_values(a, b, "config", root);
	cJSON_Delete((cJSON *)root);
	return b;
}

bool
book_has_variables(const struct book *b)
{
	return b != NULL && b->variables;
}

/* ---- names of variables in a text ---- */

static bool
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	    c == '-' || (unsigned char)c >= 0x80;
}

static struct str
skip_blanks(struct str s)
{
	size_t i = 0;

	while (i < s.n && strchr(" \t\r\n", s.p[i]) != NULL && s.p[i] != '\0')
		i++;
	return str_slice(s, i, s.n);
}

/* Move a name from the front of s to the path; false if there is none, or no room for it. */
static bool
take_name(struct str *s, char path[NAME_BYTES + 1], size_t *n, char quote)
{
	size_t k = 0;

	while (k < s->n && (quote == '\0' ? is_name(s->p[k]) : s->p[k] != quote && s->p[k] != '\n'))
		k++;
	if (k == 0 || *n + k + 1 > NAME_BYTES)
		return false;
	if (*n > 0)
		path[(*n)++] = '.';
	memcpy(path + *n, s->p, k);
	*n += k;
	*s = str_slice(*s, k, s->n);
	return true;
}

/* Move ".name", "[0]" or "['name']" to the path; false if s begins with none of them. */
static bool
take_part(struct str *s, char path[NAME_BYTES + 1], size_t *n)
{
	char quote;

	if (s->n > 1 && s->p[0] == '.') {
		*s = str_slice(*s, 1, s->n);
		return take_name(s, path, n, '\0');
	}
	if (s->n < 3 || s->p[0] != '[')
		return false;
	quote = s->p[1] == '"' || s->p[1] == '\'' ? s->p[1] : '\0';
	*s = str_slice(*s, quote == '\0' ? 1 : 2, s->n);
	if (!take_name(s, path, n, quote))
		return false;
	if (quote != '\0')
		*s = str_slice(*s, 1, s->n);
	if (s->n == 0 || s->p[0] != ']')
		return false;
	*s = str_slice(*s, 1, s->n);
	return true;
}

/*
 * Parses the text between "{{" and "}}". False if it does not refer to book.json. path: the name of
 * the value; "" if the text is more than a name (a filter, a sum).
 */
static bool
read_path(struct str inside, char path[NAME_BYTES + 1])
{
	struct str s = skip_blanks(inside);
	size_t n = 0;

	if (!take_name(&s, path, &n, '\0') ||
	    !(n == 4 ? memcmp(path, "book", 4) == 0 : n == 6 && memcmp(path, "config", 6) == 0))
		return false;
	while (s.n > 0 && (s.p[0] == '.' || s.p[0] == '['))
		if (!take_part(&s, path, &n))
			break;
	s = skip_blanks(s);
	path[s.n == 0 ? n : 0] = '\0';
	return true;
}

/* ---- filling in ---- */

struct fill_state {
	struct arena      *arena;
	const struct book *book;
	struct str         text;
	size_t             at, line;    /* of the next spelling */
	size_t             length;      /* of the whole spelling */
	bool               raw;
	struct map        *reported;
	void             (*unknown)(void *ctx, size_t line, const char *text);
	void              *ctx;
};

/* Length of "{% raw %}" (or its end tag) at s, blanks included; 0 if s begins with neither. */
static size_t
raw_tag(struct str s, const char *name)
{
	struct str rest = str_starts(s, "{%") ? str_slice(s, 2, s.n) : STR("");

	if (rest.n > 0 && rest.p[0] == '-')
		rest = str_slice(rest, 1, rest.n);
	rest = skip_blanks(rest);
	if (!str_starts(rest, name))
		return 0;
	rest = skip_blanks(str_slice(rest, strlen(name), rest.n));
	if (rest.n > 0 && rest.p[0] == '-')
		rest = str_slice(rest, 1, rest.n);
	return str_starts(rest, "%}") ? s.n - rest.n + 2 : 0;
}

static void
report_unknown(struct fill_state *f, struct str spelling)
{
	const char *text = arena_strndup(f->arena, spelling.p, spelling.n < NAME_BYTES ? spelling.n : NAME_BYTES);

	if (f->unknown != NULL && map_add(f->reported, str_of(text), f))
		f->unknown(f->ctx, f->line, text);
}

/*
 * The value of the expression at f->at, which begins with "{{"; p NULL if it has none. Sets
 * f->length to the length of the whole expression.
 */
static struct str
value_at(struct fill_state *f)
{
	struct str s = str_slice(f->text, f->at + 2, f->text.n), inside;
	const char *end = memmem(s.p, s.n, "}}", 2), *line = s.n == 0 ? NULL : memchr(s.p, '\n', s.n);
	char path[NAME_BYTES + 1];
	struct str *value;

	f->length = 2;
	/* An expression ends in its own line: an unclosed "{{" is text. */
	if (end == NULL || (line != NULL && line < end))
		return (struct str){ NULL, 0 };
	inside = (struct str){ s.p, (size_t)(end - s.p) };
	/* "{{-" and "-}}" also trim blanks; within one line this can be ignored. */
	if (inside.n > 0 && inside.p[0] == '-')
		inside = str_slice(inside, 1, inside.n);
	if (inside.n > 0 && inside.p[inside.n - 1] == '-')
		inside.n--;
	if (!read_path(inside, path))
		return (struct str){ NULL, 0 };
	f->length = (size_t)(end - s.p) + 4;
	value = map_get(f->book->values, str_of(path));
	if (value != NULL)
		return *value;
	/* Do not warn about "config": the documentation of other tools uses that name in examples. */
	if (str_starts(str_trim(inside), "book"))
		report_unknown(f, str_slice(f->text, f->at, f->at + f->length));
	return (struct str){ NULL, 0 };
}

/*
 * Finds the next expression that has a value, or the next raw tag, whose value is empty. False:
 * there is none.
 */
static bool
find_next_value(struct fill_state *f, struct str *value)
{
	size_t n;

	for (; f->at < f->text.n; f->at += n) {
		struct str rest = str_slice(f->text, f->at, f->text.n);

		n = 1;
		if (rest.p[0] == '\n')
			f->line++;
		if (rest.p[0] != '{')
			continue;
		if ((f->length = raw_tag(rest, f->raw ? "endraw" : "raw")) > 0) {
			f->raw = !f->raw;
			*value = STR("");
			return true;
		}
		if (f->raw || !str_starts(rest, "{{"))
			continue;
		*value = value_at(f);
		if (value->p != NULL)
			return true;
		n = f->length;
	}
	return false;
}

static struct fill_state
begin_fill(struct arena *a, const struct book *b, struct str text)
{
	return (struct fill_state){ .arena = a, .book = b, .text = text, .line = 1 };
}

/*
 * Length of the text once it is filled in; 0 if nothing is replaced. Unknown names are reported
 * here.
 */
static size_t
filled_length(struct fill_state *f)
{
	size_t n = f->text.n;
	bool any = false;
	struct str v;

	for (; find_next_value(f, &v); f->at += f->length, any = true)
		n = n - f->length + v.n;
	return any ? n : 0;
}

struct str
book_fill(struct arena *a, const struct book *b, struct str text, size_t most,
    void (*unknown)(void *ctx, size_t line, const char *text), void *ctx)
{
	struct fill_state f;
	size_t n, from = 0;
	struct str v;
	struct buf out;

	if (b == NULL || text.n < 4 || (memmem(text.p, text.n, "{{", 2) == NULL && memmem(text.p, text.n, "{%", 2) == NULL))
		return text;
	f = begin_fill(a, b, text);
	f.reported = map_new(a);
	f.unknown = unknown;
	f.ctx = ctx;
	n = filled_length(&f);
	if (n == 0 || n > most) {
		if (n > most && unknown != NULL)
			unknown(ctx, 0, "");
		return text;
	}
	buf_init(&out, a, n + 1);
	for (f = begin_fill(a, b, text); find_next_value(&f, &v); from = f.at += f.length) {
		buf_put(&out, str_slice(text, from, f.at));
		buf_put(&out, v);
	}
	buf_put(&out, str_slice(text, from, text.n));
	return buf_view(&out);
}
