/* The dictionary of all searches (search_parts.h), from dictionary.def. */
#include "search_parts.h"

/* The remaining entries of a set are NULL. */
#define SAME(...) { __VA_ARGS__ },

const char *const search_dictionary[][OWN_MEMBERS + 1] = {
#include "dictionary.def"
};

const size_t search_dictionary_size = sizeof(search_dictionary) / sizeof(*search_dictionary);
