/*
 * Splits a message into sentences: at terminal signs of several scripts, list marks and blank
 * lines. Greetings are removed.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "analyst.h"
#include "base/utf8.h"

/*
 * JOIN_FROM: bytes from which a line may have been wrapped. GREETING_WORDS: of a name after a
 * greeting. GREETING_BYTES: of a text that are searched for a greeting.
 */
enum { JOIN_FROM = 40, GREETING_WORDS = 4, GREETING_BYTES = 80 };

/*
 * All lists are folded. They are used for texts of any language: a confusion of words of two
 * languages has little effect.
 */
static const char *const greetings[] = {
	"hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "good day", "greetings",
	"hallo", "guten tag", "guten morgen", "guten abend", "sehr geehrte", "sehr geehrter", "liebes", "moin",
	"servus", "gruss gott", "bonjour", "bonsoir", "salut", "madame", "hola", "buenos dias", "buenas tardes",
	"buenas", "estimado", "estimada", "estimados", "ola", "bom dia", "boa tarde", "ciao", "buongiorno",
	"buonasera", "gentile", "salve", "hoi", "goedemorgen", "goedemiddag", "goedendag", "beste", "hej", "hei",
	"god dag", "здравствуите", "добрыи день", "привет", "merhaba",
};

/* Words that introduce another subject and may begin another issue. */
static const char *const turns[] = {
	"also", "another question", "another problem", "another issue", "another thing", "second", "secondly", "besides",
	"by the way", "btw", "on another note", "additionally", "furthermore", "one more", "and a second", "next question",
	"separately", "in addition", "and another", "unrelated", "third", "thirdly", "finally", "lastly", "apart from that",
	"ausserdem", "ubrigens", "zweitens", "noch eine frage", "noch etwas", "des weiteren", "weiterhin", "drittens",
	"eine weitere frage", "zudem", "und noch", "aussi,", "par ailleurs", "autre question", "de plus", "deuxiemement",
	"une autre question", "ensuite", "sinon,", "ademas", "tambien", "otra pregunta", "por otro lado", "en segundo lugar",
	"por cierto", "otra cosa", "alem disso", "outra pergunta", "inoltre", "un'altra", "daarnaast", "verder", "nog een vraag",
	"dessutom", "en annan", "derudover", "кроме того", "еще",
};

/* First words of questions, also of those without a question mark. */
static const char *const asking[] = {
	"how", "what", "where", "when", "why", "who", "which", "can", "could", "is", "are", "do", "does", "did", "will",
	"would", "should", "may", "has", "have", "whats", "hows", "wheres", "wie", "wo", "was", "warum", "wann", "wer",
	"welche", "welcher", "welches", "welchen", "kann", "konnen", "konnt", "gibt", "ist", "wieso", "weshalb", "darf",
	"comment", "ou", "pourquoi", "quand", "est-ce", "est ce", "quel", "quelle", "quels", "quelles", "puis-je", "peut-on",
	"pouvez-vous", "como", "donde", "por que", "cuando", "cual", "puedo", "se puede", "hay", "onde", "quando", "posso",
	"come", "dove", "perche", "quale", "hoe", "waar", "waarom", "wanneer", "welke", "kan", "is er", "hur", "var", "varfor",
	"kan jag", "hvordan", "hvor", "hvorfor", "miten", "missa", "miksi", "как", "где", "почему", "когда", "можно", "nasil",
};

/* Phrases that make a sentence a question wherever they occur. */
static const char *const asking_inside[] = {
	"how to", "how do", "how can", "is there a", "is there any", "wondering", "tell me how", "know how", "know if",
	"know whether", "any way", "wie ich", "wie man", "comment faire", "what to do", "where i can", "how i can",
};

static const char *const wanting[] = {
	"please", "need", "want", "would like", "id like", "i'd like", "request", "looking for", "wish", "bitte", "mochte", "mochten",
	"brauche", "brauchen", "benotige", "hatte gern", "hatten gern", "voudrais", "voudrions", "souhaite", "souhaitons", "besoin",
	"aimerais", "aimerions", "merci de", "necesito", "necesitamos", "quiero", "queremos", "quisiera", "me gustaria", "por favor",
	"preciso", "gostaria", "quero", "vorrei", "vorremmo", "ho bisogno", "wil graag", "graag", "nodig", "skulle vilja", "behover",
	"нужно", "хочу", "can you", "could you",
};

/*
 * Words of problems. Some negations are ordinary words of another language; a statement with such a
 * word counts as a problem.
 */
static const char *const failing[] = {
	"not", "cant", "can't", "cannot", "dont", "don't", "doesnt", "doesn't", "didnt", "didn't", "wont", "won't", "isnt", "isn't",
	"arent", "aren't", "never", "no longer", "unable", "fail", "fails", "failed", "failing", "error", "errors", "broken",
	"breaks", "stuck", "wrong", "missing", "lost", "expired", "denied", "crash", "crashes", "slow", "slowly", "sluggish",
	"blank", "empty", "invalid", "problem", "problems", "issue", "bug", "nothing", "outdated", "timeout", "times out", "timed out",
	"twice", "unexpected", "refused", "rejected", "blurry", "lags", "vanished", "disappeared", "stopped", "401", "403", "404",
	"429", "500", "502", "503", "forever", "gets lost", "get lost", "trouble", "locked", "damaged", "defective", "late", "jumps",
	"nicht", "kein", "keine", "keinen", "fehler", "kaputt", "bricht", "funktioniert nicht", "falsch", "fehlt", "fehlen",
	"langsam", "leer", "abgelaufen", "doppelt", "nie", "ne", "pas", "erreur", "plus", "jamais", "impossible", "lent", "lente",
	"vide", "perdu", "deux fois", "no", "error", "fallo", "falla", "problema", "lento", "nunca", "vacio", "dos veces", "nao",
	"falha", "erro", "non", "errore", "niet", "geen", "fout", "kapot", "traag", "inte", "fel", "ikke", "feil", "ei", "virhe",
	"не", "ошибка", "нет", "hata", "calismiyor",
};

/* First words of short sentences that are courtesy. */
static const char *const thanking[] = {
	"thanks", "thank you", "thx", "great", "ok", "okay", "perfect", "awesome", "cool", "danke", "vielen dank", "super", "merci",
	"gracias", "muchas gracias", "obrigado", "grazie", "bedankt", "tack", "hope", "looking forward", "have a nice", "have a good",
	"i hope", "sorry for", "yes", "no,", "appreciate", "no thanks", "no thank you", "nothing else", "thats all",
	"that's all", "that is all", "that will be all", "nope", "sure", "good", "nice", "bye", "goodbye", "ich freue mich", "спасибо",
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* All bytes of other scripts count as letters: a word of a list must not end inside a character. */
static bool
is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Length of the longest entry of a list that the text begins with, as whole words; 0: none. */
static size_t
begins_with(struct str f, const char *const *list, size_t count)
{
	size_t best = 0, n;

	while (count-- > 0) {
		n = strlen(list[count]);
		if (n > best && str_starts(f, list[count]) && (n == f.n || !is_letter(f.p[n])))
			best = n;
	}
	return best;
}

/* True if an entry of the list occurs in the text, as whole words. */
static bool
contains_any(struct str f, const char *const *list, size_t count)
{
	const char *at, *p;
	size_t n;

	while (count-- > 0) {
		n = strlen(list[count]);
		for (p = f.p; (at = memmem(p, f.n - (size_t)(p - f.p), list[count], n)) != NULL; p = at + 1)
			if ((at == f.p || !is_letter(at[-1])) && (at + n == f.p + f.n || !is_letter(at[n])))
				return true;
	}
	return false;
}

/* Length of a terminal sign at the start of s, in bytes, also of other scripts; 0: none. */
static size_t
terminal_length(struct str s)
{
	static const char *const wide[] = { "…", "。", "？", "！", "؟", "।" };
	size_t i;

	if (s.n > 0 && (s.p[0] == '.' || s.p[0] == '?' || s.p[0] == '!'))
		return 1;
	for (i = 0; i < COUNT(wide); i++)
		if (str_starts(s, wide[i]))
			return strlen(wide[i]);
	return 0;
}

/* True if the dot belongs to a day before a month: "4. June", "am 31. März". */
static bool
is_day_of_month(struct str s, size_t at)
{
	static const char *const months[] = { "jan", "feb", "m\xC3\xA4r", "mar", "apr", "mai", "may", "maj", "jun", "jul", "aug", "sep",
		"okt", "oct", "nov", "dez", "dec", "des" };
	size_t from = at, i;

	while (from > 0 && at - from < 3 && isdigit((unsigned char)s.p[from - 1]))
		from--;
	/* One or two digits that end no word, and a blank after the dot. */
	if (at - from < 1 || at - from > 2 || (from > 0 && is_letter(s.p[from - 1])) || at + 1 >= s.n || s.p[at + 1] != ' ')
		return false;
	for (i = 0; i < COUNT(months); i++)
		if (s.n - at - 2 >= strlen(months[i]) && strncasecmp(s.p + at + 2, months[i], strlen(months[i])) == 0)
			return true;
	return false;
}

/*
 * True if the terminal signs from `at` to `after` end a sentence; abbreviations and numbers do not.
 */
static bool
ends_sentence(struct str s, size_t at, size_t after)
{
	bool dot = after - at == 1 && s.p[at] == '.';

	/* Terminal signs of other scripts need no blank after them. */
	if ((unsigned char)s.p[at] >= 0x80 || after >= s.n)
		return true;
	/* White space follows; or, except after a single dot, a closing quote or parenthesis. */
	if (s.p[after] != ' ' && s.p[after] != '\n' && (dot || (s.p[after] != '"' && s.p[after] != ')')))
		return false;
	if (!dot)
		return true;
	if (is_day_of_month(s, at))
		return false;
	/* "e.g. this", "Dr. Brandt" */
	if (s.p[after] == ' ' && after + 1 < s.n && islower((unsigned char)s.p[after + 1]) && at >= 2 && s.p[at - 2] == '.')
		return false;
	/* Nor after a word of two letters that begins with a capital: "Dr.", "Mr.", "Nr." */
	return !(at >= 2 && (at < 3 || !is_letter(s.p[at - 3])) && is_letter(s.p[at - 1]) && is_letter(s.p[at - 2]) &&
	    isupper((unsigned char)s.p[at - 2]));
}

/*
 * True if the line that ends at `at` (its newline) continues on the next one: mail programs wrap
 * lines at about 72 columns. The line is long, and the next one begins with a small letter or with a
 * letter that is not ASCII.
 */
static bool
is_wrapped_line(struct str s, size_t from, size_t at)
{
	return at + 1 < s.n && s.p[at + 1] != '\n' && at - from >= JOIN_FROM &&
	    (islower((unsigned char)s.p[at + 1]) || (unsigned char)s.p[at + 1] >= 0xC3);
}

/* Skips white space, also line ends. */
static size_t
skip_blanks(struct str s, size_t i)
{
	while (i < s.n && isspace((unsigned char)s.p[i]))
		i++;
	return i;
}

/*
 * Offset after a list mark ("2. ", "b) ", "- ") at the start of a line. *number: true for a number
 * other than 1.
 */
static size_t
skip_list_mark(struct str s, size_t i, bool *number)
{
	size_t k = i;

	*number = false;
	if (i + 1 < s.n && (s.p[i] == '-' || s.p[i] == '*' || s.p[i] == '+') && s.p[i + 1] == ' ')
		return i + 2;
	while (k < s.n && isdigit((unsigned char)s.p[k]) && k - i < 2)
		k++;
	if (k > i && k + 1 < s.n && (s.p[k] == '.' || s.p[k] == ')') && s.p[k + 1] == ' ') {
		*number = !(s.p[i] == '1' && k == i + 1);
		return k + 2;
	}
	return i;
}

/* The order matters: "Thanks, but why?" is a question, and so is "how do I fix an error". */
static enum sentence_kind
classify_sentence(struct str f, bool marked)
{
	if (begins_with(f, thanking, COUNT(thanking)) > 0 && !marked && f.n < 60)
		return COURTESY;
	if (marked || begins_with(f, asking, COUNT(asking)) > 0 || contains_any(f, asking_inside, COUNT(asking_inside)))
		return ASKS;
	if (contains_any(f, failing, COUNT(failing)))
		return PROBLEM;
	return contains_any(f, wanting, COUNT(wanting)) ? WANTS : SAYS;
}

struct str
one_line(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, s.n + 1);
	for (i = 0; i < s.n; i++)
		if (!isspace((unsigned char)s.p[i]))
			buf_char(&b, s.p[i]);
		else if (b.n > 0 && b.p[b.n - 1] != ' ')
			buf_char(&b, ' ');
	while (b.n > 0 && b.p[b.n - 1] == ' ')
		buf_cut(&b, 1);
	return buf_view(&b);
}

/*
 * Number of bytes of s that fold to the first n bytes of its folded form: letters with marks are
 * longer than their folded form.
 */
static size_t
unfolded_length(struct arena *a, struct str s, size_t n)
{
	size_t i = 0;

	while (i < s.n && strlen(utf8_fold(a, str_slice(s, 0, i))) < n)
		do
			i++;
		while (i < s.n && ((unsigned char)s.p[i] & 0xC0) == 0x80);
	return i;
}

/* Offset of the text after a greeting ("Hi Ann,", "Guten Tag"); 0: there is none. */
static size_t
skip_greeting(struct arena *a, struct str s)
{
	struct str head = str_slice(s, 0, s.n < GREETING_BYTES ? s.n : GREETING_BYTES);
	size_t n = begins_with(str_of(utf8_fold(a, head)), greetings, COUNT(greetings)), i, words = 0;

	if (n == 0)
		return 0;
	n = unfolded_length(a, head, n);
	for (i = n; i < s.n && words <= GREETING_WORDS; i++) {
		if (strchr(",!.:;\n", s.p[i]) != NULL)
			return i + 1;
		/* Dashes, quotes and dots of U+2000 to U+2FFF have three bytes. */
		if ((unsigned char)s.p[i] == 0xE2)
			return i + 3 < s.n ? i + 3 : s.n;
		if (s.p[i] == '?')
			break;
		words += s.p[i] == ' ';
	}
	/*
	 * No sign ends the greeting: a short text is all greeting; of a longer one only the words
	 * of the list are removed.
	 */
	return i >= s.n && words <= GREETING_WORDS - 1 ? s.n : n;
}

/* List mark before a sentence. */
enum mark { NO_MARK, NUMBER, BULLET };

/*
 * mark: NO_MARK for the first item of a list. Returns false if the text is too short to be a
 * sentence.
 */
static bool
add_sentence(const struct analyst *w, struct str s, enum mark mark, bool paragraph, struct sentence *out)
{
	struct arena *a = w->scratch;
	struct str f;

	s = one_line(a, s);
	/* List marks and rows of dots leave single signs. */
	if (s.n < 2)
		return false;
	f = str_of(utf8_fold(a, s));
	*out = (struct sentence){ .text = s, .paragraph = paragraph };
	/*
	 * The question mark may be anywhere in the sentence, because closing quotes and smileys may
	 * follow it.
	 */
	out->marked = memchr(s.p, '?', s.n) != NULL || memmem(s.p, s.n, "？", 3) != NULL || memmem(s.p, s.n, "؟", 2) != NULL;
	out->kind = classify_sentence(f, out->marked);
	/*
	 * Items with bullets often describe one thing, so only questions among them may begin an
	 * issue.
	 */
	out->turns = mark == NUMBER || (mark == BULLET && out->marked) || begins_with(f, turns, COUNT(turns)) > 0;
	return true;
}

/* Offset of the end of the sentence that begins at `from`. */
static size_t
sentence_end(struct str s, size_t from)
{
	size_t i, n, line = from, after;

	for (i = from; i < s.n; i++) {
		if (s.p[i] == '\n') {
			if (!is_wrapped_line(s, line, i))
				return i;
			line = i + 1;
		}
		/* Several signs ("?!", "...") end one sentence. */
		for (after = i; (n = terminal_length(str_slice(s, after, s.n))) > 0; after += n)
			;
		if (after > i && ends_sentence(s, i, after))
			return after;
		if (after > i)
			i = after - 1;
	}
	return s.n;
}

size_t
sentences_of(const struct analyst *w, struct str text, struct sentence *out, size_t max)
{
	size_t i = skip_blanks(text, 0), end, n = 0;
	bool number, paragraph = true, listed = false, bullet;

	i += skip_greeting(w->scratch, str_slice(text, i, text.n));
	while (n < max && (end = skip_blanks(text, i)) < text.n) {
		/* True if a blank line was skipped. It stays true until a sentence is added. */
		paragraph |= end >= i + 2 && memmem(text.p + i, end - i, "\n\n", 2) != NULL;
		i = skip_list_mark(text, end, &number);
		bullet = i > end && isdigit((unsigned char)text.p[end]) == 0;
		end = sentence_end(text, i);
		if (add_sentence(w, str_slice(text, i, end), number ? NUMBER : bullet && listed ? BULLET : NO_MARK, paragraph, &out[n])) {
			n++;
			paragraph = false;
			listed |= bullet;
		}
		/* Always advance, so that an empty sentence does not end in an endless loop. */
		i = end > i ? end : i + 1;
	}
	return n;
}
