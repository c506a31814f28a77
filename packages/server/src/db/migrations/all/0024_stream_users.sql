alter table stream_event add column user_id uuid;
