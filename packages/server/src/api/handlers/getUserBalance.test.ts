import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, callerWith, heldRow, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const caller = callerWith(first, second);
const unit = 10n ** 18n;
const fox = tokenRow('base-sepolia', hex(0xf0));
const elk = tokenRow('bnb', hex(0xf2), { name: 'Elk', symbol: 'ELK' });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addToken(reads.db, elk, 'elk');
  await reads.db
    .insertInto('balance')
    .values([
      heldRow(fox, first, { amount: 100_000n * unit }),
      heldRow(elk, second, { amount: 50_000n * unit }),
      heldRow(fox, second, { amount: 0n }),
      heldRow(fox, hex(0xbad), { amount: 7n }),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const balances = async (body: unknown) => (await ask(reads.context, 'getUserBalance', body, caller)).data;

describe('getUserBalance', () => {
  test('default: every wallet and chain; no empty balances, no strangers', async () => {
    expect(await balances({ token_id: null, chain_id: null })).toEqual({
      totalUsd: '1.5',
      balances: [
        {
          tokenId: fox.token_id,
          acme_pad_id: fox.platform_id,
          platform_id: fox.platform_id,
          chainSlug: 'base-sepolia',
          chainId: 84532,
          walletAddress: first,
          tokenAddress: fox.address,
          balance: '100000000000000000000000',
          balanceFormatted: '100000',
          decimals: 18,
          valueUsd: '1',
        },
        expect.objectContaining({ chainSlug: 'bnb', walletAddress: second, valueUsd: '0.5' }),
      ],
    });
  });

  test.each([
    ['id', fox.token_id],
    ['platform id', fox.platform_id],
    ['address', fox.address],
    ['slug', 'red-fox'],
  ])('behavior: of one token, by its %s', async (_, token_id) => {
    const { totalUsd, balances: rows } = await balances({ token_id });
    expect([totalUsd, rows.map(({ tokenId }) => tokenId)]).toEqual(['1', [fox.token_id]]);
  });

  test('behavior: of one chain; one that is not served matches nothing', async () => {
    expect((await balances({ chain_id: 56 })).balances.map(({ tokenId }) => tokenId)).toEqual([elk.token_id]);
    expect(await balances({ chain_id: 1 })).toEqual({ balances: [], totalUsd: '0' });
    expect(await balances({ token_id: fox.token_id, chain_id: 56 })).toEqual({ balances: [], totalUsd: '0' });
  });

  test('error: an unknown token, a chain id that is no number', async () => {
    await expect(balances({ token_id: 'nothing' })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(balances({ chain_id: '56' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
