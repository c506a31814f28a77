import { type Address, parseHexAddress } from '@mintage/protocol';

const bearerAddress = /^Bearer +(0x[0-9a-fA-F]{40})$/i;

/** The wallet that a bearer text names. Naming proves nothing: only a signature by that wallet does. */
export const namedWallet = (authorization: string | undefined): Address | null =>
  parseHexAddress(bearerAddress.exec(authorization ?? '')?.[1]?.toLowerCase() ?? '');
