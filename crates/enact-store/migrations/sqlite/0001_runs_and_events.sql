-- Ids are text rather than blobs, so that the sqlite3 shell shows what `enact runs` shows.

CREATE TABLE runs (
    id         TEXT    NOT NULL PRIMARY KEY,
    production TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    started_at INTEGER NOT NULL, -- UTC milliseconds
    epoch      INTEGER NOT NULL, -- grows with every claim; appends with an old one are refused
    owner      TEXT,             -- names a lock file in owners/; null once released
    length     INTEGER NOT NULL, -- how many events there are, and so the seq of the next
    reason     TEXT              -- why it ended; null until then
) STRICT, WITHOUT ROWID;

-- Not clustered by run (WITHOUT ROWID): many runs append at once, and rows in the order they come share pages, where
-- rows grouped by run dirty a page for each run. Measured with 100 and 1,000 runs, that halves the time of an append.
CREATE TABLE events (
    run  TEXT    NOT NULL REFERENCES runs (id),
    seq  INTEGER NOT NULL,
    at   INTEGER NOT NULL, -- UTC milliseconds
    kind TEXT    NOT NULL,
    v    INTEGER NOT NULL,
    body TEXT    NOT NULL, -- JSON, byte for byte as it was appended
    PRIMARY KEY (run, seq)
) STRICT;
