-- Numbers beside runs that no log tells, such as how often a shared result was looked at.
CREATE TABLE counters (
    run   TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name  TEXT    NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
