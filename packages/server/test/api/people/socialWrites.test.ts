import type { Operation } from '@mintage/protocol';
import { actionTypes, type OperationName, operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, hex, tokenRow } from '../reads/readsFixture.ts';
import { rowsMentioning } from '../surfaces/people.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

/** What a good call of each operation sends that speaks in a user's name: one that is missing here fails a test. */
const samples: Partial<Record<OperationName, (other: SignedIn, postId: string) => object>> = {
  updateUser: () => ({ bio: 'Folds paper boats.' }),
  followUser: ({ userId }) => ({ user_id: userId }),
  unfollowUser: ({ userId }) => ({ user_id: userId }),
  blockUser: ({ userId }) => ({ user_id: userId }),
  unblockUser: ({ userId }) => ({ user_id: userId }),
  vote: () => ({ target_type: 'token', target_id: 'owl', vote: 'upvote' }),
  uploadMedia: () => ({ kind: 'image', data: picture }),
  createPost: () => ({ text: 'gm', taggedCoinId: 'owl' }),
  deletePost: () => ({ post_id: '00000000-0000-4000-8000-000000000000' }),
  reportPost: (_other, postId) => ({ post_id: postId, reason: 'spam' }),
  markNotificationsRead: () => ({ all: true }),
  notificationSettings: () => ({ types: { vote: true } }),
  subscribePush: () => browser,
  unsubscribePush: () => ({ endpoint: browser.endpoint }),
  pinPost: (_other, postId) => ({ post_id: postId, pinned: true }),
  updateHub: () => ({ token_id: 'owl', rules: 'Be kind.' }),
  joinHub: () => ({ token_id: 'owl' }),
  leaveHub: () => ({ token_id: 'owl' }),
  createHubInvite: () => ({ token_id: 'owl' }),
  setHubRole: ({ userId }) => ({ token_id: 'owl', user_id: userId, role: 'moderator' }),
  banFromHub: ({ userId }) => ({ token_id: 'owl', user_id: userId }),
  unbanFromHub: ({ userId }) => ({ token_id: 'owl', user_id: userId }),
};

/** What only who leads the hub may do. */
const leading: readonly OperationName[] = [
  'pinPost',
  'updateHub',
  'createHubInvite',
  'setHubRole',
  'banFromHub',
  'unbanFromHub',
];

const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl', symbol: 'OWL' });
const browser = {
  endpoint: 'https://push.example.com/send/1',
  // Of RFC 8291, appendix A.
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const social = (operations as readonly Operation[]).filter(({ scope }) => scope === 'social');
const names = social.map(({ name }) => name as OperationName);
const actionOf = (name: OperationName): string | undefined =>
  Object.entries<Operation>(actionTypes).find(([, operation]) => operation.name === name)?.[0];

describe('who may say nothing', () => {
  let api: TestApi;
  let other: SignedIn;
  let postId: string;
  beforeAll(async () => {
    const RATE_LIMITS = JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9, posts: 1e9, votes: 1e9 });
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:9')], env: { RATE_LIMITS } });
    const { db } = api.context;
    await db
      .insertInto('chain')
      .values({ eid: owl.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 })
      .execute();
    await addToken(db, owl, 'owl');
    other = await api.signIn();
    const said = { text: 'gm', taggedCoinId: 'owl' };
    postId = (await api.call('createPost', said, { bearer: other.accessToken })).body.post.id;
  });
  afterAll(() => api?.stop());

  /** Status and code of the route, then, where it is an action too, the code of the action. */
  const say = async (name: OperationName, bearer?: string): Promise<unknown[]> => {
    const input = samples[name]?.(other, postId);
    const credential = bearer === undefined ? {} : { bearer };
    const answer = await api.call(name, input, credential);
    const type = actionOf(name);
    if (type === undefined) return [answer.status, answer.body.code];
    const action = { source: 'Testnet', expiresAfter: 60_000, action: { type, ...input } };
    const { body } = await api.call('platformAction', action, credential);
    return [answer.status, answer.body.code, body.code];
  };
  const refusal = (name: OperationName, status: number, code: string): unknown[] =>
    actionOf(name) === undefined ? [status, code] : [status, code, code];
  const suspend = ({ userId }: SignedIn, because: string | null) =>
    api.context.db.updateTable('app_user').set({ suspended_because: because }).where('user_id', '=', userId).execute();

  it('default: every operation of the scope social writes, is counted and has a sample', () => {
    expect(
      social.map(({ name, limit, access, social: counted }) => [name, limit, access, counted !== undefined]),
    ).toEqual(names.map((name) => [name, 'write', 'caller', true]));
    expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)(
    '%s: nobody, a credential without the scope and a suspended user are refused, and nothing changes',
    async (name) => {
      const user = await api.signIn();
      const scopes = ['read', 'prepare', 'execute'];
      const { body: key } = await api.call('createApiKey', { name: 'trader', scopes }, { bearer: user.accessToken });
      const { body: speaker } = await api.call(
        'createApiKey',
        { name: 'a', scopes: ['social'] },
        { bearer: user.accessToken },
      );
      await suspend(user, 'Spam.');
      // As it is after the first use of each key.
      for (const bearer of [key.key, speaker.key]) await api.call('listApiKeys', {}, { bearer });
      const before = await rowsMentioning(api, [user.userId, other.userId]);
      expect(await say(name)).toEqual(refusal(name, 401, 'AUTHENTICATION_FAILED'));
      expect(await say(name, key.key)).toEqual(refusal(name, 403, 'SCOPE_MISSING'));
      // What only its user sees they may change.
      const isRefused = !social.some((one) => one.name === name && one.isPrivate);
      if (isRefused)
        for (const bearer of [user.accessToken, speaker.key])
          expect(await say(name, bearer)).toEqual(refusal(name, 403, 'USER_SUSPENDED'));
      expect(await rowsMentioning(api, [user.userId, other.userId])).toEqual(before);
      if (!isRefused)
        for (const bearer of [user.accessToken, speaker.key]) expect((await say(name, bearer))[0]).toBe(200);
      await suspend(user, null);
      if (leading.includes(name)) {
        await api.context.db
          .updateTable('token')
          .set({ creator: user.address } as never)
          .execute();
        await api.call('joinHub', { token_id: 'owl' }, { bearer: other.accessToken });
      }
      for (const bearer of [user.accessToken, speaker.key]) expect((await say(name, bearer))[0]).toBe(200);
    },
  );

  it('behavior: whoever is suspended still reads, and is told why', async () => {
    const user = await api.signIn();
    await suspend(user, 'Sold others’ names.');
    const { body } = await api.call('updateUser', { bio: 'No.' }, { bearer: user.accessToken });
    expect(body.error).toContain('Sold others’ names.');
    expect((await api.call('me', {}, { bearer: user.accessToken })).status).toBe(200);
  });

  it('behavior: the eleventh change of a profile within a minute is refused, and the next user goes on', async () => {
    const [hurried, next] = [await api.signIn(), await api.signIn()];
    const change = async ({ accessToken }: SignedIn, bio: string) => {
      const { status, body } = await api.call('updateUser', { bio }, { bearer: accessToken });
      return [status, body.code];
    };
    for (let nth = 1; nth <= 10; nth += 1) expect(await change(hurried, `${nth}`)).toEqual([200, undefined]);
    expect(await change(hurried, 'eleventh')).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect((await api.call('getUser', { user_id: hurried.userId })).body.user.bio).toBe('10');
    expect(await change(next, 'first')).toEqual([200, undefined]);
  });
});
