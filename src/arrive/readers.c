/* The list of readers. Each is asked in this order whether the source is of its kind. */
#include "readers.h"

const struct arrive_reader *const arrive_readers[] = {
	&reader_mkdocs,
	&reader_docusaurus,
	&reader_vitepress,
	&reader_starlight,
	&reader_mdbook,
	&reader_hugo,
	&reader_bookstack,
	&reader_notion,
	&reader_confluence,
	&reader_outline,
	&reader_gitsync,
	&reader_obsidian,
	&reader_markdown,
	NULL
};
