/* Site tokens. Contract: audience/site_token.h. */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/secret.h"
#include "audience_parts.h"
#include "audience/site_token.h"

/*
 * FILES_MS: longest validity of addresses of files. HANDLE_CHARS: 96 bits, which cannot be guessed
 * in two hours; a short handle leaves room for a long host in the name of the renderer's cache
 * file. SOME: maximum number of rows that one request removes.
 */
enum { SOME = 200, HOUR_MS = 3600 * 1000, FILES_MS = 48 * HOUR_MS, HANDLE_CHARS = 16 };

SQL(q_known, "SELECT 1 FROM site_pass WHERE hash = :hash");
SQL(q_keep,
    "INSERT INTO site_pass (hash, site, claims, share_link, signer, account, preview, drafts, maker, made_at, expires_at) "
    "VALUES (:hash, :site, :claims, :share_link, :signer, :account, :preview, :drafts, :maker, :made, :expires)");
SQL(q_expired,
    "DELETE FROM site_pass WHERE hash IN (SELECT hash FROM site_pass WHERE expires_at < :before "
    "ORDER BY expires_at LIMIT :limit)");
/* Uses the index site_pass_maker: costs the rows of one account, without their claims. */
SQL(q_over,
    "DELETE FROM site_pass WHERE hash IN (SELECT hash FROM site_pass WHERE maker = :maker "
    "ORDER BY made_at DESC LIMIT :limit OFFSET :most)");
/* Addresses of files are valid for up to FILES_MS after the token expired, unless it is the token of a preview. */
SQL(q_pass,
    "SELECT site, claims, share_link, signer, account, preview, made_at, drafts FROM site_pass "
    "WHERE hash = :hash AND (expires_at > :now OR (:files = 1 AND preview = 0))");
SQL(q_active, "SELECT sealed FROM site_share_link WHERE id = :id AND active = 1");

static const char *
claims_text(const struct visit *v)
{
	return v->claims == NULL || v->claims->child == NULL ? NULL : cJSON_PrintUnformatted(v->claims);
}

/*
 * The handle for a visitor, a state of the site and an expiry time. It is a MAC of these, so that
 * the same visitor gets the same handle for an hour.
 */
static char *
make_handle(const struct visit *v, int64_t expires)
{
	/*
	 * The text contains everything on which the visible content depends, because visitors with
	 * the same handle share entries of the renderer's cache.
	 */
	const char *claims = claims_text(v);
	char *text = arena_printf(v->arena, "%lld\n%s\n%s\n%s\n%s\n%s\n%d%d", (long long)expires, visit_state(v),
	    v->site.share_link != NULL ? v->site.share_link : "", hex(v->arena, v->signing_key),
	    v->account != NULL ? v->account : "", claims != NULL ? claims : "", v->preview, v->drafts);

	return arena_strndup(v->arena, secret_sign(v->arena, SECRET_PASS, str_of(text)), HANDLE_CHARS);
}

/* Deletes expired rows and, for one new row in 16, the oldest rows of a maker who has too many. */
static void
delete_old_rows(const struct visit *v, struct str hash, const char *maker)
{
	struct stmt *q = db_use(v->db, &q_expired);

	bind_int(q, ":before", time_now() - FILES_MS);
	bind_int(q, ":limit", SOME);
	stmt_run(q);
	if ((hash.p[0] & 15) != 0 || maker == NULL)
		return;
	q = db_use(v->db, &q_over);
	bind_text(q, ":maker", maker);
	bind_int(q, ":limit", SOME);
	bind_int(q, ":most", PASS_MOST);
	stmt_run(q);
}

/* Only the hash is stored, so that tokens cannot be read from a copy of the database. */
static void
store_token(const struct visit *v, struct str hash, int64_t expires, const char *maker)
{
	struct stmt *q;

	delete_old_rows(v, hash, maker);
	q = db_use(v->db, &q_keep);
	bind_blob(q, ":hash", hash);
	bind_text(q, ":site", v->site.id);
	bind_text(q, ":claims", claims_text(v));
	bind_text(q, ":share_link", v->site.share_link);
	if (v->signing_key.n > 0)
		bind_blob(q, ":signer", v->signing_key);
	else
		bind_null(q, ":signer");
	bind_text(q, ":account", v->account);
	bind_int(q, ":preview", v->preview);
	bind_int(q, ":drafts", v->drafts);
	bind_text(q, ":maker", maker);
	bind_int(q, ":made", time_now());
	bind_int(q, ":expires", expires);
	stmt_run(q);
}

/* The token is valid for one to two hours; a preview's ends with the preview. */
char *
pass_make(const struct visit *v, const char *maker)
{
	int64_t most = (time_now() / HOUR_MS + 2) * HOUR_MS, expires = v->preview && v->until < most ? v->until : most;
	const char *handle = make_handle(v, expires);
	struct str hash = hash_of(v->arena, str_of(handle));
	struct stmt *q = db_use(v->db, &q_known);

	bind_blob(q, ":hash", hash);
	if (stmt_int(q, 0) == 0) {
		/* Most calls find the row. For the others, the caller tries again in a write transaction. */
		if (!db_writing(v->db))
			return NULL;
		store_token(v, hash, expires, maker);
	}
	return arena_printf(v->arena, "e30.%s.%s", base64url(v->arena,
	    str_of(arena_printf(v->arena, "{\"exp\":%lld}", (long long)(expires / 1000)))), handle);
}

bool
pass_hash(struct arena *a, struct str bearer, struct str *hash)
{
	const char *last;

	if (!str_starts(bearer, "e30."))
		return false;
	/*
	 * There is at least the dot after "e30". Only the handle identifies the token; the part in
	 * the middle is for the renderer only.
	 */
	last = memrchr(bearer.p, '.', bearer.n);
	*hash = hash_of(a, (struct str){ last + 1, (size_t)(bearer.p + bearer.n - last - 1) });
	return true;
}

/* ---- use ---- */

/* True if the share link is still active. Sets its key for addresses, as visit_open() does. */
static bool
open_share_link(struct visit *v, const char *link)
{
	struct stmt *q;
	struct str key;

	if (link == NULL)
		return false;
	q = db_use(v->db, &q_active);
	bind_text(q, ":id", link);
	/* If octavo.key was replaced, the link's key cannot be decrypted, and the visitor must use the link again. */
	return stmt_step(q) && secret_unseal(v->arena, SECRET_LINK, col_bytes(q, 0), &key) &&
	    use_share_link(v, arena_strndup(v->arena, key.p, key.n));
}

/* True if the credentials for which the token was made still give access to the site. */
static bool
credentials_valid(struct visit *v, const char *link, struct str signer, const char *account)
{
	struct str key;

	if (account != NULL && !is_member_now(v, account, false))
		return false;
	if (signer.n > 0) {
		key = visitor_key(v);
		/* If the site has a new key since, claims that were signed with the old one are no longer valid. */
		if (key.n == 0 || !str_eq(hash_of(v->arena, key), signer))
			return false;
		v->signing_key = signer;
	}
	if (v->preview)
		return true;
	/* Unpublishing closes the site for all tokens. */
	if (v->site.published_at == 0)
		return false;
	if (strcmp(v->site.visibility, "share-link") == 0)
		return open_share_link(v, link);
	return strcmp(v->site.visibility, "visitor-auth") != 0 || signer.n > 0 || account != NULL;
}

static struct str
dup_bytes(struct arena *a, struct str s)
{
	return (struct str){ s.n == 0 ? NULL : arena_strndup(a, s.p, s.n), s.n };
}

/*
 * Opens the visit of a token's row. files: the token is part of the address of a file, and was not
 * sent by its bearer.
 */
static enum visit_status
open_row(struct db *db, struct arena *a, const struct settings *set, struct str hash, bool files, struct visit *v)
{
	struct stmt *q = db_use(db, &q_pass);
	const char *site, *claims, *link, *account;
	struct site_more more;
	struct str signer;

	visit_begin(v, db, a, set);
	bind_blob(q, ":hash", hash);
	bind_int(q, ":now", time_now());
	bind_int(q, ":files", files);
	if (!stmt_step(q))
		return VISIT_NO_SITE;
	site = col_dup(q, 0, a);
	claims = col_dup(q, 1, a);
	link = col_dup(q, 2, a);
	signer = dup_bytes(a, col_bytes(q, 3));
	account = col_dup(q, 4, a);
	v->preview = col_int(q, 5) != 0;
	v->token_since = col_int(q, 6);
	v->drafts = col_int(q, 7) != 0;
	/* From here on the columns of the row are not used any more: these calls may reset the statement. */
	if (!find_site_by_id(v, site, &more) || !credentials_valid(v, link, signer, account))
		return VISIT_NO_SITE;
	/*
	 * Revisions that were replaced before the last change of the site are not shown, because a
	 * space may have been added to the site by that change.
	 */
	if (v->site.updated_at > v->token_since)
		v->token_since = v->site.updated_at;
	/* If the site is no longer adaptive, claims have no effect. */
	if (claims != NULL && v->site.adaptive)
		v->claims = cJSON_Parse(claims);
	v->token_hash = hash;
	/* Called after the claims are set, which its conditions use. */
	site_structure(v);
	return VISIT_PAGE;
}

enum visit_status
pass_open(struct db *db, struct arena *a, const struct settings *set, struct str hash, struct visit *v)
{
	return open_row(db, a, set, hash, false, v);
}

/* ---- files ---- */

char *
pass_reader(const struct visit *v, const char *file)
{
	return v->token_hash.n == 0 ? NULL : arena_printf(v->arena, "%s~%s", hex(v->arena, v->token_hash), file);
}

bool
pass_reads(struct db *db, struct arena *a, const struct settings *set, const char *reader, const char *space)
{
	const struct visit_item *item;
	size_t n = strcspn(reader, "~");
	struct str hash;
	struct visit v;

	if (reader[n] == '\0' || !hex_read(a, (struct str){ reader, n }, &hash) ||
	    open_row(db, a, set, hash, true, &v) != VISIT_PAGE)
		return false;
	item = visit_space(&v, space);
	/*
	 * The bearer got this address from a page that used the file, so it stays valid even if no
	 * page uses the file any more.
	 */
	return item != NULL && visit_file_use(&v, item, reader + n + 1) != FILE_HIDDEN;
}
