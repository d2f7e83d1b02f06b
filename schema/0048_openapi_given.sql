-- Texts of descriptions that wait for their job. In the row of the specification, each change of its
-- state wrote megabytes once more.
CREATE TABLE openapi_given (
  spec TEXT PRIMARY KEY REFERENCES openapi_spec,
  data BLOB NOT NULL
) STRICT;

INSERT INTO openapi_given (spec, data) SELECT id, given FROM openapi_spec WHERE given IS NOT NULL;
ALTER TABLE openapi_spec DROP COLUMN given;
