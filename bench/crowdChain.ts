import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type DevChain, startChains } from '@mintage/devnet';
import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem';

const root = new URL('../', import.meta.url);
const source = new URL('contracts/Crowd.sol', import.meta.url);
/** What benchmarks keep between runs; never committed. */
export const scratch = new URL('.mintage/bench/', root);

const wallets = 500;
const tokens = 40;
const tokensInPool = 4;
export const transactionsPerBlock = 10;
const tradesPerTransaction = 5;
/** A trade says Trade and Transfer. */
export const eventsPerBlock = transactionsPerBlock * tradesPerTransaction * 2;
/** More than the blocks that an indexer takes for not final yet. */
const emptyBlocks = 70;

/** A local chain with a long history of trades on our contracts. */
export interface CrowdChain extends DevChain {
  /** One more block of the same kind, of now; resolves when it is mined, with its number. */
  mineTrades(): Promise<number>;
}

/**
 * Starts the chain whose history has about this many events of ours, half of them Trade and half Transfer: 500 wallets, 40
 * tokens of which 4 are in their pool, ten transactions and a hundred events a block, a block every 2 seconds. Built once
 * and kept; what this run does to it is forgotten.
 */
export const startCrowdChain = async (events: number, log: (line: string) => void): Promise<CrowdChain> => {
  const code = readFileSync(source, 'utf8') + readFileSync(new URL(import.meta.url), 'utf8');
  const name = `crowd-${events}-${hash('sha256', code, 'hex').slice(0, 8)}`;
  for (const kept of existsSync(scratch) ? readdirSync(scratch) : [])
    if (kept.startsWith(`crowd-${events}-`) && kept !== name) rmSync(new URL(kept, scratch), { recursive: true });
  const dataDir = fileURLToPath(new URL(name, scratch));
  const { chains } = await startChains(['base-sepolia'], {
    dataDir,
    heartbeat: false,
    frozen: true,
    genesisTime: Math.floor(Date.now() / 1000) - 7200 - (events / eventsPerBlock) * 2,
    seed: (chain) => fill(chain, Math.ceil(events / eventsPerBlock), log),
    log,
  });
  const [chain] = chains as [DevChain];
  await prepare(chain);
  await chain.rpc('evm_setAutomine', [false]);
  return { ...chain, mineTrades: () => mineTrades(chain) };
};

/** Nobody else sends from here, so its first contract has this address on every chain. */
const sender: Address = `0x${'c0'.repeat(20)}`;
const crowd = getContractAddress({ from: sender, nonce: 0n });

const fill = async (chain: DevChain, blocks: number, log: (line: string) => void): Promise<void> => {
  const { abi, bytecode } = compileCrowd();
  const dollar = 10n ** BigInt(chain.deployment.usdDecimals);
  await prepare(chain);
  await chain.rpc('anvil_setBalance', [sender, numberToHex(10n ** 30n)]);
  await send(chain, null, encodeDeployData({ abi, bytecode, args: [chain.deployment.launchpad, dollar] }));
  for (let i = 0; i < wallets; i += 50) await call(chain, 'enrol', [50n]);
  for (let i = 0; i < tokens; i += 1) await call(chain, 'create', [`Crowd ${i}`, `CRWD${i}`]);
  for (let i = 0; i < tokens; i += 1) await call(chain, 'buy', [BigInt(i), i < tokensInPool ? 40_000n : 500n]);
  await chain.rpc('evm_setAutomine', [false]);
  for (let block = 1; block <= blocks; block += 1) {
    await mineTrades(chain);
    if (block % 250 === 0) log(`built ${block} of ${blocks} blocks`);
  }
  await chain.rpc('anvil_mine', [numberToHex(emptyBlocks), '0x2']);
};

/** Room for the transactions of a block, two seconds between blocks, and transactions without a key. */
const prepare = async (chain: DevChain): Promise<void> => {
  await chain.rpc('evm_setBlockGasLimit', [numberToHex(10n ** 9n)]);
  await chain.rpc('anvil_setBlockTimestampInterval', [2]);
  await chain.rpc('anvil_autoImpersonateAccount', [true]);
};

const crowdAbi = parseAbi([
  'function enrol(uint256 count)',
  'function create(string name, string symbol)',
  'function buy(uint256 index, uint256 usdIn)',
  'function trade(uint256 count)',
]);

type CrowdCall = { [Name in 'enrol' | 'create' | 'buy']: readonly unknown[] };

/** One transaction in a block of its own. */
const call = <Name extends keyof CrowdCall>(
  chain: DevChain,
  functionName: Name,
  args: CrowdCall[Name],
): Promise<void> => send(chain, crowd, encodeFunctionData({ abi: crowdAbi, functionName, args } as never));

const send = async (chain: DevChain, to: Address | null, data: Hex): Promise<void> => {
  const transaction = { from: sender, ...(to === null ? {} : { to }), data, ...gas };
  const receipt = (await chain.rpc('eth_sendTransactionSync', [transaction])) as { status: Hex };
  if (receipt.status !== '0x1') throw new Error(`the crowd's transaction reverted: ${data.slice(0, 10)}`);
};

const gas = { gas: numberToHex(50_000_000n), gasPrice: numberToHex(10n ** 12n) };

const mineTrades = async (chain: DevChain): Promise<number> => {
  const data = encodeFunctionData({ abi: crowdAbi, functionName: 'trade', args: [BigInt(tradesPerTransaction)] });
  for (let i = 0; i < transactionsPerBlock; i += 1)
    await chain.rpc('eth_sendTransaction', [{ from: sender, to: crowd, data, ...gas }]);
  await chain.rpc('evm_mine');
  return Number(await chain.rpc('eth_blockNumber'));
};

const compileCrowd = (): { abi: Abi; bytecode: Hex } => {
  const compiler = createRequire(new URL('packages/contracts/package.json', root))('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  const input = {
    language: 'Solidity',
    sources: { 'bench/contracts/Crowd.sol': { content: readFileSync(source, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { Crowd: ['abi', 'evm.bytecode.object'] } },
    },
  };
  const read = (path: string) => ({ contents: readFileSync(new URL(path, root), 'utf8') });
  const { errors = [], contracts } = JSON.parse(compiler.compile(JSON.stringify(input), { import: read }));
  const fatal = errors.filter((error: { severity: string }) => error.severity === 'error');
  if (fatal.length > 0)
    throw new Error(fatal.map((error: { formattedMessage: string }) => error.formattedMessage).join('\n'));
  const { abi, evm } = contracts['bench/contracts/Crowd.sol'].Crowd;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
};
