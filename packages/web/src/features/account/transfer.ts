/** An amount as people type it, in base units; null: it is none, is 0, or has more places than there are. */
export const amountOf = (text: string, decimals: number): bigint | null => {
  const [, whole, part = ''] = /^(\d{1,30})(?:[.,](\d{1,36}))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > decimals) return null;
  const amount = BigInt(whole + part.padEnd(decimals, '0'));
  return amount === 0n ? null : amount;
};

/** `transfer(address,uint256)` of ERC-20. */
export const transferData = (to: string, amount: bigint): `0x${string}` =>
  `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
