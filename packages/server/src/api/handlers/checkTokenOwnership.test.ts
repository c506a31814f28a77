import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, heldRow, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const fox = tokenRow('base-sepolia', hex(0xf0));

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  const amount = 100_000n * 10n ** 18n;
  await reads.db
    .insertInto('balance')
    .values([heldRow(fox, first, { amount }), heldRow(fox, second, { amount: 0n })])
    .execute();
});
afterAll(() => reads?.stop());

const owns = (body: unknown) => ask(reads.context, 'checkTokenOwnership', body, null);

describe('checkTokenOwnership', () => {
  test('default: the balance of any wallet, in any case, by any reference', async () => {
    const holder = { success: true, is_holder: true, balance: 100_000, balance_raw: '100000000000000000000000' };
    const user_address = first.toUpperCase().replace('0X', '0x');
    expect(await owns({ token_id: fox.token_id, user_address, user_id: null })).toEqual({ ...holder, cached: false });
    expect(await owns({ token_id: 'red-fox', user_address: first })).toEqual({ ...holder, cached: false });
  });

  test('behavior: a balance that was emptied and one that never was', async () => {
    const none = { success: true, is_holder: false, balance: 0, balance_raw: '0', cached: false };
    expect(await owns({ token_id: fox.token_id, user_address: second })).toEqual(none);
    expect(await owns({ token_id: fox.token_id, user_address: hex(0x99) })).toEqual(none);
  });

  test('behavior: the same as an info read', async () => {
    const body = { token_id: fox.token_id, user_address: first };
    const info = await ask(reads.context, 'info', { type: 'checkTokenOwnership', ...body }, null);
    expect(info).toEqual({ type: 'checkTokenOwnership', ...(await owns(body)) });
  });

  test('error: an unknown token, no address', async () => {
    await expect(owns({ token_id: 'nothing', user_address: first })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(owns({ token_id: fox.token_id })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
