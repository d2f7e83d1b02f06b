/*
 * Settings that are written as JavaScript or TypeScript, read as data: sidebars.js, docusaurus.config.ts. Nothing is
 * run. Objects, lists, texts, numbers and names of constants of the same file are read; a call with a text as its
 * only argument is that text (require.resolve('./x')); everything else has no value, and its lines are counted.
 */
#ifndef OCTAVO_ARRIVE_JS_H
#define OCTAVO_ARRIVE_JS_H

#include "base/yaml.h"

struct js_skipped {
	size_t count;       /* values that are programs */
	size_t line;        /* of the first; 0: none */
};

/*
 * The value that a file exports (module.exports, export default), also one that an exported function returns, or the
 * whole of a JSON file. NULL: none is found.
 */
struct yaml *js_read(struct arena *a, struct str text, struct js_skipped *skipped);

#endif
