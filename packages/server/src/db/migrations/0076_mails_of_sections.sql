-- A mail of sections, sent by email instead of the texts of the campaign (decision 66); null: these.
alter table campaigns add column mail jsonb;
