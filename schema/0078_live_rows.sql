-- Rows that readers need are few among older versions. With `until` in the index, versions that have ended are
-- passed over at once; with `since` all of a page's versions were read, and the more the older the page was.
DROP INDEX node_child;
DROP INDEX node_path;
DROP INDEX node_git;
CREATE INDEX node_child ON node (branch, parent, slug, until);
CREATE INDEX node_path  ON node (branch, path, until) WHERE path IS NOT NULL;
CREATE INDEX node_git   ON node (branch, git_path, until) WHERE git_path IS NOT NULL;
-- Without these columns, SQLite reads all places of a space to find the few that are idle.
DROP INDEX search_place_idle;
CREATE INDEX search_place_idle ON search_place (space, live, turn) WHERE live = 0;
