create index concurrently intent_ended on intent (ended_at) where ended_at is not null;
