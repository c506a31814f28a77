/** What a wallet has to be to sign on a chain: the word of the wire for its family. */
export type Family = 'evm' | 'solana';

/** @param slug - Null: no chain in particular, as most are. */
export const familyOf = (slug: string | null): Family =>
  slug !== null && /^solana(-|$)/.test(slug) ? 'solana' : 'evm';
