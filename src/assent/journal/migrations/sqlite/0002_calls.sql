-- The story of one call is asked for by its id.
CREATE INDEX records_of_call ON records (call) WHERE call IS NOT NULL;
