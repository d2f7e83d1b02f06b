/* PDFs of content. Implemented in content/pdf_address.c. */
#ifndef OCTAVO_API_PDF_ADDRESS_H
#define OCTAVO_API_PDF_ADDRESS_H

#include "http/req.h"

extern const struct shape PDFQuery, PDFAddress;

#endif
