create index concurrently stream_event_by_user on stream_event (topic, user_id, seq) where user_id is not null;
