-- All entries of one decision have one moment: with the clock of each row, a decision could straddle a millisecond and read as two.
alter table consent_ledger alter column recorded_at set default statement_timestamp();
