import { formatUnits, totalSupply, units18 } from '@mintage/protocol';

/** Market cap, or its change, from a price or a change of price: USD with 18 fraction digits. */
export const marketCap18 = (priceUsd18: bigint): bigint => priceUsd18 * totalSupply;

/** `name` as decimal text in whole units, `name_raw` as digits in base units; both null when unknown. */
export const amountKeys = <Name extends string, Amount extends bigint | undefined>(
  name: Name,
  baseUnits: Amount,
  decimals: number,
) =>
  ({
    [name]: baseUnits === undefined ? null : formatUnits(baseUnits, decimals),
    [`${name}_raw`]: baseUnits?.toString() ?? null,
  }) as { [Key in Name | `${Name}_raw`]: Amount extends bigint ? string : string | null };

/** Base units of a token in percent of its whole supply, rounded down. */
export const percentOfSupply = (amount: bigint, tokenDecimals: number): string =>
  formatUnits((units18(amount, tokenDecimals) * 100n) / totalSupply, 18);

/** Difference to `before` in percent of it with 18 fraction digits, rounded to zero; undefined when there was nothing. */
export const changePct18 = (now: bigint, before: bigint): bigint | undefined =>
  before === 0n ? undefined : ((now - before) * 100n * 10n ** 18n) / before;

/** Decimal text of a value with 18 fraction digits; null when it is unknown. */
export const text18 = (value: bigint | undefined): string | null =>
  value === undefined ? null : formatUnits(value, 18);
