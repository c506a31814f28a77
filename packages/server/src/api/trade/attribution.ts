import { zeroAddress } from 'viem';
import type { Address } from '../../chain/servedChain.ts';
import { lowerAddress } from './chainOf.ts';
import type { OrderIntent } from './quote.ts';

/** Who is named to earn from a trade. */
export interface AttributionFields {
  builder?: { code: string; fee: number };
  token_referral?: string;
}

/** As the Launchpad takes it: the zero address means nobody, and then there is no builder fee either. */
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
