-- What a revision has beside its pages, without a look at each of these: lists of files and of reusable
-- content, which came to a third each of what reading a large space cost.
CREATE INDEX node_beside ON node (branch, until) WHERE kind IN ('file', 'reusable', 'setting');
