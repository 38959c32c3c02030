-- Contacts that do not exist, as a provider said: {email, sms, whatsapp}, each as {contact, reason, at, channelId}. What one
-- channel says of a number says nothing of the other. They are listed, the last closed first, and opened again.
update profiles set closed_contacts = jsonb_set(closed_contacts - 'phone', '{sms}', closed_contacts -> 'phone')
  where closed_contacts ? 'phone';
alter table profiles add column contact_closed_at timestamptz;
update profiles set contact_closed_at = now() where closed_contacts <> '{}';
create index profiles_closed on profiles (workspace_id, contact_closed_at, id) where contact_closed_at is not null;

-- How often in a row a channel said that there is no such contact, since when, in its answers and in what it told later:
-- from the twentieth on it is the channel that is wrong.
alter table channels
  add column gone_in_a_row integer not null default 0,
  add column gone_since timestamptz,
  add column bounced_in_a_row integer not null default 0,
  add column bounced_since timestamptz;

-- What waits for an endpoint that is off waits for a day.
alter table webhook_endpoints add column off_since timestamptz;
update webhook_endpoints set off_since = now() where not is_active;
