/*
 * How pages of elsewhere are shown in a block: in a frame where a site that shows the space allows the host, else
 * as a link with the host's name. What other files need of content/embed.c.
 */
#ifndef OCTAVO_API_EMBED_H
#define OCTAVO_API_EMBED_H

#include "http/req.h"

extern const struct shape EmbedQuery, Embed;

#endif
