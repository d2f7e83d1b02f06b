/*
 * Room: sync
 * Uses: base db text markdown layout app store links search merge git
 *
 * Spaces and git repositories brought together: a commit taken in (import), what a repository lacks
 * written there (export), and both for a space that is bound to a branch (sync). git carries bytes,
 * layout reads and writes files; here it is decided which page is which file, and what wins.
 *
 *   import         the job: fetch, read, plan, write; import_plan which node each file becomes,
 *                  import_take writes them, import_aside the change request of what clashes
 *   export_step    which files an export writes, export_names how new ones are called,
 *                  export_page and export_toc their bytes, export_unsafe what is left out
 *   sync           a binding's run: in, then out; sync_chain the commits that a branch lacks
 *   sync_row       what a space and its repository know of each other (table git_sync)
 *   git_source     what a space keeps of each repository that it was ever paired with
 */
