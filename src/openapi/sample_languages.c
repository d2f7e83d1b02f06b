/*
 * Writes a sample of a request in each language, and encodes values for addresses. Names and values
 * of headers and fields contain no line breaks (sample.c), so no sample can contain a second
 * request.
 */
#include "sample.h"

void
add_encoded(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		/* isalpha() depends on the locale, and a negative char is invalid for it. */
		if ((*s | 32) >= 'a' && (*s | 32) <= 'z')
			buf_char(b, *s);
		else if ((*s >= '0' && *s <= '9') || strchr("-._~", *s) != NULL)
			buf_char(b, *s);
		else
			buf_printf(b, "%%%02X", (unsigned char)*s);
	}
}

/* Escapes text inside '…' of a shell. */
static void
shell_text(struct buf *b, const char *s)
{
	buf_char(b, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_str(b, "'\\''");
		else
			buf_char(b, *s);
	}
	buf_char(b, '\'');
}

/* A JSON string is also a string literal of JavaScript, Python, Go, Java and C#. */
static void
put_json_string(struct buf *b, const char *s)
{
	struct json j;

	json_init(&j, b);
	json_str(&j, s);
}

/* Writes a text between double quotes, with a prefix and a suffix. */
static void
put_quoted(struct buf *b, const char *before, const char *text, const char *after)
{
	buf_str(b, before);
	put_json_string(b, text);
	buf_str(b, after);
}

/*
 * True if the sample must set the type of the body. A language sets that of multipart forms itself,
 * with the boundary.
 */
static bool
sends_type(const struct request *r)
{
	return r->type != NULL && r->kind != BODY_MULTIPART;
}

/*
 * A field of a form. Values are sent as they are: -F would read a file for a value that begins with
 * @ or <. The name of an urlencoded field must already be encoded. -F ends the name at the first
 * "="; the rest could name any file of the reader, so a file field with such a name is omitted.
 */
static void
curl_field(struct buf *b, const struct request *r, const struct form_field *field)
{
	struct buf name;

	if (r->kind == BODY_FORM) {
		buf_init(&name, r->t->arena, 1 << 20);
		add_encoded(&name, field->name);
		buf_str(b, " \\\n  --data-urlencode ");
		shell_text(b, arena_printf(r->t->arena, "%s=%s", name.n > 0 ? name.p : "", field->value));
	} else if (!field->file) {
		buf_str(b, " \\\n  --form-string ");
		shell_text(b, arena_printf(r->t->arena, "%s=%s", field->name, field->value));
	} else if (strchr(field->name, '=') == NULL) {
		buf_str(b, " \\\n  -F ");
		shell_text(b, arena_printf(r->t->arena, "%s=@FILE", field->name));
	}
}

/* Continued lines end with a backslash, so that the whole sample can be pasted. */
static bool
write_curl(struct buf *b, const struct request *r)
{
	struct arena *a = r->t->arena;
	size_t i;

	/* An address that begins with a hyphen would be an option. */
	buf_printf(b, "curl -X %s %s", r->method, *r->url == '-' ? "--url " : "");
	shell_text(b, r->url);
	for (i = 0; i < r->header_count; i++) {
		buf_str(b, " \\\n  -H ");
		shell_text(b, arena_printf(a, "%s: %s", r->headers[i].name, r->headers[i].value));
	}
	/* curl sets the type itself for -F, --form-string and --data-urlencode. */
	if (sends_type(r) && r->kind != BODY_FORM) {
		buf_str(b, " \\\n  -H ");
		shell_text(b, arena_printf(a, "Content-Type: %s", r->type));
	}
	for (i = 0; i < r->field_count; i++)
		curl_field(b, r, &r->fields[i]);
	if (r->kind == BODY_FILE) {
		buf_str(b, " \\\n  --data-binary ");
		shell_text(b, "@FILE");
	} else if (r->kind == BODY_TEXT || r->kind == BODY_JSON) {
		/* -d would read a file if the text begins with @. */
		buf_str(b, *r->text == '@' ? " \\\n  --data-raw " : " \\\n  -d ");
		shell_text(b, r->text);
	}
	return true;
}

/* Writes each header as "name": "value" on its own line. type: also Content-Type, if the request sends one. */
static void
header_lines(struct buf *b, const struct request *r, const char *indent, const char *between, bool type)
{
	size_t i;
	bool some = false;

	for (i = 0; i < r->header_count + (type && sends_type(r)); i++) {
		bool own = i == r->header_count;
		buf_str(b, some ? ",\n" : "");
		put_quoted(b, indent, own ? "Content-Type" : r->headers[i].name, between);
		put_json_string(b, own ? r->type : r->headers[i].value);
		some = true;
	}
	buf_str(b, some ? "\n" : "");
}

/* Writes each field of the form that is not a file, in the same way. */
static void
field_lines(struct buf *b, const struct request *r, const char *indent, const char *between)
{
	size_t i;
	bool some = false;

	for (i = 0; i < r->field_count; i++) {
		if (r->fields[i].file)
			continue;
		buf_str(b, some ? ",\n" : "");
		put_quoted(b, indent, r->fields[i].name, between);
		put_json_string(b, r->fields[i].value);
		some = true;
	}
	buf_str(b, some ? "\n" : "");
}

static bool
has_headers(const struct request *r, bool type)
{
	return r->header_count > 0 || (type && sends_type(r));
}

static bool
write_javascript(struct buf *b, const struct request *r)
{
	size_t i;

	if (r->kind == BODY_MULTIPART) {
		buf_str(b, "const form = new FormData();\n");
		for (i = 0; i < r->field_count; i++) {
			put_quoted(b, "form.append(", r->fields[i].name, ", ");
			/* The file that a reader selected in <input type=file>. */
			if (r->fields[i].file)
				buf_str(b, "input.files[0]");
			else
				put_json_string(b, r->fields[i].value);
			buf_str(b, ");\n");
		}
	}
	put_quoted(b, "const response = await fetch(", r->url, ", {\n  method: ");
	put_json_string(b, r->method);
	/* With URLSearchParams, fetch() sets the type itself. */
	if (has_headers(r, r->kind != BODY_FORM)) {
		buf_str(b, ",\n  headers: {\n");
		header_lines(b, r, "    ", ": ", r->kind != BODY_FORM);
		buf_str(b, "  }");
	}
	if (r->kind == BODY_JSON) {
		buf_printf(b, ",\n  body: JSON.stringify(%s)", r->text);
	} else if (r->kind == BODY_TEXT) {
		put_quoted(b, ",\n  body: ", r->text, "");
	} else if (r->kind == BODY_FORM) {
		buf_str(b, ",\n  body: new URLSearchParams({\n");
		field_lines(b, r, "    ", ": ");
		buf_str(b, "  })");
	} else if (r->kind != BODY_NONE) {
		buf_str(b, r->kind == BODY_FILE ? ",\n  body: input.files[0]" : ",\n  body: form");
	}
	buf_str(b, "\n});\nconst data = await response.json();");
	return true;
}

/* Writes JSON as a Python literal, in which True, False and None are spelled differently. */
static void
python_value(struct buf *b, const struct value *v, unsigned depth)
{
	const struct value *m;
	struct json j;

	json_init(&j, b);
	if (v->kind < VALUE_LIST || v->first == NULL) {
		if (v->kind <= VALUE_TRUE)
			buf_str(b, v->kind == VALUE_NULL ? "None" : v->kind == VALUE_TRUE ? "True" : "False");
		else
			value_write(&j, v);
		return;
	}
	buf_char(b, v->kind == VALUE_MAP ? '{' : '[');
	for (m = v->first; m != NULL; m = m->next) {
		buf_printf(b, "\n%*s", (int)(depth * 4 + 4), "");
		if (v->kind == VALUE_MAP) {
			json_init(&j, b);
			json_strn(&j, value_key(m));
			buf_str(b, ": ");
		}
		python_value(b, m, depth + 1);
		buf_str(b, m->next != NULL ? "," : "");
	}
	buf_printf(b, "\n%*s%c", (int)(depth * 4), "", v->kind == VALUE_MAP ? '}' : ']');
}

/* Fields of a form: data={…}, files={…}. */
static void
python_form(struct buf *b, const struct request *r)
{
	size_t i;

	buf_str(b, ",\n    data={\n");
	field_lines(b, r, "        ", ": ");
	buf_str(b, "    }");
	if (r->kind != BODY_MULTIPART)
		return;
	buf_str(b, ",\n    files={\n");
	for (i = 0; i < r->field_count; i++)
		if (r->fields[i].file)
			put_quoted(b, "        ", r->fields[i].name, ": open(\"FILE\", \"rb\"),\n");
	buf_str(b, "    }");
}

static bool
write_python(struct buf *b, const struct request *r)
{
	/* The library requests sets the type of JSON and forms itself. */
	bool type = r->kind == BODY_TEXT || r->kind == BODY_FILE || (r->kind == BODY_JSON && strcmp(r->type, "application/json") != 0);

	buf_printf(b, "import requests\n\nresponse = requests.request(\n    \"%s\",\n    ", r->method);
	put_json_string(b, r->url);
	if (has_headers(r, type)) {
		buf_str(b, ",\n    headers={\n");
		header_lines(b, r, "        ", ": ", type);
		buf_str(b, "    }");
	}
	if (r->kind == BODY_JSON) {
		buf_str(b, ",\n    json=");
		python_value(b, r->json, 1);
	} else if (r->kind == BODY_TEXT) {
		put_quoted(b, ",\n    data=", r->text, "");
	} else if (r->kind == BODY_FILE) {
		buf_str(b, ",\n    data=open(\"FILE\", \"rb\")");
	} else if (r->kind != BODY_NONE) {
		python_form(b, r);
	}
	buf_str(b, "\n)\ndata = response.json()");
	return true;
}

/* Go writes a multipart form to memory first. */
static void
go_multipart(struct buf *b, const struct request *r)
{
	size_t i;

	buf_str(b, "var body bytes.Buffer\nform := multipart.NewWriter(&body)\n");
	for (i = 0; i < r->field_count; i++) {
		if (r->fields[i].file) {
			put_quoted(b, "file, _ := os.Open(\"FILE\")\npart, _ := form.CreateFormFile(", r->fields[i].name,
			    ", \"FILE\")\nio.Copy(part, file)\n");
			continue;
		}
		put_quoted(b, "form.WriteField(", r->fields[i].name, ", ");
		put_quoted(b, "", r->fields[i].value, ")\n");
	}
	buf_str(b, "form.Close()\n");
}

static bool
write_go(struct buf *b, const struct request *r)
{
	const char *body = "nil";
	size_t i;

	if (r->kind == BODY_MULTIPART) {
		go_multipart(b, r);
		body = "&body";
	} else if (r->kind == BODY_FILE) {
		buf_str(b, "body, _ := os.Open(\"FILE\")\n");
		body = "body";
	} else if (r->kind != BODY_NONE) {
		/* Use a raw string, unless the text contains its quotes. */
		if (strchr(r->text, '`') == NULL)
			buf_printf(b, "body := strings.NewReader(`%s`)\n", r->text);
		else
			put_quoted(b, "body := strings.NewReader(", r->text, ")\n");
		body = "body";
	}
	buf_printf(b, "request, err := http.NewRequest(\"%s\", ", r->method);
	put_json_string(b, r->url);
	buf_printf(b, ", %s)\nif err != nil {\n\tlog.Fatal(err)\n}\n", body);
	for (i = 0; i < r->header_count; i++) {
		put_quoted(b, "request.Header.Set(", r->headers[i].name, ", ");
		put_quoted(b, "", r->headers[i].value, ")\n");
	}
	if (sends_type(r))
		put_quoted(b, "request.Header.Set(\"Content-Type\", ", r->type, ")\n");
	else if (r->type != NULL)
		buf_str(b, "request.Header.Set(\"Content-Type\", form.FormDataContentType())\n");
	buf_str(b, "response, err := http.DefaultClient.Do(request)\nif err != nil {\n\tlog.Fatal(err)\n}\n"
	    "defer response.Body.Close()\ndata, err := io.ReadAll(response.Body)");
	return true;
}

/* Escapes text inside '…' of PHP. */
static void
php_text(struct buf *b, const char *s)
{
	buf_char(b, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'' || *s == '\\')
			buf_char(b, '\\');
		buf_char(b, *s);
	}
	buf_char(b, '\'');
}

static void
php_fields(struct buf *b, const struct request *r)
{
	size_t i;

	for (i = 0; i < r->field_count; i++) {
		buf_str(b, "        ");
		php_text(b, r->fields[i].name);
		buf_str(b, " => ");
		if (r->fields[i].file)
			buf_str(b, "new CURLFile('FILE')");
		else
			php_text(b, r->fields[i].value);
		buf_str(b, ",\n");
	}
}

static bool
write_php(struct buf *b, const struct request *r)
{
	size_t i;

	buf_str(b, "<?php\n$curl = curl_init(");
	php_text(b, r->url);
	buf_printf(b, ");\ncurl_setopt_array($curl, [\n    CURLOPT_RETURNTRANSFER => true,\n    CURLOPT_CUSTOMREQUEST => '%s',\n", r->method);
	if (has_headers(r, r->kind != BODY_FORM)) {
		buf_str(b, "    CURLOPT_HTTPHEADER => [\n");
		for (i = 0; i < r->header_count + (sends_type(r) && r->kind != BODY_FORM); i++) {
			buf_str(b, "        ");
			php_text(b, i == r->header_count ? arena_printf(r->t->arena, "Content-Type: %s", r->type) :
			    arena_printf(r->t->arena, "%s: %s", r->headers[i].name, r->headers[i].value));
			buf_str(b, ",\n");
		}
		buf_str(b, "    ],\n");
	}
	if (r->kind == BODY_MULTIPART || r->kind == BODY_FORM) {
		buf_str(b, r->kind == BODY_FORM ? "    CURLOPT_POSTFIELDS => http_build_query([\n" : "    CURLOPT_POSTFIELDS => [\n");
		php_fields(b, r);
		buf_str(b, r->kind == BODY_FORM ? "    ]),\n" : "    ],\n");
	} else if (r->kind != BODY_NONE) {
		buf_str(b, "    CURLOPT_POSTFIELDS => ");
		if (r->kind == BODY_FILE)
			buf_str(b, "file_get_contents('FILE')");
		else
			php_text(b, r->text);
		buf_str(b, ",\n");
	}
	buf_str(b, "]);\n$response = curl_exec($curl);");
	return true;
}

/* Java's HTTP client does not support multipart forms. */
static bool
write_java(struct buf *b, const struct request *r)
{
	size_t i;

	if (r->kind == BODY_MULTIPART)
		return false;
	put_quoted(b, "HttpRequest request = HttpRequest.newBuilder()\n    .uri(URI.create(", r->url, "))\n");
	for (i = 0; i < r->header_count; i++) {
		put_quoted(b, "    .header(", r->headers[i].name, ", ");
		put_quoted(b, "", r->headers[i].value, ")\n");
	}
	if (sends_type(r))
		put_quoted(b, "    .header(\"Content-Type\", ", r->type, ")\n");
	buf_printf(b, "    .method(\"%s\", ", r->method);
	if (r->kind == BODY_FILE)
		buf_str(b, "HttpRequest.BodyPublishers.ofFile(Path.of(\"FILE\"))");
	else if (r->kind != BODY_NONE)
		put_quoted(b, "HttpRequest.BodyPublishers.ofString(", r->text, ")");
	else
		buf_str(b, "HttpRequest.BodyPublishers.noBody()");
	buf_str(b, ")\n    .build();\nHttpResponse<String> response = HttpClient.newHttpClient()\n"
	    "    .send(request, HttpResponse.BodyHandlers.ofString());");
	return true;
}

/* The content of the request. */
static void
csharp_content(struct buf *b, const struct request *r)
{
	size_t i;

	if (r->kind == BODY_FORM) {
		buf_str(b, "new FormUrlEncodedContent(new Dictionary<string, string> {\n");
		for (i = 0; i < r->field_count; i++) {
			put_quoted(b, "    { ", r->fields[i].name, ", ");
			put_quoted(b, "", r->fields[i].value, " },\n");
		}
		buf_str(b, "})");
	} else if (r->kind == BODY_MULTIPART) {
		buf_str(b, "new MultipartFormDataContent {\n");
		for (i = 0; i < r->field_count; i++) {
			if (r->fields[i].file)
				put_quoted(b, "    { new StreamContent(File.OpenRead(\"FILE\")), ", r->fields[i].name, ", \"FILE\" },\n");
			else {
				put_quoted(b, "    { new StringContent(", r->fields[i].value, "), ");
				put_quoted(b, "", r->fields[i].name, " },\n");
			}
		}
		buf_str(b, "}");
	} else if (r->kind == BODY_FILE) {
		buf_str(b, "new StreamContent(File.OpenRead(\"FILE\"))");
	} else {
		put_quoted(b, "new StringContent(", r->text, ", Encoding.UTF8, ");
		put_quoted(b, "", r->type, ")");
	}
}

static bool
write_csharp(struct buf *b, const struct request *r)
{
	size_t i;

	buf_printf(b, "using var client = new HttpClient();\nvar request = new HttpRequestMessage(new HttpMethod(\"%s\"), ", r->method);
	put_json_string(b, r->url);
	buf_str(b, ");\n");
	for (i = 0; i < r->header_count; i++) {
		put_quoted(b, "request.Headers.TryAddWithoutValidation(", r->headers[i].name, ", ");
		put_quoted(b, "", r->headers[i].value, ");\n");
	}
	if (r->kind != BODY_NONE) {
		buf_str(b, "request.Content = ");
		csharp_content(b, r);
		buf_str(b, ";\n");
	}
	buf_str(b, "var response = await client.SendAsync(request);\nvar data = await response.Content.ReadAsStringAsync();");
	return true;
}

static void
http_multipart(struct buf *b, const struct request *r)
{
	const char *c;
	size_t i;

	for (i = 0; i < r->field_count; i++) {
		buf_str(b, "\n--BOUNDARY\nContent-Disposition: form-data; name=\"");
		/* The name is quoted as browsers do it (WHATWG HTML, "multipart/form-data"). */
		for (c = r->fields[i].name; *c != '\0'; c++)
			buf_put(b, *c == '"' ? str_of("%22") : (struct str){ c, 1 });
		buf_printf(b, "\"%s\n\n%s", r->fields[i].file ? "; filename=\"FILE\"" : "",
		    r->fields[i].file ? "BYTES OF THE FILE" : r->fields[i].value);
	}
	buf_str(b, "\n--BOUNDARY--");
}

static bool
write_http(struct buf *b, const struct request *r)
{
	const char *host = strstr(r->url, "://"), *path;
	size_t i;

	/* A server's URL may be a template without a scheme. */
	host = host == NULL ? r->url : host + 3;
	path = host + strcspn(host, "/?");
	buf_printf(b, "%s %s%s HTTP/1.1\nHost: %.*s\n", r->method, *path == '/' ? "" : "/", path,
	    (int)(path - host), host);
	for (i = 0; i < r->header_count; i++)
		buf_printf(b, "%s: %s\n", r->headers[i].name, r->headers[i].value);
	if (r->type != NULL)
		buf_printf(b, "Content-Type: %s%s\n", r->type, r->kind == BODY_MULTIPART ? "; boundary=BOUNDARY" : "");
	if (r->kind == BODY_MULTIPART)
		http_multipart(b, r);
	else if (r->kind == BODY_FILE)
		buf_str(b, "\nBYTES OF THE FILE");
	else if (r->kind != BODY_NONE)
		buf_printf(b, "\n%s", r->text);
	return true;
}

const struct sample_language sample_languages[] = {
	{ "bash", "cURL", write_curl }, { "javascript", "JavaScript", write_javascript }, { "python", "Python", write_python },
	{ "go", "Go", write_go }, { "php", "PHP", write_php }, { "java", "Java", write_java }, { "csharp", "C#", write_csharp },
	{ "http", "HTTP", write_http }, { 0 }
};
