import { parseAbi } from 'viem';

/** Events that are not only ours: of any token, and of Uniswap v4. */
export { erc20Abi } from 'viem';
export const poolManagerAbi = parseAbi(['event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)']);
