/*
 * TeX formulas read into boxes: what KaTeX knows of rows, scripts, fractions, roots,
 * delimiters, matrices, accents and symbols. What is not known ends the reading, and the
 * caller shows the source: half a formula would say something else.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "math.h"

/*
 * Limits for formulas that somebody else wrote: recursion, memory for boxes, cells of a row and
 * rows of a table.
 */
enum { DEPTH_MAX = 40, BOXES_MAX = 4000, CELLS_MAX = 400, NAME_MAX_LEN = 24 };

/*
 * The state of reading one formula. Size, display and face are those of the group that is read;
 * whoever changes them puts them back.
 */
struct reader {
	struct paper  *paper;
	const char    *s;
	double         size;
	bool           display;
	enum math_face face;
	bool           faced;       /* a command set the face */
	bool           failed;
	int            depth, boxes;
};

/* Rows hold arguments, arguments hold rows. */
static struct mbox *read_row(struct reader *r, const char *until);
static struct mbox *read_argument(struct reader *r);

/* Returns an empty box, so that callers need not test for NULL; every loop ends when it sees r->failed. */
static struct mbox *
failed(struct reader *r)
{
	r->failed = true;
	return mbox_row(r->paper);
}

/* ---- symbols ---- */

/*
 * Names of commands with their character and class (The TeXbook, appendix F). Searched one by
 * one: a formula has few.
 */
static const struct symbol {
	const char     *name, *text;
	enum math_class class;
} symbols[] = {
	{ "alpha", "α", M_ORD }, { "beta", "β", M_ORD }, { "gamma", "γ", M_ORD }, { "delta", "δ", M_ORD },
	{ "epsilon", "ϵ", M_ORD }, { "varepsilon", "ε", M_ORD }, { "zeta", "ζ", M_ORD }, { "eta", "η", M_ORD },
	{ "theta", "θ", M_ORD }, { "vartheta", "ϑ", M_ORD }, { "iota", "ι", M_ORD }, { "kappa", "κ", M_ORD },
	{ "lambda", "λ", M_ORD }, { "mu", "μ", M_ORD }, { "nu", "ν", M_ORD }, { "xi", "ξ", M_ORD }, { "pi", "π", M_ORD },
	{ "rho", "ρ", M_ORD }, { "varrho", "ϱ", M_ORD }, { "sigma", "σ", M_ORD }, { "varsigma", "ς", M_ORD },
	{ "tau", "τ", M_ORD }, { "upsilon", "υ", M_ORD }, { "phi", "ϕ", M_ORD }, { "varphi", "φ", M_ORD },
	{ "chi", "χ", M_ORD }, { "psi", "ψ", M_ORD }, { "omega", "ω", M_ORD }, { "Gamma", "Γ", M_ORD },
	{ "Delta", "Δ", M_ORD }, { "Theta", "Θ", M_ORD }, { "Lambda", "Λ", M_ORD }, { "Xi", "Ξ", M_ORD },
	{ "Pi", "Π", M_ORD }, { "Sigma", "Σ", M_ORD }, { "Upsilon", "Υ", M_ORD }, { "Phi", "Φ", M_ORD },
	{ "Psi", "Ψ", M_ORD }, { "Omega", "Ω", M_ORD },
	{ "infty", "∞", M_ORD }, { "partial", "∂", M_ORD }, { "nabla", "∇", M_ORD }, { "forall", "∀", M_ORD },
	{ "exists", "∃", M_ORD }, { "nexists", "∄", M_ORD }, { "emptyset", "∅", M_ORD }, { "varnothing", "∅", M_ORD },
	{ "hbar", "ℏ", M_ORD }, { "ell", "ℓ", M_ORD }, { "Re", "ℜ", M_ORD }, { "Im", "ℑ", M_ORD }, { "aleph", "ℵ", M_ORD },
	{ "angle", "∠", M_ORD }, { "top", "⊤", M_ORD }, { "bot", "⊥", M_ORD }, { "neg", "¬", M_ORD }, { "lnot", "¬", M_ORD },
	{ "prime", "′", M_ORD }, { "degree", "°", M_ORD }, { "dots", "…", M_ORD }, { "ldots", "…", M_ORD },
	{ "cdots", "⋯", M_ORD }, { "vdots", "⋮", M_ORD }, { "ddots", "⋱", M_ORD }, { "%", "%", M_ORD }, { "$", "$", M_ORD },
	{ "#", "#", M_ORD }, { "_", "_", M_ORD }, { "&", "&", M_ORD }, { "imath", "ı", M_ORD }, { "jmath", "ȷ", M_ORD },
	{ "pm", "±", M_BIN }, { "mp", "∓", M_BIN }, { "times", "×", M_BIN }, { "div", "÷", M_BIN }, { "cdot", "⋅", M_BIN },
	{ "ast", "∗", M_BIN }, { "star", "⋆", M_BIN }, { "circ", "∘", M_BIN }, { "bullet", "∙", M_BIN }, { "cap", "∩", M_BIN },
	{ "cup", "∪", M_BIN }, { "setminus", "∖", M_BIN }, { "wedge", "∧", M_BIN }, { "land", "∧", M_BIN }, { "vee", "∨", M_BIN },
	{ "lor", "∨", M_BIN }, { "oplus", "⊕", M_BIN }, { "ominus", "⊖", M_BIN }, { "otimes", "⊗", M_BIN },
	{ "odot", "⊙", M_BIN }, { "dagger", "†", M_BIN }, { "bmod", "mod", M_BIN },
	{ "le", "≤", M_REL }, { "leq", "≤", M_REL }, { "ge", "≥", M_REL }, { "geq", "≥", M_REL }, { "ne", "≠", M_REL },
	{ "neq", "≠", M_REL }, { "approx", "≈", M_REL }, { "equiv", "≡", M_REL }, { "sim", "∼", M_REL }, { "simeq", "≃", M_REL },
	{ "cong", "≅", M_REL }, { "propto", "∝", M_REL }, { "ll", "≪", M_REL }, { "gg", "≫", M_REL }, { "in", "∈", M_REL },
	{ "notin", "∉", M_REL }, { "ni", "∋", M_REL }, { "subset", "⊂", M_REL }, { "subseteq", "⊆", M_REL },
	{ "supset", "⊃", M_REL }, { "supseteq", "⊇", M_REL }, { "perp", "⊥", M_REL }, { "parallel", "∥", M_REL },
	{ "mid", "∣", M_REL }, { "to", "→", M_REL }, { "rightarrow", "→", M_REL }, { "leftarrow", "←", M_REL },
	{ "gets", "←", M_REL }, { "leftrightarrow", "↔", M_REL }, { "Rightarrow", "⇒", M_REL }, { "implies", "⟹", M_REL },
	{ "Leftarrow", "⇐", M_REL }, { "iff", "⟺", M_REL }, { "Leftrightarrow", "⇔", M_REL }, { "mapsto", "↦", M_REL },
	{ "uparrow", "↑", M_REL }, { "downarrow", "↓", M_REL }, { "longrightarrow", "⟶", M_REL }, { "vdash", "⊢", M_REL },
	{ "models", "⊨", M_REL }, { "prec", "≺", M_REL }, { "succ", "≻", M_REL }, { "therefore", "∴", M_REL },
	{ "because", "∵", M_REL }, { "triangleq", "≜", M_REL }, { "coloneqq", "≔", M_REL }, { "doteq", "≐", M_REL },
	{ "{", "{", M_OPEN }, { "lbrace", "{", M_OPEN }, { "langle", "⟨", M_OPEN }, { "lfloor", "⌊", M_OPEN },
	{ "lceil", "⌈", M_OPEN }, { "}", "}", M_CLOSE }, { "rbrace", "}", M_CLOSE }, { "rangle", "⟩", M_CLOSE },
	{ "rfloor", "⌋", M_CLOSE }, { "rceil", "⌉", M_CLOSE }, { "|", "‖", M_ORD }, { "Vert", "‖", M_ORD },
	{ "vert", "|", M_ORD }, { "lvert", "|", M_OPEN }, { "rvert", "|", M_CLOSE }, { "lVert", "‖", M_OPEN },
	{ "rVert", "‖", M_CLOSE }, { "colon", ":", M_PUNCT }, { "backslash", "∖", M_ORD }, { "lbrack", "[", M_OPEN },
	{ "rbrack", "]", M_CLOSE },
};

/* Large in display, with limits above and below there. */
static const struct symbol large[] = {
	{ "sum", "∑", M_OP }, { "prod", "∏", M_OP }, { "coprod", "∐", M_OP }, { "bigcup", "⋃", M_OP },
	{ "bigcap", "⋂", M_OP }, { "bigvee", "⋁", M_OP }, { "bigwedge", "⋀", M_OP }, { "bigoplus", "⨁", M_OP },
	{ "bigotimes", "⨂", M_OP }, { "int", "∫", M_ORD }, { "iint", "∬", M_ORD }, { "iiint", "∭", M_ORD }, { "oint", "∮", M_ORD },
};

/* Words that stand upright; `limits` take what is below them in display. */
static const char *const functions[] = { "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh",
	"cosh", "tanh", "log", "ln", "lg", "exp", "det", "dim", "ker", "deg", "arg", "hom", "gcd", "Pr", NULL };
static const char *const limits[] = { "lim", "limsup", "liminf", "max", "min", "sup", "inf", "argmax", "argmin", NULL };

static const struct symbol *
find_symbol(const struct symbol *list, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	return NULL;
}

static bool
named(const char *const *list, const char *name)
{
	for (; *list != NULL; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

/* ---- small things ---- */

/* Blanks mean nothing in math mode. */
static void
skip_blanks(struct reader *r)
{
	while (*r->s == ' ' || *r->s == '\n' || *r->s == '\t' || *r->s == '\r')
		r->s++;
}

/* The name behind a backslash: letters, or one other character. */
static void
read_name(struct reader *r, char out[NAME_MAX_LEN])
{
	size_t n = 0;

	while (n < NAME_MAX_LEN - 1 && ((r->s[n] >= 'a' && r->s[n] <= 'z') || (r->s[n] >= 'A' && r->s[n] <= 'Z')))
		n++;
	if (n == 0 && *r->s != '\0')
		n = 1;
	memcpy(out, r->s, n);
	out[n] = '\0';
	r->s += n;
}

/* The bytes between braces, for names and texts. */
static char *
read_braced(struct reader *r)
{
	const char *from;
	int deep = 1;

	skip_blanks(r);
	if (*r->s != '{') {
		r->failed = true;
		return arena_strdup(r->paper->scratch, "");
	}
	for (from = ++r->s; *r->s != '\0'; r->s++) {
		deep += *r->s == '{' ? 1 : *r->s == '}' ? -1 : 0;
		if (deep == 0)
			return arena_strndup(r->paper->scratch, from, (size_t)(r->s++ - from));
	}
	r->failed = true;
	return arena_strdup(r->paper->scratch, "");
}

static struct mbox *
symbol_box(struct reader *r, const struct symbol *s)
{
	/* U+0370 to U+03FF begin with these bytes in UTF-8. */
	bool greek = (unsigned char)s->text[0] == 0xCE || (unsigned char)s->text[0] == 0xCF;
	/* Small Greek letters are variables, capital ones stand upright. */
	struct mbox *b = mbox_text(r->paper, s->text, r->size,
	    greek && s->name[0] >= 'a' && s->name[0] <= 'z' ? FACE_ITALIC : FACE_ROMAN);

	b->class = s->class;
	return b;
}

/* Integrals keep their limits beside them also in display, hence M_ORD in the table. */
static struct mbox *
large_box(struct reader *r, const struct symbol *s)
{
	struct mbox *b = mbox_text(r->paper, s->text, r->size * (r->display ? 1.55 : 1.1), FACE_ROMAN);
	struct mbox *row = mbox_row(r->paper);

	mbox_append(r->paper, row, b);
	/* Its middle stands on the axis. */
	b->y = (b->up - b->down) / 2 - 0.26 * r->size;
	row->up = b->up - b->y;
	row->down = b->down + b->y;
	row->class = M_OP;
	row->limits = s->class == M_OP && r->display;
	return row;
}

static struct mbox *
word_box(struct reader *r, const char *word, bool with_limits)
{
	struct mbox *b = mbox_text(r->paper, word, r->size, FACE_ROMAN);

	b->class = M_OP;
	b->limits = with_limits && r->display;
	return b;
}

/* ---- arguments in another size or face ---- */

static struct mbox *
smaller(struct reader *r, struct mbox *(*read)(struct reader *), double by)
{
	double size = r->size;
	bool display = r->display;
	struct mbox *b;

	/* Scripts of scripts stay legible: not below 5 pt. */
	r->size = size * by < 5 ? 5 : size * by;
	r->display = false;
	b = read(r);
	r->size = size;
	r->display = display;
	return b;
}

/* The face holds for one argument alone, also where faces nest. */
static struct mbox *
in_face(struct reader *r, enum math_face face)
{
	enum math_face was = r->face;
	bool faced = r->faced;
	struct mbox *b;

	r->face = face;
	r->faced = true;
	b = read_argument(r);
	r->face = was;
	r->faced = faced;
	return b;
}

/*
 * A group in braces, one command with its own arguments, or one character: what TeX takes as an
 * argument.
 */
static struct mbox *
read_argument(struct reader *r)
{
	struct mbox *b;
	char one[NAME_MAX_LEN + 2];
	uint32_t cp;
	size_t n;

	skip_blanks(r);
	if (*r->s == '{') {
		r->s++;
		b = read_row(r, "}");
		/* At the end of the formula the pointer must not pass the NUL. */
		if (*r->s++ != '}') {
			r->s--;
			return failed(r);
		}
		return b;
	}
	if (*r->s == '\\') {
		/* One command with its own arguments. */
		const char *from = r->s;

		r->s++;
		read_name(r, one);
		r->s = from;
		return read_row(r, NULL);
	}
	if ((n = utf8_next(str_of(r->s), &cp)) == 0)
		return failed(r);
	memcpy(one, r->s, n);
	one[n] = '\0';
	r->s += n;
	return mbox_text(r->paper, one, r->size, !r->faced && cp < 128 && ((cp | 32) >= 'a' && (cp | 32) <= 'z') ?
	    FACE_ITALIC : r->faced ? r->face : FACE_ROMAN);
}

/* ---- structures ---- */

/* In display the parts of a fraction have full size, in text a smaller one, as \tfrac has everywhere. */
static struct mbox *
read_fraction(struct reader *r, bool rule, bool small)
{
	double by = small || !r->display ? 0.74 : 1;
	struct mbox *above = by < 1 ? smaller(r, read_argument, by) : read_argument(r);
	struct mbox *below = by < 1 ? smaller(r, read_argument, by) : read_argument(r);

	return mbox_fraction(r->paper, above, below, r->size, rule);
}

static struct mbox *
read_root(struct reader *r)
{
	struct mbox *degree = NULL;
	double size = r->size;

	skip_blanks(r);
	if (*r->s == '[') {
		r->s++;
		/* The index of a root, in its own brackets: no nesting of brackets, as in TeX. */
		r->size *= 0.6;
		degree = read_row(r, "]");
		r->size = size;
		if (*r->s++ != ']')
			return failed(r);
	}
	return mbox_root(r->paper, read_argument(r), degree, r->size);
}

/* What follows \left, \right and \big: one character or a symbol; "" for a dot. */
static const char *
read_delimiter(struct reader *r)
{
	const struct symbol *s;
	char name[NAME_MAX_LEN];
	const char *at;

	skip_blanks(r);
	if (*r->s == '\\') {
		r->s++;
		read_name(r, name);
		s = find_symbol(symbols, sizeof(symbols) / sizeof(symbols[0]), name);
		if (s == NULL)
			r->failed = true;
		return s != NULL ? s->text : "";
	}
	if (*r->s == '.') {
		r->s++;
		return "";
	}
	if (*r->s == '\0' || strchr("()[]|/<>", *r->s) == NULL) {
		r->failed = true;
		return "";
	}
	at = *r->s == '<' ? "⟨" : *r->s == '>' ? "⟩" : arena_strndup(r->paper->scratch, r->s, 1);
	r->s++;
	return at;
}

static struct mbox *
read_left(struct reader *r)
{
	const char *left = read_delimiter(r), *right;
	/* A pair of delimiters within has its own \right, which its read_left() takes. */
	struct mbox *inside = read_row(r, "\\right");

	if (strncmp(r->s, "\\right", 6) != 0)
		return failed(r);
	r->s += 6;
	right = read_delimiter(r);
	return mbox_between(r->paper, left, inside, right, r->size);
}

static struct mbox *
read_accent(struct reader *r, const char *mark)
{
	struct mbox *base = read_argument(r), *above = mbox_text(r->paper, mark, r->size, FACE_ROMAN), *b;
	double gap = 0.02 * r->size;

	/* Of a mark only its own height counts, which its font puts over a small letter. */
	b = mbox_row(r->paper);
	mbox_append(r->paper, b, base);
	above->x = (base->w - above->w) / 2;
	above->y = -(base->up + gap) - above->down;
	/* Not by mbox_append(), which would put the mark to the right and widen the row. */
	base->next = above;
	b->up = base->up + gap + above->up + above->down;
	return b;
}

/* ---- environments ---- */

static const struct environment {
	const char *name, *left, *right, *align;
/* Delimiters around the table, and the alignment of its columns as mbox_table() takes it. */
} environments[] = {
	{ "matrix", "", "", "c" }, { "smallmatrix", "", "", "c" }, { "pmatrix", "(", ")", "c" }, { "bmatrix", "[", "]", "c" },
	{ "Bmatrix", "{", "}", "c" }, { "vmatrix", "|", "|", "c" }, { "Vmatrix", "‖", "‖", "c" }, { "cases", "{", "", "l" },
	{ "aligned", "", "", "rlrlrlrl" }, { "align", "", "", "rlrlrlrl" }, { "align*", "", "", "rlrlrlrl" },
	{ "split", "", "", "rlrlrlrl" }, { "gathered", "", "", "c" }, { "gather", "", "", "c" }, { "gather*", "", "", "c" },
	{ "equation", "", "", "c" }, { "equation*", "", "", "c" }, { "array", "", "", "c" },
};

struct cells {
	struct mbox **rows[CELLS_MAX];
	size_t        n, columns;
};

/* One row of cells; false at the end of the environment. */
static bool
read_cells(struct reader *r, struct cells *c)
{
	struct mbox **row = arena_array(r->paper->scratch, CELLS_MAX, sizeof(struct mbox *));
	size_t k = 0;

	for (;;) {
		if (k == CELLS_MAX || r->failed) {
			r->failed = true;
			return false;
		}
		row[k++] = read_row(r, "&\\\\\\end");
		if (*r->s != '&')
			break;
		r->s++;
	}
	c->columns = k > c->columns ? k : c->columns;
	/* An empty last row is what a line break before \end leaves. */
	if (!(k == 1 && row[0]->parts == NULL && strncmp(r->s, "\\end", 4) == 0))
		c->rows[c->n++] = row;
	if (strncmp(r->s, "\\\\", 2) != 0 || c->n == CELLS_MAX)
		return false;
	r->s += 2;
	return true;
}

static struct mbox *
read_environment(struct reader *r)
{
	char *name = read_braced(r), *columns;
	const struct environment *e = NULL;
	/* Zeroed; 3 kB for each level of nesting, which the arena takes and not the stack. */
	struct cells *c = arena_alloc(r->paper->scratch, sizeof(*c));
	const char *align;
	struct mbox *b;
	size_t i;

	for (i = 0; i < sizeof(environments) / sizeof(environments[0]); i++)
		if (strcmp(environments[i].name, name) == 0)
			e = &environments[i];
	if (e == NULL)
		return failed(r);
	align = e->align;
	if (strcmp(name, "array") == 0) {
		columns = read_braced(r);
		if (columns[strspn(columns, "lcr")] != '\0' || *columns == '\0')
			return failed(r);
		align = columns;
	}
	while (read_cells(r, c))
		;
	if (r->failed || strncmp(r->s, "\\end", 4) != 0)
		return failed(r);
	r->s += 4;
	/* \end must name what \begin did. */
	if (strcmp(read_braced(r), name) != 0)
		return failed(r);
	b = mbox_table(r->paper, c->rows, c->n, c->columns, align, r->size);
	return mbox_between(r->paper, e->left, b, e->right, r->size);
}

/* ---- commands ---- */

static const struct { const char *name; double em; } spaces[] = {
	{ ",", 0.167 }, { ":", 0.222 }, { ";", 0.278 }, { "!", -0.167 }, { " ", 0.25 }, { "quad", 1 }, { "qquad", 2 },
	{ "thinspace", 0.167 }, { "enspace", 0.5 },
};
static const struct { const char *name, *mark; } accents[] = {
	{ "hat", "^" }, { "widehat", "^" }, { "tilde", "~" }, { "widetilde", "~" }, { "vec", "→" }, { "dot", "˙" },
	{ "ddot", "¨" }, { "bar", "¯" }, { "check", "ˇ" }, { "overrightarrow", "→" },
};
static const struct { const char *name; enum math_face face; } faces[] = {
	{ "mathrm", FACE_ROMAN }, { "mathbf", FACE_BOLD }, { "boldsymbol", FACE_BOLD }, { "bm", FACE_BOLD },
	{ "mathit", FACE_ITALIC }, { "mathsf", FACE_SANS }, { "mathtt", FACE_MONO }, { "mathcal", FACE_ITALIC },
};
static const struct { const char *name; enum math_face face; } texts[] = {
	{ "text", FACE_ROMAN }, { "textrm", FACE_ROMAN }, { "mbox", FACE_ROMAN }, { "textbf", FACE_BOLD },
	{ "textit", FACE_ITALIC }, { "texttt", FACE_MONO }, { "operatorname", FACE_ROMAN },
};

/* Letters of double stroke: some of them are older than the block that has the rest. */
static struct mbox *
read_double(struct reader *r)
{
	static const char *const old[26] = { ['C' - 'A'] = "ℂ", ['H' - 'A'] = "ℍ", ['N' - 'A'] = "ℕ", ['P' - 'A'] = "ℙ",
		['Q' - 'A'] = "ℚ", ['R' - 'A'] = "ℝ", ['Z' - 'A'] = "ℤ" };
	const char *s = read_braced(r);
	struct buf b;

	buf_init(&b, r->paper->scratch, 1000);
	for (; *s != '\0'; s++) {
		if (*s < 'A' || *s > 'Z' || b.n > 100)
			return failed(r);
		if (old[*s - 'A'] != NULL)
			buf_str(&b, old[*s - 'A']);
		else
			/*
			 * U+1D538: MATHEMATICAL DOUBLE-STRUCK CAPITAL A. The letters of the list
			 * above have no character in that block.
			 */
			buf_utf8(&b, 0x1D538 + (uint32_t)(*s - 'A'));
	}
	return b.n > 0 ? mbox_text(r->paper, b.p, r->size, FACE_ROMAN) : failed(r);
}

/* The tables are searched one after the other: no name is in two of them, so their order does not count. */
static struct mbox *
read_table_commands(struct reader *r, const char *name)
{
	const struct symbol *s;
	struct mbox *b;
	size_t i;

	for (i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (strcmp(spaces[i].name, name) == 0)
			return mbox_space(r->paper, spaces[i].em * r->size);
	for (i = 0; i < sizeof(accents) / sizeof(accents[0]); i++)
		if (strcmp(accents[i].name, name) == 0)
			return read_accent(r, accents[i].mark);
	for (i = 0; i < sizeof(faces) / sizeof(faces[0]); i++)
		if (strcmp(faces[i].name, name) == 0)
			return in_face(r, faces[i].face);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(texts[i].name, name) == 0) {
			b = mbox_text(r->paper, read_braced(r), r->size, texts[i].face);
			/* An operator has room beside it, text has not. */
			b->class = strcmp(name, "operatorname") == 0 ? M_OP : M_ORD;
			return b;
		}
	if ((s = find_symbol(symbols, sizeof(symbols) / sizeof(symbols[0]), name)) != NULL)
		return symbol_box(r, s);
	if ((s = find_symbol(large, sizeof(large) / sizeof(large[0]), name)) != NULL)
		return large_box(r, s);
	if (named(functions, name) || named(limits, name))
		return word_box(r, name, named(limits, name));
	return failed(r);
}

/* \big, \Big, \bigg, \Bigg and their kin. */
static struct mbox *
read_big(struct reader *r, const char *name)
{
	double by = strncmp(name, "bigg", 4) == 0 ? 2.4 : strncmp(name, "Bigg", 4) == 0 ? 3 : *name == 'B' ? 1.8 : 1.2;

	return mbox_delimiter(r->paper, read_delimiter(r), r->size, by * r->size);
}

static struct mbox *
read_command(struct reader *r)
{
	char name[NAME_MAX_LEN];
	struct mbox *first;

	read_name(r, name);
	if (strcmp(name, "frac") == 0)
		return read_fraction(r, true, false);
	if (strcmp(name, "dfrac") == 0 || strcmp(name, "tfrac") == 0 || strcmp(name, "cfrac") == 0)
		return read_fraction(r, true, name[0] == 't');
	if (strcmp(name, "binom") == 0)
		return mbox_between(r->paper, "(", read_fraction(r, false, false), ")", r->size);
	if (strcmp(name, "sqrt") == 0)
		return read_root(r);
	if (strcmp(name, "left") == 0)
		return read_left(r);
	if (strcmp(name, "begin") == 0)
		return read_environment(r);
	if (strcmp(name, "mathbb") == 0)
		return read_double(r);
	if (strcmp(name, "overline") == 0 || strcmp(name, "underline") == 0)
		return mbox_line(r->paper, read_argument(r), r->size, name[0] == 'o');
	if (strcmp(name, "overset") == 0 || strcmp(name, "stackrel") == 0) {
		first = smaller(r, read_argument, 0.7);
		return mbox_stack(r->paper, read_argument(r), first, NULL, r->size);
	}
	if (strcmp(name, "underset") == 0) {
		first = smaller(r, read_argument, 0.7);
		return mbox_stack(r->paper, read_argument(r), NULL, first, r->size);
	}
	if (strcmp(name, "displaystyle") == 0 || strcmp(name, "textstyle") == 0) {
		r->display = name[0] == 'd';
		return mbox_row(r->paper);
	}
	/* \bigcup and its kin begin with the same letters and are symbols. */
	if (strncmp(name, "big", 3) == 0 || strncmp(name, "Big", 3) == 0)
		if (find_symbol(large, sizeof(large) / sizeof(large[0]), name) == NULL)
			return read_big(r, name);
	return read_table_commands(r, name);
}

/* ---- rows ---- */

/* Classes of characters that stand for themselves (The TeXbook, chapter 17). */
static enum math_class
class_of(uint32_t cp)
{
	if (cp == '+' || cp == '-' || cp == '*')
		return M_BIN;
	if (cp == '=' || cp == '<' || cp == '>' || cp == ':')
		return M_REL;
	if (cp == '(' || cp == '[')
		return M_OPEN;
	if (cp == ')' || cp == ']' || cp == '!')
		return M_CLOSE;
	return cp == ',' || cp == ';' ? M_PUNCT : M_ORD;
}

/* A hyphen is a minus sign, an asterisk the operator, a tilde a space that does not break. */
static struct mbox *
read_character(struct reader *r)
{
	char one[8];
	uint32_t cp;
	size_t n = utf8_next(str_of(r->s), &cp);
	struct mbox *b;
	bool letter;

	if (n == 0)
		return failed(r);
	memcpy(one, r->s, n);
	one[n] = '\0';
	r->s += n;
	letter = (cp | 32) >= 'a' && (cp | 32) <= 'z' && cp < 128;
	b = mbox_text(r->paper, cp == '-' ? "−" : cp == '*' ? "∗" : cp == '~' ? " " : one, r->size,
	    r->faced ? r->face : letter ? FACE_ITALIC : FACE_ROMAN);
	b->class = class_of(cp);
	return b;
}

static struct mbox *
read_atom(struct reader *r)
{
	/* Bounds the memory of a formula; primes are not counted, but its length bounds them. */
	if (++r->boxes > BOXES_MAX)
		return failed(r);
	if (*r->s == '\\') {
		r->s++;
		return read_command(r);
	}
	if (*r->s == '{')
		return read_argument(r);
	/* Out of place here: what may end the row was looked for before (at_end()). */
	if (*r->s == '}' || *r->s == '&' || *r->s == '#' || *r->s == '$')
		return failed(r);
	return read_character(r);
}

/* ^, _ and primes behind an atom. */
static struct mbox *
read_scripts(struct reader *r, struct mbox *base)
{
	struct mbox *above = NULL, *below = NULL;

	for (;;) {
		skip_blanks(r);
		if (*r->s == '\'') {
			if (above == NULL)
				above = mbox_row(r->paper);
			mbox_append(r->paper, above, mbox_text(r->paper, "′", r->size * 0.7, FACE_ROMAN));
			r->s++;
		} else if (strncmp(r->s, "\\limits", 7) == 0 || strncmp(r->s, "\\nolimits", 9) == 0) {
			/* \limits and \nolimits override what the operator has by itself. */
			base->limits = r->s[1] == 'l';
			r->s += base->limits ? 7 : 9;
		} else if (*r->s == '^' || *r->s == '_') {
			struct mbox **at = *r->s++ == '^' ? &above : &below, *part = smaller(r, read_argument, 0.7);

			/*
			 * Two subscripts are a mistake in TeX; two superscripts are, too, but
			 * primes come first in x'^2.
			 */
			if (*at != NULL && at == &below)
				return failed(r);
			if (*at == NULL)
				*at = mbox_row(r->paper);
			mbox_append(r->paper, *at, part);
		} else
			break;
		if (r->failed)
			return base;
	}
	if (above == NULL && below == NULL)
		return base;
	return base->limits ? mbox_stack(r->paper, base, above, below, r->size) :
	    mbox_scripts(r->paper, base, above, below, r->size);
}

/* Room between two atoms, in em: the table of The TeXbook, chapter 18, in short. */
static double
room_between(enum math_class left, enum math_class right, bool small)
{
	if (left == M_REL || right == M_REL)
		return small || left == right || left == M_OPEN || right == M_CLOSE ? 0 : 0.278;
	if (left == M_BIN || right == M_BIN)
		return small ? 0 : 0.222;
	if (left == M_PUNCT)
		return small ? 0 : 0.167;
	if ((left == M_OP && right != M_OPEN) || (right == M_OP && left != M_OPEN))
		return 0.167;
	return 0;
}

/* A sign with nothing to its left to bind is none of a sum. */
static void
settle_class(struct mbox *atom, const struct mbox *before)
{
	if (atom->class == M_BIN && (before == NULL || before->class == M_BIN || before->class == M_REL ||
	    before->class == M_OPEN || before->class == M_PUNCT || before->class == M_OP))
		atom->class = M_ORD;
}

static bool
at_end(const struct reader *r, const char *until)
{
	if (*r->s == '\0')
		return true;
	if (until == NULL || *until == '\0')
		return false;
	/* \rightarrow begins with \right. */
	if (strcmp(until, "\\right") == 0)
		return strncmp(r->s, "\\right", 6) == 0 && !((r->s[6] | 32) >= 'a' && (r->s[6] | 32) <= 'z');
	if (*until == '&')
		return *r->s == '&' || strncmp(r->s, "\\\\", 2) == 0 || strncmp(r->s, "\\end", 4) == 0;
	return *r->s == *until;
}

/* Atoms up to what ends them, which is not taken; until NULL: one atom without scripts. */
static struct mbox *
read_row(struct reader *r, const char *until)
{
	struct mbox *row = mbox_row(r->paper), *atom, *before = NULL;
	bool display = r->display;

	if (++r->depth > DEPTH_MAX)
		failed(r);
	for (skip_blanks(r); !r->failed && !at_end(r, until); skip_blanks(r)) {
		atom = read_atom(r);
		if (until == NULL) {
			row = atom;
			break;
		}
		atom = read_scripts(r, atom);
		settle_class(atom, before);
		if (before != NULL && atom->w != 0)
			mbox_append(r->paper, row, mbox_space(r->paper,
			    room_between(before->class, atom->class, r->size < 7.5) * r->size));
		mbox_append(r->paper, row, atom);
		before = atom;
	}
	r->depth--;
	r->display = display;
	return row;
}

struct mbox *
math_parse(struct paper *p, const char *formula, double size, bool display)
{
	struct reader r = { .paper = p, .s = formula, .size = size, .display = display };
	struct mbox *b;

	/* No formula that somebody reads is so long; it keeps rows, which grow in quadratic time, short. */
	if (strlen(formula) > 20000)
		return NULL;
	/* "" ends at the end of the formula alone. Nothing to see is no formula: the source says more. */
	b = read_row(&r, "");
	return r.failed || *r.s != '\0' || b->w <= 0 ? NULL : b;
}
