-- What a second person is asked for: to publish a revision, to move its moment, to take it from live, to delete it; to
-- activate a journey; to send a message to a segment.
alter table reviews drop constraint reviews_kind_check;
alter table reviews add constraint reviews_kind check (kind in ('instance', 'journey', 'notification'));
alter table reviews add column action text not null default 'publish';
alter table reviews add constraint reviews_action check (action in ('publish', 'reschedule', 'unpublish', 'delete', 'activate', 'send'));
-- The planned publication whose moment is to move.
alter table reviews add column schedule_id text;
-- What is not about an instance: what is carried out, exactly as it was asked for.
alter table reviews add column request jsonb;
alter table reviews alter column revision drop not null;
alter table reviews alter column environments drop not null;

-- Whether whoever made or rotated a write key last had approval rights. Keys from before this was noted publish as they did.
alter table keys add column may_publish boolean not null default true;

-- Who invited a member and when, and since when it is known that the address is theirs: they came by an invitation link, or opened the workspace.
alter table members add column invited_by text;
alter table members add column invited_at timestamptz;
alter table members add column proved_at timestamptz;
update members set proved_at = created_at
where role = 'admin' and invitation_hash is null and not exists (
  select from members earlier where earlier.workspace_id = members.workspace_id and earlier.created_at < members.created_at);

-- One-time codes to let something go live, of campaigns and of everything else: they hold for minutes.
create table launch_codes (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- What it is for: campaign:<id>, journey:<id> or segment:<name>.
  subject text not null,
  account_id text not null,
  hash text not null,
  wrong_tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (workspace_id, subject, account_id)
);
drop table campaign_codes;
