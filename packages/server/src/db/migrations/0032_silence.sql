-- A moment at which the person was active, at most some hours before last_active_at (ACTIVITY_LAG): where the check of
-- journeys looks for who has become silent. It stays as it is while somebody goes on being active, because a change of
-- it costs an entry in every index of people.
alter table profiles add column activity_mark timestamptz;
update profiles set activity_mark = last_active_at where last_active_at is not null;
create index profiles_by_activity on profiles (workspace_id, activity_mark, id) where environment = 'live' and activity_mark is not null;
