import type { Operation } from '@mintage/protocol';
import { actionTypes, infoTypes, type OperationName, operations } from '@mintage/protocol/operations';
import { toolsOn } from '@mintage/protocol/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../../src/api/accounts/rowSeals.ts';
import { offeredScopes } from '../../../src/api/surfaces/oauth/authorizationServer.ts';
import { addToken, hex, tokenRow } from '../reads/readsFixture.ts';
import { setOperator, signInOperator } from '../testing/operator.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

const reason = 'A copy.';
/** What a good call of each operation of operators sends: one that is missing here fails a test. */
const samples: Partial<Record<OperationName, (at: { postId: string; userId: string }) => object>> = {
  getReports: () => ({}),
  getModerationLog: () => ({}),
  resolveReports: ({ postId }) => ({ post_id: postId, reason }),
  hidePost: ({ postId }) => ({ post_id: postId, hidden: true, reason }),
  suspendUser: ({ userId }) => ({ user_id: userId, suspended: true, reason }),
  freezeAccount: ({ userId }) => ({ user_id: userId, frozen: true, reason }),
  takeDownToken: () => ({ token_id: 'owl', taken_down: true, reason }),
};
const nowhere = '00000000-0000-4000-8000-000000000000';

const moderating = (operations as readonly Operation[]).filter(({ scope }) => scope === 'moderate');
const names = moderating.map(({ name }) => name as OperationName);
const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl', symbol: 'OWL' });

describe('who moderates', () => {
  let api: TestApi;
  let author: SignedIn;
  beforeAll(async () => {
    const RATE_LIMITS = JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9, posts: 1e9, votes: 1e9 });
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:9')], env: { RATE_LIMITS } });
    const { db } = api.context;
    await db
      .insertInto('chain')
      .values({ eid: owl.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 })
      .execute();
    await addToken(db, owl, 'owl');
  });
  afterAll(() => api?.stop());

  /** Somebody's post that somebody else has reported. */
  const reported = async () => {
    author = await api.signIn();
    const said = { text: 'gm', taggedCoinId: 'owl' };
    const postId: string = (await api.call('createPost', said, { bearer: author.accessToken })).body.post.id;
    const reader = await api.signIn();
    await api.call('reportPost', { post_id: postId, reason: 'scam' }, { bearer: reader.accessToken });
    return { postId, userId: author.userId };
  };
  const keyOf = async ({ accessToken }: SignedIn, more: object = {}) =>
    (await api.call('createApiKey', { name: 'k', ...more }, { bearer: accessToken })).body;
  const ask = async (name: OperationName, input: object, bearer?: string) => {
    const { status, body } = await api.call(name, input, bearer === undefined ? {} : { bearer });
    return [status, body.code];
  };
  /** All that these operations change. */
  const state = async () => {
    const { db } = api.context;
    return Promise.all([
      db.selectFrom('moderation').selectAll().orderBy('id').execute(),
      db.selectFrom('post').select(['post_id', 'hidden_because']).orderBy('post_id').execute(),
      db.selectFrom('post_report').selectAll().orderBy('post_id').orderBy('user_id').execute(),
      db.selectFrom('app_user').select(['user_id', 'suspended_because']).orderBy('user_id').execute(),
      db.selectFrom('account_freeze').selectAll().orderBy('user_id').execute(),
      db.selectFrom('unlisted_token').selectAll().orderBy('token_id').execute(),
      db.selectFrom('withdrawn_file').selectAll().orderBy('cid').execute(),
    ]);
  };

  it('default: every operation of the scope moderate has a sample, and is no tool, read or action of others', () => {
    expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
    expect(moderating.map(({ access, tag }) => [access, tag])).toEqual(names.map(() => ['caller', 'Moderation']));
    const elsewhere = [
      ...Object.values(infoTypes).map(({ operation }) => operation),
      ...Object.values(actionTypes),
      ...toolsOn([]).map((tool) => tool.operation),
    ];
    expect(elsewhere.filter((operation) => names.includes(operation.name as OperationName))).toEqual([]);
    expect(offeredScopes('read moderate social')).toEqual(['read', 'social']);
  });

  it.each(names)(
    '%s: only operators, signed in or by keys that they made for it, and nothing changes for others',
    async (name) => {
      const at = await reported();
      const input = samples[name]?.(at) as object;
      const [user, operator] = [await api.signIn(), await signInOperator(api)];
      const [ordinary, ofOperator, moderator] = [
        await keyOf(user),
        await keyOf(operator),
        await keyOf(operator, { scopes: ['moderate'] }),
      ];
      const forged = await keyOf(user, { scopes: ['read'] });
      const { db, seals } = api.context;
      const scopes = ['read', 'moderate'];
      const forge = (change: { seal?: string }) =>
        db
          .updateTable('api_key')
          .set({ scopes, ...change })
          .where('id', '=', forged.id)
          .returningAll()
          .executeTakeFirstOrThrow();
      const row = await forge({});
      expect(await ask(name, input, forged.key)).toEqual([401, 'AUTHENTICATION_FAILED']);
      await forge({ seal: seals.of(sealed.apiKey({ ...row, has_budget: false })) }); // as if its owner had been an operator when it was made
      for (const key of [ordinary, ofOperator]) expect(key.scopes).toEqual(['read', 'prepare', 'execute', 'social']);

      const before = await state();
      expect(await ask(name, input)).toEqual([401, 'AUTHENTICATION_FAILED']);
      for (const bearer of [user.accessToken, ordinary.key, forged.key]) {
        expect(await ask(name, input, bearer)).toEqual([403, 'NOT_AN_OPERATOR']);
        // Nor do they learn what there is, or what a good call sends.
        const missing = {
          ...input,
          ...('post_id' in input && { post_id: nowhere }),
          ...('user_id' in input && { user_id: nowhere }),
        };
        for (const other of [missing, { nonsense: true }])
          expect(await ask(name, other, bearer)).toEqual([403, 'NOT_AN_OPERATOR']);
      }
      expect(await ask(name, input, ofOperator.key)).toEqual([403, 'SCOPE_MISSING']);
      const suspend = (because: string | null) =>
        api.context.db
          .updateTable('app_user')
          .set({ suspended_because: because })
          .where('user_id', '=', operator.userId)
          .execute();
      await suspend('Lost the key.');
      for (const bearer of [operator.accessToken, moderator.key])
        expect(await ask(name, input, bearer)).toEqual([403, 'USER_SUSPENDED']);
      await suspend(null);
      setOperator(api, operator, false);
      for (const bearer of [operator.accessToken, moderator.key])
        expect(await ask(name, input, bearer)).toEqual([403, 'NOT_AN_OPERATOR']);
      expect(await state()).toEqual(before);

      setOperator(api, operator, true);
      for (const bearer of [operator.accessToken, moderator.key])
        expect(await ask(name, input, bearer)).toEqual([200, undefined]);
    },
  );

  it('error: a key for it is made by operators alone, in a session', async () => {
    const [user, operator] = [await api.signIn(), await signInOperator(api)];
    const asked = { name: 'k', scopes: ['read', 'moderate'] };
    expect(await ask('createApiKey', asked, user.accessToken)).toEqual([403, 'NOT_AN_OPERATOR']);
    const whole = await keyOf(operator, { scopes: ['read', 'execute', 'moderate'] });
    expect(whole.scopes).toEqual(['read', 'execute', 'moderate']);
    expect((await ask('createApiKey', asked, whole.key))[0]).toBe(403);
  });
});
