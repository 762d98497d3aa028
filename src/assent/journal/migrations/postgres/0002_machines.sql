-- Which machine a hub runs on: it records that when it starts.
CREATE INDEX assent_machines ON assent_records (hub, seq) WHERE kind = 'hub' AND strpos(body, '"machine":') > 0;
