#!/bin/sh
# Prints docs/people/operations.md, the role that each operation needs, from the route table as GET
# /v1/openapi.json shows it on standard input:
#
#   curl -s http://127.0.0.1:8080/v1/openapi.json | sh tools/roles.sh >docs/people/operations.md
#
# tests/http/test_api.sh fails when the page and the table differ.
set -eu
cat <<'END'
---
description: Made from the route table; do not edit
---

# What each operation takes

This table is made from the code. If a row names a role, that role or a stronger one is required; a token cannot use a stronger role than its scope allows.

| operation | takes |
| --- | --- |
END
jq -r '
	{ ANYONE: "no token", OWN_PAGES: "no token; of browsers, only from a page of this installation", USER: "any token",
	  ORG_VIEW: "a member of the organization, guests too", ORG_READ: "read in the organization",
	  ORG_CREATE: "create in the organization", ORG_ADMIN: "admin of the organization",
	  MEMBER_VIEW: "the member itself, or read in the organization",
	  SITE_LIST: "read on a site of the organization", SITE_SEE: "read on the site",
	  SITE_READ: "a member who may read what the site publishes, or read on the site",
	  SITE_CREATE: "create on the site",
	  TEAM_VIEW: "read in the organization, or owner of the team",
	  TEAM_ADMIN: "owner of the team, or admin of the organization",
	  COLLECTION_READ: "read on the collection", COLLECTION_CREATE: "create on the collection",
	  SPACE_SEE: "read on the space", SPACE_READ: "read on the space", SPACE_COMMENT: "comment on the space",
	  SPACE_EDIT: "edit on the space", SPACE_REVIEW: "review on the space", SPACE_CREATE: "create on the space",
	  SPACE_DELETED: "create on the space, deleted or not",
	  SPACE_WRITE: "review on the space; with `changeRequestId`, edit",
	  REQUEST_OWN: "author of the change request, or edit on the space",
	  PARENT_CREATE: "create in the organization or, with `parent`, on that collection", SELF: "oneself",
	  INVITE_MANAGE: "admin of the organization; for a link to content, create on that",
	  INVITE_SECRET: "any token, with the id of the link" } as $words
	# Operations whose role depends on the body, or on the owner of the object.
	| { getMetrics: "the token that `octavo metrics token` makes, and no other",
	  duplicateSpace: "create on the space, and on what it is in",
	  moveCollection: "create on the collection, and on what it goes into",
	  moveSpace: "create on the space, and on what it goes into",
	  transferCollection: "create on the collection, on all that is in it, and in the other organization",
	  startImportRun: "create in the organization, and review on the space",
	  cancelImportRun: "create in the organization, and review on the space",
	  transferSpace: "create on the space, and in the other organization",
	  createSite: "create in the organization, and on the spaces that it names",
	  addSpaceToSite: "create in the organization, and on the space",
	  addSectionToSite: "create in the organization, and on the space",
	  updateSiteSpaceById: "create in the organization; with `spaceId`, on that space, too" } as $more
	| (["Space", "ChangeRequest"] | map({
	  "updateCommentIn\(.)": "comment on the space; for its text, its author or create",
	  "updateCommentReplyIn\(.)": "comment on the space; for its text, its author or create",
	  "deleteCommentIn\(.)": "its author, or create on the space",
	  "deleteCommentReplyIn\(.)": "its author, or create on the space" }) | add) as $talk
	| .paths | to_entries[] | .key as $path | .value | to_entries[]
	| ($more + $talk)[.value.operationId] as $said
	| "| `\(.key | ascii_upcase) \($path)` | \($said // $words[.value["x-octavo-access"]] // .value["x-octavo-access"]) |"'
