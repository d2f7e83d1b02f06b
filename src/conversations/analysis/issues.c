/*
 * Which sentences of a conversation state an issue. Each sentence gets a score for what it
 * tells and for how it asks; one that tells enough begins an issue, what follows belongs to it.
 */
#include <math.h>
#include <string.h>

#include "analyst.h"
#include "base/utf8.h"

enum {
	SENTENCES   = 200,     /* of a conversation that are read */
	LITTLE      = 30,      /* a sentence that tells less is about nothing in particular */
	PLENTY      = 200,     /* what a sentence tells beyond this counts a quarter */
	ASKS_BONUS  = 25,      /* for a sentence that asks or complains */
	FIRST_BONUS = 15,      /* for the first of all */
	LATER_ASKS  = 80, LATER_SAYS = 50,     /* per cent of the score after an answer */
	GIVES_DATA  = 60,      /* ... with a number in it */
	ONE_TERM    = 60,      /* per cent of the score of a sentence with a single term */
	MUCH_LESS   = 50,      /* per cent of the best title's score below which there is no second issue */
	KNOWN       = 20,      /* issues that must have a term until it counts for half of what it tells */
	FEW_ISSUES  = 50,      /* a corpus of fewer does not say how common a term is */
	TURN_TELLS  = 34,      /* what a sentence must tell to begin an issue after "also" */
	APART_TELLS = 110,     /* ... without a word that says so */
	LATER_TELLS = 90,      /* ... in a later message */
	TURN_SHARED = 60, LATER_SHARED = 25,   /* per cent that it may share with the issue before */
	CONTEXT     = 30, SUBJECT = 60,        /* weights of what stands around */
	RAW_BYTES   = 2 << 20,               /* of messages that are looked at, markup and logs included */
	SCRATCH     = 256 << 20
};

/* A share of all issues below which terms count as equally rare. */
static const double RAREST = 0.005;

/* An issue on the way. */
struct issue_draft {
	struct term_list     terms;      /* of all its sentences */
	const struct sentence *at[SENTENCES];
	size_t               n;
	const struct sentence *title;    /* the sentence with the highest score; NULL: none tells anything */
	int                  score;      /* of the title */
	bool                 marked;     /* its title ends with a question mark */
	int32_t              told;       /* by the title */
	bool                 subject;    /* the subject line is about it */
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
	prior_read(w, a);
	return w;
}

void
analyst_compare(struct analyst *w, const struct corpus *c)
{
	w->corpus = c;
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

/*
 * How much a term tells about the subjects of this corpus, 0..100. One that most issues have tells little, and so
 * does one that hardly any other has: it is a name, a place, a typing error, or beside the point.
 */
static int
rarity(const struct corpus *c, uint64_t term)
{
	double all = c == NULL ? 0 : (double)c->issues(c->ctx), n, value;

	if (all < FEW_ISSUES)
		return 100;
	n = (double)c->frequency(c->ctx, term);
	value = 100 * sqrt(log((n + 1) / (all + 1) + RAREST) / log(RAREST));
	return (int)(value * (n + 1) / (n + KNOWN));
}

/* What the terms of a sentence tell, in view of the corpus. */
static int32_t
terms_value(const struct conversation *v, const struct term_list *own)
{
	int32_t sum = 0;
	size_t i;

	for (i = 0; i < own->n; i++)
		sum += own->at[i].weight * rarity(v->w->corpus, own->at[i].id) / 100;
	return sum;
}

/* Holds a word with a digit: an order number, a date, a phone number. */
static bool
gives_numbers(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9')
			return true;
	return false;
}

/*
 * What a sentence tells counts most; then that it asks or complains. A sentence after an answer often only
 * replies to it ("my name is Ann, order 4711"); one with a single term is seldom what it is all about.
 */
static int
score_sentence(const struct conversation *v, const struct sentence *s, const struct term_list *own, int32_t told)
{
	int score = terms_value(v, own);

	if (score < LITTLE && told < LITTLE)
		return 0;
	if (score > PLENTY)
		score = PLENTY + (score - PLENTY) / 4;
	score += (s->kind >= WANTS ? ASKS_BONUS : 0) + (s == v->sentences ? FIRST_BONUS : 0);
	if (s->message > 0)
		score = score * (s->kind >= WANTS ? LATER_ASKS : LATER_SAYS) / 100;
	if (s->message > 0 && gives_numbers(s->text))
		score = score * GIVES_DATA / 100;
	return own->n < 2 ? score * ONE_TERM / 100 : score;
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

static void
add_sentence(struct conversation *v, struct issue_draft *d, const struct sentence *s, int32_t told, int points)
{
	terms_add(v->w, v->lang, s->text, 100, &d->terms);
	d->at[d->n++] = s;
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
	int points;

	if (s->kind == COURTESY)
		return;
	told = terms_add(v->w, v->lang, s->text, 100, own);
	points = score_sentence(v, s, own, told);
	if (begins_issue(v, d, s, told, own))
		d = begin_issue(v);
	/* What is said after an answer, and asks nothing new, belongs to the answer, unless it tells more. */
	else if (d->title != NULL && s->message > d->title->message && points <= d->score)
		return;
	add_sentence(v, d, s, told, points);
}

/* How much a text tells by itself. */
static int32_t
text_weight(struct analyst *w, enum language lang, struct str text)
{
	struct term_list *own = arena_alloc(w->scratch, sizeof(*own));

	return terms_add(w, lang, text, 100, own);
}

/* The sentence of several words that tells most, be it little; NULL: there is none. */
static const struct sentence *
most_told(struct conversation *v, const struct issue_draft *d)
{
	const struct sentence *best = NULL;
	int32_t most = -1, told;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (memchr(d->at[i]->text.p, ' ', d->at[i]->text.n) != NULL &&
		    (told = text_weight(v->w, v->lang, d->at[i]->text)) > most) {
			most = told;
			best = d->at[i];
		}
	return best;
}

/* The title of an issue; NULL: it is none. */
static const struct sentence *
title_of(struct conversation *v, struct issue_draft *d)
{
	struct sentence *s;

	if (d->title != NULL)
		return d->title;
	/* Only of a single issue: of several nobody knows which one the subject is about. */
	if (v->count == 1 && v->subject.n > 0) {
		s = arena_alloc(v->w->scratch, sizeof(*s));
		/* Its terms are in the draft already: add_subject(). */
		if (sentences_of(v->w, v->subject, s, 1) == 1 && (s->kind >= WANTS || d->n > 0) &&
		    text_weight(v->w, v->lang, s->text) >= LITTLE)
			return s;
	}
	return most_told(v, d);
}

/* What is said around the title, each term as far as the corpus knows it: what nobody else says is beside the point. */
static void
add_context(struct conversation *v, const struct sentence *s, struct term_list *list)
{
	struct term_list *own = arena_alloc(v->w->scratch, sizeof(*own));
	size_t i;

	terms_add(v->w, v->lang, s->text, CONTEXT, own);
	for (i = 0; i < own->n; i++)
		term_list_add(list, own->at[i].id, own->at[i].weight * rarity(v->w->corpus, own->at[i].id) / 100);
}

/*
 * The terms of an issue: those of its title in full, those of the other sentences less, the more of them
 * there are. A title of common words alone ("who are you?") has these.
 */
static struct terms
terms_of(struct conversation *v, struct arena *a, const struct issue_draft *d, const struct sentence *title)
{
	struct term_list *list = arena_alloc(v->w->scratch, sizeof(*list));
	int32_t told = terms_add(v->w, v->lang, title->text, 100, list);
	size_t i;

	if (d->subject)
		terms_add(v->w, v->lang, v->subject, SUBJECT, list);
	for (i = 0; i < d->n; i++)
		add_context(v, d->at[i], list);
	if (told < LITTLE)
		terms_add_common(v->w, v->lang, title->text, list);
	return terms_take(a, list);
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
		best->subject = true;
}

/* Takes out issues that tell far less than another one of the conversation; the first of the best stays. */
static void
drop_lesser(struct conversation *v)
{
	size_t i, kept = 0;
	int best = 0;

	for (i = 0; i < v->count; i++)
		if (v->drafts[i]->score > best)
			best = v->drafts[i]->score;
	for (i = 0; i < v->count; i++)
		if (v->drafts[i]->score >= best * MUCH_LESS / 100)
			v->drafts[kept++] = v->drafts[i];
	v->count = kept;
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
	drop_lesser(v);
	for (i = 0; i < v->count; i++)
		if ((title = title_of(v, v->drafts[i])) != NULL)
			out[count++] = (struct issue){ .title = cut_between_words(a, title->text, TITLE_BYTES),
				.summary = summary_of(a, v->drafts[i], title), .terms = terms_of(v, a, v->drafts[i], title),
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
