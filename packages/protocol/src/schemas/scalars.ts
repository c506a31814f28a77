import { z } from 'zod';
import { base58Addresses, hexAddresses } from '../chains/address.ts';
import { chainSlugs } from '../chains/chains.ts';
import { checksumRule, hasWrongChecksum } from '../chains/checksum.ts';
import { nearestSlug } from '../chains/nearestSlug.ts';
import { eitherOf, perFamily } from './perFamily.ts';

/** Shared input and output types of the operations. `null` counts as absent for every optional key (see `optional`). */

const isSound = (text: string): boolean => !hasWrongChecksum(text);

/** One of any family; which family it has to be is known by whoever knows the chain. */
export const AddressText = perFamily(
  z
    .string()
    .regex(eitherOf(hexAddresses.pattern, base58Addresses.pattern), hexAddresses.rule)
    .refine(isSound, checksumRule),
  {
    evm: { type: 'string', pattern: hexAddresses.pattern.source },
    solana: { type: 'string', pattern: base58Addresses.pattern.source },
  },
).meta({ id: 'Address', description: 'EVM address.' });

export const Uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .meta({ id: 'Uuid', description: 'A UUID: 32 hexadecimal digits in five groups.' });

const meant = (input: unknown): string => {
  const slug = typeof input === 'string' ? nearestSlug(input) : null;
  return slug === null ? '' : ` (did you mean ${slug}?)`;
};

/** `opbnb` is taken as `op-bnb`. */
export const ChainSlug = z
  .preprocess(
    (value) => (value === 'opbnb' ? 'op-bnb' : value),
    z.enum(chainSlugs, { error: ({ input }) => `must be a chain slug${meant(input)}; GET /chains lists them` }),
  )
  .meta({ id: 'ChainSlug', description: 'Slug of a chain; `GET /chains` lists those of this service.' });

/** uuid, platform id, contract address or slug. */
export const TokenRef = z
  .string()
  .min(1, 'must name a token: its id, platform id, contract address or slug')
  .max(128)
  .refine((text) => isSound(text.trim()), checksumRule)
  .meta({ id: 'TokenRef', description: 'Token id, platform id, contract address or slug.' });

export const Builder = z
  .object({
    code: AddressText.meta({ description: 'Address that earns the builder’s fee.' }),
    fee: z
      .number()
      .int('must be a whole number of basis points')
      .min(0)
      .max(10_000, 'must be at most 10000 basis points')
      .default(0)
      .meta({ description: 'Basis points of the gross amount, 0 to 10000; absent means 0.' }),
  })
  .meta({
    id: 'Builder',
    description: 'The app that brought the trade, and the fee that it takes on top of the trade fee.',
  });

/** Of the header `Idempotency-Key`. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters');

/** Base units as decimal digits. */
export const BaseUnits = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number of base units in decimal digits')
  .meta({
    id: 'BaseUnits',
    description: 'Decimal digits: how many of the smallest part of a currency or token, which `decimals` says.',
  });

/** Plain decimal text, at most 18 fraction digits. */
export const DecimalText = z
  .string()
  .regex(/^-?(0|[1-9][0-9]*)(\.[0-9]{1,18})?$/)
  .meta({ id: 'DecimalText', description: 'A decimal number in text, exact, with at most 18 digits after the point.' });

export const IsoTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/)
  .meta({ id: 'IsoTime', description: 'A time in UTC, such as 2030-01-01T00:00:00Z.' });

export const Hex = z
  .string()
  .regex(/^0x[a-fA-F0-9]*$/)
  .meta({ id: 'Hex', description: 'Bytes in hexadecimal digits, after 0x.' });

const Base58 = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,90}$/);

/** Of a block or transaction, as its chain's family prints it. */
export const HashText = perFamily(z.union([Hex, Base58]), {
  evm: { $ref: '#/$defs/Hex' },
  solana: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,90}$' },
});

/** Of a transaction that was sent: lower-case hex of 32 bytes, or base58 of 64. */
export const SentHash = perFamily(z.string().regex(/^0x[0-9a-f]{64}$|^[1-9A-HJ-NP-Za-km-z]{64,88}$/), {
  evm: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
  solana: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$' },
});

/** As `SentHash`, in any case where the family's hex has none. */
export const AskedHash = perFamily(
  z.string().regex(/^0x[0-9a-fA-F]{64}$|^[1-9A-HJ-NP-Za-km-z]{64,88}$/, hexAddresses.hashRule),
  {
    evm: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
    solana: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$' },
  },
);

/** The word for a chain's family. */
export const ChainTypeText = perFamily(z.enum(['evm', 'solana']), {
  evm: { type: 'string', const: 'evm' },
  solana: { type: 'string', const: 'solana' },
});

/** A token has one address on all chains of a family. */
export const familyAddresses = {
  evm: z.string().meta({ description: 'On EVM chains.' }),
  solana: z.string().meta({ description: 'On Solana; empty text without it.' }),
};

/** EIP-155, in an answer; 0 for a chain that has none. */
export const ChainId = perFamily(z.int().min(0), {
  evm: { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  solana: { type: 'integer', const: 0 },
});

/**
 * An optional key. `null` means absent too, but no schema looks for it: whoever reads a body leaves such keys out, once
 * for the whole body.
 */
export const optional = <T extends z.ZodType>(schema: T): z.ZodOptional<T> => schema.optional();

export type ChainSlug = z.output<typeof ChainSlug>;
