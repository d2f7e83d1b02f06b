/*
 * The glossary of an organization: terms that translations put in the same way every time. What other files need
 * of spaces/glossary.c.
 */
#ifndef OCTAVO_API_GLOSSARY_H
#define OCTAVO_API_GLOSSARY_H

#include "http/req.h"

extern const struct shape GlossaryEntry, GlossaryEntryList, GlossaryEdit;

#endif
