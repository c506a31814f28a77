import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  create3FactoryOf,
  type DeployOptions,
  type DeployVenue,
  deploy,
  readDeployment,
} from '@mintage/contracts/deploy';
import { type Chain, chainBySlug, chains, type EvmDeployment, isV3, type Slug } from '@mintage/protocol';
import { type Address, type Hex, numberToHex } from 'viem';
import { type DevAccounts, devAccounts } from './accounts.ts';
import { allOrNothing } from './allOrNothing.ts';
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts';
import { deployExchange, exchangeOf } from './exchangeV3.ts';
import { PortTakenError } from './freePort.ts';
import { deployLayerZero, layerZeroOf, localConfirmations } from './layerZero/world.ts';
import { rpcRequest } from './rpc.ts';
import { deployUniswap, type Uniswap, uniswapOf } from './uniswap.ts';
import { createWallet, type Wallet } from './wallet.ts';

/** A local chain with the id of a real one, the exchange of its venue, a dollar token that anyone mints, and our contracts. */
export interface DevChain {
  chain: Chain & { chainId: number };
  deployment: EvmDeployment;
  rpcUrl: string;
  /** Of chains whose venue is Uniswap v4. */
  uniswap: Uniswap;
  /** Somebody else's: takes dollars that are approved to it, and trades in the pools of the chain's venue. */
  foreignRouter: Address;
  accounts: DevAccounts;
  wallet: Wallet;
  /** One JSON-RPC call. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Moves the chain's clock forward and mines a block at the new time. */
  advance(seconds: number): Promise<void>;
  /** Process id of the chain. */
  pid: number;
  /** Resolves when that process has ended, however it did. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ChainsOptions {
  /** Folder that keeps the chains between runs; absent: a temporary one, removed at the end. */
  dataDir?: string;
  /** Chains of `dataDir` stay as they were built: what happens to them in this run is forgotten at its end. */
  frozen?: boolean;
  /** Port of the first chain, the next ones follow, and the variable that sets it; absent: any free ports. */
  firstPort?: { number: number; variable: string };
  /** Number of states that a chain can go back to, including rolled-back ones; default 64. */
  keptStates?: number;
  /** Mine an empty block every second too; default true. Without it a chain advances only when told to. */
  heartbeat?: boolean;
  /** Unix seconds of block 0; default two hours ago, so that the past can be filled. */
  genesisTime?: number;
  /** Fills a new chain, one transaction per block and 60 seconds between blocks. */
  seed?: (chain: DevChain) => Promise<void>;
  /** One line about what happens. */
  log?: (line: string) => void;
}

export interface DevChains {
  chains: DevChain[];
  stop(): Promise<void>;
}

/**
 * Starts local chains, all at once, and builds those that are not in `dataDir` yet. When one fails, none is left
 * running.
 */
export const startChains = async (slugs: readonly Slug[], options: ChainsOptions = {}): Promise<DevChains> => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'mintage-chains-'));
  const removeData = (): void => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const accounts = devAccounts();
  try {
    const chains = await allOrNothing(
      slugs.map((slug, index) => startChain(evmChain(slug), join(dataDir, slug), index, accounts, options)),
      (chain) => chain.stop(),
    );
    const stop = async (): Promise<void> => {
      await Promise.all(chains.map((chain) => chain.stop()));
      removeData();
    };
    return { chains, stop };
  } catch (error) {
    removeData();
    throw error;
  }
};

const evmChain = (slug: Slug): Chain & { chainId: number } => {
  const chain = chainBySlug(slug);
  if (chain?.chainId == null) throw new Error(`${slug} has no EVM; a local chain cannot stand in for it.`);
  return { ...chain, chainId: chain.chainId };
};

type EvmChain = DevChain['chain'];

const startChain = async (
  chain: EvmChain,
  folder: string,
  index: number,
  accounts: DevAccounts,
  options: ChainsOptions,
): Promise<DevChain> => {
  const { firstPort } = options;
  const port = firstPort && { ...firstPort, number: firstPort.number + index };
  const open = (isNew: boolean): Promise<DevChain> => openChain(chain, folder, port, accounts, options, isNew);
  if (existsSync(folder)) {
    try {
      return await open(false);
    } catch (error) {
      if (!(error instanceof KeptChainError)) throw error;
      options.log?.(`${chain.slug} starts anew: ${error.message} The old one is kept as ${folder}.previous.`);
      rmSync(`${folder}.previous`, { recursive: true, force: true });
      renameSync(folder, `${folder}.previous`);
    }
  }
  await buildChain(chain, folder, accounts, options);
  return open(true);
};

/** The stored chain cannot be used by this version: it has other contracts, or a damaged file. */
class KeptChainError extends Error {}

/**
 * Builds the chain in a temporary folder and moves it into place when it is complete, so that a chain's folder is never
 * partial.
 */
const buildChain = async (
  chain: EvmChain,
  folder: string,
  accounts: DevAccounts,
  options: ChainsOptions,
): Promise<void> => {
  const workshop = `${folder}.new`;
  rmSync(workshop, { recursive: true, force: true });
  const { genesisTime, seed } = options;
  const template = genesisTime === undefined ? await templateOf(chain, accounts) : null;
  if (template === null) await build(chain, workshop, accounts, options);
  else {
    cpSync(template, workshop, { recursive: true });
    if (seed !== undefined)
      await inThePast(chain, workshop, {}, (anvil, wallet) => {
        const deployment = readDeployment(deploymentFile(workshop)) as EvmDeployment;
        return seed(devChain(chain, deployment, anvil, accounts, wallet));
      });
  }
  renameSync(workshop, folder);
};

/**
 * The chain without seeds in the folder that `TEST_CHAIN_TEMPLATES` names, null without one: the tests of a run start hundreds of
 * chains, which are copies of a few. Whoever needs one first makes it.
 */
const templateOf = async (chain: EvmChain, accounts: DevAccounts): Promise<string | null> => {
  const { TEST_CHAIN_TEMPLATES: templates } = process.env;
  if (!templates) return null;
  const template = join(templates, chain.slug);
  if (existsSync(template)) return template;
  const workshop = `${template}.${randomUUID()}`;
  // Younger than a chain of its own, because it grows older while the run goes on.
  await build(chain, workshop, accounts, { genesisTime: Math.floor(Date.now() / 1000) - 6000 });
  try {
    renameSync(workshop, template);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    rmSync(workshop, { recursive: true }); // another process has made it meanwhile
  }
  return template;
};

/** A new chain with the exchange of its venue, LayerZero, our contracts, and its seeds. */
const build = (
  chain: EvmChain,
  folder: string,
  accounts: DevAccounts,
  { genesisTime = Math.floor(Date.now() / 1000) - 7200, seed }: ChainsOptions,
): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  return inThePast(chain, folder, { genesisTime }, async (anvil, wallet) => {
    for (const { address } of Object.values(accounts))
      await rpcRequest(anvil.url, 'anvil_setBalance', [address, numberToHex(10n ** 24n)]);
    if (isV3(chain.venue)) await deployExchange(anvil.url, wallet, accounts, chain.venue.kind);
    else await deployUniswap(anvil.url, wallet, accounts);
    await deployLayerZero(
      anvil.url,
      wallet,
      accounts,
      chain.eid,
      othersOf(chain).map(({ eid }) => eid),
    );
    const deployment = await deployContracts(chain, anvil, folder, accounts);
    await seed?.(devChain(chain, deployment, anvil, accounts, wallet));
  });
};

/** Runs the chain of a folder for `work`, with 60 seconds between blocks. */
const inThePast = async (
  chain: EvmChain,
  folder: string,
  how: { genesisTime?: number },
  work: (anvil: Anvil, wallet: Wallet) => Promise<void>,
): Promise<void> => {
  const anvil = await launch(chain, folder, { heartbeat: false, ...how });
  try {
    await rpcRequest(anvil.url, 'anvil_setBlockTimestampInterval', [60]);
    // Without it the first block of a chain that was loaded is of now, and those after it of the future.
    const { timestamp } = (await rpcRequest(anvil.url, 'eth_getBlockByNumber', ['latest', false])) as {
      timestamp: Hex;
    };
    await rpcRequest(anvil.url, 'evm_setTime', [Number(timestamp)]);
    await work(anvil, createWallet(anvil.url, chain.chainId));
    await rpcRequest(anvil.url, 'anvil_removeBlockTimestampInterval', []);
  } finally {
    await anvil.stop();
  }
};

/** @param isNew - Built just now: what is on it needs no look. */
const openChain = async (
  chain: EvmChain,
  folder: string,
  port: AnvilOptions['port'],
  accounts: DevAccounts,
  options: ChainsOptions,
  isNew: boolean,
): Promise<DevChain> => {
  const { heartbeat = true, frozen = false, keptStates } = options;
  const stored = readDeployment(deploymentFile(folder));
  // Contracts of an earlier generation have other addresses: ours would be deployed beside them, without any token.
  const { address: factory } = create3FactoryOf(accounts.deployer.address);
  if (stored?.create3Factory !== factory) throw new KeptChainError('its contracts are of an earlier version.');
  const anvil = await launch(chain, folder, { heartbeat, frozen, keptStates, port }).catch((cause: unknown) => {
    if (cause instanceof PortTakenError) throw cause;
    throw new KeptChainError(`its file cannot be loaded (${(cause as Error).message}).`, { cause });
  });
  try {
    // Existing contracts are checked; a stored chain with other contracts is refused.
    const deployment = isNew ? stored : await deployContracts(chain, anvil, folder, accounts);
    // The newest block is old; without a current one the chain would seem to have stopped.
    if (heartbeat) await rpcRequest(anvil.url, 'evm_mine', []);
    return devChain(chain, deployment, anvil, accounts, createWallet(anvil.url, chain.chainId));
  } catch (cause) {
    await anvil.stop();
    throw new KeptChainError(`it holds other contracts (${(cause as Error).message}).`, { cause });
  }
};

const launch = (
  chain: EvmChain,
  folder: string,
  how: {
    heartbeat: boolean;
    frozen?: boolean;
    keptStates?: number | undefined;
    genesisTime?: number;
    port?: AnvilOptions['port'];
  },
): Promise<Anvil> =>
  startAnvil({
    chainId: chain.chainId,
    stateFile: join(folder, 'state.json'),
    cacheDir: join(folder, 'cache'),
    heartbeat: how.heartbeat,
    frozen: how.frozen ?? false,
    ...(how.keptStates === undefined ? {} : { keptStates: how.keptStates }),
    ...(how.genesisTime === undefined ? {} : { genesisTime: how.genesisTime }),
    ...(how.port === undefined ? {} : { port: how.port }),
  });

/** On Arbitrum a contract at this address tells the number of the block, which the Lens asks; a plain EVM has none there. */
const arbSys = {
  slug: 'arbitrum',
  address: '0x0000000000000000000000000000000000000064',
  numberOfBlock: '0x4360005260206000f3',
};

/** Deploys our contracts as on any chain. */
const deployContracts = async (
  chain: EvmChain,
  anvil: Anvil,
  folder: string,
  accounts: DevAccounts,
): Promise<EvmDeployment> => {
  if (chain.slug === arbSys.slug) await rpcRequest(anvil.url, 'anvil_setCode', [arbSys.address, arbSys.numberOfBlock]);
  const settings: DeployOptions = {
    rpcUrl: anvil.url,
    account: accounts.deployer,
    chain: localBridgeChain(chain, accounts),
    usd: 'test',
    venue: localVenue(chain, accounts),
    bridge: {
      guardian: accounts.guardian.address,
      peers: othersOf(chain).map((other) => localBridgeChain(other, accounts)),
    },
    owner: accounts.owner.address,
    treasury: accounts.treasury.address,
    voucherSigner: accounts.voucherSigner.address,
    testPoolType: chain.testnet,
    pollMs: 20,
    out: deploymentFile(folder),
  };
  return deploy(settings);
};

/** The chain's venue, as its local exchange. */
export const localVenue = ({ venue }: Pick<Chain, 'venue'>, accounts: DevAccounts): DeployVenue =>
  isV3(venue)
    ? { kind: venue.kind, exchange: exchangeOf(venue.kind).exchange }
    : { kind: 'uniswap_v4', poolManager: uniswapOf(accounts).poolManager };

/** The chain with LayerZero's local contracts, and as final as local messages are taken to be. */
export const localBridgeChain = <C extends Chain>(chain: C, accounts: DevAccounts): C => ({
  ...chain,
  layerZero: layerZeroOf(accounts),
  finalityBlocks: localConfirmations,
});

/** All other EVM chains, whether they run or not: routes are the same in every set of local chains. */
const othersOf = ({ slug }: EvmChain): Chain[] =>
  chains.filter((other) => other.chainId !== null && other.slug !== slug);

const deploymentFile = (folder: string): string => join(folder, 'deployment.json');

const devChain = (
  chain: EvmChain,
  deployment: EvmDeployment,
  anvil: Anvil,
  accounts: DevAccounts,
  wallet: Wallet,
): DevChain => {
  const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    rpcRequest(anvil.url, method, params);
  return {
    chain,
    deployment,
    rpcUrl: anvil.url,
    uniswap: uniswapOf(accounts),
    foreignRouter: isV3(chain.venue) ? exchangeOf(chain.venue.kind).router : uniswapOf(accounts).poolSwapTest,
    accounts,
    wallet,
    rpc,
    advance: async (seconds) => {
      await rpc('evm_increaseTime', [seconds]);
      await rpc('evm_mine');
    },
    pid: anvil.pid,
    ended: anvil.ended,
    stop: anvil.stop,
  };
};
