/*
 * Room: typeset
 * Uses: base
 *
 * Code with its words in colours, and formulas as MathML, made on the server by Prism and
 * KaTeX in a program of its own (cgi/typeset.c), which lives on between requests and is
 * killed where a text takes it too long. What it made is kept in files.
 */
