-- Children of a page in their order: the first and the last of thousands are found without reading all.
CREATE INDEX node_order ON node (branch, parent, ord, id) WHERE kind IN ('document', 'group', 'link', 'computed');
