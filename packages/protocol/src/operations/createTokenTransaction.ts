import { z } from 'zod';
import { AnnouncementFees } from '../schemas/announcementFees.ts';
import { executionAnswer, executionErrors } from '../schemas/executionParts.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { CreateTransaction, TransactionItem } from '../schemas/prepared.ts';
import { DecodedCall, Simulation, TradeQuote, Warning } from '../schemas/quoteParts.ts';
import { ChainId, ChainSlug, optional, Uuid } from '../schemas/scalars.ts';
import { orderOptions, PoolTypeSlug } from '../schemas/tradeInput.ts';
import { operation } from './operation.ts';

/** 0 counts as absent: no initial buy. */
const NonNegativeNumber = z.number({ error: 'must be a plain number' }).min(0, 'must not be negative');

/** Visible text without control characters or direction overrides, length counted in characters. */
const text = (what: string, longest: number) =>
  z
    .string({ error: `must be text: the ${what}` })
    .trim()
    .refine((value) => value.length > 0, 'must not be empty')
    // A character is at most two code units. A text with more of them ends the checks: others look at every character.
    .refine((value) => value.length <= 2 * longest, { error: `must be at most ${longest} characters`, abort: true })
    .refine((value) => [...value].length <= longest, `must be at most ${longest} characters`)
    .refine((value) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replace(/[\n\r\t]/g, '')), {
      error: 'must not hold control characters',
    });

const oneLine = (what: string, longest: number) =>
  text(what, longest).refine((value) => !/[\n\r\t]/.test(value), 'must be one line');

/** A missing scheme becomes https; anything but http and https is refused. */
const Link = z
  .string()
  .trim()
  .max(256, 'must be at most 256 characters')
  .transform((value, context) => {
    if (value === '') return undefined;
    const address = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`);
    if (address !== null && (address.protocol === 'https:' || address.protocol === 'http:')) return address.href;
    context.addIssue({ code: 'custom', message: 'must be a web address' });
    return z.NEVER;
  });

const link = () => optional(Link.optional());

/** A web address or a data URI. */
const Media = (kind: string) =>
  z
    .string({ error: `must be a web address or a data URI of ${kind}` })
    .min(1, `must be a web address or a data URI of ${kind}`);

const input = z.object({
  // A character has four bytes at most: within the contract's 128 bytes of name and 64 of symbol.
  name: oneLine('token’s name', 32),
  symbol: oneLine('ticker', 10),
  description: text('description', 1000),
  image: Media('an image'),
  chainSlug: ChainSlug,
  banner: optional(Media('an image')),
  video: optional(Media('a video')),
  links: optional(z.object({ website: link(), twitter: link(), youtube: link(), discord: link(), telegram: link() })),
  destinationChains: optional(z.array(ChainSlug).max(32)).meta({
    description: 'Chains the token is to reach later. Duplicates and the origin are dropped; absent means none.',
  }),
  registerOn: optional(z.array(ChainSlug).max(32)).meta({
    description:
      'Chains to make the token known on at once, by an item after the creation that pays for a message to each. Without ' +
      'it the first transfer to a chain does so.',
  }),
  poolType: optional(PoolTypeSlug).meta({ description: 'Absent: meme.' }),
  type: optional(z.literal('coin', { error: 'must be coin' })),
  tags: optional(z.array(oneLine('tag', 32)).max(10, 'must be at most 10 tags')),
  amountIn: optional(NonNegativeNumber).meta({ description: 'Dollars of the initial buy; 0 or absent: none.' }),
  tokensOut: optional(NonNegativeNumber).meta({
    description: 'Tokens of the initial buy, whole units; wins over amountIn and needs maxAmountIn.',
  }),
  maxAmountIn: optional(NonNegativeNumber).meta({ description: 'Most dollars the initial buy may cost.' }),
  ...orderOptions,
});

export const createTokenTransaction = operation({
  name: 'createTokenTransaction',
  summary:
    'Prepares the transactions that create a token, with a first buy in the same transaction if one is asked for.',
  description:
    'This answer fixes the token’s address, id and metadata. A draft expires after 24 hours unless its transaction is ' +
    'mined. The initial buy pays the opening fee of 80 %. With `execute: true` your embedded wallet sends the ' +
    'transactions.',
  method: 'POST',
  path: '/create-token-transaction',
  tag: 'Tokens',
  input,
  output: z.strictObject({
    success: z.literal(true),
    ...executionAnswer,
    chainId: ChainId,
    transaction: CreateTransaction,
    transactions: z.array(TransactionItem).min(1),
    metadata: z
      .looseObject({
        tokenUri: z.string(),
        tokenId: Uuid,
        name: z.string(),
        symbol: z.string(),
        slug: z.string(),
        description: z.string(),
        hubUrl: z.url(),
        logo: z.url(),
        addresses: z.strictObject({ evm: z.string(), solana: z.string() }),
        platform_id: ShownPlatformId,
      })
      .meta({ description: 'Loose for the deployment’s own name of the platform id.' }),
    quote: TradeQuote.nullable().meta({ description: 'The initial buy; null without one.' }),
    registration: AnnouncementFees.nullable().meta({ description: 'What `registerOn` costs; null without it.' }),
    decoded: z.array(DecodedCall).meta({ description: 'The calls of `transaction`, in order.' }),
    simulation: Simulation.nullable().meta({ description: 'null with simulate: false.' }),
    warnings: z.array(Warning),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'UNSUPPORTED_CHAIN',
    'ROUTE_PAUSED',
    'AMOUNT_TOO_SMALL',
    'BEYOND_CURVE',
    'FEES_EXCEED_AMOUNT',
    'SLIPPAGE_TOO_HIGH',
    'MEDIA_INVALID',
    'MEDIA_TOO_LARGE',
    'MEDIA_UNREACHABLE',
    ...executionErrors,
  ],
  access: 'caller',
  scope: 'prepare',
  limit: 'write',
  errorShape: 'A',
  media: {},
  example: {
    name: 'Demo Coin',
    symbol: 'DEMO',
    description: 'A coin to try things with.',
    image:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    chainSlug: 'base-sepolia',
    userAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    amountIn: 10,
  },
});
