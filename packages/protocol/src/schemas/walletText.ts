import { z } from 'zod';
import { AddressText, IsoTime, optional } from './scalars.ts';

/** What is asked and answered where a wallet signs a text (EIP-4361): to sign in, or to be linked to an account. */

/** Fields that ask for a text. */
export const walletTextFields = {
  address: AddressText,
  chainId: optional(z.int().positive()).meta({
    description: 'Chain that the text names; absent: the first chain of this service.',
  }),
};

export const WalletText = z.strictObject({
  message: z.string().meta({ description: 'The text, to be signed as it is.' }),
  nonce: z.string().meta({ description: 'Part of the text; good once.' }),
  expiresAt: IsoTime.meta({ description: 'Until when the text is good.' }),
});

/** Fields that bring a text back. @param route - Where it comes from. */
export const signedTextFields = (route: string) => ({
  message: z
    .string()
    .min(1)
    .max(2_000)
    .meta({ description: `The text of \`${route}\`, unchanged.` }),
  signature: z
    .string()
    .regex(/^(0x)?[a-fA-F0-9]{130}$/, 'must be a signature: 65 bytes in hex')
    .meta({ description: 'EIP-191 signature of the text.' }),
});
