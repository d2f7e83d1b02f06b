/*
 * Columns of a row that PostgreSQL sent, in its binary format. As in SQLite, a number may be read as
 * text and a text as a number; a boolean is 1 or 0.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db_pg.h"

int
pg_col_count(struct stmt *q)
{
	return pg_stmt_of(q)->columns;
}

const char *
pg_col_name(struct stmt *q, int i)
{
	return pg_stmt_of(q)->column_names[i];
}

bool
pg_col_null(struct stmt *q, int i)
{
	struct pg_stmt *s = pg_stmt_of(q);

	return pg_of(q->db)->pq->is_null(s->result, s->row, i) != 0;
}

static const char *
value_of(struct stmt *q, int i)
{
	struct pg_stmt *s = pg_stmt_of(q);

	return pg_of(q->db)->pq->value(s->result, s->row, i);
}

static int64_t
read_64(const char *p)
{
	uint64_t n;

	memcpy(&n, p, sizeof(n));
	return (int64_t)be64toh(n);
}

static int32_t
read_32(const char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return (int32_t)be32toh(n);
}

static int16_t
read_16(const char *p)
{
	uint16_t n;

	memcpy(&n, p, sizeof(n));
	return (int16_t)be16toh(n);
}

/* Sums of bigint are numeric (numeric_send() in numeric.c): digits of base 10,000, the first of them with this weight. */
static double
read_numeric(const char *p, int64_t *whole)
{
	int digits = read_16(p), weight = read_16(p + 2), i;
	double value = 0, scale = 1;

	*whole = 0;
	for (i = 0; i < digits; i++) {
		int d = read_16(p + 8 + 2 * i);

		if (i <= weight) {
			*whole = *whole * 10000 + d;
			value = value * 10000 + d;
		} else {
			value += d * (scale /= 10000);
		}
	}
	for (; i <= weight; i++) {
		*whole *= 10000;
		value *= 10000;
	}
	if ((uint16_t)read_16(p + 4) != 0x4000)
		return value;
	*whole = -*whole;
	return -value;
}

static double
read_real(const char *p)
{
	int64_t bits = read_64(p);
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

/* True if the column is a number: then both are set. */
static bool
read_number(struct stmt *q, int i, int64_t *n, double *d)
{
	const char *p = value_of(q, i);

	switch (pg_stmt_of(q)->column_types[i]) {
	case PG_INT8:
		*n = read_64(p);
		break;
	case PG_INT4:
		*n = read_32(p);
		break;
	case PG_INT2:
		*n = read_16(p);
		break;
	case PG_BOOL:
		*n = *p != 0;
		break;
	case PG_FLOAT8:
		*d = read_real(p);
		*n = (int64_t)*d;
		return true;
	case PG_NUMERIC:
		*d = read_numeric(p, n);
		return true;
	default:
		return false;
	}
	*d = (double)*n;
	return true;
}

int64_t
pg_col_int(struct stmt *q, int i)
{
	int64_t n;
	double d;

	if (pg_col_null(q, i))
		return 0;
	return read_number(q, i, &n, &d) ? n : strtoll(value_of(q, i), NULL, 10);
}

double
pg_col_double(struct stmt *q, int i)
{
	int64_t n;
	double d;

	if (pg_col_null(q, i))
		return 0;
	return read_number(q, i, &n, &d) ? d : strtod(value_of(q, i), NULL);
}

bool
pg_col_is_number(struct stmt *q, int i)
{
	int64_t n;
	double d;

	return !pg_col_null(q, i) && read_number(q, i, &n, &d);
}

/* libpq ends each value with a NUL, which is not part of it. */
const char *
pg_col_text(struct stmt *q, int i)
{
	struct pg_stmt *s = pg_stmt_of(q);
	int64_t n;
	double d;

	if (pg_col_null(q, i))
		return NULL;
	if (!read_number(q, i, &n, &d))
		return value_of(q, i);
	if (s->texts == NULL)
		s->texts = arena_array(s->arena, (size_t)s->columns, sizeof(*s->texts));
	if (d == (double)n)
		snprintf(s->texts[i], sizeof(s->texts[i]), "%" PRId64, n);
	else
		snprintf(s->texts[i], sizeof(s->texts[i]), "%.15g", d);
	return s->texts[i];
}

struct str
pg_col_bytes(struct stmt *q, int i)
{
	struct pg_stmt *s = pg_stmt_of(q);
	int64_t n;
	double d;

	if (pg_col_null(q, i))
		return (struct str){ NULL, 0 };
	if (read_number(q, i, &n, &d))
		return str_of(pg_col_text(q, i));
	return (struct str){ value_of(q, i), (size_t)pg_of(q->db)->pq->length(s->result, s->row, i) };
}
