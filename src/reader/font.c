/*
 * Fonts of a site, without font files. If the reader's system has the chosen font of the client's
 * list, it is used; otherwise a similar font of the system. Nothing is downloaded, so that no other
 * server learns that the page is read, and its text appears at once.
 */
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

/* site.css has the defaults: Inter and Fira Code where the reader has them. */
void
look_fonts(struct buf *b, const struct look *l)
{
	if (l->font != NULL && strcmp(l->font, "Inter") != 0)
		write_family(b, ":root", l->font, SYSTEM);
	if (l->monospace != NULL && strcmp(l->monospace, "FiraCode") != 0)
		write_family(b, "code,kbd,pre,.type", l->monospace, MONO);
}
