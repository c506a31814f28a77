/**
 * `npm run solvency -- --rpc URL --launchpad 0x… [--from-block N] [--tokens]`: what a Launchpad holds and what it owes, with
 * nothing but an RPC address. Exits 1 when it owes more than it holds. `--from-block` is the block in which the Launchpad
 * was deployed; without it that block is looked for, which needs a provider that keeps old states.
 *
 * `npm run solvency -- --bridge 0x… --rpc URL --rpc URL …`: whether tokens that crossed between these chains are still as many
 * as were made. Exits 1 when one is not. The bridge has one address on all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  chainByEid,
  type Eid,
  families,
  formatUnits,
  isConstant,
  isSolvent,
  layerZeroEndpointAbi,
  newCrossedTokens,
  newLedger,
  readSolvency,
  readSupplies,
  requireHex,
  type Solvency,
  type SupplyReading,
  settledSupplies,
  tokenBridgeAbi,
} from '@mintage/protocol';
import { type Address, createPublicClient, erc20Abi, http, isAddress, type PublicClient } from 'viem';
import { firstBlockWithCode } from '../packages/contracts/script/firstBlock.ts';

const usage = `npm run solvency -- --rpc URL --launchpad 0x… [--from-block N] [--tokens]
npm run solvency -- --bridge 0x… --rpc URL --rpc URL …`;

const options = () => {
  const { values } = parseArgs({
    options: {
      rpc: { type: 'string', multiple: true },
      bridge: { type: 'string' },
      launchpad: { type: 'string' },
      'from-block': { type: 'string' },
      tokens: { type: 'boolean' },
    },
  });
  const { rpc: rpcs = [], bridge, launchpad, tokens = false, 'from-block': fromBlock } = values;
  const [rpc] = rpcs;
  if (bridge !== undefined && isAddress(bridge) && rpc !== undefined && launchpad === undefined)
    return { bridge, rpcs };
  if (rpc === undefined || rpcs.length > 1 || !launchpad || !isAddress(launchpad)) throw new Error(usage);
  if (fromBlock !== undefined && !/^\d+$/.test(fromBlock)) throw new Error(usage);
  return { rpc, launchpad, tokens, fromBlock: fromBlock === undefined ? undefined : Number(fromBlock) };
};

const report = (books: Solvency, decimals: number, symbol: string, tokens: boolean): void => {
  const line = (name: string, amount: bigint): void =>
    console.log(`${name.padEnd(44)} ${formatUnits(amount, decimals).padStart(30)} ${symbol}`);
  console.log(`block ${books.block.number} ${books.block.hash}, ${new Date(books.block.time * 1000).toISOString()}`);
  if (tokens)
    for (const { token, graduated, reserveUsd, floorUsd, treasuryShareUsd } of books.tokens)
      line(`  ${graduated ? 'pool ' : 'curve'} ${token.slice(0, 36)}`, reserveUsd + floorUsd + treasuryShareUsd);
  line('held', books.heldUsd);
  line(`reserves of ${books.tokens.length} tokens`, books.reserveUsd);
  line('kept for floors', books.floorUsd);
  line('treasury shares', books.treasuryShareUsd);
  line(`credits of ${books.accounts} accounts`, books.creditsUsd);
  line('surplus', books.surplusUsd);
  for (const { token, inTokens } of books.tokens)
    if (inTokens !== null)
      console.log(`${token}: ${units(inTokens.held)} tokens held, ${units(inTokens.credits)} credited`);
};

const firstBlock = async (client: PublicClient, contract: Address): Promise<number> => {
  try {
    return await firstBlockWithCode(client, contract);
  } catch {
    console.log('The provider has not kept old states: all logs from block 0 on are read. --from-block spares that.');
    return 0;
  }
};

const main = (): Promise<void> => {
  const chosen = options();
  return chosen.bridge === undefined ? oneLaunchpad(chosen) : acrossChains(chosen);
};

const nameOf = (eid: Eid): string => chainByEid(eid)?.slug ?? `eid ${eid}`;
/** It reads EVM chains only. */
const units = (amount: bigint): string => formatUnits(amount, families.evm.tokenDecimals);

const acrossChains = async ({ bridge, rpcs }: { bridge: Address; rpcs: string[] }): Promise<void> => {
  const readers = await Promise.all(
    rpcs.map((rpc) => supplyReader(createPublicClient({ transport: http(rpc) }), bridge)),
  );
  const { tokens } = await settledSupplies(() => Promise.all(readers.map((read) => read())), sleep);
  for (const one of tokens) {
    console.log(`${isConstant(one) ? 'constant' : 'NOT CONSTANT'} ${one.token} of ${nameOf(one.home)}`);
    console.log(`  at home ${units(one.homeSupply)}, in flight ${units(one.inFlight)}, gap ${units(one.gap)}`);
    for (const { eid, out, supply } of one.away)
      console.log(`  ${nameOf(eid)}: out ${units(out)}, there ${supply === null ? 'not read' : units(supply)}`);
  }
  console.log(`${tokens.length} tokens crossed`);
  if (tokens.every(isConstant)) return;
  console.error('NOT CONSTANT: a token exists more often than it was made, or its home lost count.');
  process.exitCode = 1;
};

const supplyReader = async (client: PublicClient, bridge: Address): Promise<() => Promise<SupplyReading>> => {
  const endpoint = await client.readContract({ address: bridge, abi: tokenBridgeAbi, functionName: 'endpoint' });
  const eid = await client.readContract({ address: endpoint, abi: layerZeroEndpointAbi, functionName: 'eid' });
  const crossed = newCrossedTokens(await firstBlock(client, bridge));
  return () =>
    readSupplies({
      request: (method, params) => client.request({ method, params } as never),
      eid: eid as Eid,
      tokenBridge: bridge,
      crossed,
    });
};

interface LaunchpadOptions {
  rpc: string;
  launchpad: Address;
  tokens: boolean;
  fromBlock: number | undefined;
}

const oneLaunchpad = async ({ rpc, launchpad, tokens, fromBlock }: LaunchpadOptions): Promise<void> => {
  const client = createPublicClient({ transport: http(rpc) });
  if ((await client.getCode({ address: launchpad })) === undefined) throw new Error(`${launchpad} has no code there.`);
  const start = fromBlock ?? (await firstBlock(client, launchpad));
  const books = await readSolvency({
    request: (method, params) => client.request({ method, params } as never),
    launchpad: launchpad.toLowerCase() as Address,
    ledger: newLedger(start),
  });
  const address = requireHex(books.usd);
  const [decimals, symbol] = await Promise.all([
    client.readContract({ address, abi: erc20Abi, functionName: 'decimals' }),
    client.readContract({ address, abi: erc20Abi, functionName: 'symbol' }),
  ]);
  report(books, decimals, symbol, tokens);
  if (isSolvent(books)) return;
  console.error('NOT SOLVENT: the Launchpad owes more than it holds.');
  process.exitCode = 1;
};

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
