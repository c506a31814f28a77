import { KekMissingError, type KeyEncryption } from './keyEncryption.ts';

/**
 * Several KEKs as one: the first wraps, every one unwraps what it wrapped.
 *
 * @param keks - At least one.
 */
export const keyRing = (keks: readonly KeyEncryption[]): KeyEncryption => {
  const [first] = keks;
  if (first === undefined) throw new RangeError('A key ring needs a key-encryption key.');
  const ids = [...new Set(keks.flatMap((kek) => kek.ids))];
  return {
    id: first.id,
    ids,
    wrap: (dataKey, context) => first.wrap(dataKey, context),
    async unwrap(kek, wrapped, context) {
      const holder = keks.find((one) => one.ids.includes(kek));
      if (holder === undefined) throw new KekMissingError(kek, ids);
      return holder.unwrap(kek, wrapped, context);
    },
  };
};
