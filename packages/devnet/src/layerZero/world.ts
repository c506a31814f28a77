import type { LayerZero } from '@mintage/protocol';
import { type Address, encodeFunctionData, getContractAddress } from 'viem';
import type { DevAccounts } from '../accounts.ts';
import { placeAt } from '../placeAt.ts';
import { rpcRequest } from '../rpc.ts';
import type { Wallet } from '../wallet.ts';
import { artifactOf, creationOf, type LayerZeroContract } from './artifacts.ts';

/** The contracts in the order in which their account creates them: its nonce decides the address, the same on every chain. */
const created = [
  'endpoint',
  'sendLibrary',
  'receiveLibrary',
  'priceFeed',
  'executorFees',
  'verifierFees',
  'executor',
  'verifierA',
  'verifierB',
] as const;
type World = Record<(typeof created)[number], Address>;

const worldOf = ({ layerZero }: Pick<DevAccounts, 'layerZero'>): World =>
  Object.fromEntries(
    created.map((name, i) => [name, getContractAddress({ from: layerZero.address, nonce: BigInt(i) }).toLowerCase()]),
  ) as World;

/** LayerZero's contracts on every local chain, computed without asking one. */
export const layerZeroOf = (accounts: DevAccounts): LayerZero => {
  const { endpoint, sendLibrary, receiveLibrary, executor, verifierA, verifierB } = worldOf(accounts);
  const dvns = { verifierA, verifierB } as Record<string, `0x${string}`>;
  return { endpoint, sendLibrary, receiveLibrary, executor, dvns };
};

/** What no chain's table has stands where it would locally. */
const standing = (accounts: DevAccounts, { dvns, ...stand }: LayerZero): World => {
  const [verifierA, verifierB] = Object.values(dvns);
  if (verifierA === undefined || verifierB === undefined) throw new Error('two verifiers are needed');
  return { ...worldOf(accounts), ...stand, verifierA, verifierB };
};

/** Messages of a local chain are taken for final after so many blocks, whatever its real one needs. */
export const localConfirmations = 5;

/** No default of LayerZero's decides on a local chain: what a bridge forgets to pin would never be verified. */
const nobody: Address = '0x000000000000000000000000000000000000dead';
/** Gas of one delivery beside what the options ask for, and of one verification. */
const [deliveryBaseGas, verificationGas] = [60_000n, 100_000n];
const workerMultiplierBps = 12_000;
const oneCoin = 10n ** 18n;
/** The feed counts in parts of 10^20, of prices as of ratios. Local coins cost the same everywhere. */
const feedUnit = 10n ** 20n;
export const localCoinUsd = 2_000n;

/**
 * Puts LayerZero v2 on a local chain: endpoint, libraries, price feed, an executor and two verifiers, all real, with paths to
 * these other chains. Does nothing where it is.
 *
 * @param others - Endpoint ids of all chains that messages may go to.
 * @param stand - Where they are to stand, in place of the local addresses; two verifiers.
 */
export const deployLayerZero = async (
  url: string,
  wallet: Wallet,
  accounts: DevAccounts,
  eid: number,
  others: readonly number[],
  stand: LayerZero | null = null,
): Promise<void> => {
  const { layerZero, verifierA, verifierB } = accounts;
  const at = stand === null ? worldOf(accounts) : standing(accounts, stand);
  if ((await rpcRequest(url, 'eth_getCode', [at.endpoint, 'latest'])) !== '0x') return;
  const gas = 12_000_000n;
  const admin = layerZero.address;
  const create = async (slot: keyof World, name: LayerZeroContract, args: readonly unknown[]): Promise<void> => {
    const code = creationOf(name, args);
    if (stand === null) await wallet.send(layerZero, { to: null, data: code, gas });
    else await placeAt(url, wallet, layerZero, at[slot], code);
  };
  const verifier = (slot: 'verifierA' | 'verifierB', signer: Address) =>
    create(slot, 'DVN', [eid, eid, [at.sendLibrary], at.priceFeed, [signer], 1n, [admin]]);
  const call = (to: Address, name: LayerZeroContract, functionName: string, ...args: unknown[]) =>
    wallet.send(layerZero, { to, data: encodeFunctionData({ abi: artifactOf(name).abi, functionName, args }), gas });

  await create('endpoint', 'EndpointV2', [eid, admin]);
  await create('sendLibrary', 'SendUln302', [at.endpoint, 0n, 0n]);
  await create('receiveLibrary', 'ReceiveUln302', [at.endpoint]);
  await create('priceFeed', 'PriceFeed', []);
  await create('executorFees', 'ExecutorFeeLib', [eid, oneCoin]);
  await create('verifierFees', 'DVNFeeLib', [eid, oneCoin]);
  await create('executor', 'Executor', []);
  await verifier('verifierA', verifierA.address);
  await verifier('verifierB', verifierB.address);

  const price = { priceRatio: feedUnit, gasPriceInUnit: 1_000_000_000n, gasPerByte: 16 };
  await call(at.priceFeed, 'PriceFeed', 'initialize', admin);
  // The feed knows chains by their ids without LayerZero's version.
  await call(
    at.priceFeed,
    'PriceFeed',
    'setPrice',
    others.map((other) => ({ eid: other % 30_000, price })),
  );

  await call(at.priceFeed, 'PriceFeed', 'setNativeTokenPriceUSD', localCoinUsd * feedUnit);

  const initial = [
    at.endpoint,
    '0x0000000000000000000000000000000000000000',
    [at.sendLibrary],
    at.priceFeed,
    admin,
    [admin],
  ];
  await call(at.executor, 'Executor', 'initialize', ...initial);
  await call(at.executor, 'Executor', 'setWorkerFeeLib', at.executorFees);
  const terms = { multiplierBps: workerMultiplierBps, floorMarginUSD: 0n };
  await call(
    at.executor,
    'Executor',
    'setDstConfig',
    others.map((dstEid) => ({
      dstEid,
      lzReceiveBaseGas: deliveryBaseGas,
      lzComposeBaseGas: deliveryBaseGas,
      nativeCap: oneCoin,
      ...terms,
    })),
  );
  for (const address of [at.verifierA, at.verifierB]) {
    await call(address, 'DVN', 'setWorkerFeeLib', at.verifierFees);
    await call(
      address,
      'DVN',
      'setDstConfig',
      others.map((dstEid) => ({ dstEid, gas: verificationGas, ...terms })),
    );
  }

  await call(at.endpoint, 'EndpointV2', 'registerLibrary', at.sendLibrary);
  await call(at.endpoint, 'EndpointV2', 'registerLibrary', at.receiveLibrary);
  const dead = {
    confirmations: 1n,
    requiredDVNCount: 1,
    optionalDVNCount: 0,
    optionalDVNThreshold: 0,
    requiredDVNs: [nobody],
    optionalDVNs: [],
  };
  const defaults = others.map((other) => ({ eid: other, config: dead }));
  const executors = others.map((other) => ({ eid: other, config: { maxMessageSize: 10_000, executor: nobody } }));
  await call(at.sendLibrary, 'SendUln302', 'setDefaultUlnConfigs', defaults);
  await call(at.sendLibrary, 'SendUln302', 'setDefaultExecutorConfigs', executors);
  await call(at.receiveLibrary, 'ReceiveUln302', 'setDefaultUlnConfigs', defaults);
};
