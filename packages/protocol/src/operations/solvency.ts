import { z } from 'zod';
import { AddressText, BaseUnits, ChainId, ChainSlug, DecimalText, HashText, optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

/** Exact dollars as decimal text, and the same in base units. */
const usd = (description: string) => DecimalText.meta({ description: `${description} In dollars.` });
const raw = BaseUnits.meta({ description: 'The same in base units.' });

const sums = {
  reserveUsd: usd('Raised by curves that have not graduated.'),
  reserveUsdRaw: raw,
  floorUsd: usd('Fees of opening windows, kept for the floor under the pool.'),
  floorUsdRaw: raw,
  treasuryShareUsd: usd('The treasury’s share of fees, not yet moved to its credit.'),
  treasuryShareUsdRaw: raw,
};

const TokenBooks = z
  .strictObject({
    token: AddressText,
    graduated: z.boolean().meta({ description: 'Whether it has left the curve.' }),
    ...sums,
    inTokens: z.strictObject({ heldRaw: BaseUnits, creditsRaw: BaseUnits }).nullable().meta({
      description:
        'Tokens that the Launchpad holds, and those of them that people can withdraw, base units; null: its pool earned none.',
    }),
  })
  .meta({ id: 'TokenBooks' });

const Books = z
  .strictObject({
    blockNumber: z.int().min(0),
    blockHash: HashText,
    blockTime: z.int().meta({ description: 'Unix seconds.' }),
    heldUsd: usd('What the Launchpad holds.'),
    heldUsdRaw: raw,
    ...sums,
    creditsUsd: usd('What people can withdraw.'),
    creditsUsdRaw: raw,
    surplusUsd: usd('Held minus all the rest: 0 unless somebody sent dollars unasked; never negative.'),
    surplusUsdRaw: z.string().regex(/^-?(0|[1-9][0-9]*)$/),
    solvent: z
      .boolean()
      .meta({ description: 'True if the surplus is not negative, and every token that people can withdraw is there.' }),
    accounts: z.int().min(0).meta({ description: 'Accounts whose credits were added up.' }),
    tokenCount: z.int().min(0).meta({ description: 'Tokens whose reserves were added up.' }),
    tokens: z
      .array(TokenBooks)
      .meta({ description: 'One page of the tokens, in order of creation; the sums cover all of them.' }),
  })
  .meta({ id: 'Books' });

const tokens = (description: string) => DecimalText.meta({ description: `${description} In whole tokens.` });
const signed = z.string().regex(/^-?(0|[1-9][0-9]*)$/);

const AcrossChains = z
  .strictObject({
    constant: z.boolean().meta({
      description: 'Whether every token exists as often as it was made, and no chain has more of one than went there.',
    }),
    chains: z.array(ChainSlug).meta({ description: 'Those that answered; tokens of other homes are not judged.' }),
    tokenCount: z.int().min(0).meta({ description: 'Tokens that ever crossed.' }),
    tokens: z.array(
      z.strictObject({
        token: AddressText,
        home: ChainSlug,
        constant: z.boolean().meta({ description: 'Whether this one holds to it.' }),
        homeSupply: tokens('Supply on the home chain.'),
        homeSupplyRaw: raw,
        inFlight: DecimalText.meta({
          description: 'Out by the home’s count and nowhere else: on its way. In whole tokens.',
        }),
        inFlightRaw: signed,
        gapRaw: signed.meta({
          description: 'Supply and count of the home less 1,000,000,000 tokens: 0. In base units.',
        }),
        away: z.array(
          z.strictObject({
            chain: ChainSlug,
            out: tokens('What the home counts as out there.'),
            outRaw: raw,
            supply: DecimalText.nullable().meta({
              description: 'Supply there, at most `out`; null: it did not answer.',
            }),
            supplyRaw: BaseUnits.nullable(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'AcrossChains' });

/** Query parameters arrive as text. */
const count = (least: number, most: number, otherwise: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(least)
    .max(most)
    .default(otherwise);

export const solvency = operation({
  name: 'solvency',
  summary:
    'Returns what the Launchpad holds and owes on each chain, and whether tokens that crossed are still as many.',
  description:
    'Nothing comes from this service’s database: tokens and accounts are found in the chain’s logs, and their sums ' +
    'are read at the named block. `npm run solvency -- --rpc <url> --launchpad <address>` computes the same ' +
    'independently, and several `--rpc … --bridge …` the tokens across chains. The first answer after a start reads all logs and may take several attempts on a long chain.',
  method: 'GET',
  path: '/solvency',
  tag: 'Service',
  input: z.object({
    chainSlug: optional(ChainSlug).meta({ description: 'Absent: every chain that is served.' }),
    limit: count(0, 1_000, 100).meta({ description: 'Tokens listed per chain, at most 1000.' }),
    offset: count(0, 10_000_000, 0).meta({ description: 'Tokens left out before the first.' }),
  }),
  output: z.strictObject({
    chains: z.array(
      z.strictObject({
        slug: ChainSlug,
        chainId: ChainId,
        launchpad: AddressText,
        dollarToken: z.strictObject({
          address: AddressText,
          symbol: z.string().meta({ description: 'Symbol of the dollar token.' }),
          decimals: z.int(),
        }),
        books: Books.nullable().meta({ description: 'null while the chain does not answer.' }),
      }),
    ),
    acrossChains: AcrossChains.meta({
      description: 'Tokens that crossed between the chains that are served; one page.',
    }),
  }),
  errors: ['UNSUPPORTED_CHAIN'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { chainSlug: 'base-sepolia', limit: 10 },
});
