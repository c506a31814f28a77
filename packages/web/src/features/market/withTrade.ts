import type { StreamItem, TokenV2 } from '@mintage/sdk';
import { raisedBySold } from './raised.ts';

type Activity = Extract<StreamItem<'tokenActivity'>, { type: 'event' }>['data'];

/** Whether something happened to this token. */
export const isOf = ({ token_addresses: addresses }: TokenV2, { token_address: address, chain }: Activity): boolean =>
  addresses.some((one) => one.chain === chain && one.address === address);

/**
 * A token as it is shown after something happened to it, until the list is read again. Numbers for people: floats will do.
 */
export const withActivity = (token: TokenV2, activity: Activity): TokenV2 => {
  if (activity.activity_subtype === 'graduation') return graduated(token, activity);
  if (activity.activity_type !== 'trade' || activity.price_usd === null) return token;
  const price = Number(activity.price_usd);
  const usd = Number(activity.usd_amount);
  return {
    ...token,
    ...(activity.pool === null ? onCurve(token, activity) : {}),
    price,
    market_cap: Number(activity.market_cap_usd),
    trx: plus(token.trx, 1),
    volume_24h: plus(token.volume_24h, usd),
    ...changeTo(token, price),
  };
};

const plus = (value: number | null, more: number): number | null => (value === null ? null : value + more);

const changeTo = ({ price, price_change_24h: change }: TokenV2, now: number) => {
  if (price === null || change === null) return {};
  const then = price - change;
  return { price_change_24h: now - then, price_change_24h_percent: then === 0 ? 0 : ((now - then) / then) * 100 };
};

const onCurve = (token: TokenV2, { activity_subtype: side, token_amount: amount }: Activity) => {
  const { launchpad_supply: sold, launchpad_tokens_left: left, launchpad_target_usd: target } = token;
  if (sold === null || left === null || target === null) return {};
  const moved = side === 'buy' ? Number(amount) : -Number(amount);
  const [soldNow, leftNow] = [Math.max(0, sold + moved), Math.max(0, left - moved)];
  return {
    launchpad_supply: soldNow,
    launchpad_tokens_left: leftNow,
    launchpad_progress_pct: (soldNow / (soldNow + leftNow)) * 100,
    launchpad_raised_usd: raisedBySold(target, soldNow),
  };
};

const graduated = (token: TokenV2, { evt_block_time: at }: Activity): TokenV2 => ({
  ...token,
  stage: 'graduated',
  graduated_at: at,
  launchpad_progress_pct: 100,
  launchpad_tokens_left: 0,
  launchpad_raised_usd: token.launchpad_target_usd,
});
