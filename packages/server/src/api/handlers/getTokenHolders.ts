import { formatUnits, formatUsd18, tokenDecimals, totalSupply } from '@mintage/protocol';
import { definitions, totalPage } from '@mintage/protocol/operations';
import { valueUsd18Down } from '../reads/holdings.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

export const getTokenHolders = handler(
  definitions.getTokenHolders,
  async (context, { token_id, ...page }, { caller }) => {
    const { token, served } = await requireServedToken(context, token_id);
    const rows = await context.db
      .selectFrom('balance')
      .select(['wallet', 'amount', 'first_acquired', 'cost_usd', 'unpriced_tokens'])
      .where('eid', '=', token.eid)
      .where('token', '=', token.address)
      .where('amount', '>', 0n)
      .orderBy('amount', 'desc')
      .orderBy('wallet')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return {
      success: true,
      holders: rows.map(({ wallet, amount, first_acquired, cost_usd, unpriced_tokens }, index) => ({
        rank: page.offset + index + 1,
        wallet,
        balance: formatUnits(amount, tokenDecimals),
        balance_raw: amount.toString(),
        share_pct: formatUnits((amount * 100n) / totalSupply, tokenDecimals),
        value_usd: formatUsd18(valueUsd18Down(amount, token.price_usd18)),
        first_acquired: first_acquired.toISOString(),
        is_creator: wallet === token.creator,
        cost_usd:
          caller?.wallets.includes(wallet) && unpriced_tokens === 0n
            ? formatUnits(cost_usd, served.deployment.usdDecimals)
            : null,
      })),
      pagination: totalPage(page, token.holders),
    };
  },
);
