/*
 * Room: db
 * Uses: base text
 *
 * The database behind one interface: statements, rows, transactions, the schema's
 * migrations. Names sqlite3_*, and no other room does; the full-text tokenizer and the
 * function octavo_match() are here for that reason alone.
 *
 * In: SQL literals with named parameters. Out: columns. A statement that fails does not
 * return to its caller (db.h).
 */
