-- What the newest release of the client sets on items of a site beside what is there.
ALTER TABLE site_space ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)); -- 1: it has its address, and no list of variants shows it
ALTER TABLE site_section ADD COLUMN titles TEXT;        -- JSON: titles in other languages; NULL: none
ALTER TABLE site_section ADD COLUMN descriptions TEXT;  -- JSON: descriptions in other languages; NULL: none
ALTER TABLE site_section_group ADD COLUMN titles TEXT;  -- JSON: titles in other languages; NULL: none
ALTER TABLE site_mcp_server ADD COLUMN condition TEXT;  -- for whom clients use it, told back; NULL: everybody
