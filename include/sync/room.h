/*
 * Room: sync
 * Uses: base db text markdown layout app store links search merge git
 *
 * Synchronises spaces and git repositories: imports commits, exports changes, and does both for a
 * space that is bound to a branch. The room git transfers bytes, and layout reads and writes files;
 * this room decides which page corresponds to which file, and which side wins.
 *
 *   import         the job: fetch, read, plan, write. import_plan pairs files and nodes, import_take
 *                  writes them, import_conflicts makes the change request with the conflicts
 *   export_step    which files an export writes. export_names names new files, export_page and
 *                  export_toc make their bytes, export_unsafe refuses files
 *   space_files    the same files for an archive, of a space or of one page
 *   sync           a binding's run: import, then export. sync_chain makes the commits
 *   sync_row       the stored state of a space and its repository (table git_sync)
 *   git_source     the state of each repository that the space was ever paired with
 */
