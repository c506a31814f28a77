/**
 * The nearest double of an exact decimal, for the number fields of the specification; converted only here, at the very
 * edge.
 */
export const numberOf = (decimalText: string): number => Number(decimalText);
