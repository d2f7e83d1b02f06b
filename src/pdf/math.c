/* Formulas. None is drawn yet: callers show the source in a box. Contract: paper.h. */
#include "paper.h"

struct object *
math_object(struct paper *p, const char *formula, double size, bool display)
{
	(void)p; (void)formula; (void)size; (void)display;
	return NULL;
}
