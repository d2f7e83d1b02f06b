/*
 * Room: typeset
 * Uses: base
 *
 * Highlights code and converts formulas to MathML on the server. Prism and KaTeX run in a
 * child process (cgi/typeset.c) that serves many requests and is killed if a text takes too
 * long. Results are cached in files.
 */
