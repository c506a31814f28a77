import type { Address } from '@mintage/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chain, created, graduated, token, trade, transfer, wallet } from '../../../test/index/events.ts';
import { pageOf } from '../../../test/index/pageOf.ts';
import { syntheticDeployment } from '../../../test/index/syntheticChain.ts';
import type { Row } from '../../db/chainTables.ts';
import type { ChainEvent } from './events.ts';
import type { Trade } from './Trade.ts';

const { launchpad, tokenBridge } = syntheticDeployment;
const pool = syntheticDeployment.poolManager as Address;
const [alice, bob, carol, router] = [...'bcde'].map(wallet) as [Address, Address, Address, Address];

/** A buy or sell with a fee of 1 %, and the transfers between the venue and the trader. */
const bought = (
  block: number,
  who: Address,
  tokens: bigint,
  grossUsd: bigint,
  fields: Partial<Trade> = {},
): ChainEvent[] => [
  transfer(block, launchpad, who, tokens),
  trade(block, { trader: who, recipient: who, tokens, grossUsd, base: grossUsd / 100n, ...fields }),
];
const sold = (
  block: number,
  who: Address,
  tokens: bigint,
  grossUsd: bigint,
  fields: Partial<Trade> = {},
): ChainEvent[] => [
  transfer(block, who, launchpad, tokens),
  trade(block, { trader: who, recipient: who, side: 'sell', tokens, grossUsd, base: grossUsd / 100n, ...fields }),
];

const run = async (...events: ChainEvent[]) => {
  const page = await pageOf(chain, [created, graduated(1), ...events]);
  return Object.fromEntries(
    page.rows.balance.changed().map((row) => [row.wallet, [row.amount, row.cost_usd, row.realised_usd]]),
  );
};

describe('settleCosts', () => {
  test('a buy costs gross, a sell brings net, the average cost stays', async () => {
    const events = [...bought(2, alice, 10n, 1_000n), ...bought(3, alice, 10n, 3_000n), ...sold(4, alice, 5n, 2_000n)];
    // 20 tokens cost 4,000; 5 of them 1,000; 2,000 less 1 % came in.
    expect(await run(...events)).toEqual({ [alice]: [15n, 3_000n, 980n] });
    const page = await pageOf(chain, [created, graduated(1), ...events]);
    expect(page.rows.balance.find(token, alice)).toMatchObject({
      bought_usd: 4_000n,
      bought_tokens: 20n,
      sold_usd: 1_980n,
      sold_tokens: 5n,
    });
  });

  test('all fees are in the profit: also the builder’s and those of the opening seconds', async () => {
    const fees = { builderFee: 7n, excess: 3n };
    expect(await run(...bought(2, alice, 10n, 1_000n, fees), ...sold(3, alice, 10n, 1_000n, fees))).toEqual({
      [alice]: [0n, 0n, 1_000n - 10n - 7n - 3n - 1_000n],
    });
  });

  test('shares of a cost round down for who gives; the last token takes all that is left', async () => {
    const events = [...bought(2, alice, 3n, 100n), ...sold(3, alice, 1n, 0n), ...sold(4, alice, 1n, 0n)];
    expect(await run(...events)).toEqual({ [alice]: [1n, 34n, -66n] });
    expect(await run(...events, ...sold(5, alice, 1n, 0n))).toEqual({ [alice]: [0n, 0n, -100n] });
  });

  test('a gift takes its cost along and makes no profit', async () => {
    expect(await run(...bought(2, alice, 10n, 1_000n), transfer(3, alice, bob, 4n))).toEqual({
      [alice]: [6n, 600n, 0n],
      [bob]: [4n, 400n, 0n],
    });
  });

  test('a buy for somebody else is a buy and a gift', async () => {
    const events = [transfer(2, launchpad, bob, 10n), trade(2, { trader: alice, recipient: bob, tokens: 10n })];
    expect(await run(...events)).toEqual({ [bob]: [10n, 1_000_000n, 0n], [alice]: [0n, 0n, 0n] });
  });

  test('H19 a swap by a foreign router is nobody’s trade: what it brings has no known cost, what it takes is given away', async () => {
    const byForeignRouter = { venue: 'pool', foreignRouter: true, recipient: router } as const;
    const buy = [
      transfer(3, pool, router, 10n),
      transfer(3, router, alice, 10n),
      trade(3, { trader: alice, tokens: 10n, grossUsd: 900_000n, base: 10n, ...byForeignRouter }),
    ];
    const sell = [
      transfer(4, alice, router, 10n),
      transfer(4, router, pool, 10n),
      trade(4, { trader: alice, tokens: 10n, grossUsd: 2_000n, base: 20n, side: 'sell', ...byForeignRouter }),
    ];
    const unpriced = async (...events: ChainEvent[]) => {
      const page = await pageOf(chain, [created, graduated(1), ...events]);
      const { amount, unpriced_tokens, cost_usd, realised_usd, bought_usd, sold_usd } = page.rows.balance.find(
        token,
        alice,
      ) as Row<'balance'>;
      return { amount, unpriced_tokens, cost_usd, realised_usd, bought_usd, sold_usd };
    };
    const own = bought(2, alice, 10n, 1_000n);
    const nothing = { realised_usd: 0n, bought_usd: 1_000n, sold_usd: 0n };
    expect(await unpriced(...own, ...buy)).toEqual({ amount: 20n, unpriced_tokens: 10n, cost_usd: 1_000n, ...nothing });
    // Half of the tokens that leave have an unknown cost, like half of those held before.
    expect(await unpriced(...own, ...buy, ...sell)).toEqual({
      amount: 10n,
      unpriced_tokens: 5n,
      cost_usd: 500n,
      ...nothing,
    });
    // A sale on our own venue: half of the 2,000 less 1 % is for tokens of known cost, which had cost 500.
    expect(await unpriced(...own, ...buy, ...sold(5, alice, 10n, 2_000n))).toEqual({
      amount: 10n,
      unpriced_tokens: 5n,
      cost_usd: 500n,
      realised_usd: 990n - 500n,
      bought_usd: 1_000n,
      sold_usd: 1_980n,
    });
    // Tokens of unknown cost keep an unknown cost when they are given away.
    const page = await pageOf(chain, [created, graduated(1), ...own, ...buy, transfer(6, alice, bob, 20n)]);
    expect(page.rows.balance.find(token, bob)).toMatchObject({ unpriced_tokens: 10n, cost_usd: 1_000n });
  });

  test('an account that a relayer acts for: its tokens keep their cost', async () => {
    const relayed = [
      transfer(2, pool, bob, 10n),
      trade(2, { trader: alice, tokens: 10n, grossUsd: 1_000n, venue: 'pool' }),
    ];
    expect(await run(...relayed)).toEqual({ [bob]: [10n, 1_000n, 0n], [alice]: [0n, 0n, 0n] });
  });

  test('what is burnt or bridged leaves with its cost; what comes back has no known cost', async () => {
    expect(await run(...bought(2, alice, 10n, 1_000n), transfer(3, alice, tokenBridge, 5n))).toEqual({
      [alice]: [5n, 500n, 0n],
    });
    const back = transfer(4, tokenBridge, bob, 5n);
    const events = [...bought(2, alice, 10n, 1_000n), transfer(3, alice, tokenBridge, 5n), back];
    expect((await run(...events))[bob]).toEqual([5n, 0n, 0n]);
    const page = await pageOf(chain, [created, graduated(1), ...events]);
    expect(page.rows.balance.find(token, bob)?.unpriced_tokens).toBe(5n);
  });

  test('one gives to several: what does not divide stays with the last', async () => {
    const events = [transfer(3, alice, bob, 3n), transfer(3, alice, carol, 3n)];
    expect(await run(...bought(2, alice, 6n, 101n), ...events)).toEqual({
      [alice]: [0n, 0n, 0n],
      [bob]: [3n, 50n, 0n],
      [carol]: [3n, 51n, 0n],
    });
  });

  test('a zero amount and a transfer to oneself change nothing', async () => {
    expect(
      await run(...bought(2, alice, 6n, 100n), transfer(3, alice, alice, 6n), transfer(4, bob, carol, 0n)),
    ).toEqual({
      [alice]: [6n, 100n, 0n],
    });
  });

  test('property: transfers between wallets conserve cost, and dollars add up: cost = bought - sold + realised', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            kind: fc.constantFrom('buy', 'buyFor', 'sell', 'give', 'pass', 'swap'),
            from: fc.nat(3),
            to: fc.nat(3),
            third: fc.nat(3),
            part: fc.integer({ min: 1, max: 7 }),
            usd: fc.bigInt({ min: 1n, max: 1_000_003n }),
            newBlock: fc.boolean(),
          }),
          { minLength: 1, maxLength: 30 },
        ),
        async (steps) => {
          const people = [alice, bob, carol, wallet('9')];
          const held = new Map(people.map((who) => [who, 0n]));
          const hold = (who: Address, change: bigint) => held.set(who, (held.get(who) ?? 0n) + change);
          let block = 2;
          const events: ChainEvent[] = [];
          for (const { kind, from, to, third, part, usd, newBlock } of steps) {
            if (newBlock) block += 1;
            const [who, other, last] = [people[from], people[to], people[third]] as [Address, Address, Address];
            const amount = ((held.get(who) ?? 0n) * BigInt(part)) / 7n;
            if (kind === 'buy' || kind === 'buyFor') {
              const receiver = kind === 'buy' ? who : other;
              events.push(transfer(block, launchpad, receiver, usd), ...bought(block, who, usd, usd).slice(1));
              hold(receiver, usd);
            } else if (kind === 'swap') {
              const swap = { trader: other, recipient: router, tokens: usd, grossUsd: usd, venue: 'pool' } as const;
              events.push(transfer(block, pool, who, usd), trade(block, swap));
              hold(who, usd);
            } else if (amount === 0n) continue;
            else if (kind === 'sell') {
              events.push(...sold(block, who, amount, usd));
              hold(who, -amount);
            } else {
              events.push(transfer(block, who, other, amount));
              if (kind === 'pass') events.push(transfer(block, other, last, amount));
              hold(who, -amount);
              hold(kind === 'pass' ? last : other, amount);
            }
          }
          const page = await pageOf(chain, [created, graduated(1), ...events]);
          let [cost, realised, boughtUsd, soldUsd] = [0n, 0n, 0n, 0n];
          for (const row of page.rows.balance.changed()) {
            expect(row.amount).toBe(held.get(row.wallet));
            expect(row.cost_usd).toBeGreaterThanOrEqual(0n);
            expect(row.unpriced_tokens).toBeGreaterThanOrEqual(0n);
            expect(row.unpriced_tokens).toBeLessThanOrEqual(row.amount);
            if (row.unpriced_tokens === row.amount) expect(row.cost_usd).toBe(0n);
            if (row.amount === 0n) expect(row.cost_usd).toBe(0n);
            cost += row.cost_usd;
            realised += row.realised_usd;
            boughtUsd += row.bought_usd;
            soldUsd += row.sold_usd;
          }
          // Proceeds of tokens of unknown cost are in no profit.
          if (!steps.some(({ kind }) => kind === 'swap')) expect(cost).toBe(boughtUsd - soldUsd + realised);
          else expect(cost).toBeGreaterThanOrEqual(boughtUsd - soldUsd + realised);
        },
      ),
    ));
});
