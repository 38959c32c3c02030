-- Endpoints may be told of each entry of the audit log.
-- Up to which entry they were told; null: nobody ever was.
alter table audit_heads add column told_seq bigint;
