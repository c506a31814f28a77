/**
 * Characters that make a text look like another: they turn its direction, which goes on in what stands beside it, or are not seen. A
 * token that was made without this service may have them in its name. What joins letters and emoji stays.
 */
const deceptive =
  /(?![\n\r\t])[\p{Cc}\u{ad}\u{115f}\u{1160}\u{180e}\u{200b}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}]/gu;

/** The same answer with the sign of an unreadable character for each of them, so that nothing of them is left and nothing is hidden. */
export const plain = <Answer>(answer: Answer): Answer => cleaned(answer) as Answer;

const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(deceptive, '\ufffd');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
};
