import { parseAbi } from 'viem';

/** Events that are not only ours: of any token, and of the exchanges. */
export { erc20Abi } from 'viem';
/** Of a pool on Uniswap v3, and on PancakeSwap v3, which adds two fields. */
export const poolV3Abi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
]);
export const poolManagerAbi = parseAbi(['event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)']);
