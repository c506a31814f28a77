import { formatUnits } from '@mintage/protocol';
import { activityNames } from '@mintage/protocol/operations';
import { type FeeCredit, feeToken, readFeeHistory, wordsOf } from '../../reads/feeHistory.ts';
import { totalPage } from '../../reads/totalPage.ts';
import { platformIdKeys, shownPlatformId } from '../../tokens/identity.ts';
import type { Context } from '../context.ts';
import type { InfoAnswerer } from '../info.ts';

export const getUserFeeHistory: InfoAnswerer<'getUserFeeHistory'> = async (context, input, { caller }) => {
  const { credits, total } = await readFeeHistory(context, input, caller);
  return {
    success: true,
    data: {
      distributions: credits.map((credit) => feeHistoryItem(context, credit)),
      total_count: total,
      pagination: totalPage(input, total),
    },
  };
};

const feeHistoryItem = ({ config }: Context, credit: FeeCredit) => {
  const { chain, deployment } = credit.served;
  return {
    chain: chain.slug,
    evt_tx_hash: credit.tx_hash,
    evt_block_number: credit.block_number,
    evt_index: credit.log_index,
    evt_block_time: credit.time.toISOString(),
    account: credit.recipient,
    currency: credit.currency,
    token_address: credit.currency,
    ...platformIdKeys(config.platformName, null),
    token_name: deployment.usdSymbol,
    token_symbol: deployment.usdSymbol,
    token_decimals: deployment.usdDecimals,
    amount: formatUnits(credit.amount, deployment.usdDecimals),
    amount_raw: credit.amount.toString(),
    tracking_id: credit.of && shownPlatformId(config, credit.of),
    token: feeToken(credit.of),
    distribution_type: credit.distribution_type,
    distribution_name: wordsOf(credit)?.name ?? ('Unknown' as const),
    activity_id: credit.activity_id,
    activity_name: activityNames[credit.activity_id] ?? ('Unknown' as const),
  };
};
