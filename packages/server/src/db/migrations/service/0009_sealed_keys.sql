-- Secrets that stood here readable are sealed by a key that is not in this database; the start of an api process seals what
-- is left, and empties the old columns. docs/decisions/0025-keys-at-rest.md

alter table signing_key
  alter column private_jwk drop not null,
  add column sealed_key jsonb,                          -- the private key, PKCS 8
  add check ((private_jwk is null) <> (sealed_key is null));

alter table webhook_secret
  alter column secret drop not null,
  add column sealed_secret jsonb,
  add column sealed_previous jsonb,                     -- signs too until previous_until
  add check ((secret is null) <> (sealed_secret is null));
