-- "ASNT": a database of another program is told apart before anything is written to it.
PRAGMA application_id = 1095978580;

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- The name of this hub's chain, minted once.
INSERT INTO meta VALUES ('hub', lower(hex(randomblob(4))));

CREATE TABLE records (
    hub      TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    session  TEXT,
    agent    TEXT,
    call     TEXT,
    ask      TEXT,
    request  TEXT,
    risk     TEXT,
    decision TEXT,
    "by"     TEXT,
    body     TEXT    NOT NULL,
    prev     TEXT    NOT NULL,
    hash     TEXT    NOT NULL,
    PRIMARY KEY (hub, seq)
);

CREATE UNIQUE INDEX records_one_answer ON records (ask) WHERE kind = 'answer';
CREATE UNIQUE INDEX records_one_decision ON records (request) WHERE kind = 'decision';

CREATE TRIGGER records_never_change BEFORE UPDATE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never changed');
END;
