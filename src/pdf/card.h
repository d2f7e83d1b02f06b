/* Blocks that represent something outside the text: files, pages, addresses, API operations. */
#ifndef OCTAVO_PDF_CARD_H
#define OCTAVO_PDF_CARD_H

#include "paper.h"

void block_images(struct flow *f, const struct cJSON *node);
void block_file(struct flow *f, const struct cJSON *node);
void block_drawing(struct flow *f, const struct cJSON *node);
void block_embed(struct flow *f, const struct cJSON *node);
void block_content_ref(struct flow *f, const struct cJSON *node);
void block_integration(struct flow *f, const struct cJSON *node);
void block_swagger(struct flow *f, const struct cJSON *node);
void block_operation(struct flow *f, const struct cJSON *node);
void block_schemas(struct flow *f, const struct cJSON *node);

#endif
