import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@mintage/protocol';
import { actionTypes, type OperationName, operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { perform } from '../../../src/api/call.ts';
import { addToken, hex, tokenRow } from '../reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

const names = ['website', 'twitter', 'youtube', 'discord', 'telegram'] as const;

/** For each operation a call that is not refused for its words, and its texts with a blocked word or link in each, by their field. */
const samples: Partial<Record<OperationName, { good: object; bad: Record<string, unknown[]> }>> = {
  createPost: { good: { text: 'gm' }, bad: { text: ['a sсam', 'see https://a.evil.example'] } },
  updateUser: {
    good: { bio: 'Folds boats.' },
    bad: {
      username: ['scam_team'],
      display_name: ['ＳＣＡＭ'],
      bio: ['No sc\u200bam.', 'evil.example'],
      links: names.map((name) => ({ [name]: 'https://evil.example/a' })),
    },
  },
  updateHub: {
    good: { token_id: 'owl', rules: 'Be kind.' },
    bad: { description: ['A scam.', 'evil.example'], rules: ['No scam!', 'evil.example'] },
  },
  createReferralCode: { good: { code: 'OWLS' }, bad: { code: ['SCAM'] } },
  createTokenTransaction: {
    good: {
      name: 'Boat',
      symbol: 'BOAT',
      description: 'A boat.',
      image: 'data:image/png;base64,AA==',
      chainSlug: 'base-sepolia',
    },
    bad: {
      name: ['Scam Coin'],
      symbol: ['SCAM'],
      description: ['It is no scam.', 'at evil.example'],
      links: names.map((name) => ({ [name]: 'http://evil.example/' })),
      tags: [['fine', 'scam']],
      video: ['https://evil.example/film.mp4'],
    },
  },
};

const reference = 'names something that is there';
const picture = 'is fetched, and shown as this service encodes it';
/** Texts of the same operations and of others that nobody reads by them, each with the reason. A new field fails a test. */
const others: Record<string, string> = {
  'linkWallet.message': 'is compared with what was given out',
  'createApiKey.name': 'its owner alone reads it',
  'createTokenTransaction.image': picture,
  'createTokenTransaction.banner': picture,
  'tradeToken.tokenId': reference,
  'transferToken.token_id': reference,
  'registerToken.token_id': reference,
  'claimRewards.chains': reference,
  'updateUser.profile_picture': picture,
  'updateUser.banner': picture,
  'updateHub.token_id': reference,
  'updateHub.banner': picture,
  'updateHub.min_holding': 'is a number',
  'joinHub.token_id': reference,
  'joinHub.invite': 'is compared with what was given out',
  'leaveHub.token_id': reference,
  'createHubInvite.token_id': reference,
  'setHubRole.token_id': reference,
  'banFromHub.token_id': reference,
  'unbanFromHub.token_id': reference,
  'vote.target_id': reference,
  'vote.voting_token_id': reference,
  'vote.votingTokenId': reference,
  'uploadMedia.data': picture,
  'uploadMedia.url': picture,
  'createPost.media': picture,
  'createPost.taggedCoinId': reference,
  'createPost.tagged_coin_id': reference,
  'reportPost.note': 'operators read it, and it may have to name what is blocked',
  'resolveReports.reason': 'an operator writes it',
  'hidePost.reason': 'an operator writes it',
  'suspendUser.reason': 'an operator writes it',
  'freezeAccount.reason': 'an operator writes it',
  'takeDownToken.token_id': reference,
  'takeDownToken.reason': 'an operator writes it',
  'createWebhook.url': 'its owner alone reads it',
  'subscribePush.endpoint': 'the service alone reads it',
  'unsubscribePush.endpoint': 'the service alone reads it',
};

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; anyOf?: Schema[]; items?: Schema };
/** Top fields in which any text may stand. */
const textFields = ({ input }: Operation): string[] => {
  const whole = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const holdsText = (part: Schema): boolean => {
    const { $ref, anyOf = [], properties = {}, items, type } = part;
    const defined = typeof $ref === 'string' ? whole.$defs?.[$ref.split('/').at(-1) as string] : undefined;
    const parts = [...anyOf, ...Object.values(properties), ...[items, defined].filter((one) => one !== undefined)];
    const isFree = type === 'string' && !('enum' in part || 'const' in part || 'format' in part || 'pattern' in part);
    return isFree || parts.some(holdsText);
  };
  return Object.entries(whole.properties ?? {}).flatMap(([name, part]) => (holdsText(part) ? [name] : []));
};

const writes = (operations as readonly Operation[]).filter(
  ({ limit, scope }) => limit === 'write' || limit === 'writeWhenExecuted' || scope === 'social',
);
const withTexts = writes.filter(({ texts }) => texts !== undefined);
const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl', symbol: 'OWL' });

describe('words and links that are not taken', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'blocked-'));
    const [words, links] = [join(folder, 'words'), join(folder, 'links')];
    writeFileSync(words, 'scam\n');
    writeFileSync(links, 'evil.example\n');
    api = await testApi({
      chains: [testChain('base-sepolia', 'http://127.0.0.1:9')],
      env: { BLOCKED_WORDS_FILE: words, BLOCKED_LINKS_FILE: links },
    });
    user = await api.signIn();
    const { db } = api.context;
    await db
      .insertInto('chain')
      .values({ eid: owl.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 })
      .execute();
    await addToken(db, { ...owl, creator: user.address }, 'owl');
  });
  afterAll(() => api?.stop());

  const actionOf = (name: OperationName): string | undefined =>
    Object.entries<Operation>(actionTypes).find(([, operation]) => operation.name === name)?.[0];
  /** What each way to call it answers: the route, the action, and within another call, as tools do it. */
  const say = async (name: OperationName, input: object) => {
    const bearer = user.accessToken;
    const answers = [(await api.call(name, input, { bearer })).body];
    const type = actionOf(name);
    if (type !== undefined) {
      const action = { source: 'Testnet', expiresAfter: 60_000, action: { type, ...input } };
      answers.push((await api.call('platformAction', action, { bearer })).body);
    }
    const operation = writes.find((one) => one.name === name) as Operation;
    const caller = await api.context.auth.verify(`Bearer ${bearer}`);
    const call = { caller, requestId: 'r', address: '127.0.0.1' } as Parameters<typeof perform>[3];
    const parsed = operation.input.parse(input);
    answers.push(
      await perform(api.context, { operation, view: undefined }, parsed, call).catch((error: unknown) => error),
    );
    return answers;
  };

  it('default: every text that somebody can send is looked through, or has a reason why not', () => {
    const known = (name: string, field: string) =>
      `${name}.${field}` in others || field in (samples[name as OperationName]?.bad ?? {});
    const fields = writes.flatMap((operation) =>
      textFields(operation).map((field) => [operation.name, field] as const),
    );
    expect(fields.filter(([name, field]) => !known(name, field))).toEqual([]);
    expect(Object.keys(others).filter((key) => !fields.some((field) => field.join('.') === key))).toEqual([]);
    expect(Object.keys(samples).toSorted()).toEqual(withTexts.map(({ name }) => name).toSorted());
  });

  it.each(withTexts.map(({ name }) => name as OperationName))(
    '%s: each of its texts is refused by every way, in words that do not say what is blocked',
    async (name) => {
      const { good, bad } = samples[name] ?? { good: {}, bad: {} };
      for (const [field, values] of Object.entries(bad))
        for (const value of values)
          for (const answer of await say(name, { ...good, [field]: value })) {
            expect([field, value, answer.code]).toEqual([field, value, 'TEXT_NOT_ALLOWED']);
            const said: string = answer.error ?? answer.message;
            expect(said).toContain(`${field}: holds a word or link that is not taken here`);
            expect(said).not.toMatch(/scam|evil/i);
          }
      for (const { code } of await say(name, good)) expect(code).not.toBe('TEXT_NOT_ALLOWED');
    },
  );

  it('default: nothing of a refused text is kept', async () => {
    const rows = async () =>
      Promise.all([
        api.context.db.selectFrom('post').selectAll().orderBy('post_id').execute(),
        api.context.db.selectFrom('profile').selectAll().orderBy('user_id').execute(),
        api.context.db.selectFrom('token_draft').selectAll().orderBy('token_id').execute(),
        api.context.db.selectFrom('media_block').select('cid').orderBy('cid').execute(),
      ]);
    const before = await rows();
    for (const name of ['createPost', 'updateUser', 'createTokenTransaction'] as const)
      for (const [field, [value]] of Object.entries(samples[name]?.bad ?? {}))
        await say(name, { ...samples[name]?.good, [field]: value });
    expect(await rows()).toEqual(before);
  });

  it('default: a name that would be refused is not said to be free', async () => {
    const check = async (username: string) => (await api.call('checkUsername', { username })).body;
    expect(await check('scam_team')).toEqual({ success: true, available: false, reason: 'reserved' });
    expect(await check('boat_team')).toEqual({ success: true, available: true });
  });

  it('default: a report may name what is blocked', async () => {
    const { body } = await api.call('createPost', { text: 'gm' }, { bearer: user.accessToken });
    const other = await api.signIn();
    const report = { post_id: body.post.id, reason: 'scam', note: 'It leads to evil.example, a scam.' };
    expect((await api.call('reportPost', report, { bearer: other.accessToken })).status).toBe(200);
  });
});
