-- A version of a description is written in many transactions, so that nobody waits for the lock while
-- a hundred thousand operations are: readers see it from the one on that sets this.
ALTER TABLE openapi_version ADD COLUMN shown INTEGER NOT NULL DEFAULT 1;  -- 0: being written, or left behind; created_at is then its beginning
-- Its documents packed (base/pack.h): one of 60 MB kept the lock for half a second.
ALTER TABLE openapi_file ADD COLUMN size INTEGER;         -- bytes that data unpacks to; NULL, before this: data and json are as they were received
ALTER TABLE openapi_file ADD COLUMN parsed BLOB;          -- what it says as JSON, where data is none: json, packed
ALTER TABLE openapi_file ADD COLUMN parsed_size INTEGER;  -- bytes that it unpacks to
