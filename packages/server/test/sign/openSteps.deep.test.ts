import type { DevChain } from '@mintage/devnet';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

/** More than are looked after at once. */
const many = 25;

describe('a lane with much that is not final', () => {
  let world: World;
  let chain: DevChain;
  beforeAll(async () => {
    world = await startWorld();
    chain = world.chains[0] as DevChain;
    await world.signer([{ ...world.served(chain), finalityBlocks: { index: 1_000_000, sign: 1_000_000 } }]);
  });
  afterAll(() => world?.stop());

  const statusesOf = async (ids: readonly string[]): Promise<Set<string>> =>
    new Set((await Promise.all(ids.map((id) => world.steps(id)))).flat().map(({ status }) => status));
  const wishes = (user: { user: string; wallet: Hex }, count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, (_, i) => {
        const to = `0x${(0xbeef00 + i).toString(16).padStart(40, '0')}` as Hex;
        return world.wish({ chain, ...user, steps: [{ to, value: 1n }] });
      }),
    );

  test('W2 default: what waits to be final holds up nothing that comes behind it', async () => {
    const user = await world.newWallet();
    const first = await wishes(user, many);
    await world.mineUntil(async () => [...(await statusesOf(first))].join() === 'mined');
    const second = await wishes(user, many);
    await world.mineUntil(async () => [...(await statusesOf(second))].join() === 'mined');
    expect([...(await statusesOf(first))]).toEqual(['mined']);
  });

  test('W2 behavior: more than are looked at are taken back by a reorganisation, and all are mined again', async () => {
    const user = await world.newWallet();
    await chain.rpc('anvil_mine', ['0x1']);
    const ids = await wishes(user, many);
    await world.mineUntil(async () => [...(await statusesOf(ids))].join() === 'mined');
    const head = Number(await chain.rpc('eth_blockNumber'));
    const blocks = (await Promise.all(ids.map((id) => world.steps(id)))).flat();
    expect(blocks).toHaveLength(many);
    const mined = await world.db
      .selectFrom('intent_step')
      .select('block_number')
      .where('intent_id', 'in', ids)
      .execute();
    const lowest = Math.min(...mined.map(({ block_number }) => block_number as number));
    await chain.rpc('anvil_rollback', [head - lowest + 1]);
    await world.mineUntil(
      async () => Number(await chain.rpc('eth_getTransactionCount', [user.wallet, 'latest'])) === many,
    );
  });
});
