import type { Address } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, callerWith, heldRow, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';

const [wallet, second, stranger] = [hex(0xa1), hex(0xa2), hex(0xb1)];
const fox = tokenRow('base-sepolia', hex(0xf0), { creator: wallet });
const owl = tokenRow('bnb', hex(0xf1), {
  creator: second,
  symbol: 'OWL',
  price_usd18: 10n ** 16n,
  created_at: new Date('2026-01-02T00:00:00Z'),
});
const elk = tokenRow('base', hex(0xf2), { creator: stranger, symbol: 'ELK', price_usd18: 10n ** 17n });

const userId = '00000000-0000-4000-8000-0000000000a1';
const own = { ...callerWith(wallet, second), userId };
const other = callerWith(stranger);

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  const { db } = reads;
  await addToken(db, fox, 'fox');
  await addToken(db, owl, 'owl');
  await addToken(db, elk, 'elk');
  await db
    .insertInto('balance')
    .values([heldRow(fox, wallet), heldRow(elk, second), heldRow(owl, wallet, { amount: 0n })])
    .execute();
  await db.insertInto('app_user').values({ user_id: userId }).execute();
  for (const address of [wallet, second])
    await db.insertInto('user_wallet').values({ address, user_id: userId }).execute();
});
afterAll(() => reads?.stop());

const show = async (settings: { show_wallet?: boolean; show_holdings?: boolean }): Promise<void> => {
  await reads.db.deleteFrom('profile').execute();
  await reads.db
    .insertInto('profile')
    .values({ user_id: userId, ...settings, updated_at: new Date() })
    .execute();
};
const tokens = async (input: object, who: typeof own | null = null) => {
  const answer = await ask(reads.context, 'getUserTokens', input, who);
  return answer.tokens.map(({ symbol }) => symbol);
};
const code = (input: object, who: typeof own | null = null) =>
  tokens(input, who).then(
    (shown) => shown,
    (error: { code: string }) => error.code,
  );

describe('getUserTokens', () => {
  test('default: created by all wallets of the user, newest first, in pages', async () => {
    await show({});
    expect(await tokens({ user_id: userId.toUpperCase() })).toEqual(['OWL', 'FOX']);
    expect(await tokens({}, own)).toEqual(['OWL', 'FOX']);
    const page = await ask(reads.context, 'getUserTokens', { user_id: userId, limit: 1 }, null);
    expect(page.pagination).toEqual({ limit: 1, offset: 0, total_returned: 1, has_more: true });
    const {
      tokens: [listed],
    } = await ask(reads.context, 'getTokensV2', { token_ids: [owl.token_id] }, null);
    expect(page.tokens).toEqual([listed]);
    expect(await tokens({ user_id: userId, limit: 1, offset: 1 })).toEqual(['FOX']);
  });

  test('default: what is held, the most valuable first, to oneself and, if the user shows it, to others', async () => {
    await show({});
    expect(await tokens({ kind: 'held' }, own)).toEqual(['ELK', 'FOX']);
    for (const who of [null, other])
      expect(await code({ user_id: userId, kind: 'held' }, who)).toBe('HOLDINGS_PRIVATE');
    await show({ show_holdings: true });
    for (const who of [null, other]) expect(await code({ user_id: userId, kind: 'held' }, who)).toEqual(['ELK', 'FOX']);
    const page = await ask(reads.context, 'getUserTokens', { kind: 'held', limit: 1, offset: 1 }, own);
    expect(page.pagination).toEqual({ limit: 1, offset: 1, total_returned: 1, has_more: false });
  });

  test('behavior: no token leads from a user to a hidden wallet', async () => {
    for (const show_holdings of [true, false]) {
      await show({ show_wallet: false, show_holdings });
      for (const who of [null, other]) {
        expect(await code({ user_id: userId }, who)).toEqual([]);
        expect(await code({ user_id: userId, kind: 'held' }, who)).toBe('HOLDINGS_PRIVATE');
      }
      expect(await tokens({ user_id: userId }, own)).toEqual(['OWL', 'FOX']);
      expect(await tokens({ user_id: userId, kind: 'held' }, own)).toEqual(['ELK', 'FOX']);
    }
  });

  test('behavior: of an address everybody is told what the chain says, whoever has it', async () => {
    const of = (address: Address) => tokens({ address });
    expect([await of(wallet), await of(second), await of(stranger), await of(hex(0xdead))]).toEqual([
      ['FOX'],
      ['OWL'],
      ['ELK'],
      [],
    ]);
    expect(await tokens({ address: second, kind: 'held' })).toEqual(['ELK']);
  });

  test('error: nobody, somebody unknown, and two at once', async () => {
    expect(await code({})).toBe('AUTHENTICATION_FAILED');
    expect(await code({}, { ...own, scopes: ['social'] })).toBe('AUTHENTICATION_FAILED');
    expect(await code({ user_id: '00000000-0000-4000-8000-0000000000ff' })).toBe('USER_NOT_FOUND');
    expect(await code({ user_id: userId, address: wallet })).toBe('INVALID_PARAMETERS');
    expect(await code({ address: `0x${'zz'.repeat(20)}` })).toBe('INVALID_PARAMETERS');
  });
});
