-- A space may be exported to repositories that it does not follow: each pair of space and
-- repository has paths of its own, so such an export leaves main and git_sync as they are.
ALTER TABLE git_source ADD COLUMN beside INTEGER NOT NULL DEFAULT 0 CHECK (beside IN (0, 1, 2)); -- 0: the space followed it once;
                                                 -- 1: it was only written to, from what the space holds; 2: the same, and another one was imported since
