import { replaceUnseen } from '@mintage/protocol';

/**
 * What shows nothing, or turns a text and what stands beside it, makes a text look like another. A token that was made
 * without this service may have such characters in its name. Ends of lines stay.
 */
const shown = (character: string): string => (/[\n\r\t]/.test(character) ? character : '\ufffd');

/** The same answer with the sign of an unreadable character for each of them, so that nothing of them is left and nothing is hidden. */
export const plain = <Answer>(answer: Answer): Answer => cleaned(answer) as Answer;

const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return replaceUnseen(value, shown);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
};
