-- Rows that are written again soon, and nothing of what is looked for in them is another then: with room for the new one beside
-- the old, the indexes stay as they are. Of staged rows each is, by its matching; of people, whoever something is learned of.
alter table import_rows set (fillfactor = 50);
alter table profiles set (fillfactor = 80);
