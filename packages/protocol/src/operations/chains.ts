import { z } from 'zod';
import { AddressText, ChainId, ChainSlug, IsoTime } from '../schemas/scalars.ts';
import { PoolVenue } from '../schemas/venue.ts';
import { operation } from './operation.ts';

const ServedChain = z
  .strictObject({
    slug: ChainSlug.meta({ description: 'Name of the chain in requests.' }),
    name: z.string().meta({ description: 'Name that people read.' }),
    chainId: ChainId.meta({ description: 'EIP-155 id.' }),
    eid: z.int().positive().meta({ description: 'LayerZero endpoint id.' }),
    type: z.enum(['evm', 'solana']).meta({ description: 'Family of chains.' }),
    testnet: z.boolean().meta({ description: 'Whether its money is worth nothing.' }),
    blockTimeMs: z.int().positive().nullable().meta({ description: 'Usual time between blocks; null: unknown.' }),
    nativeCurrency: z
      .strictObject({
        name: z.string().meta({ description: 'Of the coin.' }),
        symbol: z.string().meta({ description: 'Of the coin.' }),
        decimals: z.int().min(0).max(36).meta({ description: 'Of the coin.' }),
      })
      .meta({ description: 'The coin that pays for gas.' }),
    explorerUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'Where people look up what is on the chain: `<explorerUrl>/tx/<hash>`, `<explorerUrl>/address/<address>`. Null for ' +
          'local chains, which no explorer shows: `/get-transaction` tells of their transactions.',
      }),
    rpcUrl: z
      .string()
      .optional()
      .meta({ description: 'Present for local chains and for providers that are configured as public.' }),
    local: z.boolean().meta({ description: 'True for a chain that this service runs itself.' }),
    note: z
      .string()
      .nullable()
      .meta({ description: 'How a local chain differs from the real chain of that name; null if it does not.' }),
    dollarToken: z.strictObject({
      address: AddressText,
      symbol: z.string().meta({ description: 'Of the dollar token.' }),
      decimals: z.int().min(0).max(36).meta({ description: 'Of the dollar token.' }),
      mintable: z.boolean().meta({ description: 'True where `/mint-usd` gives test dollars.' }),
    }),
    venue: PoolVenue.nullable().meta({ description: 'Where graduated tokens trade.' }),
    canCreate: z.boolean().meta({
      description:
        'False where the deployment was given no exchange: tokens of other chains live there, none is created.',
    }),
    contracts: z.strictObject({
      launchpad: AddressText.meta({
        description: 'Creates and trades tokens, and holds the fees that people can claim.',
      }),
      poolHook: AddressText.meta({ description: 'The launchpad, which is the hook of its Uniswap v4 pools.' }),
      tokenFactory: AddressText.meta({ description: 'Makes the tokens, so that each has one address on all chains.' }),
      poolManager: AddressText.nullable().meta({ description: 'Of Uniswap v4; null on another venue.' }),
      poolFactory: AddressText.nullable().meta({
        description: 'Of Uniswap v3 or PancakeSwap v3; null on another venue.',
      }),
      lens: AddressText.meta({ description: 'Reads many things in one call.' }),
      tokenImplementation: AddressText.meta({ description: 'What every token is a clone of.' }),
      tokenBridge: AddressText.nullable().meta({ description: 'Null: not deployed.' }),
    }),
    status: z.enum(['starting', 'syncing', 'live', 'down', 'paused']).meta({
      description:
        'live: indexed to the head; down: no provider answers, too few agree, or no new block came for 30 s or ten usual ' +
        'gaps, whichever is longer; paused: the chain changed below finality.',
    }),
    head: z.int().nullable().meta({ description: 'Newest block seen; null before the first.' }),
    indexed: z.int().nullable().meta({ description: 'Newest block whose events count; null before the first.' }),
    lagMs: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'Age of the newest indexed block while newer ones wait; at the head how long no new one came, 0 while it is ' +
          'not late; null when unknown.',
      }),
    blocksPerSecond: z.number().min(0).nullable().meta({
      description: 'How fast the index catches up; null at the head.',
    }),
    historyFrom: IsoTime.nullable().meta({
      description:
        'Lists of trades, transfers, activity and earned fees begin here, because older ones are no longer kept; sums, ' +
        'balances and candles still count them. Null: everything is kept.',
    }),
  })
  .meta({ id: 'ServedChain' });

export const chains = operation({
  name: 'chains',
  summary: 'Lists the chains of this service with addresses, dollar token and indexing state.',
  description:
    'A wallet that does not know a chain yet takes `chainId`, `name`, `nativeCurrency`, `rpcUrl` and `explorerUrl` by ' +
    '`wallet_addEthereumChain`.',
  method: 'GET',
  path: '/chains',
  tag: 'Service',
  input: z.object({}),
  output: z.strictObject({ chains: z.array(ServedChain) }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
