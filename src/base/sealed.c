/* Lines sealed by a passphrase. Contract: base/sealed.h. */
#include <sodium.h>
#include <string.h>

#include "base/buf.h"
#include "base/sealed.h"

static const char magic[] = "octavo sealed 1\n";

enum { LINE_MAX_BYTES = 512 << 20, OVER = crypto_secretstream_xchacha20poly1305_ABYTES,
	HEAD = crypto_secretstream_xchacha20poly1305_HEADERBYTES };

struct sealed {
	FILE         *f;
	struct arena *arena;      /* memory for one line; reset with each line */
	bool          ended;
	crypto_secretstream_xchacha20poly1305_state state;
};

/*
 * Derives the key. This takes about 64 MiB and a tenth of a second, because an attacker with the
 * file can try passphrases without limit.
 */
static bool
derive_key(unsigned char *key, struct str passphrase, const unsigned char *salt)
{
	return sodium_init() >= 0 && crypto_pwhash(key, crypto_secretstream_xchacha20poly1305_KEYBYTES, passphrase.p,
	    passphrase.n, salt, crypto_pwhash_OPSLIMIT_MODERATE, crypto_pwhash_MEMLIMIT_INTERACTIVE,
	    crypto_pwhash_ALG_ARGON2ID13) == 0;
}

struct sealed *
sealed_write(struct arena *a, FILE *f, struct str passphrase)
{
	struct sealed *s = arena_alloc(a, sizeof(*s));
	unsigned char key[crypto_secretstream_xchacha20poly1305_KEYBYTES], salt[crypto_pwhash_SALTBYTES], head[HEAD];

	if (sodium_init() < 0)
		return NULL;
	randombytes_buf(salt, sizeof(salt));
	if (!derive_key(key, passphrase, salt))
		return NULL;
	s->f = f;
	s->arena = arena_within(a, (size_t)LINE_MAX_BYTES * 2);
	crypto_secretstream_xchacha20poly1305_init_push(&s->state, head, key);
	sodium_memzero(key, sizeof(key));
	return fwrite(magic, sizeof(magic) - 1, 1, f) == 1 && fwrite(salt, sizeof(salt), 1, f) == 1 &&
	    fwrite(head, sizeof(head), 1, f) == 1 ? s : NULL;
}

static bool
put_sealed(struct sealed *s, struct str line, unsigned char tag)
{
	unsigned char *out = arena_bytes(s->arena, line.n + OVER), size[4];
	unsigned long long n;
	bool ok;

	crypto_secretstream_xchacha20poly1305_push(&s->state, out, &n, (const unsigned char *)line.p, line.n, NULL, 0, tag);
	for (int i = 0; i < 4; i++)
		size[i] = (unsigned char)(n >> (24 - 8 * i));
	ok = fwrite(size, 4, 1, s->f) == 1 && fwrite(out, n, 1, s->f) == 1;
	arena_reset(s->arena);
	return ok;
}

bool
sealed_put(struct sealed *s, struct str line)
{
	return line.n < LINE_MAX_BYTES && put_sealed(s, line, crypto_secretstream_xchacha20poly1305_TAG_MESSAGE);
}

bool
sealed_end(struct sealed *s)
{
	return put_sealed(s, STR(""), crypto_secretstream_xchacha20poly1305_TAG_FINAL);
}

struct sealed *
sealed_read(struct arena *a, FILE *f, struct str passphrase)
{
	struct sealed *s = arena_alloc(a, sizeof(*s));
	unsigned char key[crypto_secretstream_xchacha20poly1305_KEYBYTES], salt[crypto_pwhash_SALTBYTES], head[HEAD];
	char begins[sizeof(magic) - 1];
	bool ok;

	if (fread(begins, sizeof(begins), 1, f) != 1 || memcmp(begins, magic, sizeof(begins)) != 0 ||
	    fread(salt, sizeof(salt), 1, f) != 1 || fread(head, sizeof(head), 1, f) != 1)
		return NULL;
	s->f = f;
	s->arena = arena_within(a, (size_t)LINE_MAX_BYTES * 3);
	ok = derive_key(key, passphrase, salt) &&
	    crypto_secretstream_xchacha20poly1305_init_pull(&s->state, head, key) == 0;
	sodium_memzero(key, sizeof(key));
	return ok ? s : NULL;
}

int
sealed_next(struct sealed *s, struct str *line)
{
	unsigned char size[4], *in, *out, tag;
	unsigned long long n;
	size_t sealed = 0;

	arena_reset(s->arena);
	if (s->ended)
		return 0;
	if (fread(size, 4, 1, s->f) != 1)
		return -1;
	for (int i = 0; i < 4; i++)
		sealed = sealed << 8 | size[i];
	if (sealed < OVER || sealed > (size_t)LINE_MAX_BYTES + OVER)
		return -1;
	in = arena_bytes(s->arena, sealed);
	out = arena_bytes(s->arena, sealed);
	if (fread(in, 1, sealed, s->f) != sealed ||
	    crypto_secretstream_xchacha20poly1305_pull(&s->state, out, &n, &tag, in, sealed, NULL, 0) != 0)
		return -1;
	*line = (struct str){ (const char *)out, (size_t)n };
	s->ended = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL;
	if (s->ended)
		return fgetc(s->f) == EOF ? 0 : -1;
	return 1;
}
