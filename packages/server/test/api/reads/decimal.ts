/** A ratio of whole numbers as decimal text with at most 18 fraction digits, cut: written out by long division. */
export const decimal = (numerator: bigint, denominator: bigint): string => {
  const [positive, sign] = numerator < 0n ? [-numerator, '-'] : [numerator, ''];
  let rest = positive % denominator;
  let digits = '';
  while (rest !== 0n && digits.length < 18) {
    digits += (rest * 10n) / denominator;
    rest = (rest * 10n) % denominator;
  }
  const text = `${positive / denominator}.${digits}`.replace(/\.?0*$/, '');
  return text === '0' ? text : sign + text;
};
