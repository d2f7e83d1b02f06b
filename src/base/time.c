/* Formats and parses times of RFC 3339, and reads the clocks. */
#include <string.h>
#include <time.h>

#include "base/json.h"

/* 0000-01-01 and 10000-01-01, in milliseconds. */
#define YEAR_0     INT64_C(-62167219200000)
#define YEAR_10000 INT64_C(253402300800000)
/* -0400-03-01: before all valid times, and the beginning of a cycle of 400 years. */
#define MARCH      (YEAR_0 - (146097 - 60) * DAY_MS)

int64_t
time_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t
time_steady(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Write n with this many decimal digits. */
static void
put_digits(char *p, int count, int n)
{
	for (; count > 0; n /= 10)
		p[--count] = (char)('0' + n % 10);
}

/*
 * The date of a day that is counted from MARCH. If a year begins in March, a leap day is its last
 * day, and the lengths of months repeat every five months: 153 days. 400 years have 146097 days;
 * 100 years have 36524, or one more at the end of the 400; 4 years have 1461.
 */
static void
put_date(char *out, int days)
{
	int day = days % 146097;
	int year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	int of_year = day - (year * 365 + year / 4 - year / 100);
	int month = (5 * of_year + 2) / 153;

	put_digits(out, 4, (days / 146097 - 1) * 400 + year + (month >= 10));
	put_digits(out + 5, 2, month < 10 ? month + 3 : month - 9);
	put_digits(out + 8, 2, of_year - (153 * month + 2) / 5 + 1);
}

/*
 * gmtime_r() is not used: it reads the zone file, takes a lock and is slow, and an answer contains
 * many times.
 */
void
time_format(int64_t ms, char out[25])
{
	int64_t since;
	int of_day;

	/* RFC 3339 years have four digits, and `out` has no room for more. */
	ms = ms < YEAR_0 ? YEAR_0 : ms >= YEAR_10000 ? YEAR_10000 - 1 : ms;
	since = ms - MARCH;
	of_day = (int)(since % DAY_MS);
	memcpy(out, "0000-00-00T00:00:00.000Z", 25);
	put_date(out, (int)(since / DAY_MS));
	put_digits(out + 11, 2, of_day / 3600000);
	put_digits(out + 14, 2, of_day / 60000 % 60);
	put_digits(out + 17, 2, of_day / 1000 % 60);
	put_digits(out + 20, 3, of_day % 1000);
}

/* Reads n decimal digits at *s; -1 if one of them is no digit. */
static int
read_digits(const char **s, int n)
{
	int value = 0;

	while (n-- > 0) {
		if (**s < '0' || **s > '9')
			return -1;
		value = value * 10 + (*(*s)++ - '0');
	}
	return value;
}

/* Milliseconds of the fraction ".123456", truncated; 0 if there is none, -1 for a dot alone. */
static int
read_fraction(const char **s)
{
	int ms = 0, weight = 100;

	if (**s != '.')
		return 0;
	if ((*s)[1] < '0' || (*s)[1] > '9')
		return -1;
	for ((*s)++; **s >= '0' && **s <= '9'; (*s)++) {
		ms += (**s - '0') * weight;
		weight /= 10;
	}
	return ms;
}

/* "Z" or "+hh:mm" in seconds east of UTC; false if it is neither. */
static bool
read_zone(const char **s, int *seconds)
{
	int sign, h, m;

	if (**s == 'Z' || **s == 'z') {
		(*s)++;
		*seconds = 0;
		return true;
	}
	if (**s != '+' && **s != '-')
		return false;
	sign = *(*s)++ == '-' ? -1 : 1;
	h = read_digits(s, 2);
	if (h < 0 || h > 23 || *(*s)++ != ':')
		return false;
	m = read_digits(s, 2);
	*seconds = sign * (h * 3600 + m * 60);
	return m >= 0 && m < 60;
}

bool
time_parse(const char *s, int64_t *ms)
{
	struct tm tm = { 0 }, rolled;
	int frac, offset;
	time_t t;

	tm.tm_year = read_digits(&s, 4) - 1900;
	if (tm.tm_year < -1900 || *s++ != '-')
		return false;
	tm.tm_mon = read_digits(&s, 2) - 1;
	if (tm.tm_mon < 0 || *s++ != '-')
		return false;
	tm.tm_mday = read_digits(&s, 2);
	if (tm.tm_mday < 1 || (*s != 'T' && *s != 't'))
		return false;
	s++;
	tm.tm_hour = read_digits(&s, 2);
	if (tm.tm_hour < 0 || tm.tm_hour > 23 || *s++ != ':')
		return false;
	tm.tm_min = read_digits(&s, 2);
	if (tm.tm_min < 0 || tm.tm_min > 59 || *s++ != ':')
		return false;
	tm.tm_sec = read_digits(&s, 2);
	if (tm.tm_sec < 0 || tm.tm_sec > 60)
		return false;
	/* A leap second (RFC 3339 section 5.7) does not exist in this count: the second before it is used. */
	if (tm.tm_sec == 60)
		tm.tm_sec = 59;
	frac = read_fraction(&s);
	if (frac < 0 || !read_zone(&s, &offset) || *s != '\0')
		return false;
	rolled = tm;
	t = timegm(&rolled);
	/* timegm() turns 31 February into March. */
	if (rolled.tm_mon != tm.tm_mon || rolled.tm_mday != tm.tm_mday)
		return false;
	*ms = ((int64_t)t - offset) * 1000 + frac;
	/* The offset may move the time out of the four-digit years. */
	return *ms >= YEAR_0 && *ms < YEAR_10000;
}
