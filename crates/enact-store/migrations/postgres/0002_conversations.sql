-- Runs that follow each other. Only the newest is kept here: it carries what was said before it.
CREATE TABLE conversations (
    owner   text    NOT NULL, -- whose it is; empty where nobody says who they are
    name    text    NOT NULL,
    run     uuid    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    cleared boolean NOT NULL, -- whether the next run begins anew
    PRIMARY KEY (owner, name)
);

CREATE INDEX conversations_by_run ON conversations (run);
