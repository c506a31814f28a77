import type { Address, Eid } from '@mintage/protocol';
import { type FeeCredit, feeWords } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Config } from '../../config.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { type TokenLine, tokenLines } from '../tokens/tokenLines.ts';
import { placeKey } from '../tokens/tokenPlace.ts';
import { countCredits, newestCredits } from './credits.ts';
import { currencyName } from './currencyName.ts';
import { rowId } from './rowId.ts';

export interface FeeHistory {
  /** By chain id. */
  chains: ReadonlyMap<Eid, ChainContext>;
  wallets: readonly Address[];
  /** A `feeType` of `feeWords` in protocol; undefined: all. */
  feeType: string | undefined;
}

/** A page of what was credited to wallets, newest first, and how much there is. */
export const readFeeHistory = async (
  db: Db,
  config: Pick<Config, 'verifiedAt'>,
  { chains, wallets, feeType }: FeeHistory,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ credits: FeeCredit[]; total: number }> => {
  const kind = feeWords.find((words) => words.feeType === feeType)?.distributionType;
  const filter = { eids: [...chains.keys()], wallets, kind };
  const [rows, total] = await Promise.all([newestCredits(db, filter, limit, offset), countCredits(db, filter)]);
  const named = rows.flatMap(({ eid, token }) => (token === null ? [] : [{ eid, token }]));
  const tokens = await tokenLines(db, named);
  const tokenOf = ({ eid, token }: Row<'fee_credit'>): TokenLine | null =>
    token === null ? null : (tokens.get(placeKey({ eid, token })) ?? null);
  return {
    total,
    credits: rows.flatMap((row): FeeCredit[] => {
      const served = chains.get(row.eid);
      const of = tokenOf(row);
      return served
        ? [{ ...creditOf(row, served, of), platformId: of && shownPlatformId(config, of), token: feeToken(of) }]
        : [];
    }),
  };
};

/** A credit is in dollars, or in the token that it comes from. */
const creditOf = (row: Row<'fee_credit'>, served: ChainContext, token: TokenLine | null) => ({
  id: rowId(served.chain, row.block_hash, row.log_index, row.part),
  chain: served.chain.slug,
  hash: row.tx_hash,
  blockNumber: row.block_number,
  logIndex: row.log_index,
  time: row.time,
  recipient: row.recipient,
  currency: row.currency,
  ...currencyName(served, row.currency === row.token ? (token?.symbol ?? '') : null),
  amount: row.amount,
  distributionType: row.distribution_type,
  activityId: row.activity_id,
});

const feeToken = (token: TokenLine | null) =>
  token && { id: token.token_id, name: token.name, symbol: token.symbol, slug: token.slug, logo: token.logo };
