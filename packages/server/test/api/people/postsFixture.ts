import { expect } from 'vitest';
import { noLimits } from '../../world/call.ts';
import { addToken, heldRow, hex, tokenRow } from '../reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- answers are parsed by their schemas in the service itself
export type Body = any;

/** An API on which people post, over one chain. */
export const startPosting = async () => {
  const chains = [testChain('base-sepolia', 'http://127.0.0.1:1')];
  const api = await testApi({ chains, env: { RATE_LIMITS: noLimits } });
  const { db } = api.context;
  let made = 0;

  const asker = (name: Parameters<TestApi['call']>[0]) => (user: SignedIn | null, body: object) =>
    api.call(name, body, user === null ? {} : { bearer: user.accessToken });
  const create = asker('createPost');
  /** The post that is made. */
  const post = async (user: SignedIn, text: string, more: object = {}): Promise<Body> => {
    const { status, body } = await create(user, { text, ...more });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.post;
  };

  return {
    api,
    db,
    /** With a key, which does not end when the clock moves. */
    async user(): Promise<SignedIn> {
      const user = await api.signIn();
      const { body } = await api.call(
        'createApiKey',
        { name: 'k', scopes: ['read', 'social'] },
        { bearer: user.accessToken },
      );
      return { ...user, accessToken: body.key };
    },
    create,
    post,
    list: asker('getPosts'),
    get: asker('getPost'),
    remove: asker('deletePost'),
    report: asker('reportPost'),
    /** A token on one chain. */
    async token(creator: `0x${string}`, more: Parameters<typeof tokenRow>[2] = {}) {
      made += 1;
      const face = { creator, symbol: 'BOAT', name: `Boat ${made}` };
      const row = tokenRow('base-sepolia', hex(0xb0a7_0000 + made), { ...face, ...more });
      await addToken(db, row, `boat-${made}`);
      return row;
    },
    async hold(token: Parameters<typeof heldRow>[0], wallet: `0x${string}`, amount: bigint) {
      await db
        .insertInto('balance')
        .values(heldRow(token, wallet, { amount }))
        .onConflict((conflict) => conflict.columns(['eid', 'token', 'wallet']).doUpdateSet({ amount }))
        .execute();
    },
    async name(user: SignedIn, username: string) {
      expect((await api.call('updateUser', { username }, { bearer: user.accessToken })).status).toBe(200);
    },
    async block(user: SignedIn, blocked: SignedIn) {
      await db
        .insertInto('user_block')
        .values({ user_id: user.userId, blocked_id: blocked.userId, created_at: new Date() })
        .execute();
    },
    async follow(user: SignedIn, followed: SignedIn) {
      await db
        .insertInto('user_follow')
        .values({ user_id: user.userId, followed_id: followed.userId, created_at: new Date() })
        .execute();
    },
    hub: (tokenId: string) => db.selectFrom('hub').selectAll().where('token_id', '=', tokenId).executeTakeFirst(),
    postsOf: async ({ userId }: SignedIn) =>
      (await db.selectFrom('app_user').select('posts_count').where('user_id', '=', userId).executeTakeFirstOrThrow())
        .posts_count,
  };
};

export type Posting = Awaited<ReturnType<typeof startPosting>>;
