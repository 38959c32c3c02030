-- Names a segment had before it was renamed with its uses, newest first: installations keep the name under which they were
-- last found to be in it, and get its content under that name until they are looked at again.
alter table segments add column former_names text[] not null default '{}';
