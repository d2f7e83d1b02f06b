/* Writes examples in a readable form: bodies as indented JSON, as XML and as fields, parameters by name. */
#include "base/json.h"
#include "render_api.h"

const char *
example_form(struct render *r, const cJSON *v)
{
	const cJSON *one;
	struct buf b;

	buf_init(&b, r->arena, (size_t)64 << 20);
	buf_str(&b, "");
	cJSON_ArrayForEach(one, v)
		buf_printf(&b, "%s%s=%s", b.n > 0 ? "\n" : "", one->string, api_value_text(r, one));
	return b.p;
}

static void
row_example(struct render *r, const char *name, const cJSON *value)
{
	h_open(&r->h, "li");
	h_leaf(&r->h, "code", NULL, api_value_text(r, value));
	if (name != NULL) {
		h_text(&r->h, " ");
		render_about_line(r, name);
	}
	h_close(&r->h);
}

void
render_row_examples(struct render *r, const cJSON *holder)
{
	const cJSON *one, *named = json_member(holder, "examples"), *alone = json_member(holder, "example");
	const char *title;

	/* One that was made from the schema says nothing more than the schema. */
	if (json_flag_of(holder, "exampleMade") || (named != NULL && named->child != NULL))
		alone = NULL;
	if (alone == NULL && (named == NULL || named->child == NULL))
		return;
	h_el(&r->h, "ul", "class", "values", NULL);
	h_leaf(&r->h, "li", "limit", arena_printf(r->arena, "%s:", say(r, TEXT_EXAMPLE)));
	if (alone != NULL)
		row_example(r, NULL, alone);
	cJSON_ArrayForEach(one, named) {
		title = json_text_of(one, "summary") != NULL ? json_text_of(one, "summary") : one->string;
		if (json_member(one, "value") != NULL)
			row_example(r, title, json_member(one, "value"));
	}
	h_close(&r->h);
}

/* Writes the name of an element; characters that XML does not allow in names become "_". */
static void
xml_name(struct buf *b, const char *name)
{
	for (const char *p = name; *p != '\0'; p++) {
		bool letter = (*p | 32) >= 'a' && (*p | 32) <= 'z';
		buf_char(b, letter || *p == '_' || (unsigned char)*p >= 0x80 ||
		    (p > name && ((*p >= '0' && *p <= '9') || strchr("-.:", *p) != NULL)) ? *p : '_');
	}
}

static void
xml_text(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++) {
		const char *ref = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : *text == '"' ? "&quot;" : NULL;
		if (ref != NULL)
			buf_str(b, ref);
		else
			buf_char(b, *text);
	}
}

static void write_xml(struct schemas *s, struct buf *b, const char *name, const cJSON *v, const cJSON *schema, int depth);

/* Writes the members of an object that are attributes, or those that are not. */
static bool
xml_members(struct schemas *s, struct buf *b, const cJSON *v, const cJSON *schema, int depth, bool attributes)
{
	const cJSON *one, *of, *xml;
	const char *name;
	bool some = false;

	cJSON_ArrayForEach(one, v) {
		of = member_schema(s->set, schema, one->string);
		xml = json_member(plain_schema(s->set, of, &name), "xml");
		if (json_flag_of(xml, "attribute") != attributes)
			continue;
		some = true;
		name = json_text_of(xml, "name") != NULL ? json_text_of(xml, "name") : one->string;
		if (!attributes) {
			write_xml(s, b, name, one, of, depth);
			continue;
		}
		buf_char(b, ' ');
		xml_name(b, name);
		buf_str(b, "=\"");
		xml_text(b, api_value_text(s->r, one));
		buf_char(b, '"');
	}
	return some;
}

/* Writes the items of a list; inside an element for the list if it is wrapped. */
static void
xml_items(struct schemas *s, struct buf *b, const char *name, const cJSON *v, const cJSON *schema, int depth)
{
	const char *found;
	const cJSON *items = json_member(schema, "items"), *one, *xml = json_member(plain_schema(s->set, items, &found), "xml");
	bool wrapped = json_flag_of(json_member(schema, "xml"), "wrapped") || depth == 0;
	const char *each = json_text_of(xml, "name") != NULL ? json_text_of(xml, "name") : wrapped && found != NULL ? found : name;

	if (wrapped) {
		buf_printf(b, "%*s<", depth * 2, "");
		xml_name(b, name);
		buf_str(b, ">\n");
	}
	cJSON_ArrayForEach(one, v)
		write_xml(s, b, each, one, items, depth + wrapped);
	if (wrapped) {
		buf_printf(b, "%*s</", depth * 2, "");
		xml_name(b, name);
		buf_str(b, ">\n");
	}
}

static void
write_xml(struct schemas *s, struct buf *b, const char *name, const cJSON *v, const cJSON *schema, int depth)
{
	const char *found;
	const cJSON *own = plain_schema(s->set, schema, &found);

	if (depth > 20)
		return;
	if (cJSON_IsArray(v)) {
		xml_items(s, b, name, v, own, depth);
		return;
	}
	buf_printf(b, "%*s<", depth * 2, "");
	xml_name(b, name);
	if (cJSON_IsObject(v))
		xml_members(s, b, v, own, depth + 1, true);
	buf_char(b, '>');
	if (cJSON_IsObject(v)) {
		buf_char(b, '\n');
		xml_members(s, b, v, own, depth + 1, false);
		buf_printf(b, "%*s", depth * 2, "");
	} else if (v != NULL && !cJSON_IsNull(v)) {
		xml_text(b, api_value_text(s->r, v));
	}
	buf_str(b, "</");
	xml_name(b, name);
	buf_str(b, ">\n");
}

const char *
example_xml(struct schemas *s, const cJSON *v, const cJSON *schema)
{
	const char *name, *given = json_text_of(json_member(plain_schema(s->set, schema, &name), "xml"), "name");
	struct buf b;

	buf_init(&b, s->r->arena, (size_t)64 << 20);
	write_xml(s, &b, given != NULL ? given : name != NULL ? name : "root", v, schema, 0);
	return b.p;
}
