/* RFC 3339 times, read and written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/json.h"

static void
expect(const char *text, const char *want)
{
	char out[25];
	int64_t ms;

	if (!time_parse(text, &ms))
		fail_msg("\"%s\" was refused", text);
	time_format(ms, out);
	if (strcmp(out, want) != 0)
		fail_msg("\"%s\" became %s instead of %s", text, out, want);
}

static void
good_times_are_read(void **state)
{
	(void)state;
	expect("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z");
	expect("2026-01-31T09:30:00.000Z", "2026-01-31T09:30:00.000Z");
	expect("2026-01-31t09:30:00z", "2026-01-31T09:30:00.000Z");
	expect("2026-01-31T09:30:00.5Z", "2026-01-31T09:30:00.500Z");
	expect("2026-01-31T09:30:00.1239999Z", "2026-01-31T09:30:00.123Z");
	expect("2026-01-31T09:30:00+02:00", "2026-01-31T07:30:00.000Z");
	expect("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000Z");
	expect("2025-12-31T23:30:00-01:30", "2026-01-01T01:00:00.000Z");
	expect("2026-01-31T09:30:00-00:00", "2026-01-31T09:30:00.000Z");
	expect("2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z");
	expect("2000-02-29T12:00:00Z", "2000-02-29T12:00:00.000Z");
	expect("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z");
	expect("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z");
	expect("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z");
	expect("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z");
}

static void
bad_times_are_refused(void **state)
{
	static const char *const texts[] = { "", "now", "2026", "2026-01-31", "2026-01-31T09:30Z",
		"2026-01-31T09:30:00", "2026-01-31 09:30:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
		"2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
		"2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
		"2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60",
		"2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00ZZ",
		"2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "2026-1-1T0:0:0Z", "26-01-01T00:00:00Z",
		"+2026-01-01T00:00:00Z", "-2026-01-01T00:00:00Z", "2026-01-01T00:00:00,5Z", "20a6-01-01T00:00:00Z",
		"2026-01-01T-1:00:00Z", "2026-01-01T 1:00:00Z", "12026-01-01T00:00:00Z",
		"0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01" };
	size_t i;
	int64_t ms;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (time_parse(texts[i], &ms))
			fail_msg("\"%s\" was taken", texts[i]);
}

/* Every millisecond comes back: over the whole range, in steps that reach all days and hours. */
static void
every_millisecond_comes_back(void **state)
{
	int64_t ms, back;
	char text[25];

	(void)state;
	for (ms = INT64_C(-62135596800000); ms < INT64_C(253402300800000); ms += INT64_C(40000003) * 997) {
		time_format(ms, text);
		assert_int_equal(strlen(text), 24);
		assert_true(time_parse(text, &back));
		assert_int_equal(ms, back);
	}
}

/* Times that RFC 3339 cannot express become the nearest one that it can. */
static void
times_beyond_the_range_are_cut(void **state)
{
	char text[25];

	(void)state;
	time_format(INT64_MIN, text);
	assert_string_equal(text, "0000-01-01T00:00:00.000Z");
	time_format(INT64_MAX, text);
	assert_string_equal(text, "9999-12-31T23:59:59.999Z");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(good_times_are_read), cmocka_unit_test(bad_times_are_refused),
		cmocka_unit_test(every_millisecond_comes_back), cmocka_unit_test(times_beyond_the_range_are_cut) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
