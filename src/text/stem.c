/* Language of a text, and stems by libstemmer. Contract: text/stem.h. */
#include <libstemmer.h>
#include <utf8proc.h>

#include "base/map.h"
#include "base/utf8.h"
#include "text/stem.h"
#include "text/words.h"

struct language_row {
	const char *code;
	const char *algorithm;   /* libstemmer's name */
	const char *stops;       /* folded, separated by blanks: words that most sentences of the language contain */
};

static const struct language_row languages[LANG_COUNT] = {
	[LANG_NONE] = { "", NULL, "" },
	[LANG_EN] = { "en", "english",
	    "a about after all also am an and any are as at be because been before being but by can cannot "
	    "could did do does doing dont down each few for from had has have having he her here him his how "
	    "i if im in into is isnt it its ive just me more most my no nor not now of off on once only or "
	    "other our out over own please same she should so some still such than that the their them then "
	    "there these they this those though through to too under until up us very was we were what when "
	    "where which while who whom why will with without would you your yours doesnt didnt cant wont "
	    "arent wasnt havent hasnt id weve youre theres whats let since ours get got any anybody everything "
	    "again already always" },
	[LANG_DE] = { "de", "german",
	    "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bitte da damit dann "
	    "das dass dein dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du "
	    "durch ein eine einem einen einer eines er es etwas euch euer fur gibt gerade habe haben hat hatte "
	    "hier ich ihm ihn ihnen ihr ihre ihrem ihren im in ist ja jede jedem jeden jeder jetzt kann kein "
	    "keine keinen konnen man mehr mein meine meinem meinen meiner mich mir mit mochte mochten muss "
	    "nach nicht noch nun nur ob oder ohne schon sehr seit sein seine sich sie sind so soll um und uns "
	    "unser unsere unserem unseren unserer vom von vor wann war warum was weil welche welchen welcher "
	    "welches wenn werden wie wieder wieso will wir wird wo wurde wurden zu zum zur uber lasst lassen "
	    "immer" },
	[LANG_FR] = { "fr", "french",
	    "ai au aucun aucune aussi aux avec avez avons ca car ce ces cet cette chez comme comment dans de des "
	    "depuis deja donc du elle elles en encore est estce et ete etre fait faire faut il ils j je jai la le les "
	    "leur lui ma mais me meme mes moi mon ne nest nos notre nous on ont ou par pas peut plus pour pourquoi "
	    "puis puisje qu quand que quel quelle quelles quels qui sa sans se sera ses si son sont sur ta te tes "
	    "toi ton tous tout toute toutes tres tu un une vos votre vous y dun dune lors sest cest quil" },
	[LANG_ES] = { "es", "spanish",
	    "a al algo como con cual cuando de del desde donde el ella ellos en entre era es esa ese eso esta "
	    "estan estas este esto estos ha han hasta hay he la las le les lo los mas me mi mis muy nada ni no "
	    "nos nosotros nuestra nuestras nuestro nuestros o para pero por porque puede pueden puedo que quien "
	    "quiero se ser si sin sobre solo son su sus tambien te tengo tiene tienen tu un una uno unos usted "
	    "ustedes y ya yo siempre" },
	[LANG_PT] = { "pt", "portuguese",
	    "a ao aos as ate com como da das de dela dele do dos e ela ele em entre era essa esse esta este eu "
	    "foi ha isso isto ja la lhe mais mas me mesmo meu meus minha minhas muito na nao nas nem no nos nossa "
	    "nosso o onde os ou para pela pelo por porque posso qual quando que quem se sem ser seu seus so sua "
	    "suas tambem tem tenho um uma voce voces" },
	[LANG_IT] = { "it", "italian",
	    "a ad ai al alla alle anche avete c che chi ci come con cosa da dal dalla degli dei del della delle "
	    "di dopo dove e ed era gli ha hanno ho i il in io la le lei lo loro ma mi mia mie mio molto ne nei "
	    "nel nella noi non nostra nostri nostro o per perche piu posso puo quale quando quella quello questa "
	    "questo se sei si sia siamo sono sta su sua sul sulla suo ti tra tu un una uno vi vorrei" },
	[LANG_NL] = { "nl", "dutch",
	    "aan al alle als ben bij daar dan dat de der deze die dit doen door een en er ge geen had heb hebben "
	    "heeft het hier hij hoe hun ik in is ja je jullie kan kunnen maar me meer men met mij mijn moet na "
	    "naar niet niets nog nu of om omdat ons onze ook op over te toch tot u uit uw van veel voor waar "
	    "waarom wanneer want waren was wat we wel werd wie wij wil worden wordt zal ze zelf zich zij zijn zo "
	    "zou" },
	[LANG_SV] = { "sv", "swedish",
	    "alla att av blev bli blir dar de dem den denna deras det detta dig din du efter ej eller en er ett "
	    "fran for gor ha hade han har hon hos hur i icke inte jag kan man med men mig min mina mitt mot nar "
	    "ni nu och om oss pa sa sig sin ska skulle som till under upp ut vad var vara varfor vart vi vill vid "
	    "vilka vilken ar" },
	[LANG_DA] = { "da", "danish",
	    "af alle at blev blive bliver da de dem den denne der deres det dette dig din du efter eller en end "
	    "er et for fra ham han hans har havde hende her hos hun hvad hvis hvor hvordan hvorfor i ikke ind jeg "
	    "jer jo kan man mange med meget men mig min mine mit mod ned noget nogle nu nar og ogsa om op os over "
	    "pa sig sin skal skulle som sa til ud under var vi vil ville vores" },
	[LANG_NO] = { "no", "norwegian",
	    "alle at av bare ble bli blir da de deg den denne der dere det dette din du eller en enn er et etter "
	    "for fra ha hadde han har hun hva hvem hvis hvor hvordan hvorfor i ikke jeg kan man med meg men mer "
	    "min mitt mot ma noe noen nar og ogsa om opp oss over pa seg skal slik som sa til ut var vare vi vil "
	    "ved var" },
	[LANG_FI] = { "fi", "finnish",
	    "ei eika ehka emme en enemman eraat etta han hanen he ja jo joka jos kaikki kanssa kuin kuinka kun "
	    "me meidan mika miksi mina minun missa miten mitaan mutta myos ne niin nyt olen oli olla olemme on "
	    "ovat saada se sen siita sina tai tama taman te vain voi voiko voin voimme" },
	[LANG_RU] = { "ru", "russian",
	    "без бы был была были было быть в вам вас весь во вот "
	    "все всех вы где да для до его ее если есть еще же за и "
	    "из или им их к как какой когда кто ли меня мне можно "
	    "мои мой мы на над нам нас наш наша не нет ни но о об он "
	    "она они от по под пожалуиста после почему при с со "
	    "так также там то тоже только ты у уже хочу чем что "
	    "чтобы эта это этот я" },
	[LANG_TR] = { "tr", "turkish",
	    "acaba ama ancak bana bazı ben bende beni benim bir biz bize bizim bu bunu cok cunku da daha de degil "
	    "diye en gibi hep hic icin ile ise kadar ki kim mi mu nasil ne neden nerede nicin o olarak olan oldu "
	    "onu sey siz size sizin su tum ve veya ya yok" },
	[LANG_RO] = { "ro", "romanian",
	    "a acest aceasta al ale am ar as asta ati au avem ca care ce cine cu cum da daca dar de deci din "
	    "doar dupa ea el eu este fi fost iar imi in la mai mea mei meu nici noastra nostru nu o pe pentru "
	    "poate pot prin sa sau se si sunt un una unde unei unui va voi vreau" },
	[LANG_HU] = { "hu", "hungarian",
	    "a az azt csak de egy el en es ez ezt hogy hogyan hol ha ki kell lehet legyen ma mar meg mert mi "
	    "miert mikor mint nagyon nem nekem nincs ott sem szeretnem tud tudom van vagy vagyok volt" },
};

struct stemmer {
	struct map        *words;                  /* stop word -> bits of its languages */
	struct sb_stemmer *algorithm[LANG_COUNT];
	bool               tried[LANG_COUNT];
};

/* libstemmer allocates with malloc(): free its stemmers when the arena ends. */
static void
free_stemmers(void *arg)
{
	struct stemmer *s = arg;
	int i;

	for (i = 0; i < LANG_COUNT; i++)
		sb_stemmer_delete(s->algorithm[i]);
}

static void
add_stops(struct stemmer *s, struct arena *a, int lang)
{
	/* Fold the table as the words of a text are folded. */
	const char *p = utf8_fold(a, str_of(languages[lang].stops));
	size_t n;
	uint32_t *bits;

	for (; *p != '\0'; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		void **at = map_at(s->words, (struct str){ p, n });
		if (*at == NULL)
			*at = arena_alloc(a, sizeof(*bits));
		bits = *at;
		/* One bit per language; LANG_COUNT is below 32. */
		*bits |= 1u << lang;
	}
}

struct stemmer *
stemmer_new(struct arena *a)
{
	struct stemmer *s = arena_alloc(a, sizeof(*s));
	int i;

	s->words = map_new(a);
	/* Start at 1: LANG_NONE has no words. */
	for (i = 1; i < LANG_COUNT; i++)
		add_stops(s, a, i);
	arena_on_end(a, free_stemmers, s);
	return s;
}

const char *
language_code(enum language lang)
{
	return languages[lang].code;
}

/* Uses the primary language: "pt-BR" is "pt". LANG_NONE if there is no stemmer for it. */
enum language
language_named(struct str code)
{
	const char *hyphen = code.n == 0 ? NULL : memchr(code.p, '-', code.n);
	int i;

	if (hyphen != NULL)
		code.n = (size_t)(hyphen - code.p);
	for (i = 1; i < LANG_COUNT; i++)
		if (str_is(code, languages[i].code))
			return (enum language)i;
	return LANG_NONE;
}

bool
language_stop(const struct stemmer *s, enum language lang, struct str folded)
{
	const uint32_t *bits = map_get(s->words, folded);

	return bits != NULL && (*bits >> lang & 1) != 0;
}

struct language_votes {
	const struct stemmer *s;
	double                votes[LANG_COUNT];
};

/* A stop word of several languages counts for each of them with a share. */
static bool
count_word(void *ctx, const struct word *w)
{
	struct language_votes *t = ctx;
	const uint32_t *bits;
	int i;

	bits = map_get(t->s->words, (struct str){ w->text, w->n });
	for (i = 1; bits != NULL && i < LANG_COUNT; i++)
		if ((*bits >> i & 1) != 0)
			t->votes[i] += 1.0 / __builtin_popcount(*bits);
	return true;
}

/* The language with most stop words in the text; LANG_NONE if there are none. */
static int
most_votes(struct language_votes *t, struct str text)
{
	int best = LANG_NONE, i;

	words_main(text, count_word, t);
	for (i = 1; i < LANG_COUNT; i++)
		if (t->votes[i] > t->votes[best])
			best = i;
	return best;
}

enum language
language_of(const struct stemmer *s, struct str text)
{
	struct language_votes t = { .s = s };

	return (enum language)most_votes(&t, text);
}

/* NULL if libstemmer lacks the algorithm; `tried` remembers a failure too. */
static struct sb_stemmer *
get_stemmer(struct stemmer *s, enum language lang)
{
	if (!s->tried[lang] && languages[lang].algorithm != NULL)
		s->algorithm[lang] = sb_stemmer_new(languages[lang].algorithm, NULL);
	s->tried[lang] = true;
	return s->algorithm[lang];
}

struct str
stem_word(struct stemmer *s, struct arena *a, enum language lang, struct str lower)
{
	struct sb_stemmer *g = get_stemmer(s, lang);
	const sb_symbol *stem = NULL;

	/* Longer words are not stemmed; the bound also keeps the length within int. */
	if (g != NULL && lower.n <= WORD_MAX * 2)
		stem = sb_stemmer_stem(g, (const sb_symbol *)lower.p, (int)lower.n);
	if (stem != NULL)
		lower = (struct str){ (const char *)stem, (size_t)sb_stemmer_length(g) };
	return str_of(utf8_fold(a, lower));
}

/* Create the stemmer when first needed, for the life of the process. */
static struct sb_stemmer *
process_stemmer(enum language lang, const char *word)
{
	static struct sb_stemmer *arabic, *list[LANG_COUNT];
	struct sb_stemmer **s = lang != LANG_NONE ? &list[lang] : (unsigned char)word[0] >= 0xD8 ? &arabic : &list[LANG_RU];

	if (*s == NULL)
		*s = sb_stemmer_new(s == &arabic ? "arabic" : languages[lang != LANG_NONE ? lang : LANG_RU].algorithm, "UTF_8");
	return *s;
}

/*
 * For the index: folds the stem into out, which has WORD_MAX bytes. 0 if the stem is too short to
 * be useful.
 */
size_t
stem_in(enum language lang, const char *word, size_t n, char *out)
{
	uint32_t folded[UTF8_FOLDED], cp;
	struct sb_stemmer *s;
	const sb_symbol *stem;
	struct str rest;
	size_t step, i, k, len = 0, least = lang == LANG_NONE ? 4 : 3;

	/* Short words are not stemmed; Cyrillic and Arabic letters take two bytes. */
	if (n < (lang == LANG_NONE ? 6 : 4) || (s = process_stemmer(lang, word)) == NULL ||
	    (stem = sb_stemmer_stem(s, (const sb_symbol *)word, (int)n)) == NULL)
		return 0;
	rest = (struct str){ (const char *)stem, (size_t)sb_stemmer_length(s) };
	for (; rest.n > 0 && (step = utf8_next(rest, &cp)) > 0; rest = str_slice(rest, step, rest.n)) {
		k = utf8_fold_char(cp, folded);
		/* A character takes at most four bytes. */
		for (i = 0; i < k && len + 4 <= WORD_MAX; i++)
			len += (size_t)utf8proc_encode_char((utf8proc_int32_t)folded[i], (utf8proc_uint8_t *)out + len);
	}
	return len < least ? 0 : len;
}

/*
 * English texts often contain a word of another language, a name or a command: a text that is not
 * clearly in another language counts as English, or as none.
 */
enum { SURE = 3 };
static const double CLEARLY = 1.5;

enum language
language_detect(struct str text)
{
	/* The stemmer is kept for the life of the process, because the table of stop words never changes. */
	static struct stemmer *s;

	struct language_votes t = { .s = NULL };
	int best;

	if (s == NULL)
		s = stemmer_new(arena_new(4 << 20));
	t.s = s;
	best = most_votes(&t, text);
	return t.votes[best] < SURE || (best != LANG_EN && t.votes[best] < t.votes[LANG_EN] * CLEARLY) ? (t.votes[LANG_EN] >= SURE ? LANG_EN : LANG_NONE) :
	    (enum language)best;
}

/* True for languages that write compounds as one word. */
bool
language_compounds(enum language lang)
{
	return lang == LANG_DE || lang == LANG_NL || lang == LANG_SV || lang == LANG_DA || lang == LANG_NO || lang == LANG_FI;
}
