/* What the other files of the room use of embed.c. */
#ifndef OCTAVO_API_EMBED_H
#define OCTAVO_API_EMBED_H

#include "http/req.h"

extern const struct shape EmbedQuery, Embed;

#endif
