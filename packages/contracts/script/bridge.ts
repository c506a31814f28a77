import {
  type Chain,
  type LayerZero,
  layerZeroEndpointAbi,
  layerZeroLibraryAbi,
  tokenBridgeAbi,
} from '@mintage/protocol';
import { type Address, type PublicClient, parseAbi } from 'viem';

/** What a route needs of the chain at each of its ends. */
export type BridgeChain = Pick<Chain, 'slug' | 'chainId' | 'eid' | 'testnet' | 'finalityBlocks' | 'layerZero'>;

/** A route of the bridge on one chain, with every LayerZero setting of both directions. Source: ITokenBridge.RouteConfig. */
export interface BridgeRoute {
  eid: number;
  chainId: bigint;
  transferGas: number;
  registrationGas: number;
  /** Blocks of this chain that verifiers wait; of the other one for what arrives. */
  sendConfirmations: bigint;
  receiveConfirmations: bigint;
  sendLibrary: Address;
  receiveLibrary: Address;
  executor: Address;
  /** On this chain, ascending; all must agree. */
  dvns: Address[];
}

/**
 * The routes from one chain to others.
 *
 * @throws For a chain without LayerZero or without a measured finality, and for a mainnet route that two verifiers do not
 * share: one that is deceived would be enough.
 */
export const bridgeRoutes = (here: BridgeChain, others: readonly BridgeChain[]): BridgeRoute[] =>
  others.map((there) => {
    const [ours, theirs] = [layerZeroOf(here), layerZeroOf(there)];
    const shared = Object.keys(ours.dvns).filter((name) => name in theirs.dvns);
    if (shared.length < (here.testnet && there.testnet ? 1 : 2))
      throw new Error(
        `${here.slug} and ${there.slug} share ${shared.length} of the verifiers that we know; a mainnet route needs two. ` +
          'Run a DVN of your own on both, and name it with --dvn.',
      );
    return {
      eid: there.eid,
      chainId: BigInt(there.chainId as number),
      ...deliveryGasOn(there),
      sendConfirmations: confirmationsOf(here),
      receiveConfirmations: confirmationsOf(there),
      sendLibrary: ours.sendLibrary,
      receiveLibrary: ours.receiveLibrary,
      executor: ours.executor,
      dvns: shared.map((name) => ours.dvns[name] as Address).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
    };
  });

const layerZeroOf = ({ slug, layerZero }: BridgeChain): LayerZero => {
  if (layerZero === null) throw new Error(`${slug} has no LayerZero that we know.`);
  return layerZero;
};

const confirmationsOf = ({ slug, finalityBlocks }: BridgeChain): bigint => {
  if (!finalityBlocks) throw new Error(`${slug} has no known finality, so no message from it can be trusted.`);
  return BigInt(finalityBlocks);
};

/** Gas is metered otherwise on these, by how much is not measured yet. */
const meteredOtherwise: ReadonlySet<string> = new Set(['monad', 'abstract', 'zksync', 'zksync-testnet']);

/** Measured: 74,000 for a new holder and 250,000 with the registration of a long name (docs/decisions/0045-token-bridge.md). */
const deliveryGasOn = ({ slug }: BridgeChain) => {
  const factor = meteredOtherwise.has(slug) ? 2 : 1;
  return { transferGas: 120_000 * factor, registrationGas: 400_000 * factor };
};

// ---------------------------------------------------------------- checks against a chain

const managerAbi = parseAbi([
  'function delegates(address oapp) view returns (address)',
  'function getSendLibrary(address sender, uint32 eid) view returns (address)',
  'function isDefaultSendLibrary(address sender, uint32 eid) view returns (bool)',
  'function getReceiveLibrary(address receiver, uint32 eid) view returns (address library, bool isDefault)',
]);
const libraryAbi = [
  ...layerZeroLibraryAbi,
  ...parseAbi([
    'function executorConfigs(address oapp, uint32 eid) view returns (uint32 maxMessageSize, address executor)',
  ]),
] as const;

/** @throws When there is no endpoint of this chain's id, or no code where a library or worker should be. */
export const requireLayerZero = async (client: PublicClient, chain: BridgeChain): Promise<LayerZero> => {
  const layerZero = layerZeroOf(chain);
  const { endpoint, sendLibrary, receiveLibrary, executor, dvns } = layerZero;
  for (const [what, address] of Object.entries({ endpoint, sendLibrary, receiveLibrary, executor, ...dvns }))
    if (!(await client.getCode({ address })))
      throw new Error(`There is no code at ${address} (LayerZero's ${what}) on ${chain.slug}.`);
  const eid = await client.readContract({ address: endpoint, abi: layerZeroEndpointAbi, functionName: 'eid' });
  if (eid !== chain.eid)
    throw new Error(`The endpoint ${endpoint} has the id ${eid}, but ${chain.slug} is ${chain.eid}.`);
  return layerZero;
};

export interface ExpectedBridge {
  owner: Address;
  guardian: Address;
  layerZero: LayerZero;
  factory: Address;
  routes: readonly BridgeRoute[];
}

/**
 * What the bridge on this chain is not as it should be, a sentence each: roles, routes, and every setting of every path as
 * LayerZero itself holds it. Empty: all as expected, and no default decides anything.
 */
export const bridgeFaults = async (
  client: PublicClient,
  bridge: Address,
  expected: ExpectedBridge,
): Promise<string[]> => {
  const faults: string[] = [];
  const expect = (what: string, is: unknown, should: unknown): void => {
    if (text(is) !== text(should)) faults.push(`${what} is ${text(is)}, not ${text(should)}.`);
  };
  const read = <N extends 'owner' | 'guardian' | 'endpoint' | 'factory'>(functionName: N) =>
    client.readContract({ address: bridge, abi: tokenBridgeAbi, functionName });
  const { endpoint } = expected.layerZero;
  expect("The bridge's endpoint", await read('endpoint'), endpoint);
  expect("The bridge's factory", await read('factory'), expected.factory);
  expect("The bridge's owner", await read('owner'), expected.owner);
  expect("The bridge's guardian", await read('guardian'), expected.guardian);
  expect(
    "The bridge's delegate at the endpoint",
    await client.readContract({ address: endpoint, abi: managerAbi, functionName: 'delegates', args: [bridge] }),
    expected.owner,
  );
  for (const route of expected.routes) await expectRoute(client, bridge, endpoint, route, expect);
  return faults;
};

const expectRoute = async (
  client: PublicClient,
  bridge: Address,
  endpoint: Address,
  route: BridgeRoute,
  expect: (what: string, is: unknown, should: unknown) => void,
): Promise<void> => {
  const { eid, sendLibrary, receiveLibrary } = route;
  const path = `of the path to ${eid}`;
  const { chainId, transferGas, registrationGas, open } = await client.readContract({
    address: bridge,
    abi: tokenBridgeAbi,
    functionName: 'routeOf',
    args: [eid],
  });
  expect(`Being open ${path}`, open, true);
  expect(`The chain id ${path}`, chainId, route.chainId);
  expect(`The gas ${path}`, [transferGas, registrationGas], [route.transferGas, route.registrationGas]);

  const args = [bridge, eid] as const;
  const manager = { address: endpoint, abi: managerAbi, args } as const;
  expect(
    `The send library ${path}`,
    await client.readContract({ ...manager, functionName: 'getSendLibrary' }),
    sendLibrary,
  );
  expect(
    `A default send library ${path}`,
    await client.readContract({ ...manager, functionName: 'isDefaultSendLibrary' }),
    false,
  );
  expect(`The receive library ${path}`, await client.readContract({ ...manager, functionName: 'getReceiveLibrary' }), [
    receiveLibrary,
    false,
  ]);
  const uln = (address: Address) =>
    client.readContract({ address, abi: libraryAbi, functionName: 'getAppUlnConfig', args });
  expect(`What is verified on sending ${path}`, await uln(sendLibrary), pinned(route.sendConfirmations, route.dvns));
  expect(
    `What is verified on arrival ${path}`,
    await uln(receiveLibrary),
    pinned(route.receiveConfirmations, route.dvns),
  );
  expect(
    `The executor ${path}`,
    await client.readContract({ address: sendLibrary, abi: libraryAbi, functionName: 'executorConfigs', args }),
    [maxMessageBytes, route.executor],
  );
};

const maxMessageBytes = 10_000;
/** Says "none"; zero would say "the default". */
const none = 255;

const pinned = (confirmations: bigint, requiredDVNs: readonly Address[]) => ({
  confirmations,
  requiredDVNCount: requiredDVNs.length,
  optionalDVNCount: none,
  optionalDVNThreshold: 0,
  requiredDVNs,
  optionalDVNs: [],
});

/** The same text for the same values, however an address is written. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)).toLowerCase();
