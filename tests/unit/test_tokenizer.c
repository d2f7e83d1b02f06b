/* Words (words.h), and the FTS5 tokenizer that uses them. */
#include "db_fixture.h"

#include "db/fulltext.h"

#include "base/utf8.h"
#include "text/words.h"

SQL(q_terms, "SELECT term, doc FROM search_term ORDER BY term /*scan*/");

struct said {
	struct buf out;
};

/* Format: "word", then ~stem ^part &joined !sign +link; parts joined by _ (code) or -, ends marked by $. */
static bool
say(void *ctx, const struct word *w)
{
	static const char marks[] = { ' ', '~', '^', '&', '!', '+' };
	struct said *s = ctx;

	if (s->out.n > 0 || w->kind != WORD_MAIN)
		buf_char(&s->out, w->kind == WORD_MAIN && w->glued ? w->joined ? '_' : '-' : marks[w->kind]);
	buf_add(&s->out, w->text, w->n);
	if (w->tail)
		buf_char(&s->out, '$');
	return true;
}

static void
expect(const char *text, const char *words)
{
	struct arena *a = arena_new(1 << 20);
	struct said s;

	buf_init(&s.out, a, 1 << 16);
	words_each(str_of(text), say, &s);
	assert_string_equal(s.out.n == 0 ? "" : s.out.p, words);
	arena_free(a);
}

static void
plain_words_are_tokens(void **state)
{
	(void)state;
	expect("Hello, World!", "hello world");
	expect("", "");
	expect(" \t\n.,;", "");
	expect("don't user\u2019s", "dont users~user");
	expect("Ankara'da don't we'll", "ankarada~ankara dont well");
	expect("C++ and C#, not F", "c!c++ and c!c# not f");
	expect("2nd IPv6 base64 v1", "2nd ipv6 base64 v1");
}

static void
letters_are_folded(void **state)
{
	(void)state;
	expect("\u00DCbergr\u00F6\u00DFe \u0141\u00F3d\u017A na\u00EFve", "ubergrosse~ubergross lodz naive~naiv");
	expect("nai\u0308ve", "naive~naiv");
	expect("\uFF26\uFF55\uFF4C\uFF4C\uFF11", "full1");
	expect("\u0415\u0301\u043B\u043A\u0430", "\u0435\u043B\u043A\u0430");
	expect("soft\u00ADhyphen zero\u200Bwidth", "softhyphen~softhyph zerowidth");
}

static void
fold_is(const char *text, const char *folded)
{
	struct arena *a = arena_new(1 << 20);

	assert_string_equal(utf8_fold(a, str_of(text)), folded);
	arena_free(a);
}

/* Filters of lists use the same folding. */
static void
texts_are_folded_alike(void **state)
{
	uint32_t cp, out[UTF8_FOLDED];

	(void)state;
	for (cp = 0; cp < 0x80; cp++) {
		assert_int_equal(utf8_fold_char(cp, out), 1);
		assert_int_equal(out[0], cp >= 'A' && cp <= 'Z' ? cp + 32 : cp);
	}
	fold_is("", "");
	fold_is("\u00C9t\u00E9 \u00DCBER", "ete uber");
	fold_is("E\u0301", "e");
	fold_is("\u0416\u0443\u043A \u03A3\u039F\u03A6\u038A\u0391\u03A3", "\u0436\u0443\u043A \u03C3\u03BF\u03C6\u03B9\u03B1\u03C3");
	fold_is("\u03C2", "\u03C3");
	fold_is("Stra\u00DFe \u0141\u00F3d\u017A", "strasse lodz");
	fold_is("\uFF26\uFF55\uFF4C\uFF4C", "full");
	fold_is("a\u200Bb \xff%_", "ab \xff%_");
	/* The character with the longest folding. */
	fold_is("\uFDFA", "\u0635\u0644\u0649 \u0627\u0644\u0644\u0647 \u0639\u0644\u064A\u0647 \u0648\u0633\u0644\u0645");
}

static void
identifiers_are_split(void **state)
{
	(void)state;
	expect("pg_hba.conf", "pg_hba+_hba_conf+.conf");
	expect("max_connections", "max_connections~connect+_connections");
	expect("/etc/nginx", "etc+/etc_nginx+/nginx");
	expect("change-request", "change~chang-request+-request&changerequest");
	expect("useEffect", "useeffect^use^effect");
	expect("HTTPServer", "httpserver^http^server");
	expect("my.useEffect()", "my_useeffect^use^effect+.useeffect");
	expect("--dry-run", "dry+-dry!--dry-run+-run&dryrun");
	expect("a --flag", "a flag+-flag!--flag");
	expect("a --- b", "a b");
	expect("@type me@example.com @@x", "type~typ!@type me_example~exampl+@example_com+.com x+@@x+@x");
	expect("127.0.0.1:3306", "127_0+.0_0+.0_1+.1_3306+:3306");
}

static void
compounds_are_split(void **state)
{
	(void)state;
	expect("star-tree", "star-tree~tre+-tree&startree");
	expect("Multi-Stage-Plan v2", "multi~multy-stage~stag+-stage&multistage-plan+-plan&multistageplan v2");
	expect("a-b-cd-ef-gh-ij", "a-b+-b-cd+-cd-ef+-ef&cdef-gh+-gh&cdefgh-ij+-ij");
	expect("2024-01-31", "2024-01+-01-31+-31");
	expect("star--tree star tree", "star-tree~tre+--tree+-tree star tree~tre");
}

static void
question_words_are_known(void **state)
{
	(void)state;
	assert_int_equal(words_question(STR("\u5982\u4F55\u5B89\u88C5")), 6);
	assert_int_equal(words_question(STR("\u3068\u306F")), 6);
	assert_int_equal(words_question(STR("\u5B89\u88C5")), 0);
	assert_int_equal(words_question(STR("how")), 0);
	assert_int_equal(words_question(STR("\u5982")), 0);
	assert_int_equal(words_question(STR("")), 0);
}

static void
dense_scripts_become_pairs(void **state)
{
	(void)state;
	expect("\u8BAD\u7EC3\u6570", "\u8BAD\u7EC3-\u7EC3\u6570-\u6570$");
	expect("\u8BAD", "\u8BAD$");
	expect("\u4F7F\u7528Git\u90E8", "\u4F7F\u7528-\u7528$ git \u90E8$");
	expect("\uFF76\uFF9E", "\u30AC$");                      /* half-width KA with a voiced mark */
	expect("\u304B\u3099", "\u304C$");                      /* KA with a combining voiced mark */
	expect("\uBB38\uC11C", "\uBB38\uC11C-\uC11C$");
	expect("\u1106\u116E\u11AB", "\uBB38$");                /* jamo */
}

static void
stem_is(const char *word, const char *stem)
{
	char out[WORD_MAX];
	size_t n = word_stem(word, strlen(word), out);

	assert_string_equal(n == 0 ? word : (out[n] = '\0', out), stem);
}

static void
words_have_their_stems(void **state)
{
	(void)state;
	stem_is("pages", "pag");
	stem_is("page", "pag");
	stem_is("policies", "policy");
	stem_is("classes", "class");
	stem_is("running", "run");
	stem_is("installed", "install");
	stem_is("installation", "install");
	stem_is("configure", "configur");
	stem_is("configuration", "configur");
	stem_is("status", "status");
	stem_is("string", "string");
	stem_is("settings", "setting");
	stem_is("used", "use");
	stem_is("deployments", "deploy");
	stem_is("sha256s", "sha256s");
	stem_is("kombinationen", "kombin");
	stem_is("tastenkombination", "tastenkombin");
	stem_is("gruppen", "grupp");
	stem_is("gruppe", "grupp");
	stem_is("token", "token");
	stem_is("screen", "screen");
	assert_true(word_is_stop("how", 3));
	assert_true(word_is_stop("your", 4));
	assert_false(word_is_stop("ho", 2));
	assert_false(word_is_stop("not", 3));
	assert_true(word_is_light("able", 4));
	assert_true(word_is_light("make", 4));
	assert_true(word_is_light("yet", 3));
	assert_false(word_is_light("mak", 3));
	assert_false(word_is_light("how", 3));
}

static void
words_are_found_in_their_places(void **state)
{
	struct str s = STR("One useEffect, two-three \u8BAD\u7EC3.");

	(void)state;
	assert_int_equal(words_locate(s, 0), 0);
	assert_int_equal(words_locate(s, 1), 4);
	assert_int_equal(words_locate(s, 2), 15);
	assert_int_equal(words_locate(s, 3), 19);
	assert_int_equal(words_locate(s, 4), 25);
	assert_int_equal(words_locate(s, 9), s.n);
}

/* Any bytes, truncated anywhere, and endless words. */
static void
hostile_bytes_are_tokens_in_time(void **state)
{
	struct arena *a = arena_new(64 << 20);
	unsigned seed = 7;
	struct buf b, packed;
	size_t i, k;

	(void)state;
	for (i = 0; i < 3000; i++) {
		buf_init(&b, a, 1 << 16);
		buf_init(&packed, a, 1 << 20);
		for (k = 0; k < 40; k++) {
			seed = seed * 1664525 + 1013904223;
			if (seed >> 30)
				buf_utf8(&b, (seed >> 8) % 0x20000);
			else
				buf_char(&b, (char)(seed >> 16));
		}
		for (k = words_pack(&packed, buf_view(&b), LANG_NONE); k > 0; k--)
			assert_true(words_locate(buf_view(&b), k - 1) < b.n);
		arena_reset(a);
	}
	buf_init(&b, a, 32 << 20);
	for (i = 0; i < 1 << 20; i++)
		buf_str(&b, "xY");
	buf_init(&packed, a, 1 << 20);
	assert_int_equal(words_pack(&packed, buf_view(&b), LANG_NONE), 1);
	arena_free(a);
}

/* ---- in the index ---- */

static void
put(struct fixture *f, int64_t no, const char *title, struct str body)
{
	fulltext_add(f->db, no, (struct str[DB_COLUMNS]){ str_of(title), STR(""), body, STR("") });
}

static int
rows_of(struct fixture *f, const char *query, struct db_match *m)
{
	struct stmt *q = fulltext_match(f->db, query, m);
	int n = 0;

	while (stmt_step(q))
		n++;
	return n;
}

static void
packed_words_match_their_scope(void **state)
{
	struct fixture *f = *state;
	struct db_match *m = arena_alloc(f->arena, sizeof(*m));
	struct buf packed;

	buf_init(&packed, f->arena, 1 << 16);
	buf_str(&packed, "\2""2\5");
	words_pack(&packed, STR("deep learning models"), LANG_NONE);
	db_begin(f->db, true);
	put(f, 1, "\2""1\3Learning", STR("\2""1\3deep learning and useEffect"));
	put(f, 2, "\2""2\3Learning", buf_view(&packed));
	db_commit(f->db);
	assert_int_equal(rows_of(f, "\"\2""1\4learning\"", m), 1);
	assert_int_equal(m->row, 1);
	assert_int_equal(m->count, 2);
	assert_int_equal(m->rows[0], 1);
	assert_int_equal(rows_of(f, "\"\2""2\4model\"", m), 1);
	assert_int_equal(m->hits[0].column, 2);
	assert_int_equal(m->hits[0].position, 2);
	assert_int_equal(m->sizes[2], 3);
	assert_int_equal(rows_of(f, "\"\2""2\4deep\" + \"\2""2\4learning\"", m), 1);
	assert_int_equal(rows_of(f, "\"\2""3\4learning\"", m), 0);
	assert_int_equal(rows_of(f, "\"\2""1\4eff\" *", m), 1);
	/* With several scopes a word is still one phrase, and so are a prefix and adjacent words. */
	assert_int_equal(rows_of(f, "\"\2""1,2\4learning\"", m), 2);
	assert_int_equal(m->rows[0], 2);
	assert_int_equal(m->phrases, 1);
	assert_int_equal(rows_of(f, "\"\2""3,2,1\4deep\" + \"\2""3,2,1\4learning\"", m), 2);
	assert_int_equal(rows_of(f, "\"\2""2,1\4mod\" *", m), 1);
	assert_int_equal(rows_of(f, "\"\2""3,2\4useeffect\"", m), 0);
	/* Text without a scope, and a scope without an end, are ordinary text. */
	assert_int_equal(rows_of(f, "\"learning\"", m), 0);
	assert_int_equal(rows_of(f, "\"\2""1\"", m), 0);
}

static void
damaged_packed_words_are_skipped(void **state)
{
	struct fixture *f = *state;
	struct stmt *q;
	int n = 0;

	db_begin(f->db, true);
	put(f, 1, "\2""1\5\3ab", STR("\2""1\5\77short"));
	db_commit(f->db);
	for (q = db_use(f->db, &q_terms); stmt_step(q); n++)
		;
	assert_int_equal(n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_words_are_tokens),
		cmocka_unit_test(letters_are_folded),
		cmocka_unit_test(texts_are_folded_alike),
		cmocka_unit_test(identifiers_are_split),
		cmocka_unit_test(compounds_are_split),
		cmocka_unit_test(question_words_are_known),
		cmocka_unit_test(dense_scripts_become_pairs),
		cmocka_unit_test(words_have_their_stems),
		cmocka_unit_test(words_are_found_in_their_places),
		cmocka_unit_test(hostile_bytes_are_tokens_in_time),
		cmocka_unit_test_setup_teardown(packed_words_match_their_scope, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(damaged_packed_words_are_skipped, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
