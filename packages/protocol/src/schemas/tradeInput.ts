import { z } from 'zod';
import { acknowledgeOption, executeOption } from './executionParts.ts';
import { AddressText, BaseUnits, Builder, optional } from './scalars.ts';

/** Inputs that creating and trading share. */

/** A number in whole units: at most 15 significant digits, no exponent; checked against the token's decimals later. */
export const PositiveNumber = z.number({ error: 'must be a plain number' }).gt(0, 'must be greater than zero');

/** A number is whole tokens, a string is base units. */
export const TokenAmount = z
  .union([PositiveNumber, BaseUnits.refine((text) => text !== '0', 'must be greater than zero')], {
    error: 'must be a number of whole tokens greater than zero, or a string of base units in decimal digits',
  })
  .meta({ id: 'TokenAmount', description: 'Number: whole tokens. String: base units (wei).' });

/** Of a trade only: the first buy of a creation cannot slip. */
export const slippageOption = {
  slippageBps: optional(
    z.number({ error: 'must be a whole number of basis points' }).int().min(0, 'must not be negative'),
  ).meta({
    description: 'Basis points, at most 5000. Absent: 100, or 300 while the token is younger than 10 minutes.',
  }),
  limitAmountRaw: optional(BaseUnits).meta({
    description:
      'The worst that you accept, base units: `limitAmountRaw` of the quote that you saw. The least to receive where the amount ' +
      'to give is exact, else the most to pay. The slippage still counts where it is stricter. Absent: the slippage alone.',
  }),
};

export const orderOptions = {
  userAddress: optional(AddressText).meta({
    description: 'The wallet that will send the transaction. Absent: your embedded wallet.',
  }),
  builder: optional(Builder),
  token_referral: optional(AddressText).meta({
    description: 'Wallet that earns 15 basis points out of the creator’s part.',
  }),
  deadline: optional(z.number({ error: 'must be unix seconds' }).int().positive()).meta({
    description: 'Unix seconds, at most 24 hours ahead. Absent: 120 s ahead, 300 s on Ethereum.',
  }),
  simulate: optional(z.boolean()).meta({
    description:
      'Absent or true: priced and simulated at the latest block. false: priced from the index, not simulated.',
  }),
  ...executeOption,
  ...acknowledgeOption,
};

export const PoolTypeSlug = z
  .enum(['meme', 'startup-preseed', 'test'], { error: 'must be meme, startup-preseed or test' })
  .meta({ id: 'PoolType' });
