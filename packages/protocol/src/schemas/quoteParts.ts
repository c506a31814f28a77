import { z } from 'zod';
import { quotedFees } from './feeTable.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, HashText, IsoTime } from './scalars.ts';
import { TradeVenue } from './venue.ts';

/** The parts every quote is made of. A key and its `…Raw` twin say the same amount: whole units and base units. */

/** Base units that can be negative. */
export const SignedBaseUnits = z.string().regex(/^(0|-?[1-9][0-9]{0,77})$/);

const feeKinds = quotedFees.map(({ quoteKind }) => quoteKind);

export const FeeLine = z
  .strictObject({
    kind: z.enum(feeKinds).meta({
      description: '`anti_snipe` goes to no person: it is locked as a price floor when the token graduates.',
    }),
    recipient: AddressText.nullable().meta({ description: 'null: the protocol treasury, or the token itself.' }),
    bps: z.int().min(0).meta({ description: 'Basis points of the gross USD amount.' }),
    amountUsd: DecimalText,
    amountUsdRaw: BaseUnits,
  })
  .meta({ id: 'FeeLine' });

/** What a pool keeps inside a swap. */
export const PoolFee = z
  .strictObject({
    bps: z.int(),
    symbol: z.string().meta({ description: 'Of what goes in: the dollar of a buy, the token of a sell.' }),
    amount: DecimalText,
    amountRaw: BaseUnits,
  })
  .meta({
    id: 'PoolFee',
    description:
      'Everybody’s who has liquidity there; of what the locked liquidity earns half is the creator’s, half the treasury’s.',
  });

/** Paid out of the treasury's share on a pool with a fee of its own. */
export const Reward = z
  .strictObject({
    kind: z.enum(['token_referral', 'protocol_referrer', 'cashback']),
    recipient: AddressText,
    bps: z.int().meta({ description: 'Basis points of the gross USD amount that are due.' }),
    amountUsd: DecimalText.meta({ description: 'What is paid: less than due where the treasury’s share is smaller.' }),
    amountUsdRaw: BaseUnits,
  })
  .meta({ id: 'Reward' });

export const AntiSnipe = z
  .strictObject({
    feeBps: z.int().meta({ description: 'Trade fee at the block of this quote, 1417 to 8000.' }),
    secondsLeft: z.int().min(1).max(6),
    outputAfterWindow: DecimalText.meta({ description: 'Tokens that the same dollars buy once the window is over.' }),
    outputAfterWindowRaw: BaseUnits,
  })
  .meta({ id: 'AntiSnipe' });

const LockedRange = z.strictObject({ tickLower: z.int(), tickUpper: z.int(), liquidity: BaseUnits });

export const QuoteState = z
  .strictObject({
    source: z.enum(['chain', 'index', 'pool_type']).meta({
      description:
        'chain: read from the chain for this quote. index: from our index. pool_type: the start of a token that is not created yet.',
    }),
    chainSlug: ChainSlug,
    token: AddressText.nullable(),
    blockNumber: z.int().nullable(),
    blockHash: HashText.nullable(),
    blockTime: z.int().nullable().meta({ description: 'Unix seconds.' }),
    createdAt: z.int().nullable().meta({ description: 'Unix seconds; null: not created yet.' }),
    feeBps: z.int(),
    usdDecimals: z.int(),
    curve: z
      .strictObject({ virtualTokens: BaseUnits, virtualUsd: BaseUnits, tokensLeft: BaseUnits })
      .nullable()
      .meta({ description: 'null once the token is graduated.' }),
    pool: z
      .strictObject({
        sqrtPriceX96: BaseUnits,
        tick: z.int(),
        liquidity: BaseUnits,
        protocolFee: z.int(),
        tierFee: z.int().nullable().meta({
          description: 'Fee of the pool’s own tier, pips; null: it has none, and our fees are taken around a swap.',
        }),
        fullRange: LockedRange,
        floor: LockedRange,
        ticks: z
          .array(z.strictObject({ tick: z.int(), liquidityNet: SignedBaseUnits }))
          .nullable()
          .meta({
            description:
              'Where anybody adds liquidity: what moving up through each tick adds, ascending. Null: the two ranges are all there is.',
          }),
      })
      .nullable()
      .meta({ description: 'null before graduation.' }),
    treasuryShareUsdRaw: BaseUnits.meta({
      description: 'What the treasury has of this token: rewards are paid out of it.',
    }),
  })
  .meta({ id: 'QuoteState', description: 'All inputs of the quote, so that anyone can recompute it.' });

export const DecodedCall = z
  .strictObject({
    contract: z.enum(['launchpad', 'dollar token']),
    to: AddressText,
    function: z.string(),
    args: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .meta({ id: 'DecodedCall', description: 'A call decoded from the bytes of the finished transaction.' });

export const Simulation = z
  .strictObject({
    ok: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it would succeed; null: this chain’s provider cannot simulate.' }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'Code of the decoded revert, from the error catalogue; null when it succeeds.' }),
    reason: z.string().nullable().meta({ description: 'The decoded revert as a sentence; null when it succeeds.' }),
    gasUsed: BaseUnits.nullable(),
    balanceChanges: z.array(
      z.strictObject({ asset: AddressText, symbol: z.string(), change: DecimalText, changeRaw: SignedBaseUnits }),
    ),
  })
  .meta({ id: 'Simulation' });

export const Warning = z.strictObject({ code: z.string(), sentence: z.string() }).meta({ id: 'Warning' });

/** What only pools with a fee of their own have. */
export const poolFees = {
  poolFee: PoolFee.nullable().meta({ description: 'null on the curve, and on pools without a fee of their own.' }),
  rewards: z.array(Reward).meta({ description: 'Beside the fees: out of what the treasury earned before.' }),
};

/** `quote` of a prepared trade. */
export const TradeQuote = z
  .strictObject({
    venue: TradeVenue,
    isGraduated: z.boolean(),
    inputSymbol: z.string(),
    inputAmount: DecimalText.meta({ description: 'Amount that leaves the trader, fees included.' }),
    inputAmountRaw: BaseUnits,
    outputSymbol: z.string(),
    outputAmount: DecimalText.meta({ description: 'Amount that the trader receives, after fees.' }),
    outputAmountRaw: BaseUnits,
    limitKind: z.enum(['min_output', 'max_input']),
    limitAmount: DecimalText,
    limitAmountRaw: BaseUnits,
    slippageBps: z.int(),
    deadline: z.int().meta({ description: 'Unix seconds; the transaction reverts after it.' }),
    expiresAt: IsoTime.meta({
      description: 'When the quote is out of date: after 15 s on the curve, 30 s on the pool.',
    }),
    priceImpactBps: z.int(),
    fees: z.array(FeeLine),
    ...poolFees,
    antiSnipe: AntiSnipe.nullable(),
    state: QuoteState,
    decoded: z.array(DecodedCall).meta({ description: 'The calls of `transaction`, in order.' }),
    simulation: Simulation.nullable().meta({ description: 'null with simulate: false.' }),
  })
  .meta({ id: 'TradeQuote' });

export type PoolFee = z.output<typeof PoolFee>;
export type Reward = z.output<typeof Reward>;
export type FeeLine = z.output<typeof FeeLine>;
export type AntiSnipe = z.output<typeof AntiSnipe>;
export type QuoteState = z.output<typeof QuoteState>;
export type DecodedCall = z.output<typeof DecodedCall>;
export type Simulation = z.output<typeof Simulation>;
export type Warning = z.output<typeof Warning>;
export type TradeQuote = z.output<typeof TradeQuote>;
