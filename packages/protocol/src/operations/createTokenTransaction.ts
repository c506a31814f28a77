import { z } from 'zod';
import { announcementFees } from '../schemas/announcementFees.ts';
import { executionAnswer, executionErrors } from '../schemas/executionParts.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { CreateTransaction, TransactionItem } from '../schemas/prepared.ts';
import { DecodedCall, Simulation, TradeQuote, Warning } from '../schemas/quoteParts.ts';
import { ChainId, ChainSlug, familyAddresses, optional, Uuid } from '../schemas/scalars.ts';
import { orderOptions, PoolTypeSlug } from '../schemas/tradeInput.ts';
import { mediaSource, tokenWord, valuesOf, writtenLinks, writtenText } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

/** 0 counts as absent: no initial buy. */
const NonNegativeNumber = z.number({ error: 'must be a plain number' }).min(0, 'must not be negative');

const input = z.object({
  // A character has four bytes at most: within the contract's 128 bytes of name and 64 of symbol.
  name: tokenWord('token’s name', 32).meta({
    description: 'Name of the token: one line of at most 32 characters. Need not be unique.',
  }),
  symbol: tokenWord('ticker', 10).meta({
    description: 'Ticker of the token: one line of at most 10 characters. Need not be unique.',
  }),
  description: writtenText('description', 1000).meta({
    description: 'What the token is about: at most 1000 characters.',
  }),
  image: mediaSource('an image').meta({
    description:
      'Picture of the token: a web address that this service fetches, or a data URI. PNG, JPEG, GIF, WEBP or SVG of at most 5 MB.',
  }),
  chainSlug: ChainSlug.meta({ description: 'Home chain of the token: where it is created and its curve trades.' }),
  banner: optional(mediaSource('an image')).meta({ description: 'Wide picture of the token; as `image`.' }),
  video: optional(mediaSource('a video')).meta({ description: 'Video of the token: a web address or a data URI.' }),
  links: optional(writtenLinks).meta({ description: 'Where people find more about the token.' }),
  destinationChains: optional(z.array(ChainSlug).max(32)).meta({
    description:
      'Chains to deploy the token on: an item of `transactions` after the creation pays for a message to each that can be ' +
      'reached. `warnings` names the others, on which it is not deployed. Duplicates and the origin are dropped; absent ' +
      'means none.',
  }),
  poolType: optional(PoolTypeSlug).meta({ description: 'Absent: meme.' }),
  type: optional(z.literal('coin', { error: 'must be coin' })).meta({
    description: 'May be left away; there is no other.',
  }),
  tags: optional(z.array(tokenWord('tag', 32)).max(10, 'must be at most 10 tags')).meta({
    description: 'Words by which the token is found: at most 10, each of at most 32 characters.',
  }),
  amountIn: optional(NonNegativeNumber).meta({ description: 'Dollars of the initial buy; 0 or absent: none.' }),
  tokensOut: optional(NonNegativeNumber).meta({
    description: 'Tokens of the initial buy, whole units; wins over amountIn and needs maxAmountIn.',
  }),
  maxAmountIn: optional(NonNegativeNumber).meta({ description: 'Most dollars the initial buy may cost.' }),
  replaces: optional(Uuid).meta({
    description:
      '`metadata.tokenId` of an earlier answer that you will not sign: this token gets its slug, if user, wallet and name ' +
      'are the same.',
  }),
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
        tokenUri: z
          .string()
          .meta({ description: 'Where the metadata is, ipfs://…; the token’s contract and its creation name it.' }),
        tokenId: Uuid.meta({ description: 'Id of the token in this service, from now on.' }),
        name: z.string().meta({ description: 'As given.' }),
        symbol: z.string().meta({ description: 'As given.' }),
        slug: z.string().meta({
          description: 'Name of the token in addresses of pages; a number follows where it is taken, by a draft too.',
        }),
        description: z.string().meta({ description: 'As given.' }),
        hubUrl: z.url().meta({ description: 'Page of the token.' }),
        logo: z.url().meta({ description: 'The picture, as this service keeps it.' }),
        addresses: z.strictObject(familyAddresses).meta({
          description:
            'Contract address of the token: the same on all chains of a family; empty text for a family without it.',
        }),
        platform_id: ShownPlatformId,
      })
      .meta({ description: 'Loose for the deployment’s own name of the platform id.' }),
    quote: TradeQuote.nullable().meta({ description: 'The initial buy; null without one.' }),
    registration: z
      .strictObject({ ...announcementFees, ...executionAnswer })
      .nullable()
      .meta({
        description:
          'What deploying the token on other chains costs, and its own execution after that of the creation; null where no ' +
          'chain is to be reached, or none can be.',
      }),
    decoded: z.array(DecodedCall).meta({ description: 'The calls of `transaction`, in order.' }),
    simulation: Simulation.nullable().meta({ description: 'null with simulate: false.' }),
    warnings: z.array(Warning),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'UNSUPPORTED_CHAIN',
    'AMOUNT_TOO_SMALL',
    'BEYOND_CURVE',
    'FEES_EXCEED_AMOUNT',
    'SLIPPAGE_TOO_HIGH',
    'MEDIA_INVALID',
    'MEDIA_TOO_LARGE',
    'MEDIA_UNREACHABLE',
    'MEDIA_QUOTA_EXCEEDED',
    ...executionErrors,
  ],
  access: 'caller',
  scope: 'prepare',
  limit: 'write',
  texts: ({ name, symbol, description, links, tags, video }) => ({
    name,
    symbol,
    description,
    links: valuesOf(links),
    tags,
    // By web address it stays one, which people open.
    video: video === undefined || /^data:/i.test(video) ? undefined : video,
  }),
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
