-- Sign-ins of programs that a person confirms in a browser (decision 88). Each is short, and goes with the first answer that is taken.
create table device_sign_ins (
  -- Of the secret that the program holds.
  device_hash text primary key,
  -- Of the code that both show.
  code_hash text not null,
  -- What the program says of its machine.
  host text not null,
  -- Where it asked from.
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- null: nobody answered yet.
  answer text check (answer in ('allowed', 'refused')),
  -- Of the session in which it was allowed: the program gets one of the same person, which proves no more and lasts no longer.
  session_hash text
);
create unique index device_sign_ins_code on device_sign_ins (code_hash);
create index device_sign_ins_expiry on device_sign_ins (expires_at);
