import { zeroAddress } from 'viem';
import type { Address } from '../../chain/servedChain.ts';
import { lowerAddress } from './chainOf.ts';
import type { OrderIntent } from './quote.ts';

/** Addresses that the caller names to share in the fee of a trade. */
export interface AttributionFields {
  builder?: { code: string; fee: number };
  token_referral?: string;
}

/**
 * The attribution in the Launchpad's form: the zero address means nobody, and without a builder there is no builder
 * fee.
 */
export const attributionOf = ({
  builder,
  token_referral,
}: AttributionFields): Pick<OrderIntent, 'builder' | 'referral'> => {
  const code = personOf(builder?.code);
  return {
    builder: builder === undefined || code === null ? null : { code, feeBps: builder.fee },
    referral: personOf(token_referral),
  };
};

const personOf = (address: string | undefined): Address | null => {
  if (address === undefined) return null;
  const lower = lowerAddress(address);
  return lower === zeroAddress ? null : lower;
};
