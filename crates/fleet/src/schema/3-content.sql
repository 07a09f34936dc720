CREATE INDEX fleet_jobs_of_content ON fleet_jobs (content, terms) WHERE state = 'done';
