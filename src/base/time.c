/* RFC 3339 in and out; the calendar arithmetic is the C library's timegm(). */
#include <string.h>
#include <time.h>

#include "base/json.h"

/* 0000-01-01 and 10000-01-01, in milliseconds. */
#define YEAR_0     INT64_C(-62167219200000)
#define YEAR_10000 INT64_C(253402300800000)

int64_t
time_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* n in so many decimal digits at p. */
static void
put_digits(char *p, int count, int n)
{
	for (; count > 0; n /= 10)
		p[--count] = (char)('0' + n % 10);
}

void
time_format(int64_t ms, char out[25])
{
	time_t s = (time_t)(ms / 1000);
	int frac = (int)(ms % 1000);
	struct tm tm;

	if (frac < 0) {
		frac += 1000;
		s--;
	}
	gmtime_r(&s, &tm);
	memcpy(out, "0000-00-00T00:00:00.000Z", 25);
	put_digits(out, 4, (int)((unsigned)(tm.tm_year + 1900) % 10000));
	put_digits(out + 5, 2, tm.tm_mon + 1);
	put_digits(out + 8, 2, tm.tm_mday);
	put_digits(out + 11, 2, tm.tm_hour);
	put_digits(out + 14, 2, tm.tm_min);
	put_digits(out + 17, 2, tm.tm_sec);
	put_digits(out + 20, 3, frac);
}

/* n decimal digits at *s; -1 if they are not all digits. */
static int
digits(const char **s, int n)
{
	int value = 0;

	while (n-- > 0) {
		if (**s < '0' || **s > '9')
			return -1;
		value = value * 10 + (*(*s)++ - '0');
	}
	return value;
}

/* The fraction ".123456" in milliseconds, cut; 0 where there is none, -1 for a point alone. */
static int
fraction(const char **s)
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
zone(const char **s, int *seconds)
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
	h = digits(s, 2);
	if (h < 0 || h > 23 || *(*s)++ != ':')
		return false;
	m = digits(s, 2);
	*seconds = sign * (h * 3600 + m * 60);
	return m >= 0 && m < 60;
}

bool
time_parse(const char *s, int64_t *ms)
{
	struct tm tm = { 0 }, rolled;
	int frac, offset;
	time_t t;

	tm.tm_year = digits(&s, 4) - 1900;
	if (tm.tm_year < -1900 || *s++ != '-')
		return false;
	tm.tm_mon = digits(&s, 2) - 1;
	if (tm.tm_mon < 0 || *s++ != '-')
		return false;
	tm.tm_mday = digits(&s, 2);
	if (tm.tm_mday < 1 || (*s != 'T' && *s != 't'))
		return false;
	s++;
	tm.tm_hour = digits(&s, 2);
	if (tm.tm_hour < 0 || tm.tm_hour > 23 || *s++ != ':')
		return false;
	tm.tm_min = digits(&s, 2);
	if (tm.tm_min < 0 || tm.tm_min > 59 || *s++ != ':')
		return false;
	tm.tm_sec = digits(&s, 2);
	if (tm.tm_sec < 0 || tm.tm_sec > 60)
		return false;
	if (tm.tm_sec == 60)
		tm.tm_sec = 59;
	frac = fraction(&s);
	if (frac < 0 || !zone(&s, &offset) || *s != '\0')
		return false;
	rolled = tm;
	t = timegm(&rolled);
	/* timegm() rolls 31 February over into March. */
	if (rolled.tm_mon != tm.tm_mon || rolled.tm_mday != tm.tm_mday)
		return false;
	*ms = ((int64_t)t - offset) * 1000 + frac;
	/* The offset may lead out of the years that have four digits. */
	return *ms >= YEAR_0 && *ms < YEAR_10000;
}
