/* Verifies what devices answer. Contract: passkey/verify.h. */
#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>
#include <sodium.h>
#include <string.h>

#include "passkey/verify.h"

/*
 * Bits of the flags in authenticator data (section 6.1). HOST: bytes of the hash of the host, which come first.
 * ID_MOST: bytes of a credential's id (section 7.1, step "credentialId is <= 1023 bytes").
 */
enum { FLAG_PRESENT = 0x01, FLAG_VERIFIED = 0x04, FLAG_KEY = 0x40, HOST = 32, ID_MOST = 1023 };

static const int kinds[] = { COSE_ES256, COSE_EDDSA, COSE_RS256 };

static struct str
copy_bytes(struct arena *a, const unsigned char *p, size_t n)
{
	return (struct str){ arena_strndup(a, (const char *)p, n), n };
}

/* The host and the flags are the first 33 bytes of authenticator data. */
static const char *
refuse_data(const char *rp, struct str data, unsigned flags)
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	if (data.n <= HOST)
		return "the device sent no data";
	crypto_hash_sha256(hash, (const unsigned char *)rp, strlen(rp));
	if (memcmp(hash, data.p, HOST) != 0)
		return "the device answered for another host";
	if (((unsigned char)data.p[HOST] & FLAG_VERIFIED) == 0)
		return "the device has not verified who uses it, by a PIN, a fingerprint or the like";
	return ((unsigned char)data.p[HOST] & flags) == flags ? NULL : "the device sent an incomplete answer";
}

/* libfido2 must be given the key's algorithm before it reads the key, so the caller tries each of `kinds`. */
static bool
read_data(fido_cred_t *cred, struct str data, int kind)
{
	return fido_cred_set_type(cred, kind) == FIDO_OK &&
	    fido_cred_set_authdata_raw(cred, (const unsigned char *)data.p, data.n) == FIDO_OK && fido_cred_id_len(cred) > 0 &&
	    fido_cred_pubkey_len(cred) > 0;
}

static bool
read_key(struct arena *a, struct str data, int kind, struct passkey_key *out)
{
	fido_cred_t *cred = fido_cred_new();
	bool good = cred != NULL && read_data(cred, data, kind);

	if (good)
		*out = (struct passkey_key){ kind, copy_bytes(a, fido_cred_id_ptr(cred), fido_cred_id_len(cred)),
			copy_bytes(a, fido_cred_pubkey_ptr(cred), fido_cred_pubkey_len(cred)), fido_cred_sigcount(cred) };
	fido_cred_free(&cred);
	return good;
}

const char *
passkey_read(struct arena *a, const char *rp, struct str authenticator, struct passkey_key *out)
{
	const char *why = refuse_data(rp, authenticator, FLAG_PRESENT | FLAG_VERIFIED | FLAG_KEY);

	if (why != NULL)
		return why;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (read_key(a, authenticator, kinds[i], out))
			return out->credential.n <= ID_MOST ? NULL : "the device's id of the passkey has more than 1,023 bytes";
	return "the device sent a key that cannot be read, or of a kind that is not ES256, EdDSA or RS256";
}

/* ---- a sign-in ---- */

static bool
is_signed_by(const fido_assert_t *assert, const struct passkey_key *k)
{
	es256_pk_t *es = NULL;
	eddsa_pk_t *ed = NULL;
	rs256_pk_t *rs = NULL;
	bool good = false;

	if (k->kind == COSE_ES256)
		good = (es = es256_pk_new()) != NULL && es256_pk_from_ptr(es, k->key.p, k->key.n) == FIDO_OK &&
		    fido_assert_verify(assert, 0, COSE_ES256, es) == FIDO_OK;
	else if (k->kind == COSE_EDDSA)
		good = (ed = eddsa_pk_new()) != NULL && eddsa_pk_from_ptr(ed, k->key.p, k->key.n) == FIDO_OK &&
		    fido_assert_verify(assert, 0, COSE_EDDSA, ed) == FIDO_OK;
	else if (k->kind == COSE_RS256)
		good = (rs = rs256_pk_new()) != NULL && rs256_pk_from_ptr(rs, k->key.p, k->key.n) == FIDO_OK &&
		    fido_assert_verify(assert, 0, COSE_RS256, rs) == FIDO_OK;
	es256_pk_free(&es);
	eddsa_pk_free(&ed);
	rs256_pk_free(&rs);
	return good;
}

static bool
fill_assert(fido_assert_t *assert, const char *rp, struct str client, struct str authenticator, struct str signature)
{
	return fido_assert_set_rp(assert, rp) == FIDO_OK &&
	    fido_assert_set_clientdata(assert, (const unsigned char *)client.p, client.n) == FIDO_OK &&
	    fido_assert_set_count(assert, 1) == FIDO_OK &&
	    fido_assert_set_up(assert, FIDO_OPT_TRUE) == FIDO_OK && fido_assert_set_uv(assert, FIDO_OPT_TRUE) == FIDO_OK &&
	    fido_assert_set_authdata_raw(assert, 0, (const unsigned char *)authenticator.p, authenticator.n) == FIDO_OK &&
	    fido_assert_set_sig(assert, 0, (const unsigned char *)signature.p, signature.n) == FIDO_OK;
}

const char *
passkey_verify(const char *rp, const struct passkey_key *key, struct str client, struct str authenticator,
    struct str signature, uint32_t *count)
{
	const char *why = refuse_data(rp, authenticator, FLAG_PRESENT | FLAG_VERIFIED);
	fido_assert_t *assert;

	if (why != NULL)
		return why;
	assert = fido_assert_new();
	if (assert == NULL || !fill_assert(assert, rp, client, authenticator, signature) || !is_signed_by(assert, key))
		why = "the signature is not of this passkey";
	else
		*count = fido_assert_sigcount(assert, 0);
	fido_assert_free(&assert);
	return why;
}
