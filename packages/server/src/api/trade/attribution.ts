import { type Address, type Chain, isNobody } from '@mintage/protocol';
import { addressOn } from '../tokens/addresses.ts';
import type { NamedRecipient } from '../tokens/walls.ts';
import type { OrderIntent } from './quote.ts';

/** Addresses that the caller names to share in the fee of a trade. */
export interface AttributionFields {
  /** `fee`: basis points of the gross amount. */
  builder?: { code: string; fee: number };
  token_referral?: string;
}

/**
 * Who is named on this chain: the address that stands for nobody names nobody, and without a builder there is no builder
 * fee.
 *
 * @throws INVALID_PARAMETERS for an address that the chain cannot have.
 */
export const attributionOf = (
  chain: Chain,
  { builder, token_referral }: AttributionFields,
): Pick<OrderIntent, 'builder' | 'referral'> => {
  const code = personOf(chain, builder?.code, 'builder.code');
  return {
    builder: builder === undefined || code === null ? null : { code, feeBps: builder.fee },
    referral: personOf(chain, token_referral, 'token_referral'),
  };
};

/** The addresses that share in the fee, as recipients that `refuseWalls` judges. */
export const earnersOf = ({ builder, referral }: ReturnType<typeof attributionOf>): NamedRecipient[] => [
  ...(builder === null ? [] : [{ address: builder.code, field: 'builder.code' }]),
  ...(referral === null ? [] : [{ address: referral, field: 'token_referral' }]),
];

const personOf = (chain: Chain, text: string | undefined, field: string): Address | null => {
  if (text === undefined) return null;
  const address = addressOn(chain, text, field);
  return isNobody(address) ? null : address;
};
