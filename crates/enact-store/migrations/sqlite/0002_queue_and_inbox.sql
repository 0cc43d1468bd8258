-- Runs that wait to be played by whoever has room, and what stands beside logs.

ALTER TABLE runs ADD COLUMN parent     TEXT;                       -- the run it was forked from, which may be gone
ALTER TABLE runs ADD COLUMN queued     INTEGER NOT NULL DEFAULT 0; -- 1: a node plays it whenever nobody does
ALTER TABLE runs ADD COLUMN problem    TEXT;                       -- why it waits, though it was tried
ALTER TABLE runs ADD COLUMN not_before INTEGER;                    -- UTC milliseconds; until then it is not tried again
ALTER TABLE runs ADD COLUMN extracted  TEXT NOT NULL DEFAULT '';   -- the kind of what was last kept of it in `extracts`

-- Those that have not ended are few beside those that have: who wants to claim or list them looks at nothing else.
CREATE INDEX unfinished_runs ON runs (id) WHERE reason IS NULL;
CREATE INDEX unfinished_runs_by_owner ON runs (queued, owner, id) WHERE reason IS NULL;

-- Each is in the order of ids within, which is how runs are listed.
CREATE INDEX runs_by_production ON runs (production, id);
CREATE INDEX runs_by_name ON runs (name, id);
CREATE INDEX forks ON runs (parent, id) WHERE parent IS NOT NULL;

-- AUTOINCREMENT, because ids must grow even when the last letter has been taken: whoever plays knows what is new by them.
CREATE TABLE inbox (
    id     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    run    TEXT    NOT NULL REFERENCES runs (id),
    wanted TEXT    NOT NULL -- JSON
) STRICT;
CREATE INDEX inbox_by_run ON inbox (run);

CREATE TABLE orders (
    sender TEXT NOT NULL,
    key    TEXT NOT NULL,
    digest TEXT NOT NULL, -- tells a repetition from another request under the same key
    run    TEXT NOT NULL REFERENCES runs (id),
    PRIMARY KEY (sender, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_run ON orders (run);

CREATE TABLE extracts (
    run        TEXT    NOT NULL REFERENCES runs (id),
    kind       TEXT    NOT NULL,
    started_at INTEGER NOT NULL, -- the run's, so that a day is found without looking at all runs
    body       TEXT    NOT NULL,
    PRIMARY KEY (run, kind)
) STRICT;
CREATE INDEX runs_by_extract ON runs (extracted, id) WHERE reason IS NOT NULL;
CREATE INDEX extracts_by_time ON extracts (kind, started_at);
