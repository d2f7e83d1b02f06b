/* Properties of single characters in formulas. Contract: math.h. */
#include <string.h>

#include "base/utf8.h"
#include "math.h"

uint32_t
math_character(const char *s)
{
	uint32_t cp;
	size_t n = utf8_next(str_of(s), &cp);

	return n > 0 && s[n] == '\0' ? cp : 0;
}

char
math_plain_letter(uint32_t cp)
{
	/*
	 * Letters that are older than the block Mathematical Alphanumeric Symbols (U+1D400), which leaves
	 * their places empty.
	 */
	static const struct { uint32_t cp; char plain; } older[] = { { 0x2102, 'C' }, { 0x210A, 'g' }, { 0x210B, 'H' },
		{ 0x210C, 'H' }, { 0x210D, 'H' }, { 0x2110, 'I' }, { 0x2111, 'I' }, { 0x2112, 'L' }, { 0x2115, 'N' }, { 0x2119, 'P' },
		{ 0x211A, 'Q' }, { 0x211B, 'R' }, { 0x211C, 'R' }, { 0x211D, 'R' }, { 0x2124, 'Z' }, { 0x2128, 'Z' }, { 0x212C, 'B' },
		{ 0x212D, 'C' }, { 0x212F, 'e' }, { 0x2130, 'E' }, { 0x2131, 'F' }, { 0x2133, 'M' }, { 0x2134, 'o' } };
	size_t i;

	for (i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		if (older[i].cp == cp)
			return older[i].plain;
	/* Each alphabet of that block has 26 capital letters, then 26 small ones. */
	return cp < 0x1D400 || cp > 0x1D6A3 ? '\0' : (char)((cp - 0x1D400) % 52 + ((cp - 0x1D400) % 52 < 26 ? 'A' : 'a' - 26));
}

static const char integrals[] = "∫∬∭∮∯∰", large[] = "∑∏∐⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆";

static bool
is_listed(const char *list, const char *s)
{
	return math_character(s) != 0 && strstr(list, s) != NULL;
}

bool
math_is_large(const char *s)
{
	return is_listed(large, s);
}

bool
math_is_integral(const char *s)
{
	return is_listed(integrals, s);
}

/*
 * Ranges of characters and their classes (most Unicode blocks have one class). The first match
 * counts.
 */
static const struct { uint32_t from, to; enum math_class class; } classes[] = {
	{ '+', '+', M_BIN }, { '-', '-', M_BIN }, { '*', '*', M_BIN }, { 0x2212, 0x2214, M_BIN }, { 0xB1, 0xB1, M_BIN },
	{ 0xB7, 0xB7, M_BIN }, { 0xD7, 0xD7, M_BIN }, { 0xF7, 0xF7, M_BIN }, { 0x2020, 0x2022, M_BIN }, { 0x2216, 0x2219, M_BIN },
	{ 0x2227, 0x222A, M_BIN }, { 0x2240, 0x2240, M_BIN }, { 0x228C, 0x228E, M_BIN }, { 0x2293, 0x22A1, M_BIN },
	{ 0x22BA, 0x22BD, M_BIN }, { 0x22C4, 0x22C7, M_BIN }, { 0x22C9, 0x22CC, M_BIN }, { 0x22CE, 0x22CF, M_BIN },
	{ 0x22D2, 0x22D3, M_BIN }, { 0x25B3, 0x25B3, M_BIN }, { 0x25B7, 0x25B7, M_BIN }, { 0x25C1, 0x25C1, M_BIN },
	{ 0x25EF, 0x25EF, M_BIN }, { 0x2A3F, 0x2A3F, M_BIN }, { 0x2A5E, 0x2A5E, M_BIN },
	{ ':', ':', M_REL }, { '<', '>', M_REL }, { 0x2190, 0x21FF, M_REL }, { 0x2208, 0x220D, M_REL }, { 0x221D, 0x221D, M_REL },
	{ 0x2223, 0x2226, M_REL }, { 0x2234, 0x2237, M_REL }, { 0x223C, 0x2292, M_REL }, { 0x22A2, 0x22A3, M_REL },
	{ 0x22A5, 0x22B9, M_REL }, { 0x22C8, 0x22C8, M_REL }, { 0x22CD, 0x22CD, M_REL }, { 0x22D0, 0x22D1, M_REL },
	{ 0x22D4, 0x22ED, M_REL }, { 0x2322, 0x2323, M_REL }, { 0x27F5, 0x27FF, M_REL }, { 0x2900, 0x297F, M_REL },
	{ 0x2A6D, 0x2AF0, M_REL },
	{ '(', '(', M_OPEN }, { '[', '[', M_OPEN }, { '{', '{', M_OPEN }, { 0x27E8, 0x27E8, M_OPEN }, { 0x2308, 0x2308, M_OPEN },
	{ 0x230A, 0x230A, M_OPEN }, { 0x231C, 0x231C, M_OPEN }, { 0x231E, 0x231E, M_OPEN }, { 0x27E6, 0x27E6, M_OPEN },
	{ '!', '!', M_CLOSE }, { '?', '?', M_CLOSE }, { ')', ')', M_CLOSE }, { ']', ']', M_CLOSE }, { '}', '}', M_CLOSE },
	{ 0x27E9, 0x27E9, M_CLOSE }, { 0x2309, 0x2309, M_CLOSE }, { 0x230B, 0x230B, M_CLOSE }, { 0x231D, 0x231D, M_CLOSE },
	{ 0x231F, 0x231F, M_CLOSE }, { 0x27E7, 0x27E7, M_CLOSE }, { ',', ',', M_PUNCT }, { ';', ';', M_PUNCT },
};

/* Words used as operators ("mod") are spaced like large operators. */
enum math_class
math_class_of(const char *s)
{
	uint32_t cp = math_character(s);
	size_t i;

	if (math_is_integral(s) || math_is_large(s) || (cp == 0 && *s != '\0'))
		return M_OP;
	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (cp >= classes[i].from && cp <= classes[i].to)
			return classes[i].class;
	return M_ORD;
}
