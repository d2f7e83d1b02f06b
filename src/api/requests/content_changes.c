/*
 * The shapes of the changes in the body of POST …/content (docs/design/merging.md, "Writing
 * content"). request_content.c applies them.
 */
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/request_content.h"
#include "http/req.h"

static const struct shape Document = { "DocumentInput", (const struct field[]){
	{ "markdown", T_TEXT, .doc = "The text as Markdown", .example = "# First steps" },
	{ "document", T_OBJECT, F_TYPE_ONLY | F_ALTERNATIVE, .of = &JSONDocument, .doc = "The text as a document" },
	{ 0 } } };

#define PAGE_MEMBERS \
	{ "title", T_TEXT, .min = 1, .max = 1000, .doc = "Title", .example = "First steps" }, \
	{ "slug", T_TEXT, .max = 100, .doc = "Last part of the path", .example = "first-steps" }, \
	{ "emoji", T_EMOJI, F_NULL | F_EMPTY, .max = 50, .doc = "Emoji beside the title, code points in hexadecimal", \
	  .example = "1f4d8" }, \
	{ "icon", T_TEXT, F_NULL, .max = 50, .doc = "Name of an icon", .example = "book" }, \
	{ "description", T_TEXT, F_NULL, .max = 10000, .doc = "Short description", \
	  .example = "How to install and run it" }, \
	{ "hidden", T_BOOL, .doc = "true: the table of contents does not show it", .example = "false" }, \
	{ "noIndex", T_BOOL, .doc = "true: the search of the space leaves it out", .example = "false" }, \
	{ "noRobotsIndex", T_BOOL, .doc = "true: search engines are asked to leave it out", .example = "false" }, \
	{ "condition", T_TEXT, F_NULL, .max = 1024, .doc = "Expression that says which visitors see it", \
	  .example = "visitor.claims.beta == true" }, \
	{ "cover", T_OBJECT, F_NULL, .of = &PageCover, .doc = "Picture above the text; its file may be the ref of a file that the batch " \
	  "inserts" }

static const struct shape InsertPage = { "ChangeRequestContentChangeInsertPage",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "insert_page", .doc = "Kind of operation" },
	{ "document", T_OBJECT, F_REQ, .of = &Document, .doc = "The text: markdown or document",
	  .example = "{\"markdown\":\"# First steps\"}" },
	{ "into", T_TEXT, .max = 100, .doc = "Id of its parent page, or ref of a page that the batch inserted before; absent: the top "
	  "level", .example = EXAMPLE_PAGE },
	{ "at", T_INT, .min = 0, .max = 1000000,
	  .doc = "Position among its siblings, from 0; absent: the end", .example = "0" },
	{ "ref", T_TEXT, .min = 1, .max = 256,
	  .doc = "Name that you choose, for later changes of the batch and for the answer", .example = "intro" },
	PAGE_MEMBERS,
	{ 0 } } };
static const struct shape UpdatePage = { "ChangeRequestContentChangeUpdatePage",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "update_page", .doc = "Kind of operation" },
	{ "page", T_TEXT, F_REQ, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ "document", T_OBJECT, .of = &Document, .doc = "The text: markdown or document",
	  .example = "{\"markdown\":\"# First steps\"}" },
	{ "into", T_TEXT, F_NULL, .max = 100, .doc = "Id of its new parent page, or ref of a page that the batch inserted before; null: "
	  "the top level", .example = EXAMPLE_PAGE },
	{ "at", T_INT, .min = 0, .max = 1000000,
	  .doc = "Position among its siblings, from 0; absent: the end", .example = "0" },
	PAGE_MEMBERS,
	{ 0 } } };
static const struct shape DeletePage = { "ChangeRequestContentChangeDeletePage",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "delete_page", .doc = "Kind of operation" },
	{ "page", T_TEXT, F_REQ, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ 0 } } };
static const struct shape RevertPage = { "ChangeRequestContentChangeRevertPage",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "revert_page", .doc = "Kind of operation" },
	{ "page", T_TEXT, F_REQ, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ "revision", T_TEXT, .max = 100,
	  .doc = "Id of the revision to restore; absent: the present primary content",
	  .example = EXAMPLE_REVISION },
	{ "block", T_LIST, .max = 1000, .item = &(const struct field){ "", T_TEXT, .max = 100 },
	  .doc = "Keys of the blocks to restore; absent: the whole page", .example = "[\"b1XkR7pQ\"]" },
	{ 0 } } };
/*
 * 7,100,000 characters of base64 are a file of about 5 MB. Two files of this size exceed the body's
 * limit of 10 MiB. Clients upload larger files with POST .../files.
 */
static const struct shape FileInput = { "ChangeRequestContentFile", (const struct field[]){
	{ "ref", T_TEXT, .min = 1, .max = 256, .doc = "Name that you choose, for later changes of the batch",
	  .example = "logo" },
	{ "name", T_TEXT, F_REQ, .min = 1, .max = 256, .doc = "Name", .example = "logo.png" },
	{ "contentType", T_TEXT, .max = 200, .doc = "Media type; absent: by the name",
	  .example = "image/png" },
	{ "url", T_URI, F_ALTERNATIVE, .max = 2048, .doc = "Refused: send `base64`, or fetch the file with POST …/files",
	  .example = "https://example.com/logo.png" },
	{ "base64", T_TEXT, .max = 7100000, .doc = "The bytes in base64", .example = "iVBORw0KGgo=" },
	{ 0 } } };
static const struct shape InsertFiles = { "ChangeRequestContentChangeInsertFiles",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "insert_files", .doc = "Kind of operation" },
	{ "files", T_LIST, F_REQ, .min = 1, .max = 20, .of = &FileInput, .doc = "The files" },
	{ 0 } } };
static const struct shape UpdateFile = { "ChangeRequestContentChangeUpdateFile",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "update_file", .doc = "Kind of operation" },
	{ "file", T_TEXT, F_REQ, .max = 100, .doc = "Id of the file, which does not change", .example = EXAMPLE_FILE },
	{ "name", T_TEXT, .min = 1, .max = 256, .doc = "New name", .example = "logo.png" },
	{ "description", T_TEXT, F_NULL, .max = 1000, .doc = "Description for people who cannot see it; null: none",
	  .example = "A red house" },
	{ "base64", T_TEXT, .max = 7100000, .doc = "New bytes in base64", .example = "iVBORw0KGgo=" },
	{ 0 } } };
static const struct shape DeleteFile = { "ChangeRequestContentChangeDeleteFile",
	(const struct field[]){
	{ "operation", T_CONST, F_REQ, .set = "delete_file", .doc = "Kind of operation" },
	{ "file", T_TEXT, F_REQ, .max = 100, .doc = "Id of the file", .example = EXAMPLE_FILE },
	{ 0 } } };
/* A change has one of these shapes, selected by `operation` (docs/design/merging.md, "Writing content"). */
static const struct shape ContentChange = { "ChangeRequestContentChange", NULL,
	(const struct shape *const[]){ &InsertPage, &UpdatePage, &DeletePage, &RevertPage, &InsertFiles,
	&UpdateFile, &DeleteFile, NULL } };
const struct shape ContentChanges = { "UpdateChangeRequestContent", (const struct field[]){
	{ "changes", T_LIST, F_REQ, .min = 1, .max = 50, .of = &ContentChange,
	  .doc = "Operations in order" },
	{ "amend", T_TEXT, .max = 100,
	  .doc = "Id of the newest revision, if you made it: the new revision replaces it if it is less than ten minutes old and nothing "
	  "refers to it. For programs that save often", .example = EXAMPLE_REVISION },
	{ 0 } } };
