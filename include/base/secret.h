/*
 * Secrets and randomness, with libsodium.
 *
 * DIR/octavo.key contains 32 random bytes in hex. Each purpose has its own key derived from them
 * (crypto_kdf), so that a signature made for one purpose is invalid for another. A secret that
 * people see only once (a bearer token) is stored as a hash only.
 */
#ifndef OCTAVO_SECRET_H
#define OCTAVO_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum secret_purpose {
	SECRET_PAGE = 1,      /* page tokens of lists */
	SECRET_DOWNLOAD = 2,  /* signatures of file addresses */
	SECRET_GIT = 3,       /* git credentials in the queue */
	SECRET_JWT = 4,       /* visitor claims */
	SECRET_PASS = 5,      /* MACs that make the handles of site tokens */
	SECRET_VISITOR = 6,   /* the keys that sign visitors' claims, sealed in the database */
	SECRET_PREVIEW = 7,   /* claims of a preview of a site */
	SECRET_PDF = 8,       /* signatures of addresses of PDFs */
	SECRET_HEADERS = 9,   /* headers for MCP servers of a site, sealed in the database */
	SECRET_MARK = 10,     /* no key of its own: fingerprint of the master key, secret_mark() */
	SECRET_LINK = 11,     /* share links, invite links and the like, sealed in the database */
	SECRET_CSRF = 12,     /* no key: the text that a browser must send besides a session's cookie, secret_derive() */
	SECRET_FLOW = 13,     /* state of a sign-in at a provider, sealed in a cookie */
	SECRET_DEVICE = 14,   /* cookie that proves that an account signed in with this browser before */
	SECRET_UPLOAD = 15,   /* signatures of addresses to which files are uploaded */
	SECRET_PROVIDER = 16  /* secrets of organizations' OpenID providers, sealed in the database */
};

enum { HASH_BYTES = 32, ID_CHARS = 22, TOKEN_CHARS = 48 };

/* Reads DIR/octavo.key. NULL, or an error message in the arena. Call it once in a process. */
const char *secret_open(struct arena *a, const char *dir);

/* True if secret_open() has succeeded. */
bool secret_ready(void);

/* Creates DIR/octavo.key with mode 0600; an existing file is not changed. NULL, or an error message. */
const char *secret_create(struct arena *a, const char *dir);

/*
 * Fingerprint of the key in a file, or in the text of one: 32 hexadecimal digits. Different keys
 * have different fingerprints, which reveal nothing about the key. NULL: no key, or it cannot be
 * read. The key is not opened.
 */
char *secret_mark(struct arena *a, const char *path);
char *secret_mark_of(struct arena *a, struct str text);

/* A new id: 22 letters and digits, about 131 bits. */
char *secret_id(struct arena *a);

/* A new bearer token: "oct_" and 43 characters (256 bits, base64url). */
char *secret_token(struct arena *a);

/* A new secret of a session, a sign-in link or a code: as a token, but with this prefix of four characters. */
char *secret_named(struct arena *a, const char *prefix);

/* BLAKE2b-256 of some bytes. */
void hash_bytes(struct str s, unsigned char out[HASH_BYTES]);
/* The same hash of a file, which need not fit into memory. False: it cannot be read; errno is set. */
bool hash_file(const char *path, unsigned char out[HASH_BYTES]);
/* The same hash of bytes that come in pieces. */
struct hasher;
struct hasher *hasher_new(struct arena *a);
void hasher_begin(struct hasher *h);
void hasher_add(struct hasher *h, const void *p, size_t n);
void hasher_end(struct hasher *h, unsigned char out[HASH_BYTES]);
/*
 * A hash of 16 bytes (SipHash-2-4-128) at half the cost. For ETags; not for names, since it does
 * not resist attackers.
 */
enum { TAG_BYTES = 16 };
void tag_bytes(struct str s, unsigned char out[TAG_BYTES]);
/* As hash_bytes(), as a str in the arena. */
struct str hash_of(struct arena *a, struct str s);
/* The hash of a secret in hexadecimal. The database stores this where the secret itself is not needed again. */
char *secret_hash_text(struct arena *a, const char *secret);

/* MAC of the bytes under the purpose's key, base64url, 22 characters (128 bits). */
char *secret_sign(struct arena *a, enum secret_purpose p, struct str s);
bool  secret_verify(struct arena *a, enum secret_purpose p, struct str s, struct str mac);

/*
 * A text that can be computed only with the secret, and reveals nothing about it: base64url, 22
 * characters. It takes one hash and does not use the key, so the secret must be random
 * (secret_named()).
 */
char *secret_derive(struct arena *a, enum secret_purpose p, const char *secret);
bool  secret_is_derived(struct arena *a, enum secret_purpose p, const char *secret, const char *text);

/* HMAC-SHA-256 (RFC 2104) with any key, in lower-case hex: the signature of calls of hooks. */
char *secret_hmac(struct arena *a, struct str key, struct str s);
/* True if two texts are equal. The time does not reveal where they differ. */
bool secret_same(const char *x, const char *y);

/* A JSON Web Token (RFC 7519) with these claims, signed as HS256 with the key of the purpose. */
char *secret_jwt(struct arena *a, enum secret_purpose p, struct str claims);

/*
 * The claims of a token that secret_jwt() made. Expiry times in them are not checked. False: the
 * token is invalid.
 */
bool  secret_jwt_read(struct arena *a, enum secret_purpose p, const char *token, struct str *claims);
/*
 * The claims of a token that others have signed as HS256 with this text as the key. "alg" in the
 * header must be HS256: any other value is refused (RFC 8725, 3.1), and so are a header with "crit"
 * and a header that repeats a name.
 */
bool  jwt_read(struct arena *a, struct str key, const char *token, struct str *claims);
/*
 * Decodes the header, the claims and the signature of a token. False: there are not three parts, or
 * one is not base64url in its only spelling.
 */
bool  jwt_parts(struct arena *a, const char *token, struct str *header, struct str *claims, struct str *signature);

/*
 * Authenticated encryption (XSalsa20-Poly1305) with the key of the purpose, or (_with) with a key
 * made from a text.
 */
struct str secret_seal(struct arena *a, enum secret_purpose p, struct str plain);
bool       secret_unseal(struct arena *a, enum secret_purpose p, struct str box, struct str *plain);
struct str secret_seal_with(struct arena *a, struct str key_text, struct str plain);
bool       secret_unseal_with(struct arena *a, struct str key_text, struct str box, struct str *plain);

/* base64url without padding (RFC 4648 section 5), and its inverse; false if s is invalid. */
char *base64url(struct arena *a, struct str s);
bool  base64url_read(struct arena *a, struct str s, struct str *out);
/* Decodes base64 (RFC 4648 section 4); padding is optional. False if s is invalid. */
bool  base64_read(struct arena *a, struct str s, struct str *out);
/* Lower-case hex. */
char *hex(struct arena *a, struct str s);
bool  hex_read(struct arena *a, struct str s, struct str *out);

#endif
