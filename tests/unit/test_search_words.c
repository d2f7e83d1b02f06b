/* Search: synonyms, other scripts and languages, and ranking the page that is meant. */
#include "search_fixture.h"

SQL(q_language, "UPDATE space SET language = :language WHERE id = :space");

/* Documentation uses synonyms, and writes versions in several ways. */
static void
other_words_for_the_same_are_found(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Disable the cache", "Set the flag to false.");
	page(f, "b", "Other", "You can turn off a lamp.");
	page(f, "c", "Removing members", "Gone for good.");
	page(f, "d", "Version v7", "What is new.");
	page(f, "e", "Migrating", "From 8.x upwards.");
	finds(f, "turn off cache", "a b");
	/* A synonym in the running text counts only if nothing else is found. */
	finds(f, "disabling", "a");
	finds(f, "disable lamp", "b a");
	finds(f, "deactivated lamps", "b a");
	finds(f, "delete member", "c");
	finds(f, "7", "d");
	finds(f, "7.x", "d");
	finds(f, "v8", "e");
}

/* Words that phrase a question weigh less than its subject. */
static void
words_that_say_little_weigh_less(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Make one", "Everything that it takes.");
	page(f, "b", "Others", "Cylinders in passing.");
	finds(f, "make cylinders", "b a");
	page(f, "c", "Making a pump", "How to.");
	page(f, "d", "Scaling", "Of a pump.");
	finds_first(f, "make the pump bigger", "d");
	/* The query has no other word. */
	finds_first(f, "make", "a");
}

/* Stop words may occur within a phrase of the dictionary, other words may not. */
static void
phrases_may_be_apart_by_small_words(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Disable the cache", "Set the flag to false.");
	page(f, "b", "Custom layers", "A class of yours.");
	page(f, "c", "Turning pages", "Leaf by leaf.");
	finds(f, "turn it off", "a c");
	/* With the object in between, at most two words; the exact words rank first. */
	finds(f, "turn pages off", "c a");
	finds(f, "turn large pages off", "c a");
	finds(f, "turn old large pages off", "c");
	finds_first(f, "write my own layer", "b");
	page(f, "d", "Membership", "Remove member after member.");
	page(f, "e", "Remove member", "At once.");
	finds(f, "kick somebody out", "e");
}

/* With many pages fewer synonyms are searched, since each costs more there. */
static void
in_many_pages_fewer_words_are_tried(void **state)
{
	struct fixture *f = *state;
	struct search_found out;
	struct search_in in;

	page(f, "a", "Removing", "Of a page.");
	page(f, "b", "Uninstalling", "Of another.");
	finds(f, "delete", "a b");
	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, f->space, &in));
	in.pages = 5001;
	search(f->db, f->arena, str_of("delete"), &in, 1, 100, NULL, &out);
	assert_int_equal(out.count, 1);
	db_rollback(f->db);
}

/* A page that mentions a synonym of the query is found if no page has it in its title. */
static void
a_passing_mention_is_found(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Lamps", "You can turn off a lamp.");
	finds(f, "deactivate", "a");
	page(f, "b", "Disabling", "All of it.");
	finds(f, "deactivate", "b");
}

/* A section's README ranks above other pages with the same title. */
static void
the_page_of_a_section_comes_first(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "Pumps and valves", "The pumps of the house.");
	page(f, "pumps/README", "Pumps and valves", "The pumps of the house.");
	page(f, "z", "Pumps and valves", "The pumps of the house.");
	finds(f, "pumps", "pumps/README a z");
	/* Only by the part of the query that the title contains: it has nothing of "house". */
	finds(f, "house", "a pumps/README z");
}

/* Character pairs that are no word: those across a word boundary, and those with a particle. */
static void
pairs_that_are_no_word_weigh_less(void **state)
{
	struct fixture *f = *state;
	int i;

	page(f, "answer", "进入容器", "用这个命令。");
	page(f, "passing", "守护", "查看在运行中的文件，行的开头。");
	for (i = 0; i < 4; i++) {
		page(f, arena_printf(f->arena, "c%d", i), "其他", "容器和容器。");
		page(f, arena_printf(f->arena, "r%d", i), "别的", "进入。运行。");
	}
	finds_first(f, "进入运行的容器", "answer");
}

/* One word on many pages, and one on a single page that has the rest in other words. */
static void
a_frequent_word_shuts_no_page_out(void **state)
{
	struct fixture *f = *state;
	int i;

	for (i = 0; i < 3; i++)
		page(f, arena_printf(f->arena, "m%d", i), "Gannets", "All about the gannet and its gannet ways.");
	page(f, "r", "Rare", "A quetzal once.");
	finds(f, "gannet quetzal", "r m0 m1 m2");
	page(f, "w", "Disable upload of large images", "In the menu.");
	page(f, "x", "Upload", "Uploading.");
	finds_first(f, "turn off the uploading of huge images please", "w");
}

static void
a_quoted_phrase_is_found_as_it_is(void **state)
{
	struct fixture *f = *state;

	page(f, "a", "A", "The blue whale sings.");
	page(f, "b", "B", "The whale is blue.");
	page(f, "c", "C", "Blue whales sing.");
	finds(f, "\"blue whale\"", "a");
	finds(f, "“blue whale” sings", "a");
	finds(f, "\"whale blue\"", "");
	finds(f, "\"blue\" \"is blue\"", "b");
	finds(f, "\"", "");
	finds(f, "\"whale", "a b c");
}

static void
every_script_is_found(void **state)
{
	struct fixture *f = *state;

	page(f, "tw", "複製", "複製資料庫到其他伺服器。");
	page(f, "cn", "其他", "服务器需要先安装，然后再配置数据。");
	page(f, "ru", "Ru", "Настройка серверов и резервных копий.");
	page(f, "ar", "Ar", "تثبيت الخوادم");
	page(f, "de", "De", "Die Datenbankverbindung wird mit dem Server geprüft und ist nicht sicher.");
	page(f, "en", "En", "The reconnection of the disconnection.");
	page(f, "tr", "Tr", "İstanbul'daki sunucu.");
	page(f, "co", "Co", "See MyHttpServer2 there.");
	finds(f, "复制", "tw");
	finds(f, "複製", "tw");
	/* The words are apart in that text. */
	finds(f, "安装服务器", "cn");
	finds(f, "сервер", "ru");
	finds(f, "резервная копия", "ru");
	/* Limits count letters: a word of six may be a prefix, one of three is not corrected, halves have three. */
	page(f, "device", "Device", "Прибор и код.");
	page(f, "making", "Making", "Приборостроение на дому.");
	finds(f, "прибор", "device making");
	finds(f, "кот", "");
	finds(f, "надому", "");
	finds(f, "الخادم", "");
	finds(f, "خوادم", "ar");
	finds(f, "Verbindung", "de");
	finds(f, "İstanbul", "tr");
	finds(f, "HttpServer", "co");
	finds(f, "httpserver", "co");
	finds(f, "MyHttpServer", "co");
}

/* A name in its exact spelling ranks above its separate words, wherever these are. */
static void
a_spelled_name_comes_before_its_words(void **state)
{
	static const char *const spelled[][3] = {
		{ "max_connections", "max connections", "The option max_connections limits clients." },
		{ "log_level", "log level", "`server.log_level` is info." },
		{ "API_KEY", "API key", "Set MY_API_KEY_FILE." },
		{ "docker-compose.yml", "docker compose yml", "In docker/docker-compose.yml there." },
		{ ".env", "env", "Copy it to app/.env first." },
		{ "--dry-run", "dry run", "Try --dry-run first." },
		{ "spring.datasource.url", "spring datasource URL", "In `spring.datasource.url=jdbc`." },
		{ "x-www-form.url", "x www form URL", "Send x-www-form.url: text." },
		{ "user.getName", "user get name", "It calls user.getName() twice." },
		{ "useEffect", "use effect", "A hook, useEffect, runs." },
		{ "BottomNavBar", "bottom nav bar", "`Material3BottomNavBarOptions`" },
		{ "$HOME", "home", "It reads $HOME/x." },
		{ "/etc/hosts", "etc hosts", "It reads /etc/hosts there." },
		{ "std::vector", "std vector", "A std::vector<int> is." } };
	struct fixture *f = *state;
	size_t i;
	char *title;

	for (i = 0; i < sizeof(spelled) / sizeof(*spelled); i++) {
		title = arena_printf(f->arena, "%s", spelled[i][1]);
		page(f, "a", title, arena_printf(f->arena, "# %s\n\nAll about the %s. %s, %s.", title, title, title, title));
		page(f, "z", "Passing", arena_printf(f->arena, "Long words before it.\n\n%s", spelled[i][2]));
		finds_first(f, spelled[i][0], "z");
	}
	/* In a longer query it weighs more than its words, but no more than the rest of the query. */
	page(f, "a", "Limits", "The max connections of Heroku.");
	page(f, "z", "Limits", "The max_connections of Heroku.");
	finds(f, "heroku max_connections", "z a");
	/* The same for names with hyphens only. */
	page(f, "a", "Trees", "A star tree here.");
	page(f, "z", "Trees", "A star-tree here.");
	finds(f, "star-tree", "z a");
}

/* A name is found inside a longer one, from any of its parts to any other. */
static void
a_name_is_found_within_a_longer_one(void **state)
{
	static const char *const parts[] = { "Abstract", "Singleton", "Proxy", "Factory", "Bean", "Post", "Processor" };
	struct fixture *f = *state;
	char *asked;
	size_t i, k;

	page(f, "a", "A", "See AbstractSingletonProxyFactoryBeanPostProcessor2 there.");
	page(f, "b", "B", "And utf8Bean4Java.");
	for (i = 0; i < 7; i++)
		for (asked = arena_strdup(f->arena, ""), k = i; k < 7; k++) {
			asked = arena_printf(f->arena, "%s%s", asked, parts[k]);
			finds(f, asked, i == 4 && k == 4 ? "a b" : "a");
		}
}

static void
say_language(struct fixture *f, const char *language)
{
	struct stmt *q;

	db_begin(f->db, true);
	q = db_use(f->db, &q_language);
	bind_text(q, ":language", language);
	bind_text(q, ":space", f->space);
	stmt_run(q);
	db_commit(f->db);
}

/* Inflections of the space's language; if none is set, of the language of its pages. */
static void
inflections_follow_the_language(void **state)
{
	struct fixture *f = *state;

	page(f, "fr", "En", "The work is done in the folder and it is not lost.");
	finds(f, "finirais", "");
	page(f, "fr", "Fr", "Les travaux finissent dans le dossier et ne sont pas perdus pour vous.");
	finds(f, "finirais", "fr");
	page(f, "fr", "Fr", "Les param\u00E8tres sont install\u00E9s dans le dossier et ne sont pas perdus pour vous.");
	finds(f, "installer", "fr");
	finds(f, "param\u00E8tre", "fr");
	finds(f, "parametre", "fr");
	page(f, "es", "Es", "Los usuarios pueden configurar las conexiones de la base de datos para que no se pierdan.");
	page(f, "de", "De", "Die Verbindungen werden mit dem Server gepr\u00FCft und sind nicht sicher.");
	page(f, "xx", "Verbindung", "");
	say_language(f, "es");
	finds(f, "conexi\u00F3n", "es");
	finds(f, "usuario", "es");
	say_language(f, "de");
	finds(f, "Verbindung", "xx de");
	finds(f, "pr\u00FCfen sicherer", "de");
	finds(f, "\"Verbindung\"", "xx");
	/* A page in another language than the space is found by its exact words. */
	finds(f, "param\u00E8tres", "fr");
	say_language(f, "ko");
	finds(f, "Verbindungen", "xx de");
	/* Exactly the words that were indexed are deleted from the index. */
	page(f, "fr", "Fr", "Autre chose.");
	finds(f, "installer", "");
}

/* A compound that does not occur is searched by its parts; in other languages it is one word. */
static void
a_compound_is_found_by_its_parts(void **state)
{
	struct fixture *f = *state;

	page(f, "off", "Rabatte", "Die Rabatte werden mit dem Auftrag gepr\u00FCft und sind nicht sicher.");
	page(f, "need", "Technik", "Die Voraussetzungen sind nicht die der Benachrichtigung und werden nicht gepr\u00FCft.");
	page(f, "code", "Code", "Der Code ist mit dem System verbunden, das Einstellungen nicht hat.");
	say_language(f, "de");
	finds(f, "Rabattcode", "code off");
	finds(f, "Systemvoraussetzung", "code need");
	finds(f, "Benachrichtigungseinstellungen", "code need");
	/* A half that does not occur, and one that is too short for a word. */
	finds(f, "Rabattwagen", "");
	/* Without the linking letter, and without any other letter. */
	page(f, "came", "Theater", "Wer auftrat, wurde nie gesehen.");
	finds(f, "Auftragscode", "code off");
	finds(f, "Codedas", "");
	say_language(f, "es");
	finds(f, "Rabattcode", "");
}

/* Two words typed as one, each of at least three letters. */
static void
words_run_together_are_found(void **state)
{
	struct fixture *f = *state;

	page(f, "star", "Indexes", "Aggregation is fast with a star tree behind it.");
	page(f, "key", "Lists", "Each key page is listed by its number, page 9 as well, and so on.");
	finds(f, "startree", "star");
	finds(f, "keypage", "key");
	finds(f, "sopage", "");
	finds(f, "treestar", "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_run_together_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(other_words_for_the_same_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(words_that_say_little_weigh_less, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(phrases_may_be_apart_by_small_words, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(in_many_pages_fewer_words_are_tried, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_passing_mention_is_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_page_of_a_section_comes_first, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(pairs_that_are_no_word_weigh_less, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_frequent_word_shuts_no_page_out, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_quoted_phrase_is_found_as_it_is, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(every_script_is_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_spelled_name_comes_before_its_words, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_name_is_found_within_a_longer_one, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(inflections_follow_the_language, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_compound_is_found_by_its_parts, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
