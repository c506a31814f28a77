create index concurrently intent_budget on intent (credential, budget_day) where credential is not null;
