create index concurrently token_draft_launch on token_draft (created_at) where launch_waits;
