import { formatRatioFloor } from './decimal.ts';
import { tokenDecimals, totalSupply } from './poolTypes.ts';
import type { Price } from './trade.ts';

const tokenUnit = 10n ** BigInt(tokenDecimals);

/** USD per whole token as decimal text: 18 fraction digits, rounded down. */
export const formatPriceUsd = ({ usd, tokens }: Price, usdDecimals: number): string =>
  formatRatioFloor(usd * tokenUnit, tokens * 10n ** BigInt(usdDecimals));

/** USD for the whole supply at this price as decimal text: 18 fraction digits, rounded down. */
export const formatFdvUsd = ({ usd, tokens }: Price, usdDecimals: number): string =>
  formatRatioFloor(usd * tokenUnit * totalSupply, tokens * 10n ** BigInt(usdDecimals));
