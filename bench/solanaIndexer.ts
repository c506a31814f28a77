import { parseArgs } from 'node:util';
import { deployedChain, dollars, Ground, type Token } from '../packages/server/test/index/solana/ground.ts';
import { treeCpuMs } from '../scripts/testing/processTree.ts';
import { inOwnDatabase, startBenchDatabase } from './benchDatabase.ts';
import { eventsPerBlock, startCrowdChain } from './crowdChain.ts';
import { countIndexed, type OwnIndexerOptions, startOwnIndexer } from './ownIndexer.ts';
import { median } from './rounds.ts';

const rounds = 3;
const tokens = 20;
const tradesPerBlock = eventsPerBlock / 2;
/** More than the blocks that are not final yet. */
const emptyBlocks = 20;

interface Run {
  events: number;
  trades: number;
  ms: number;
  /** Of the indexer's process, its start with it, and of the node that it asks. */
  cpuMs: number;
  nodeCpuMs: number;
}

interface Subject extends Pick<OwnIndexerOptions, 'chain' | 'rpcUrl'> {
  nodeCpuMs(): number;
}

/**
 * Events per second from an empty database to a history of as many trades on an EVM chain and on Solana, as many of them in a block, by
 * the same indexer process in turn. What its start takes does not count.
 */
export const benchSolanaIndexer = async (): Promise<void> => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { trades: { type: 'string', default: '2000' } },
  });
  const trades = Number(values.trades);
  const closers: (() => unknown)[] = [];
  try {
    const crowd = await startCrowdChain(trades * 2, console.log);
    closers.unshift(crowd.stop);
    const deployed = await deployedChain();
    closers.unshift(deployed.remove);
    const ground = await Ground.start(deployed);
    closers.unshift(ground.node.stop);
    await trade(ground, trades);
    const database = await startBenchDatabase();
    closers.unshift(database.stop);
    const once = ({ nodeCpuMs, ...chain }: Subject): Promise<Run> =>
      inOwnDatabase(database, async (databaseUrl) => {
        const before = nodeCpuMs();
        const indexer = await startOwnIndexer({ ...chain, databaseUrl });
        try {
          const node = nodeCpuMs() - before;
          const { cpuMs } = await indexer.figures();
          const ms = indexer.readyMs - indexer.bootMs;
          return { ...(await countIndexed(databaseUrl)), ms, cpuMs, nodeCpuMs: node };
        } finally {
          await indexer.stop();
        }
      });
    const chains: Record<string, Subject> = {
      'base-sepolia': { chain: crowd, rpcUrl: crowd.rpcUrl, nodeCpuMs: () => treeCpuMs(crowd.pid) },
      'solana-devnet': { chain: ground.served(), rpcUrl: ground.node.url, nodeCpuMs: ownCpuMs },
    };
    const runs = new Map<string, Run[]>(Object.keys(chains).map((slug) => [slug, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [slug, chain] of Object.entries(chains)) runs.get(slug)?.push(await once(chain));
    console.log(`\nindexed from an empty database, medians of ${rounds} rounds`);
    for (const [slug, list] of runs) console.log(line(slug, list));
    const [evm, solana] = [...runs.values()].map(rateOf) as [number, number];
    console.log(`solana to EVM, events a second: ratio ${(solana / evm).toFixed(3)}`);
  } finally {
    for (const close of closers) await close();
  }
};

/** The Solana node is in this process. */
const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const rateOf = (list: readonly Run[]): number => median(list.map(({ events, ms }) => (events / ms) * 1_000));

const line = (slug: string, list: readonly Run[]): string => {
  const [{ events, trades }] = list as [Run];
  const microsOf = (of: (run: Run) => number): string =>
    median(list.map((run) => (of(run) * 1_000) / events)).toFixed(0);
  const [own, node] = [microsOf(({ cpuMs }) => cpuMs), microsOf(({ nodeCpuMs }) => nodeCpuMs)];
  return [
    slug.padEnd(16),
    `${trades} trades, ${events} events`.padStart(28),
    `${rateOf(list).toFixed(0)} events a second`.padStart(24),
    `${median(list.map(({ ms }) => ms / 1_000)).toFixed(2)} s`.padStart(10),
    `CPU an event, µs: indexer ${own}, node ${node}`.padStart(44),
  ].join('');
};

/** Each trade is a transaction of its own: buys, and a sell after every four. */
const trade = async (ground: Ground, count: number): Promise<void> => {
  const { alice, bob, carol, dave, owner } = ground.people;
  const people = [alice, bob, carol, dave];
  await ground.must(owner, ...people.map((one) => ground.openUser(owner, one)));
  const made: Token[] = [];
  for (let number = 0; number < tokens; number += 1) made.push(await ground.create(alice, number, { poolType: 7 }));
  for (let at = 0; at < count; at += 1) {
    const token = made[at % made.length] as Token;
    const trader = people[Math.floor(at / made.length) % people.length] as (typeof people)[number];
    const sells = Math.floor(at / (made.length * people.length)) % 5 === 4;
    // No two are the same transaction.
    const steps = sells
      ? ground.trade(token, trader, 'sellExactIn', 1_000_000n + BigInt(at))
      : ground.trade(token, trader, 'buyExactIn', dollars(1) + BigInt(at));
    await ground.post(trader, ...steps);
    if (at % tradesPerBlock === tradesPerBlock - 1) ground.node.mine();
  }
  ground.node.mine(emptyBlocks);
};
