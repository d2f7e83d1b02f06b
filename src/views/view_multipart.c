/* Forms with a file, as browsers send them (RFC 7578). Contract: view_parts.h. */
#include <strings.h>

#include "base/utf8.h"
#include "view_parts.h"

enum { PARTS_MOST = 100, PARAMETER_MOST = 1000 };

static const char multipart[] = "multipart/form-data";

bool
is_multipart(const char *type)
{
	return type != NULL && strncasecmp(type, multipart, sizeof(multipart) - 1) == 0;
}

/*
 * The delimiter of parts, without its line break: "--" and the boundary parameter of the media type
 * (RFC 2046, 5.1.1). n 0: there is no boundary.
 */
static struct str
read_delimiter(struct arena *a, const char *type)
{
	const char *p = strcasestr(type, "boundary=");
	size_t n;

	if (p == NULL)
		return STR("");
	p += strlen("boundary=");
	p += *p == '"';
	n = strcspn(p, "\";, ");
	return n == 0 ? STR("") : str_of(arena_printf(a, "--%.*s", (int)n, p));
}

/* Cuts the text off *rest up to the mark, and the mark. False: the mark is not there. */
static bool
take_until(struct str *rest, struct str mark, struct str *text)
{
	const char *at = memmem(rest->p, rest->n, mark.p, mark.n);

	if (at == NULL)
		return false;
	*text = (struct str){ rest->p, (size_t)(at - rest->p) };
	*rest = str_slice(*rest, text->n + mark.n, rest->n);
	return true;
}

/* Browsers write a quotation mark as %22, CR as %0D and LF as %0A, and all else as it is (WHATWG HTML, "Multipart form data"). */
static char *
decode_parameter(struct arena *a, struct str s)
{
	static const struct { const char *code; char c; } codes[] = { { "%22", '"' }, { "%0D", '\r' }, { "%0A", '\n' } };
	char *out = arena_strndup(a, s.p, s.n), *to = out;

	for (const char *p = out; *p != '\0'; p++) {
		char c = *p;

		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			if (strncmp(p, codes[i].code, 3) == 0) {
				c = codes[i].c;
				p += 2;
				break;
			}
		*to++ = c;
	}
	*to = '\0';
	return out;
}

/* A parameter of the header Content-Disposition ("; name=\"…\""); NULL: it is not there, or is no text. */
static char *
read_parameter(struct arena *a, struct str headers, const char *name)
{
	struct str before, value, mark = str_of(arena_printf(a, "; %s=\"", name));

	if (!take_until(&headers, mark, &before) || !take_until(&headers, STR("\""), &value))
		return NULL;
	if (value.n > PARAMETER_MOST || !utf8_valid(value) || memchr(value.p, '\0', value.n) != NULL)
		return NULL;
	return decode_parameter(a, value);
}

/* False: the part has no name, or its text is no UTF-8 or holds a NUL. */
static bool
take_part(struct view *v, struct str headers, struct str text, struct pair ***last)
{
	const char *name = read_parameter(v->arena, headers, "name"), *file = read_parameter(v->arena, headers, "filename");
	struct pair *p;

	if (name == NULL)
		return false;
	if (file != NULL) {
		/* Browsers send a field in which no file was chosen, too. */
		if (*file != '\0')
			v->file = (struct sent_file){ file, text };
		return true;
	}
	if (!utf8_valid(text) || memchr(text.p, '\0', text.n) != NULL)
		return false;
	p = arena_alloc(v->arena, sizeof(*p));
	p->name = name;
	p->value = arena_strndup(v->arena, text.p, text.n);
	**last = p;
	*last = &p->next;
	return true;
}

bool
parse_multipart(struct view *v, const char *type, struct str body)
{
	struct str delimiter = read_delimiter(v->arena, type), headers, text, end;
	struct pair **last = &v->form;

	if (delimiter.n == 0 || !str_starts(body, delimiter.p))
		return false;
	body = str_slice(body, delimiter.n, body.n);
	end = str_of(arena_printf(v->arena, "\r\n%s", delimiter.p));
	for (int count = 0; !str_starts(body, "--"); count++) {
		if (count == PARTS_MOST || !str_starts(body, "\r\n") || !take_until(&body, STR("\r\n\r\n"), &headers) ||
		    !take_until(&body, end, &text) || !take_part(v, headers, text, &last))
			return false;
	}
	return true;
}
