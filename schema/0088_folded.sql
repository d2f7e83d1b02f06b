-- Texts that lists are searched by, as base/utf8.h folds them (utf8_fold()), and titles of teams in the form that
-- orders them (utf8_casefold()): stored by the statements that write the text, so that no engine folds while it searches.
ALTER TABLE account ADD COLUMN name_folded TEXT NOT NULL DEFAULT '';     -- of name
ALTER TABLE account ADD COLUMN address_folded TEXT NOT NULL DEFAULT '';  -- of address; of email where that is NULL; '': a deleted user
UPDATE account SET name_folded = octavo_fold(name), address_folded = octavo_fold(COALESCE(address, email));
ALTER TABLE team ADD COLUMN title_folded TEXT NOT NULL DEFAULT '';       -- of title
ALTER TABLE team ADD COLUMN title_order TEXT NOT NULL DEFAULT '';        -- title with letters of one case; keeps accents
UPDATE team SET title_folded = octavo_fold(title), title_order = octavo_casefold(title);
ALTER TABLE site ADD COLUMN title_folded TEXT NOT NULL DEFAULT '';       -- of title
UPDATE site SET title_folded = octavo_fold(title);
ALTER TABLE site_redirect ADD COLUMN source_folded TEXT NOT NULL DEFAULT '';  -- of source
UPDATE site_redirect SET source_folded = octavo_fold(source);
