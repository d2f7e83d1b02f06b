/*
 * Room: git
 * Uses: base layout
 *
 * Other people's git repositories: checks URLs, fetches and pushes in a child process, reads and makes
 * commits, and seals credentials. The only room that uses libgit2.
 *
 *   git_url git_refs credentials     addresses, refs and credentials
 *   git_fetch git_push               start the child process; push
 *   git_transfer git_stream git_listen git_certificates git_error
 *                                    a fetch as the child runs it, its sockets, messages and errors
 *   git_local                        fetches from a repository on this machine
 *   git_cache                        the bare repository that a space fetches into
 *   git_tree git_commit              files of a commit; new commits
 *   git_same git_dates               which files differ between commits, and when each file changed
 */
