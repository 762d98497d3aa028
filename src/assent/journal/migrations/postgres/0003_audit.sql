-- Views for auditors, version 1: docs/auditing.md lists their columns. A column is never renamed, removed or given another
-- meaning; new ones come at the end. What cannot be kept so gets a view of another name.

-- Small, and of use as records come nearly in the order of their times.
CREATE INDEX assent_times ON assent_records USING brin (at);
CREATE INDEX assent_asked ON assent_records (ask) WHERE kind = 'ask';

-- A body that is no JSON was tampered with, and hides no other record. A database has no room for NUL in a text.
CREATE FUNCTION assent_body(body text) RETURNS json LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN replace(body, '\u0000', '\ufffd')::json;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END
$$;

CREATE FUNCTION assent_texts(value json) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN json_typeof(value) = 'array' THEN ARRAY(SELECT json_array_elements_text(value)) END
$$;

CREATE FUNCTION assent_number(value text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN value ~ '^-?[0-9]{1,18}$' THEN value::bigint END
$$;

CREATE FUNCTION assent_moment(at bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    -- Beyond this no calendar goes.
    SELECT CASE WHEN at BETWEEN 0 AND 253402300799999 THEN timestamptz 'epoch' + at * interval '1 millisecond' END
$$;

-- What a tool call is about: its command, file or address, else its input as it is.
CREATE FUNCTION assent_what(body json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT left(coalesce(
        given ->> 'command', given ->> 'file_path', given ->> 'notebook_path', given ->> 'path', given ->> 'url',
        given ->> 'query', given ->> 'pattern', given ->> 'description', given::text
    ), 4000)
    FROM (SELECT body #> '{payload,tool_input}' AS given) AS input
$$;

DO $views$
DECLARE
    taken text;
BEGIN
    SELECT string_agg(name, ', ') INTO taken
    FROM unnest(ARRAY['audit_decisions', 'audit_answers', 'audit_policy', 'audit_gaps']) AS name
    WHERE to_regclass(format('%I.%I', current_schema(), name)) IS NOT NULL;
    IF taken IS NOT NULL THEN
        -- Another program's: hubs go on recording, without the views.
        RAISE DEBUG 'no views for auditors: % exists', taken;
        RETURN;
    END IF;

    EXECUTE $sql$
    CREATE VIEW audit_decisions AS
    SELECT
        assent_moment(r.at) AS at, r.at AS at_ms, r.hub, m.machine, r.seq, r.hash,
        r.session, r.agent, r.call, r.ask,
        b.body ->> 'harness' AS harness, b.body ->> 'project' AS project,
        b.body ->> 'event' AS event, b.body ->> 'tool' AS tool, e.what,
        r.risk, r.decision, b.body #>> '{decision,cause}' AS cause, r.by,
        CASE WHEN r.by ^@ 'rule:' THEN substr(r.by, 6) END AS rule,
        coalesce(b.body #>> '{decision,reason}', b.body #>> '{decision,context}') AS why,
        coalesce(r.session ^@ 'demo-' OR r.session ^@ 'test-', false) AS practice,
        coalesce(r.session ^@ 'team-', false) AS elsewhere
    FROM assent_records r
    CROSS JOIN LATERAL (SELECT assent_body(r.body) AS body OFFSET 0) b
    LEFT JOIN LATERAL (
        SELECT assent_body(s.body) ->> 'machine' AS machine FROM assent_records s
        WHERE s.hub = r.hub AND s.seq <= r.seq AND s.kind = 'hub' AND strpos(s.body, '"machine":') > 0
        ORDER BY s.seq DESC LIMIT 1
    ) m ON true
    LEFT JOIN LATERAL (
        SELECT assent_what(assent_body(c.body)) AS what FROM assent_records c
        WHERE c.call = r.call AND c.hub = r.hub AND c.kind = 'event' AND c.request = r.request LIMIT 1
    ) e ON true
    WHERE r.kind = 'decision'
    $sql$;

    EXECUTE $sql$
    CREATE VIEW audit_answers AS
    SELECT
        assent_moment(r.at) AS at, r.at AS at_ms, r.hub, m.machine, r.seq, r.hash,
        r.session, r.agent, r.call, r.ask,
        a.body ->> 'harness' AS harness, a.body ->> 'project' AS project,
        a.body ->> 'event' AS event, a.body ->> 'tool' AS tool, coalesce(e.what, a.body ->> 'line') AS what,
        r.risk, coalesce(b.body ->> 'choice', CASE r.kind WHEN 'approved' THEN 'allow' END) AS choice,
        r.kind IN ('answer', 'approved') AS counted, b.body ->> 'why' AS refused_because, r.by,
        b.body ->> 'surface' AS surface, b.body ->> 'device' AS device,
        assent_number(b.body ->> 'waited_ms') AS waited_ms, b.body ->> 'message' AS message,
        assent_texts(b.body -> 'grants') AS grants,
        coalesce(r.session ^@ 'demo-' OR r.session ^@ 'test-', false) AS practice,
        coalesce(r.session ^@ 'team-', false) AS elsewhere,
        CASE r.kind
            WHEN 'approved' THEN ARRAY[coalesce(b.body #>> '{identity,mail}', b.body #>> '{identity,subject}', '')]
            ELSE assent_texts(b.body -> 'approved_by')
        END AS approved_by
    FROM assent_records r
    CROSS JOIN LATERAL (SELECT assent_body(r.body) AS body OFFSET 0) b
    LEFT JOIN LATERAL (
        SELECT assent_body(s.body) ->> 'machine' AS machine FROM assent_records s
        WHERE s.hub = r.hub AND s.seq <= r.seq AND s.kind = 'hub' AND strpos(s.body, '"machine":') > 0
        ORDER BY s.seq DESC LIMIT 1
    ) m ON true
    LEFT JOIN LATERAL (
        SELECT assent_body(o.body) AS body FROM assent_records o
        WHERE o.ask = r.ask AND o.hub = r.hub AND o.kind = 'ask' ORDER BY o.seq DESC LIMIT 1
    ) a ON true
    LEFT JOIN LATERAL (
        SELECT assent_what(assent_body(c.body)) AS what FROM assent_records c
        WHERE c.call = r.call AND c.hub = r.hub AND c.kind = 'event' AND c.request = r.request LIMIT 1
    ) e ON true
    WHERE r.kind IN ('answer', 'approved', 'refused')
    $sql$;

    EXECUTE $sql$
    CREATE VIEW audit_policy AS
    SELECT
        assent_moment(r.at) AS at, r.at AS at_ms, r.hub, m.machine, r.seq, r.hash,
        CASE r.kind WHEN 'hub' THEN 'person' ELSE r.kind END AS kind, r.by,
        b.body ->> 'file' AS file, assent_texts(b.body -> 'added') AS added, assent_texts(b.body -> 'removed') AS removed,
        b.body -> 'changed' AS changed, b.body ->> 'trouble' AS trouble, b.body ->> 'what' AS what
    FROM assent_records r
    CROSS JOIN LATERAL (SELECT assent_body(r.body) AS body OFFSET 0) b
    LEFT JOIN LATERAL (
        SELECT assent_body(s.body) ->> 'machine' AS machine FROM assent_records s
        WHERE s.hub = r.hub AND s.seq <= r.seq AND s.kind = 'hub' AND strpos(s.body, '"machine":') > 0
        ORDER BY s.seq DESC LIMIT 1
    ) m ON true
    WHERE r.kind IN ('rules', 'config') OR (r.kind = 'hub' AND r.by ^@ 'person:')
    $sql$;

    EXECUTE $sql$
    CREATE VIEW audit_gaps AS
    SELECT
        assent_moment(r.at) AS at, r.at AS at_ms, r.hub, m.machine, r.seq, r.hash,
        CASE r.kind WHEN 'gap' THEN 'no_hub' ELSE 'pruned' END AS kind, r.session, r.by,
        b.body ->> 'event' AS event,
        CASE r.kind
            WHEN 'gap' THEN coalesce(assent_number(b.body ->> 'count'), 1)
            ELSE assent_number(b.body ->> 'removed')
        END AS missing,
        assent_number(b.body ->> 'through') AS through, assent_moment(assent_number(b.body ->> 'until')) AS until,
        b.body ->> 'why' AS why
    FROM assent_records r
    CROSS JOIN LATERAL (SELECT assent_body(r.body) AS body OFFSET 0) b
    LEFT JOIN LATERAL (
        SELECT assent_body(s.body) ->> 'machine' AS machine FROM assent_records s
        WHERE s.hub = r.hub AND s.seq <= r.seq AND s.kind = 'hub' AND strpos(s.body, '"machine":') > 0
        ORDER BY s.seq DESC LIMIT 1
    ) m ON true
    WHERE r.kind IN ('gap', 'checkpoint')
    $sql$;

    COMMENT ON VIEW audit_decisions IS 'Assent, version 1: what agents were told';
    COMMENT ON VIEW audit_answers IS 'Assent, version 1: what people said';
    COMMENT ON VIEW audit_policy IS 'Assent, version 1: changes of rules and settings, and what people did to hubs';
    COMMENT ON VIEW audit_gaps IS 'Assent, version 1: what was not judged, and what was removed';
END
$views$;
