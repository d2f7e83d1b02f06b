/*
 * MODE 1: an archive, unpacked as for an import. Each line of the list names a file that is there, with its
 * size, by a path that stays inside the import. MODE 2: the template of a commit message, after a line with
 * the subject.
 */
int unpack_main(int argc, char **argv);
#define main unpack_main
#include "../../cgi/unpack.c"
#undef main

#include "app/git_binding.h"
#include "fuzz.h"
#include "fuzz_folder.h"

#ifndef MODE
#define MODE 1
#endif

enum { FILE_MOST = 100000, NUMBER = 4711 };

static char folder[TEMP_MAX];

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* NUMBER SIZE SECONDS PATH, or !PATH<tab>MESSAGE */
static void
check_line(char *line)
{
	long long number, size, at;
	char path[TEMP_MAX + 30], copy[PATH_MOST * 4 + 1];
	struct stat st;
	int n = 0;

	if (*line == '!') {
		must(strchr(line, '\t') != NULL);
		return;
	}
	must(sscanf(line, "%lld %lld %lld %n", &number, &size, &at, &n) == 3 && n > 0 && size <= FILE_MOST);
	snprintf(copy, sizeof(copy), "%s", line + n);
	must(*copy != '\0' && name_fault(copy) == NULL && strcmp(copy, line + n) == 0);
	snprintf(path, sizeof(path), "%s/%lld", folder, number);
	must(lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == size);
}

static void
check_list(void)
{
	char path[TEMP_MAX + 10], line[PATH_MOST * 8];
	FILE *f;

	snprintf(path, sizeof(path), "%s/list", folder);
	must((f = fopen(path, "r")) != NULL);
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		check_line(line);
	}
	fclose(f);
}

static void
unpack(struct arena *a, const uint8_t *data, size_t size)
{
	struct unpacking *u = arena_alloc(a, sizeof(*u));
	char in[TEMP_MAX + 10], list[TEMP_MAX + 10], *archives[] = { (char *)"a.zip", in, NULL };
	FILE *f;
	int rc;

	make_folder(folder);
	setlocale(LC_CTYPE, "C.UTF-8");
	snprintf(in, sizeof(in), "%s/in", folder);
	must((f = fopen(in, "wb")) != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0);
	snprintf(list, sizeof(list), "%s/list", folder);
	u->folder = folder;
	u->file_bytes = FILE_MOST;
	must((u->list = fopen(list, "w")) != NULL);
	rc = read_archives(u, a, archives);
	must(close_list(u) == 0);
	if (rc == 0)
		check_list();
	empty_folder();
}

/* Text between the placeholders stays, and placeholders in the subject are only text. */
static void
fill(struct arena *a, char *text)
{
	char *subject = strsep(&text, "\n"), *made, *p, *q;
	size_t n;

	if (text == NULL)
		return;
	for (made = git_message_fill(a, text, NUMBER, subject), p = made; *text != '\0'; ) {
		if (strncmp(text, "{change_request_number}", 23) == 0) {
			must(strncmp(p, "4711", 4) == 0);
			text += 23, p += 4;
		} else if (strncmp(text, "{change_request_subject}", 24) == 0) {
			n = strlen(subject);
			must(strncmp(p, subject, n) == 0);
			text += 24, p += n;
		} else {
			must(*p++ == *text++);
		}
	}
	must(*p == '\0' ? p > made && p[-1] == '\n' : strcmp(p, "\n") == 0);
	q = git_message_fill(a, GIT_MESSAGE, 0, subject);
	n = strlen(subject);
	must(strncmp(q, subject, n) == 0 && (strcmp(q + n, "\n") == 0 || (q[n] == '\0' && n > 0 && q[n - 1] == '\n')));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = fuzz_arena();

	if (MODE == 1)
		unpack(a, data, size);
	else
		fill(a, fuzz_text(a, data, size));
	arena_free(a);
	return 0;
}
