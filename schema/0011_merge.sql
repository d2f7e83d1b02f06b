-- Two pieces of the search index are enough to be merged when a job tidies it:
-- a query looks at each of them.
INSERT INTO search_index (search_index, rank) VALUES ('usermerge', 2);
