/*
 * Measures the analysis of conversations: reads a labelled set (tests/conversations/README), prints
 * the adjusted Rand index, purity, the share of titles that are a question or a problem, the same
 * over ten orders, and k-means over tf-idf with the true number of topics for comparison.
 *
 *   measure SET [-v | -i]      -v: the clusters; -i: the issues
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "memory_store.h"

enum { CONVERSATIONS = 1000, GOLD = 200, SHUFFLES = 10 };

struct talk {
	char       *labels[2];
	int         labels_n;
	struct str  subject, body[16];
	struct part parts[16];
	size_t      n;
	const char *turn;              /* where the second topic begins */
};

static struct talk talks[CONVERSATIONS];
static size_t talks_n;
static struct issue issues[CONVERSATIONS * 2];
static int gold[CONVERSATIONS * 2], talk_of[CONVERSATIONS * 2];
static size_t issues_n, missed, extra;
static char *names[GOLD * 4];
static int names_n;

static int
label(const char *name, size_t talk)
{
	static char unique[CONVERSATIONS][24];
	int i;

	if (strcmp(name, "-") == 0) {
		snprintf(unique[talk], sizeof(unique[talk]), "-%zu", talk);
		name = unique[talk];
	}
	for (i = 0; i < names_n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	names[names_n] = strdup(name);
	return names_n++;
}

/* "\n" is a newline, "@@" marks the beginning of the second topic. */
static struct str
unescape(struct talk *t, char *s)
{
	char *out = s, *p = s;

	for (; *p != '\0'; p++) {
		if (p[0] == '\\' && p[1] == 'n') {
			*out++ = '\n';
			p++;
		} else if (p[0] == '@' && p[1] == '@') {
			t->turn = out;
			p++;
		} else {
			*out++ = *p;
		}
	}
	*out = '\0';
	return str_of(s);
}

static void
read_line(char *line)
{
	struct talk *t = &talks[talks_n++];
	char *subject = strstr(line, " |"), *body = strstr(subject + 2, "| "), *part;

	*subject = '\0';
	*body = '\0';
	t->labels[0] = line;
	t->labels_n = line[strcspn(line, ",")] == ',' ? 2 : 1;
	t->labels[1] = line + strcspn(line, ",") + 1;
	line[strcspn(line, ",")] = '\0';
	subject += 2 + (subject[2] == ' ');
	t->subject = str_of(subject);
	while (t->subject.n > 0 && t->subject.p[t->subject.n - 1] == ' ')
		t->subject.n--;
	for (body += 2; body != NULL && t->n < 16; body = part) {
		if ((part = strstr(body, " || ")) != NULL) {
			*part = '\0';
			part += 4;
		}
		t->parts[t->n].role = PART_USER;
		if (strncmp(body, "A: ", 3) == 0 || strncmp(body, "T: ", 3) == 0)
			t->parts[t->n].role = body[0] == 'A' ? PART_ASSISTANT : PART_TEAM;
		t->parts[t->n].body = unescape(t, body + (t->parts[t->n].role == PART_USER ? 0 : 3));
		t->n++;
	}
}

static void
read_set(const char *path)
{
	FILE *f = fopen(path, "r");
	static char line[16384];

	if (f == NULL) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '#' && line[0] != '\0')
			read_line(strdup(line));
	}
	fclose(f);
}

/* The topic of an issue, by the position of its title. */
static int
topic_of(const struct talk *t, const struct issue *s)
{
	size_t i, n = s->title.n < 12 ? s->title.n : 12;
	const char *at;

	if (t->labels_n == 1)
		return 0;
	for (i = 0; i < t->n; i++)
		if ((at = memmem(t->parts[i].body.p, t->parts[i].body.n, s->title.p, n)) != NULL)
			return at >= t->turn;
	return 0;
}

static void
extract(struct analyst *w, struct arena *a, bool show)
{
	size_t i, k, n;

	for (i = 0; i < talks_n; i++) {
		static const struct issue none = { .language = "" };
		bool had[2] = { false, false };
		n = analyst_read(w, a, talks[i].subject, talks[i].parts, talks[i].n, issues + issues_n);
		for (k = 0; k < n; k++) {
			int topic = topic_of(&talks[i], &issues[issues_n]);
			extra += had[topic];
			had[topic] = true;
			if (show)
				printf("%s%s\t%.*s\n", k > 0 ? "+" : "", talks[i].labels[topic], (int)issues[issues_n].title.n, issues[issues_n].title.p);
			talk_of[issues_n] = (int)i;
			gold[issues_n++] = label(talks[i].labels[topic], i);
		}
		for (k = 0; k < (size_t)talks[i].labels_n; k++)
			if (!had[k]) {
				/* An issue that was not found counts as a cluster by itself. */
				missed++;
				issues[issues_n] = none;
				gold[issues_n++] = label(talks[i].labels[k], i);
				if (show)
					printf("MISSED %s\t%.*s\n", talks[i].labels[k], (int)talks[i].parts[0].body.n, talks[i].parts[0].body.p);
			}
	}
}

/* True if the title is a question or a problem, judged by a word list other than the analysis uses. */
static bool
asks(const struct issue *s)
{
	static const char *const words[] = { "?", "how ", "where ", "why ", "what ", "can ", "is there", "n't", " not ", "cannot", "cant ",
		"fail", "error", "broken", "wrong", "stuck", "lost", "missing", "slow", "never", "no longer", "stop", "please", "need",
		"want", "would like", "i'd like", "empty", "crash", "denied", "expired", "nothing", " no ", "twice", "lag", "nicht",
		"kein", "fehl", "bricht", "bitte", "möchte", "langsam", "ne ", "pas ", "erreur", "voudrai", "souhaite", "lent", "deux fois",
		"no ", "error", "necesito", "quiero", "olvid", "dos veces", "lento", "429", "timeout", "times out", "unable", "charge",
		"force", "forgot", "locked", "problem", "damaged", "dead", "full", "torn", "reject", "unreadable", "blurry", "jumps",
		"twice", "overlap", "collides", "disconnect", "drains", "freezes", "beschädigt", "plante", "scratched", "stolen", "late" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(s->title.p, words[i]) != NULL)
			return true;
	return false;
}

static double
asking_share(void)
{
	size_t i, n = 0, all = 0;

	for (i = 0; i < issues_n; i++) {
		all += issues[i].title.n > 0;
		n += issues[i].title.n > 0 && asks(&issues[i]);
	}
	return (double)n / (double)all;
}

/* Hubert and Arabie (1985). */
static double
adjusted_rand(const int *x, const int *y, size_t n)
{
	static int table[GOLD * 4][2048];
	double both = 0, in_x = 0, in_y = 0, all = (double)n * (double)(n - 1) / 2, expected;
	static double rows[GOLD * 4], cols[2048];
	size_t i, k;

	memset(table, 0, sizeof(table));
	memset(rows, 0, sizeof(rows));
	memset(cols, 0, sizeof(cols));
	for (i = 0; i < n; i++) {
		table[x[i]][y[i]]++;
		rows[x[i]]++;
		cols[y[i]]++;
	}
	for (i = 0; i < GOLD * 4; i++) {
		in_x += rows[i] * (rows[i] - 1) / 2;
		for (k = 0; k < 2048; k++)
			both += (double)table[i][k] * (table[i][k] - 1) / 2;
	}
	for (k = 0; k < 2048; k++)
		in_y += cols[k] * (cols[k] - 1) / 2;
	expected = in_x * in_y / all;
	return (both - expected) / ((in_x + in_y) / 2 - expected);
}

static double
purity(const int *x, const int *y, size_t n)
{
	size_t i, k, sum = 0;

	for (k = 0; k < 2048; k++) {
		int counts[GOLD * 4] = { 0 }, most = 0;
		for (i = 0; i < n; i++)
			if (y[i] == (int)k && ++counts[x[i]] > most)
				most = counts[x[i]];
		sum += (size_t)most;
	}
	return (double)sum / (double)n;
}

/* The clusters, numbered from 0, if issues are added in the given order. */
static int
cluster_all(const int *order, int *out)
{
	struct arena *a = arena_new((size_t)1 << 30), *scratch = arena_new((size_t)1 << 30);
	struct memory *m = mem_new(a);
	struct cluster_store s = mem_store(m);
	static int number[MEM_MAX * 4];
	int n = 0;
	size_t i;

	for (i = 0; i < issues_n; i++) {
		cluster_place(&s, &cluster_rules, scratch, mem_add(m, &issues[order[i]].terms));
		arena_reset(scratch);
	}
	memset(number, -1, sizeof(number));
	for (i = 0; i < issues_n; i++) {
		int64_t c = m->cluster[i + 1];
		if (number[c] < 0)
			number[c] = n++;
		out[order[i]] = number[c];
	}
	arena_free(scratch);
	arena_free(a);
	return n;
}

static uint64_t seed = 1;

static uint64_t
next(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33;
}

static void
shuffle(int *order, size_t n)
{
	size_t i;

	for (i = n; i > 1; i--) {
		size_t k = next() % i;
		int swap = order[i - 1];
		order[i - 1] = order[k];
		order[k] = swap;
	}
}

/* Spherical k-means over tf-idf, with k-means++ starts; the best of twenty runs by its own measure. */
static double *matrix;
static size_t width;

static void
tf_idf(void)
{
	static uint64_t ids[65536];
	size_t i, k, m;
	double *df;

	for (i = 0; i < issues_n; i++)
		for (k = 0; k < issues[i].terms.n; k++) {
			for (m = 0; m < width && ids[m] != issues[i].terms.at[k].id; m++)
				;
			ids[m] = issues[i].terms.at[k].id;
			width += m == width;
		}
	matrix = calloc(issues_n * width, sizeof(*matrix));
	df = calloc(width, sizeof(*df));
	for (i = 0; i < issues_n; i++)
		for (k = 0; k < issues[i].terms.n; k++) {
			for (m = 0; ids[m] != issues[i].terms.at[k].id; m++)
				;
			matrix[i * width + m] = 1;
			df[m]++;
		}
	for (i = 0; i < issues_n; i++) {
		double sum = 0;
		for (m = 0; m < width; m++) {
			matrix[i * width + m] *= log((double)issues_n / df[m]);
			sum += matrix[i * width + m] * matrix[i * width + m];
		}
		for (m = 0; m < width && sum > 0; m++)
			matrix[i * width + m] /= sqrt(sum);
	}
	free(df);
}

static double
dot(const double *a, const double *b)
{
	double s = 0;
	size_t i;

	for (i = 0; i < width; i++)
		s += a[i] * b[i];
	return s;
}

static double
k_means(int k, int *out)
{
	double *c = calloc((size_t)k * width, sizeof(*c)), total = 0, *far = calloc(issues_n, sizeof(*far));
	int round, g;
	size_t i, m, at = next() % issues_n;

	for (i = 0; i < issues_n; i++)
		far[i] = 1;
	for (g = 0; g < k; g++) {
		double sum = 0, pick;
		memcpy(c + (size_t)g * width, matrix + at * width, width * sizeof(*c));
		for (i = 0; i < issues_n; i++) {
			double d = 1 - dot(matrix + i * width, matrix + at * width);
			if (d < far[i])
				far[i] = d < 0 ? 0 : d;
			sum += far[i];
		}
		pick = (double)next() / 2147483648.0 * sum;
		for (at = 0; at + 1 < issues_n && (pick -= far[at]) > 0; at++)
			;
	}
	for (round = 0; round < 15; round++) {
		total = 0;
		for (i = 0; i < issues_n; i++) {
			double best = -1, d;
			for (g = 0; g < k; g++)
				if ((d = dot(matrix + i * width, c + (size_t)g * width)) > best) {
					best = d;
					out[i] = g;
				}
			total += best;
		}
		memset(c, 0, (size_t)k * width * sizeof(*c));
		for (i = 0; i < issues_n; i++)
			for (m = 0; m < width; m++)
				c[(size_t)out[i] * width + m] += matrix[i * width + m];
		for (g = 0; g < k; g++) {
			double len = sqrt(dot(c + (size_t)g * width, c + (size_t)g * width));
			for (m = 0; m < width && len > 0; m++)
				c[(size_t)g * width + m] /= len;
		}
	}
	free(c);
	free(far);
	return total;
}

static void
show(const int *clusters, int n)
{
	int g;
	size_t i;

	for (g = 0; g < n; g++) {
		printf("--\n");
		for (i = 0; i < issues_n; i++)
			if (clusters[i] == g)
				printf("%-12s %.*s\n", names[gold[i]], (int)issues[i].title.n, issues[i].title.p);
	}
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct analyst *w = analyst_new(a);
	static int order[CONVERSATIONS * 2], clusters[CONVERSATIONS * 2], means[CONVERSATIONS * 2];
	double low = 1, high = 0, sum = 0, ari, best = -1;
	int n, i, verbose = argc > 2 && strcmp(argv[2], "-v") == 0;
	size_t k;

	read_set(argv[1]);
	extract(w, a, argc > 2 && strcmp(argv[2], "-i") == 0);
	for (k = 0; k < issues_n; k++)
		order[k] = (int)k;
	n = cluster_all(order, clusters);
	printf("titles that are a question or a problem: %.3f\n", asking_share());
	printf("conversations %zu, issues %zu, of which %zu were not found, %zu too many, topics %d\n", talks_n, issues_n, missed, extra, names_n);
	printf("in file order: ARI %.3f purity %.3f clusters %d\n", adjusted_rand(gold, clusters, issues_n), purity(gold, clusters, issues_n), n);
	if (verbose)
		show(clusters, n);
	for (i = 0; i < SHUFFLES; i++) {
		shuffle(order, issues_n);
		n = cluster_all(order, clusters);
		ari = adjusted_rand(gold, clusters, issues_n);
		low = ari < low ? ari : low;
		high = ari > high ? ari : high;
		sum += ari;
	}
	printf("ten orders: ARI mean %.3f, from %.3f to %.3f; the last %d clusters\n", sum / SHUFFLES, low, high, n);
	tf_idf();
	for (i = 0; i < 20; i++) {
		double total = k_means(names_n, means);
		if (total > best) {
			best = total;
			ari = adjusted_rand(gold, means, issues_n);
		}
	}
	printf("k-means, k = %d: ARI %.3f\n", names_n, ari);
	arena_free(a);
	return 0;
}
