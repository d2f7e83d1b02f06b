-- Nothing reads the format of a version, and its values lacked 3.2.
ALTER TABLE openapi_version DROP COLUMN format;
