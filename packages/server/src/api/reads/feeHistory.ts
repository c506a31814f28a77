import { feeWords } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/servedChain.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Context } from '../handlers/context.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { placeKey, type TokenLine, tokenLines } from '../tokens/tokenLines.ts';
import { countCredits, newestCredits } from './credits.ts';
import { requireOwnAccount } from './ownAccount.ts';

export interface FeeCredit extends Row<'fee_credit'> {
  served: ChainContext;
  /** Null when the fee belongs to no token. */
  of: TokenLine | null;
}

interface FeeHistoryInput {
  user_id?: string | undefined;
  fee_type?: string | undefined;
  chains?: string[] | undefined;
  limit: number;
  offset: number;
}

/** A page of what was credited to the caller, newest first, and how much there is. */
export const readFeeHistory = async (
  context: Context,
  { user_id, fee_type, chains: slugs, limit, offset }: FeeHistoryInput,
  caller: Caller,
): Promise<{ credits: FeeCredit[]; total: number }> => {
  requireOwnAccount(caller, user_id);
  const chains = servedChains(context, slugs);
  const kind = feeWords.find(({ feeType }) => feeType === fee_type)?.distributionType;
  const filter = { chainIds: [...chains.keys()], wallets: caller.wallets, kind };
  const [page, total] = await Promise.all([
    newestCredits(context.db, filter, limit, offset),
    countCredits(context.db, filter),
  ]);
  const named = page.flatMap(({ chain_id, token }) => (token === null ? [] : [{ chain_id, token }]));
  const tokens = await tokenLines(context.db, named);
  return {
    total,
    credits: page.flatMap((credit): FeeCredit[] => {
      const served = chains.get(credit.chain_id);
      const { chain_id, token } = credit;
      const of = token === null ? null : (tokens.get(placeKey({ chain_id, token })) ?? null);
      return served ? [{ ...credit, served, of }] : [];
    }),
  };
};

export const feeToken = (token: TokenLine | null) =>
  token && { id: token.token_id, name: token.name, symbol: token.symbol, slug: token.slug, logo: token.logo };

export const wordsOf = ({ distribution_type }: FeeCredit) =>
  feeWords.find(({ distributionType }) => distributionType === distribution_type);
