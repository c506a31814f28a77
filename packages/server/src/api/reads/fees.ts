import type { Address, Eid } from '@mintage/protocol';
import type { WalletFees } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import { byChainId } from '../tokens/servedChains.ts';
import { oneOf } from './oneOf.ts';

/**
 * The fee balances of wallets. The Launchpad credits its chain's dollar token only, so every balance has that token's
 * decimals and is worth USD.
 */
export const readFees = async (
  db: Db,
  chains: ReadonlyMap<Eid, ChainContext>,
  wallets: readonly Address[],
): Promise<WalletFees[]> => {
  const rows = await db
    .selectFrom('fee_balance')
    .selectAll()
    .where(oneOf('eid', [...chains.keys()]))
    .where(oneOf('recipient', wallets))
    .orderBy('currency')
    .orderBy('recipient')
    .execute();
  return rows
    .toSorted(byChainId)
    .flatMap(({ eid, recipient, currency, earned, claimable, last_distribution_at }): WalletFees[] => {
      const served = chains.get(eid);
      if (!served) return [];
      const { usdSymbol: symbol, usdDecimals: decimals } = served.deployment;
      const chain = served.chain.slug;
      return [{ recipient, chain, currency, symbol, decimals, earned, claimable, paidAt: last_distribution_at }];
    });
};
