-- A signature of the API over the intent (`intentProof.ts`), without which the signer signs nothing. Null: of an earlier version.
alter table intent add column proof text;
-- What the signers have recorded outside of this database, so that restoring an earlier one revives no credential.
alter table budget add column revocation_noted boolean not null default false;
