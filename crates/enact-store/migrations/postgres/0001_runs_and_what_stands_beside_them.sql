-- Whoever plays runs. A node is alive until its lease expires, by the clock of this database and no other.
CREATE TABLE nodes (
    id         uuid        NOT NULL PRIMARY KEY,
    expires_at timestamptz NOT NULL
);

-- Every append changes its run's row. Room is left on the pages, so that the new version of a row stays on the page of the
-- old one and no index has to know: no index may therefore mention `length`.
CREATE TABLE runs (
    id         uuid    NOT NULL PRIMARY KEY, -- version 7: sorts by when the run began
    production text    NOT NULL,
    name       text    NOT NULL,
    started_at bigint  NOT NULL,             -- UTC milliseconds
    parent     uuid,                         -- the run it was forked from, which may have been deleted since
    epoch      bigint  NOT NULL,             -- grows with every claim; appends with an old one are refused
    owner      uuid    REFERENCES nodes (id) ON DELETE SET NULL, -- the node that plays it; null once released
    length     bigint  NOT NULL,             -- how many events there are, and so the seq of the next
    reason     text,                         -- why it ended; null until then
    queued     boolean NOT NULL,             -- whether any node may play it
    problem    text,                         -- why it waits, where it was tried and could not be played
    not_before timestamptz,                  -- when it may be tried again
    extracted  text    NOT NULL DEFAULT ''   -- the kind of what was last kept of its log in `extracts`
) WITH (fillfactor = 50);

CREATE INDEX runs_by_name ON runs (name, id);
CREATE INDEX runs_by_parent ON runs (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_by_owner ON runs (owner) WHERE owner IS NOT NULL;
CREATE INDEX runs_waiting ON runs (id) WHERE queued AND owner IS NULL AND reason IS NULL;
CREATE INDEX runs_by_extract ON runs (extracted, id) WHERE reason IS NOT NULL;
CREATE INDEX runs_unfinished ON runs (id) WHERE reason IS NULL;

-- No foreign key: events are only ever stored by the statement that moves their run's row on, and a check for each of them
-- would cost as much as storing it. Bodies are text, not jsonb, which would not give them back byte for byte.
CREATE TABLE events (
    run  uuid   NOT NULL,
    seq  bigint NOT NULL,
    at   bigint NOT NULL, -- UTC milliseconds
    kind text   NOT NULL,
    v    bigint NOT NULL,
    body text   NOT NULL, -- JSON, byte for byte as it was appended
    PRIMARY KEY (run, seq)
);

-- What those who do not play a run want of it.
CREATE TABLE inbox (
    id   bigint NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run  uuid   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    body text   NOT NULL -- JSON
);

CREATE INDEX inbox_by_run ON inbox (run);

-- Requests that made a run, so that one which is repeated makes no other.
CREATE TABLE orders (
    sender text NOT NULL,
    key    text NOT NULL,
    digest text NOT NULL, -- tells a repetition from another request under the same key
    run    uuid NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    PRIMARY KEY (sender, key)
);

CREATE INDEX orders_by_run ON orders (run);

-- What was derived from the logs of finished runs.
CREATE TABLE extracts (
    kind       text   NOT NULL,
    run        uuid   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    started_at bigint NOT NULL, -- the run's, so that a day is found without looking at all runs
    body       text   NOT NULL,
    PRIMARY KEY (kind, run)
);

CREATE INDEX extracts_by_time ON extracts (kind, started_at);
CREATE INDEX extracts_by_run ON extracts (run);
