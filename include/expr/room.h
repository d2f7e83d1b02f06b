/*
 * Room: expr
 * Uses: base
 *
 * The language of conditions and expressions: JavaScript's operators and literals, total
 * and bounded. Pure: text in, value out.
 */
