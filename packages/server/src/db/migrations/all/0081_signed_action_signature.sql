-- r and s of the signature, hex: a replay is known by it before the action is hashed.
alter table signed_action add column signature text;
