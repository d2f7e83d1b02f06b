/*
 * Room: arrive
 * Uses: base db markdown layout store app sync
 *
 * Imports documentation that was written for other programs into a space: `octavo import FROM`, and
 * archives that were uploaded through the API.
 *
 *   FROM (a folder, or an archive that octavo-unpack wrote to a folder of numbered files)
 *     -> struct arrival_file   the list of its files
 *     -> a reader              one for each kind of source: from_*.c. It makes a tree (struct
 *                              arrival_page, src/arrive/arrival.h) of pages, groups and links in
 *                              reading order, with titles, addresses, times and properties. It
 *                              gives pages the names by which links find them (arrival_name()). On
 *                              request, it converts the text of a page to lines of our Markdown,
 *                              each with its line number in the source
 *     -> the writer            write.c: writes files of the git-sync layout (layout/rules.md) below
 *                              a scratch folder. Links are resolved here, to pages and not to
 *                              paths, when all pages are known
 *     -> sync/import.h         import_origin_run(): the same import as that of a commit
 *
 * So the import works like that of a repository: ids are kept, a second import updates the pages
 * that nobody edited here, conflicts become a change request, and a report lists warnings by file
 * and line. To support another kind of source, add a file with a struct arrive_reader, and a row in
 * readers.c. No reader executes anything of a source, or follows an address or a symbolic link.
 *
 * Content without an equivalent in our documents stays as text, or is left out with a line in the
 * report. Memory contains the lists of files and pages, and one page at a time. The tree is freed before
 * the import of the files that the writer made; a small list of them remains (written.c).
 *
 *   arrive          the job: lists the source, finds the reader, reads, writes, imports
 *   source          lists a folder, or the files that octavo-unpack wrote; reads files
 *   tree            makes the tree, names of pages, and warnings
 *   depth           moves pages up that are nested too deep
 *   target          finds the page, file or address that a link refers to
 *   write write_front write_table   write the tree as files of the layout
 *   written         the list of these files, for the import
 *   text            lines with their numbers in the source; fenced code
 *   blocks_*        convert syntax of several sources to blocks of our dialect
 *   js              reads object literals of JavaScript as data
 *   readers from_*  the readers
 */
