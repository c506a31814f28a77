/** `transfer(address,uint256)` of ERC-20. */
export const transferData = (to: string, amount: bigint): `0x${string}` =>
  `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
