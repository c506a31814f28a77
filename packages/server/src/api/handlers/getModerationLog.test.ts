import { type OperationName, operations } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Posting, startPosting } from '../../../test/api/people/postsFixture.ts';
import { signInOperator } from '../../../test/api/testing/operator.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

describe('getModerationLog', () => {
  let on: Posting;
  let operator: SignedIn;
  let author: SignedIn;
  let stolen: SignedIn;
  let post: Body;
  let tokenId: string;
  beforeAll(async () => {
    on = await startPosting();
    operator = await signInOperator(on.api);
    author = await on.user();
    stolen = await on.user();
    post = await on.post(author, 'gm');
    tokenId = (await on.token(author.address)).token_id;
  });
  afterAll(() => on?.api.stop());

  const ask = (name: OperationName, input: object) => on.api.call(name, input, { bearer: operator.accessToken });
  const log = async (input: object = {}): Promise<Body> => (await ask('getModerationLog', input)).body;

  /** Each deed of an operator, and what is written down of it: an operation that is missing here fails a test. */
  const deeds = (): [OperationName, object, action: string, target: string][] => [
    ['hidePost', { post_id: post.id, hidden: true }, 'hide_post', post.id],
    ['hidePost', { post_id: post.id, hidden: false }, 'unhide_post', post.id],
    ['resolveReports', { post_id: post.id }, 'resolve_reports', post.id],
    ['suspendUser', { user_id: author.userId, suspended: true }, 'suspend_user', author.userId],
    ['suspendUser', { user_id: author.userId, suspended: false }, 'unsuspend_user', author.userId],
    ['freezeAccount', { user_id: stolen.userId, frozen: true }, 'freeze_account', stolen.userId],
    ['takeDownToken', { token_id: tokenId, taken_down: true }, 'take_down_token', tokenId],
    ['takeDownToken', { token_id: tokenId, taken_down: false }, 'restore_token', tokenId],
  ];

  it('default: all that an operator does is there, with who, when and why, the newest first', async () => {
    const writes = operations.filter((operation) => operation.scope === 'moderate' && 'limit' in operation);
    expect([...new Set(deeds().map(([name]) => name))].toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
    for (const [nth, [name, input]] of deeds().entries())
      expect((await ask(name, { ...input, reason: `Because ${nth}.` })).status).toBe(200);
    const { entries, pagination } = await log();
    expect(
      entries.toReversed().map(({ user, action, target, reason }: Body) => [user.id, action, target, reason]),
    ).toEqual(deeds().map(([, , action, target], nth) => [operator.userId, action, target, `Because ${nth}.`]));
    const times = entries.map(({ at }: Body) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
    expect(pagination).toEqual({ limit: 20, total_returned: 8, has_more: false, next_cursor: null });
  });

  it('default: pages show each entry once, also when there are new ones meanwhile', async () => {
    const all = (await log()).entries.map(({ id }: Body) => id);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await log({ limit: 3, cursor });
      seen.push(...page.entries.map(({ id }: Body) => id));
      await ask('resolveReports', { post_id: post.id, reason: 'Again.' });
      cursor = page.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
  });

  it('behavior: what cannot be written down is not done', async () => {
    const state = () =>
      Promise.all([
        on.db.selectFrom('post').selectAll().orderBy('post_id').execute(),
        on.db.selectFrom('app_user').selectAll().orderBy('user_id').execute(),
        on.db.selectFrom('unlisted_token').selectAll().orderBy('token_id').execute(),
        on.db.selectFrom('post_report').selectAll().orderBy('post_id').orderBy('user_id').execute(),
      ]);
    const reader = await on.user();
    await on.report(reader, { post_id: post.id, reason: 'spam' });
    await sql`create function refused() returns trigger language plpgsql as $$ begin raise 'no more room'; end $$`.execute(
      on.db,
    );
    await sql`create trigger refused before insert on moderation for each row execute function refused()`.execute(
      on.db,
    );
    const before = await state();
    for (const [name, input] of deeds()) expect((await ask(name, { ...input, reason: 'x' })).status).toBe(500);
    expect(await state()).toEqual(before);
    await sql`drop trigger refused on moderation`.execute(on.db);
  });

  it('behavior: what is not done in the end is not written down', async () => {
    await sql`create function undone() returns trigger language plpgsql as $$ begin raise 'not kept'; end $$`.execute(
      on.db,
    );
    await sql`create constraint trigger undone after update on app_user deferrable initially deferred
      for each row execute function undone()`.execute(on.db);
    const before = await log();
    const deed = { user_id: author.userId, suspended: true, reason: 'x' };
    expect((await ask('suspendUser', deed)).status).toBe(500);
    await sql`drop trigger undone on app_user`.execute(on.db);
    expect(await log()).toEqual(before);
  });

  it('error: a deed without a reason is not done, nor one about oneself or nobody', async () => {
    for (const [name, input] of deeds()) expect((await ask(name, input)).body.code).toBe('INVALID_PARAMETERS');
    const suspend = async (user_id: string) =>
      (await ask('suspendUser', { user_id, suspended: true, reason: 'x' })).body.code;
    expect(await suspend(operator.userId.toUpperCase())).toBe('CANNOT_TARGET_SELF');
    expect(await suspend('00000000-0000-4000-8000-000000000000')).toBe('USER_NOT_FOUND');
    expect((await log({ cursor: 'WyJhIl0' })).code).toBe('INVALID_PARAMETERS');
  });

  it('behavior: an entry of the command line names nobody', async () => {
    await on.db
      .insertInto('moderation')
      .values({ at: new Date(), user_id: null, action: 'hide_post', target: post.id, reason: null })
      .execute();
    expect((await log({ limit: 1 })).entries[0]).toMatchObject({ user: null, reason: null });
  });
});
