/*
 * Parsers of one text. MODE 1: YAML, which as JSON is valid; 2: JSON: what the scan accepts, cJSON reads, and
 * writes as a text that is accepted; 3: words of HTML; 4: addresses, and their parts; 5: the header of a
 * picture or font.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "app/download.h"
#include "app/stored.h"
#include "base/address.h"
#include "base/jpeg.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/slug.h"
#include "base/url.h"
#include "base/utf8.h"
#include "base/yaml.h"
#include "fuzz.h"
#include "markdown/document.h"
#include "markdown/html_text.h"

#ifndef MODE
#define MODE 1
#endif

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
parse_yaml(struct arena *a, struct str text)
{
	struct json_limits limits = { 200000, JSON_SCAN_DEPTH };
	const char *error = NULL;
	size_t line = 0;
	struct buf b;
	bool large;

	buf_init(&b, a, (size_t)64 << 20);
	if (!yaml_to_json(a, text, &b, &error, &line)) {
		must(error != NULL && utf8_valid(str_of(error)));
		return;
	}
	must(json_scan(a, buf_view(&b), &limits, &large) == NULL || large);
}

static void
parse_json(struct arena *a, struct str text)
{
	bool large = false;
	const char *error = json_scan(a, text, &json_limits_body, &large);
	cJSON *v;
	char *out;

	if (error != NULL) {
		must(utf8_valid(str_of(error)));
		return;
	}
	v = cJSON_ParseWithLength(text.p, text.n);
	must(v != NULL);
	(void)json_repeats(v);
	out = cJSON_PrintUnformatted(v);
	must(out != NULL && json_scan(a, str_of(out), &json_limits_body, &large) == NULL);
}

static void
parse_html(struct arena *a, struct str text)
{
	struct str words = html_text(a, text);

	(void)doc_html_fault(text, 200);
	(void)looks_like_html(text);
	must(utf8_valid(words) || !utf8_valid(text));
}

static const char *
no_setting(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "OCTAVO_DIR") == 0 ? "/nowhere" : strcmp(name, "OCTAVO_URL") == 0 ? "https://example.com/docs" : NULL;
}

static void
parse_address(struct arena *a, const char *text)
{
	const char *why, *error, *shown = url_shown(a, text), *client;
	struct settings *set = settings_read(a, no_setting, NULL, &error);
	char *decoded = url_decode(a, str_of(text), true);

	must(decoded == NULL || utf8_valid(str_of(decoded)));
	/* What is encoded reads back as it was. */
	must(str_eq(url_unescape(a, str_of(url_segment(a, str_of(text)))), str_of(text)));
	must(same_text(shown, url_shown(a, shown)));
	must(*slug_from_title(a, str_of(text)) != '\0');
	must(address_host(a, str_of(text), &why) != NULL || why != NULL);
	(void)address_refuse_literal(text);
	(void)address_refuse_host(a, text);
	(void)address_refuse_url(a, text, false);
	(void)is_own_origin(set, text);
	(void)url_below(set, NULL, str_of(text), "/v1");
	client = address_client(a, "127.0.0.1 10.0.0.0/8", "127.0.0.1", text);
	must(client != NULL && address_list_fault(a, client) == NULL);
}

static void
parse_image(struct str bytes)
{
	static const char *const names[] = { "a.png", "a.jpg", "a.gif", "a.webp", "a.avif", "a.svg", "a.ico", "a.woff", "a.woff2", "a" };
	struct jpeg_header header;
	int width, height;

	must(!jpeg_look(bytes, &header) || (header.turn >= 1 && header.turn <= 8));
	(void)image_size(bytes, &width, &height);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)stored_bytes_fault(names[i], bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();
	struct str text = { (const char *)data, size };

	if (size <= 65536) {
		json_arena(a);
		switch (MODE) {
		case 1: parse_yaml(a, text); break;
		case 2: parse_json(a, text); break;
		case 3: parse_html(a, text); break;
		case 4: parse_address(a, fuzz_text(a, data, size)); break;
		default: parse_image(text);
		}
		json_arena(NULL);
	}
	arena_free(a);
	return 0;
}
