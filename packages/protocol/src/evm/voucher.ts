import type { Voucher } from './calldata.ts';

const types = {
  Voucher: [
    { name: 'user', type: 'address' },
    { name: 'referrer', type: 'address' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/**
 * What the voucher signer signs by EIP-712: the protocol referrer of `user`, for one Launchpad on one chain.
 * Source: contracts/src/Settings.sol, `setReferrer`.
 */
export const voucherTypedData = (voucher: Voucher, deployment: { chainId: number; launchpad: `0x${string}` }) => ({
  domain: {
    name: 'MintageLaunchpad',
    version: '1',
    chainId: deployment.chainId,
    verifyingContract: deployment.launchpad,
  },
  types,
  primaryType: 'Voucher' as const,
  message: voucher,
});
