CREATE VIEW fleet_answers AS
    SELECT jobs.kind, jobs.repository, jobs.topic, jobs.run, jobs.name, jobs.content, results.job, results.verdict,
        results.done_ms, datetime(results.done_ms / 1000, 'unixepoch') AS done_at,
        CAST((unixepoch('subsec') * 1000 - results.done_ms) / 86400000 AS INTEGER) AS age_days, results.report
    FROM fleet_results AS results
    JOIN fleet_jobs AS jobs ON jobs.id = results.job;
CREATE VIEW fleet_latest AS
    SELECT kind, repository, topic, run, job, verdict, done_ms, age_days, report
    FROM (
        SELECT *, row_number() OVER (PARTITION BY kind, repository, topic ORDER BY done_ms DESC, job) AS age
        FROM fleet_answers
    ) AS ranked
    WHERE age = 1;
CREATE VIEW fleet_changes AS
    SELECT kind, repository, topic, run, job, before, verdict, done_ms, age_days, report
    FROM (
        SELECT *, lag(verdict) OVER (PARTITION BY kind, repository, topic ORDER BY done_ms, job) AS before
        FROM fleet_answers
    ) AS ordered
    WHERE before IS NOT NULL AND before <> verdict;
CREATE VIEW fleet_dead AS
    SELECT jobs.run, jobs.id AS job, jobs.name, jobs.kind, jobs.repository, jobs.topic, jobs.reason, jobs.attempts,
        attempts.worker, attempts.detail, attempts.at_ms
    FROM fleet_jobs AS jobs
    LEFT JOIN fleet_attempts AS attempts ON attempts.job = jobs.id AND attempts.lease = jobs.lease
    WHERE jobs.state = 'dead';
