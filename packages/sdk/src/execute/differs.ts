import { MintageError } from '@mintage/protocol';

/** What is written in bytes, or in one part of an answer, is not what another part says. Nothing was sent. */
export const differs = (what: string, found: unknown, said: unknown): MintageError =>
  new MintageError('BYTES_DIFFER', `${what}: the transaction has ${text(found)}, but ${text(said)} was to be there.`, {
    details: [{ path: what, message: `must be ${text(said)}` }],
  });

/** @throws MintageError BYTES_DIFFER. */
export const requireSame = (what: string, found: unknown, said: unknown): void => {
  if (text(found) !== text(said)) throw differs(what, found, said);
};

/** Amounts of the wire are text and those of bytes are not, so both are compared as text. */
const text = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
    : String(value);
