/*
 * Extracts the text that a person wrote in a message: without quotations of earlier mails,
 * signatures, logs and markup.
 */
#include <ctype.h>
#include <string.h>

#include "analyst.h"
#include "base/utf8.h"
#include "markdown/html_text.h"

/*
 * MARKUP_BYTES: of one message that are read. SIGN_OFF_WORDS: a longer line that begins with
 * "thanks" is no sign-off. LOG_LETTERS: per cent of letters in a line, below which it is a log.
 * LOG_LENGTH: in shorter lines the share is not reliable.
 */
enum { MARKUP_BYTES = 1 << 20, SIGN_OFF_WORDS = 5, LOG_LETTERS = 62, LOG_LENGTH = 16 };

/* Sign-offs: beginnings of short lines, folded. */
static const char *const sign_offs[] = {
	"thanks", "thank you", "many thanks", "thx", "cheers", "regards", "best regards", "kind regards",
	"warm regards", "best wishes", "best,", "sincerely", "yours ", "respectfully", "all the best",
	"mit freundlichen", "viele grusse", "liebe grusse", "beste grusse", "freundliche grusse", "gruss",
	"danke", "vielen dank", "mfg", "lg ", "cordialement", "bien cordialement", "merci", "bonne journee",
	"bien a vous", "salutations", "saludos", "un saludo", "gracias", "muchas gracias", "atentamente",
	"cordialmente", "obrigad", "atenciosamente", "cumprimentos", "grazie", "cordiali saluti",
	"distinti saluti", "saluti", "met vriendelijke", "groeten", "bedankt", "mvh", "vanliga halsningar",
	"med vanlig", "med venlig", "hilsen", "tack", "terveisin", "с уважением", "спасибо", "saygilarimla",
};

/* First lines of a quoted message, and lines that mail programs add. */
static const char *const tails[] = {
	"-----original message", "----- original message", "-----ursprungliche nachricht", "---------- forwarded",
	"-----message d'origine", "sent from my", "get outlook for", "von meinem", "envoye de mon", "enviado desde mi",
	"this email and any attachments", "this message is confidential", "________________",
};

static const char *const log_starts[] = {
	"$ ", "GET /", "POST /", "PUT /", "DELETE /", "HTTP/", "curl ", "fatal:", "error:", "warning:", "npm ERR",
	"Traceback", "File \"", "Caused by:", "0x", "{", "}", "<?xml", "remote:", "ERROR ", "WARN ", "INFO ", "DEBUG ",
};

static bool
begins_with_any(struct str line, const char *const *list, size_t n)
{
	while (n-- > 0)
		if (str_starts(line, list[n]))
			return true;
	return false;
}

static struct str
trim_space(struct str s)
{
	while (s.n > 0 && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	while (s.n > 0 && isspace((unsigned char)s.p[0]))
		s = str_slice(s, 1, s.n);
	return s;
}

/* Number of words, separated by blanks. */
static size_t
count_words(struct str s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		n += s.p[i] != ' ' && (i == 0 || s.p[i - 1] == ' ');
	return n;
}

static bool
ends_with(struct str s, const char *tail)
{
	size_t n = strlen(tail);

	return s.n >= n && memcmp(s.p + s.n - n, tail, n) == 0;
}

/*
 * True for an attribution, the line above a quoted message ("On Monday Ann wrote:"), in several
 * languages.
 */
static bool
is_attribution(struct str f)
{
	static const char *const ends[] = { "wrote:", "schrieb:", "a ecrit :", "a ecrit:", "escribio:", "escreveu:",
		"ha scritto:", "schreef:", "skrev:" };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(f, ends[i]))
			return true;
	return str_starts(f, "am ") && f.n > 10 && f.p[f.n - 1] == ':' && memmem(f.p, f.n, " schrieb ", 9) != NULL;
}

/* True for lines like 2026-03-02 08:11, [12:01:33] and retry-after: 17. */
static bool
has_log_shape(struct str s)
{
	/* read_line() has put a NUL after the line, so reading a few bytes past s.n is safe. */
	const char *p = s.p;
	size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz-");

	if (s.n > 10 && isdigit((unsigned char)p[0]) && isdigit((unsigned char)p[3]) && p[4] == '-' && p[7] == '-' &&
	    memchr(p, ':', s.n) != NULL)
		return true;
	if (s.n > 3 && p[0] == '[' && isdigit((unsigned char)p[1]) && memchr(p, ':', s.n) != NULL)
		return true;
	if (str_starts(s, "at ") && memchr(p, '(', s.n) != NULL && p[s.n - 1] == ')')
		return true;
	/* A header of HTTP has lower case letters and a dash. A person writes "note: ...". */
	return n > 3 && n < s.n && p[n] == ':' && memchr(p, '-', n) != NULL;
}

/*
 * True for a line with a long word of dots or slashes, such as java.lang.NullPointerException, or a
 * host name alone.
 */
static bool
has_long_path(struct str s)
{
	size_t i, dots = 0, len = 0, words = 1;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == ' ') {
			len = dots = 0;
			words++;
			continue;
		}
		len++;
		dots += s.p[i] == '.' || s.p[i] == '/' || s.p[i] == '\\';
		/* Web addresses are excluded, because people write about them. */
		if (len >= 24 && dots >= 3 && memmem(s.p, s.n, "://", 3) == NULL)
			return true;
	}
	return words == 1 && dots >= 2 && memmem(s.p, s.n, "...", 3) == NULL;
}

/*
 * True for lines that programs wrote. line is NUL-terminated; s is the line without Markdown signs.
 */
static bool
is_log(struct str line, struct str s)
{
	size_t i, letters = 0, signs = 0;

	if (begins_with_any(line, log_starts, sizeof(log_starts) / sizeof(log_starts[0])) || has_log_shape(line) || has_long_path(s))
		return true;
	for (i = 0; i < s.n; i++) {
		/*
		 * All bytes of other scripts count as letters, so that sentences in them do not
		 * look like logs.
		 */
		letters += isalpha((unsigned char)s.p[i]) || (unsigned char)s.p[i] >= 0x80;
		signs += s.p[i] > ' ' && s.p[i] < 0x7F && !isalpha((unsigned char)s.p[i]);
	}
	return s.n >= LOG_LENGTH && letters * 100 < (letters + signs) * LOG_LETTERS;
}

/* Offset of the last "]("; 0: there is none, and so no link. */
static size_t
last_link_offset(struct str s)
{
	size_t i = s.n;

	while (i >= 2 && (s.p[i - 2] != ']' || s.p[i - 1] != '('))
		i--;
	return i < 2 ? 0 : i - 2;
}

/* Removes Markdown signs from a line: **bold**, `code`, [text](address), headings. */
static struct str
strip_markdown(struct arena *a, struct str s)
{
	struct buf b;
	size_t i, skip, open = 0, links = last_link_offset(s);

	buf_init(&b, a, s.n + 1);
	for (skip = 0; skip < s.n && s.p[skip] == '#'; skip++)
		;
	for (i = skip; i < s.n; i++) {
		/* Drops backquotes, and doubled signs (** or __): the first by the next character, the second * by the one before. */
		if (s.p[i] == '`' || (i + 1 < s.n && (s.p[i] == '*' || s.p[i] == '_') && s.p[i + 1] == s.p[i]) ||
		    (s.p[i] == '*' && i > 0 && s.p[i - 1] == '*'))
			continue;
		/* The brackets are removed only if a link can follow; a plain "[x]" is kept. */
		if (i < links && s.p[i] == '[') {
			open++;
			continue;
		}
		if (open > 0 && s.p[i] == ']' && i + 1 < s.n && s.p[i + 1] == '(') {
			open--;
			while (i < s.n && s.p[i] != ')')
				i++;
			continue;
		}
		buf_char(&b, s.p[i]);
	}
	return buf_view(&b);
}

struct plain_state {
	struct arena *a;
	struct buf    out;
	bool          html;    /* the message is HTML: no Markdown signs, and quotations are lines with ">" only */
	bool          code;    /* inside a code fence */
	bool          begun;   /* a line was kept */
	bool          said;    /* a line was kept that is longer than a greeting */
};

/* True if the next line that is not empty is quoted. Text after such a quotation answers it. */
static bool
is_quote_next(struct str rest)
{
	size_t i = 0;

	while (i < rest.n && isspace((unsigned char)rest.p[i]))
		i++;
	return i < rest.n && rest.p[i] == '>';
}

/* Reads one line; rest: the lines after it. Returns false if the rest of the message is ignored. */
static bool
read_line(struct plain_state *r, struct str raw, struct str rest)
{
	struct str s = trim_space(raw), f, words;

	/* is_log() uses functions for C strings, so the line gets a NUL. */
	s.p = arena_strndup(r->a, s.p, s.n);
	/*
	 * Either fence opens and closes. Without a closing fence the rest of the message is code.
	 */
	if (str_starts(s, "```") || str_starts(s, "~~~")) {
		r->code = !r->code;
		return true;
	}
	/* In HTML a ">" is text: html_text() marks quotations with lines that contain only ">". */
	if (r->code || (r->html ? str_is(s, ">") : str_starts(s, ">")))
		return true;
	/* A blank line ends a paragraph. */
	if (s.n == 0) {
		buf_char(&r->out, '\n');
		return true;
	}
	f = str_of(utf8_fold(r->a, s));
	/*
	 * An attribution ("On Monday Ann wrote:") is skipped if a quotation follows or nothing was
	 * kept yet, since the answer is below it. Any other attribution begins the quoted message,
	 * and ends the text.
	 */
	if (is_attribution(f) && (!r->begun || is_quote_next(rest)))
		return true;
	if (str_is(s, "--") || str_is(s, "__") || is_attribution(f) || begins_with_any(f, tails, sizeof(tails) / sizeof(tails[0])))
		return false;
	/*
	 * A sign-off ends the text only after a longer line, since a message may begin with
	 * "Thanks!".
	 */
	if (r->said && count_words(s) <= SIGN_OFF_WORDS && memchr(s.p, '?', s.n) == NULL &&
	    begins_with_any(f, sign_offs, sizeof(sign_offs) / sizeof(sign_offs[0])))
		return false;
	words = strip_markdown(r->a, s);
	if (is_log(s, words))
		return true;
	buf_put(&r->out, words);
	buf_char(&r->out, '\n');
	r->begun = true;
	/* A greeting does not count. */
	r->said |= count_words(s) > 3;
	return true;
}

/*
 * Removes control characters, byte order marks, and characters that change the direction of writing
 * (Unicode Cc, U+FEFF, U+202A-E, U+2066-9).
 */
static struct str
make_printable(struct arena *a, struct str s)
{
	struct buf b;
	uint32_t cp;
	size_t n;

	buf_init(&b, a, s.n + 1);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		if ((n = utf8_next(s, &cp)) == 0) {
			n = 1;
			continue;
		}
		if (cp == '\t' || cp == 0xA0)
			buf_char(&b, ' ');
		else if (cp == '\n' || !(cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0x202A && cp <= 0x202E) ||
		    (cp >= 0x2066 && cp <= 0x2069) || cp == 0xFEFF))
			buf_add(&b, s.p, n);
	}
	return buf_view(&b);
}

struct str
plain_text(struct arena *a, struct str body)
{
	struct plain_state r = { .a = a };
	const char *end;
	size_t n;

	/* The message is cut before anything is parsed, so that the cost does not depend on its size. */
	if (body.n > MARKUP_BYTES)
		body.n = MARKUP_BYTES;
	/* This is determined from the original message, because in HTML there are no Markdown signs. */
	r.html = looks_like_html(body);
	body = make_printable(a, r.html ? html_text(a, body) : body);
	/* The text without markup is cut again, which bounds the copies that read_line() makes. */
	if (body.n > ANALYSIS_BYTES)
		/* The cut is between two characters. */
		for (body.n = ANALYSIS_BYTES; body.n > 0 && ((unsigned char)body.p[body.n] & 0xC0) == 0x80;)
			body.n--;
	buf_init(&r.out, a, body.n + 2);
	for (; body.n > 0; body = str_slice(body, n, body.n)) {
		end = memchr(body.p, '\n', body.n);
		n = end == NULL ? body.n : (size_t)(end - body.p) + 1;
		if (!read_line(&r, str_slice(body, 0, n), str_slice(body, n, body.n)))
			break;
	}
	return buf_view(&r.out);
}
