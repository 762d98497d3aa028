-- A record as people and queries know it is a row of the view `records`. It is kept smaller: hashes as bytes,
-- the hub's name once, and the number as the key of the table itself.
CREATE TABLE entries (
    seq      INTEGER PRIMARY KEY,
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
    prev     BLOB    NOT NULL,
    hash     BLOB    NOT NULL
);

INSERT INTO entries
SELECT seq, at, kind, session, agent, call, ask, request, risk, decision, "by", body, as_bytes(prev), as_bytes(hash)
FROM records
WHERE hub = (SELECT value FROM meta WHERE name = 'hub')
ORDER BY seq;

DROP TABLE records;

CREATE VIEW records AS
SELECT (SELECT value FROM meta WHERE name = 'hub') AS hub, seq, at, kind, session, agent, call, ask, request, risk,
       decision, "by", body, lower(hex(prev)) AS prev, lower(hex(hash)) AS hash
FROM entries;

CREATE UNIQUE INDEX entries_one_answer ON entries (ask) WHERE kind = 'answer';
CREATE UNIQUE INDEX entries_one_decision ON entries (request) WHERE kind = 'decision';
CREATE INDEX entries_of_call ON entries (call) WHERE call IS NOT NULL;
CREATE INDEX entries_checkpoints ON entries (seq) WHERE kind = 'checkpoint';
CREATE INDEX entries_marks ON entries (seq)
    WHERE kind IN ('answer', 'refused') OR decision IN ('deny', 'block', 'halt') OR risk = 'danger';

CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE(ABORT, 'a record is never changed');
END;
