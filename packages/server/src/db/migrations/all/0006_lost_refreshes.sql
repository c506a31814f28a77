-- An exchange whose answer was lost can be repeated: docs/decisions/0062-sessions.md

-- SHA-256 of the token that was issued for this one, hex; null: none, or none that may be replaced by another.
alter table refresh_token add column successor_hash text;
