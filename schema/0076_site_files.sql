-- Files of sites: fonts, logos, icons of tabs and pictures for links, which people upload for an organization.
-- The customization of a site names a picture by "~stored/ID/NAME", and a font by its id (app/stored.h).
CREATE TABLE stored_file (
  id           TEXT PRIMARY KEY,               -- storage key of clients; part of its address, and not to be guessed
  org          TEXT NOT NULL REFERENCES org,   -- whose sites may show it
  kind         TEXT NOT NULL CHECK (kind IN ('customization_font', 'organization_file')), -- a file of a font, or a picture
  name         TEXT NOT NULL,                  -- of the file, with the ending that says what it is
  size         INTEGER NOT NULL,               -- bytes, as they were announced
  hash         BLOB REFERENCES blob,           -- of its bytes; NULL: they did not arrive yet
  created_by   TEXT NOT NULL REFERENCES account, -- who announced it
  created_at   INTEGER NOT NULL,               -- when it was announced, in ms
  unused_since INTEGER                         -- when the daily sweep found nothing that names it; NULL: it is used, or new
) STRICT;
CREATE INDEX stored_file_org ON stored_file (org, id);
CREATE INDEX stored_file_hash ON stored_file (hash) WHERE hash IS NOT NULL;

CREATE TABLE font (
  id         TEXT PRIMARY KEY,                 -- names it in the customization of sites
  org        TEXT NOT NULL REFERENCES org,     -- whose sites may use it
  family     TEXT NOT NULL,                    -- name in style sheets
  created_at INTEGER NOT NULL                  -- ms; lists have this order
) STRICT;
CREATE INDEX font_list ON font (org, created_at, id);

-- The file of each weight of a font.
CREATE TABLE font_face (
  font   TEXT NOT NULL REFERENCES font ON DELETE CASCADE, -- the font
  weight INTEGER NOT NULL CHECK (weight BETWEEN 1 AND 1000), -- as in CSS: 400 is regular, 700 bold
  file   TEXT NOT NULL REFERENCES stored_file, -- its file; of the kind "customization_font"
  PRIMARY KEY (font, weight)
) STRICT;
CREATE INDEX font_face_file ON font_face (file);
