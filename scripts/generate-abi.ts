/** Writes `packages/protocol/src/evm/generated/abi.ts` from the compiled contracts. `--check` fails when it would change. */
import { readFileSync } from 'node:fs';
import { writeGenerated } from './generated.ts';

interface AbiItem {
  type: string;
  name?: string;
  inputs?: { type: string }[];
}

const root = new URL('../', import.meta.url);

/** @param artifact - `<file>.sol/<contract>`, or a contract in a file of its own name. */
const abiIn = (folder: string, artifact: string): AbiItem[] => {
  const path = artifact.includes('/') ? artifact : `${artifact}.sol/${artifact}`;
  const text = readFileSync(new URL(`${folder}/${path}.json`, root), 'utf8');
  // Solidity's own names of types are of no use to who calls, and a tenth of what a browser would load.
  const parsed: unknown = JSON.parse(text, (key, value) => (key === 'internalType' ? undefined : value));
  return (parsed as { abi: AbiItem[] }).abi;
};

const abiOf = (artifact: string): AbiItem[] => abiIn('packages/contracts/out', artifact);

const signature = (item: AbiItem): string =>
  `${item.type} ${item.name}(${item.inputs?.map((input) => input.type).join()})`;

/** The contract's own ABI without its constructor, then the errors that reach a caller from what it calls. */
const withErrorsOf = (contracts: string | readonly string[], called: AbiItem[]): AbiItem[] => {
  const own = [contracts]
    .flat()
    .flatMap(abiOf)
    .filter((item) => item.type !== 'constructor');
  const errors = called.filter((item) => item.type === 'error');
  const bySignature = new Map<string, AbiItem>();
  for (const item of [...own, ...errors]) if (!bySignature.has(signature(item))) bySignature.set(signature(item), item);
  return [...bySignature.values()];
};

const poolManager = ['IPoolManager', 'Pool', 'Hooks', 'CustomRevert', 'SafeCast', 'TickMath', 'SqrtPriceMath'].flatMap(
  (name) => abiIn('node_modules/@uniswap/v4-core/out', name),
);
const layerZeroAbi = (contract: string): AbiItem[] => {
  const name = contract.split('/').at(-1) as string;
  const library = name === 'EndpointV2' ? 'lz-evm-protocol-v2' : 'lz-evm-messagelib-v2';
  return abiIn(`node_modules/@layerzerolabs/${library}/artifacts/contracts`, `${contract}.sol/${name}`);
};

const launchpadCalls = [
  'LaunchToken',
  'TokenFactory',
  'LaunchTokenV3',
  'OpeningV4',
  'OpeningV3',
  'SafeTransferLib',
  'FixedPointMathLib',
  'LibClone',
  'Reserves.sol/ReservesLibrary',
].flatMap(abiOf);

/** Errors that reach a sender through the bridge. */
const layerZero = [
  'EndpointV2',
  'uln/uln302/SendUln302',
  'Executor',
  'uln/dvn/DVN',
  'ExecutorFeeLib',
  'uln/dvn/DVNFeeLib',
].flatMap(layerZeroAbi);

const abis = {
  /** Of both venues; a deployment has one. */
  launchpadAbi: withErrorsOf(['LaunchpadV4', 'LaunchpadV3'], [...launchpadCalls, ...poolManager]),
  lensAbi: withErrorsOf('LensV4', []),
  launchTokenAbi: withErrorsOf('LaunchToken', []),
  poolHookAbi: withErrorsOf('PoolHook', poolManager),
  tokenBridgeAbi: withErrorsOf('TokenBridge', [
    ...['LaunchToken', 'TokenFactory', 'SafeTransferLib'].flatMap(abiOf),
    ...layerZero,
  ]),
  testUsdAbi: withErrorsOf('TestUSD', []),
  create3FactoryAbi: withErrorsOf('Create3Factory', abiOf('CREATE3')),
};

writeGenerated(
  new URL('packages/protocol/src/evm/generated/abi.ts', root),
  `${Object.entries(abis)
    .map(([name, abi]) => `export const ${name} = ${JSON.stringify(abi, null, 2)} as const;`)
    .join('\n\n')}\n`,
  'scripts/generate-abi.ts',
);
