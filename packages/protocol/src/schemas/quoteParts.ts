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
    amountUsd: DecimalText.meta({ description: 'What this fee is.' }),
    amountUsdRaw: BaseUnits.meta({ description: '`amountUsd`, of the chain’s dollar.' }),
  })
  .meta({ id: 'FeeLine' });

/** What a pool keeps inside a swap. */
export const PoolFee = z
  .strictObject({
    bps: z.int().meta({ description: 'Of what goes in.' }),
    symbol: z.string().meta({ description: 'Of what goes in: the dollar of a buy, the token of a sell.' }),
    amount: DecimalText.meta({ description: 'What the pool keeps.' }),
    amountRaw: BaseUnits.meta({ description: '`amount`, of what `symbol` names.' }),
  })
  .meta({
    id: 'PoolFee',
    description:
      'Everybody’s who has liquidity there; of what the locked liquidity earns half is the creator’s, half the treasury’s.',
  });

/** Paid out of the treasury's share on a pool with a fee of its own. */
export const Reward = z
  .strictObject({
    kind: z
      .enum(['token_referral', 'protocol_referrer', 'cashback'])
      .meta({ description: 'As what it is earned; `cashback` is the trader’s own.' }),
    recipient: AddressText,
    bps: z.int().meta({ description: 'Basis points of the gross USD amount that are due.' }),
    amountUsd: DecimalText.meta({ description: 'What is paid: less than due where the treasury’s share is smaller.' }),
    amountUsdRaw: BaseUnits.meta({ description: '`amountUsd`, of the chain’s dollar.' }),
  })
  .meta({ id: 'Reward' });

export const AntiSnipe = z
  .strictObject({
    feeBps: z.int().meta({ description: 'Trade fee at the block of this quote, 1417 to 8000.' }),
    secondsLeft: z.int().min(1).max(6).meta({ description: 'Seconds until the trade fee is 1 %.' }),
    outputAfterWindow: DecimalText.meta({ description: 'Tokens that the same dollars buy once the window is over.' }),
    outputAfterWindowRaw: BaseUnits.meta({ description: '`outputAfterWindow`, of the token.' }),
  })
  .meta({ id: 'AntiSnipe' });

const LockedRange = z.strictObject({
  tickLower: z.int().meta({ description: 'Where the position begins.' }),
  tickUpper: z.int().meta({ description: 'Where it ends.' }),
  liquidity: BaseUnits.meta({ description: 'Its liquidity, as the pool counts it.' }),
});

/** A pool on an exchange. */
const ExchangePool = z
  .strictObject({
    sqrtPriceX96: BaseUnits.meta({
      description: 'Square root of the price of currency 0 in currency 1, times 2⁹⁶.',
    }),
    tick: z.int().meta({ description: 'Where the price is.' }),
    liquidity: BaseUnits.meta({ description: 'Liquidity at the price, as the pool counts it.' }),
    protocolFee: z
      .int()
      .meta({ description: 'What the exchange itself takes: low 12 bits one direction, high 12 bits the other.' }),
    tierFee: z.int().nullable().meta({
      description: 'Fee of the pool’s own tier, pips; null: it has none, and our fees are taken around a swap.',
    }),
    fullRange: LockedRange.meta({ description: 'The locked position over all prices.' }),
    floor: LockedRange.meta({ description: 'The locked position of dollars below the price.' }),
    ticks: z
      .array(
        z.strictObject({
          tick: z.int().meta({ description: 'Where liquidity changes.' }),
          liquidityNet: SignedBaseUnits.meta({
            description: 'What moving up through it adds, as the pool counts it.',
          }),
        }),
      )
      .nullable()
      .meta({
        description:
          'Where anybody adds liquidity: what moving up through each tick adds, ascending. Null: the two ranges are all there is.',
      }),
  })
  .meta({ id: 'ExchangePool', description: 'A pool on an exchange.' });

/** The launchpad's own pool, on Solana. */
const MintagePool = z
  .strictObject({
    tokens: BaseUnits.meta({ description: 'Tokens in it.' }),
    usd: BaseUnits.meta({ description: 'Dollars in it without the floor’s, of the chain’s dollar.' }),
    floorUsd: BaseUnits.meta({ description: 'Dollars that trade below the curve’s first price only.' }),
    edgeTokens: BaseUnits.meta({ description: 'With so many tokens in it, it is at the curve’s first price.' }),
    floorTokens: BaseUnits.meta({ description: 'Virtual tokens that the floor stands against.' }),
    supply: BaseUnits.meta({ description: 'Of the token: nobody sells more than is not in the pool.' }),
  })
  .meta({ id: 'MintagePool', description: 'The launchpad’s own pool: the curve goes on in it, without an end.' });

export const QuoteState = z
  .strictObject({
    source: z.enum(['chain', 'index', 'pool_type']).meta({
      description:
        'chain: read from the chain for this quote. index: from our index. pool_type: the start of a token that is not created yet.',
    }),
    chainSlug: ChainSlug.meta({ description: 'Chain that was read.' }),
    token: AddressText.nullable().meta({ description: 'Contract address; null: not created yet.' }),
    blockNumber: z.int().nullable().meta({ description: 'Block of this state; null: not created yet.' }),
    blockHash: HashText.nullable().meta({ description: 'Of that block.' }),
    blockTime: z.int().nullable().meta({ description: 'Unix seconds.' }),
    createdAt: z.int().nullable().meta({ description: 'Unix seconds; null: not created yet.' }),
    feeBps: z.int().meta({ description: 'Trade fee at `blockTime`, without a builder’s.' }),
    usdDecimals: z.int().meta({ description: 'Of the chain’s dollar.' }),
    curve: z
      .strictObject({
        virtualTokens: BaseUnits.meta({
          description: 'Tokens that the price is computed from, in the token’s base units.',
        }),
        virtualUsd: BaseUnits.meta({ description: 'Dollars that the price is computed from, of the chain’s dollar.' }),
        tokensLeft: BaseUnits.meta({ description: 'Tokens that the curve still sells.' }),
      })
      .nullable()
      .meta({ description: 'null once the token is graduated.' }),
    pool: z.union([ExchangePool, MintagePool]).nullable().meta({ description: 'null before graduation.' }),
    treasuryShareUsdRaw: BaseUnits.meta({
      description: 'What the treasury has of this token: rewards are paid out of it.',
    }),
  })
  .meta({ id: 'QuoteState', description: 'All inputs of the quote, so that anyone can recompute it.' });

export const DecodedCall = z
  .strictObject({
    contract: z.enum(['launchpad', 'dollar token']).meta({ description: 'What is called.' }),
    to: AddressText.meta({ description: 'Its address.' }),
    function: z.string().meta({ description: 'Name of the function.' }),
    args: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'Its arguments by name; amounts in base units.' }),
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
    gasUsed: BaseUnits.nullable().meta({ description: 'What it used; null where it was not simulated.' }),
    balanceChanges: z.array(
      z.strictObject({
        asset: AddressText.meta({ description: 'Contract address of the token or dollar.' }),
        symbol: z.string().meta({ description: 'Its ticker.' }),
        change: DecimalText.meta({ description: 'What the sender gets; negative: gives.' }),
        changeRaw: SignedBaseUnits.meta({ description: '`change` in base units.' }),
      }),
    ),
  })
  .meta({ id: 'Simulation' });

export const Warning = z
  .strictObject({
    code: z.string().meta({ description: 'For programs.' }),
    sentence: z.string().meta({ description: 'For people.' }),
  })
  .meta({ id: 'Warning' });

/** What only pools with a fee of their own have. */
export const poolFees = {
  poolFee: PoolFee.nullable().meta({ description: 'null on the curve, and on pools without a fee of their own.' }),
  rewards: z.array(Reward).meta({ description: 'Beside the fees: out of what the treasury earned before.' }),
};

/** `quote` of a prepared trade. */
export const TradeQuote = z
  .strictObject({
    venue: TradeVenue.meta({
      description: 'Where it is traded: on the curve, `launchpad`, or on the pool of that exchange.',
    }),
    isGraduated: z.boolean().meta({ description: 'Whether the token has left the curve.' }),
    inputSymbol: z.string().meta({ description: 'Of what is paid.' }),
    inputAmount: DecimalText.meta({ description: 'Amount that leaves the trader, fees included.' }),
    inputAmountRaw: BaseUnits.meta({ description: '`inputAmount`, of what is paid.' }),
    outputSymbol: z.string().meta({ description: 'Of what is received.' }),
    outputAmount: DecimalText.meta({ description: 'Amount that the trader receives, after fees.' }),
    outputAmountRaw: BaseUnits.meta({ description: '`outputAmount`, of what is received.' }),
    limitKind: z.enum(['min_output', 'max_input']).meta({
      description: 'min_output: least that is received. max_input: most that is paid.',
    }),
    limitAmount: DecimalText.meta({ description: 'The limit: beyond it the trade reverts.' }),
    limitAmountRaw: BaseUnits.meta({ description: '`limitAmount`, as it is signed.' }),
    slippageBps: z.int().meta({ description: 'How far the limit is from the quote.' }),
    deadline: z.int().meta({ description: 'Unix seconds; the transaction reverts after it.' }),
    expiresAt: IsoTime.meta({
      description: 'When the quote is out of date: after 15 s on the curve, 30 s on the pool.',
    }),
    priceImpactBps: z.int().meta({ description: 'How much the trade itself moves the price.' }),
    fees: z.array(FeeLine).meta({ description: 'Every fee by who gets it.' }),
    ...poolFees,
    antiSnipe: AntiSnipe.nullable().meta({
      description: 'The opening fee of a token’s first 6 seconds; null for a sell and afterwards.',
    }),
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
