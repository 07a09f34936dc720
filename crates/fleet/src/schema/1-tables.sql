CREATE TABLE fleet_meta (version BIGINT NOT NULL);
CREATE TABLE fleet_terms (
    hash TEXT PRIMARY KEY NOT NULL,
    parts TEXT NOT NULL
);
CREATE TABLE fleet_runs (
    name TEXT PRIMARY KEY NOT NULL,
    terms TEXT NOT NULL REFERENCES fleet_terms (hash),
    source TEXT NOT NULL,
    jobs BIGINT NOT NULL,
    shard BIGINT NOT NULL,
    shards BIGINT NOT NULL,
    attempts_max BIGINT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE TABLE fleet_budgets (
    run TEXT NOT NULL REFERENCES fleet_runs (name) ON DELETE CASCADE,
    unit TEXT NOT NULL,
    most BIGINT,
    used BIGINT NOT NULL,
    PRIMARY KEY (run, unit)
);
CREATE TABLE fleet_jobs (
    id TEXT PRIMARY KEY NOT NULL,
    run TEXT NOT NULL REFERENCES fleet_runs (name) ON DELETE CASCADE,
    terms TEXT NOT NULL,
    content TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    repository TEXT NOT NULL,
    topic TEXT NOT NULL,
    body TEXT NOT NULL,
    place BIGINT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    ready_ms BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    lease BIGINT NOT NULL,
    until_ms BIGINT NOT NULL,
    worker TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    ended_ms BIGINT
);
CREATE INDEX fleet_jobs_ready ON fleet_jobs (terms, lost, ready_ms, place) WHERE state = 'queued';
CREATE INDEX fleet_jobs_leased ON fleet_jobs (until_ms) WHERE state = 'leased';
CREATE INDEX fleet_jobs_of_run ON fleet_jobs (run, place);
CREATE TABLE fleet_results (
    job TEXT PRIMARY KEY NOT NULL REFERENCES fleet_jobs (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    verdict TEXT NOT NULL,
    report TEXT NOT NULL,
    done_ms BIGINT NOT NULL,
    took_ms BIGINT NOT NULL,
    worker TEXT NOT NULL
);
CREATE INDEX fleet_results_by_time ON fleet_results (done_ms);
CREATE TABLE fleet_attempts (
    job TEXT NOT NULL REFERENCES fleet_jobs (id) ON DELETE CASCADE,
    lease BIGINT NOT NULL,
    worker TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (job, lease)
);
CREATE TABLE fleet_reserved (
    job TEXT NOT NULL REFERENCES fleet_jobs (id) ON DELETE CASCADE,
    lease BIGINT NOT NULL,
    unit TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (job, lease, unit)
);
CREATE TABLE fleet_exchanges (
    key TEXT PRIMARY KEY NOT NULL,
    job TEXT NOT NULL,
    lease BIGINT NOT NULL,
    state TEXT NOT NULL,
    answer TEXT NOT NULL,
    at_ms BIGINT NOT NULL
);
CREATE TABLE fleet_pace (
    key TEXT PRIMARY KEY NOT NULL,
    next_ms BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    closed_until_ms BIGINT NOT NULL
);
