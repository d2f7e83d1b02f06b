/* What holds for a visitor. Contract: visit/visit.h. */
#include "base/secret.h"
#include "parts.h"

/* No expression is understood yet: what has a condition is seen by nobody. */
bool
visit_holds(const struct visit *v, const char *condition)
{
	(void)v;
	return condition == NULL || *condition == '\0';
}

char *
visit_state(const struct visit *v)
{
	const struct visit_item *it = NULL;
	struct buf b;

	buf_init(&b, v->arena, 1 << 20);
	buf_printf(&b, "%s %lld %lld %s", v->site.id, (long long)v->site.published_at, (long long)v->site.updated_at,
	    v->site.share_link != NULL ? v->site.share_link : "");
	while ((it = visit_next_space(v, it)) != NULL)
		buf_printf(&b, " %s %s", it->id, it->point.revision);
	return hex(v->arena, str_slice(hash_of(v->arena, buf_view(&b)), 0, 16));
}
