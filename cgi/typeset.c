/*
 * octavo-typeset: typesets code and formulas
 * (include/typeset/typeset.h), with Prism and KaTeX in Duktape. Reads requests from standard
 * input and writes answers to standard output, until the input ends:
 *
 *   at the start                                 →  ready\n
 *   KIND LANGUAGE BYTES\n and that many bytes    →  eight digits and \n, and that many bytes
 *
 * An empty answer means that the text cannot be typeset. The program opens no file. Its parent
 * must kill it if a text takes too long, since Duktape has no time limit.
 */
#include <duktape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "typeset/typeset.h"

/*
 * MEMORY: limit for a text that makes the scripts use too much. The process then ends, and its
 * caller shows the text unformatted.
 */
enum { MEMORY = 512 << 20, SOURCE_MAX = 1 << 20 };

/* The scripts are embedded in the program, so that it opens no file. */
__asm__(".section .rodata\nscripts: .incbin \"" OCTAVO_SCRIPTS "\"\nscripts_end: .byte 0\n.previous");
extern const char scripts[], scripts_end[];

/* Runs one script. A language that this engine cannot parse is left out: returns false. */
static int
run_script(duk_context *js, const char *name, size_t name_n, const char *text, size_t n)
{
	int ok;

	duk_push_lstring(js, name, name_n);
	ok = duk_pcompile_lstring_filename(js, 0, text, n) == 0 && duk_pcall(js, 0) == 0;
	if (!ok && getenv("OCTAVO_TYPESET_CHECK") != NULL)
		fprintf(stderr, "%.*s: %s\n", (int)name_n, name, duk_safe_to_string(js, -1));
	duk_pop(js);
	return ok;
}

/*
 * Runs all scripts of a group ('+', '-' or '='); each follows its line "//@ NAME". Returns how many
 * failed.
 */
static int
load_group(duk_context *js, char group)
{
	const char *p = scripts, *next, *text;
	int failed = 0;

	while (p != NULL && p < scripts_end && strncmp(p, "//@ ", 4) == 0) {
		size_t name = strcspn(p + 4, "\n");
		text = p + 4 + name;
		next = memmem(text, (size_t)(scripts_end - text), "\n//@ ", 5);
		next = next != NULL ? next + 1 : NULL;
		if (p[4] == group)
			failed += !run_script(js, p + 4, name, text, (size_t)((next != NULL ? next : scripts_end) - text));
		p = next;
	}
	return failed;
}

/* Calls a function of glue.js; its result is on the stack. */
static void
call_glue(duk_context *js, const char *function, const char *language, const char *source, size_t n)
{
	duk_get_global_string(js, function);
	duk_push_string(js, language);
	duk_push_lstring(js, source, n);
	duk_pcall(js, 2);
}

/* Puts the answer as text on the stack; "" on failure. */
static void
set_source(duk_context *js, const char *kind, const char *language, const char *source, size_t n)
{
	static int all_languages, formulas;
	int math = strcmp(kind, "math") == 0, *loaded = math ? &formulas : &all_languages;

	if (math && !formulas)
		load_group(js, '=');
	if (math)
		formulas = 1;
	call_glue(js, math ? "set_math" : "set_code", language, source, n);
	/* undefined: the language is not loaded yet. */
	if (duk_is_undefined(js, -1) && !*loaded) {
		*loaded = 1;
		duk_pop(js);
		load_group(js, '-');
		call_glue(js, "set_code", language, source, n);
	}
	if (!duk_is_string(js, -1)) {
		duk_pop(js);
		duk_push_string(js, "");
	}
}

static int
serve_requests(duk_context *js)
{
	static char source[SOURCE_MAX];
	char kind[8], language[64];
	const char *out;
	size_t n, got;

	/*
	 * Report readiness, so that the caller does not count the loading of the scripts as time of
	 * the first text.
	 */
	fputs(TYPESET_READY, stdout);
	fflush(stdout);
	/*
	 * A malformed question ends the process, since the start of the next one could not be
	 * found.
	 */
	while (scanf("%7s %63s %zu", kind, language, &n) == 3 && getchar() == '\n' && n <= SOURCE_MAX) {
		for (got = 0; got < n; ) {
			size_t part = fread(source + got, 1, n - got, stdin);
			if (part == 0)
				return 0;
			got += part;
		}
		set_source(js, kind, language, source, n);
		out = duk_get_lstring(js, -1, &n);
		printf("%08zu\n", n);
		fwrite(out, 1, n, stdout);
		fflush(stdout);
		duk_pop(js);
	}
	return 0;
}

int
main(void)
{
	/*
	 * Allow three descriptors: input, output and errors. Code that exploits a hole in the
	 * engine cannot open a file.
	 */
	struct rlimit memory = { MEMORY, MEMORY }, none = { 0, 0 }, files = { 3, 3 };
	duk_context *js;
	int rc = 1;

#if !defined(__SANITIZE_ADDRESS__)
	setrlimit(RLIMIT_DATA, &memory);
#else
	(void)memory;
#endif
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_NOFILE, &files);
	js = duk_create_heap_default();
	if (js == NULL)
		return 1;
	/* With OCTAVO_TYPESET_CHECK set, a test checks that all scripts load. */
	if (getenv("OCTAVO_TYPESET_CHECK") != NULL)
		rc = load_group(js, '+') + load_group(js, '-') + load_group(js, '=') == 0 ? 0 : 1;
	else if (load_group(js, '+') == 0)
		rc = serve_requests(js);
	duk_destroy_heap(js);
	return rc;
}
