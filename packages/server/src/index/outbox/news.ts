import { type Activity, type Address, formatUnits } from '@mintage/protocol';
import type { News } from '../../db/outbox.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Page } from '../page/page.ts';

/** Keys that every event of the topic has; other keys of an activity are left out when they are null. */
const always = new Set(
  (
    'pk chain activity_type activity_subtype evt_block_number evt_block_time tx_hash evt_index platform_id token_address ' +
    'wallet trader receiver from_address to_address token_amount token_amount_raw usd_amount usd_amount_raw price_usd ' +
    'market_cap_usd pool'
  ).split(' '),
);

/** One event of the stream `tokenActivity`. */
export interface PageActivity {
  time: Date;
  activity: Activity;
}

/** What activities say of the page's chain. */
export const activityChain = ({ chain }: Page) => ({
  eid: chain.eid,
  slug: chain.slug,
  usd: chain.usd,
  usd_decimals: chain.decimals.usd,
  token_decimals: chain.decimals.token,
  launchpad: chain.launchpad,
});

/** In the order of the chain. */
export const activityNews = (page: Page, activities: readonly PageActivity[]): News[] =>
  activities
    .toSorted(
      ({ activity: a }, { activity: b }) => a.evt_block_number - b.evt_block_number || a.evt_index - b.evt_index,
    )
    .map(({ time, activity }) => ({
      topic: 'tokenActivity',
      eid: page.chain.eid,
      block_number: activity.evt_block_number,
      time,
      platform_id: activity.platform_id,
      wallet: null,
      retracts: null,
      data: Object.fromEntries(Object.entries(activity).filter(([key, value]) => value !== null || always.has(key))),
    }));

/** One event per block, token and wallet: what the wallet holds after the block. Found by walking back from the end. */
export const balancesNews = (page: Page, from: number): News[] => {
  const { chain } = page;
  const held = new Map<string, { amount: bigint; block: number }>();
  const news: News[] = [];
  for (const transfer of page.written.transfer.toReversed()) {
    const { token, sender, recipient, amount, block_number: block } = transfer;
    if (block < from) break;
    if (amount === 0n || sender === recipient) continue;
    for (const [wallet, change] of [
      [recipient, amount],
      [sender, -amount],
    ] as const) {
      if (!chain.isHolder(token, wallet)) continue;
      const key = `${token} ${wallet}`;
      const after = held.get(key) ?? { amount: balanceOf(page, token, wallet), block: Number.POSITIVE_INFINITY };
      if (after.block !== block) {
        news.push(balanceNews(chain, page.identity(token), wallet, after.amount, { block, time: transfer.time }));
      }
      held.set(key, { amount: after.amount - change, block });
    }
  }
  return news.toReversed();
};

const balanceOf = (page: Page, token: Address, wallet: Address): bigint =>
  page.rows.balance.find(token, wallet)?.amount ?? 0n;

/** The event for a wallet's balance after a block. */
export const balanceNews = (
  chain: Pick<ChainContext, 'eid' | 'slug' | 'decimals'>,
  token: { address: Address; platform_id: string },
  wallet: Address,
  amount: bigint,
  at: { block: number; time: Date },
): News => ({
  topic: 'walletBalances',
  eid: chain.eid,
  block_number: at.block,
  time: at.time,
  platform_id: token.platform_id,
  wallet,
  retracts: null,
  data: {
    chain: chain.slug,
    wallet,
    platform_id: token.platform_id,
    token_address: token.address,
    evt_block_number: at.block,
    evt_block_time: at.time.toISOString(),
    balance: formatUnits(amount, chain.decimals.token),
    balance_raw: amount.toString(),
  },
});

/**
 * One event per credit, the treasury's included: events reach the owner of the wallet only, and the treasury is an
 * owner too.
 */
export const feesNews = (page: Page, from: number): News[] =>
  page.written.fee_credit
    .filter((credit) => credit.block_number >= from)
    .map((credit) => {
      const trackingId = credit.token === null ? null : page.knownToken(credit.token).platform_id;
      return {
        topic: 'walletFees',
        eid: page.chain.eid,
        block_number: credit.block_number,
        time: credit.time,
        platform_id: trackingId,
        wallet: credit.recipient,
        retracts: null,
        data: {
          chain: page.chain.slug,
          recipient: credit.recipient,
          currency: credit.currency,
          amount: formatUnits(credit.amount, page.chain.decimals[credit.currency === page.chain.usd ? 'usd' : 'token']),
          amount_raw: credit.amount.toString(),
          distribution_type: credit.distribution_type,
          tracking_id: trackingId,
          activity_id: credit.activity_id,
          evt_block_number: credit.block_number,
          evt_block_time: credit.time.toISOString(),
          tx_hash: credit.tx_hash,
          evt_index: credit.log_index,
        },
      };
    });
