import type { RpcError } from '../wire.ts';

/** Whether the call itself fails, whichever provider is asked. */
export const isRevert = (error: RpcError): boolean =>
  revertDataOf(error) !== undefined || /revert|out of gas|intrinsic gas/i.test(error.message);

/** Providers put it into `data` or one level deeper. */
export const revertDataOf = ({ data }: RpcError): `0x${string}` | undefined => {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return typeof inner === 'string' && /^0x([0-9a-f]{2})*$/i.test(inner) ? (inner as `0x${string}`) : undefined;
};
