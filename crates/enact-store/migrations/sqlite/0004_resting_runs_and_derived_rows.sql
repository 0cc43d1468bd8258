-- Runs that rest until a command is posted, the accounts that made runs, and what is derived from logs while they grow.

ALTER TABLE runs ADD COLUMN account TEXT    NOT NULL DEFAULT ''; -- which account made it; empty where callers have no names
ALTER TABLE runs ADD COLUMN resting INTEGER NOT NULL DEFAULT 0;  -- 1: it waits for a command, has no owner and is in no queue

-- A hundred thousand runs may rest. What nodes ask again and again uses indexes that leave them out.
DROP INDEX unfinished_runs_by_owner;
CREATE INDEX active_runs_by_owner ON runs (queued, owner, id) WHERE reason IS NULL AND resting = 0;
CREATE INDEX active_runs ON runs (id) WHERE reason IS NULL AND resting = 0;
CREATE INDEX resting_runs ON runs (id) WHERE resting = 1;
CREATE INDEX awake_runs ON runs (id) WHERE resting = 0;

-- For lists of what one account made.
CREATE INDEX runs_by_account ON runs (production, account, id);

-- The tag of a command was `want`. Other members stay as they were written.
ALTER TABLE inbox RENAME COLUMN wanted TO command;
UPDATE inbox
SET command = json_remove(json_set(command, '$.command', json_extract(command, '$.want')), '$.want')
WHERE CASE WHEN json_valid(command) THEN json_type(command, '$.want') IS NOT NULL ELSE 0 END;

-- Lists are in the order of `sort`, highest first, then of `key` and `run`: each index is in that order within what it finds.
CREATE TABLE rows (
    run     TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    kind    TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    sort    INTEGER NOT NULL,
    body    TEXT    NOT NULL, -- JSON
    account TEXT    NOT NULL, -- the run's
    PRIMARY KEY (run, kind, key)
) STRICT;
CREATE INDEX rows_by_kind ON rows (kind, sort DESC, key, run);
CREATE INDEX rows_by_account ON rows (kind, account, sort DESC, key, run);
CREATE INDEX rows_by_key ON rows (kind, key, sort DESC, run);

CREATE TABLE checkpoints (
    run  TEXT    NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    next INTEGER NOT NULL, -- the seq of the first event that is not in it
    body BLOB    NOT NULL  -- compressed
) STRICT;
