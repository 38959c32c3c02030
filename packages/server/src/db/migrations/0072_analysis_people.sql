-- Numbers of people who have several, because they were merged: questions look for them without going through all people.
alter table people_numbers add column is_merged boolean not null default false;
update people_numbers n set is_merged = true where exists (
  select from people_numbers o where o.workspace_id = n.workspace_id and o.profile_id = n.profile_id and o.environment = n.environment and o.no <> n.no);
create index people_numbers_merged on people_numbers (workspace_id, environment, (no % 16), no) where is_merged;
