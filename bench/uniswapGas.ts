import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Abi,
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  toHex,
} from 'viem';

/** Gas of one repeated ERC-20 to ERC-20 swap, as the receipt says it: 21,000 and calldata included. */
export interface UniswapGas {
  v2Router: number;
  v3Router: number;
  v4UniversalRouter: number;
}

const unit = 10n ** 18n;
const forever = 2n ** 40n;
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/**
 * Measures Uniswap v2, v3 and v4 through their own routers, from the published bytecode, on the local chain at `url`: plain
 * ERC-20s, warm accounts, 12 seconds between trades.
 */
export const measureUniswap = async (url: string): Promise<UniswapGas> => {
  const chain = await openChain(url);
  const tokens = [await deployToken(chain), await deployToken(chain)] as const;
  const [first, second] = BigInt(tokens[0]) < BigInt(tokens[1]) ? tokens : ([tokens[1], tokens[0]] as const);
  return {
    v2Router: await measureV2(chain, first, second),
    v3Router: await measureV3(chain, first, second),
    v4UniversalRouter: await measureV4(chain, first, second),
  };
};

interface Artifact {
  abi: Abi;
  bytecode: Hex;
}

interface Chain {
  account: Address;
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Gas that the transaction used; 12 seconds after the one before. */
  send(to: Address | null, data: Hex): Promise<{ gas: number; created: Address }>;
  deploy(artifact: Artifact, args?: readonly unknown[]): Promise<Address>;
  call(artifact: Pick<Artifact, 'abi'>, to: Address, functionName: string, args: readonly unknown[]): Promise<number>;
}

const openChain = async (url: string): Promise<Chain> => {
  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  const [account] = (await request('eth_accounts', [])) as [Address];
  const send: Chain['send'] = async (to, data) => {
    await request('evm_increaseTime', [12]);
    const hash = await request('eth_sendTransaction', [{ from: account, to, data, gas: '0x1312d00' }]);
    const receipt = (await receiptOf(request, hash)) as { status: Hex; gasUsed: Hex; contractAddress: Address };
    if (receipt.status !== '0x1') throw new Error(`A transaction to ${to ?? 'a new contract'} reverted.`);
    return { gas: Number(receipt.gasUsed), created: receipt.contractAddress };
  };
  return {
    account,
    request,
    send,
    deploy: async ({ abi, bytecode }, args = []) =>
      (await send(null, encodeDeployData({ abi, bytecode, args }))).created,
    call: async ({ abi }, to, functionName, args) =>
      (await send(to, encodeFunctionData({ abi, functionName, args }))).gas,
  };
};

/** The answer to a sent transaction can come a moment before its receipt. */
const receiptOf = async (request: Chain['request'], hash: unknown): Promise<unknown> => {
  for (let attempt = 0; attempt < 200; attempt++) {
    const receipt = await request('eth_getTransactionReceipt', [hash]);
    if (receipt !== null) return receipt;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`No receipt of ${String(hash)}.`);
};

/** Creation code as its package publishes it; compilers write the field in different ways. */
const published = (path: string): Artifact => {
  const file = createRequire(import.meta.url).resolve(path);
  const { abi, bytecode, evm } = JSON.parse(readFileSync(file, 'utf8'));
  const code: string = bytecode?.object ?? bytecode ?? evm.bytecode.object;
  return { abi, bytecode: (code.startsWith('0x') ? code : `0x${code}`) as Hex };
};

const erc20 = parseAbi(['function approve(address spender, uint256 amount)']);

/** A plain ERC-20; all of it belongs to the account. */
const deployToken = (chain: Chain): Promise<Address> =>
  chain.deploy(published('@uniswap/v2-periphery/build/ERC20.json'), [10n ** 12n * unit]);

const approveBoth = async (chain: Chain, spender: Address, first: Address, second: Address): Promise<void> => {
  for (const token of [first, second]) await chain.call({ abi: erc20 }, token, 'approve', [spender, maxUint256]);
};

/** The third of equal swaps: accounts, pool and oracle are warm. */
const repeated = async (swap: () => Promise<number>): Promise<number> => {
  await swap();
  await swap();
  return swap();
};

const measureV2 = async (chain: Chain, first: Address, second: Address): Promise<number> => {
  const factory = await chain.deploy(published('@uniswap/v2-core/build/UniswapV2Factory.json'), [chain.account]);
  const router = published('@uniswap/v2-periphery/build/UniswapV2Router02.json');
  const weth = await deployToken(chain);
  const at = await chain.deploy(router, [factory, weth]);
  await approveBoth(chain, at, first, second);
  const deposit = 10n ** 6n * unit;
  await chain.call(router, at, 'addLiquidity', [first, second, deposit, deposit, 0n, 0n, chain.account, forever]);
  const swap = [unit, 1n, [first, second], chain.account, forever];
  return repeated(() => chain.call(router, at, 'swapExactTokensForTokens', swap));
};

const measureV3 = async (chain: Chain, first: Address, second: Address): Promise<number> => {
  const root = '@uniswap/v3-periphery/artifacts/contracts';
  const weth = await deployToken(chain);
  const factory = await chain.deploy(
    published('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  );
  const positions = published(`${root}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`);
  const positionsAt = await chain.deploy(positions, [factory, weth, weth]);
  const router = published(`${root}/SwapRouter.sol/SwapRouter.json`);
  const routerAt = await chain.deploy(router, [factory, weth]);
  await approveBoth(chain, positionsAt, first, second);
  await approveBoth(chain, routerAt, first, second);
  const fee = 3000;
  await chain.call(positions, positionsAt, 'createAndInitializePoolIfNecessary', [first, second, fee, 2n ** 96n]);
  const deposit = 10n ** 6n * unit;
  const position = {
    token0: first,
    token1: second,
    fee,
    tickLower: -887_220,
    tickUpper: 887_220,
    amount0Desired: deposit,
    amount1Desired: deposit,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: chain.account,
    deadline: forever,
  };
  await chain.call(positions, positionsAt, 'mint', [position]);
  const swap = {
    tokenIn: first,
    tokenOut: second,
    fee,
    recipient: chain.account,
    deadline: forever,
    amountIn: unit,
    amountOutMinimum: 1n,
    sqrtPriceLimitX96: 0n,
  };
  return repeated(() => chain.call(router, routerAt, 'exactInputSingle', [swap]));
};

const poolKeyType = {
  type: 'tuple',
  components: [
    { name: 'currency0', type: 'address' },
    { name: 'currency1', type: 'address' },
    { name: 'fee', type: 'uint24' },
    { name: 'tickSpacing', type: 'int24' },
    { name: 'hooks', type: 'address' },
  ],
} as const;

const measureV4 = async (chain: Chain, first: Address, second: Address): Promise<number> => {
  const core = '@uniswap/v4-core/out';
  const manager = published(`${core}/PoolManager.sol/PoolManager.json`);
  const managerAt = await chain.deploy(manager, [chain.account]);
  const liquidity = published(`${core}/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json`);
  const liquidityAt = await chain.deploy(liquidity, [managerAt]);
  await approveBoth(chain, liquidityAt, first, second);
  const none = pad('0x', { size: 20 });
  const key = { currency0: first, currency1: second, fee: 3000, tickSpacing: 60, hooks: none };
  await chain.call(manager, managerAt, 'initialize', [key, 2n ** 96n]);
  const range = {
    tickLower: -887_220,
    tickUpper: 887_220,
    liquidityDelta: 10n ** 6n * unit,
    salt: pad('0x', { size: 32 }),
  };
  // Two functions of that name: the shorter one by its own signature.
  const modify = liquidity.abi.filter((item) => item.type === 'function' && item.inputs.length === 3);
  await chain.call({ abi: modify }, liquidityAt, 'modifyLiquidity', [key, range, '0x']);

  await installPermit2(chain);
  const router = published('@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json');
  const nothing = keccak256('0x');
  const routerAt = await chain.deploy(router, [
    {
      permit2,
      weth9: none,
      v2Factory: none,
      v3Factory: none,
      pairInitCodeHash: nothing,
      poolInitCodeHash: nothing,
      v4PoolManager: managerAt,
      v3NFTPositionManager: none,
      v4PositionManager: none,
      spokePool: none,
    },
  ]);
  await approveBoth(chain, permit2, first, second);
  const allow = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)']);
  await chain.call({ abi: allow }, permit2, 'approve', [first, routerAt, 2n ** 160n - 1n, 2 ** 48 - 1]);

  const single = {
    type: 'tuple',
    components: [
      { ...poolKeyType, name: 'poolKey' },
      { name: 'zeroForOne', type: 'bool' },
      { name: 'amountIn', type: 'uint128' },
      { name: 'amountOutMinimum', type: 'uint128' },
      { name: 'hookData', type: 'bytes' },
    ],
  } as const;
  const swap = { poolKey: key, zeroForOne: true, amountIn: unit, amountOutMinimum: 1n, hookData: '0x' } as const;
  const currencyAmount = [{ type: 'address' }, { type: 'uint256' }] as const;
  const actions = concat([swapExactInSingle, settleAll, takeAll]);
  const input = encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes[]' }],
    [
      actions,
      [
        encodeAbiParameters([single], [swap]),
        encodeAbiParameters(currencyAmount, [first, unit]),
        encodeAbiParameters(currencyAmount, [second, 1n]),
      ],
    ],
  );
  const execute = router.abi.filter((item) => item.type === 'function' && item.inputs.length === 3);
  return repeated(() => chain.call({ abi: execute }, routerAt, 'execute', [v4Swap, [input], forever]));
};

/** Command and actions of the universal router. */
const v4Swap: Hex = '0x10';
const swapExactInSingle: Hex = '0x06';
const settleAll: Hex = '0x0c';
const takeAll: Hex = '0x0f';

/**
 * No package publishes Permit2 by itself; a test helper of v4-periphery carries it and hands it to `etch` of a test
 * machine. A trace of that call shows the code, which then goes to Permit2's own address.
 */
const installPermit2 = async (chain: Chain): Promise<void> => {
  const helper = await chain.deploy(
    published('@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json'),
  );
  const testMachine: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d';
  await chain.request('anvil_setCode', [testMachine, toHex(Uint8Array.of(0))]);
  const data = encodeFunctionData({ abi: parseAbi(['function deployPermit2() returns (address)']) });
  const trace = (await chain.request('debug_traceCall', [
    { from: chain.account, to: helper, data, gas: '0x1312d00' },
    'latest',
    { tracer: 'callTracer' },
  ])) as { calls?: { to: Address; input: Hex }[] };
  const etch = trace.calls?.find(({ to }) => to.toLowerCase() === testMachine);
  if (!etch) throw new Error('The helper did not hand out the code of Permit2.');
  const { args } = decodeFunctionData({ abi: parseAbi(['function etch(address, bytes)']), data: etch.input });
  await chain.request('anvil_setCode', [permit2, args[1]]);
};
