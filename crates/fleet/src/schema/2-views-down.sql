DROP VIEW fleet_dead;
DROP VIEW fleet_changes;
DROP VIEW fleet_latest;
DROP VIEW fleet_answers;
