/*
 * Engines that translate a batch of texts. The setting OCTAVO_TRANSLATE_<FROM>_<TO> selects the engine
 * of a pair of languages (OCTAVO_TRANSLATE_EN_ES, OCTAVO_TRANSLATE_PT_BR_EN). Its value is one of:
 *
 *   a command   a line for sh. It reads UTF-8 from standard input, one text a line, with an
 *               empty line between two texts, and writes the same number of texts in the
 *               same form. Its environment has OCTAVO_FROM, OCTAVO_TO and, if
 *               there are any, OCTAVO_INSTRUCTIONS (plain text) and OCTAVO_GLOSSARY
 *               (a JSON object of terms; empty if it is longer than 100 KiB). Octavo itself
 *               replaces the terms of the glossary in any case.
 *   an address  http(s)://… of a service with the API of LibreTranslate: POST
 *               <address>/translate { q: [texts], source, target, format: "text",
 *               api_key (OCTAVO_TRANSLATE_KEY) } gives { translatedText: [texts] }. The
 *               members instructions and glossary are added if there are any. The address
 *               may be on loopback; what it redirects to may not. Texts are sent to this
 *               server only, whatever it redirects to.
 *
 * If the setting is missing, Apertium is used, provided that it is installed with the pair.
 */
#ifndef OCTAVO_ENGINE_H
#define OCTAVO_ENGINE_H

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

struct engine {
	const char *from, *to;       /* as in the API: en, pt-br */
	const char *command;         /* NULL: url is set */
	const char *url;             /* NULL: command is set */
	const char *name;            /* the setting's value, or "apertium eng-spa" */
	size_t      texts, bytes;    /* limits of one batch; a single text may have more bytes */
};

/*
 * Finds the engine for a pair of languages; false: there is none, and *why says how to set one up.
 */
bool engine_find(struct arena *a, const char *from, const char *to, struct engine *out, const char **why);

/* Maximum length of a text that is sent, in bytes. */
enum { ENGINE_TEXT = 512 << 10 };

struct engine_batch {
	const struct settings *set;      /* dir, translate_seconds */
	const struct str *texts;         /* one line each */
	size_t            n;
	const char       *instructions;  /* "" for none */
	const char       *glossary;      /* JSON object of terms; "" for none */
	/* It is called from time to time during the work; false cancels it. May be NULL. */
	bool            (*tick)(void *ctx);
	void             *ctx;
	/*
	 * The results, n texts. p NULL: the engine's answer is not a translation, or the text was
	 * too long to send.
	 */
	struct str       *out;
};

/*
 * Translates the texts. False if the engine failed; *why is then a sentence. If an answer has the
 * wrong number of texts, the batch is sent again in halves, so that one text does not affect the
 * others. If nearly all answers of an engine are wrong, the work ends with a failure.
 */
bool engine_ask(struct arena *a, const struct engine *e, struct engine_batch *b, const char **why);

#endif
