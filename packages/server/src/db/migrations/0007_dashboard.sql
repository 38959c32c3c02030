-- What the dashboard asks.

-- People by how their user id, email or name begins, and by phone. Rewriting a person touches none of these as long as
-- the four stay, so renewals go on without writing to an index.
create index profiles_find_user on profiles (workspace_id, environment, lower(user_id) text_pattern_ops) where user_id is not null;
create index profiles_find_email on profiles (workspace_id, environment, lower(email) text_pattern_ops) where email is not null;
create index profiles_find_name on profiles (workspace_id, environment, lower(name) text_pattern_ops) where name is not null;
create index profiles_find_phone on profiles (workspace_id, environment, phone) where phone is not null;

create index translations_in_review on translations (workspace_id, key) where status = 'review';

-- When a key was used last, to about a minute. Beside the keys, so that using one never rewrites what decides on requests.
create table key_uses (
  workspace_id text not null,
  key_id text not null,
  used_at timestamptz not null,
  primary key (workspace_id, key_id),
  foreign key (workspace_id, key_id) references keys (workspace_id, id) on delete cascade
);
