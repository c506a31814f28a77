import { z } from 'zod';
import { formatUnits, formatUsd18, units18 } from '../maths/decimal.ts';
import { feeWords } from '../schemas/feeTable.ts';
import { chainFilter } from '../schemas/paging.ts';
import { PlatformId, platformIdKeys } from '../schemas/platformId.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, BaseUnits, DecimalText, IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const FeeBalance = z.object({
  currency_address: AddressText.meta({ description: 'Currency that was earned.' }),
  chain: z.string().meta({ description: 'Slug of the chain.' }),
  total_earned: BaseUnits.meta({ description: 'Everything ever credited, base units of the currency.' }),
  claimable_amount: BaseUnits.meta({ description: 'What a claim pays now, base units of the currency.' }),
  total_earned_with_decimals: DecimalText.meta({ description: '`total_earned` in whole units.' }),
  claimable_amount_with_decimals: DecimalText.meta({ description: '`claimable_amount` in whole units.' }),
  decimals: z.int().meta({ description: 'Of the currency.' }),
  last_distribution_at: IsoTime.nullable().meta({ description: 'Null when nothing was distributed yet.' }),
});

const FeeSummary = z.object({
  total_traders_referred: z.int().nonnegative().meta({
    description: 'Different traders who have one of the wallets as protocol referrer and traded at least once.',
  }),
  total_rewards_earned_usd: DecimalText.meta({ description: 'Everything ever credited.' }),
  total_claimable_usd: DecimalText.meta({ description: 'What claims pay now.' }),
});

const FeeSourceView = z
  .object({
    fee_type: z
      .enum([...feeWords.map((words) => words.feeType), 'unknown'])
      .meta({ description: 'As what it was earned, in the words of fees.' }),
    credits: z.int().nonnegative().meta({ description: 'How often it was credited.' }),
    earned_usd: DecimalText.meta({
      description: 'Dollars that were credited; credits in launched tokens only count in `credits`.',
    }),
  })
  .meta({ id: 'FeeSource' });

const WalletClaim = z
  .object({
    chain: z.string().meta({ description: 'Slug of the chain.' }),
    currency_address: AddressText.meta({ description: 'Currency that a claim pays.' }),
    symbol: z.string().meta({ description: 'Of the currency.' }),
    claimable_amount: BaseUnits.meta({ description: 'What a claim pays now, base units of the currency.' }),
    claimable_amount_with_decimals: DecimalText.meta({ description: '`claimable_amount` in whole units.' }),
    claimable_usd: DecimalText.meta({ description: 'The same in dollars, a launched token at its price now.' }),
    decimals: z.int().meta({ description: 'Of the currency.' }),
  })
  .meta({ id: 'WalletClaim' });

/** What the caller's wallets were credited in one role, on all chains. */
export interface FeeSource {
  /** Number of `distributionTypes`. */
  distributionType: number;
  credits: number;
  /** USD with 18 fraction digits. */
  earnedUsd18: bigint;
}

/** What one wallet earned in one currency on one chain; amounts in base units of the currency. */
export interface WalletFees {
  recipient: z.output<typeof AddressText>;
  /** Slug. */
  chain: string;
  /** The chain's dollar token; or a launched token, which pools with a fee of their own earn as well. */
  currency: z.output<typeof AddressText>;
  symbol: string;
  decimals: number;
  /** USD of one whole token with 18 fraction digits, rounded down; null: it is a dollar. */
  priceUsd18: bigint | null;
  /** Of a launched token. */
  platformId: string | null;
  earned: bigint;
  claimable: bigint;
  paidAt: Date | null;
}

/** Everything that the caller's wallets earned. */
export interface UserFees {
  platformName: string;
  /** The sign-in wallet first. */
  wallets: readonly z.output<typeof AddressText>[];
  fees: readonly WalletFees[];
  /** Most earned first. */
  sources: readonly FeeSource[];
  referredTraders: number;
  warnings?: z.output<typeof readWarnings>;
}

/** Tokens count by their price now. */
const sumUsd18 = (fees: readonly WalletFees[], column: 'earned' | 'claimable'): bigint =>
  fees.reduce((sum, part) => sum + (whole18(part, column) * (part.priceUsd18 ?? one18)) / one18, 0n);

const sum18 = (fees: readonly WalletFees[], column: 'earned' | 'claimable'): bigint =>
  fees.reduce((sum, part) => sum + whole18(part, column), 0n);

/** Whole units with 18 fraction digits. */
const whole18 = ({ decimals, ...fees }: WalletFees, column: 'earned' | 'claimable'): bigint =>
  units18(fees[column], decimals);
const one18 = 10n ** 18n;

/** Time of the latest payout among them; null when there was none. */
const lastPaidAt = (fees: readonly WalletFees[]): string | null => {
  const times = fees.flatMap(({ paidAt }) => paidAt?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
};

const summaryOf = ({ fees, referredTraders }: UserFees) => ({
  total_traders_referred: referredTraders,
  total_rewards_earned_usd: formatUsd18(sumUsd18(fees, 'earned')),
  total_claimable_usd: formatUsd18(sumUsd18(fees, 'claimable')),
});

/** One currency on one chain, all wallets together. */
const feeBalance = (parts: readonly [WalletFees, ...WalletFees[]]) => {
  const [{ currency, chain, decimals }] = parts;
  const earned = parts.reduce((sum, part) => sum + part.earned, 0n);
  const claimable = parts.reduce((sum, part) => sum + part.claimable, 0n);
  return {
    currency_address: currency,
    chain,
    total_earned: earned.toString(),
    claimable_amount: claimable.toString(),
    total_earned_with_decimals: formatUnits(earned, decimals),
    claimable_amount_with_decimals: formatUnits(claimable, decimals),
    decimals,
    last_distribution_at: lastPaidAt(parts),
  };
};

/** By hand, because clients on Node 20 carry this and have no `Map.groupBy`. */
const grouped = (fees: readonly WalletFees[], key: (fees: WalletFees) => string) => {
  const groups = new Map<string, [WalletFees, ...WalletFees[]]>();
  for (const one of fees) {
    const group = groups.get(key(one));
    if (group === undefined) groups.set(key(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
};

const walletClaim = (fees: WalletFees): z.output<typeof WalletClaim> => ({
  chain: fees.chain,
  currency_address: fees.currency,
  symbol: fees.symbol,
  claimable_amount: fees.claimable.toString(),
  claimable_amount_with_decimals: formatUnits(fees.claimable, fees.decimals),
  claimable_usd: formatUsd18(sumUsd18([fees], 'claimable')),
  decimals: fees.decimals,
});

const feeSource = ({ distributionType, credits, earnedUsd18 }: FeeSource): z.output<typeof FeeSourceView> => ({
  fee_type: feeWords.find((words) => words.distributionType === distributionType)?.feeType ?? 'unknown',
  credits,
  earned_usd: formatUsd18(earnedUsd18),
});

export const getUserFees = operation({
  name: 'getUserFees',
  summary: 'Returns the caller’s fee balances by currency and chain, summed over all of the caller’s wallets.',
  method: 'POST',
  path: '/get-user-fees',
  tag: 'Rewards',
  input: z.object({
    user_id: optional(Uuid).meta({ description: "The caller's own id; any other is 401." }),
    chains: chainFilter,
  }),
  output: z.object({
    warnings: readWarnings,
    balances: z.array(FeeBalance),
    summary: FeeSummary,
    sources: z
      .array(FeeSourceView)
      .meta({ description: 'Everything ever earned by what it was earned as, most earned first.' }),
    wallets: z
      .array(
        z.object({
          address: AddressText,
          claimable: DecimalText.meta({ description: 'USD.' }),
          chains: z.array(WalletClaim).meta({ description: 'What a claim pays, by chain and currency.' }),
        }),
      )
      .meta({ description: "Each of the caller's wallets, the sign-in wallet first: a claim is made per wallet." }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'B',
  view: (facts: UserFees) => ({
    balances: grouped(facts.fees, ({ chain, currency }) => `${chain} ${currency}`).map(feeBalance),
    summary: summaryOf(facts),
    wallets: facts.wallets.map((address) => {
      const own = facts.fees.filter(({ recipient }) => recipient === address);
      const open = own.filter(({ claimable }) => claimable > 0n);
      return { address, claimable: formatUsd18(sumUsd18(own, 'claimable')), chains: open.map(walletClaim) };
    }),
    sources: facts.sources.map(feeSource),
    warnings: facts.warnings,
  }),
  example: { chains: ['base-sepolia'] },
});

const FeeBalanceView = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    account: AddressText,
    token_key: z.string().meta({ description: 'The same for one currency on all chains: its symbol.' }),
    platform_id: PlatformId.nullable().meta({
      description: 'null of dollars, which are no token of this service.',
    }),
    token_name: z.string().meta({ description: 'Name of the currency: its symbol, since dollars have no page.' }),
    token_symbol: z.string().meta({ description: 'Symbol of the currency.' }),
    balance: DecimalText.meta({ description: 'Claimable, all chains together.' }),
    total_received: DecimalText,
    last_updated_at: IsoTime.nullable(),
    per_chain_balances: z.record(
      z.string(),
      z.strictObject({
        currency: AddressText,
        token_decimals: z.int(),
        balance: DecimalText,
        balance_raw: BaseUnits,
        total_received: DecimalText,
        total_received_raw: BaseUnits,
        last_updated_at: IsoTime.nullable(),
      }),
    ),
  })
  .meta({ id: 'FeeBalanceView' });

/** The form of `/info`: a row per wallet and currency, with its chains. */
export const getUserFeesInfo = z.object({
  success: z.literal(true),
  data: z.object({ balances: z.array(FeeBalanceView), summary: FeeSummary }),
  warnings: readWarnings,
});

/** Dollars of one symbol are one currency, whatever chain they are on; a launched token is one by itself. */
export const feesInInfo = (facts: UserFees): z.output<typeof getUserFeesInfo> => ({
  success: true,
  data: {
    balances: grouped(
      facts.fees,
      (fees) => `${fees.recipient} ${fees.priceUsd18 === null ? fees.symbol : fees.currency}`,
    ).map((parts) => {
      const [{ recipient, symbol, platformId }] = parts;
      return {
        account: recipient,
        token_key: symbol,
        ...platformIdKeys(facts.platformName, platformId),
        token_name: symbol,
        token_symbol: symbol,
        balance: formatUsd18(sum18(parts, 'claimable')),
        total_received: formatUsd18(sum18(parts, 'earned')),
        last_updated_at: lastPaidAt(parts),
        per_chain_balances: Object.fromEntries(parts.map((part) => [part.chain, chainBalance(part)])),
      };
    }),
    summary: summaryOf(facts),
  },
  warnings: facts.warnings,
});

const chainBalance = (fees: WalletFees) => ({
  currency: fees.currency,
  token_decimals: fees.decimals,
  balance: formatUnits(fees.claimable, fees.decimals),
  balance_raw: fees.claimable.toString(),
  total_received: formatUnits(fees.earned, fees.decimals),
  total_received_raw: fees.earned.toString(),
  last_updated_at: lastPaidAt([fees]),
});
