/*
 * Export of a legacy GitBook repository: puts the variables of its book.json back into texts.
 * Contract: export_parts.h.
 */
#include "export_parts.h"
#include "text/diff.h"

/* Upper limit for one text, the same as for an exported page. */
enum { TEXT_BYTES = 256 << 20 };

static struct str
fill_text(struct export_ctx *x, struct str raw)
{
	return book_fill(x->arena, x->book, raw, TEXT_BYTES, NULL, NULL);
}

bool
export_read_text(struct export_ctx *x, const char *path, struct str *out)
{
	bool there = export_read(x, path, out);

	if (there)
		*out = fill_text(x, *out);
	return there;
}

/*
 * Lines that are the same in `filled` and in the new text keep the file's own spelling from `raw`;
 * all others stay as they are. `raw` and `filled` must have the same number of lines.
 */
static struct str
spell_lines(struct export_ctx *x, struct str raw, struct str filled, struct str want)
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
export_write_text(struct export_ctx *x, const char *path, const char *from, struct str bytes)
{
	struct str raw, filled, spelled;

	if (x->book != NULL && export_read(x, from, &raw) && (filled = fill_text(x, raw)).p != raw.p) {
		spelled = spell_lines(x, raw, filled, bytes);
		/*
		 * Use the variables only if the next import reads the same text from them;
		 * otherwise write the values.
		 */
		if (str_eq(fill_text(x, spelled), bytes))
			bytes = spelled;
	}
	export_write(x, path, bytes);
}
