/*
 * Sections that a search hit, and the text around the hits. A hit's position gives the section;
 * only that section's text is read.
 */
#include "search_parts.h"

/* EXCERPT: bytes of an excerpt, two or three lines of a list. LEAD: bytes before the first hit. */
enum { EXCERPT = 220, LEAD = 60 };

struct hit_section {
	size_t   n;
	uint32_t groups;       /* groups with a hit in it */
	int      first;        /* position of its first hit in the text; -1: only the heading was hit */
	double   score;
};

uint32_t
entry_section_start(struct str starts, size_t i, int heading)
{
	uint32_t v;

	/* Two numbers per section, for body and headings. Copy them: a blob is not aligned. */
	memcpy(&v, starts.p + (i * 2 + (size_t)heading) * sizeof(v), sizeof(v));
	return v;
}

/* The last section that begins at or before the position. */
size_t
entry_section_at(struct str starts, int position, int heading)
{
	size_t lo = 0, hi = starts.n / 8, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (entry_section_start(starts, mid, heading) <= (uint32_t)position)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static struct hit_section *
get_section(struct hit_section *list, size_t *count, size_t n)
{
	size_t i;

	/* Hits come in text order, so the section is near the end of the list. */
	for (i = *count; i > 0; i--)
		if (list[i - 1].n == n)
			return &list[i - 1];
	list[*count] = (struct hit_section){ .n = n, .first = -1 };
	return &list[(*count)++];
}

/* List the hit sections with their scores. */
static size_t
gather_sections(const struct query *q, const double *idf, struct str starts, const struct db_hit *hits,
    int n, struct hit_section *list)
{
	size_t count = 0;
	int i, g;

	for (i = 0; i < n; i++) {
		bool heading = hits[i].column == IN_HEADING;
		struct hit_section *s;
		double w;
		/* Title and path belong to the page, not to a section. */
		if (!heading && hits[i].column != IN_BODY)
			continue;
		s = get_section(list, &count, entry_section_at(starts, hits[i].position, heading));
		g = q->phrases[hits[i].phrase].group;
		w = idf[g] * q->phrases[hits[i].phrase].weight;
		/* A repeated word counts little: a section with all words is better. */
		s->score += (s->groups >> g & 1) ? 0.05 * w : heading ? 1.5 * w : w;
		s->groups |= 1u << g;
		if (q->phrases[hits[i].phrase].literal && w == 0)
			s->score += idf[g];
		if (!heading && s->first < 0)
			s->first = hits[i].position - (int)entry_section_start(starts, s->n, 0);
	}
	return count;
}

/* Move the best ones to the front. */
static size_t
choose_best(struct hit_section *list, size_t count)
{
	size_t i, k;

	for (i = 0; i < count && i < SEARCH_SECTIONS; i++)
		for (k = i + 1; k < count; k++)
			if (list[k].score > list[i].score) {
				struct hit_section t = list[i];
				list[i] = list[k];
				list[k] = t;
			}
	return i;
}

/* The first byte of the character at i. */
static size_t
char_start(struct str s, size_t i)
{
	while (i > 0 && i < s.n && ((unsigned char)s.p[i] & 0xC0) == 0x80)
		i--;
	return i;
}

/* Start of the excerpt before a hit: a line, or a nearby word. */
static size_t
lead_in(struct str s, size_t at)
{
	size_t from = at > LEAD ? at - LEAD : 0, i;

	for (i = at; i > from; i--)
		if (s.p[i - 1] == '\n')
			return i;
	if (from == 0)
		return 0;
	for (i = from; i < at; i++)
		if (s.p[i] == ' ')
			return i + 1;
	return char_start(s, from);
}

/* End of the excerpt: the last blank within 40 bytes, else the end of a character. */
static size_t
lead_out(struct str s, size_t from)
{
	size_t to = from + EXCERPT, i;

	if (to >= s.n)
		return s.n;
	for (i = to; i > to - 40; i--)
		if (s.p[i] == ' ' || s.p[i] == '\n')
			return i;
	return char_start(s, to);
}

/*
 * Text around byte `at` as one line: line ends and control characters become blanks, runs of blanks
 * one.
 */
static const char *
write_excerpt(struct arena *a, struct str s, size_t at)
{
	size_t from = lead_in(s, at), to = lead_out(s, from), i, cut;
	struct buf b;

	buf_init(&b, a, EXCERPT + 64);
	if (from > 0)
		buf_str(&b, "…");
	/* Skip a blank right after the "…". */
	cut = b.n;
	for (i = from; i < to; i++) {
		char c = (unsigned char)s.p[i] <= ' ' ? ' ' : s.p[i];
		if (c != ' ' || (b.n > cut && b.p[b.n - 1] != ' '))
			buf_char(&b, c);
	}
	while (b.n > 0 && b.p[b.n - 1] == ' ')
		buf_cut(&b, 1);
	if (to < s.n)
		buf_str(&b, "…");
	return buf_view(&b).n == 0 ? "" : b.p;
}

/* Add a section to the hit, unless it has neither heading nor text. */
static void
show_section(struct arena *a, const struct doc_section *from, const struct hit_section *s, struct search_hit *h)
{
	struct search_section *out = &h->sections[h->section_count];
	struct str text = str_of(from->text);

	*out = (struct search_section){ .n = s->n, .anchor = from->anchor, .heading = from->heading };
	/* The description's words are indexed as headings of section 0: show the description. */
	if (s->n == 0 && s->first < 0 && *h->about != '\0')
		text = str_of(h->about);
	out->excerpt = write_excerpt(a, text, s->first <= 0 ? 0 : words_locate(text, (size_t)s->first));
	if (*out->excerpt != '\0' || *out->heading != '\0')
		h->section_count++;
}

void
search_excerpts(struct db *db, struct arena *a, const struct search_kept *kept, struct str starts,
    const struct candidate *c, struct search_hit *h)
{
	struct hit_section *list = arena_array(a, (size_t)c->count + 1, sizeof(*list));
	struct doc_section *sections;
	size_t count, i, all, first = 0;

	count = choose_best(list, gather_sections(kept->query, kept->idf, starts, c->hits, c->count, list));
	/* Only the title or the path matched, so the beginning of the page is shown. */
	if (count == 0)
		list[count++] = (struct hit_section){ .n = 0, .first = -1 };
	for (i = 0; i < count; i++)
		first = list[i].n >= first ? list[i].n + 1 : first;
	sections = entry_sections(db, a, h->no, SIZE_MAX, first, &all);
	for (i = 0; i < count; i++)
		if (list[i].n < all)
			show_section(a, &sections[list[i].n], &list[i], h);
}
