/* Keys, tokens, hashes, signatures and sealed bytes, all by libsodium. Contract: base/secret.h. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/panic.h"
#include "base/scan.h"
#include "base/secret.h"

/* Read from DIR/octavo.key. Only derive_key() uses it, so that no two purposes have the same key. */
static unsigned char master[crypto_kdf_KEYBYTES];
static bool opened;

/* sodium_init() may be called repeatedly; later calls do nothing. */
static void
start_sodium(void)
{
	if (sodium_init() < 0)
		panic("libsodium does not start");
}

/* 0, or the error (errno). A short write sets no errno: there was no room for the rest. */
static int
write_key(int fd, const char *text, size_t n)
{
	ssize_t wrote = write(fd, text, n);

	if (wrote >= 0 && (size_t)wrote < n)
		return ENOSPC;
	return wrote < 0 || fsync(fd) != 0 ? errno : 0;
}

const char *
secret_create(struct arena *a, const char *dir)
{
	char *path = arena_printf(a, "%s/octavo.key", dir);
	char text[2 * sizeof(master) + 1];
	int fd, error;

	start_sodium();
	/*
	 * O_EXCL: if two programs set up the directory at the same time, only one makes the key. A
	 * second key would invalidate every signature and sealed secret of the first.
	 */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EEXIST ? NULL : arena_printf(a, "%s: %s", path, strerror(errno));
	crypto_kdf_keygen(master);
	sodium_bin2hex(text, sizeof(text), master, sizeof(master));
	text[sizeof(text) - 1] = '\n';
	error = write_key(fd, text, sizeof(text));
	close(fd);
	if (error != 0) {
		/* Delete it: an incomplete key file would make every later start fail. */
		unlink(path);
		return arena_printf(a, "%s: %s", path, strerror(error));
	}
	opened = true;
	return NULL;
}

/* Read the digits of a key file; text after them is ignored. */
static bool
read_key(struct str text, unsigned char key[crypto_kdf_KEYBYTES])
{
	size_t n = 0;

	return text.n >= 2 * crypto_kdf_KEYBYTES && sodium_hex2bin(key, crypto_kdf_KEYBYTES, text.p,
	    2 * crypto_kdf_KEYBYTES, NULL, &n, NULL) == 0 && n == crypto_kdf_KEYBYTES;
}

const char *
secret_open(struct arena *a, const char *dir)
{
	char *path = arena_printf(a, "%s/octavo.key", dir);
	char text[2 * sizeof(master)];
	int fd;

	start_sodium();
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return arena_printf(a, "%s: %s", path, strerror(errno));
	/* Read 64 digits, without the line feed. */
	if (read(fd, text, sizeof(text)) != (ssize_t)sizeof(text) ||
	    !read_key((struct str){ text, sizeof(text) }, master)) {
		close(fd);
		return arena_printf(a, "%s: not a key file (64 hexadecimal digits)", path);
	}
	close(fd);
	opened = true;
	return NULL;
}

/*
 * Each key is determined by the context "octavo__" and the numbers of enum secret_purpose, so
 * neither may ever change.
 */
static void
derive_key(enum secret_purpose p, unsigned char key[32])
{
	if (!opened)
		panic("the secret key was not opened");
	crypto_kdf_derive_from_key(key, 32, (uint64_t)p, "octavo__", master);
}

char *
secret_mark_of(struct arena *a, struct str text)
{
	unsigned char key[crypto_kdf_KEYBYTES], mark[crypto_kdf_BYTES_MIN];

	start_sodium();
	if (!read_key(text, key))
		return NULL;
	crypto_kdf_derive_from_key(mark, sizeof(mark), SECRET_MARK, "octavo__", key);
	sodium_memzero(key, sizeof(key));
	return hex(a, (struct str){ (const char *)mark, sizeof(mark) });
}

char *
secret_mark(struct arena *a, const char *path)
{
	struct str text;

	return file_read(a, path, &text) ? secret_mark_of(a, text) : NULL;
}

char *
secret_id(struct arena *a)
{
	/* Ids are used in paths and file names, so they consist of characters that never need an escape. */
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	char *id = arena_alloc(a, ID_CHARS + 1);
	unsigned char random[64];
	size_t i = 0, n = sizeof(random);

	start_sodium();
	while (i < ID_CHARS) {
		if (n == sizeof(random)) {
			randombytes_buf(random, sizeof(random));
			n = 0;
		}
		/* Values from 248 = 4 * 62 on are skipped: with them some characters would be more frequent. */
		if (random[n] < 248)
			id[i++] = alphabet[random[n] % 62];
		n++;
	}
	return id;
}

char *
secret_named(struct arena *a, const char *prefix)
{
	unsigned char random[32];

	start_sodium();
	randombytes_buf(random, sizeof(random));
	return arena_printf(a, "%s%s", prefix,
	    base64url(a, (struct str){ (const char *)random, sizeof(random) }));
}

char *
secret_token(struct arena *a)
{
	return secret_named(a, "oct_");
}

void
tag_bytes(struct str s, unsigned char out[TAG_BYTES])
{
	/* The key is fixed, so that all processes compute the same tags, also after restarts. */
	static const unsigned char key[crypto_shorthash_siphashx24_KEYBYTES + 1] = "octavo, of a tag";

	crypto_shorthash_siphashx24(out, (const unsigned char *)s.p, s.n, key);
}

void
hash_bytes(struct str s, unsigned char out[HASH_BYTES])
{
	crypto_generichash(out, HASH_BYTES, (const unsigned char *)s.p, s.n, NULL, 0);
}

/* Not thread-safe, since its buffer is static. The programs have no threads. */
bool
hash_file(const char *path, unsigned char out[HASH_BYTES])
{
	static unsigned char piece[1 << 17];
	crypto_generichash_state state;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	crypto_generichash_init(&state, NULL, 0, HASH_BYTES);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		crypto_generichash_update(&state, piece, (unsigned long long)n);
	crypto_generichash_final(&state, out, HASH_BYTES);
	close(fd);
	/*
	 * If reading fails (of a directory, for example), the hash of the part that was read must
	 * not be used.
	 */
	return n == 0;
}

/* libsodium needs its state aligned to 64 bytes, which an arena does not promise. */
enum { HASHER_ALIGN = 64 };

struct hasher {
	crypto_generichash_state state;
};

struct hasher *
hasher_new(struct arena *a)
{
	uintptr_t at = (uintptr_t)arena_alloc(a, sizeof(struct hasher) + HASHER_ALIGN);

	return (struct hasher *)((at + HASHER_ALIGN - 1) / HASHER_ALIGN * HASHER_ALIGN);
}

void
hasher_begin(struct hasher *h)
{
	crypto_generichash_init(&h->state, NULL, 0, HASH_BYTES);
}

void
hasher_add(struct hasher *h, const void *p, size_t n)
{
	crypto_generichash_update(&h->state, p, (unsigned long long)n);
}

void
hasher_end(struct hasher *h, unsigned char out[HASH_BYTES])
{
	crypto_generichash_final(&h->state, out, HASH_BYTES);
}

struct str
hash_of(struct arena *a, struct str s)
{
	unsigned char *h = arena_alloc(a, HASH_BYTES);

	hash_bytes(s, h);
	return (struct str){ (const char *)h, HASH_BYTES };
}

char *
secret_sign(struct arena *a, enum secret_purpose p, struct str s)
{
	unsigned char key[32], mac[16];

	derive_key(p, key);
	crypto_generichash(mac, sizeof(mac), (const unsigned char *)s.p, s.n, key, sizeof(key));
	return base64url(a, (struct str){ (const char *)mac, sizeof(mac) });
}

/*
 * Compares in constant time: otherwise the response time would reveal the right text byte by byte.
 * Its length is no secret.
 */
static bool
is_same_secret(const char *right, struct str s)
{
	return s.n == strlen(right) && sodium_memcmp(s.p, right, s.n) == 0;
}

bool
secret_verify(struct arena *a, enum secret_purpose p, struct str s, struct str mac)
{
	return is_same_secret(secret_sign(a, p, s), mac);
}

char *
secret_derive(struct arena *a, enum secret_purpose p, const char *secret)
{
	/*
	 * The personalization string of BLAKE2b contains the purpose: so a secret has another hash
	 * for each purpose, and none of them equals that of hash_bytes().
	 */
	unsigned char mac[16], personal[crypto_generichash_blake2b_PERSONALBYTES] = { 'o', 'c', 't', 'a', 'v', 'o', (unsigned char)p };

	crypto_generichash_blake2b_salt_personal(mac, sizeof(mac), (const unsigned char *)secret, strlen(secret), NULL, 0, NULL, personal);
	return base64url(a, (struct str){ (const char *)mac, sizeof(mac) });
}

bool
secret_is_derived(struct arena *a, enum secret_purpose p, const char *secret, const char *text)
{
	return is_same_secret(secret_derive(a, p, secret), str_of(text));
}

char *
secret_jwt(struct arena *a, enum secret_purpose p, struct str claims)
{
	unsigned char key[crypto_auth_hmacsha256_KEYBYTES], mac[crypto_auth_hmacsha256_BYTES];
	char *text = arena_printf(a, "%s.%s", base64url(a, str_of("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")),
	    base64url(a, claims));

	derive_key(p, key);
	crypto_auth_hmacsha256(mac, (const unsigned char *)text, strlen(text), key);
	return arena_printf(a, "%s.%s", text, base64url(a, (struct str){ (const char *)mac, sizeof(mac) }));
}

bool
jwt_parts(struct arena *a, const char *token, struct str *head, struct str *claims, struct str *mac)
{
	const char *first = strchr(token, '.'), *second = first == NULL ? NULL : strchr(first + 1, '.');

	return second != NULL && strchr(second + 1, '.') == NULL &&
	    base64url_read(a, (struct str){ token, (size_t)(first - token) }, head) &&
	    base64url_read(a, (struct str){ first + 1, (size_t)(second - first - 1) }, claims) &&
	    base64url_read(a, str_of(second + 1), mac);
}

/*
 * Checks the header of a token. Extensions that it names in "crit" must be understood, and Octavo
 * supports none (RFC 7515 section 4.1.11).
 */
static bool
is_hs256(struct arena *a, struct str head)
{
	bool large, fits;
	const char *alg;
	cJSON *v;

	if (json_scan(a, head, &json_limits_body, &large) != NULL)
		return false;
	v = cJSON_ParseWithLength(head.p, head.n);
	alg = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, "alg"));
	fits = alg != NULL && strcmp(alg, "HS256") == 0 && !json_repeats(v) &&
	    cJSON_GetObjectItemCaseSensitive(v, "crit") == NULL;
	cJSON_Delete(v);
	return fits;
}

bool
jwt_read(struct arena *a, struct str key, const char *token, struct str *claims)
{
	unsigned char mac[crypto_auth_hmacsha256_BYTES];
	crypto_auth_hmacsha256_state state;
	struct str head, token_mac;

	/* The MAC is always computed as HS256, whatever the header says: "none" or RS256 has no effect. */
	if (!jwt_parts(a, token, &head, claims, &token_mac) || !is_hs256(a, head) || token_mac.n != sizeof(mac))
		return false;
	crypto_auth_hmacsha256_init(&state, (const unsigned char *)key.p, key.n);
	/*
	 * The signature covers the encoded text up to the last dot (RFC 7515 section 5.2), not the
	 * decoded one.
	 */
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)token, (size_t)(strrchr(token, '.') - token));
	crypto_auth_hmacsha256_final(&state, mac);
	return sodium_memcmp(mac, token_mac.p, sizeof(mac)) == 0;
}

bool
secret_jwt_read(struct arena *a, enum secret_purpose p, const char *token, struct str *claims)
{
	unsigned char key[crypto_auth_hmacsha256_KEYBYTES];

	derive_key(p, key);
	return jwt_read(a, (struct str){ (const char *)key, sizeof(key) }, token, claims);
}

char *
secret_hash_text(struct arena *a, const char *secret)
{
	return hex(a, hash_of(a, str_of(secret)));
}

bool
secret_ready(void)
{
	return opened;
}

/*
 * A sealed text consists of nonce, MAC and ciphertext. The nonce has 24 random bytes, so any number
 * of texts may be sealed with one key.
 */
static struct str
seal_box(struct arena *a, const unsigned char key[32], struct str plain)
{
	size_t head = crypto_secretbox_NONCEBYTES;
	unsigned char *box = arena_alloc(a, head + crypto_secretbox_MACBYTES + plain.n);

	randombytes_buf(box, head);
	crypto_secretbox_easy(box + head, (const unsigned char *)plain.p, plain.n, box, key);
	return (struct str){ (const char *)box, head + crypto_secretbox_MACBYTES + plain.n };
}

/* False if the bytes were changed or the key is another one. *plain is set even then, and must not be used. */
static bool
open_box(struct arena *a, const unsigned char key[32], struct str box, struct str *plain)
{
	size_t head = crypto_secretbox_NONCEBYTES, over = head + crypto_secretbox_MACBYTES;
	const unsigned char *b = (const unsigned char *)box.p;
	unsigned char *out;

	if (box.n < over)
		return false;
	out = arena_alloc(a, box.n - over + 1);
	*plain = (struct str){ (const char *)out, box.n - over };
	return crypto_secretbox_open_easy(out, b + head, box.n - head, b, key) == 0;
}

struct str
secret_seal(struct arena *a, enum secret_purpose p, struct str plain)
{
	unsigned char key[32];

	derive_key(p, key);
	return seal_box(a, key, plain);
}

bool
secret_unseal(struct arena *a, enum secret_purpose p, struct str box, struct str *plain)
{
	unsigned char key[32];

	derive_key(p, key);
	return open_box(a, key, box, plain);
}

struct str
secret_seal_with(struct arena *a, struct str key_text, struct str plain)
{
	unsigned char key[32];

	/* Makes a key from a text. Salted, so that the key differs from the hash in the table token. */
	crypto_generichash(key, 32, (const unsigned char *)key_text.p, key_text.n,
	    (const unsigned char *)"octavo idempotency", 18);
	return seal_box(a, key, plain);
}

/* Makes the key in the same way as secret_seal_with(). */
bool
secret_unseal_with(struct arena *a, struct str key_text, struct str box, struct str *plain)
{
	unsigned char key[32];

	crypto_generichash(key, 32, (const unsigned char *)key_text.p, key_text.n,
	    (const unsigned char *)"octavo idempotency", 18);
	return open_box(a, key, box, plain);
}

char *
base64url(struct arena *a, struct str s)
{
	int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
	size_t n = sodium_base64_encoded_len(s.n, variant);
	char *out = arena_alloc(a, n);

	return sodium_bin2base64(out, n, (const unsigned char *)s.p, s.n, variant);
}

bool
base64url_read(struct arena *a, struct str s, struct str *out)
{
	unsigned char *bytes = arena_alloc(a, s.n + 1);
	const char *end;
	size_t n;

	if (sodium_base642bin(bytes, s.n + 1, s.p, s.n, NULL, &n, &end,
	    /*
	     * `end` is where the decoder stopped. Text after it is refused, so that each value has
	     * only one spelling.
	     */
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 || end != s.p + s.n)
		return false;
	*out = (struct str){ (const char *)bytes, n };
	return true;
}

/* Line ends are skipped, since encoders for mail and PEM insert them (RFC 4648 section 3.1). */
bool
base64_read(struct arena *a, struct str s, struct str *out)
{
	unsigned char *bytes = arena_alloc(a, s.n + 1);
	const char *end;
	size_t n;

	while (s.n > 0 && s.p[s.n - 1] == '=')
		s.n--;
	if (sodium_base642bin(bytes, s.n + 1, s.p, s.n, " \r\n", &n, &end,
	    sodium_base64_VARIANT_ORIGINAL_NO_PADDING) != 0 || end != s.p + s.n)
		return false;
	*out = (struct str){ (const char *)bytes, n };
	return true;
}

char *
hex(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, 2 * s.n + 1);

	return sodium_bin2hex(out, 2 * s.n + 1, (const unsigned char *)s.p, s.n);
}

bool
hex_read(struct arena *a, struct str s, struct str *out)
{
	unsigned char *bytes = arena_alloc(a, s.n / 2 + 1);
	size_t n;
	const char *end;

	if (sodium_hex2bin(bytes, s.n / 2, s.p, s.n, NULL, &n, &end) != 0 || end != s.p + s.n)
		return false;
	*out = (struct str){ (const char *)bytes, n };
	return true;
}

char *
secret_hmac(struct arena *a, struct str key, struct str s)
{
	crypto_auth_hmacsha256_state st;
	unsigned char mac[crypto_auth_hmacsha256_BYTES];

	crypto_auth_hmacsha256_init(&st, (const unsigned char *)key.p, key.n);
	crypto_auth_hmacsha256_update(&st, (const unsigned char *)s.p, s.n);
	crypto_auth_hmacsha256_final(&st, mac);
	return hex(a, (struct str){ (const char *)mac, sizeof(mac) });
}

bool
secret_same(const char *x, const char *y)
{
	unsigned char a[HASH_BYTES], b[HASH_BYTES];

	/*
	 * Compares hashes, which have equal lengths: then the time reveals neither the length nor
	 * the first difference.
	 */
	hash_bytes(str_of(x), a);
	hash_bytes(str_of(y), b);
	return sodium_memcmp(a, b, sizeof(a)) == 0;
}
