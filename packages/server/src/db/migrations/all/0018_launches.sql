-- Posts that announce tokens: docs/decisions/0078-what-people-say.md

-- Whether the launch of its token is still to be posted.
alter table token_draft add column launch_waits boolean not null default true;
