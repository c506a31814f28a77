import { chainIds } from '@mintage/protocol';

const hexHash = /^0x[0-9a-fA-F]{64}$/;
/** Of Solana a transaction's hash is its signature: 64 bytes. */
const signature = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Whether a text can be the hash of a transaction of this chain. */
export const isHashOn = (slug: string, text: string): boolean => {
  const chain = Object.hasOwn(chainIds, slug) ? chainIds[slug as keyof typeof chainIds] : null;
  return chain !== null && (chain.family === 'solana' ? signature : hexHash).test(text);
};
