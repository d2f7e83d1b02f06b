/*
 * Room: git
 * Uses: base layout
 *
 * Git repositories of others: addresses, fetching in a child process, trees as the layout
 * room reads them, sealed credentials. libgit2 is named here alone.
 */
