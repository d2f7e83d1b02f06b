/*
 * Room: layout
 * Uses: base markdown expr
 *
 * Directories of Markdown in the git-sync layout: how a repository becomes a space. Pure: reads through
 * struct layout_source; no database, no git, no network. The rules of the layout are in rules.md beside
 * this file; comments cite them by number. Files of src/layout, without ".c", and what they contain:
 *
 *   layout layout_tree          the order of work; index of the entries
 *   layout_config layout_book   settings files; variables of book.json
 *   summary layout_pages layout_infer   the table of contents, its pages, and pages without one
 *   layout_inline layout_link layout_names   titles, spellings of links, slugs and paths
 *   page_file expressions       frontmatter, title and body of a file; texts in expression brackets
 *   write_toc write_front write_title write_yaml   writing: each edits the text that is there
 */
