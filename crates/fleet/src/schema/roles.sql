DO $roles$
DECLARE
    role TEXT;
BEGIN
    FOREACH role IN ARRAY ARRAY['grounds_fleet_reader', 'grounds_fleet_worker', 'grounds_fleet_submitter'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
END
$roles$;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM grounds_fleet_reader, grounds_fleet_worker, grounds_fleet_submitter;
GRANT SELECT ON fleet_meta, fleet_terms, fleet_runs, fleet_budgets, fleet_jobs, fleet_results, fleet_attempts,
    fleet_answers, fleet_latest, fleet_changes, fleet_dead
    TO grounds_fleet_reader, grounds_fleet_worker, grounds_fleet_submitter;
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_reserved, fleet_exchanges, fleet_pace TO grounds_fleet_worker;
GRANT INSERT ON fleet_results, fleet_attempts TO grounds_fleet_worker;
GRANT UPDATE (used) ON fleet_budgets TO grounds_fleet_worker;
GRANT UPDATE (state, reason, ready_ms, attempts, lost, lease, until_ms, worker, ended_ms) ON fleet_jobs
    TO grounds_fleet_worker, grounds_fleet_submitter;
GRANT INSERT ON fleet_terms, fleet_runs, fleet_budgets, fleet_jobs TO grounds_fleet_submitter;
GRANT UPDATE (most) ON fleet_budgets TO grounds_fleet_submitter;
