import type { Row } from '@mintage/indexer/db';
import { formatUnits } from '@mintage/protocol';
import { activityWords, feeWords } from '@mintage/protocol/operations';
import type { ChainContext, Context, HandlerOf } from '../context.ts';
import { countCredits, newestCredits } from '../reads/credits.ts';
import { oneOf } from '../reads/oneOf.ts';
import { requireOwnAccount } from '../reads/ownAccount.ts';
import { servedChains } from '../reads/servedChains.ts';
import { type KnownToken, selectTokens } from '../reads/tokenRef.ts';

export const getUserFeeHistory: HandlerOf<'getUserFeeHistory'> = async (context, input, { caller }) => {
  requireOwnAccount(caller, input.user_id);
  const chains = servedChains(context, input.chains);
  const kind = feeWords.find((words) => words.feeType === input.fee_type)?.distributionType;
  const filter = { chainIds: [...chains.keys()], wallets: caller.wallets, kind };
  const [page, count] = await Promise.all([
    newestCredits(context.db, filter, input.limit, input.offset),
    countCredits(context.db, filter),
  ]);
  const tokens = await tokensOf(context, page);
  return {
    distributions: page.flatMap((credit) => {
      const served = chains.get(credit.chain_id);
      return served ? [distribution(credit, served, tokens.get(`${credit.chain_id} ${credit.token}`) ?? null)] : [];
    }),
    total_count: count,
  };
};

const tokensOf = async ({ db }: Context, credits: readonly Row<'fee_credit'>[]): Promise<Map<string, KnownToken>> => {
  const tokens = await selectTokens(db)
    .where(oneOf('token.chain_id', [...new Set(credits.map((credit) => credit.chain_id))]))
    .where(oneOf('token.address', [...new Set(credits.flatMap((credit) => credit.token ?? []))]))
    .execute();
  return new Map(tokens.map((token) => [`${token.chain_id} ${token.address}`, token]));
};

const distribution = (credit: Row<'fee_credit'>, { chain, deployment }: ChainContext, token: KnownToken | null) => {
  const words = feeWords.find(({ distributionType }) => distributionType === credit.distribution_type);
  return {
    id: credit.id,
    recipient_address: credit.recipient,
    distribution_type: words?.distribution ?? ('unknown' as const),
    fee_type: words?.feeType ?? ('unknown' as const),
    activity_id: activityWords[credit.activity_id] ?? ('unknown' as const),
    amount: credit.amount.toString(),
    amount_with_decimals: formatUnits(credit.amount, deployment.usdDecimals),
    decimals: deployment.usdDecimals,
    currency_address: credit.currency,
    chain: chain.slug,
    tracking_id: token?.platform_id ?? null,
    transaction_hash: credit.tx_hash,
    block_number: credit.block_number,
    created_at: credit.time.toISOString(),
    token: token && { id: token.token_id, name: token.name, symbol: token.symbol, slug: token.slug, logo: token.logo },
  };
};
