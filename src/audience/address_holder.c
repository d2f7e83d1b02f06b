/* Finds the organization or site to which an address belongs. Contract: audience/address_holder.h. */
#include "base/buf.h"
#include "audience/address_holder.h"

/* Addresses of other sites at a host; '0' is the character after '/'. */
SQL(q_at_host,
    "SELECT id, org, hostname, 0 AS proxy FROM site WHERE hostname = :host AND id <> :site "
    "UNION ALL SELECT id, org, proxy_origin, 1 FROM site WHERE proxy_origin > :host || '/' "
    "AND proxy_origin < :host || '0' AND id <> :site");

SQL(q_is_own,
    "SELECT 1 FROM site WHERE hostname = :host UNION ALL SELECT 1 FROM site WHERE proxy_origin = :host "
    "UNION ALL SELECT 1 FROM site WHERE proxy_origin > :host || '/' AND proxy_origin < :host || '0' LIMIT 1");

char *
holder_address(struct arena *a, const char *address)
{
	char *out = arena_strdup(a, address), *p;

	for (p = out; *p != '\0' && *p != '/'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p | 32);
	return out;
}

/* True if one address equals the other, or is its beginning up to a slash. */
static bool
addresses_overlap(const char *x, const char *y)
{
	size_t n = strlen(x), m = strlen(y);
	const char *rest = n < m ? y + n : x + m;

	return strncmp(x, y, n < m ? n : m) == 0 && (*rest == '\0' || *rest == '/');
}

/* Host without port, and path, of OCTAVO_URL. */
static const char *
own_address(struct arena *a, const struct settings *set)
{
	const char *at = strstr(set->url, "://"), *path;

	at = at == NULL ? set->url : at + 3;
	path = at + strcspn(at, "/");
	return holder_address(a, arena_printf(a, "%.*s%s", (int)strcspn(at, ":/"), at, path));
}

bool
holder_find(struct db *db, struct arena *a, const struct settings *set, const char *site, const char *org,
    const char *address, struct holder *out)
{
	struct stmt *q;

	*out = (struct holder){ .address = set == NULL ? "" : own_address(a, set) };
	if (set != NULL && addresses_overlap(out->address, address))
		return true;
	q = db_use(db, &q_at_host);
	bind_text(q, ":host", arena_strndup(a, address, strcspn(address, "/")));
	bind_text(q, ":site", site);
	while (stmt_step(q)) {
		*out = (struct holder){ col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 2, a), col_int(q, 3) != 0 };
		if (strcmp(out->address, address) == 0 || (strcmp(out->org, org) != 0 && addresses_overlap(out->address, address)))
			return true;
	}
	return false;
}

bool
holder_is_own(struct db *db, struct arena *a, const struct settings *set, const char *host)
{
	const char *own = own_address(a, set);
	struct stmt *q;

	if (strncmp(own, host, strcspn(own, "/")) == 0 && host[strcspn(own, "/")] == '\0')
		return true;
	q = db_use(db, &q_is_own);
	bind_text(q, ":host", host);
	return stmt_int(q, 0) != 0;
}
