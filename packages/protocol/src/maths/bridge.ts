/** What a transfer between EVM chains carries, whose tokens have 18 decimals. Source: libraries/BridgePath.sol, TokenBridge.sol. */

/** Base units of the smallest amount that a message carries: 10⁻⁶ token. */
export const bridgeUnit = 10n ** 12n;

/** Base units that one path takes in each direction: a tenth of the supply an hour, regained continuously. */
export const bridgeLimit = 10n ** 26n;
export const bridgeWindowSeconds = 3_600n;

/** The part of an amount that crosses; the rest stays with its sender. */
export const crossingAmountDown = (amount: bigint): bigint => amount - (amount % bridgeUnit);

/**
 * Whole seconds until a path takes `amount`, when it takes `left` now.
 *
 * @returns Null for more than it ever takes at once.
 */
export const secondsUntilRoomUp = (amount: bigint, left: bigint): bigint | null => {
  if (amount > bridgeLimit) return null;
  if (amount <= left) return 0n;
  return ((amount - left) * bridgeWindowSeconds + bridgeLimit - 1n) / bridgeLimit;
};
