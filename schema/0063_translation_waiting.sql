-- Merge rules of the space of a result hold for translations as well.
ALTER TABLE translation ADD COLUMN waiting TEXT;  -- change request that holds what a run made; NULL: none
