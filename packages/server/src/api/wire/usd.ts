/** For the spec's number fields: the nearest double of the exact decimal, made at the very edge. */
export const numberOf = (decimalText: string): number => Number(decimalText);
