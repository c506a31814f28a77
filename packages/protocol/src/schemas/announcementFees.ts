import { z } from 'zod';
import { BaseUnits, ChainSlug } from './scalars.ts';

/** What it costs to make a token known on other chains. */
export const announcementFees = {
  chains: z.array(
    z.strictObject({
      chain: ChainSlug.meta({ description: 'Where a message goes.' }),
      nativeFee: BaseUnits.meta({ description: 'What it costs, base units of the coin.' }),
    }),
  ),
  nativeFee: BaseUnits.meta({ description: 'Of all messages, base units of the coin.' }),
  nativeFeeMax: BaseUnits.meta({ description: 'The `value` of the transaction; the rest returns to the sender.' }),
};
