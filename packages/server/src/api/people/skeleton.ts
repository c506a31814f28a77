import unhomoglyph from 'unhomoglyph';

/**
 * What all texts that look alike have in common, by Unicode's table of confusable characters (UTS 39): case, marks, spaces,
 * invisible characters and `_` do not count. For comparing only, never shown.
 */
export const skeletonOf = (text: string): string => {
  // Large letters are like others than their small ones are.
  const large = unhomoglyph(text.normalize('NFKD')).toLowerCase();
  return unhomoglyph(large)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}_]/gu, '');
};

/** Stricter: only letters and digits count, and a large `I` may stand for `l`. */
export const lettersOf = (text: string): string =>
  skeletonOf(text)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l');
