import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Chain, EvmDeployment } from '@mintage/protocol';
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  type PublicClient,
  parseAbi,
  zeroAddress,
} from 'viem';
import { creationCodeOf } from './artifact.ts';
import { type BridgeChain, bridgeFaults, bridgeRoutes, requireLayerZero } from './bridge.ts';
import { runtimeCodeOf } from './code.ts';
import {
  create2Proxy,
  create3AddressOf,
  create3FactoryOf,
  create3ProxyOf,
  hookSaltOf,
  lower,
  saltOf,
} from './create3.ts';
import { checkDollarToken } from './dollar.ts';
import { firstBlockWithCode } from './firstBlock.ts';
import { sendCreation, untilNothingWaits } from './send.ts';
import { requireTimelock } from './timelock.ts';
import { checkExchange, type DeployVenue, deployVenueOf, venueContracts } from './venue.ts';

export { creationCodeOf } from './artifact.ts';
export { type BridgeChain, type BridgeRoute, bridgeFaults, bridgeRoutes } from './bridge.ts';
export { create2Proxy, create3FactoryOf, hasHookFlags } from './create3.ts';
export type { DeployVenue } from './venue.ts';

export interface DeployOptions {
  rpcUrl: string;
  /** The factory's deployer: with its address all our addresses are decided, on every chain. Signs here. */
  account: LocalAccount;
  chain: Pick<Chain, 'dollarToken' | 'venue'> & BridgeChain;
  /** The dollar token; absent: the chain's own. `test`: a TestUSD with the decimals of the chain's own. */
  usd?: Address | 'test';
  /** Absent: the chain's own. Null: no venue, creation reverts. */
  venue?: DeployVenue | null;
  /** Null: tokens of this deployment never cross. */
  bridge: BridgeOptions | null;
  /** Who may change settings; with `proposers`, a timelock of 48 hours. */
  owner: Address;
  /** All who may announce an act of the owner. Given, an owner that acts at once or for others is refused: where money is real. */
  proposers?: readonly Address[];
  treasury: Address;
  voucherSigner: Address;
  /** Whether pool type 9 exists here; off on mainnets. */
  testPoolType: boolean;
  /** An account with dollars, for the check of exact transfers; absent: the deployer, else Uniswap's PoolManager. */
  dollarHolder?: Address;
  /** How often a receipt is asked for, in milliseconds; 1000 when absent. */
  pollMs?: number;
  /** Where `<chainId>.json` lies or will lie; absent: nothing is read or written. */
  out?: string;
}

export interface BridgeOptions {
  /** Pauses routes at once, and does nothing else. */
  guardian: Address;
  /** Where routes lead from the first block on. Its owner opens later ones. */
  peers: readonly BridgeChain[];
}

const launchpadAbi = parseAbi([
  'function usd() view returns (address)',
  'function poolManager() view returns (address)',
  'function poolFactory() view returns (address)',
  'function factory() view returns (address)',
  'function tokenImplementation() view returns (address)',
  'function owner() view returns (address)',
]);
const factoryAbi = parseAbi(['function deploy(bytes32 salt, bytes creationCode) returns (address)']);

/**
 * Puts our contracts on a chain, at the addresses that they have on every chain. Repeatable: what is there already is
 * compared with what would be deployed (code with all its constructor arguments, owner, interface) and never replaced.
 *
 * @throws When the provider answers for another chain, the dollar token or PoolManager is not usable, or something else
 * than ours stands at one of our addresses. What was deployed before a failure stays and is taken up by the next run.
 */
export const deploy = async (options: DeployOptions): Promise<EvmDeployment> => {
  const { account, chain } = options;
  const client = createPublicClient({
    transport: http(options.rpcUrl),
    cacheTime: 0,
    pollingInterval: options.pollMs ?? 1000,
  });
  await requireChain(client, chain);
  await untilNothingWaits(client, account.address);
  if (options.proposers !== undefined) await requireTimelock(client, options.owner, options.proposers);

  const venue = options.venue === undefined ? deployVenueOf(chain.venue) : options.venue;
  const poolManager = venue?.kind === 'uniswap_v4' ? venue.poolManager : null;
  const exchange = venue === null || venue.kind === 'uniswap_v4' ? null : venue.exchange;
  if (poolManager !== null) await requireCode(client, poolManager, 'PoolManager');
  if (exchange !== null) await checkExchange(client, exchange);
  const contracts = venueContracts(venue);
  const factory = await deployFactory(client, account);
  const addresses = addressesOf(factory);

  const codeHashes: Record<string, Hex> = {};
  const place = async (contract: Deployed, creationCode: Hex, repeatable = creationCode): Promise<number | null> => {
    const { codeHash, block } = await placeContract(client, account, factory, contract, creationCode, repeatable);
    codeHashes[contract] = codeHash;
    return block;
  };

  const usd = options.usd === 'test' ? addresses.TestUSD : (options.usd ?? (chain.dollarToken.address as Address));
  if (options.usd === 'test') await place('TestUSD', creationCodeOf('TestUSD', testDollar(chain.dollarToken)));
  const holders = [options.dollarHolder ?? account.address, ...(poolManager === null ? [] : [poolManager])];
  const dollar = await checkDollarToken(client, usd, holders, options.usd === 'test');

  // The Launchpad comes after all that it and its tokens trust: whoever holds the deployer's key can put any code at an
  // address of ours that has none, and never at one that has.
  const { Launchpad: launchpad, TokenFactory: tokenFactory, LaunchToken: tokenImplementation } = addresses;
  const bridge = options.bridge === null ? zeroAddress : addresses.TokenBridge;
  await place('Opening', creationCodeOf(contracts.opening));
  const tokenArguments = [tokenFactory, launchpad, bridge, ...contracts.tokenArguments(usd)];
  await place('LaunchToken', creationCodeOf(contracts.token, tokenArguments));
  await place('TokenFactory', creationCodeOf('TokenFactory', [tokenImplementation, launchpad, bridge]));
  if (options.bridge !== null) {
    const layerZero = await requireLayerZero(client, chain);
    const routes = bridgeRoutes(chain, options.bridge.peers);
    const {
      owner,
      bridge: { guardian },
    } = options;
    const config = { endpoint: layerZero.endpoint, factory: tokenFactory, owner, guardian };
    // Routes are no part of its code, and opened once: without them the creation can be tried again.
    await place(
      'TokenBridge',
      creationCodeOf('TokenBridge', [config, routes]),
      creationCodeOf('TokenBridge', [config, []]),
    );
    const faults = await bridgeFaults(client, bridge, { owner, guardian, layerZero, factory: tokenFactory, routes });
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }
  const config = {
    usd,
    factory: tokenFactory,
    owner: options.owner,
    treasury: options.treasury,
    voucherSigner: options.voucherSigner,
    testPoolType: options.testPoolType,
    graduationGas: contracts.graduationGas,
  };
  const launchpadArguments = [config, contracts.launchpadArgument];
  const libraries = { [contracts.opening]: addresses.Opening };
  const launchpadBlock = await place('Launchpad', creationCodeOf(contracts.launchpad, launchpadArguments, libraries));
  await place('Lens', creationCodeOf(contracts.lens, [launchpad]));
  await requireLaunchpad(client, launchpad, {
    usd,
    factory: tokenFactory,
    [contracts.named.read]: contracts.named.address,
    tokenImplementation,
    owner: options.owner,
  });

  const deployment: EvmDeployment = {
    chainId: chain.chainId as number,
    startBlock:
      launchpadBlock ?? readDeployment(options.out)?.startBlock ?? (await firstBlockWithCode(client, launchpad)),
    launchpad,
    poolHook: launchpad,
    tokenFactory,
    lens: addresses.Lens,
    tokenImplementation,
    tokenBridge: options.bridge === null ? null : bridge,
    layerZeroEndpoint: options.bridge === null ? null : (chain.layerZero?.endpoint ?? null),
    usd: lower(usd),
    usdDecimals: dollar.decimals,
    usdSymbol: dollar.symbol,
    usdMintable: options.usd === 'test',
    venue: venue?.kind ?? null,
    poolManager: poolManager === null ? null : lower(poolManager),
    exchange: exchange && { ...exchange, factory: lower(exchange.factory), deployer: lower(exchange.deployer) },
    create3Factory: factory,
    owner: lower(options.owner),
    codeHashes,
  };
  if (options.out !== undefined) writeDeployment(options.out, deployment);
  return deployment;
};

/** Our contracts by what they are to others; which contract each is depends on the chain's venue. */
const deployed = ['TestUSD', 'Opening', 'LaunchToken', 'TokenFactory', 'TokenBridge', 'Launchpad', 'Lens'] as const;
type Deployed = (typeof deployed)[number];

/** The addresses of all our contracts under one factory. */
export const addressesOf = (factory: Address): Record<Deployed, Address> => {
  const entries = deployed.map((name) => [name, create3AddressOf(factory, contractSaltOf(factory, name))]);
  return Object.fromEntries(entries);
};

const contractSaltOf = (factory: Address, name: Deployed): Hex =>
  name === 'Launchpad' ? hookSaltOf(factory) : saltOf(name);

/** The constructor's arguments of a TestUSD in place of the chain's own dollar token. */
const testDollar = ({ symbol, decimals }: Chain['dollarToken']) => [`Test ${symbol}`, symbol, decimals];

const deployFactory = async (client: PublicClient, account: LocalAccount): Promise<Address> => {
  const { address, data } = create3FactoryOf(account.address);
  if (await client.getCode({ address })) return address; // CREATE2: nothing else can stand there
  await requireCode(client, create2Proxy, 'the keyless CREATE2 proxy');
  await sendCreation(client, account, { to: create2Proxy, data }, address);
  return address;
};

interface Placed {
  /** keccak256 of the runtime code, which is what our creation code gives. */
  codeHash: Hex;
  /** Block of the deployment; null when it was there before. */
  block: number | null;
}

const placeContract = async (
  client: PublicClient,
  account: LocalAccount,
  factory: Address,
  contract: Deployed,
  creationCode: Hex,
  /** Gives the same runtime code, also where the contract is already. */
  repeatable: Hex,
): Promise<Placed> => {
  const salt = contractSaltOf(factory, contract);
  const address = create3AddressOf(factory, salt);
  const creator = create3ProxyOf(factory, salt);
  const expected = await runtimeCodeOf(client, { creator, nonce: 1, address, creationCode: repeatable });
  let block: number | null = null;
  if (!(await client.getCode({ address }))) {
    const data = encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args: [salt, creationCode] });
    const receipt = await sendCreation(client, account, { to: factory, data }, address);
    block = Number(receipt.blockNumber);
  }
  const present = await client.getCode({ address });
  if (present !== expected)
    throw new Error(`${contract} at ${address} is not what this version deploys with these settings.`);
  return { codeHash: keccak256(expected), block };
};

const requireChain = async (client: PublicClient, chain: DeployOptions['chain']): Promise<void> => {
  const answered = await client.getChainId();
  if (answered !== chain.chainId)
    throw new Error(`The provider answers for chain ${answered}, but ${chain.slug} is chain ${chain.chainId}.`);
};

const requireCode = async (client: PublicClient, address: Address, what: string): Promise<void> => {
  if (!(await client.getCode({ address }))) throw new Error(`There is no code at ${address} (${what}) on this chain.`);
};

/** What the Launchpad says of itself; storage (the owner) is not in its code. */
const requireLaunchpad = async (
  client: PublicClient,
  launchpad: Address,
  expected: Partial<Record<(typeof launchpadAbi)[number]['name'], Address>>,
): Promise<void> => {
  for (const { name: functionName } of launchpadAbi) {
    const address = expected[functionName];
    if (address === undefined) continue;
    const answer = await client.readContract({ address: launchpad, abi: launchpadAbi, functionName });
    if (!isAddressEqual(answer, address))
      throw new Error(`${functionName} of the Launchpad ${launchpad} is ${answer}, not ${address}.`);
  }
};

/** What an earlier run wrote, or null. */
export const readDeployment = (file: string | undefined): EvmDeployment | null => {
  if (file === undefined) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as EvmDeployment;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read as a deployment.`, { cause: error });
  }
};

/** What comes with the code: `<chainId>.json`. */
export const committedDeployments = new URL('../../protocol/src/chains/deployments/', import.meta.url);

const writeDeployment = (file: string, deployment: EvmDeployment): void => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(deployment, null, 2)}\n`);
  renameSync(draft, file); // whole or not at all: half a file would stop the next run
};
