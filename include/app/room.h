/*
 * Room: app
 * Uses: base db
 *
 * What the programs have in common besides the database: users and tokens, the audit record, the
 * queue of jobs, signed addresses of files, and the installation itself.
 *
 *   people audit            users, organizations, members and tokens as rows; the audit record
 *   queue schedule          jobs, and work that recurs; start_runner starts a job runner on demand
 *   download pdf_request    signed addresses of files, requested PDFs
 *   git_binding             bindings of spaces to branches of repositories
 *   merge_rules             whether merge rules protect a space's primary content
 *   certificate             recognises certificates that users paste
 *   installation setup      identity of an installation; what `octavo init` creates
 *   stored                  uploaded files of sites, and fonts made of them
 *   import_file             archives that people upload for imports
 *   assets ready            files built into the program; programs that wait for a newer schema
 *   outside                 runs programs that need the network in a process that has one
 *   place throttle          how many processes do slow work at a time; how often strangers may cause work
 */
