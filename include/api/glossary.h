/*
 * The glossary of an organization: terms with fixed translations. Implemented in spaces/glossary.c.
 */
#ifndef OCTAVO_API_GLOSSARY_H
#define OCTAVO_API_GLOSSARY_H

#include "http/req.h"

extern const struct shape GlossaryEntry, GlossaryEntryList, GlossaryEdit;

#endif
