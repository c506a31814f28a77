import type { Address } from '@mintage/protocol';
import type { Transaction } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import type { News } from '../../db/outbox.ts';
import type { ChainContext } from '../chainContext.ts';
import { selectRows } from '../page/bulk.ts';
import { balanceNews } from './news.ts';

/**
 * Stream events of a reorg, once the tables are at the ancestor: a retraction of every event of a later block, newest
 * first; then the current balances of the affected wallets, so that a client that only keeps the newest state of a
 * balance is right too.
 */
export const retractionsAfter = async (
  tx: Transaction<Database>,
  chain: ChainContext,
  ancestor: { number: number; time: Date },
): Promise<News[]> => {
  const undone = await tx
    .updateTable('stream_event')
    .set({ retracted: true })
    .where('eid', '=', chain.eid)
    .where('block_number', '>', ancestor.number)
    .where('retracts', 'is', null)
    .where('retracted', '=', false)
    .returning(['topic', 'seq', 'eid', 'block_number', 'time', 'platform_id', 'wallet', 'data'])
    .execute();
  const retractions = undone
    .toSorted((a, b) => b.seq - a.seq)
    .map(({ seq, data, ...event }): News => ({ ...event, retracts: seq, data: data as object }));
  const touched = undone.filter(({ topic }) => topic === 'walletBalances').map(({ data }) => data as TouchedBalance);
  return [...retractions, ...(await balancesNow(tx, chain, touched, ancestor))];
};

interface TouchedBalance {
  token_address: Address;
  platform_id: string;
  wallet: Address;
}

const balancesNow = async (
  tx: Transaction<Database>,
  chain: ChainContext,
  touched: readonly TouchedBalance[],
  ancestor: { number: number; time: Date },
): Promise<News[]> => {
  const byKey = new Map(touched.map((one) => [`${one.token_address} ${one.wallet}`, one]));
  const keys = [...byKey.values()].map((one) => [one.token_address, one.wallet]);
  const rows = await selectRows(tx, 'balance', chain.eid, keys);
  const held = new Map(rows.map((row) => [`${row.token} ${row.wallet}`, row.amount]));
  const at = { block: ancestor.number, time: ancestor.time };
  return [...byKey].map(([key, { token_address: address, platform_id, wallet }]) =>
    balanceNews(chain, { address, platform_id }, wallet, held.get(key) ?? 0n, at),
  );
};
