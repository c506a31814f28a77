import { campaign } from '@mintage/devnet/random';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { noLimits } from '../../../test/world/call.ts';
import { most } from './between.ts';

/** `CASES=1000` for a release. */
const { random, cases } = campaign('follows and blocks', 50);

type Change = 'followUser' | 'unfollowUser' | 'blockUser' | 'unblockUser';

describe('what is between users', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ env: { RATE_LIMITS: noLimits } });
  });
  afterAll(() => api?.stop());

  const people = (count: number) => Promise.all(Array.from({ length: count }, () => api.signIn()));
  const change = async (name: Change, { accessToken }: SignedIn, { userId }: Pick<SignedIn, 'userId'>) => {
    const { status, body } = await api.call(name, { user_id: userId }, { bearer: accessToken });
    return { status, code: body.code, ...body };
  };
  const profile = async ({ userId }: SignedIn, viewer?: SignedIn) =>
    (await api.call('getUser', { user_id: userId }, { bearer: viewer?.accessToken })).body.user;
  const list = async (name: 'getFollowers' | 'getFollowing' | 'getBlocked', { accessToken }: SignedIn) =>
    (await api.call(name, {}, { bearer: accessToken })).body.users.map(({ id }: { id: string }) => id);

  it('default: who follows somebody is told of both, and a repeat changes nothing', async () => {
    const [one, other] = (await people(2)) as [SignedIn, SignedIn];
    const shouted = { userId: other.userId.toUpperCase() };
    expect(await change('followUser', one, shouted)).toMatchObject({
      success: true,
      following: true,
      followers_count: 1,
    });
    expect(await change('followUser', one, other)).toMatchObject({ status: 200, following: true, followers_count: 1 });
    const counts = { followers_count: 1, following_count: 0 };
    expect(await profile(other, one)).toMatchObject({ ...counts, is_following: true, is_followed_by: false });
    expect(await profile(one, other)).toMatchObject({ following_count: 1, is_following: false, is_followed_by: true });
    expect(await profile(other)).toMatchObject({ ...counts, is_following: false, is_followed_by: false });
    expect([await list('getFollowing', one), await list('getFollowers', other)]).toEqual([
      [other.userId],
      [one.userId],
    ]);
    expect([await list('getFollowing', other), await list('getFollowers', one)]).toEqual([[], []]);
    for (let again = 0; again < 2; again += 1)
      expect(await change('unfollowUser', one, other)).toMatchObject({ following: false, followers_count: 0 });
    expect(await profile(one)).toMatchObject({ followers_count: 0, following_count: 0 });
  });

  it('default: a block ends follows both ways and lets none begin, until it is lifted', async () => {
    const [one, other] = (await people(2)) as [SignedIn, SignedIn];
    await change('followUser', one, other);
    await change('followUser', other, one);
    for (let again = 0; again < 2; again += 1)
      expect(await change('blockUser', one, other)).toMatchObject({ status: 200, blocked: true });
    const alone = { followers_count: 0, following_count: 0, is_following: false, is_followed_by: false };
    expect(await profile(other, one)).toMatchObject({ ...alone, is_blocked: true });
    expect(await profile(one, other)).toMatchObject({ ...alone, is_blocked: false });
    for (const [who, whom] of [
      [one, other],
      [other, one],
    ] as const)
      expect(await change('followUser', who, whom)).toMatchObject({ status: 403, code: 'BLOCKED' });
    expect([await list('getBlocked', one), await list('getBlocked', other)]).toEqual([[other.userId], []]);
    for (let again = 0; again < 2; again += 1)
      expect(await change('unblockUser', one, other)).toMatchObject({ status: 200, blocked: false });
    expect(await change('followUser', other, one)).toMatchObject({ status: 200, followers_count: 1 });
  });

  it.each(['followUser', 'unfollowUser', 'blockUser', 'unblockUser'] as const)(
    'error: %s of oneself, of nobody, and of what is no id',
    async (name) => {
      const [one] = (await people(1)) as [SignedIn];
      expect(await change(name, one, { userId: one.userId.toUpperCase() })).toMatchObject({
        status: 400,
        code: 'CANNOT_TARGET_SELF',
      });
      const nobody = { userId: '00000000-0000-4000-8000-000000000000' };
      expect(await change(name, one, nobody)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
      expect(await change(name, one, { userId: 'alice' })).toMatchObject({ status: 400, code: 'INVALID_PARAMETERS' });
    },
  );

  it(`error: more than ${most} follows or blocks`, async () => {
    const [one, other, third] = (await people(3)) as [SignedIn, SignedIn, SignedIn];
    const { db } = api.context;
    await change('followUser', one, other);
    await db.updateTable('app_user').set({ following_count: most }).where('user_id', '=', one.userId).execute();
    expect(await change('followUser', one, third)).toMatchObject({ status: 409, code: 'TOO_MANY_FOLLOWS' });
    expect(await change('followUser', one, other)).toMatchObject({ status: 200 });
    expect(await profile(third)).toMatchObject({ followers_count: 0 });
    await sql`with made as (insert into app_user (user_id) select gen_random_uuid() from generate_series(1, ${most}::int) returning user_id)
      insert into user_block (user_id, blocked_id, created_at) select ${one.userId}, user_id, now() from made`.execute(
      db,
    );
    expect(await change('blockUser', one, third)).toMatchObject({ status: 409, code: 'TOO_MANY_FOLLOWS' });
    expect(await profile(third, one)).toMatchObject({ is_blocked: false });
  });

  it('default: as actions they follow and unfollow', async () => {
    const [one, other] = (await people(2)) as [SignedIn, SignedIn];
    for (const [type, following] of [
      ['followUser', true],
      ['unfollowUser', false],
    ] as const) {
      const action = { type, user_id: other.userId };
      const envelope = { source: 'Testnet', expiresAfter: 60_000, action };
      const { status, body } = await api.call('platformAction', envelope, { bearer: one.accessToken });
      expect([status, body.actionType, body.following]).toEqual([200, type, following]);
    }
    const action = { type: 'followUser', user_id: one.userId };
    const envelope = { source: 'Testnet', expiresAfter: 60_000, action };
    const refused = await api.call('platformAction', envelope, { bearer: one.accessToken });
    expect([refused.status, refused.body.code]).toEqual([400, 'CANNOT_TARGET_SELF']);
  });

  it(`behavior: counts are those of a recount after ${cases} changes at once, of which none waits for ever`, async () => {
    const users = await people(5);
    const names = ['followUser', 'followUser', 'followUser', 'unfollowUser', 'blockUser', 'unblockUser'] as const;
    const answers = await Promise.all(
      Array.from({ length: cases }, () => {
        const one = random.pick(users);
        return change(random.pick(names), one, random.pick(users.filter((user) => user !== one)));
      }),
    );
    expect(answers.filter(({ status, code }) => status !== 200 && code !== 'BLOCKED')).toEqual([]);
    const { rows } = await sql<{ are: number[]; should: number[]; beside: number }>`
      select array[followers_count, following_count] as are, array[
          (select count(*)::int from user_follow f where f.followed_id = u.user_id),
          (select count(*)::int from user_follow f where f.user_id = u.user_id)] as should,
        (select count(*)::int from user_follow f join user_block b on f.user_id in (b.user_id, b.blocked_id)
          and f.followed_id in (b.user_id, b.blocked_id) where u.user_id = f.user_id) as beside
      from app_user u where user_id = any(${users.map(({ userId }) => userId)})`.execute(api.context.db);
    expect(rows).toHaveLength(5);
    for (const { are, should, beside } of rows) expect({ are, beside }).toEqual({ are: should, beside: 0 });
  });

  it('behavior: pages of followers have neither gap nor double while others follow', async () => {
    const [one, ...fans] = (await people(60)) as [SignedIn, ...SignedIn[]];
    const follow = async (some: readonly SignedIn[]) => Promise.all(some.map((fan) => change('followUser', fan, one)));
    const [early, late] = [fans.slice(0, 40), fans.slice(40)];
    // Many at one moment: of them ids decide.
    await follow(early.slice(0, 25));
    api.clock.ms += 1;
    await follow(early.slice(25));
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; ; page += 1) {
      const { body } = await api.call('getFollowers', { user_id: one.userId, limit: 7, cursor });
      seen.push(...body.users.map(({ id }: { id: string }) => id));
      expect(body.pagination).toMatchObject({ limit: 7, total_returned: body.users.length });
      if (!body.pagination.has_more) break;
      cursor = body.pagination.next_cursor;
      api.clock.ms += 1;
      await follow(late.slice(3 * page, 3 * page + 3));
    }
    expect(seen).toHaveLength(new Set(seen).size);
    expect(early.filter(({ userId }) => !seen.includes(userId))).toEqual([]);
    const newest = await list('getFollowers', one);
    expect(newest.slice(0, 3).every((id: string) => late.some(({ userId }) => userId === id))).toBe(true);
  });

  it.each([
    [{ user_id: '00000000-0000-4000-8000-000000000000' }, 404, 'USER_NOT_FOUND'],
    [{}, 401, 'AUTHENTICATION_FAILED'],
    [{ user_id: 'alice' }, 400, 'INVALID_PARAMETERS'],
    [{ limit: 101 }, 400, 'INVALID_PARAMETERS'],
    [{ cursor: Buffer.from('[1,"alice"]').toString('base64url') }, 400, 'INVALID_PARAMETERS'],
    [{ cursor: 'AAAA' }, 400, 'INVALID_PARAMETERS'],
  ])('error: getFollowers and getFollowing of %o', async (input, status, code) => {
    const [one] = (await people(1)) as [SignedIn];
    for (const name of ['getFollowers', 'getFollowing'] as const) {
      const isOwn = 'cursor' in input;
      const answer = await api.call(name, input, isOwn ? { bearer: one.accessToken } : {});
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    if ('cursor' in input) expect((await api.call('getBlocked', input, { bearer: one.accessToken })).status).toBe(400);
  });
});
