-- Who made a key; null: nobody knows any more. When it ends, and from which web pages it may be used; null: never, from all.
alter table keys add column created_by text;
alter table keys add column expires_at timestamptz;
alter table keys add column allowed_origins text[];
