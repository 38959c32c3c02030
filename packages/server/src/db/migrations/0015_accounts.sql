-- Emails are compared in the form that core/identity/fold-email.ts makes: lower() depends on the locale of the database.
-- What is there already is brought into that form as far as SQL can.
alter table accounts add column email_folded text;
update accounts set email_folded = lower(replace(normalize(email), U&'\0130', U&'i\0307'));
alter table accounts alter column email_folded set not null;
drop index accounts_email;
create unique index accounts_email on accounts (email_folded);

-- Hashes of what the browsers carry in which somebody signed in to the account, the latest first: others' wrong guesses do not hold them up.
alter table accounts add column known_devices text[] not null default '{}';

-- A member with an invitation is none yet: whoever brings its secret in time becomes it, with the account they are signed in with.
alter table members add column invitation_hash text, add column invitation_expires_at timestamptz,
  add constraint members_invitation check ((invitation_hash is null) = (invitation_expires_at is null));
create unique index members_by_invitation on members (invitation_hash) where invitation_hash is not null;
