import { MintageError, parseUnits } from '@mintage/protocol';

/**
 * What somebody types as an amount, as plain decimal text: every field reads it by this, so that a comma means the same everywhere.
 * Groups of three are taken out, and the comma that some keyboards have in place of a point is one. Null: no amount begins like this.
 */
export const typedAmount = (text: string): string | null => {
  const bare = text.replace(/\s/g, '');
  // No group begins with 0: `0,500` is a half.
  const plain = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return /^\d{0,30}(\.\d{0,18})?$/.test(plain) ? plain : null;
};

/** The amount in base units; null: it is none, is 0, or has more places than there are. */
export const typedUnits = (text: string, decimals: number): bigint | null => {
  const plain = typedAmount(text);
  if (plain === null || !/\d/.test(plain)) return null;
  try {
    const amount = parseUnits(complete(plain), decimals);
    return amount === 0n ? null : amount;
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    return null;
  }
};

/** `.5`, `5.` and `05` are amounts too. */
export const complete = (plain: string): string =>
  plain
    .replace(/^0+(?=\d)/, '')
    .replace(/^\./, '0.')
    .replace(/\.$/, '');
