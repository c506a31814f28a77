-- A sign-in. It lasts while its row is here; logging out, or using a refresh token twice, deletes it with all its refresh
-- tokens. docs/decisions/0035-keys-and-sessions.md
create table session (
  session_id uuid primary key,
  user_id    uuid not null references app_user,
  created_at timestamptz not null default now()
);
create index session_by_user on session (user_id);

insert into session (session_id, user_id) select distinct family_id, user_id from refresh_token;

alter table refresh_token rename column family_id to session_id;
alter index refresh_token_by_family rename to refresh_token_by_session;
alter table refresh_token add foreign key (session_id) references session on delete cascade;

-- Whether some user allows a client something: asked before an error is sent to an address that the client chose.
create index oauth_grant_by_client on oauth_grant (client_id) where revoked_at is null;
