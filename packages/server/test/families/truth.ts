import { type Address, base58Addresses } from '@mintage/protocol';
import { expect } from 'vitest';
import type { MadeUpWorld } from './madeUpWorld.ts';
import { deployment, madeUpChainEntry } from './program.ts';

const { eid } = madeUpChainEntry;

/** The tables of the made-up chain hold what its own books say: balances, holders, curves, fees and credits. */
export const expectTruth = async ({ chain, db, indexed }: Pick<MadeUpWorld, 'chain' | 'db' | 'indexed'>) => {
  await indexed();
  const { books } = chain.head;
  const balances = await db.selectFrom('balance').selectAll().where('eid', '=', eid).where('amount', '>', 0n).execute();
  const held = [...books.tokens].flatMap(([token, { holdings }]) =>
    [...holdings].filter(isPerson).map(([wallet, amount]) => `${token} ${wallet} ${amount}`),
  );
  expect(balances.map(({ token, wallet, amount }) => `${token} ${wallet} ${amount}`).toSorted()).toEqual(
    held.toSorted(),
  );

  const tokens = await db.selectFrom('token').selectAll().where('eid', '=', eid).execute();
  const known = tokens.map((row) => ({
    address: row.address,
    creator: row.creator,
    floorUsd: row.floor_usd,
    treasuryShareUsd: row.treasury_share,
    completed: row.completed,
    holders: row.holders,
    trades: row.trades,
  }));
  const told = [...books.tokens].map(([address, token]) => ({
    address,
    creator: token.creator,
    floorUsd: token.floorUsd,
    treasuryShareUsd: token.treasuryShareUsd,
    completed: token.tokensLeft === 0n,
    holders: [...token.holdings].filter(isPerson).length,
    trades: tradesOf(chain, address),
  }));
  expect(sortedBy(known, 'address')).toEqual(sortedBy(told, 'address'));

  const fees = await db.selectFrom('fee_balance').selectAll().where('eid', '=', eid).execute();
  const owed = fees.filter(({ claimable }) => claimable > 0n);
  expect(new Map(owed.map(({ recipient, claimable }) => [recipient, claimable]))).toEqual(books.credits);
  expect(new Set(fees.map(({ currency }) => currency))).toEqual(new Set(fees.length === 0 ? [] : [deployment.usd]));
};

const isPerson = ([wallet]: readonly [Address, bigint]): boolean =>
  wallet !== base58Addresses.nobody && wallet !== deployment.launchpad;

const tradesOf = (chain: MadeUpWorld['chain'], token: Address): number => {
  let trades = 0;
  for (let height = 1; height <= chain.head.height; height += 1) {
    const events = chain.block(height)?.events ?? [];
    trades += events.filter((event) => event.name === 'Trade' && event.token === token).length;
  }
  return trades;
};

const sortedBy = <Row extends Record<Key, string>, Key extends string>(rows: readonly Row[], key: Key): Row[] =>
  rows.toSorted((a, b) => (a[key] < b[key] ? -1 : 1));
