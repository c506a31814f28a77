/**
 * `npm run solvency -- --rpc URL --launchpad 0x… [--from-block N] [--tokens]`: what a Launchpad holds and what it owes, with
 * nothing but an RPC address. Exits 1 when it owes more than it holds. `--from-block` is the block in which the Launchpad
 * was deployed; without it that block is looked for, which needs a provider that keeps old states.
 */
import { parseArgs } from 'node:util';
import { formatUnits, newLedger, readSolvency, requireHex, type Solvency } from '@mintage/protocol';
import { type Address, createPublicClient, erc20Abi, http, isAddress, type PublicClient } from 'viem';
import { firstBlockWithCode } from '../packages/contracts/script/firstBlock.ts';

const usage = 'npm run solvency -- --rpc URL --launchpad 0x… [--from-block N] [--tokens]';

const options = () => {
  const { values } = parseArgs({
    options: {
      rpc: { type: 'string' },
      launchpad: { type: 'string' },
      'from-block': { type: 'string' },
      tokens: { type: 'boolean' },
    },
  });
  const { rpc, launchpad, tokens = false, 'from-block': fromBlock } = values;
  if (!rpc || !launchpad || !isAddress(launchpad)) throw new Error(usage);
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
};

const firstBlock = async (client: PublicClient, launchpad: Address): Promise<number> => {
  try {
    return await firstBlockWithCode(client, launchpad);
  } catch {
    console.log('The provider has not kept old states: all logs from block 0 on are read. --from-block spares that.');
    return 0;
  }
};

const main = async (): Promise<void> => {
  const { rpc, launchpad, tokens, fromBlock } = options();
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
  if (books.surplusUsd >= 0n) return;
  console.error('NOT SOLVENT: the Launchpad owes more than it holds.');
  process.exitCode = 1;
};

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
