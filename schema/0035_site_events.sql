-- How often what was done on published sites. Counts alone: nothing of visitors, sessions,
-- addresses or what they typed. A row is of one day (UTC), page and kind of event.
CREATE TABLE site_event (
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  day        INTEGER NOT NULL,                 -- days since 1970
  space      TEXT NOT NULL,                    -- that the site space showed then; "": none. It may be gone
  site_space TEXT NOT NULL,                    -- "": none. It may be gone
  page       TEXT NOT NULL,                    -- id; "": none
  event      TEXT NOT NULL,                    -- page_view, search_open, … as clients call it
  rating     TEXT NOT NULL,                    -- of a page, where the event gives one: bad, ok, good; else ""
  n          INTEGER NOT NULL,                 -- how often
  PRIMARY KEY (site, day, space, site_space, page, event, rating)
) STRICT, WITHOUT ROWID;
CREATE INDEX site_event_day ON site_event (day);
