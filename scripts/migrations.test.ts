import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allMigrationErrors, migrationErrors } from './migrations.ts';

const inOne = (text: string) => migrationErrors(text).then((errors) => errors.join('; '));

describe('migrationErrors', () => {
  test.each([
    'create table more (id bigint primary key, of_user uuid not null references app_user on delete cascade);',
    'create table more (id bigint); create unique index more_by_id on more (id); insert into more select 1;',
    'create table more (id bigint); alter table more add check (id > 0); alter table more rename to yet_more;',
    'alter table intent add column note text;',
    "alter table intent add column note text not null default 'none', add column at timestamptz not null default now();",
    "alter table intent add column many text[] not null default '{}'::text[], add column few text[] default array['a'];",
    'alter table intent alter column note set default 1; alter table intent validate constraint known;',
    'create index concurrently intent_by_note on intent (note);',
    "create function half(n int) returns int language sql as 'select n / 2'; comment on table intent is 'x';",
  ])('default: old processes bear %s', async (text) => {
    expect(await migrationErrors(text)).toEqual([]);
  });

  test.each([
    ['drop table intent;', 'dropped'],
    ['drop index intent_by_note;', 'dropped'],
    ['alter table intent drop column note;', 'intent.note is dropped'],
    ['alter table intent rename to wish;', 'intent is renamed'],
    ['alter table intent rename column note to remark;', 'intent is renamed, or a part of it'],
    ['alter table intent alter column note type jsonb using note::jsonb;', 'intent.note gets another type'],
    ['alter table intent add column note text not null;', 'intent.note has no default'],
    ['alter table intent add column id uuid default gen_random_uuid();', 'no constant'],
    ['alter table intent add column id bigint generated always as identity;', 'has a constraint'],
    ['alter table intent add column half int generated always as (1) stored;', 'has a constraint'],
    ['alter table intent add column other uuid references app_user;', 'has a constraint'],
    ['alter table intent alter column note set not null;', 'must not be null any more'],
    ['alter table intent alter column note drop not null;', 'may not expect it'],
    ['alter table intent alter column note drop default;', 'rely on'],
    ['alter table intent add constraint is_some check (true) not valid;', 'may refuse'],
    ['alter table intent drop constraint intent_pkey;', 'AT_DropConstraint'],
    ['create index intent_by_note on intent (note);', 'make it concurrently'],
    ['create index concurrently if not exists intent_by_note on intent (note);', 'unfinished'],
    ['create unique index concurrently intent_by_note on intent (note);', 'may refuse'],
    [
      'create index concurrently a on intent (note); create index concurrently b on intent (note);',
      'no other statement',
    ],
    ['create table late partition of trade for values from (1) to (2);', 'a part is added to trade'],
    ["update intent set note = '';", 'rows of intent change'],
    ['delete from intent;', 'rows of intent change'],
    ['insert into intent select 1;', 'rows of intent change'],
    ['create or replace function make_month() returns void language sql as $$ select $$;', 'replaced'],
    ['do $$ begin perform 1; end $$;', 'cannot read'],
    ['create table more (id bigint); drop table intent;', 'dropped'],
    [
      'create table if not exists intent (id int); alter table intent alter column id type text;',
      'may be there already',
    ],
    ['create table other.intent (id int); alter table intent drop column note;', 'not a table of ours'],
    ['create temp table intent (id int); delete from intent;', 'not a table of ours'],
    ['create table more (id bigint); delete from public.more;', 'rows of public.more change'],
    ['create table more (id bigint references intent);', 'cannot be deleted'],
    ['create table more (id bigint); alter table more add foreign key (id) references intent;', 'cannot be deleted'],
    ['alter table intent add column a serial;', 'of the type serial'],
    ['alter table intent add column a my_domain;', 'of the type my_domain'],
    ['create table more (id int); with d as (delete from intent returning 1) insert into more select 1;', 'in a part'],
    ['create index concurrently on intent (note);', 'has no name'],
    ['alter table intent add column a text; create table more (id int); insert into more select 1;', 'two files'],
    ['truncate intent;', 'TruncateStmt'],
    ['select make_month(now());', 'SelectStmt'],
  ])('error: old processes do not bear %s', async (text, words) => {
    expect(await inOne(text)).toContain(words);
  });

  test('error: what was done to tables before there was this rule is found', async () => {
    const folder = new URL('../packages/server/src/db/migrations/all/', import.meta.url);
    const found = async (name: string) => migrationErrors(readFileSync(new URL(name, folder), 'utf8'));
    expect(await found('0001_eid.sql')).not.toEqual([]);
    expect(await found('0010_partitions.sql')).not.toEqual([]);
    expect(await found('0006_lost_refreshes.sql')).toEqual([]);
  });
});

describe('allMigrationErrors', () => {
  const bad = { name: '0099_bad.sql', text: 'drop table intent;' };
  const good = { name: '0098_good.sql', text: 'alter table intent add column note text;' };
  const reasons = { '0099_bad.sql': 'nobody needs it' };

  test('default: a file with a reason passes when the changelog names it', async () => {
    expect(await allMigrationErrors([good, bad], 'stop all before `all/0099_bad.sql`', reasons)).toEqual([]);
  });

  test('error: without a reason, without a word to operators, with a reason for nothing, or no SQL', async () => {
    expect(await allMigrationErrors([good, bad], '', {})).toEqual([
      '0099_bad.sql: something is dropped that processes of before use',
    ]);
    expect(await allMigrationErrors([bad], 'nothing', reasons)).toEqual([
      '0099_bad.sql: CHANGELOG.md does not say that processes have to be stopped for all/0099_bad.sql',
    ]);
    expect(await allMigrationErrors([good], '', { '0098_good.sql': '' })).toEqual([
      '0098_good.sql: has a reason in scripts/migrations.ts that it does not need',
    ]);
    expect(await allMigrationErrors([], '', reasons)).toEqual(['0099_bad.sql: there is no such migration']);
    expect(await allMigrationErrors([{ name: '0099_bad.sql', text: 'alter tabel' }], '', {})).toEqual([
      '0099_bad.sql: syntax error at or near "tabel"',
    ]);
  });
});
