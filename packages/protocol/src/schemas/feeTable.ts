/**
 * Who is paid out of a trade's fees: one row a part. Shares, the lines of a quote, what the index books and the words of
 * the answers follow from it. Source: design 4.2; contracts/src/libraries/Fees.sol (`Fees.Split` has a field for each
 * row's `part`); wire contract 3.3.
 *
 * Rows are in the order of `distributionType`; the index numbers the credits of one trade by their place here.
 */

/** Everybody whom a trade can pay, and the treasury. */
export type FeeRecipient = 'creator' | 'builder' | 'referral' | 'referrer' | 'trader' | 'treasury';

/** Who is named in a trade: it decides how the base fee is shared out. */
export interface NamedInTrade {
  /** A token referral other than the trader is named. */
  hasReferral: boolean;
  /** The trader has a protocol referrer. */
  hasReferrer: boolean;
}

/** How the answers name what somebody was paid. */
export interface DistributionWords {
  /** `distribution_type` as a number: in the index, on `/info` and in streams. 255 is ours, not of the wire contract. */
  distributionType: number;
  /** `distribution_name` on `/info`. */
  name: string;
  /** `distribution_type` as a word on the REST route. */
  distribution: string;
  /** `fee_type`, and its filter. */
  feeType: string;
}

interface FeeRow {
  /** Field of `FeeSplit`, and of `Fees.Split` in Solidity. */
  part: string;
  /** Which fee it is a part of: `base` is shared out below the normal fee, `builder` and `excess` come on top. */
  of: 'base' | 'builder' | 'excess';
  /** Null: locked in the pool as the token's price floor. */
  recipient: FeeRecipient | null;
  /** `kind` of the line in a quote. */
  quoteKind: string;
  /** Basis points of the gross USD amount, rounded down; null: what the others leave. */
  shareBps: ((named: NamedInTrade) => bigint) | null;
  /** Null for what is never credited to anybody. */
  words: DistributionWords | null;
}

export const feeTable = [
  {
    part: 'creator',
    of: 'base',
    recipient: 'creator',
    quoteKind: 'creator',
    shareBps: ({ hasReferral }) => (hasReferral ? 35n : 50n),
    words: { distributionType: 0, name: 'Owner', distribution: 'owner', feeType: 'ip_holder' },
  },
  {
    part: 'builder',
    of: 'builder',
    recipient: 'builder',
    quoteKind: 'builder',
    shareBps: null,
    words: { distributionType: 1, name: 'Builder', distribution: 'builder', feeType: 'builder' },
  },
  {
    part: 'referral',
    of: 'base',
    recipient: 'referral',
    quoteKind: 'token_referral',
    shareBps: ({ hasReferral }) => (hasReferral ? 15n : 0n),
    words: { distributionType: 2, name: 'Referral', distribution: 'referral', feeType: 'token_referral' },
  },
  {
    part: 'referrer',
    of: 'base',
    recipient: 'referrer',
    quoteKind: 'protocol_referrer',
    shareBps: ({ hasReferrer }) => (hasReferrer ? 10n : 0n),
    words: {
      distributionType: 3,
      name: 'ProtocolReferral',
      distribution: 'protocol_referral',
      feeType: 'protocol_referral',
    },
  },
  {
    part: 'cashback',
    of: 'base',
    recipient: 'trader',
    quoteKind: 'cashback',
    shareBps: ({ hasReferrer }) => (hasReferrer ? 4n : 0n),
    words: {
      distributionType: 4,
      name: 'ProtocolReferralCashback',
      distribution: 'protocol_referral_cashback',
      feeType: 'protocol_referral_cashback',
    },
  },
  {
    part: 'treasury',
    of: 'base',
    recipient: 'treasury',
    quoteKind: 'treasury',
    shareBps: null,
    words: { distributionType: 255, name: 'Treasury', distribution: 'treasury', feeType: 'treasury' },
  },
  { part: 'excess', of: 'excess', recipient: null, quoteKind: 'anti_snipe', shareBps: null, words: null },
] as const satisfies readonly FeeRow[];

type Row = (typeof feeTable)[number];
type Credited = Exclude<Row, { words: null }>;
export type FeePart = Row['part'];
/** Parts that the base fee is shared out into. */
export type BasePart = Extract<Row, { of: 'base' }>['part'];
export type FeeKind = Row['quoteKind'];

/** Rows in the order of a quote's lines: the shares of the base fee, then what comes on top. */
export const quotedFees = [
  ...feeTable.filter(({ of }) => of === 'base'),
  ...feeTable.filter(({ of }) => of !== 'base'),
];

/** Rows that a trade credits to people, in the order of the index. The treasury's share is collected later. */
export const creditedFees = feeTable.filter(
  (row): row is Exclude<Credited, { part: 'treasury' }> => row.words !== null && row.part !== 'treasury',
);

/** The words of every kind of credit. */
export const feeWords = feeTable.flatMap((row) => (row.words === null ? [] : [row.words]));

/** `fee_type` words that a caller may filter by: only the treasury's wallet ever sees its own. */
export const filterableFeeTypes = creditedFees.map(({ words }) => words.feeType);

/** `distribution_type` numbers by part. */
export const distributionTypes = Object.fromEntries(
  feeTable.flatMap(({ part, words }) => (words === null ? [] : [[part, words.distributionType]])),
) as Readonly<Record<Credited['part'], number>>;

/** By activity id; any other id is `unknown`. */
export const activityWords = [
  'bonding_curve_trade',
  'dex_trade',
  'token_creation',
  'graduation',
  'external_token_creation',
  'cross_chain_registration',
] as const;

/** The same as `/info` says it; any other id is `Unknown`. */
export const activityNames = [
  'BondingCurveTrade',
  'DEXTrade',
  'TokenCreation',
  'Graduation',
  'ExternalTokenCreation',
  'CrossChainRegistration',
] as const;
