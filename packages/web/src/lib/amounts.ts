import { MintageError, parseUnits } from '@mintage/protocol';
import { amountWrong } from '../messages/en/common.ts';

/** What a text says as an amount: plain decimal text, or why it is none. */
export type ReadAmount = { plain: string } | { wrong: 'digits' | 'ambiguous' };

/** Of the person's locale; where that has another sign, a point. */
export const decimalSign = (): '.' | ',' =>
  new Intl.NumberFormat().formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';

/**
 * Every field for an amount reads it by this. Point and comma are told apart by where they stand; where that says nothing, as in `1,125`,
 * only the sign of the person's own locale is taken for a decimal one: a thousandfold mistake is worse than a question.
 */
export const readAmount = (text: string, sign: '.' | ',' = decimalSign()): ReadAmount => {
  // Digits and signs of full width are what some keyboards write.
  const bare = text.normalize('NFKC').replace(/[\s'’]/g, '');
  if (!/^[\d.,]*$/.test(bare)) return { wrong: 'digits' };
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const [whole, part] = last === -1 ? [bare, null] : [bare.slice(0, last), bare.slice(last + 1)];
  const isOneKind = last === -1 || !bare.includes(bare[last] === '.' ? ',' : '.');
  if (isOneKind && /[.,]/.test(whole)) return isGrouped(bare) ? plainly(bare, null) : { wrong: 'digits' };
  if (!isOneKind) return isGrouped(whole) ? plainly(whole, part) : { wrong: 'digits' };
  // No group begins with 0: `0,500` is a half.
  const mayBeGroup = part?.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return mayBeGroup && bare[last] !== sign ? { wrong: 'ambiguous' } : plainly(whole, part);
};

const isGrouped = (text: string): boolean => /^[1-9]\d{0,2}(?:(\.\d{3})+|(,\d{3})+)$/.test(text);

const plainly = (whole: string, part: string | null): ReadAmount => {
  const plain = whole.replace(/[.,]/g, '') + (part === null ? '' : `.${part}`);
  return /^\d{0,30}(\.\d{0,18})?$/.test(plain) ? { plain } : { wrong: 'digits' };
};

/** A plain amount as it is typed in the person's locale. */
export const asTyped = (plain: string): string => plain.replace('.', decimalSign());

/** The amount as plain decimal text; null: it is none. */
export const typedAmount = (text: string, sign?: '.' | ','): string | null => {
  const read = readAmount(text, sign);
  return 'plain' in read ? read.plain : null;
};

/** Why a text is no amount, in words; null: it is one, or nothing yet. */
export const amountProblem = (text: string): string | null => {
  const read = readAmount(text);
  if ('plain' in read) return null;
  if (read.wrong === 'digits') return amountWrong.digits(asTyped('12.50'));
  const bare = text.normalize('NFKC').replace(/\s/g, '');
  const [whole = '', part = ''] = bare.split(/[.,]/);
  return amountWrong.ambiguous(bare, whole + part, asTyped(`${whole}.${part}`));
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
