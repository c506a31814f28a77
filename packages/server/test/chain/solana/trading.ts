import { type Base58, isBuy, poolTypeBySlug, type TradeKind } from '@mintage/protocol';
import { mostTransactionBytes } from '@mintage/protocol/solana';
import { expect } from 'vitest';
import { type PreparedTrade, prepareTrade, type Step } from '../../../src/api/trade/prepareTrade.ts';
import { quoteMarket } from '../../../src/api/trade/quote.ts';
import type { ChainReading, NamedToken, SignedVoucher } from '../../../src/chain/chainClient.ts';
import { balanceChanges } from '../../../src/chain/outcome.ts';
import { bytesOf } from '../../../src/chain/solana/bytes.ts';
import type { Wallet, World } from './world.ts';

/** Trades as the API prepares them, signed by a plain key, and what they must do. */

export interface Asked {
  kind: TradeKind;
  /** Base units of the exact side. */
  amount: bigint;
  builder?: { code: Base58; feeBps: number };
  referral?: Base58;
  voucher?: SignedVoucher;
}

export const factsOf = (address: Base58): NamedToken => ({
  tokenId: '00000000-0000-5000-8000-000000000000',
  address,
  name: 'Paper Boat',
  symbol: 'BOAT',
});

export const read = ({ client }: World, token: Base58, wallet: Base58): Promise<ChainReading> =>
  client.readMarket(factsOf(token), wallet, false);

export const prepare = async (
  { served, client }: World,
  reading: ChainReading,
  trader: Base58,
  { kind, amount, builder, referral, voucher }: Asked,
): Promise<PreparedTrade> => {
  const { market } = reading;
  if (market === null) throw new Error('There is no such token.');
  return prepareTrade({
    served: { chain: served.chain, deployment: served.deployment, client },
    market,
    intent: {
      kind,
      amount,
      trader,
      builder: builder ?? null,
      referral: referral ?? null,
      referrer: reading.trader.referrer ?? voucher?.referrer ?? null,
    },
    usdAllowance: reading.trader.usdAllowance,
    voucher: voucher ?? null,
    slippageBps: 5_000,
    ownLimit: null,
    deadline: reading.block.time + 120,
    nowMs: Date.now(),
  });
};

export const lastOf = (steps: readonly Step[]): Step => steps.at(-1) as Step;

/** Prepares, tries, signs and lands a trade, and compares each figure with the quote at the landing's own time. */
export const trade = async (world: World, wallet: Wallet, token: Base58, asked: Asked) => {
  const { client } = world;
  const before = await read(world, token, wallet.address);
  const prepared = await prepare(world, before, wallet.address, asked);
  expect(prepared.steps).toHaveLength(1);
  const step = lastOf(prepared.steps);
  const size = bytesOf(step.call.data).length;
  expect(size).toBeLessThanOrEqual(mostTransactionBytes);
  const outcome = await client.simulate(wallet.address, [step.call], { blockNumber: before.block.number });
  if (outcome.ok !== true) throw new Error(`It would fail: ${JSON.stringify(outcome, (_, one) => String(one))}`);
  expect(outcome.gasUsed * 6n).toBeLessThanOrEqual(step.gasBound * 5n);
  const coins = await client.nativeBalance(wallet.address);
  const signature = await world.land(wallet, step);
  const landed = await client.readTransaction(signature);
  if (landed?.block == null) throw new Error('It did not land.');
  expect(landed.whyReverted).toBeNull();
  expect(coins - (await client.nativeBalance(wallet.address)) - (landed.feePaid ?? 0n)).toBe(step.call.value);

  const market = before.market as NonNullable<typeof before.market>;
  const { trade: exact, completes } = quoteMarket({ ...market, block: { ...landed.block } }, prepared.quote.intent);
  const after = await read(world, token, wallet.address);
  const [tokens, usd] = [
    after.trader.tokenBalance - before.trader.tokenBalance,
    before.trader.usdBalance - after.trader.usdBalance,
  ];
  if (isBuy(asked.kind)) expect([usd, tokens]).toEqual([exact.amountIn, exact.amountOut]);
  else expect([-tokens, -usd]).toEqual([exact.amountIn, exact.amountOut]);
  const changes = balanceChanges(wallet.address, outcome.transfers);
  expect([...changes.keys()].toSorted()).toEqual([token, world.served.deployment.usd].toSorted());
  return { before, after, step, size, exact, completes, landed, changes, prepared };
};

/** Creates a token without a first buy. */
export const create = async (world: World, creator: Wallet, slug: 'test' | 'meme' = 'test'): Promise<Base58> => {
  const { client } = world;
  const salt = client.newSalt(creator.address);
  const step = await client.create(
    {
      creator: creator.address,
      name: 'Paper Boat',
      symbol: 'BOAT',
      uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
      salt,
      poolType: poolTypeBySlug(slug).id,
      deadline: 2 ** 32,
    },
    null,
    null,
  );
  await world.land(creator, step);
  return client.tokenAddress(creator.address, salt) as Base58;
};
