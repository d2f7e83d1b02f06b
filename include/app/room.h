/*
 * Room: app
 * Uses: base db
 *
 * What every program of Octavo has in common besides the database: people and tokens,
 * the audit record, the queue of jobs, signed addresses of files.
 */
