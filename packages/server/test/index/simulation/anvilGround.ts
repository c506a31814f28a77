import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DevChain, foreignBuy, startChains } from '@mintage/devnet';
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
  type TradeKind,
  voucherTypedData,
} from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex, parseAbi, zeroAddress } from 'viem';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import { createEvmFollower } from '../../../src/index/evm/evmFollower.ts';
import { startIndexer } from '../../../src/index/indexer.ts';
import type { IndexerOrder } from '../indexerProcess.ts';
import { lies, startLiar } from '../liar.ts';
import { Random } from '../random.ts';
import { finalityBlocks, type Ground, type Subject } from './ground.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const program = fileURLToPath(new URL('../indexerProcess.ts', import.meta.url));
const pollMs = 10;

/**
 * Real contracts on a local chain, with Uniswap v4 for even seeds and PancakeSwap v3 for odd ones, real reorgs (anvil goes back to an older state and grows another branch from there), a
 * provider in front of it that lies, and the indexer as a process of its own.
 *
 * @param folder - Where the chain that all seeds begin with is kept between calls.
 */
export const anvilGround = async (seed: number, folder: string): Promise<Ground> => {
  const { chains, stop } = await startChains([seed % 2 === 0 ? 'base-sepolia' : 'bnb-testnet'], {
    dataDir: folder,
    frozen: true,
    heartbeat: false,
    keptStates: 1000,
    seed: prepare,
  });
  const [chain] = chains as [DevChain];
  try {
    await chain.rpc('anvil_autoImpersonateAccount', [true]);
    await chain.rpc('evm_setAutomine', [false]);
    await chain.rpc('anvil_mine', [numberToHex(finalityBlocks + 2)]); // nothing below can be undone: it came from a file
    const random = new Random(seed);
    const crowd = new Crowd(chain, random);
    const liar = await startLiar(chain.rpcUrl);
    let turns: (keyof typeof lies)[] = [];
    const providers = [liar.url, chain.rpcUrl, `${chain.rpcUrl}/`];

    const mine = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) await crowd.block();
    };
    const height = async (): Promise<number> => Number(await chain.rpc('eth_blockNumber'));
    return {
      height,
      mine,
      reorg: async (depth, grow) => {
        await chain.rpc('anvil_rollback', [depth]);
        await mine(grow);
      },
      trouble: () => {
        if (turns.length === 0) turns = random.shuffled(Object.keys(lies) as (keyof typeof lies)[]);
        liar.lie = lies[turns.pop() as keyof typeof lies](random);
      },
      suffer: async () => {
        const until = performance.now() + 500;
        const before = liar.lied;
        while (liar.lied < before + 5 && performance.now() < until) await sleep(10);
      },
      honest: () => {
        liar.lie = undefined;
      },
      start: (database) => startProcess(chain, providers, database),
      rebuild: async (db, finality) => {
        const { deployment } = chain;
        const served = {
          chain: chain.chain,
          deployment,
          rpcUrls: [chain.rpcUrl],
          finalityBlocks: { index: finality, sign: finality },
        };
        const indexer = await startIndexer({
          db,
          chains: [served],
          createFollower: createEvmFollower,
          log: quiet,
          pollMs,
        });
        await indexer.caughtUp();
        await indexer.stop();
      },
      stop: async () => {
        await liar.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

const startProcess = async (
  { chain, deployment }: DevChain,
  rpcUrls: readonly string[],
  { url }: RunningDatabase,
): Promise<Subject> => {
  const finality = { index: finalityBlocks, sign: finalityBlocks };
  const order: IndexerOrder = { chain, deployment, rpcUrls, finalityBlocks: finality, databaseUrl: url, pollMs };
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, INDEXER: JSON.stringify(order) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  await heard(child, exit);
  return {
    caughtUp: async () => {
      child.send('caughtUp');
      await heard(child, exit);
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exit;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
};

/** The process's next message. */
const heard = async (child: ChildProcess, exit: Promise<unknown[]>): Promise<void> => {
  const waiting = new AbortController();
  const message = once(child, 'message', { signal: waiting.signal }).then(() => true);
  const isHeard = await Promise.race([message, exit.then(() => false)]);
  waiting.abort();
  if (!isHeard) throw new Error(`the indexer's process ended with code ${child.exitCode}`);
};

// ---------------------------------------------------------------- people

const names = ['alice', 'bob', 'carol', 'dave', 'builder', 'promoter', 'treasury', 'owner'] as const;
type Name = (typeof names)[number];
const mostTokens = 12;
const usualGas = 3_000_000;
/** Of a graduation that makes the pool. */
const gasOfAPool = 9_000_000;
const deadAddress: Hex = `0x${'0'.repeat(36)}dead`;

/** Everybody has dollars that the launchpad and a foreign router may take; blocks beyond those that a reorg can reach. */
const prepare = async (chain: DevChain): Promise<void> => {
  const { usd, usdDecimals, launchpad } = chain.deployment;
  for (const name of names) {
    const account = chain.accounts[name];
    await chain.wallet.send(account, { to: usd, data: encodeMint(account.address, 10n ** BigInt(usdDecimals + 7)) });
    for (const spender of [launchpad, chain.foreignRouter])
      await chain.wallet.send(account, { to: usd, data: encodeApprove(spender, maxUint256) });
  }
};

const managerAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function setProtocolFeeController(address controller)',
  'function setProtocolFee(PoolKey key, uint24 protocolFee)',
]);

const exchangeAbi = parseAbi([
  'function createPool(address, address, uint24) returns (address)',
  'function initialize(uint160)',
  'function mint(address pool, int24 lower, int24 upper, uint128 liquidity)',
  'function burn(address pool, int24 lower, int24 upper, uint128 liquidity)',
]);

/** Does what people do, and much that they had better not: some of it reverts, which is part of a chain too. */
class Crowd {
  readonly #chain: DevChain;
  readonly #random: Random;
  /** Newest last; a reorg may have taken some of them away. */
  readonly #tokens: Hex[] = [];
  #created = 0;

  constructor(chain: DevChain, random: Random) {
    this.#chain = chain;
    this.#random = random;
  }

  /** One block with up to five acts, most often seconds after the one before, now and then hours or days. */
  async block(): Promise<void> {
    const random = this.#random;
    const { timestamp } = (await this.#chain.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex };
    const pause = random.chance(0.85)
      ? random.whole(1, 3)
      : random.chance(0.8)
        ? random.whole(4, 900)
        : random.chance(0.9)
          ? random.whole(900, 25_000)
          : random.whole(25_000, 800_000);
    for (let i = random.whole(0, 5); i > 0; i -= 1) await this.#act();
    await this.#chain.rpc('evm_setNextBlockTimestamp', [numberToHex(Number(timestamp) + pause)]);
    await this.#chain.rpc('evm_mine');
  }

  async #act(): Promise<void> {
    const random = this.#random;
    const who = random.pick(names);
    const token = random.chance(0.06) || this.#tokens.length === 0 ? undefined : random.pick(this.#tokens);
    const held = token === undefined ? undefined : await this.#heldBy(who, token);
    if (token === undefined || held === undefined) return this.#create(who);
    const { launchpad, usd } = this.#chain.deployment;
    const to = this.#addressOf(random.pick(names));
    const strange = random.pick([launchpad, deadAddress, this.#addressOf(who), usd]);
    const taken = random.pick([maxUint256, random.amount(10n ** 6n)]);
    const acts: [number, () => Promise<void>][] = [
      [6, () => this.#order(who, 'buyExactIn', token, this.#spend(), 0n)],
      [2, () => this.#order(who, 'buyExactOut', token, random.amount(10n ** 26n), maxUint256 >> 1n)],
      [4, () => this.#order(who, 'sellExactIn', token, this.#part(held), 0n)],
      [2, () => this.#order(who, 'sellExactOut', token, this.#spend(), held)],
      [3, () => this.#call(who, 'transfer', [to, this.#part(held)], token)],
      [1, () => this.#call(who, 'transfer', [strange, this.#part(held)], token)],
      [1, () => this.#send(who, launchpad, encodeWithdrawBatch([usd], to, [taken]))],
      [1, () => this.#call(who, 'collectTreasury', [[token]])],
      [2, () => this.#call(who, 'graduate', [token], this.#chain.deployment.launchpad, gasOfAPool)],
      [2, () => this.#foreign(who, token)],
      [1, () => this.#refer()],
      [0.3, () => this.#call('owner', 'setTreasury', [this.#addressOf(random.pick(['treasury', 'promoter']))])],
      ...this.#actsOfVenue(who, token),
    ];
    let dice = random.next() * acts.reduce((total, [weight]) => total + weight, 0);
    for (const [weight, act] of acts) {
      dice -= weight;
      if (dice <= 0) return act();
    }
  }

  /** Acts, and how often they are chosen. */
  #actsOfVenue(who: Name, token: Hex): [number, () => Promise<void>][] {
    const { exchange, usd } = this.#chain.deployment;
    if (exchange === null) return [[0.5, () => this.#protocolFee(token)]];
    const pool = poolAddressOf(exchange, usd, token);
    return [
      [2, () => this.#call(who, 'collectPoolFees', [token])],
      [2, () => this.#call(who, 'withdrawBatch', [[token], this.#addressOf(who), [maxUint256]])],
      [0.5, () => this.#call(who, 'createPool', [usd, token, 10_000], exchange.factory)],
      [0.5, () => this.#call(who, 'initialize', [this.#random.pick([2n ** 60n, 2n ** 96n, 2n ** 140n])], pool)],
      [2, () => this.#call(who, this.#random.pick(['mint', 'burn']), this.#position(pool), this.#chain.foreignRouter)],
    ];
  }

  /** A stranger's dollars in some range, often on the wrong side of the price. */
  #position(pool: Hex): readonly unknown[] {
    const lower = this.#random.whole(-2_000, 2_000) * 200;
    return [pool, lower, lower + this.#random.whole(1, 50) * 200, this.#random.amount(10n ** 16n)];
  }

  /** A token, most often of the kind that graduates after a few buys; sometimes with a first buy in the same transaction. */
  async #create(who: Name): Promise<void> {
    const random = this.#random;
    this.#created += 1;
    const salt = numberToHex(this.#created, { size: 32 });
    const address = await this.#tokenAddress(who, salt);
    this.#tokens.push(address);
    if (this.#tokens.length > mostTokens) this.#tokens.shift();
    const poolType = random.pick([7, 8, 9, 9, 9]);
    const name = random.pick(['Coin', 'Münze', '\u0000', 'Coin', 'a'.repeat(300)]);
    const create = encodeCreate({ name, symbol: 'C', uri: 'ipfs://x', salt, poolType, deadline: maxUint256 });
    const buy = encodeOrder('buyExactIn', this.#terms(who, address, this.#spend(), 0n));
    await this.#send(
      who,
      this.#chain.deployment.launchpad,
      random.chance(0.5) ? encodeMulticall([create, buy]) : create,
    );
  }

  #terms(who: Name, token: Hex, amount: bigint, limit: bigint): Order {
    const random = this.#random;
    const isBuilt = random.chance(0.3);
    return {
      token,
      amount,
      limit,
      recipient: this.#addressOf(random.chance(0.9) ? who : random.pick(names)),
      builder: isBuilt ? this.#addressOf('builder') : zeroAddress,
      builderBps: isBuilt ? BigInt(random.pick([1, 50, 100])) : 0n,
      referral: random.chance(0.3) ? this.#addressOf(random.pick(names)) : zeroAddress,
      deadline: maxUint256,
    };
  }

  #order(who: Name, kind: TradeKind, token: Hex, amount: bigint, limit: bigint): Promise<void> {
    const data = encodeOrder(kind, this.#terms(who, token, amount, limit));
    return this.#send(who, this.#chain.deployment.launchpad, data);
  }

  /** A swap past our contracts: our hook meets it as any stranger's. */
  #foreign(who: Name, token: Hex): Promise<void> {
    const { to, data } = foreignBuy(this.#chain, token, this.#spend());
    return this.#send(who, to, data);
  }

  async #refer(): Promise<void> {
    const random = this.#random;
    const { accounts, deployment } = this.#chain;
    const { timestamp } = (await this.#chain.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex };
    const voucher = {
      user: this.#addressOf(random.pick(names)),
      referrer: this.#addressOf(random.pick(names)),
      deadline: BigInt(timestamp) + 3_600n,
    };
    const signature = await accounts.voucherSigner.signTypedData(voucherTypedData(voucher, deployment));
    await this.#send(random.pick(names), deployment.launchpad, encodeSetReferrer(voucher, signature));
  }

  /** Uniswap's owner takes a part of the pool's fees, or nothing again. */
  async #protocolFee(token: Hex): Promise<void> {
    const { usd, poolHook } = this.#chain.deployment;
    const { poolManager } = this.#chain.uniswap;
    const [currency0, currency1] = BigInt(usd) < BigInt(token) ? [usd, token] : [token, usd];
    const key = { currency0, currency1, fee: 0, tickSpacing: 200, hooks: poolHook };
    const bothWays = this.#random.pick([0, 100 | (100 << 12), 1000 | (1000 << 12)]);
    await this.#call('owner', 'setProtocolFeeController', [this.#addressOf('owner')], poolManager);
    await this.#call('owner', 'setProtocolFee', [key, bothWays], poolManager);
  }

  #call(
    who: Name,
    functionName: string,
    args: readonly unknown[],
    to: Hex = this.#chain.deployment.launchpad,
    gas = usualGas,
  ) {
    const data = encodeFunctionData({
      abi: [...launchpadAbi, ...erc20Abi, ...managerAbi, ...exchangeAbi],
      functionName,
      args,
    } as never);
    return this.#send(who, to, data, gas);
  }

  /** Into the next block; whether it reverts there is the chain's business. */
  async #send(who: Name, to: Hex, data: Hex, gas = usualGas): Promise<void> {
    const transaction = {
      from: this.#addressOf(who),
      to,
      data,
      gas: numberToHex(gas),
      gasPrice: numberToHex(10n ** 12n),
    };
    await this.#chain.rpc('eth_sendTransaction', [transaction]);
  }

  /** Undefined when there is no such token. */
  async #heldBy(who: Name, token: Hex): Promise<bigint | undefined> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [this.#addressOf(who)] });
    const held = (await this.#chain.rpc('eth_call', [{ to: token, data }, 'latest'])) as Hex;
    return held === '0x' ? undefined : BigInt(held);
  }

  async #tokenAddress(creator: Name, salt: Hex): Promise<Hex> {
    const { launchpad } = this.#chain.deployment;
    const args = [this.#addressOf(creator), salt] as const;
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'tokenAddress', args });
    return `0x${((await this.#chain.rpc('eth_call', [{ to: launchpad, data }, 'latest'])) as Hex).slice(26)}`;
  }

  #addressOf(name: Name): Hex {
    return this.#chain.accounts[name].address.toLowerCase() as Hex;
  }

  /** Dollars of one act: cents to more than a test curve raises. */
  #spend(): bigint {
    return this.#random.amount(400n * 10n ** BigInt(this.#chain.deployment.usdDecimals));
  }

  /** Of what is held: all, a part, or a little more than there is. */
  #part(held: bigint): bigint {
    return this.#random.chance(0.2) ? held : this.#random.amount(held + 1n);
  }
}
