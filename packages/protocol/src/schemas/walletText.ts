import { z } from 'zod';
import { eitherOf, perFamily } from './perFamily.ts';
import { AddressText, IsoTime, optional } from './scalars.ts';

/** What is asked and answered where a wallet signs a text (EIP-4361, Sign in with Solana): to sign in, or to be linked to an account. */

/** Fields that ask for a text. */
export const walletTextFields = {
  address: AddressText,
  chainId: optional(z.int().positive()).meta({
    description: 'Chain that the text of an EVM wallet names; absent: the first chain of this service.',
  }),
};

export const WalletText = z.strictObject({
  message: z.string().meta({ description: 'The text, to be signed as it is.' }),
  nonce: z.string().meta({ description: 'Part of the text; good once.' }),
  expiresAt: IsoTime.meta({ description: 'Until when the text is good.' }),
});

const hexSignature = /^(0x)?[a-fA-F0-9]{130}$/;
const base58Signature = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Fields that bring a text back. @param route - Where it comes from. */
export const signedTextFields = (route: string) => ({
  message: z
    .string()
    .min(1)
    .max(2_000)
    .meta({ description: `The text of \`${route}\`, unchanged.` }),
  signature: perFamily(
    z.string().regex(eitherOf(hexSignature, base58Signature), 'must be a signature: 65 bytes in hex'),
    {
      evm: { type: 'string', pattern: hexSignature.source },
      solana: { type: 'string', pattern: base58Signature.source },
    },
  ).meta({ description: 'Signature of the text: EIP-191 of an EVM wallet, base58 of 64 bytes of a Solana one.' }),
});
