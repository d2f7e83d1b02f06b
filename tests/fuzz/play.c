/*
 * A fuzzer without libFuzzer, for the checks, which need neither clang nor another build then: each
 * file of the folders is given to LLVMFuzzerTestOneInput() as it is, and then with random damages, in
 * turn, for some seconds. An input that takes longer than ten seconds ends the program, as a crash does;
 * both leave the input in FINDS.
 *
 *   play_NAME FINDS SEED SECONDS FOLDER...
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

enum { FILES = 4096, DAMAGES = 8, INPUT_SECONDS = 10 };

struct input {
	uint8_t *bytes;
	size_t   size;
};

static struct input inputs[FILES];
static size_t       ninputs;
static uint64_t     state;
static const char  *finds;

/* The next number of xorshift64 (Marsaglia, "Xorshift RNGs", 2003), below n. */
static size_t
random_below(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % n);
}

static void
read_file(const char *dir, const char *name)
{
	char path[4096];
	struct input *in = &inputs[ninputs];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (ninputs == FILES || (f = fopen(path, "rb")) == NULL)
		return;
	in->bytes = malloc((size_t)1 << 20);
	if (in->bytes == NULL)
		abort();
	in->size = fread(in->bytes, 1, (size_t)1 << 20, f);
	ninputs++;
	fclose(f);
}

static void
read_folder(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			read_file(dir, e->d_name);
	if (d != NULL)
		closedir(d);
}

/* Changes, repeats or removes bytes of the input, in place; at most `room` bytes afterwards. */
static size_t
damage(uint8_t *bytes, size_t size, size_t room)
{
	size_t n = 1 + random_below(DAMAGES), at, length;

	while (n-- > 0 && size > 0) {
		at = random_below(size);
		length = 1 + random_below(size - at < 64 ? size - at : 64);
		switch (random_below(4)) {
		case 0:
			bytes[at] = (uint8_t)random_below(256);
			break;
		case 1:
			bytes[at] ^= (uint8_t)(1u << random_below(8));
			break;
		case 2:
			memmove(bytes + at, bytes + at + length, size - at - length);
			size -= length;
			break;
		default:
			if (size + length > room)
				break;
			memmove(bytes + at + length, bytes + at, size - at);
			size += length;
		}
	}
	return size;
}

/* Keeps the input before it is tried, in a file that the next one overwrites. */
static void
try_input(const uint8_t *bytes, size_t size)
{
	uint8_t *exact = malloc(size + 1);
	FILE *f = fopen(finds, "wb");

	if (exact == NULL || f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		abort();
	/* Bytes of their own, so that AddressSanitizer sees reads behind the end. */
	exact = realloc(exact, size == 0 ? 1 : size);
	memcpy(exact, bytes, size);
	alarm(INPUT_SECONDS);
	(void)LLVMFuzzerTestOneInput(exact, size);
	alarm(0);
	free(exact);
}

int
main(int argc, char **argv)
{
	static uint8_t changed[(size_t)2 << 20];
	time_t end;
	size_t i, n = 0;

	if (argc < 5)
		return 2;
	finds = argv[1];
	state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
	end = time(NULL) + strtol(argv[3], NULL, 10);
	for (i = 4; i < (size_t)argc; i++)
		read_folder(argv[i]);
	if (ninputs == 0)
		return 2;
	for (i = 0; i < ninputs; i++, n++)
		try_input(inputs[i].bytes, inputs[i].size);
	for (i = 0; time(NULL) < end; i++, n++) {
		memcpy(changed, inputs[i % ninputs].bytes, inputs[i % ninputs].size);
		try_input(changed, damage(changed, inputs[i % ninputs].size, sizeof changed));
	}
	/* As libFuzzer says it. */
	printf("stat::number_of_executed_units: %zu\n", n);
	unlink(finds);
	return 0;
}
