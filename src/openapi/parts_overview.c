/*
 * The page about the API as Markdown: the author's description, facts of the info object, servers,
 * and how callers authenticate.
 */
#include "base/buf.h"
#include "parts_inside.h"

/*
 * LINE: the longest text in one line, in bytes. LISTED: number of servers, schemes and their parts that are listed.
 * TEXTS: bytes of all descriptions of schemes.
 */
enum { LINE = 1000, LISTED = 1000, TEXTS = 1 << 20 };

/*
 * The page that is being written. left, texts: how many more parts are listed, and bytes of the
 * descriptions of schemes; references could repeat one many times.
 */
struct overview {
	struct part_writer *t;
	struct arena       *a;
	struct buf          b;
	int                 left;
	size_t              texts;
};

/* "" if the member is missing, or neither a string nor a number: versions are often not quoted. */
static const char *
line_at(struct arena *a, const struct value *m, const char *key)
{
	return line_of(a, value_text(value_get(m, key)), LINE);
}

/* Adds a line of Markdown if there is a text or an address. <> allows parentheses in an address. */
static void
add_link(struct buf *b, const char *label, const char *text, const char *url)
{
	if (*url == '\0' && *text == '\0')
		return;
	if (*url == '\0')
		buf_printf(b, "* %s: %s\n", label, text);
	else
		buf_printf(b, "* %s: [%s](<%s>)\n", label, *text != '\0' ? text : url, url);
}

void
add_documentation(struct arena *a, struct buf *b, const struct value *holder)
{
	const struct value *docs = value_get(holder, "externalDocs");

	add_link(b, "Documentation", line_at(a, docs, "description"), line_at(a, docs, "url"));
}

/* The members of the info object besides its description, as a list. */
static void
add_facts(struct part_writer *t, struct arena *a, struct buf *b)
{
	const struct value *info = value_get(t->root, "info"), *contact = value_get(info, "contact"), *license = value_get(info, "license");
	const char *mail = line_at(a, contact, "email");

	buf_printf(b, "* Version: %s\n", line_at(a, info, "version"));
	add_documentation(a, b, t->root);
	add_link(b, "Terms of service", "", line_at(a, info, "termsOfService"));
	add_link(b, "Contact", line_at(a, contact, "name"), *mail != '\0' ? arena_printf(a, "mailto:%s", mail) : line_at(a, contact, "url"));
	add_link(b, "License", line_at(a, license, "name"), line_at(a, license, "url"));
}

/* Adds `text`. A text with a backtick gets blanks, which parsers strip (CommonMark 0.30, 6.1). */
static void
add_code(struct buf *b, const char *text)
{
	bool quoted = strchr(text, '`') != NULL;

	buf_printf(b, quoted ? "`` %s ``" : "`%s`", text);
}

/* Adds a line of a list: `name`: text. */
static void
add_item(struct buf *b, const char *indent, const char *name, const char *text)
{
	buf_printf(b, "%s* ", indent);
	add_code(b, name);
	buf_printf(b, "%s%s", *text != '\0' ? ": " : "", text);
}

/* Adds an address: as a link if it is complete, otherwise as it is written. */
static void
add_address(struct buf *b, const char *url)
{
	if (strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0)
		buf_printf(b, "<%s>", url);
	else
		add_code(b, url);
}

/* ---- servers ---- */

/* Adds a variable of a server's address, with its default and its other values. */
static void
add_variable(struct overview *o, const struct value *variable)
{
	const struct value *first = value_first(value_get(variable, "enum")), *one;

	add_item(&o->b, "  ", line_of(o->a, value_key(variable), LINE), line_at(o->a, variable, "description"));
	buf_str(&o->b, "; default: ");
	add_code(&o->b, line_at(o->a, variable, "default"));
	for (one = first; one != NULL && o->left-- > 0; one = one->next) {
		buf_str(&o->b, one == first ? "; values: " : ", ");
		add_code(&o->b, line_of(o->a, value_text(one), LINE));
	}
	buf_char(&o->b, '\n');
}

static void
add_servers(struct overview *o)
{
	static const struct located_operation none = { 0 };
	const struct value *one, *variable;

	/* Without them OpenAPI has a default, which says nothing of this API. */
	if (o->t->version == OPENAPI_2_0 ? value_get(o->t->root, "host") == NULL : value_first(value_get(o->t->root, "servers")) == NULL)
		return;
	buf_str(&o->b, "\n## Servers\n\n");
	for (one = value_first(find_servers(o->t, &none)); one != NULL && o->left-- > 0; one = one->next) {
		add_item(&o->b, "", line_at(o->a, one, "url"), line_at(o->a, one, "description"));
		buf_char(&o->b, '\n');
		for (variable = value_members(value_get(one, "variables")); variable != NULL && o->left-- > 0; variable = variable->next)
			add_variable(o, variable);
	}
}

/* ---- authentication ---- */

/* Adds a flow of OAuth 2: its addresses and scopes. */
static void
add_flow(struct overview *o, const struct value *flow)
{
	static const char *const urls[] = { "authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl" };
	const struct value *scope;
	const char *url;

	add_item(&o->b, "", line_of(o->a, value_key(flow), LINE), "");
	buf_char(&o->b, '\n');
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		if (*(url = line_at(o->a, flow, urls[i])) != '\0') {
			add_item(&o->b, "  ", urls[i], "");
			buf_str(&o->b, ": ");
			add_address(&o->b, url);
			buf_char(&o->b, '\n');
		}
	for (scope = value_members(value_get(flow, "scopes")); scope != NULL && o->left-- > 0; scope = scope->next) {
		add_item(&o->b, "  ", line_of(o->a, value_key(scope), LINE), line_of(o->a, value_text(scope), LINE));
		buf_char(&o->b, '\n');
	}
}

/* Says where the key is sent, or which protocol is used. */
static void
add_way(struct overview *o, const struct value *scheme)
{
	const char *type = line_at(o->a, scheme, "type"), *format = line_at(o->a, scheme, "bearerFormat");

	if (strcmp(type, "apiKey") == 0) {
		buf_printf(&o->b, "API key, sent as %s ", strcmp(line_at(o->a, scheme, "in"), "query") == 0 ? "query parameter" : line_at(o->a, scheme, "in"));
		add_code(&o->b, line_at(o->a, scheme, "name"));
	} else if (strcmp(type, "http") == 0) {
		buf_str(&o->b, "HTTP authentication, header ");
		add_code(&o->b, arena_printf(o->a, "Authorization: %s …", line_at(o->a, scheme, "scheme")));
		if (*format != '\0')
			buf_printf(&o->b, " (%s)", format);
	} else if (strcmp(type, "openIdConnect") == 0) {
		buf_str(&o->b, "OpenID Connect: ");
		add_address(&o->b, line_at(o->a, scheme, "openIdConnectUrl"));
	} else {
		buf_str(&o->b, strcmp(type, "mutualTLS") == 0 ? "Client certificate (mutual TLS)" : strcmp(type, "oauth2") == 0 ? "OAuth 2" : type);
	}
	buf_str(&o->b, "\n\n");
}

static void
add_scheme(struct overview *o, const struct value *named)
{
	const struct value *scheme = convert_scheme(o->t, openapi_deref(named)), *flow;
	struct str about = value_text(value_get(scheme, "description"));

	buf_str(&o->b, "### ");
	add_code(&o->b, line_of(o->a, value_key(named), LINE));
	buf_str(&o->b, "\n\n");
	add_way(o, scheme);
	if (about.n > 0 && about.n <= o->texts) {
		o->texts -= about.n;
		buf_put(&o->b, about);
		buf_str(&o->b, "\n\n");
	}
	for (flow = value_members(value_get(scheme, "flows")); flow != NULL && o->left-- > 0; flow = flow->next)
		add_flow(o, flow);
	buf_char(&o->b, '\n');
}

static void
add_authentication(struct overview *o)
{
	const struct value *one;
	bool any = false;

	for (one = value_members(o->t->security); one != NULL && o->left-- > 0; one = one->next) {
		if (is_internal(openapi_deref(one)))
			continue;
		buf_str(&o->b, any ? "" : "\n## Authentication\n\n");
		any = true;
		add_scheme(o, one);
	}
}

/* ---- the page ---- */

/* The line without its indentation; empty if that makes it code (four blanks). */
static struct str
without_indent(struct str line)
{
	size_t n = 0;

	while (n < line.n && n < 4 && line.p[n] == ' ')
		n++;
	return n < 4 ? str_slice(line, n, line.n) : (struct str){ line.p, 0 };
}

/* The number of the character c at the beginning. */
static size_t
run_of(struct str line, char c)
{
	size_t n = 0;

	while (n < line.n && line.p[n] == c)
		n++;
	return n;
}

/* True for "# Title" (CommonMark 0.30, 4.2): one to six #, then a blank or the end. */
static bool
is_heading(struct str line)
{
	size_t n = run_of(line, '#');

	return n > 0 && n < 7 && (n == line.n || line.p[n] == ' ' || line.p[n] == '\t');
}

/* True for a line of = or - alone, which makes the paragraph above it a heading (4.3). */
static bool
is_underline(struct str line)
{
	struct str s = str_trim(line);

	return s.n > 0 && (run_of(s, '=') == s.n || run_of(s, '-') == s.n);
}

/* True if the line begins a paragraph, and not a list, quote or table, below which a line of - is no underline. */
static bool
begins_paragraph(struct str line)
{
	return line.n > 0 && strchr("-*+>|0123456789", line.p[0]) == NULL;
}

/* The state of find_heading(). */
struct heading_search {
	char   fence;       /* ` or ~ while inside fenced code; otherwise NUL */
	size_t fence_n;     /* length of the fence that began it */
	size_t paragraph;   /* where the paragraph of the present line begins; SIZE_MAX: it is in none */
};

/* Reads a line that may begin or end fenced code (4.5). True: it does, or it is in such code. */
static bool
read_fence(struct heading_search *h, struct str line)
{
	char mark = line.n > 0 ? line.p[0] : '\0';
	size_t n = mark == '`' || mark == '~' ? run_of(line, mark) : 0;

	if (h->fence == '\0') {
		/* Code in a line may begin with three backticks; it ends with as many. */
		if (n < 3 || (mark == '`' && memchr(line.p + n, '`', line.n - n) != NULL))
			return false;
		h->fence = mark;
		h->fence_n = n;
	} else if (mark == h->fence && n >= h->fence_n && str_trim(str_slice(line, n, line.n)).n == 0) {
		h->fence = '\0';
	}
	return true;
}

/*
 * The length of a text before its first heading, outside code: the facts come there, since behind the
 * last section they would belong to it.
 */
static size_t
find_heading(struct str text)
{
	struct heading_search h = { .paragraph = SIZE_MAX };
	const char *end;

	for (size_t at = 0; at < text.n; at = end != NULL ? (size_t)(end - text.p) + 1 : text.n) {
		struct str rest = str_slice(text, at, text.n), line;

		end = memchr(rest.p, '\n', rest.n);
		line = without_indent((struct str){ rest.p, end != NULL ? (size_t)(end - rest.p) : rest.n });
		if (read_fence(&h, line) || str_trim(line).n == 0)
			h.paragraph = SIZE_MAX;
		else if (is_heading(line))
			return at;
		else if (h.paragraph != SIZE_MAX && is_underline(line))
			return h.paragraph;
		else if (h.paragraph == SIZE_MAX && begins_paragraph(line))
			h.paragraph = at;
	}
	return text.n;
}

const char *
overview_markdown(struct part_writer *t, struct arena *a)
{
	struct str text = value_text(value_get(value_get(t->root, "info"), "description"));
	struct overview o = { .t = t, .a = a, .left = LISTED, .texts = TEXTS };
	size_t before = find_heading(text), lead = before;

	/* Each listed part is at most two lines. */
	buf_init(&o.b, a, text.n + TEXTS + (size_t)(LISTED + 100) * 6 * LINE);
	while (lead > 0 && text.p[lead - 1] == '\n')
		lead--;
	buf_put(&o.b, str_slice(text, 0, lead));
	if (o.b.n > 0)
		buf_str(&o.b, "\n\n");
	add_facts(t, a, &o.b);
	if (before < text.n) {
		buf_char(&o.b, '\n');
		buf_put(&o.b, str_slice(text, before, text.n));
		buf_char(&o.b, '\n');
	}
	add_servers(&o);
	add_authentication(&o);
	return o.b.p;
}
