/*
 * Which sentences of a conversation state an issue. Each sentence gets a score for what it
 * tells and for how it asks; one that tells enough begins an issue, what follows belongs to it.
 */
#include <string.h>

#include "analyst.h"
#include "base/utf8.h"

enum {
	SENTENCES   = 200,     /* of a conversation that are read */
	LITTLE      = 30,      /* a sentence that tells less is about nothing in particular */
	ENOUGH      = 60,      /* ... and of this much it is clear without the others what it is about */
	TURN_TELLS  = 34,      /* what a sentence must tell to begin an issue after "also" */
	STATES_TELLS = 100,    /* ... to be an issue though it asks nothing */
	APART_TELLS = 110,     /* ... without a word that says so */
	LATER_TELLS = 90,      /* ... in a later message */
	TURN_SHARED = 60, LATER_SHARED = 25,   /* per cent that it may share with the issue before */
	CONTEXT     = 60, SUBJECT = 80,        /* weights of what stands around */
	RAW_BYTES   = 2 << 20,               /* of messages that are looked at, markup and logs included */
	SCRATCH     = 256 << 20
};

/* An issue on the way. */
struct issue_draft {
	struct term_list     terms;
	const struct sentence *at[SENTENCES];
	size_t               n;
	const struct sentence *title;
	int                  score;      /* of the title */
	bool                 opened;     /* it holds a question or a problem, be it "Any idea?" */
	bool                 marked;     /* its title ends with a question mark */
	int32_t              told;       /* by the title */
};

/* Lies in the scratch arena: with SENTENCES in it, it is too large for a stack. */
struct conversation {
	struct analyst *w;
	enum language   lang;
	struct str      subject;
	struct sentence sentences[SENTENCES];
	size_t          n;
	struct issue_draft   *drafts[ISSUES_MAX];
	size_t          count;
};

struct analyst *
analyst_new(struct arena *a)
{
	struct analyst *w = arena_alloc(a, sizeof(*w));

	w->scratch = arena_within(a, SCRATCH);
	w->stemmer = stemmer_new(a);
	lexicon_read(w, a);
	return w;
}

/*
 * Reads the user's messages alone: what the team answers states no issue. message counts up with
 * the first message after an answer. all gets the text, by which the language is told.
 */
static void
read_parts(struct conversation *v, const struct part *parts, size_t n, struct buf *all)
{
	bool answered = false;
	int message = 0;
	size_t i, k, found, raw = 0;
	struct str text;

	for (i = 0; i < n && v->n < SENTENCES && all->n < ANALYSIS_BYTES && raw < RAW_BYTES; i++) {
		if (parts[i].role != PART_USER) {
			answered = true;
			continue;
		}
		message += answered;
		answered = false;
		raw += parts[i].body.n;
		text = plain_text(v->w->scratch, parts[i].body);
		/* What the messages before have left of the room. */
		if (text.n > ANALYSIS_BYTES - all->n)
			text.n = ANALYSIS_BYTES - all->n;
		buf_put(all, text);
		buf_char(all, '\n');
		found = sentences_of(v->w, text, v->sentences + v->n, SENTENCES - v->n);
		for (k = 0; k < found; k++)
			v->sentences[v->n++].message = message;
	}
}

/* The caller has checked that there is room (begins_issue()). */
static struct issue_draft *
begin_issue(struct conversation *v)
{
	struct issue_draft *d = arena_alloc(v->w->scratch, sizeof(*d));

	v->drafts[v->count++] = d;
	return d;
}

/* Questions make the best titles, then problems; what tells more is better. */
static int
score_sentence(const struct sentence *s, int32_t told)
{
	static const int of_kind[] = { [SAYS] = 0, [COURTESY] = 0, [WANTS] = 120, [PROBLEM] = 170, [ASKS] = 180 };

	if (told < LITTLE)
		return 0;
	return of_kind[s->kind] + (s->marked ? 30 : 0) + (told < ENOUGH ? told / 2 : ENOUGH + (told < 150 ? told : 150) / 4);
}

/*
 * The three ways that analysis.h names, each with what it must tell, so that "Also, thanks!"
 * begins none.
 */
static bool
begins_issue(const struct conversation *v, const struct issue_draft *d, const struct sentence *s, int32_t told,
    const struct term_list *own)
{
	int shared = terms_shared(own, &d->terms);

	if (d->title == NULL || s->kind < WANTS || v->count == ISSUES_MAX)
		return false;
	if (s->turns)
		return told >= TURN_TELLS && shared <= TURN_SHARED;
	if (s->message > 0 && s->message != d->title->message)
		return s->kind >= PROBLEM && told >= LATER_TELLS && shared <= LATER_SHARED;
	return s->marked && d->marked && told >= APART_TELLS && d->told >= APART_TELLS && shared == 0;
}

/* What is only said around a question counts less than the question. */
static void
add_sentence(struct conversation *v, struct issue_draft *d, const struct sentence *s, int32_t told)
{
	int points = score_sentence(s, told);

	terms_add(v->w, v->lang, s->text, s->kind >= WANTS ? 100 : CONTEXT, &d->terms);
	d->at[d->n++] = s;
	/* Of every sentence, not of the title alone: see title_of(). */
	d->opened |= s->kind >= WANTS;
	if (points > d->score) {
		d->title = s;
		d->score = points;
		d->marked = s->marked;
		d->told = told;
	}
}

/* A sentence begins an issue or belongs to the last one begun; it is not compared with earlier ones. */
static void
read_sentence(struct conversation *v, const struct sentence *s)
{
	struct issue_draft *d = v->drafts[v->count - 1];
	/* The sentence by itself: the draft's list would not say what it tells. */
	struct term_list *own = arena_alloc(v->w->scratch, sizeof(*own));
	int32_t told;

	if (s->kind == COURTESY)
		return;
	told = terms_add(v->w, v->lang, s->text, 100, own);
	if (begins_issue(v, d, s, told, own))
		d = begin_issue(v);
	/* What is said after an answer, and asks nothing new, belongs to the answer. */
	else if (d->title != NULL && s->message > d->title->message)
		return;
	add_sentence(v, d, s, told);
}

/* How much a text tells by itself. */
static int32_t
text_weight(struct analyst *w, enum language lang, struct str text)
{
	struct term_list *own = arena_alloc(w->scratch, sizeof(*own));

	return terms_add(w, lang, text, 100, own);
}

/* NULL: no sentence tells more than LITTLE. */
static const struct sentence *
most_told(struct conversation *v, const struct issue_draft *d)
{
	const struct sentence *best = NULL;
	int32_t most = LITTLE - 1, told;
	size_t i;

	for (i = 0; i < d->n; i++)
		if ((told = text_weight(v->w, v->lang, d->at[i]->text)) > most) {
			most = told;
			best = d->at[i];
		}
	return best;
}

/* Does it tell so much that its writer must want something by it? */
static bool
tells_enough(struct conversation *v, const struct sentence *s)
{
	return s != NULL && s->message == 0 && text_weight(v->w, v->lang, s->text) >= STATES_TELLS;
}

/*
 * The title of an issue; NULL: it is none. "Any idea?" is about what was said
 * before. A first message that neither asks nor complains in words that are known
 * (sentences.c) is still about a problem, if it is about anything: "screen scratched".
 */
static const struct sentence *
title_of(struct conversation *v, struct issue_draft *d)
{
	struct sentence *s;

	if (d->title != NULL && d->title->kind >= WANTS)
		return d->title;
	d->title = most_told(v, d);
	if (!d->opened && !tells_enough(v, d->title))
		d->title = NULL;
	/* Only of a single issue: of several nobody knows which one the subject is about. */
	if (d->title == NULL && v->count == 1 && v->subject.n > 0) {
		s = arena_alloc(v->w->scratch, sizeof(*s));
		/* Its terms are in the draft already: add_subject(). */
		if (sentences_of(v->w, v->subject, s, 1) == 1 && (s->kind >= WANTS || d->opened) &&
		    text_weight(v->w, v->lang, s->text) >= LITTLE)
			return s;
	}
	return d->title;
}

/* The subject line tells about the only issue, or about the one that it has words in common with. */
static void
add_subject(struct conversation *v)
{
	struct term_list *own = arena_alloc(v->w->scratch, sizeof(*own));
	struct issue_draft *best = NULL;
	size_t i;
	int most = 0, shared;

	terms_add(v->w, v->lang, v->subject, 100, own);
	for (i = 0; i < v->count; i++)
		if ((shared = terms_shared(own, &v->drafts[i]->terms)) > most || v->count == 1) {
			most = shared;
			best = v->drafts[i];
		}
	if (best != NULL)
		terms_add(v->w, v->lang, v->subject, SUBJECT, &best->terms);
}

/* At most max bytes, cut between words. */
static struct str
cut_between_words(struct arena *a, struct str s, size_t max)
{
	size_t n = s.n;

	if (n > max) {
		for (n = max; n > 0 && s.p[n] != ' '; n--)
			;
		/* A text without blanks (Chinese, or an attack): cut at a whole character instead. */
		if (n < max / 2)
			for (n = max; n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80; n--)
				;
	}
	return (struct str){ arena_strndup(a, s.p, n), n };
}

static struct str
summary_of(struct arena *a, const struct issue_draft *d, const struct sentence *title)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, ANALYSIS_BYTES * 2);
	if (d->n == 0)
		buf_put(&b, title->text);
	for (i = 0; i < d->n && b.n < SUMMARY_BYTES; i++) {
		if (i > 0)
			buf_char(&b, ' ');
		buf_put(&b, d->at[i]->text);
	}
	return cut_between_words(a, buf_view(&b), SUMMARY_BYTES);
}

/* The language is told once, by all of the user's text: single sentences are too short to tell it. */
size_t
analyst_read(struct analyst *w, struct arena *a, struct str subject, const struct part *parts, size_t n,
    struct issue *out)
{
	struct conversation *v;
	const struct sentence *title;
	struct buf all;
	size_t i, count = 0;

	/* Nothing of an earlier conversation is left: strings of the result go to the caller's arena. */
	arena_reset(w->scratch);
	v = arena_alloc(w->scratch, sizeof(*v));
	v->w = w;
	v->subject = plain_text(w->scratch, subject);
	buf_init(&all, w->scratch, ANALYSIS_BYTES * 2 + n + 1024);
	read_parts(v, parts, n, &all);
	/* The subject tells the language where the message is a log; its head does. */
	buf_put(&all, str_slice(v->subject, 0, v->subject.n < 512 ? v->subject.n : 512));
	v->lang = language_of(w->stemmer, buf_view(&all));
	begin_issue(v);
	for (i = 0; i < v->n; i++)
		read_sentence(v, &v->sentences[i]);
	add_subject(v);
	for (i = 0; i < v->count; i++)
		if ((title = title_of(v, v->drafts[i])) != NULL)
			out[count++] = (struct issue){ .title = cut_between_words(a, title->text, TITLE_BYTES),
				.summary = summary_of(a, v->drafts[i], title), .terms = terms_take(a, &v->drafts[i]->terms),
				.language = language_code(v->lang), .clear = (int)text_weight(w, v->lang, title->text) };
	return count;
}

/* Cleaned like a message: the text comes from a command, and is hostile until then. */
bool
analyst_take(struct analyst *w, struct arena *a, struct str title, struct str summary, struct issue *out)
{
	struct term_list *list;
	enum language lang;
	struct buf all;

	arena_reset(w->scratch);
	title = cut_between_words(a, one_line(w->scratch, plain_text(w->scratch, title)), TITLE_BYTES);
	summary = cut_between_words(a, one_line(w->scratch, plain_text(w->scratch, summary)), SUMMARY_BYTES);
	buf_init(&all, w->scratch, TITLE_BYTES + SUMMARY_BYTES + 8);
	buf_put(&all, title);
	buf_char(&all, ' ');
	buf_put(&all, summary);
	lang = language_of(w->stemmer, buf_view(&all));
	list = arena_alloc(w->scratch, sizeof(*list));
	terms_add(w, lang, title, 100, list);
	terms_add(w, lang, summary, CONTEXT, list);
	*out = (struct issue){ .title = title, .summary = summary, .terms = terms_take(a, list),
		.language = language_code(lang), .clear = (int)text_weight(w, lang, title) };
	return title.n > 0;
}
