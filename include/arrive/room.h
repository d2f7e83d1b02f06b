/*
 * Room: arrive
 * Uses: base markdown layout app sync
 *
 * Documentation that was written for other programs becomes a space: `octavo import FROM`, and the imports
 * of the API.
 *
 *   FROM (a folder, or an archive that octavo-unpack wrote to a folder of numbered files)
 *     -> struct arrival_file   the list of its files
 *     -> a reader              one for each source: from_*.c. It makes ONE kind of tree (struct arrival_page,
 *                              src/arrive/arrival.h): pages, groups and links in reading order, with titles,
 *                              addresses, times, properties; names by which pages can be linked
 *                              (arrival_name()); and it turns the text of a page, when asked, into lines of
 *                              our Markdown that know the line of the source that they come from
 *     -> the writer            write.c: files of the git-sync layout (layout/rules.md) below a scratch folder;
 *                              links are resolved here, by identity, when all pages are known
 *     -> sync/import.h         import_origin_run(): the same import as that of a commit
 *
 * So everything that an import of a repository has comes with it: ids survive, a second run updates what nobody
 * edited here, clashes become a change request, a report by file and line. A new source is one file with a
 * struct arrive_reader, and its row in readers.c. No reader executes anything of a source, or follows an
 * address or a symbolic link.
 *
 * What has no block in our documents stays as text, or is left out with a line in the report: nothing disappears
 * silently. Memory holds the lists of files and pages, and one page at a time.
 *
 *   arrive          the job: open, find the reader, read, write, import
 *   source          lists a folder or what octavo-unpack wrote; reads files
 *   tree            makes the tree; names; warnings
 *   target          resolves a spelling to a page, a file or an address
 *   write write_front write_table   the tree as files of the layout
 *   text            lines with their places in the source; fences
 *   blocks_*        syntax of several sources as blocks of ours
 *   js              object literals of JavaScript, as data
 *   readers from_*  the readers
 */
