-- What was planned for a moment and came to pass after a later one changes nothing, which its history tells.
alter table instance_events drop constraint instance_events_action_check;
alter table instance_events add constraint instance_events_action_check
  check (action in ('publish', 'unpublish', 'schedule', 'reschedule', 'cancel', 'overtaken', 'delete', 'restore'));
