/*
 * A page in print. Input that begins with "{" is the document's JSON, as a damaged cache or another
 * version might contain it; any other is Markdown. The colours of code are the input itself, the
 * MathML of formulas is the input from its first "<math" on. Whatever it contains, a PDF is made.
 * Images are left out: their decoders are third-party code.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "fuzz.h"
#include "markdown/document.h"
#include "pdf/pdf.h"

static struct str input;

static struct str
document_of_text(struct arena *a, const char *text)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, 64 << 20);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, str_of(text), NULL, NULL, NULL));
	return buf_view(&b);
}

static struct str
document(void *ctx, struct arena *a, const struct pdf_page *page)
{
	(void)ctx;
	(void)page;
	return input.n > 0 && input.p[0] == '{' ? input : document_of_text(a, input.p);
}

static bool
file(void *ctx, struct arena *a, const char *id, bool bytes, struct pdf_file *out)
{
	(void)ctx;
	(void)a;
	(void)bytes;
	*out = (struct pdf_file){ .name = id, .size = 7 };
	return *id != 'x';
}

static const char *
user(void *ctx, struct arena *a, const char *id)
{
	(void)ctx;
	(void)a;
	return id;
}

static struct str
markdown(void *ctx, struct arena *a, const char *text)
{
	(void)ctx;
	return document_of_text(a, text);
}

static struct str
code(void *ctx, struct arena *a, const char *syntax, struct str source)
{
	(void)ctx;
	(void)a;
	return strlen(syntax) % 2 == 0 ? input : source;
}

static struct str
math(void *ctx, struct arena *a, const char *formula, bool display)
{
	const char *from = memmem(input.p, input.n, "<math", 5);

	(void)ctx;
	(void)a;
	(void)display;
	if (from == NULL || *formula == 'x')
		return (struct str){ NULL, 0 };
	return str_slice(input, (size_t)(from - input.p), input.n);
}

static bool
progress(void *ctx, const char *stage, size_t done, size_t total)
{
	(void)ctx;
	(void)stage;
	(void)done;
	(void)total;
	return true;
}

static void
warn(void *ctx, const struct pdf_page *page, const char *message)
{
	(void)ctx;
	(void)page;
	if (*message == '\0')
		abort();
}

/* Makes a file in memory; returns its path, which is valid for the whole run. */
static const char *
memory_file(const char *text)
{
	static char paths[2][60];
	static size_t n;
	int fd = memfd_create("fuzz", 0);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	snprintf(paths[n], sizeof(paths[n]), "/proc/self/fd/%d", fd);
	return paths[n++];
}

/* Only one family of fonts: selecting among all installed ones would take most of the time. */
static const char *
prepare(void)
{
	setenv("FONTCONFIG_FILE", memory_file("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">"
	    "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir></fontconfig>"), 1);
	return memory_file("");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *path;
	struct arena *a;
	struct pdf_page second = { .id = "b", .title = "Second", .depth = 1 };
	struct pdf_page first = { .next = &second, .id = "a", .title = "First", .written = true };
	struct pdf_source s = { .title = "Fuzz", .language = "en", .pages = &first, .font = "", .document = document,
		.file = file, .user = user, .markdown = markdown, .code = code, .math = math, .progress = progress, .warn = warn };
	struct pdf_result r;

	if (size > 8192)
		return 0;
	if (path == NULL)
		path = prepare();
	a = fuzz_arena();
	input = str_of(fuzz_text(a, data, size));
	r = pdf_write(a, &s, path);
	if (r.error != NULL || r.sheets < 3) {
		fprintf(stderr, "%s, %zu sheets\n", r.error != NULL ? r.error : "written", r.sheets);
		abort();
	}
	json_arena(NULL);
	arena_free(a);
	return 0;
}
