/*
 * Room: expr
 * Uses: base
 *
 * The language of conditions and expressions: JavaScript's operators and literals. Evaluation always
 * ends, after a limited number of steps. Pure: text in, value out.
 *
 *   parse           text -> tree
 *   eval            tree -> value
 *   expr_value      values and their conversions
 *   expr_check      warnings for authors
 */
