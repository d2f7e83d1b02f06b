/* The readers; each is in a file of its own. */
#ifndef OCTAVO_ARRIVE_READERS_H
#define OCTAVO_ARRIVE_READERS_H

#include "arrival.h"

extern const struct arrive_reader reader_gitsync, reader_bookstack, reader_confluence, reader_docusaurus, reader_markdown,
    reader_mkdocs, reader_notion, reader_outline;

#endif
