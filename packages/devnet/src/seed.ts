import {
  encodeApprove,
  encodeCreate,
  encodeMint,
  encodeMulticall,
  encodeOrder,
  encodeSetReferrer,
  encodeWithdrawBatch,
  launchpadAbi,
  type Order,
  poolAddressOf,
  voucherTypedData,
} from '@mintage/protocol';
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseUnits,
  zeroAddress,
} from 'viem';
import type { DevAccountName } from './accounts.ts';
import type { DevChain } from './chains.ts';
import {
  type SeedOptions,
  type SeedPlace,
  type SeedStep,
  type SeedToken,
  seedSalt,
  seedTokensOn,
} from './seedTokens.ts';

/** Accounts that trade, with the test dollars that every account starts with. */
const traders = ['alice', 'bob', 'carol', 'dave'] as const satisfies readonly DevAccountName[];
const startUsd = 100_000;

/**
 * Fills a new chain with tokens in every stage, by transactions of its accounts. The same chain gives the same tokens,
 * trades and balances every time.
 */
export const seedChain = async (chain: DevChain, { uriOf = async () => '' }: SeedOptions = {}): Promise<void> => {
  const { accounts, deployment, wallet } = chain;
  const { usd, launchpad } = deployment;
  for (const name of traders) {
    const account = accounts[name];
    await wallet.send(account, { to: usd, data: encodeMint(account.address, usdUnits(chain, startUsd)) });
    await wallet.send(account, { to: usd, data: encodeApprove(launchpad, maxUint256) });
    await wallet.send(account, { to: usd, data: encodeApprove(chain.foreignRouter, maxUint256) });
  }
  await setReferrer(chain, 'carol', 'promoter');

  for (const token of seedTokensOn(chain)) {
    const address = await create(chain, token, await uriOf(token));
    for (const step of token.steps) await run(chain, address, step);
  }
  const everything = encodeWithdrawBatch([usd], accounts.builder.address, [maxUint256]);
  await wallet.send(accounts.builder, { to: launchpad, data: everything });
};

export const seedPlaceOn = (chain: DevChain): SeedPlace => ({
  chain: chain.chain,
  async placeOf(token) {
    const creator = chain.accounts[token.creator].address.toLowerCase() as Address;
    return { creator, address: await seedAddress(chain, token) };
  },
});

/** Where a seeded token is or will be. */
export const seedAddress = async (chain: DevChain, token: SeedToken): Promise<Address> => {
  const call = {
    abi: launchpadAbi,
    functionName: 'tokenAddress',
    args: [chain.accounts[token.creator].address, seedSalt(token)],
  } as const;
  const data = (await chain.rpc('eth_call', [
    { to: chain.deployment.launchpad, data: encodeFunctionData(call) },
    'latest',
  ])) as Hex;
  return decodeFunctionResult({ ...call, data }).toLowerCase() as Address;
};

const create = async (chain: DevChain, token: SeedToken, uri: string): Promise<Address> => {
  const { name, symbol, poolType } = token;
  const address = await seedAddress(chain, token);
  const calls = [encodeCreate({ name, symbol, uri, poolType, salt: seedSalt(token), deadline: maxUint256 })];
  if (token.initialBuyUsd !== undefined) {
    const amount = usdUnits(chain, token.initialBuyUsd);
    calls.push(encodeOrder('buyExactIn', order(chain, token.creator, address, amount)));
  }
  const data = calls.length === 1 ? (calls[0] as Hex) : encodeMulticall(calls);
  await chain.wallet.send(chain.accounts[token.creator], { to: chain.deployment.launchpad, data });
  return address;
};

const run = async (chain: DevChain, token: Address, step: SeedStep): Promise<void> => {
  const account = chain.accounts[step.who];
  const launchpad = chain.deployment.launchpad;
  if ('foreignBuyUsd' in step) {
    await chain.wallet.send(account, foreignBuy(chain, token, usdUnits(chain, step.foreignBuyUsd)));
  } else if ('buyUsd' in step) {
    const terms = order(chain, step.who, token, usdUnits(chain, step.buyUsd), step);
    await chain.wallet.send(account, { to: launchpad, data: encodeOrder('buyExactIn', terms) });
    await graduateIfDue(chain, token);
  } else {
    const held = await balanceOf(chain, token, account.address);
    const terms = order(chain, step.who, token, (held * BigInt(step.sellPercent)) / 100n, step);
    await chain.wallet.send(account, { to: launchpad, data: encodeOrder('sellExactIn', terms) });
  }
};

/** Where the last buy leaves the graduation to whoever comes next. */
const graduateIfDue = async ({ accounts, deployment, wallet, rpc }: DevChain, token: Address): Promise<void> => {
  if (deployment.exchange === null) return;
  const call = {
    to: deployment.launchpad,
    data: encodeFunctionData({ abi: launchpadAbi, functionName: 'graduate', args: [token] }),
  };
  const isDue = await rpc('eth_call', [call, 'latest']).then(
    () => true,
    () => false, // the curve still has tokens, or the pool is open
  );
  if (isDue) await wallet.send(accounts.faucet, { ...call, gas: 9_000_000n }); // it makes the pool
};

/** Accepts any price: nobody else trades while the chain is filled. */
const order = (
  chain: DevChain,
  who: DevAccountName,
  token: Address,
  amount: bigint,
  terms: { builderBps?: number; referred?: true } = {},
): Order => ({
  token,
  amount,
  limit: 0n,
  recipient: chain.accounts[who].address,
  builder: terms.builderBps === undefined ? zeroAddress : chain.accounts.builder.address,
  builderBps: BigInt(terms.builderBps ?? 0),
  referral: terms.referred ? chain.accounts.promoter.address : zeroAddress,
  deadline: maxUint256,
});

/** Longest lifetime of a voucher that the Launchpad accepts, seconds. */
const voucherSeconds = 3_600n;

const setReferrer = async (chain: DevChain, user: DevAccountName, referrer: DevAccountName): Promise<void> => {
  const { accounts, deployment, wallet, rpc } = chain;
  const { timestamp } = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex };
  const voucher = {
    user: accounts[user].address,
    referrer: accounts[referrer].address,
    deadline: BigInt(timestamp) + voucherSeconds,
  };
  const signature = await accounts.voucherSigner.signTypedData(voucherTypedData(voucher, deployment));
  await wallet.send(accounts[user], { to: deployment.launchpad, data: encodeSetReferrer(voucher, signature) });
};

const swapAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'struct TestSettings { bool takeClaims; bool settleUsingBurn; }',
  'function swap(PoolKey key, SwapParams params, TestSettings testSettings, bytes hookData) payable returns (int256)',
]);
/** `RouterV3`; a positive amount is what goes in. */
export const routerV3Abi = parseAbi([
  'function swap(address pool, bool zeroForOne, int256 amountSpecified) returns (int256, int256)',
  'function mint(address pool, int24 lower, int24 upper, uint128 liquidity)',
  'function burn(address pool, int24 lower, int24 upper, uint128 liquidity)',
]);
/** The ends of v4's price range: no limit. */
const lowestPriceX96 = 4295128740n;
const highestPriceX96 = 1461446703485210103287273052203988822378723970341n;

/** An exact-in buy through somebody else's router; the caller must have approved dollars to it. */
export const foreignBuy = (
  { deployment, foreignRouter }: DevChain,
  token: Address,
  usd: bigint,
): { to: Address; data: Hex } => {
  const isUsdFirst = deployment.usd.toLowerCase() < token.toLowerCase();
  if (deployment.exchange !== null) {
    const pool = poolAddressOf(deployment.exchange, deployment.usd, token);
    const args = [pool, isUsdFirst, usd] as const;
    return { to: foreignRouter, data: encodeFunctionData({ abi: routerV3Abi, functionName: 'swap', args }) };
  }
  const [currency0, currency1] = isUsdFirst ? [deployment.usd, token] : [token, deployment.usd];
  const data = encodeFunctionData({
    abi: swapAbi,
    functionName: 'swap',
    args: [
      { currency0, currency1, fee: 0, tickSpacing: 200, hooks: deployment.poolHook },
      {
        zeroForOne: isUsdFirst,
        amountSpecified: -usd,
        sqrtPriceLimitX96: isUsdFirst ? lowestPriceX96 : highestPriceX96,
      },
      { takeClaims: false, settleUsingBurn: false },
      '0x',
    ],
  });
  return { to: foreignRouter, data };
};

const usdUnits = ({ deployment }: DevChain, dollars: number): bigint =>
  parseUnits(String(dollars), deployment.usdDecimals);

const balanceOf = async ({ rpc }: DevChain, token: Address, wallet: Address): Promise<bigint> => {
  const data = encodeFunctionData({
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [wallet],
  });
  return BigInt((await rpc('eth_call', [{ to: token, data }, 'latest'])) as Hex);
};
