/* The readers; each is in a file of its own. */
#ifndef OCTAVO_ARRIVE_READERS_H
#define OCTAVO_ARRIVE_READERS_H

#include "arrival.h"

extern const struct arrive_reader reader_gitsync, reader_bookstack, reader_confluence, reader_docusaurus, reader_hugo,
    reader_markdown, reader_mdbook, reader_mkdocs, reader_notion, reader_obsidian, reader_outline, reader_starlight, reader_vitepress;

#endif
