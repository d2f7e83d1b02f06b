/*
 * Room: git
 * Uses: base layout
 *
 * Git repositories of others: addresses, fetching in a child process, trees for the layout room,
 * sealed credentials. The only room that uses libgit2.
 */
