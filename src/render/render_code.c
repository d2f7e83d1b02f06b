/*
 * Blocks of code. Lines are text with line feeds in between. Only numbered or marked lines become
 * elements, which take bytes.
 */
#include "base/url.h"
#include "render_parts.h"

/* Maximum source in bytes, far above what is highlighted. */
enum { MAX_SOURCE = 4 << 20 };

/* Lines that a folded block shows; a shorter one has nothing to fold (site.css, ".fold"). */
enum { FOLD_LINES = 10 };

/* Maximum length of the source of a diagram that is drawn. */
enum { DIAGRAM_MOST = 20000 };

/*
 * Plain text of the lines, without the line that would exceed the limit and all after it: a block
 * of one long line must not fail the page. *whole: all lines are included. The page shows all of
 * them in any case (render_lines()).
 */
static struct str
collect_source(struct render *r, const cJSON *node, bool *whole)
{
	const cJSON *line;
	struct buf b;

	buf_init(&b, r->arena, MAX_SOURCE + 2);
	/* Make an empty block's pointer non-NULL for callers. */
	buf_str(&b, "");
	*whole = true;
	cJSON_ArrayForEach(line, json_member(node, "nodes")) {
		const char *text = render_plain(r->arena, line);
		size_t n = strlen(text);
		if (b.n + n >= MAX_SOURCE) {
			*whole = false;
			break;
		}
		buf_add(&b, text, n);
		buf_char(&b, '\n');
	}
	return buf_view(&b);
}

/* True if the code contains notes, links or marks, which highlighting would lose. */
static bool
has_inlines(const cJSON *node)
{
	const cJSON *line, *one, *l;

	cJSON_ArrayForEach(line, json_member(node, "nodes"))
		cJSON_ArrayForEach(one, json_member(line, "nodes")) {
			if (!same_text(json_text_of(one, "object"), "text"))
				return true;
			cJSON_ArrayForEach(l, json_member(one, "leaves"))
				if (cJSON_GetArraySize(json_member(l, "marks")) > 0)
					return true;
		}
	return false;
}

static bool
has_marked(const cJSON *node)
{
	const cJSON *line;

	cJSON_ArrayForEach(line, json_member(node, "nodes"))
		if (json_flag_of(data_of(line), "highlighted"))
			return true;
	return false;
}

/*
 * True if the code may be wider than the screen. With the keyboard only a focused element can be
 * scrolled, so it must be able to take the focus.
 */
static bool
may_scroll(struct str s)
{
	size_t i, from = 0;

	for (i = 0; i <= s.n; i++)
		if (i == s.n || s.p[i] == '\n') {
			if (i - from > RENDER_LONG)
				return true;
			from = i + 1;
		}
	return false;
}

/* Next line of highlighted HTML; spans that are open at its end continue in the next line. */
static struct str
next_line(struct str *rest)
{
	const char *end = memchr(rest->p, '\n', rest->n);
	size_t n = end != NULL ? (size_t)(end - rest->p) : rest->n;
	struct str line = str_slice(*rest, 0, n);

	*rest = str_slice(*rest, end != NULL ? n + 1 : n, rest->n);
	return line;
}

/* All remaining highlighted lines, without the final line feed. */
static struct str
last_lines(struct str rest)
{
	return str_slice(rest, 0, rest.n - (rest.n > 0 && rest.p[rest.n - 1] == '\n'));
}

static bool
is_diff(const char *syntax)
{
	return same_text(syntax, "diff") || same_text(syntax, "patch") || (syntax != NULL && strncmp(syntax, "diff-", 5) == 0);
}

/* Added and removed lines get a background colour, which is visible where text colours are not. */
static const char *
diff_class(const char *line)
{
	/* The lines with file names are not changed lines. */
	if (strncmp(line, "+++ ", 4) == 0 || strncmp(line, "--- ", 4) == 0)
		return "l";
	return *line == '+' ? "l add" : *line == '-' ? "l del" : "l";
}

/* The id of the line; NULL: none. A removed line has no key, and so no id. */
static const char *
line_id(struct render *r, const cJSON *line)
{
	const char *key = json_text_of(line, "key");

	return r->env->lines && key != NULL ? arena_printf(r->arena, "line-%s", key) : NULL;
}

/* Writes the lines. set: the highlighted code, line by line; p NULL: render the lines with their inlines. */
static void
render_lines(struct render *r, const cJSON *node, struct str set)
{
	bool diff = is_diff(json_text_of(data_of(node), "syntax"));
	bool each = diff || r->env->lines || has_marked(node) || json_flag_of(data_of(node), "lineNumbers");
	const cJSON *line;

	cJSON_ArrayForEach(line, json_member(node, "nodes")) {
		bool marked = json_flag_of(data_of(line), "highlighted");
		if (each)
			h_el(&r->h, "span", "class", marked ? "l hi" : diff ? diff_class(render_plain(r->arena, line)) : "l", "id", line_id(r, line), NULL);
		/*
		 * A line that contains line feeds itself has several highlighted lines: the last
		 * line takes all that remain.
		 */
		if (set.p != NULL)
			h_raw(&r->h, line->next != NULL ? next_line(&set) : last_lines(set));
		else
			render_inlines(r, json_member(line, "nodes"));
		/* The line feed is inside the span, so that copied lines equal the source. */
		h_text(&r->h, "\n");
		if (each)
			h_close(&r->h);
	}
}

/* Options of the layout as classes, because the content security policy of pages allows no inline styles. */
static const char *
block_classes(struct render *r, const cJSON *d, bool folds)
{
	return arena_printf(r->arena, "code%s%s%s%s", json_flag_of(d, "lineNumbers") ? " numbers" : "",
	    same_text(json_text_of(d, "overflow"), "wrap") ? " wrap" : "",
	    json_flag_of(d, "fullWidth") ? " wide" : "", folds ? " fold" : "");
}

/* Write title and language above the code, unless both are unknown. */
static void
render_code_caption(struct render *r, const char *title, const char *syntax)
{
	if ((title == NULL || *title == '\0') && (syntax == NULL || *syntax == '\0'))
		return;
	/* Without a title it needs no line of its own. */
	h_el(&r->h, "figcaption", "class", title == NULL || *title == '\0' ? "bare" : NULL, NULL);
	if (title != NULL && *title != '\0')
		h_leaf(&r->h, "span", NULL, title);
	if (syntax != NULL && *syntax != '\0')
		h_leaf(&r->h, "span", "lang", syntax);
	h_close(&r->h);
}

static void
open_pre(struct render *r, struct str source, bool whole)
{
	h_open(&r->h, "pre");
	/* Code beyond the ceiling is also wider than the screen. */
	if (!whole || may_scroll(source))
		h_attr(&r->h, "tabindex", "0");
	h_open(&r->h, "code");
}

/*
 * A folded block shows its first lines. A checkbox before the code shows all lines without script,
 * by a rule of the style sheet; its label is after the code.
 */
static const char *
open_fold(struct render *r)
{
	const char *id = render_id(r, "fold");

	h_one(&r->h, "input", "type", "checkbox", "class", "sr", "id", id, NULL);
	return id;
}

static void
close_fold(struct render *r, const char *id)
{
	h_el(&r->h, "label", "for", id, NULL);
	h_leaf(&r->h, "span", NULL, say(r, TEXT_SHOW_ALL));
	h_leaf(&r->h, "span", NULL, say(r, TEXT_SHOW_LESS));
	h_close(&r->h);
}

/*
 * The address of the frame that draws the diagram; NULL: only the source is shown. Browsers accept
 * addresses of two million characters, and the page contains the source twice.
 */
static const char *
diagram_address(struct render *r, const char *syntax, struct str source)
{
	if (r->env->diagrams == NULL || !same_text(syntax, "mermaid") || source.n > DIAGRAM_MOST || str_trim(source).n == 0)
		return NULL;
	return arena_printf(r->arena, "%s#%s", r->env->diagrams, url_segment(r->arena, source));
}

/*
 * The script in the frame has no access to this site's origin or the network
 * (src/reader/diagrams.c).
 */
static void
render_diagram(struct render *r, const cJSON *node, const char *frame)
{
	const char *title = json_text_of(data_of(node), "title");

	h_el(&r->h, "figure", "class", json_flag_of(data_of(node), "fullWidth") ? "drawn wide" : "drawn", "id", node_anchor(node), NULL);
	h_open(&r->h, "iframe");
	h_attr(&r->h, "src", frame);
	h_attr(&r->h, "title", title != NULL && *title != '\0' ? title : "Mermaid");
	h_attr(&r->h, "loading", "lazy");
	h_attr(&r->h, "sandbox", "allow-scripts");
	h_close(&r->h);
	if (title != NULL && *title != '\0')
		h_leaf(&r->h, "figcaption", NULL, title);
	h_el(&r->h, "details", NULL);
	h_leaf(&r->h, "summary", NULL, "Mermaid");
}

void
render_code(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);
	const char *syntax = json_text_of(d, "syntax");
	/* The source is needed in any case: its longest line decides about the focus. */
	bool whole;
	struct str source = collect_source(r, node, &whole), set = { NULL, 0 };
	const char *fold;
	bool folds = json_flag_of(d, "expandable") && cJSON_GetArraySize(json_member(node, "nodes")) > FOLD_LINES;

	const char *frame = whole ? diagram_address(r, syntax, source) : NULL;

	if (frame != NULL)
		render_diagram(r, node, frame);
	/* Highlighting uses the text alone and would lose links and marks. */
	if (syntax != NULL && whole && r->env->code != NULL && !has_inlines(node))
		set = r->env->code(r->env->ctx, syntax, source);
	h_el(&r->h, "figure", "class", block_classes(r, d, folds), "id", frame == NULL ? node_anchor(node) : NULL, NULL);
	render_code_caption(r, frame == NULL ? json_text_of(d, "title") : NULL, syntax);
	fold = folds ? open_fold(r) : NULL;
	open_pre(r, source, whole);
	render_lines(r, node, set);
	h_close(&r->h);
	h_close(&r->h);
	if (fold != NULL)
		close_fold(r, fold);
	h_close(&r->h);
	if (frame != NULL) {
		h_close(&r->h);
		h_close(&r->h);
	}
}

void
render_sample(struct render *r, const char *title, const char *syntax, struct str source)
{
	struct str set = { NULL, 0 };

	if (syntax != NULL && r->env->code != NULL)
		set = r->env->code(r->env->ctx, syntax, source);
	h_el(&r->h, "figure", "class", "code", NULL);
	render_code_caption(r, title, syntax);
	open_pre(r, source, true);
	if (set.p != NULL)
		h_raw(&r->h, set);
	else
		h_textn(&r->h, source);
	h_close(&r->h);
	h_close(&r->h);
	h_close(&r->h);
}

/*
 * A prompt for a language model, after its description. "hidden" in the source means that it starts
 * folded.
 */
void
render_prompt(struct render *r, const cJSON *node)
{
	const cJSON *d = data_of(node);
	const char *about = json_text_of(d, "description");

	h_el(&r->h, "details", "class", "prompt", NULL);
	if (!same_text(json_text_of(d, "defaultExpanded"), "hidden"))
		h_flag(&r->h, "open");
	h_leaf(&r->h, "summary", NULL, about != NULL ? about : "");
	render_blocks(r, json_member(node, "nodes"));
	h_close(&r->h);
}
