/* Texts of a legacy repository on their way out: variables of its book.json. Contract: export_parts.h. */
#include "export_parts.h"
#include "text/diff.h"

/* As large as a page that is exported may be. */
enum { TEXT_BYTES = 256 << 20 };

static struct str
fill_text(struct exporting *x, struct str raw)
{
	return book_fill(x->arena, x->book, raw, TEXT_BYTES, NULL, NULL);
}

bool
export_read_text(struct exporting *x, const char *path, struct str *out)
{
	bool there = export_read(x, path, out);

	if (there)
		*out = fill_text(x, *out);
	return there;
}

/* Lines that both have, as the file spells them; the others as they are. Wants as many lines in raw as in filled. */
static struct str
spell_lines(struct exporting *x, struct str raw, struct str filled, struct str want)
{
	struct diff_table *t = diff_table_new(x->arena);
	struct diff_text r = diff_text(x->arena, t, raw), f = diff_text(x->arena, t, filled), w = diff_text(x->arena, t, want);
	struct diff_change *c;
	size_t count, i, from = 0;
	struct buf out;

	if (r.n != f.n)
		return want;
	c = diff_texts(x->arena, t, &f, &w, &count);
	buf_init(&out, x->arena, raw.n + want.n + 1);
	for (i = 0; i < count; i++) {
		buf_put(&out, diff_lines(&r, from, c[i].x));
		buf_put(&out, diff_lines(&w, c[i].y, c[i].y + c[i].yn));
		from = c[i].x + c[i].xn;
	}
	buf_put(&out, diff_lines(&r, from, r.n));
	return out.n == 0 ? STR("") : buf_view(&out);
}

void
export_write_text(struct exporting *x, const char *path, const char *from, struct str bytes)
{
	struct str raw, filled, spelled;

	if (x->book != NULL && export_read(x, from, &raw) && (filled = fill_text(x, raw)).p != raw.p) {
		spelled = spell_lines(x, raw, filled, bytes);
		/* What the next import reads is what was meant, or the values are written. */
		if (str_eq(fill_text(x, spelled), bytes))
			bytes = spelled;
	}
	export_write(x, path, bytes);
}
