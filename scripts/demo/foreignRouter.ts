import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeApprove } from '@mintage/protocol';
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  type TransactionReceipt,
} from 'viem';
import type { DemoToken, Stage } from './trade.ts';

/** Lowest and highest price of a Uniswap v4 pool, each moved one step inside: no limit. */
const lowestSqrtPrice = 4295128740n;
const highestSqrtPrice = 1461446703485210103287273052203988822378723970341n;

const swapAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'struct TestSettings { bool takeClaims; bool settleUsingBurn; }',
  'function swap(PoolKey key, SwapParams params, TestSettings testSettings, bytes hookData) payable returns (int256)',
]);

/** Buys for exactly `usdIn` on the token's pool through a router that knows nothing of us: Uniswap's own PoolSwapTest. */
export const buyThroughForeignRouter = async (
  { chain, usd, poolManager, poolHook }: Stage,
  token: DemoToken,
  account: LocalAccount,
  usdIn: bigint,
): Promise<TransactionReceipt> => {
  const artifact = createRequire(import.meta.url).resolve('@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json');
  const { abi, bytecode } = JSON.parse(readFileSync(artifact, 'utf8')) as { abi: Abi; bytecode: { object: Hex } };
  const code = encodeDeployData({ abi, bytecode: bytecode.object, args: [poolManager] });
  const router = (await chain.send(account, { data: code })).contractAddress as Address;
  await chain.send(account, { to: usd, data: encodeApprove(router, usdIn) });
  const usdIsFirst = BigInt(usd) < BigInt(token.address);
  const [currency0, currency1] = usdIsFirst ? [usd, token.address] : [token.address, usd];
  const data = encodeFunctionData({
    abi: swapAbi,
    functionName: 'swap',
    args: [
      { currency0, currency1, fee: 0, tickSpacing: 200, hooks: poolHook },
      {
        zeroForOne: usdIsFirst,
        amountSpecified: -usdIn,
        sqrtPriceLimitX96: usdIsFirst ? lowestSqrtPrice : highestSqrtPrice,
      },
      { takeClaims: false, settleUsingBurn: false },
      '0x',
    ],
  });
  return chain.send(account, { to: router, data });
};
