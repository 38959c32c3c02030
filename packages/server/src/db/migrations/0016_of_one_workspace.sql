-- What spreading the tables by workspace over several machines asks of them, see db/distribute.ts.

alter table consent_ledger drop constraint consent_ledger_pkey, add primary key (workspace_id, id);

-- Whoever deletes a person says first that devices and tokens are nobody's: a cluster sets no single column to null.
-- Deferred, because a cluster writes a new device and its new person one after the other, where one machine does both at once.
alter table devices drop constraint devices_workspace_id_profile_id_fkey,
  add foreign key (workspace_id, profile_id) references profiles (workspace_id, id) deferrable initially deferred;
alter table push_registrations drop constraint push_registrations_workspace_id_profile_id_fkey,
  add foreign key (workspace_id, profile_id) references profiles (workspace_id, id);

-- What goes with a fence or a person is found by its key.
create index geofence_events_by_fence on geofence_events (workspace_id, fence_id);
create index geofence_presence_by_fence on geofence_presence (workspace_id, fence_id);
create index in_app_messages_by_person on in_app_messages (workspace_id, profile_id);

-- A moment that is at least a millisecond behind another one. A cluster takes no function for an update that may depend on
-- the settings of a connection, as adding an interval in general does; this one does not.
create function later_than(now timestamptz, before timestamptz) returns timestamptz language sql immutable
  return greatest(now, before + interval '1 millisecond');
