-- Numbers beside runs that no log tells, such as how often a shared result was looked at.
CREATE TABLE counters (
    run   uuid   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name  text   NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (run, name)
);
