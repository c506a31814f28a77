import { z } from 'zod';
import { chainSlugs } from '../chains/chains.ts';

/** Shared input and output types of the operations. `null` counts as absent for every optional key (see `optional`). */

export const Address = z
  .string()
  .regex(/^0x[a-fA-F0-9]{40}$/, 'must be an address: 0x and 40 hex digits')
  .meta({ id: 'Address', description: 'EVM address.' });

export const Uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .meta({ id: 'Uuid' });

/** `opbnb` is taken as `op-bnb`. */
export const ChainSlug = z
  .preprocess(
    (value) => (value === 'opbnb' ? 'op-bnb' : value),
    z.enum(chainSlugs, { error: 'must be a chain slug; GET /chains lists them' }),
  )
  .meta({ id: 'ChainSlug' });

/** uuid, platform id, contract address or slug. */
export const TokenRef = z
  .string()
  .min(1, 'must name a token: its id, platform id, contract address or slug')
  .max(128)
  .meta({ id: 'TokenRef', description: 'Token id, platform id, contract address or slug.' });

export const Builder = z
  .object({
    code: Address,
    fee: z
      .number()
      .int('must be a whole number of basis points')
      .min(0)
      .max(10_000, 'must be at most 10000 basis points')
      .default(0)
      .meta({ description: 'Basis points of the gross amount, 0 to 10000; absent means 0.' }),
  })
  .meta({ id: 'Builder' });

/** Of the header `Idempotency-Key`. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters');

/** Base units as decimal digits. */
export const BaseUnits = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number of base units in decimal digits')
  .meta({ id: 'BaseUnits' });

/** Plain decimal text, at most 18 fraction digits. */
export const DecimalText = z
  .string()
  .regex(/^-?(0|[1-9][0-9]*)(\.[0-9]{1,18})?$/)
  .meta({ id: 'DecimalText' });

export const IsoTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/)
  .meta({ id: 'IsoTime' });

export const Hex = z
  .string()
  .regex(/^0x[a-fA-F0-9]*$/)
  .meta({ id: 'Hex' });

/**
 * An optional key. `null` means absent too, but no schema looks for it: whoever reads a body leaves such keys out, once
 * for the whole body.
 */
export const optional = <T extends z.ZodType>(schema: T): z.ZodOptional<T> => schema.optional();

export type ChainSlug = z.output<typeof ChainSlug>;
