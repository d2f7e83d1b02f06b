/* Words that form a question but do not say what it is about. */
#include "base/sort.h"
#include "text/words.h"

/*
 * English words, and words of German, French, Spanish and Portuguese that are not English words, too
 * (as "die" is). Sorted.
 */
static const char *const stops[] = {
	"a", "about", "am", "an", "and", "any", "are", "as", "at", "auf", "aux", "avec", "be", "been",
	"bei", "best", "between", "but", "by", "can", "cannot", "como", "could", "cual", "dans", "das",
	"del", "dem", "den", "der", "did", "difference", "do", "does", "doing", "donde", "dont", "eine",
	"einem", "einen", "einer", "eines", "est", "for", "from", "fur", "had", "has", "have", "how", "i",
	"ich", "if", "im", "in", "into", "is", "isnt", "ist", "it", "its", "ive", "je", "kann", "kannst",
	"konnen", "las", "les", "los", "me", "mein", "meine", "meinen", "meiner", "mes", "mon", "my",
	"need", "nicht", "oder", "of", "on", "or", "our", "para", "peut", "please", "por", "porque",
	"possible", "pour", "pourquoi", "puedo", "puis", "que", "quel", "quelle", "quelles", "quels",
	"qui", "shall", "should", "sind", "so", "some", "sont", "sur", "than", "that", "the", "their",
	"them", "then", "there", "these", "they", "this", "those", "to", "uma", "una", "und", "une",
	"vom", "von", "wann", "want", "warum", "was", "way", "we", "welche", "welcher", "welches",
	"werden", "were", "what", "whats", "when", "where", "which", "who", "whose", "why", "wie",
	"wieso", "will", "wird", "with", "wo", "would", "wurde", "you", "your", "zum", "zur",
};

/*
 * Words that are frequent in questions and say little about the subject. In ranking they count a
 * little more than stop words, so they decide between pages that fit the subject equally well.
 * English; sorted.
 */
static const char *const lights[] = {
	"able", "actually", "after", "again", "all", "already", "also", "always", "another", "anybody",
	"anyone", "anything", "back", "because", "before", "behind", "being", "bit", "both", "bring",
	"come", "comes", "correct", "correctly", "currently", "different", "down", "during", "each",
	"easily", "easy", "either", "else", "enough", "etc", "even", "ever", "every", "everybody",
	"everyone", "everything", "far", "few", "further", "get", "gets", "getting", "give", "given", "go",
	"goes", "going", "good", "got", "happen", "happened", "happening", "happens", "here", "however",
	"instead", "just", "keep", "kept", "know", "least", "let", "lets", "like", "look", "lot", "made",
	"make", "makes", "making", "many", "may", "maybe", "mean", "meaning", "means", "might", "more",
	"most", "much", "must", "myself", "never", "nice", "nobody", "none", "nothing", "now", "off",
	"often", "ok", "once", "one", "ones", "only", "other", "others", "out", "over", "own",
	"particular", "per", "properly", "put", "quickly", "quite", "rather", "really", "right", "same",
	"say", "see", "seen", "several", "simply", "since", "somebody", "someone", "something",
	"somewhere", "still", "such", "sure", "take", "taken", "takes", "tell", "thing", "things",
	"think", "through", "together", "too", "under", "unless", "until", "up", "use", "used",
	"useful", "uses", "using", "various", "very", "via", "wants", "well", "while", "whole",
	"within", "yet",
};

/* The key is not terminated: if all its bytes match, a longer stop word sorts after it. */
static int
compare_stop(const void *key, const void *item)
{
	const struct str *s = key;
	const char *stop = *(const char *const *)item;
	int c = strncmp(s->p, stop, s->n);

	return c != 0 ? c : stop[s->n] != '\0' ? -1 : 0;
}

bool
word_is_stop(const char *word, size_t n)
{
	struct str s = { word, n };

	return find_sorted(&s, stops, sizeof(stops) / sizeof(stops[0]), sizeof(stops[0]), compare_stop) != NULL;
}

bool
word_is_light(const char *word, size_t n)
{
	struct str s = { word, n };

	return find_sorted(&s, lights, sizeof(lights) / sizeof(lights[0]), sizeof(lights[0]), compare_stop) != NULL;
}

/* Phrases that only form a question. Longer ones first: a short one may begin a longer one. */
static const char *const questions[] = {
	"とは何ですか",
	"どうやって",
	"どのように",
	"するには",
	"について",
	"為什麼",
	"怎么样",
	"ますか",
	"怎么办",
	"有没有",
	"为什么",
	"是什么",
	"什么是",
	"是什麼",
	"ですか",
	"어떻게",
	"哪个",
	"怎樣",
	"什么",
	"怎么",
	"怎样",
	"什麼",
	"能否",
	"무엇",
	"哪里",
	"哪些",
	"如何",
	"请问",
	"請問",
	"怎麼",
	"とは",
	"是否",
};

size_t
words_question(struct str text)
{
	size_t i, n;

	/* Characters of these scripts take three bytes, the first 0xE0 or above. */
	if (text.n < 3 || (unsigned char)text.p[0] < 0xE0)
		return 0;
	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		n = strlen(questions[i]);
		if (n <= text.n && memcmp(text.p, questions[i], n) == 0)
			return n;
	}
	return 0;
}
