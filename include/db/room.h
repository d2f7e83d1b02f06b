/*
 * Room: db
 * Uses: base text
 *
 * The database behind one interface: statements, rows, transactions, the schema's migrations.
 * Only this room uses sqlite3_*; therefore the full-text tokenizer and the function octavo_match() are
 * here too.
 *
 * In: SQL literals with named parameters. Out: columns. A statement that fails does not return to its
 * caller (db.h).
 *
 *   db db_row               connections, transactions and statements; columns of a row
 *   db_schema               migrations
 *   db_file db_unchanged        the file and its log; whether anybody has committed since a moment
 *   db_long                 long work beside other writers
 *   db_remember db_recall   a module's state for the life of a connection; cached answers
 *   db_shown                drops ready-made pages of sites before a commit that changes sites
 *   db_tokenizer db_match   full-text search: words of a text, data of a match
 *   db_fold db_pack db_secret  SQL functions of our own
 *   db_memory               SQLite's memory
 *   db_salvage db_pages     rows of a damaged file
 */
