import { type Base58, MintageError, tradeKinds } from '@mintage/protocol';
import {
  type LaunchpadCall,
  type ReadPrepared,
  readPrepared,
  readTransaction,
  tokenAccountOf,
} from '@mintage/protocol/solana';
import type { Calls } from '../../generated/calls.ts';
import type { TrustedSolanaChain } from '../../trusted.ts';
import { type CheckedTransaction, longestLifetimeMs } from './whole.ts';

/** By what it is learned what became of a transaction. All of it anybody may ask. */
export type HistoryCalls = Pick<
  Calls,
  'chains' | 'getTransaction' | 'getWalletTrades' | 'getTokenTransfers' | 'getTokenAbout'
>;

/** Of a list, at once and in all: older than what is looked for is never that far down. */
const [pageSize, mostPages] = [100, 100];

/**
 * The transaction of this wallet that did what this one was to do, by the index of the service. Null: there is none, or to do it again
 * loses nothing: a second claim finds nothing to claim, and test dollars are worth nothing.
 *
 * @param others - Hashes of other transactions of the wallet, though they may do the same.
 * @throws MintageError where the index is not at the head of the chain: what it does not have may be there.
 */
export const findSent = async (
  calls: HistoryCalls,
  wallet: string,
  { chain, transaction, expiresAt }: CheckedTransaction,
  others: ReadonlySet<string>,
): Promise<string | null> => {
  const { chains } = await calls.chains();
  if (chains.find(({ slug }) => slug === chain.slug)?.status !== 'live')
    throw new MintageError('NETWORK_ERROR', `The index of ${chain.slug} is not at its head.`);
  const read = readPrepared(readTransaction(transaction).message, chain.launchpad as Base58);
  const hashes = await hashesLike(calls, wallet, chain, read, expiresAt - longestLifetimeMs); // not older than its preparation
  for (const hash of hashes.filter((one) => !others.has(one))) if (await isSame(calls, chain, read, hash)) return hash;
  return null;
};

/** Of transactions that may be it. */
const hashesLike = async (
  calls: HistoryCalls,
  wallet: string,
  chain: TrustedSolanaChain,
  { calls: ours, transfers: [transfer] }: ReadPrepared,
  sinceMs: number,
): Promise<string[]> => {
  const created = ours.find(({ name }) => name === 'create')?.accounts.mint;
  if (created) return creationOf(calls, created);
  if (ours.some(isTrade)) {
    const trades = await newestFirst(sinceMs, (page) =>
      calls.getWalletTrades({ wallet, chains: [chain.slug], ...page }),
    );
    return trades.map(({ evt_tx_hash }) => evt_tx_hash);
  }
  if (transfer === undefined) return [];
  const moved = await newestFirst(sinceMs, (page) => calls.getTokenTransfers({ token_id: transfer.mint, ...page }));
  const same = moved.filter(
    ({ from_address, to_address, amount_raw }) =>
      from_address === wallet &&
      amount_raw === String(transfer.amount) &&
      tokenAccountOf(to_address as Base58, transfer.mint, transfer.tokenProgram) === transfer.to,
  );
  return same.map(({ evt_tx_hash }) => evt_tx_hash);
};

/**
 * What a list has since then.
 *
 * @throws MintageError NETWORK_ERROR where it does not reach back so far: what is not on it may be further down.
 */
const newestFirst = async <Row extends { evt_block_time: string }>(
  sinceMs: number,
  read: (page: { limit: number; offset: number }) => Promise<{ activities: readonly Row[] }>,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const { activities } = await read({ limit: pageSize, offset: page * pageSize });
    const recent = activities.filter(({ evt_block_time }) => Date.parse(evt_block_time) >= sinceMs);
    rows.push(...recent);
    if (activities.length < pageSize || recent.length < activities.length) return rows;
  }
  throw new MintageError('NETWORK_ERROR', 'So much happened since that the index does not list it all.');
};

const isTrade = ({ name }: LaunchpadCall): boolean => tradeKinds.some((kind) => kind === name);

/** Of the token with this mint, which nobody but its creator can make. */
const creationOf = async (calls: HistoryCalls, mint: string): Promise<string[]> => {
  try {
    const { token } = await calls.getTokenAbout({ token_id: mint });
    return token.token_addresses.flatMap(({ address, tx_hash }) => (address === mint && tx_hash ? [tx_hash] : []));
  } catch (error) {
    if (error instanceof MintageError && error.code === 'TOKEN_NOT_FOUND') return [];
    throw error;
  }
};

/**
 * Whether a transaction succeeded with all calls of this one: an order's deadline, to the second, tells it from others of its token. A
 * transfer calls nothing of ours: what moved has told.
 */
const isSame = async (
  calls: HistoryCalls,
  chain: TrustedSolanaChain,
  read: ReadPrepared,
  hash: string,
): Promise<boolean> => {
  const answer = await calls.getTransaction({ hash, chainSlug: chain.slug });
  return read.calls.every(
    (ours) =>
      answer.calls.some(
        ({ function: name, args }) =>
          name === ours.name && Object.entries(ours.args).every(([arg, value]) => String(args[arg]) === String(value)),
      ) &&
      (!isTrade(ours) ||
        answer.events.some(({ event, args }) => event === 'Trade' && args.mint === ours.accounts.mint)),
  );
};
