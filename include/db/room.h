/*
 * Room: db
 * Uses: base text
 *
 * The database behind one interface: statements, rows, transactions, the schema's migrations.
 *
 * The files in src/db itself serve any engine: declared statements, the state of a transaction,
 * failures, long work, state of modules. src/db/db_engine.h lists the functions of an engine. Only
 * the files in the folder of an engine use its library: src/db/sqlite, and src/db/postgres, which is
 * an experiment.
 *
 * In: SQL literals with named parameters. Out: columns. A statement that fails does not return to its
 * caller (db.h).
 *
 *   db db_open db_row       transactions and statements; opening; columns of a row
 *   db_schema               the list of migrations
 *   db_long                 long work beside other writers
 *   db_remember db_recall   a module's state for the life of a connection; cached answers
 *   db_terms                terms of full-text search
 *   db_shown                drops ready-made pages of sites before a commit that changes sites
 *   db_lock                 locks beside rows
 *   db_move                 copies all rows to a database of another engine; copies a database to a file
 * src/db/sqlite:
 *   db_sqlite               opens a file; the table of the engine
 *   db_transaction db_statement db_column  what db and db_row ask for
 *   db_version_check        whether the file is still the one that was opened; failures of SQLite
 *   db_migrate              runs a migration
 *   db_file db_log db_unchanged  the file and its log; whether a process has committed since a moment
 *   db_hooks                sees changes of what sites show
 *   db_fulltext db_tokenizer db_match   full-text search: its statements, words of a text, data of a match
 *   db_fold db_pack db_secret  SQL functions of our own
 *   db_memory               SQLite's memory
 *   db_salvage db_pages     rows of a damaged file
 * src/db/postgres:
 *   db_pg db_pg_session     opens a connection; the table of the engine; sessions and failures
 *   db_libpq                loads the library
 *   db_pg_transaction db_pg_statement db_pg_column  what db and db_row ask for
 *   db_pg_ahead             statements that are run ahead, in one round trip
 *   db_pg_rewrite           texts of statements for PostgreSQL
 *   db_pg_migrate           runs a migration
 *   db_pg_schema db_pg_step db_pg_table db_pg_trigger  the schema, and migrations, for PostgreSQL
 *   db_pg_words db_pg_lists db_pg_expression db_pg_match  full-text search: its posting lists and queries
 */
