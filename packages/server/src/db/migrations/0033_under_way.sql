-- What is on its way just now: each turn of a dispatch looks for what a process left there, also among a million lines.
create index sends_under_way on sends (workspace_id, dispatch_id) where state = 'sending';
