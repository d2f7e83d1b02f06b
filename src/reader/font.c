/*
 * Fonts of a site. A font from the client's list is used if the reader's system has it; otherwise
 * the system's most similar font is used. Nothing is downloaded, so no other server learns that the
 * page is read, and the text appears at once. An uploaded font is loaded from the site's own
 * address.
 */
#include "app/stored.h"
#include "reader_parts.h"

/* Kinds of fonts, with what Apple's, Microsoft's, Android's and Linux's systems have of them. */
#define GROTESQUE "'Helvetica Neue','Arial Nova','Nimbus Sans',Arial,sans-serif"
#define HUMANIST "Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans','Noto Sans',sans-serif"
#define GEOMETRIC "Avenir,Montserrat,Corbel,'URW Gothic','Century Gothic',sans-serif"
#define SLAB "Rockwell,'Rockwell Nova','Roboto Slab','DejaVu Serif','Sitka Small',serif"
#define SERIF "Charter,'Bitstream Charter','Sitka Text',Cambria,'Liberation Serif',serif"
#define SYSTEM "system-ui,sans-serif"
#define MONO "ui-monospace,'SF Mono','Cascadia Mono','DejaVu Sans Mono','Liberation Mono',monospace"

static const struct {
	const char *name, *family, *others;
} fonts[] = {
	{ "ABCFavorit", "ABC Favorit", GROTESQUE }, { "Inter", "Inter", GROTESQUE }, { "Roboto", "Roboto", GROTESQUE },
	{ "RobotoSlab", "Roboto Slab", SLAB }, { "OpenSans", "Open Sans", HUMANIST },
	{ "SourceSansPro", "Source Sans Pro", HUMANIST }, { "Lato", "Lato", HUMANIST }, { "Ubuntu", "Ubuntu", HUMANIST },
	{ "Raleway", "Raleway", GEOMETRIC }, { "Merriweather", "Merriweather", SERIF },
	{ "Overpass", "Overpass", HUMANIST }, { "NotoSans", "Noto Sans", HUMANIST },
	{ "IBMPlexSerif", "IBM Plex Serif", SERIF }, { "Poppins", "Poppins", GEOMETRIC }, { "FiraSans", "Fira Sans", HUMANIST },
	{ "FiraCode", "Fira Code", MONO }, { "IBMPlexMono", "IBM Plex Mono", MONO }, { "JetBrainsMono", "JetBrains Mono", MONO },
	{ "SourceCodePro", "Source Code Pro", MONO }, { "RobotoMono", "Roboto Mono", MONO },
	{ "SpaceMono", "Space Mono", MONO }, { "DMMono", "DM Mono", MONO }, { "Inconsolata", "Inconsolata", MONO },
};

/* True if an author's font name is safe in a style sheet. */
static bool
is_family(const char *name)
{
	return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -") == strlen(name);
}

static void
write_family(struct buf *b, const char *selector, const char *name, const char *others)
{
	size_t i;

	for (i = 0; i < sizeof(fonts) / sizeof(fonts[0]); i++)
		if (strcmp(fonts[i].name, name) == 0) {
			buf_printf(b, "%s{font-family:'%s',%s}\n", selector, fonts[i].family, fonts[i].others);
			return;
		}
	if (is_family(name))
		buf_printf(b, "%s{font-family:'%s',%s}\n", selector, name, others);
}

/*
 * Writes an uploaded font under a unique family name, so that it cannot be confused with a font of
 * the reader's system or another font of the site. Until it is loaded, the text has another font.
 */
static void
write_uploaded(struct view *s, struct buf *b, const char *selector, const char *id, const char *others)
{
	struct font f;

	if (!font_find(s->w->db, s->arena, NULL, id, &f))
		return;
	for (size_t i = 0; i < f.count; i++)
		buf_printf(b, "@font-face{font-family:'o-%s';font-weight:%d;font-display:swap;src:url('%s') format('%s')}\n", f.id,
		    f.faces[i].weight, view_local(s, stored_path(s->arena, f.faces[i].file, f.faces[i].name)),
		    font_format(f.faces[i].name));
	buf_printf(b, "%s{font-family:'o-%s',%s}\n", selector, f.id, others);
}

/* site.css contains the default fonts: Inter and Fira Code, if the reader's system has them. */
static void
write_font(struct view *s, struct buf *b, const char *selector, const struct look_font *f, const char *preset, const char *others)
{
	if (f->id != NULL)
		write_uploaded(s, b, selector, f->id, others);
	else if (f->name != NULL && (preset == NULL || strcmp(f->name, preset) != 0))
		write_family(b, selector, f->name, others);
}

void
look_fonts(struct view *s, struct buf *b)
{
	write_font(s, b, ":root", &s->look->font, "Inter", SYSTEM);
	write_font(s, b, "h1,h2,h3,h4,h5,h6,.home", &s->look->heading, NULL, SYSTEM);
	write_font(s, b, "code,kbd,pre,.type", &s->look->monospace, "FiraCode", MONO);
}

const char *
look_font_early(struct view *s)
{
	struct font f;

	if (s->look->font.id == NULL || !font_find(s->w->db, s->arena, NULL, s->look->font.id, &f))
		return NULL;
	for (size_t i = 0; i < f.count; i++)
		if (f.faces[i].weight == 400)
			return view_local(s, stored_path(s->arena, f.faces[i].file, f.faces[i].name));
	return NULL;
}
