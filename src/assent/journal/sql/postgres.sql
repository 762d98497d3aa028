-- name: settings
SELECT
    set_config('statement_timeout', %(timeout)s, false),
    set_config('lock_timeout', %(timeout)s, false),
    -- Asynchronous commits are lost with the server's power, whatever its owner prefers elsewhere.
    set_config(
        'synchronous_commit',
        CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END,
        false
    ),
    -- So that the server lets go of the lock of a hub whose machine vanished.
    set_config('tcp_keepalives_idle', '10', false),
    set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false);

-- name: surroundings
SELECT current_schema(), current_setting('server_encoding'),
    to_regclass('assent_meta') IS NOT NULL, to_regclass('assent_records') IS NOT NULL;

-- name: version
SELECT value FROM assent_meta WHERE name = 'version';

-- name: set_version
INSERT INTO assent_meta VALUES ('version', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: one_migrates
SELECT pg_advisory_xact_lock(hashtextextended('assent/' || current_schema(), 0));

-- name: lock
SELECT pg_try_advisory_lock(hashtextextended('assent/' || current_schema() || '/' || %s, 0));

-- name: end_stale
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid();

-- name: take_turns
SELECT pg_advisory_xact_lock(hashtextextended('assent/' || current_schema() || '/ask/' || ask, 0))
FROM unnest(%s::text[]) AS ask;

-- name: insert
INSERT INTO assent_records SELECT * FROM json_populate_recordset(NULL::assent_records, %s::json);

-- name: head
SELECT seq, hash FROM assent_records WHERE hub = %s ORDER BY seq DESC LIMIT 1;

-- name: heads
WITH RECURSIVE hubs AS (
    (SELECT hub FROM assent_records ORDER BY hub LIMIT 1)
    UNION ALL
    SELECT (SELECT r.hub FROM assent_records r WHERE r.hub > hubs.hub ORDER BY r.hub LIMIT 1)
    FROM hubs WHERE hubs.hub IS NOT NULL
)
SELECT hubs.hub, tip.seq, tip.hash FROM hubs
CROSS JOIN LATERAL (SELECT seq, hash FROM assent_records r WHERE r.hub = hubs.hub ORDER BY seq DESC LIMIT 1) tip;

-- name: machines
SELECT DISTINCT ON (hub) hub, body FROM assent_records
WHERE kind = 'hub' AND strpos(body, '"machine":') > 0
ORDER BY hub, seq DESC;

-- name: read
SELECT * FROM assent_records WHERE hub = %s AND seq > %s AND seq < %s ORDER BY seq LIMIT %s;

-- name: tail
SELECT * FROM assent_records WHERE hub = %s ORDER BY seq DESC LIMIT %s;

-- name: decision_for
SELECT * FROM assent_records WHERE kind = 'decision' AND request = %s;

-- name: window
SELECT * FROM assent_records WHERE hub = %s AND seq >= %s AND seq < %s AND (TRUE /* condition */)
ORDER BY seq DESC LIMIT %s;

-- name: story
SELECT * FROM (
    -- Each hub's part in its order, the hub that began first.
    SELECT *, min(at) OVER (PARTITION BY hub) AS began FROM assent_records WHERE call = %s
) AS told ORDER BY began, hub, seq;

-- name: first_since
SELECT min(seq) FROM assent_records WHERE hub = %s AND at >= %s;

-- name: checkpoint
SELECT * FROM assent_records WHERE hub = %s AND kind = 'checkpoint' ORDER BY seq DESC LIMIT 1;

-- name: marks
SELECT seq, call, ask, request FROM assent_records
WHERE hub = %s AND seq > %s
    AND (kind IN ('answer', 'refused') OR decision IN ('deny', 'block', 'halt') OR lower(risk) = 'danger')
ORDER BY seq;

-- name: remove
DELETE FROM assent_records WHERE hub = %s AND seq = ANY(%s);

-- name: breadth
SELECT avg(400 + pg_column_size(body) + pg_column_size(words))::bigint FROM (
    SELECT body, words FROM assent_records WHERE hub = %s ORDER BY seq DESC LIMIT 1000
) newest;
