import { chainTypeOn } from '@mintage/sdk';

/** What a wallet has to be to sign on a chain: the word of the wire for its family. */
export type Family = NonNullable<ReturnType<typeof chainTypeOn>>;

/** @param slug - Null: no chain in particular, as most are; the service refuses a slug that is none. */
export const familyOf = (slug: string | null): Family => (slug === null ? null : chainTypeOn(slug)) ?? 'evm';
