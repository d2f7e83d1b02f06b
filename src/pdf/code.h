/* Prints blocks of code. */
#ifndef OCTAVO_PDF_CODE_H
#define OCTAVO_PDF_CODE_H

#include "paper.h"

void block_code(struct flow *f, const struct cJSON *node);
/* Prints a text as code, without colors. */
void plain_code(struct flow *f, const char *text);

#endif
