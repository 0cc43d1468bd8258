-- Runs that follow each other. Only the newest is kept here: it carries what was said before it.
CREATE TABLE conversations (
    owner   TEXT    NOT NULL, -- whose it is; empty where nobody says who they are
    name    TEXT    NOT NULL,
    run     TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    cleared INTEGER NOT NULL, -- 1: the next run begins anew
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversations_by_run ON conversations (run);
