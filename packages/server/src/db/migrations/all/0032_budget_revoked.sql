create index concurrently budget_revoked on budget (credential) where ended_at is not null and not revocation_noted;
