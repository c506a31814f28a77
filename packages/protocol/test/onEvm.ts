import { families } from '../src/chains/families.ts';
import type { Decimals } from '../src/maths/decimal.ts';

/** Decimals of an EVM chain whose dollar has so many. */
export const onEvm = (usd: number): Decimals => ({ token: families.evm.tokenDecimals, usd });
