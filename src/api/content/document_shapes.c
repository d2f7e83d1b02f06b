/*
 * Shapes of page content: documents, references, covers, tags. src/markdown/ defines which members
 * each type of block has in `data`. These shapes describe documents for the API description only
 * (F_TYPE_ONLY): handlers parse and check the documents of a body themselves (rich_text.c, doc_json).
 */
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/meta.h"
#include "http/req.h"

/* ---- references ---- */

/*
 * The first member of each reference: the constant that selects a variant of the union of
 * references.
 */
#define KIND(kind_) { "kind", T_CONST, F_REQ, .set = kind_, .doc = "Kind of reference" }
/*
 * An absent `space` means the space of the page that contains the reference, so that documents keep
 * their meaning when a space is duplicated.
 */
#define IN_SPACE \
	{ "space", T_TEXT, .doc = "Id of the space that it is in; absent: the same", .example = EXAMPLE_SPACE }

/* The kinds of references: docs/design/documents.md, "References". */
static const struct shape RefURL = { "ContentRefURL", (const struct field[]){
	KIND("url"),
	{ "url", T_TEXT, F_REQ, .doc = "Address", .example = "https://example.org/" },
	{ 0 } } };
static const struct shape RefFile = { "ContentRefFile", (const struct field[]){
	KIND("file"),
	{ "file", T_TEXT, F_REQ, .doc = "Id of the file", .example = EXAMPLE_FILE },
	IN_SPACE,
	{ 0 } } };
static const struct shape RefPage = { "ContentRefPage", (const struct field[]){
	KIND("page"),
	{ "page", T_TEXT, F_REQ, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	IN_SPACE,
	{ 0 } } };
static const struct shape RefAnchor = { "ContentRefAnchor", (const struct field[]){
	KIND("anchor"),
	{ "anchor", T_TEXT, F_REQ, .doc = "Anchor of the heading or block", .example = "install" },
	{ "page", T_TEXT, .doc = "Id of the page; absent: the same", .example = EXAMPLE_PAGE },
	IN_SPACE,
	{ 0 } } };
static const struct shape RefSpace = { "ContentRefSpace", (const struct field[]){
	KIND("space"),
	{ "space", T_TEXT, F_REQ, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ 0 } } };
static const struct shape RefUser = { "ContentRefUser", (const struct field[]){
	KIND("user"),
	{ "user", T_TEXT, F_REQ, .doc = "Id of the user", .example = EXAMPLE_USER },
	{ 0 } } };
static const struct shape RefCollection = { "ContentRefCollection", (const struct field[]){
	KIND("collection"),
	{ "collection", T_TEXT, F_REQ, .doc = "Id of the collection", .example = EXAMPLE_COLLECTION },
	{ 0 } } };
static const struct shape RefReusable = { "ContentRefReusableContent", (const struct field[]){
	KIND("reusable-content"),
	{ "reusableContent", T_TEXT, F_REQ, .doc = "Id of the reusable content", .example = EXAMPLE_REUSABLE },
	IN_SPACE,
	{ 0 } } };
static const struct shape RefTag = { "ContentRefTag", (const struct field[]){
	KIND("tag"),
	{ "tag", T_TEXT, F_REQ, .doc = "Slug of the tag", .example = "beta" },
	IN_SPACE,
	{ 0 } } };
static const struct shape RefOpenAPI = { "ContentRefOpenAPI", (const struct field[]){
	KIND("openapi"),
	{ "spec", T_TEXT, F_REQ, .doc = "Slug of the specification", .example = "billing" },
	{ 0 } } };
/* A reference has exactly one of these shapes, selected by `kind`. */
const struct shape ContentRef = { "ContentRef", NULL, (const struct shape *const[]){ &RefURL, &RefFile,
	&RefPage, &RefAnchor, &RefSpace, &RefUser, &RefCollection, &RefReusable, &RefTag, &RefOpenAPI,
	NULL } };

/* ---- documents ---- */

/* Declared here, because nodes contain nodes. */
static const struct shape DocumentNode;

#define NODE_META \
	{ "meta", T_OBJECT, F_TYPE_ONLY, .of = &NodeMeta, .doc = "Metadata from the service" }

/* The anchor of a heading, an expandable, a tab (docs/design/documents.md, "Form"). */
static const struct shape NodeMeta = { "DocumentNodeMeta", (const struct field[]){
	{ "id", T_TEXT, .doc = "Name that links use for it (anchor)", .example = "install" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape Mark = { "DocumentMark", (const struct field[]){
	{ "object", T_CONST, .set = "mark", .doc = "Kind of object" },
	{ "type", T_ENUM, F_REQ, .doc = "How the text is formatted",
	  .set = "bold,italic,code,strikethrough,keyboard,superscript,subscript,color" },
	{ "data", T_OBJECT, F_TYPE_ONLY, .of = &AnyObject, .doc = "Of a color: `text` and `background`" },
	{ 0 } }, .flags = SHAPE_OPEN };
/*
 * `text` and `marks` are required even if empty: the renderer fails without them
 * (docs/design/documents.md, "Hard rules").
 */
static const struct shape Leaf = { "DocumentLeaf", (const struct field[]){
	{ "object", T_CONST, .set = "leaf", .doc = "Kind of object" },
	{ "text", T_TEXT, F_REQ, .doc = "The text; a line break is a new line", .example = "Run make install." },
	{ "marks", T_LIST, F_REQ, .of = &Mark, .doc = "Its marks", .example = "[]" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape Text = { "DocumentText", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "text", .doc = "Kind of object" },
	{ "leaves", T_LIST, F_REQ, .of = &Leaf, .doc = "Pieces of text, each with the same marks throughout" },
	{ "key", T_TEXT, .doc = "Name of the node in the document", .example = EXAMPLE_BLOCK },
	{ 0 } }, .flags = SHAPE_OPEN };
/*
 * Identified by `type` in expandables and by `fragment` in captions and table cells
 * (docs/design/documents.md, "Fragments").
 */
static const struct shape Fragment = { "DocumentFragment", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "fragment", .doc = "Kind of object" },
	{ "type", T_TEXT, .doc = "Which part of its block it is", .example = "expandable-body" },
	{ "fragment", T_TEXT, .doc = "Name that identifies it in its block", .example = "caption" },
	{ "nodes", T_LIST, F_REQ | F_TYPE_ONLY, .of = &DocumentNode, .doc = "Its nodes in order", .example = "[]" },
	{ "key", T_TEXT, .doc = "Name of the node in the document", .example = EXAMPLE_BLOCK },
	{ 0 } }, .flags = SHAPE_OPEN };

/* Members of `data` that several types of block share; each type has further ones. */
static const struct shape BlockData = { "DocumentBlockData", (const struct field[]){
	{ "align", T_TEXT, .doc = "start, center, end; of images left, center, right", .example = "start" },
	{ "style", T_TEXT, .doc = "Of a hint: info, warning, danger, success", .example = "info" },
	{ "syntax", T_TEXT, .doc = "Of code: its language", .example = "sh" },
	{ "title", T_TEXT, .doc = "Of code and tabs: its title", .example = "Install" },
	{ "checked", T_BOOL, .doc = "Of a task: true if it is done" },
	{ "start", T_INT, .doc = "Of an ordered list: its first number", .example = "1" },
	{ "formula", T_TEXT, .doc = "Of math: TeX", .example = "a^2" },
	{ "url", T_TEXT, .doc = "Of what is embedded: its address", .example = "https://example.org/" },
	{ "ref", T_OBJECT, F_TYPE_ONLY, .of = &ContentRef, .doc = "Target of a link, or what the block shows" },
	{ "fullWidth", T_BOOL, .doc = "true: it is as wide as the page" },
	{ 0 } }, .flags = SHAPE_OPEN };
/*
 * `type` is a text instead of an enumeration: the renderer ignores types that it does not know, and
 * answers may contain newer ones.
 */
static const struct shape Block = { "DocumentBlock", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "block", .doc = "Kind of object" },
	{ "type", T_TEXT, F_REQ, .doc = "Type of block: paragraph, heading-1, list-item, code, table, …",
	  .example = "paragraph" },
	{ "key", T_TEXT, .doc = "Name of the block, by which comments find it", .example = EXAMPLE_BLOCK },
	{ "isVoid", T_BOOL, .doc = "true: it contains no nodes", .example = "false" },
	{ "data", T_OBJECT, F_TYPE_ONLY, .of = &BlockData, .doc = "Properties, by the type of block", .example = "{}" },
	{ "nodes", T_LIST, F_TYPE_ONLY, .of = &DocumentNode, .doc = "Its nodes in order",
	  .example = "[{\"object\":\"text\",\"leaves\":[{\"object\":\"leaf\",\"text\":\"Run make install.\","
	  "\"marks\":[]}]}]" },
	{ "fragments", T_LIST, F_TYPE_ONLY | F_ALTERNATIVE, .of = &Fragment, .doc = "Parts such as captions and cells" },
	NODE_META,
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape InlineData = { "DocumentInlineData", (const struct field[]){
	{ "ref", T_OBJECT, F_TYPE_ONLY, .of = &ContentRef, .doc = "Target of a link or mention; file of an image" },
	{ "formula", T_TEXT, .doc = "Of math: TeX", .example = "a^2" },
	{ "code", T_TEXT, .doc = "Of an emoji: code points in hexadecimal, joined by -", .example = "1f600" },
	{ "icon", T_TEXT, .doc = "Of an icon or button: name of the icon", .example = "book" },
	{ "label", T_TEXT, .doc = "Of a button: its text", .example = "Install" },
	{ "expression", T_TEXT, .doc = "Of an expression: its source", .example = "space.vars.version" },
	{ 0 } }, .flags = SHAPE_OPEN };
/*
 * `data` is required on all inlines except annotation (docs/design/documents.md, "Inlines"), which
 * one shape cannot express.
 */
static const struct shape Inline = { "DocumentInline", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "inline", .doc = "Kind of object" },
	{ "type", T_TEXT, F_REQ, .doc = "Type of inline: link, emoji, inline-image, mention, …",
	  .example = "link" },
	{ "key", T_TEXT, .doc = "Name of the node in the document", .example = EXAMPLE_BLOCK },
	{ "isVoid", T_BOOL, .doc = "true: it contains no nodes" },
	{ "data", T_OBJECT, F_TYPE_ONLY, .of = &InlineData, .doc = "Properties, by the type of inline" },
	{ "nodes", T_LIST, F_TYPE_ONLY, .of = &DocumentNode, .doc = "Its nodes in order", .example = "[]" },
	{ "fragments", T_LIST, F_TYPE_ONLY | F_ALTERNATIVE, .of = &Fragment, .doc = "Parts such as the text of a note" },
	NODE_META,
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape DocumentNode = { "DocumentNode", NULL,
	(const struct shape *const[]){ &Block, &Inline, &Text, NULL } };

/* Open: clients may send further members (docs/design/documents.md, "Form"). */
static const struct shape DocumentData = { "DocumentData", (const struct field[]){
	{ "schemaVersion", T_INT, .doc = "Version of the format of documents", .example = "9" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape DocumentMeta = { "DocumentMeta", (const struct field[]){
	{ "token", T_TEXT, .doc = "Stored for clients; Octavo does not use it", .example = "k3y" },
	{ 0 } }, .flags = SHAPE_OPEN };
const struct shape JSONDocument = { "JSONDocument", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "document", .doc = "Kind of object" },
	{ "data", T_OBJECT, F_REQ, .of = &DocumentData, .doc = "Properties of the document", .example = "{}" },
	{ "nodes", T_LIST, F_REQ | F_TYPE_ONLY, .of = &Block, .doc = "Blocks, in order",
	  .example = "[{\"object\":\"block\",\"type\":\"paragraph\",\"nodes\":[{\"object\":\"text\",\"leaves\":["
	  "{\"object\":\"leaf\",\"text\":\"Run make install.\",\"marks\":[]}]}]}]" },
	{ "meta", T_OBJECT, F_ALTERNATIVE, .of = &DocumentMeta, .doc = "Metadata from the service" },
	{ 0 } } };

/* ---- around documents ---- */

/*
 * The path in git keeps its letter case; the page's own path is in lower case
 * (docs/design/content.md, "Paths of git").
 */
const struct shape GitBlob = { "GitSyncBlob", (const struct field[]){
	{ "oid", T_TEXT, F_REQ, .doc = "Hash of the file in git",
	  .example = "3b18e512dba79e4c8300dd08aeb37f8e728b8dad" },
	{ "path", T_TEXT, F_REQ, .doc = "Path of the file in the repository", .example = "guides/First-Steps.md" },
	{ 0 } } };
const struct shape PageCover = { "RevisionPageCover", (const struct field[]){
	{ "ref", T_OBJECT, .of = &ContentRef, .doc = "The picture: a file or an address" },
	{ "refDark", T_OBJECT, .of = &ContentRef, .doc = "The picture for the dark theme" },
	{ "yPos", T_NUMBER, .doc = "Vertical shift in percent", .example = "0" },
	{ "height", T_NUMBER, .min = 10, .max = 700, .doc = "Height in pixels", .example = "240" },
	{ 0 } } };
const struct shape PageTag = { "RevisionPageTag", (const struct field[]){
	{ "tag", T_OBJECT, F_REQ, .of = &RefTag, .doc = "The tag" },
	{ "primary", T_BOOL, .doc = "The tag that is shown first" },
	{ 0 } } };
/* Stored as the setting node "tags" of a revision; pages refer to tags by slug. */
const struct shape SpaceTag = { "RevisionTag", (const struct field[]){
	{ "slug", T_TEXT, F_REQ, .doc = "Name by which pages use it", .example = "beta" },
	{ "label", T_TEXT, F_REQ, .doc = "Name that people see", .example = "Beta" },
	{ "color", T_TEXT, F_REQ, .doc = "Name of a color", .example = "default" },
	{ "emoji", T_TEXT, .doc = "Emoji, code points in hexadecimal", .example = "1f4d8" },
	{ "icon", T_TEXT, .doc = "Name of an icon", .example = "book" },
	{ 0 } } };
/* Open: each `type` has its own props. */
const struct shape PageComputation = { "RevisionPageComputation", (const struct field[]){
	{ "type", T_TEXT, .doc = "What generates the pages", .example = "builtin:openapi" },
	{ "dependencies", T_OBJECT, F_TYPE_ONLY, .of = &AnyObject, .doc = "Source that the pages are generated from", .example = "{}" },
	{ "props", T_OBJECT, F_TYPE_ONLY, .of = &AnyObject, .doc = "Settings", .example = "{}" },
	{ 0 } }, .flags = SHAPE_OPEN };
