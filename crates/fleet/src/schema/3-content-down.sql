DROP INDEX fleet_jobs_of_content;
