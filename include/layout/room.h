/*
 * Room: layout
 * Uses: base markdown expr
 *
 * Directories of Markdown in the git-sync layout: what a repository becomes as a space.
 * Pure: reads through struct layout_source; no database, no git, no network. The rules
 * of the layout are in rules.md beside this file; comments cite them by number.
 */
