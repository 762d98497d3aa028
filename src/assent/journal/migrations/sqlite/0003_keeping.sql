-- Pruning asks what the newest checkpoint says, and which calls are evidence.
CREATE INDEX records_checkpoints ON records (seq) WHERE kind = 'checkpoint';
CREATE INDEX records_marks ON records (seq)
    WHERE kind IN ('answer', 'refused') OR decision IN ('deny', 'block', 'halt') OR risk = 'danger';
