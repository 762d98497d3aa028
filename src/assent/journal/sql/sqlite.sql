-- name: insert
INSERT INTO entries
    (seq, at, kind, session, agent, call, ask, request, risk, decision, "by", body, prev, hash)
VALUES
    (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: hub
SELECT value FROM meta WHERE name = 'hub';

-- name: head
SELECT seq, hash FROM records WHERE hub = ? ORDER BY seq DESC LIMIT 1;

-- name: read
SELECT * FROM records WHERE hub = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?;

-- name: tail
SELECT * FROM records WHERE hub = ? ORDER BY seq DESC LIMIT ?;

-- name: decision_for
SELECT * FROM records WHERE kind = 'decision' AND request = ?;

-- name: story
SELECT * FROM records WHERE call = ? ORDER BY seq;

-- name: size
SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)
     - (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size);

-- name: checkpoint
SELECT * FROM records WHERE kind = 'checkpoint' ORDER BY seq DESC LIMIT 1;

-- name: marks
SELECT seq, call, ask, request FROM entries INDEXED BY entries_marks
WHERE seq > ?
  AND (kind IN ('answer', 'refused') OR decision IN ('deny', 'block', 'halt') OR risk = 'danger')
ORDER BY seq;

-- name: remove
DELETE FROM entries WHERE seq = ?;

-- name: give_back
PRAGMA incremental_vacuum(64);
