-- name: first
SELECT min(seq) FROM records;

-- name: count
SELECT count(*) FROM entries;

-- name: window
SELECT * FROM records WHERE hub = ? AND seq >= ? AND seq < ? AND (TRUE /* condition */) ORDER BY seq DESC;

-- name: these
SELECT * FROM records WHERE seq IN (NULL /* seqs */) ORDER BY seq DESC;
