import {
  type Address,
  type Chain,
  type Deployment,
  formatUnits,
  isBuy,
  isExactIn,
  parseUnits,
} from '@mintage/protocol';
import type { Outflow, Spending } from '../signingLog/signingLog.ts';
import type { Action, StepBytes, StepReader } from './actions.ts';
import type { PolicyConfig } from './policyConfig.ts';
import { because, type Refusal } from './refusal.ts';

/** Most that leaves a wallet in a day (UTC), whatever an API vouches for; null: no cap. */
export type DayCaps = { [Name in keyof Outflow]: bigint | null };

/** Of coins, where none is configured: so many days of gas. */
const gasDays = 10n;
const defaultUsdPerDay = 10_000;

/**
 * The caps of a chain. Local chains and test networks have none unless they are configured.
 *
 * @param feesPerDay - What the gas of a wallet may cost in a day, native base units.
 */
export const dayCapsOf = (
  { slug, testnet, nativeDecimals }: Pick<Chain, 'slug' | 'testnet' | 'nativeDecimals'>,
  { maxUsdPerDay, maxCoinsPerDay }: Pick<PolicyConfig, 'maxUsdPerDay' | 'maxCoinsPerDay'>,
  feesPerDay: bigint,
): DayCaps => {
  const usd = maxUsdPerDay ?? (testnet ? 0 : defaultUsdPerDay);
  const given = maxCoinsPerDay.get(slug);
  const coins =
    given !== undefined ? parseUnits(given, nativeDecimals, 'MAX_COINS_PER_DAY') : testnet ? 0n : gasDays * feesPerDay;
  return { usd18: usd === 0 ? null : BigInt(usd) * 10n ** 18n, coins: coins === 0n ? null : coins };
};

interface Facts {
  deployment: Pick<Deployment, 'launchpad' | 'usd' | 'usdDecimals'>;
  tokenDecimals: number;
  reader: StepReader;
  /** Everything else is outside: that an address is the user's, too, an API only says. */
  wallet: Address;
  priceUsd18: (token: Address) => bigint | null;
}

/**
 * What leaves the wallet by these steps at most: dollars that it pays, also for tokens, what builders get of its sales, and the value
 * of tokens that it gives to others or allows others to take. Tokens that the index has no price of count nothing.
 */
export const outflowOf = (steps: readonly StepBytes[], facts: Facts): Outflow => {
  const { reader, wallet, deployment } = facts;
  const outflow: Outflow = { usd18: 0n, coins: 0n };
  for (const step of steps) {
    if (step.to !== wallet) outflow.coins += reader.coinsSent(step);
    for (const action of reader.actions(step)) outflow.usd18 += valueOf(action, facts);
    for (const { spender, token, amount } of reader.approvals(step) ?? [])
      if (spender !== deployment.launchpad && amount !== 'all') outflow.usd18 += usd18Of(token, amount, facts);
  }
  return outflow;
};

/** Of a withdrawal to others that names no amount: above every cap. */
const uncounted = 10n ** 60n;

const valueOf = (action: Action, facts: Facts): bigint => {
  const { wallet, deployment } = facts;
  switch (action.does) {
    case 'order': {
      const { kind, token, amount, limit, recipient, builderBps } = action;
      const [given, asked] = isExactIn(kind) ? [amount, limit] : [limit, amount];
      if (isBuy(kind)) return usd18Of(deployment.usd, given, facts);
      const [most, wanted] = [usd18Of(token, given, facts), usd18Of(deployment.usd, asked, facts)];
      const whole = most > wanted ? most : wanted;
      // Of its own sale a builder gets a part, which may be nearly all.
      return recipient === wallet ? (whole * builderBps + 9_999n) / 10_000n : whole;
    }
    case 'withdraw':
      if (action.to === wallet) return 0n;
      return action.amount === 'everything' ? uncounted : usd18Of(action.currency, action.amount, facts);
    case 'transfer':
    case 'cross':
      return action.to === wallet ? 0n : usd18Of(action.token, action.amount, facts);
    default:
      return 0n;
  }
};

/** Rounded up; 0 for a token without a price. */
const usd18Of = (token: Address, amount: bigint, { deployment, tokenDecimals, priceUsd18 }: Facts): bigint => {
  if (token === deployment.usd) return amount * 10n ** BigInt(18 - deployment.usdDecimals);
  const unit = 10n ** BigInt(tokenDecimals);
  return (amount * (priceUsd18(token) ?? 0n) + unit - 1n) / unit;
};

/**
 * Why an outflow is above what a day has left; null: it is not.
 *
 * @param spent - What the signing log has of the user's day.
 */
export const aboveDay = (
  outflow: Outflow,
  caps: DayCaps,
  spent: readonly Spending[],
  { eid, nativeDecimals, wallet }: Pick<Chain, 'eid' | 'nativeDecimals'> & { wallet: Address },
): Refusal | null => {
  const of = spent.filter((one) => one.wallet === wallet && !one.isReleased);
  const gone = {
    usd18: of.reduce((sum, one) => sum + one.outflow.usd18, 0n),
    coins: of.reduce((sum, one) => (one.eid === eid ? sum + one.outflow.coins : sum), 0n),
  };
  for (const [name, what, decimals, variable] of [
    ['usd18', 'dollars', 18, 'MAX_USD_PER_DAY'],
    ['coins', 'native coins', nativeDecimals, 'MAX_COINS_PER_DAY'],
  ] as const) {
    const cap = caps[name];
    // What takes nothing out is always allowed.
    if (cap === null || outflow[name] === 0n || gone[name] + outflow[name] <= cap) continue;
    if (outflow[name] >= uncounted)
      return because(
        'BUDGET_EXCEEDED',
        'A withdrawal to another wallet must name its amount, which a day’s limit counts.',
      );
    const left = cap > gone[name] ? cap - gone[name] : 0n;
    return because(
      'BUDGET_EXCEEDED',
      `This takes ${formatUnits(outflow[name], decimals)} ${what} out of the embedded wallet, and ${formatUnits(left, decimals)} of ` +
        `the ${formatUnits(cap, decimals)} of a day (UTC) are left. The operator of this service sets that limit (${variable}).`,
    );
  }
  return null;
};
