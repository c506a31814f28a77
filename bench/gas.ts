import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startChains } from '@mintage/devnet';
import { measureUniswap } from './uniswapGas.ts';

const contracts = new URL('../packages/contracts/', import.meta.url);

/**
 * Most gas that a row of the snapshots may use (design 4.5). A trade's budget is for an exact input with creator, builder
 * and treasury paid; with more recipients or an exact output it has none. Those of v3 are ours (docs/decisions/0046).
 */
const budgets = [
  { row: /^curve (buy|sell)( with builder)?$/, gas: 91_000 },
  { row: /^pool (buy|sell)( with builder)?(, token first)?$/, gas: 140_000 },
  { row: /^create/, gas: 230_000 },
  { row: /^graduating/, gas: 520_000 },
  { row: /^withdrawBatch/, gas: 110_000 },
  { row: /v3: create/, gas: 230_000 },
  { row: /v3: pool (buy|sell)/, gas: 150_000 },
  { row: /v3: graduate/, gas: 5_300_000 },
  { row: /^bridge: send, first/, gas: 340_000 },
  { row: /^bridge: send/, gas: 270_000 },
  { row: /^bridge: deliver with/, gas: 320_000 },
  { row: /^bridge: deliver/, gas: 110_000 },
];

/**
 * The least a repeated curve trade can cost with an ERC-20 dollar: one packed state slot for curve and fees, the token its own
 * curve, no builder, no referrer. Itemised: transaction and calldata 21.3 k, state 5 k, buyer's token slot 5 k, clone 2.7 k,
 * two events 4.4 k, plain control flow 1.3 k, dollar transfer 17.8 k, token apart from the curve 9.9 k.
 */
const curveFloor = 67_523;

type Snapshot = [name: string, gas: number];

const snapshotsOf = (group: string, prefix = ''): Snapshot[] => {
  const text = readFileSync(new URL(`snapshots/${group}.json`, contracts), 'utf8');
  return Object.entries<string>(JSON.parse(text)).map(([name, gas]) => [prefix + name, Number(gas)]);
};

/**
 * Our gas beside the budgets and beside Uniswap v2, v3 and v4 by their own routers. Ours are the committed snapshots, which
 * forge checks in this run; theirs are receipts of this run. Both count whole transactions, repeated, with warm accounts.
 */
export const benchGas = async (): Promise<void> => {
  const stale = checkSnapshots();
  const snapshots = [
    ...snapshotsOf('Gas'),
    ...snapshotsOf('Bridge', 'bridge: '),
    ...snapshotsOf('GasUniswapV3', 'on Uniswap v3: '),
    ...snapshotsOf('GasPancakeV3', 'on PancakeSwap v3: '),
  ];
  const local = await startChains(['base-sepolia'], { heartbeat: false });
  try {
    const uniswap = await measureUniswap(local.chains[0]?.rpcUrl ?? '');
    const others = Object.values(uniswap);
    console.log(row(['', 'gas', 'budget', 'of budget', 'of v2', 'of v3', 'of v4', 'of floor']));
    console.log(row(['v2 router, ERC-20 to ERC-20', figure(uniswap.v2Router)]));
    console.log(row(['v3 router, ERC-20 to ERC-20', figure(uniswap.v3Router)]));
    console.log(row(['v4 universal router, ERC-20 to ERC-20', figure(uniswap.v4UniversalRouter)]));
    let over = 0;
    for (const [name, gas] of snapshots) {
      const budget = budgets.find((budget) => budget.row.test(name))?.gas;
      if (budget !== undefined && gas > budget) over += 1;
      const isTrade = /\b(curve|pool) (buy|sell)/.test(name);
      const ratios = isTrade ? others.map((other) => (gas / other).toFixed(2)) : [];
      if (name.startsWith('curve')) ratios.push((gas / curveFloor).toFixed(2));
      const ofBudget = budget === undefined ? '' : (gas / budget).toFixed(2);
      console.log(row([name, figure(gas), budget === undefined ? '' : figure(budget), ofBudget, ...ratios]));
    }
    if (stale) console.log('The committed snapshots are NOT what this tree measures: run forge and commit them.');
    console.log(over === 0 ? 'every row is within its budget' : `${over} rows above their budget`);
    if (stale || over > 0) process.exitCode = 1;
  } finally {
    await local.stop();
  }
};

/** True when forge measures other figures than the committed ones. */
const checkSnapshots = (): boolean => {
  const env = { ...process.env, FORGE_SNAPSHOT_CHECK: 'true' };
  const forge = ['test', '--isolate', '--match-path', 'test/{Gas,bridge/Gas}.t.sol'];
  const { status, stdout, stderr } = spawnSync('forge', forge, { cwd: contracts, env, encoding: 'utf8' });
  if (status !== 0) console.error(`${stdout}${stderr}`);
  return status !== 0;
};

const figure = (gas: number): string => gas.toLocaleString('en-US');

const row = ([name = '', ...cells]: string[]): string =>
  name.padEnd(58) + cells.map((cell) => cell.padStart(10)).join('');
