-- Who leads a hub is found without reading all its members: docs/decisions/0078-what-people-say.md
create index concurrently hub_member_moderators on hub_member (token_id, joined_at desc, user_id) where role = 'moderator';
