/* Checks input against shapes. Output is in shape_row.c, schemas in shape_schema.c. */
#include <cjson/cJSON.h>
#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "http/shape.h"
#include "base/address.h"
#include "base/emoji.h"
#include "base/exact.h"
#include "base/role.h"
#include "base/sort.h"
#include "base/utf8.h"

const struct shape FileBytes = { "FileBytes", (const struct field[]){ { 0 } }, .flags = SHAPE_BYTES };

void
faults_init(struct faults *f, struct arena *a)
{
	f->arena = a;
	f->first = NULL;
	f->last = &f->first;
	f->count = 0;
}

void
faults_add(struct faults *f, const char *path, const char *fmt, ...)
{
	struct fault *one;
	va_list ap;

	/* Enough for correcting the input; hostile input could have 200,000 faults. */
	if (f->count++ >= 50)
		return;
	one = arena_alloc(f->arena, sizeof(*one));
	one->path = path;
	va_start(ap, fmt);
	one->message = arena_vprintf(f->arena, fmt, ap);
	va_end(ap);
	*f->last = one;
	f->last = &one->next;
}

/* Edit distance (Levenshtein), for names up to 40 bytes; 99 beyond. */
static unsigned
edit_distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), i, j;
	/* One row of the matrix suffices. diagonal, up: values of the former row, to the left of j and at j. */
	unsigned row[41], diagonal, up;

	if (n > 40 || m > 40)
		return 99;
	for (j = 0; j <= m; j++)
		row[j] = (unsigned)j;
	for (i = 1; i <= n; i++) {
		diagonal = row[0];
		row[0] = (unsigned)i;
		for (j = 1; j <= m; j++) {
			unsigned best = diagonal + (a[i - 1] != b[j - 1]);
			up = row[j];
			if (up + 1 < best)
				best = up + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = up;
			row[j] = best;
		}
	}
	return row[m];
}

/* The name of the most similar field, for a message about an unknown name; NULL: none is similar. */
const char *
shape_nearest(const struct shape *s, const char *name)
{
	const struct field *f;
	const char *best = NULL;
	size_t n = strlen(name);
	/* A short name is similar only if few of its letters differ. */
	unsigned least = n < 4 ? 1 + (unsigned)n / 2 : n > 8 ? 4 : 3, d;

	for (f = s->fields; f != NULL && f->name != NULL; f++) {
		d = strcasecmp(f->name, name) == 0 ? 0 : edit_distance(f->name, name);
		if (d < least) {
			least = d;
			best = f->name;
		}
	}
	return best;
}

/* A set is one literal, "a,b,c", so that the description and messages can contain it as it is. */
bool
set_has(const char *set, const char *s)
{
	size_t n = strlen(s);
	const char *p = set;

	while (p != NULL && n > 0) {
		const char *end = strchr(p, ',');
		size_t len = end == NULL ? strlen(p) : (size_t)(end - p);
		if (len == n && memcmp(p, s, n) == 0)
			return true;
		p = end == NULL ? NULL : end + 1;
	}
	return false;
}

static bool
matches_pattern(const char *pattern, const char *s)
{
	regex_t re;
	bool ok;

	/* Compiled each time: few fields have a pattern, and a worker keeps no state for them. */
	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	ok = regexec(&re, s, 0, NULL, 0) == 0;
	regfree(&re);
	return ok;
}

static void
check_text(struct faults *fs, const struct field *f, const char *s, const char *path)
{
	/* Count code points, as the published schema does, not bytes. */
	int64_t n = (int64_t)utf8_count(str_of(s));

	if (f->min > 0 && n < f->min)
		faults_add(fs, path, "must have at least %lld characters, has %lld",
		    (long long)f->min, (long long)n);
	else if (f->max > 0 && n > f->max)
		faults_add(fs, path, "must have at most %lld characters, has %lld",
		    (long long)f->max, (long long)n);
	else if (f->pattern != NULL && !matches_pattern(f->pattern, s))
		faults_add(fs, path, "must %s %s", f->want != NULL ? "be" : "match",
		    f->want != NULL ? f->want : f->pattern);
}

/*
 * True if s has a character that no URI contains (RFC 3986, section 2). Browsers drop or
 * reinterpret such characters, so the address that they open would not be the one that people see.
 */
static bool
has_forbidden_character(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s <= ' ' || (unsigned char)*s >= 0x7f || strchr("<>\"\\", *s) != NULL)
			return true;
	return false;
}

/* The error if the text after "://" begins with no valid host; otherwise NULL. */
static const char *
host_fault(struct faults *fs, const char *at)
{
	struct str authority = { at, strcspn(at, "/?#") };
	const char *user = memrchr(at, '@', authority.n), *why;

	if (user == at)
		return "it names no host";
	if (user != NULL)
		authority = str_slice(authority, (size_t)(user + 1 - at), authority.n);
	return address_host(fs->arena, authority, &why) != NULL ? NULL : why;
}

static void
check_uri(struct faults *fs, const struct field *f, const char *s, const char *path)
{
	const char *host = strncmp(s, "https://", 8) == 0 ? s + 8 :
	    strncmp(s, "http://", 7) == 0 ? s + 7 : NULL;
	const char *why;

	if (host == NULL)
		faults_add(fs, path, "must be an absolute http or https address");
	else if (has_forbidden_character(s))
		faults_add(fs, path, "must be an absolute http or https address, in which blanks, <, >, \", \\ and letters beyond ASCII are "
		    "percent-encoded (in a host: in their xn-- form)");
	else if ((why = host_fault(fs, host)) != NULL)
		faults_add(fs, path, "must be an absolute http or https address: %s", why);
	else
		check_text(fs, f, s, path);
}

static void
check_string(struct faults *fs, const struct field *f, const char *s, const char *path)
{
	int64_t ms;

	/* The published client sends "" to remove a value. */
	if ((f->flags & F_EMPTY) != 0 && *s == '\0')
		return;
	switch (f->type) {
	case T_CONST:
	case T_ENUM:
		if (!set_has(f->set, s))
			faults_add(fs, path, "must be one of %s", f->set);
		break;
	case T_ROLE:
		if (role_number(s) == ROLE_NONE)
			faults_add(fs, path, "must be one of admin, create, review, edit, comment, read");
		break;
	case T_LEVEL:
		if (role_number(s) == ROLE_NONE && strcmp(s, "inherit") != 0)
			faults_add(fs, path,
			    "must be one of admin, create, review, edit, comment, read, inherit, or null");
		break;
	case T_TIME:
		if (!time_parse(s, &ms))
			faults_add(fs, path, "must be a date-time such as 2026-01-31T09:30:00Z");
		break;
	case T_EMOJI:
		if (emoji_key(fs->arena, s) == NULL)
			faults_add(fs, path, "must be one emoji: its characters, or their code points in "
			    "hexadecimal joined by \"-\", such as 1f44d");
		break;
	case T_URI:
		check_uri(fs, f, s, path);
		break;
	default:
		check_text(fs, f, s, path);
	}
}

static void
check_number(struct faults *fs, const struct field *f, double n, const char *path)
{
	/* Beyond 2^53 a double skips integers, and the cast to one is undefined beyond 2^63. */
	if (f->type == T_INT && (n != floor(n) || fabs(n) > (double)EXACT_MAX))
		faults_add(fs, path, "must be a whole number");
	else if (!isfinite(n))
		faults_add(fs, path, "is out of range");
	else if ((f->min != 0 || f->max != 0) && (n < (double)f->min || n > (double)f->max))
		faults_add(fs, path, "must be from %lld to %lld", (long long)f->min,
		    (long long)f->max);
}

const char *
pointer_below(struct arena *a, const char *path, const char *name)
{
	struct buf b;

	if (strpbrk(name, "~/") == NULL)
		return arena_printf(a, "%s/%s", path, name);
	buf_init(&b, a, strlen(path) + strlen(name) * 2 + 1);
	buf_str(&b, path);
	buf_char(&b, '/');
	for (; *name != '\0'; name++)
		if (*name == '~' || *name == '/')
			buf_str(&b, *name == '~' ? "~0" : "~1");
		else
			buf_char(&b, *name);
	return b.p;
}

static void check_value(struct faults *fs, const struct field *f, const cJSON *v, const char *path);

static void
check_list(struct faults *fs, const struct field *f, const cJSON *v, const char *path)
{
	const cJSON *item;
	int n = cJSON_GetArraySize(v), i = 0;

	if (f->max > 0 && n > f->max)
		faults_add(fs, path, "must have at most %lld items, has %d", (long long)f->max, n);
	if (f->min > 0 && n < f->min)
		faults_add(fs, path, "must have at least %lld items", (long long)f->min);
	cJSON_ArrayForEach(item, v) {
		const char *at = arena_printf(fs->arena, "%s/%d", path, i++);
		if (f->item != NULL)
			check_value(fs, f->item, item, at);
		else if (!cJSON_IsObject(item))
			faults_add(fs, at, "must be an object");
		else
			shape_check(fs, f->of, item, at);
		if (fs->count > 50)
			return;
	}
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Reports repeated names. The names are sorted, so that equal ones are adjacent: comparing each
 * with all others would be slow for a hostile map.
 */
static void
check_map_names(struct faults *fs, const cJSON *v, const char *path)
{
	size_t n = (size_t)cJSON_GetArraySize(v), i = 0;
	const char **names = arena_array(fs->arena, n, sizeof(*names));
	const cJSON *item;

	cJSON_ArrayForEach(item, v)
		names[i++] = item->string;
	sort_list(names, n, sizeof(*names), compare_names);
	for (i = 1; i < n && fs->count <= 50; i++)
		if (strcmp(names[i - 1], names[i]) == 0)
			faults_add(fs, pointer_below(fs->arena, path, names[i]), "is there twice");
}

static void
check_map(struct faults *fs, const struct field *f, const cJSON *v, const char *path)
{
	const cJSON *item;

	check_map_names(fs, v, path);
	cJSON_ArrayForEach(item, v) {
		if (fs->count > 50)
			return;
		const char *at = pointer_below(fs->arena, path, item->string);
		if (f->item != NULL)
			check_value(fs, f->item, item, at);
		else
			shape_check(fs, f->of, item, at);
	}
}

static const char *
type_words(enum field_type t)
{
	switch (t) {
	case T_INT:    return "a whole number";
	case T_NUMBER: return "a number";
	case T_BOOL:   return "true or false";
	case T_OBJECT:
	case T_MAP:    return "an object";
	case T_LIST:   return "a list";
	case T_EITHER: return "a string or an object";
	default:       return "a string";
	}
}

static bool
has_type(enum field_type t, const cJSON *v)
{
	switch (t) {
	case T_INT:
	case T_NUMBER: return cJSON_IsNumber(v);
	case T_BOOL:   return cJSON_IsBool(v);
	case T_OBJECT:
	case T_MAP:    return cJSON_IsObject(v);
	case T_LIST:   return cJSON_IsArray(v);
	case T_EITHER: return cJSON_IsString(v) || cJSON_IsObject(v);
	case T_ANY:    return true;
	default:       return cJSON_IsString(v);
	}
}

static void
check_value(struct faults *fs, const struct field *f, const cJSON *v, const char *path)
{
	if (cJSON_IsNull(v) && f->type != T_ANY) {
		if (!(f->flags & F_NULL) && f->type != T_LEVEL)
			faults_add(fs, path, "must not be null");
		return;
	}
	if (!has_type(f->type, v)) {
		faults_add(fs, path, "must be %s", type_words(f->type));
		return;
	}
	if (f->flags & F_TYPE_ONLY)
		return;
	if (f->type == T_OBJECT || (f->type == T_EITHER && cJSON_IsObject(v)))
		shape_check(fs, f->of, v, path);
	else if (f->type == T_LIST)
		check_list(fs, f, v, path);
	else if (f->type == T_MAP)
		check_map(fs, f, v, path);
	else if (cJSON_IsString(v))
		check_string(fs, f->type == T_EITHER ? f->item : f, v->valuestring, path);
	else if (cJSON_IsNumber(v))
		check_number(fs, f, v->valuedouble, path);
}

static const struct field *
find_field(const struct shape *s, const char *name)
{
	const struct field *f;

	for (f = s->fields; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* True if an earlier member has the same name. Called only for names that the shape knows, so the search is short. */
static bool
is_repeated(const cJSON *object, const cJSON *member)
{
	const cJSON *m;

	for (m = object->child; m != member; m = m->next)
		if (strcmp(m->string, member->string) == 0)
			return true;
	return false;
}

static void
check_members(struct faults *fs, const struct shape *s, const cJSON *v, const char *path)
{
	const cJSON *m;

	cJSON_ArrayForEach(m, v) {
		const struct field *f = find_field(s, m->string);
		const char *at = pointer_below(fs->arena, path, m->string);
		const char *near;
		if (f != NULL && is_repeated(v, m))
			faults_add(fs, at, "is there twice");
		else if (f != NULL)
			check_value(fs, f, m, at);
		else if (!(s->flags & SHAPE_OPEN) && (near = shape_nearest(s, m->string)) != NULL)
			faults_add(fs, at, "is not known here; did you mean \"%s\"?", near);
		else if (!(s->flags & SHAPE_OPEN))
			faults_add(fs, at, "is not known here");
		if (fs->count > 50)
			return;
	}
}

static void
check_required(struct faults *fs, const struct shape *s, const cJSON *v, const char *path)
{
	const struct field *f;

	for (f = s->fields; f->name != NULL; f++)
		if ((f->flags & F_REQ) && cJSON_GetObjectItemCaseSensitive(v, f->name) == NULL)
			faults_add(fs, arena_printf(fs->arena, "%s/%s", path, f->name), "is required");
	if ((s->flags & SHAPE_SOME) && v->child == NULL)
		faults_add(fs, path, "must have at least one member");
}

/* True if v has the value of each T_CONST member, which distinguishes the variants of a union. */
static bool
matches_variant(const struct shape *s, const cJSON *v)
{
	const struct field *f;
	const cJSON *m;

	for (f = s->fields; f->name != NULL; f++) {
		if (f->type != T_CONST)
			continue;
		m = cJSON_GetObjectItemCaseSensitive(v, f->name);
		if (!cJSON_IsString(m) || !set_has(f->set, m->valuestring))
			return false;
	}
	return true;
}

static const struct field *
const_field(const struct shape *s)
{
	const struct field *f;

	for (f = s->fields; f->name != NULL; f++)
		if (f->type == T_CONST)
			return f;
	return NULL;
}

/*
 * Reports that v matches no variant. If one T_CONST member distinguishes all variants, the fault is
 * reported at that member.
 */
static void
report_no_variant(struct faults *fs, const struct shape *s, const cJSON *v, const char *path)
{
	const struct field *f, *first = const_field(s->one_of[0]);
	const struct shape *const *one;
	struct buf known;

	buf_init(&known, fs->arena, 64 << 10);
	for (one = s->one_of; *one != NULL; one++) {
		f = const_field(*one);
		if (f == NULL || first == NULL || strcmp(f->name, first->name) != 0) {
			faults_add(fs, path, "matches none of the forms of %s", s->name);
			return;
		}
		buf_printf(&known, "%s%s", known.n > 0 ? "," : "", f->set);
	}
	faults_add(fs, arena_printf(fs->arena, "%s/%s", path, first->name), "%smust be one of %s",
	    cJSON_HasObjectItem(v, first->name) ? "" : "is required: it ", known.p);
}

static bool
check_variants(struct faults *fs, const struct shape *s, const cJSON *v, const char *path)
{
	const struct shape *const *one;

	for (one = s->one_of; *one != NULL; one++)
		if (matches_variant(*one, v))
			return shape_check(fs, *one, v, path);
	report_no_variant(fs, s, v, path);
	return false;
}

/* Checks one object of the shape, or a list of such objects. */
static void
check_one_or_list(struct faults *fs, const struct shape *s, const cJSON *v, const char *path)
{
	const cJSON *m;
	int i = 0;

	if (!cJSON_IsArray(v)) {
		shape_check(fs, s->one_or_list, v, path);
		return;
	}
	if (cJSON_GetArraySize(v) > s->list_max) {
		faults_add(fs, path, "must have at most %lld items", (long long)s->list_max);
		return;
	}
	cJSON_ArrayForEach(m, v)
		shape_check(fs, s->one_or_list, m, arena_printf(fs->arena, "%s/%d", path, i++));
}

bool
shape_check(struct faults *fs, const struct shape *s, const cJSON *v, const char *path)
{
	size_t before = fs->count;

	if (s->one_or_list != NULL) {
		check_one_or_list(fs, s, v, path);
		return fs->count == before;
	}
	if (!cJSON_IsObject(v)) {
		faults_add(fs, path, "must be an object");
		return false;
	}
	if (s->one_of != NULL)
		return check_variants(fs, s, v, path);
	check_members(fs, s, v, path);
	check_required(fs, s, v, path);
	return fs->count == before;
}
