-- Sign-ins at the provider that have come back: each counts once (signin/flow.h).
CREATE TABLE used_flow (
  hash    BLOB PRIMARY KEY,                    -- BLAKE2b-256 of its state
  ends_at INTEGER NOT NULL                     -- later it is not valid anyway, and the row goes
) STRICT;
