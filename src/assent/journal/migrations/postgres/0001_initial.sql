-- Names begin with assent_, because other programs may keep their tables beside these.
CREATE TABLE assent_meta (
    name  text PRIMARY KEY,
    value text NOT NULL
);

-- Text compares byte by byte: the same everywhere, and what a prefix can use an index for.
CREATE TABLE assent_records (
    hub      text COLLATE "C" NOT NULL,
    seq      bigint           NOT NULL,
    at       bigint           NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    session  text COLLATE "C",
    agent    text COLLATE "C",
    call     text COLLATE "C",
    ask      text COLLATE "C",
    request  text COLLATE "C",
    risk     text COLLATE "C",
    decision text COLLATE "C",
    by       text COLLATE "C",
    -- Not jsonb: that has no room for NUL, and gives back other text than it was given, which would break the hash.
    body     text COLLATE "C" NOT NULL,
    prev     text COLLATE "C" NOT NULL,
    hash     text COLLATE "C" NOT NULL,
    -- What searches look at. Derived from the record, no part of it.
    event    text COLLATE "C",
    tool     text COLLATE "C",
    project  text COLLATE "C",
    words    text COLLATE "C" NOT NULL,
    PRIMARY KEY (hub, seq)
);

-- Across all hubs: whoever is second loses, wherever the first one was.
CREATE UNIQUE INDEX assent_one_answer ON assent_records (ask) WHERE kind = 'answer';
CREATE UNIQUE INDEX assent_one_decision ON assent_records (request) WHERE kind = 'decision';

CREATE INDEX assent_of_call ON assent_records (call) WHERE call IS NOT NULL;
CREATE INDEX assent_of_session ON assent_records (hub, session, seq) WHERE session IS NOT NULL;
CREATE INDEX assent_of_tool ON assent_records (hub, lower(tool), seq) WHERE tool IS NOT NULL;
CREATE INDEX assent_decided ON assent_records (hub, lower(decision), seq) WHERE decision IS NOT NULL;
CREATE INDEX assent_by_time ON assent_records (hub, at);
-- What pruning asks for.
CREATE INDEX assent_checkpoints ON assent_records (hub, seq) WHERE kind = 'checkpoint';
CREATE INDEX assent_marks ON assent_records (hub, seq)
WHERE kind IN ('answer', 'refused') OR decision IN ('deny', 'block', 'halt') OR lower(risk) = 'danger';

CREATE FUNCTION assent_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a record is never changed';
END
$$;

CREATE TRIGGER assent_records_never_change BEFORE UPDATE ON assent_records
FOR EACH ROW EXECUTE FUNCTION assent_never_changes();

-- Words are found without a scan where the server has pg_trgm and lets us use it; elsewhere the same is found slower.
DO $$
DECLARE
    place text;
BEGIN
    BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
    EXCEPTION WHEN OTHERS THEN
        RAISE DEBUG 'no pg_trgm: %', SQLERRM;
    END;
    SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'pg_trgm';
    IF place IS NOT NULL THEN
        -- A short list of what is still to be sorted in: whoever fills it up waits for the sorting, and may hold a gate.
        EXECUTE format(
            'CREATE INDEX assent_words ON assent_records USING gin (words %I.gin_trgm_ops)'
            ' WITH (gin_pending_list_limit = 256)', place);
    END IF;
END
$$;
