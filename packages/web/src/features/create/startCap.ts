import type { PoolType } from './draft.ts';

/** Market cap of an untouched curve, whole dollars, cut: its virtual dollars over its virtual tokens, times the supply. */
export const startCap: Readonly<Record<PoolType, number>> = { meme: 11_111, 'startup-preseed': 14_062, test: 111 };
