import { hash } from 'node:crypto';
import { formatUnits, uuidFromHash } from '@mintage/protocol';
import { activityWords } from '@mintage/protocol/operations';
import { type FeeCredit, feeToken, readFeeHistory, wordsOf } from '../reads/feeHistory.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import type { Context, HandlerOf } from './context.ts';

export const getUserFeeHistory: HandlerOf<'getUserFeeHistory'> = async (context, input, { caller }) => {
  const { credits, total } = await readFeeHistory(context, input, caller);
  return { distributions: credits.map((credit) => distribution(context, credit)), total_count: total };
};

const distribution = ({ config }: Context, credit: FeeCredit) => {
  const { chain, deployment } = credit.served;
  const words = wordsOf(credit);
  return {
    id: idOf(credit),
    recipient_address: credit.recipient,
    distribution_type: words?.distribution ?? ('unknown' as const),
    fee_type: words?.feeType ?? ('unknown' as const),
    activity_id: activityWords[credit.activity_id] ?? ('unknown' as const),
    amount: credit.amount.toString(),
    amount_with_decimals: formatUnits(credit.amount, deployment.usdDecimals),
    decimals: deployment.usdDecimals,
    currency_address: credit.currency,
    chain: chain.slug,
    tracking_id: credit.of && shownPlatformId(config, credit.of),
    transaction_hash: credit.tx_hash,
    block_number: credit.block_number,
    created_at: credit.time.toISOString(),
    token: feeToken(credit.of),
  };
};

/** The same for the same event on the same branch of the chain, so that clients can tell rows apart after a reorg. */
const idOf = ({ chain_id, block_hash, log_index, part }: FeeCredit): string =>
  uuidFromHash(`0x${hash('sha256', `${chain_id} ${block_hash} ${log_index} ${part}`, 'hex')}`);
