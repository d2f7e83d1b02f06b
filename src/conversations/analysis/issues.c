/*
 * Finds the sentences that state the issues of a conversation. Each sentence gets a score, the sum
 * of the weights of its terms (analysis.h); the sentence with the highest score becomes the title.
 * A sentence begins a new issue or belongs to the issue of the sentence before it.
 */
#include <math.h>
#include <string.h>

#include "analyst.h"
#include "base/utf8.h"

enum {
	SENTENCES   = 200,     /* that are read of a conversation */
	LITTLE      = 30,      /* weight below which a sentence has no subject */
	PLENTY      = 200,     /* weight beyond this counts a quarter */
	ASKS_BONUS  = 25,      /* for a question, a problem or a request */
	FIRST_BONUS = 15,      /* for the first sentence of the conversation */
	LATER_ASKS  = 80, LATER_SAYS = 50,     /* per cent of the score, after an answer */
	GIVES_DATA  = 60,      /* ... and if it contains a number */
	ONE_TERM    = 60,      /* per cent of the score of a sentence with one term */
	MUCH_LESS   = 50,      /* per cent of the best score; an issue below it is dropped */
	KNOWN       = 20,      /* number of issues with a term for which it counts half */
	FEW_ISSUES  = 50,      /* in a smaller corpus frequencies are not used */
	TURN_WEIGHT  = 34,      /* weight that begins an issue after "also" */
	APART_WEIGHT = 110,     /* ... without such a word */
	LATER_WEIGHT = 90,      /* ... in a later message */
	TURN_SHARED = 60, LATER_SHARED = 25,   /* per cent shared with the issue before, at most */
	CONTEXT     = 30, SUBJECT = 60,        /* per cent of the weights beside the title */
	RAW_BYTES   = 2 << 20,               /* of messages that are read, with markup and logs */
	SCRATCH     = 256 << 20
};

/* Share of all issues below which terms count as equally rare. */
static const double RAREST = 0.005;

/* An issue while the conversation is read. */
struct issue_draft {
	struct term_list     terms;      /* of all its sentences */
	const struct sentence *at[SENTENCES];
	size_t               n;
	const struct sentence *title;    /* sentence with the highest score; NULL: none has a subject */
	int                  score;      /* of the title */
	bool                 marked;     /* the title contains a question mark */
	int32_t              weight;       /* weight of the title */
	bool                 subject;    /* the subject line belongs to this issue */
};

/* In the scratch arena: SENTENCES sentences are too large for a stack. */
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
 * Reads the messages of the user only, because the team states no issues. The number of a message
 * counts the answers before it. all: the text, to determine the language.
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
		/* The rest of the limit that earlier messages have left. */
		if (text.n > ANALYSIS_BYTES - all->n)
			text.n = ANALYSIS_BYTES - all->n;
		buf_put(all, text);
		buf_char(all, '\n');
		found = sentences_of(v->w, text, v->sentences + v->n, SENTENCES - v->n);
		for (k = 0; k < found; k++)
			v->sentences[v->n++].message = message;
	}
}

/* The caller has checked the limit (begins_issue()). */
static struct issue_draft *
begin_issue(struct conversation *v)
{
	struct issue_draft *d = arena_alloc(v->w->scratch, sizeof(*d));

	v->drafts[v->count++] = d;
	return d;
}

/*
 * Weight of a term by its frequency in the corpus, 0..100. A term that most issues have is not
 * specific for a subject. Nor is a term that hardly any issue has: it is a name, a place, a typing
 * error or an unrelated remark.
 */
static int
weight_by_rarity(const struct corpus *c, uint64_t term)
{
	double all = c == NULL ? 0 : (double)c->issues(c->ctx), n, share;

	if (all < FEW_ISSUES)
		return 100;
	n = (double)c->frequency(c->ctx, term);
	share = (n + 1) / (all + 1) + RAREST;
	/* Nearly all issues have it; the logarithm would change its sign. */
	if (share >= 1)
		return 0;
	return (int)(100 * sqrt(log(share) / log(RAREST)) * (n + 1) / (n + KNOWN));
}

/* Sum of the weights of terms, each multiplied by weight_by_rarity(). */
static int32_t
corpus_weight(const struct conversation *v, const struct term_list *own)
{
	int32_t sum = 0;
	size_t i;

	for (i = 0; i < own->n; i++)
		sum += own->at[i].weight * weight_by_rarity(v->w->corpus, own->at[i].id) / 100;
	return sum;
}

/* True if the text contains a digit, as order numbers, dates and phone numbers do. */
static bool
contains_digit(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9')
			return true;
	return false;
}

/*
 * The score of a sentence: the weight of its terms, and a small bonus for a question, a problem or
 * a request. A sentence after an answer is often only a reply ("my name is Ann, order 4711"), and a
 * sentence with a single term seldom states the whole issue.
 */
static int
score_sentence(const struct conversation *v, const struct sentence *s, const struct term_list *own, int32_t weight)
{
	int score = corpus_weight(v, own);

	if (score < LITTLE && weight < LITTLE)
		return 0;
	if (score > PLENTY)
		score = PLENTY + (score - PLENTY) / 4;
	score += (s->kind >= WANTS ? ASKS_BONUS : 0) + (s == v->sentences ? FIRST_BONUS : 0);
	if (s->message > 0)
		score = score * (s->kind >= WANTS ? LATER_ASKS : LATER_SAYS) / 100;
	if (s->message > 0 && contains_digit(s->text))
		score = score * GIVES_DATA / 100;
	return own->n < 2 ? score * ONE_TERM / 100 : score;
}

/*
 * The three cases that analysis.h lists. Each has a minimum weight, so that "Also, thanks!" begins
 * no issue.
 */
static bool
begins_issue(const struct conversation *v, const struct issue_draft *d, const struct sentence *s, int32_t weight,
    const struct term_list *own)
{
	int shared = terms_shared(own, &d->terms);

	if (d->title == NULL || s->kind < WANTS || v->count == ISSUES_MAX)
		return false;
	if (s->turns)
		return weight >= TURN_WEIGHT && shared <= TURN_SHARED;
	if (s->message > 0 && s->message != d->title->message)
		return s->kind >= PROBLEM && weight >= LATER_WEIGHT && shared <= LATER_SHARED;
	return s->marked && d->marked && weight >= APART_WEIGHT && d->weight >= APART_WEIGHT && shared == 0;
}

static void
add_sentence(struct conversation *v, struct issue_draft *d, const struct sentence *s, int32_t weight, int points)
{
	terms_add(v->w, v->lang, s->text, 100, &d->terms);
	d->at[d->n++] = s;
	if (points > d->score) {
		d->title = s;
		d->score = points;
		d->marked = s->marked;
		d->weight = weight;
	}
}

/* Adds a sentence to a new issue or to the latest one. It is not compared with earlier issues. */
static void
read_sentence(struct conversation *v, const struct sentence *s)
{
	struct issue_draft *d = v->drafts[v->count - 1];
	/* The terms of this sentence alone: begins_issue() compares them with those of the draft. */
	struct term_list *own = arena_alloc(v->w->scratch, sizeof(*own));
	int32_t weight;
	int points;

	if (s->kind == COURTESY)
		return;
	weight = terms_add(v->w, v->lang, s->text, 100, own);
	points = score_sentence(v, s, own, weight);
	if (begins_issue(v, d, s, weight, own))
		d = begin_issue(v);
	/*
	 * A sentence after an answer that begins no issue replies to the answer, and is ignored
	 * unless its score is higher.
	 */
	else if (d->title != NULL && s->message > d->title->message && points <= d->score)
		return;
	add_sentence(v, d, s, weight, points);
}

/* Weight of a text's terms. */
static int32_t
text_weight(struct analyst *w, enum language lang, struct str text)
{
	struct term_list *own = arena_alloc(w->scratch, sizeof(*own));

	return terms_add(w, lang, text, 100, own);
}

/*
 * The sentence of at least two words with the highest weight, however low that is; NULL: there is
 * none.
 */
static const struct sentence *
heaviest_sentence(struct conversation *v, const struct issue_draft *d)
{
	const struct sentence *best = NULL;
	int32_t most = -1, weight;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (memchr(d->at[i]->text.p, ' ', d->at[i]->text.n) != NULL &&
		    (weight = text_weight(v->w, v->lang, d->at[i]->text)) > most) {
			most = weight;
			best = d->at[i];
		}
	return best;
}

/* The title of an issue; NULL: there is no issue. */
static const struct sentence *
choose_title(struct conversation *v, struct issue_draft *d)
{
	struct sentence *s;

	if (d->title != NULL)
		return d->title;
	/*
	 * The subject is used only if there is one issue: if there are several, it is unknown which
	 * one the subject belongs to.
	 */
	if (v->count == 1 && v->subject.n > 0) {
		s = arena_alloc(v->w->scratch, sizeof(*s));
		/* build_terms() adds the terms of the subject. */
		if (sentences_of(v->w, v->subject, s, 1) == 1 && (s->kind >= WANTS || d->n > 0) &&
		    text_weight(v->w, v->lang, s->text) >= LITTLE)
			return s;
	}
	return heaviest_sentence(v, d);
}

/*
 * Adds the terms of a sentence other than the title, weighted by their frequency in the corpus, so
 * that unrelated remarks do not count.
 */
static void
add_context(struct conversation *v, const struct sentence *s, struct term_list *list)
{
	struct term_list *own = arena_alloc(v->w->scratch, sizeof(*own));
	size_t i;

	terms_add(v->w, v->lang, s->text, CONTEXT, own);
	for (i = 0; i < own->n; i++)
		term_list_add(list, own->at[i].id, own->at[i].weight * weight_by_rarity(v->w->corpus, own->at[i].id) / 100);
}

/*
 * The terms of an issue: those of the title with full weight, those of the subject and of other
 * sentences with less. A title without other words gets its common words as terms ("who are you?").
 */
static struct terms
build_terms(struct conversation *v, struct arena *a, const struct issue_draft *d, const struct sentence *title)
{
	struct term_list *list = arena_alloc(v->w->scratch, sizeof(*list));
	int32_t weight = terms_add(v->w, v->lang, title->text, 100, list);
	size_t i;

	if (d->subject)
		terms_add(v->w, v->lang, v->subject, SUBJECT, list);
	for (i = 0; i < d->n; i++)
		add_context(v, d->at[i], list);
	if (weight < LITTLE)
		terms_add_common(v->w, v->lang, title->text, list);
	return terms_heaviest(a, list);
}

/* Assigns the subject line to the only issue, or to the issue that shares most terms with it. */
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

/* Drops issues whose score is far below the best one of the conversation. The order is kept. */
static void
drop_minor_issues(struct conversation *v)
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

/* The beginning of a text, at most max bytes, cut between two words. */
static struct str
cut_between_words(struct arena *a, struct str s, size_t max)
{
	size_t n = s.n;

	if (n > max) {
		for (n = max; n > 0 && s.p[n] != ' '; n--)
			;
		/* A text without blanks (Chinese, or an attack) is cut at a character. */
		if (n < max / 2)
			for (n = max; n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80; n--)
				;
	}
	return (struct str){ arena_strndup(a, s.p, n), n };
}

static struct str
build_summary(struct arena *a, const struct issue_draft *d, const struct sentence *title)
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

/*
 * The language is determined once, from all of the user's text, because single sentences are too
 * short.
 */
size_t
analyst_read(struct analyst *w, struct arena *a, struct str subject, const struct part *parts, size_t n,
    struct issue *out)
{
	struct conversation *v;
	const struct sentence *title;
	struct buf all;
	size_t i, count = 0;

	/*
	 * Strings of the result are in the caller's arena, so the scratch memory of the
	 * conversation before can be reused.
	 */
	arena_reset(w->scratch);
	v = arena_alloc(w->scratch, sizeof(*v));
	v->w = w;
	v->subject = plain_text(w->scratch, subject);
	buf_init(&all, w->scratch, ANALYSIS_BYTES * 2 + n + 1024);
	read_parts(v, parts, n, &all);
	/*
	 * The beginning of the subject helps to determine the language where the message is only a
	 * log.
	 */
	buf_put(&all, str_slice(v->subject, 0, v->subject.n < 512 ? v->subject.n : 512));
	v->lang = language_of(w->stemmer, buf_view(&all));
	begin_issue(v);
	for (i = 0; i < v->n; i++)
		read_sentence(v, &v->sentences[i]);
	add_subject(v);
	drop_minor_issues(v);
	for (i = 0; i < v->count; i++)
		if ((title = choose_title(v, v->drafts[i])) != NULL)
			out[count++] = (struct issue){ .title = cut_between_words(a, title->text, TITLE_BYTES),
				.summary = build_summary(a, v->drafts[i], title), .terms = build_terms(v, a, v->drafts[i], title),
				.language = language_code(v->lang), .clear = (int)text_weight(w, v->lang, title->text) };
	return count;
}

/* The text comes from a command and is not trusted, so it is cleaned like a message. */
bool
analyst_make_issue(struct analyst *w, struct arena *a, struct str title, struct str summary, struct issue *out)
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
	*out = (struct issue){ .title = title, .summary = summary, .terms = terms_heaviest(a, list),
		.language = language_code(lang), .clear = (int)text_weight(w, lang, title) };
	return title.n > 0;
}
