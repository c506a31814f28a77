import { type Base58, MintageError, type Solvency, solvencyOf, type TokenBooks, toBase58 } from '@mintage/protocol';
import { type AccountOf, programAccounts } from '@mintage/protocol/solana';
import type { ChainClient } from '../chainClient.ts';
import type { Node, Rpc } from '../rpc.ts';
import { clockAddress, timeOf, tokensIn } from './accounts.ts';
import { isSomebody, type Launchpad, stateIn } from './launchpad.ts';
import {
  type Account,
  getBlockhash,
  getMultipleAccounts,
  getProgramAccounts,
  getSlot,
  mostAccounts,
} from './rpc/calls.ts';

/** `ChainClient.solvency`: the same reading while no slot is new; one at a time, shared by concurrent requests. */
export const booksReader = (rpc: Pick<Rpc, 'first' | 'request'>, launchpad: Launchpad): ChainClient['solvency'] => {
  let last: { slot: number; read: Solvency } | null = null;
  let reading: Promise<Solvency> | null = null;
  const readNow = async (): Promise<Solvency> => {
    const slot = await rpc.request(getSlot('latest'));
    if (last === null || last.slot !== slot)
      last = { slot, read: await rpc.first((node) => readBooks(node, launchpad), { stays: true }) };
    return last.read;
  };
  return () => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };
};

/**
 * No provider shows all accounts of one slot together. A token and its vault are read at once, so each token's books are of one slot; the
 * credits and their vaults are read until nothing moved meanwhile.
 */
const readBooks = async (node: Node, on: Launchpad): Promise<Solvency> => {
  const tokens = await readTokens(node, on);
  const credits = await readCredits(node, on);
  const hash = await node.request(getBlockhash(credits.slot));
  if (hash === null) throw new MintageError('NETWORK_ERROR', 'The provider has lost the block that it showed.');
  return solvencyOf({
    block: { number: credits.slot, hash, time: credits.time },
    usd: on.dollarMint,
    heldUsd: tokens.reduce((sum, { heldUsd }) => sum + heldUsd, 0n) + credits.heldUsd,
    tokens: tokens.map(({ books }) => books),
    credits: credits.owed,
  });
};

interface HeldBooks {
  books: TokenBooks;
  heldUsd: bigint;
}

const readTokens = async (node: Node, on: Launchpad): Promise<HeldBooks[]> => {
  const launches = await addressesOf(node, on, 'Launch', fieldAt('Launch', 'usdVault'));
  const read = await inTurns(launches, mostAccounts / 2, async (some) => {
    const { value } = await node.request(
      getMultipleAccounts(
        some.flatMap(({ address, field }) => [address, field]),
        'latest',
      ),
    );
    return some.map((_, at) => ({
      launch: stateIn(on, 'Launch', value[2 * at] ?? null),
      heldUsd: tokensIn(value[2 * at + 1] ?? null),
    }));
  });
  return read
    .flatMap(({ launch, heldUsd }) => (launch === null ? [] : [{ launch, heldUsd }]))
    .toSorted(
      ({ launch: one }, { launch: other }) => Number(one.created - other.created) || (one.mint < other.mint ? -1 : 1),
    )
    .map(({ launch, heldUsd }) => ({ books: booksOf(launch), heldUsd }));
};

/** The dollars of a pool lie in the launchpad too: they count as its reserve, its floor with them. */
const booksOf = ({ mint, graduated, reserveUsd, floorUsd, treasuryUsd }: AccountOf<'Launch'>): TokenBooks => ({
  token: mint,
  graduated: graduated !== 0n,
  reserveUsd,
  floorUsd,
  treasuryShareUsd: treasuryUsd,
  inTokens: null,
});

interface Credits {
  slot: number;
  /** Unix seconds. */
  time: number;
  owed: readonly bigint[];
  heldUsd: bigint;
}

/** Credits move with every trade; on a chain that never rests for one reading the figures would say nothing. */
const mostReadings = 8;

const readCredits = async (node: Node, on: Launchpad): Promise<Credits> => {
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const before = await readVaults(node, on);
    const users = await addressesOf(node, on, 'User', fieldAt('User', 'wallet'));
    const owed = await inTurns(users, mostAccounts, async (some) => {
      const { value } = await node.request(
        getMultipleAccounts(
          some.map(({ address }) => address),
          'latest',
        ),
      );
      return value.map((account) => stateIn(on, 'User', account)?.creditUsd ?? 0n);
    });
    const { slot, time, amounts } = await readVaults(node, on);
    if (String(amounts) === String(before.amounts))
      return { slot, time, owed, heldUsd: amounts.reduce((sum, amount) => sum + amount, 0n) };
  }
  throw new MintageError('NETWORK_ERROR', 'The credits changed while they were read, each time: try again.');
};

const readVaults = async (node: Node, on: Launchpad) => {
  const { value } = await node.request(getMultipleAccounts([on.config], 'latest'));
  const vaults = (stateIn(on, 'Config', value[0] ?? null)?.feeVaults ?? []).filter(isSomebody);
  const { slot, value: read } = await node.request(getMultipleAccounts([clockAddress, ...vaults], 'latest'));
  const [clock, ...accounts] = read;
  return { slot, time: timeOf(clock as Account), amounts: accounts.map(tokensIn) };
};

/** Accounts of this kind with one of their addresses. */
const addressesOf = async (
  node: Node,
  { program }: Launchpad,
  name: 'Launch' | 'User',
  offset: number,
): Promise<{ address: Base58; field: Base58 }[]> => {
  const kind = new TextEncoder().encode(programAccounts[name].kind.padEnd(8, '\0'));
  const found = await node.request(getProgramAccounts(program, kind, { offset, length: 32 }));
  return found.map(({ address, data }) => ({ address, field: toBase58(data) }));
};

/** Where a field of an account lies: all before it are addresses. */
const fieldAt = (name: 'Launch' | 'User', field: string): number =>
  8 + 32 * programAccounts[name].fields.findIndex((one) => one.name === field);

/** The work on so many at a time, one after the other. */
const inTurns = async <One, Result>(
  all: readonly One[],
  atOnce: number,
  work: (some: readonly One[]) => Promise<readonly Result[]>,
): Promise<Result[]> => {
  const done: Result[] = [];
  for (let at = 0; at < all.length; at += atOnce) done.push(...(await work(all.slice(at, at + atOnce))));
  return done;
};
