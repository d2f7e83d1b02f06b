/*
 * How a block shows an external page: in a frame if a site that shows the space allows the host,
 * else as a link. Implemented in content/embed.c.
 */
#ifndef OCTAVO_API_EMBED_H
#define OCTAVO_API_EMBED_H

#include "http/req.h"

extern const struct shape EmbedQuery, Embed;

#endif
