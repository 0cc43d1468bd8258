-- Runs that rest until a command is posted, the accounts that made runs, and what is derived from logs while they grow.

ALTER TABLE runs
    ADD COLUMN account text    NOT NULL DEFAULT '',   -- which account made it; empty where callers have no names
    ADD COLUMN resting boolean NOT NULL DEFAULT false; -- it waits for a command, has no owner and is in no queue

-- A hundred thousand runs may rest. What nodes ask again and again uses indexes that leave them out.
CREATE INDEX runs_active ON runs (id) WHERE reason IS NULL AND NOT resting;
CREATE INDEX runs_resting ON runs (id) WHERE resting;
CREATE INDEX runs_awake ON runs (id) WHERE NOT resting;

-- For lists of what one account made.
CREATE INDEX runs_by_account ON runs (production, account, id);

-- The tag of a command was `want`, which was written first. As text: jsonb takes no \u0000, which a note may hold.
UPDATE inbox
SET body = regexp_replace(body, '^\s*\{\s*"want"\s*:', '{"command":')
WHERE body ~ '^\s*\{\s*"want"\s*:';

-- Lists are in the order of `sort`, highest first, then of `key` and `run`: each index is in that order within what it finds.
-- Keys are ordered by their bytes, as everywhere else, and not as the language of the database has it.
CREATE TABLE rows (
    run     uuid             NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    kind    text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    sort    bigint           NOT NULL,
    body    text             NOT NULL, -- JSON, byte for byte as it was derived
    account text             NOT NULL, -- the run's
    PRIMARY KEY (run, kind, key)
);

CREATE INDEX rows_by_kind ON rows (kind, sort DESC, key, run);
CREATE INDEX rows_by_account ON rows (kind, account, sort DESC, key, run);
CREATE INDEX rows_by_key ON rows (kind, key, sort DESC, run);

CREATE TABLE checkpoints (
    run  uuid   NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    next bigint NOT NULL, -- the seq of the first event that is not in it
    body bytea  NOT NULL  -- compressed
);
