-- A merge or update of a change request stages its revision in the request itself, not in a job: it holds the
-- reservation for some seconds at a time, so that what a killed worker left is told from one at work.
ALTER TABLE branch ADD COLUMN staged_until INTEGER;  -- ms until when the reservation is a request's; NULL: a job's, or none
